"""The record of marked pages: a JSON line per page and pass, with offsets and digests but no text.

A line has corpus (the folder of the page), id, html_sha1, type, lang, sure, pass, and either nothing more (only the
page type was judged) or:

- text_sha1: a digest of the canonical text `Page.text`;
- spans: for each mark a flat list of numbers, alternately the distance from the end of the span before and the length
  of the span, in characters of the canonical text. `content` is body and headings: a unit inside h1 to h6 is a heading;
- marked_sha1: a digest of the ground truth that the spans give.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.page import Page, tags
from tidings.page.columns import Bools
from tidings.page.tag_sets import tag_set
from tidings_lab.annotation import marks
from tidings_lab.annotation.marks import Marks, UnitMark
from tidings_lab.annotation.units import Units, units
from tidings_lab.corpora.sample import Sample

#: The marks in this package.
RECORD: Final = Path(__file__).with_name("pages.jsonl")
_CONTENT: Final = "content"
_HEADINGS: Final = tag_set(tags.HEADINGS)
_DIGEST_LENGTH: Final = 12
#: The fields of the ground truth that a page's digest covers.
_DIGESTED: Final = ("title", "text", "headings", "lead", "captions", "notes")


class Pass(StrEnum):
    """When a page was marked. Pages were marked twice to measure agreement; `settled` is the ground truth."""

    SETTLED = "settled"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class PageMarks:
    """The marks of a page; `spans` is None if only its type was judged."""

    corpus: str
    id: str
    html_sha1: str
    page_type: str
    lang: str
    is_sure: bool
    pass_: Pass = Pass.SETTLED
    text_sha1: str = ""
    marked_sha1: str = ""
    spans: Mapping[str, tuple[int, ...]] | None = None

    def marks(self, page: Page) -> Marks:
        """Return the marks of the page's units: each unit has the mark of most of its characters."""
        page_units = units(page)
        shares = np.zeros((len(page_units), len(UnitMark)), np.int64)
        for name, numbers in (self.spans or {}).items():
            mark = UnitMark.BODY if name == _CONTENT else marks.named(name)
            for start, end in _absolute(numbers):
                shared = np.minimum(page_units.text_end, end) - np.maximum(page_units.text_start, start)
                shares[:, mark] += np.maximum(shared, 0)
        shares[:, UnitMark.NONE] = page_units.chars - shares[:, 1:].sum(axis=1)
        result = np.asarray(shares.argmax(axis=1), np.int8)
        result[(result == UnitMark.BODY) & _in_heading(page, page_units)] = UnitMark.HEADING
        return result


def record(sample: Sample, pass_: Pass = Pass.SETTLED) -> PageMarks:
    """Return the marks of an annotated sample.

    Raises:
        ValueError: the sample has no marks, or marks that the record cannot express.
        PageError: the page cannot be read.
    """
    if "marks" not in sample.gold:
        raise ValueError(f"{sample.id} has no marks")
    content = sample.html
    page = Page(content, sample.url or None)
    marked = marks.of_gold(page, sample.gold)
    result = PageMarks(
        corpus=sample.corpus,
        id=sample.id,
        html_sha1=hashlib.sha1(content, usedforsecurity=False).hexdigest(),
        page_type=sample.page_type,
        lang=sample.lang,
        is_sure=bool(sample.more.get("sure", True)),
        pass_=pass_,
        text_sha1=text_digest(page),
        marked_sha1=gold_digest(marks.gold(page, marked)),
        spans=_spans(page, marked),
    )
    if gold_digest(marks.gold(page, result.marks(page))) != result.marked_sha1:
        raise ValueError(f"{sample.id}: body inside a heading element, or a heading outside of one")
    return result


def text_digest(page: Page) -> str:
    """Return a digest of the canonical text of a page (`Page.text`)."""
    return _digest(page.text)


def gold_digest(gold: Mapping[str, Any]) -> str:
    """Return a digest of the ground truth of a page."""
    return _digest(json.dumps([gold.get(name) for name in _DIGESTED], ensure_ascii=False))


def _digest(text: str) -> str:
    return hashlib.sha1(text.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()[:_DIGEST_LENGTH]


def _in_heading(page: Page, page_units: Units) -> Bools:
    if not len(page_units):
        return np.zeros(0, np.bool_)
    return np.asarray(page.nearest(_HEADINGS)[page.runs.element[page_units.first]] > 0)


def _spans(page: Page, marked: Marks) -> dict[str, tuple[int, ...]]:
    page_units = units(page)
    joined = np.where(marked == UnitMark.HEADING, UnitMark.BODY, marked)
    return {
        _CONTENT if mark is UnitMark.BODY else marks.NAMES[mark]: tuple(_relative(page_units, joined == mark))
        for mark in UnitMark
        if mark not in (UnitMark.NONE, UnitMark.HEADING) and (joined == mark).any()
    }


def _relative(page_units: Units, chosen: NDArray[np.bool_]) -> Iterable[int]:
    """Yield the gap before each range of neighbouring units, and its length."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]]).astype(np.int8)))
    last = 0
    for first, after in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        start, end = int(page_units.text_start[first]), int(page_units.text_end[after - 1])
        yield start - last
        yield end - start
        last = end


def _absolute(numbers: Iterable[int]) -> Iterable[tuple[int, int]]:
    at = 0
    steps = iter(numbers)
    for gap, length in zip(steps, steps, strict=True):
        yield at + gap, at + gap + length
        at += gap + length


def write_record(pages: Iterable[PageMarks], file: Path) -> None:
    """Write the marks of pages to a file."""
    file.write_text("".join(_line(page) + "\n" for page in pages), encoding="utf-8")


def _line(page: PageMarks) -> str:
    row: dict[str, Any] = {
        "corpus": page.corpus,
        "id": page.id,
        "html_sha1": page.html_sha1,
        "type": page.page_type,
        "lang": page.lang,
        "sure": page.is_sure,
        "pass": page.pass_,
    }
    if page.spans is not None:
        row |= {"text_sha1": page.text_sha1, "marked_sha1": page.marked_sha1, "spans": page.spans}
    return json.dumps(row, separators=(",", ":"))


def read_record(file: Path = RECORD) -> list[PageMarks]:
    """Read the marks of pages from a file.

    Raises:
        InputError: the file cannot be read, or a line is invalid.
    """
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from error
    pages = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                pages.append(_page(json.loads(line)))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise InputError(f"{file}, line {number} is no marked page: {error!r}") from error
    return pages


def _page(row: dict[str, Any]) -> PageMarks:
    spans = row.get("spans")
    if spans is not None:
        spans = {name: tuple(map(int, numbers)) for name, numbers in spans.items()}
        for name, numbers in spans.items():
            if name != _CONTENT:
                marks.named(name)
            if len(numbers) % 2 or any(number < 0 for number in numbers):
                raise ValueError(f"{name} has a span without an end")
    return PageMarks(
        str(row["corpus"]),
        str(row["id"]),
        str(row["html_sha1"]),
        str(row["type"]),
        str(row["lang"]),
        bool(row["sure"]),
        Pass(row["pass"]),
        str(row.get("text_sha1", "")),
        str(row.get("marked_sha1", "")),
        spans,
    )
