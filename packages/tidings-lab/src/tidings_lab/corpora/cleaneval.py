"""CleanEval 2007: numbered pages with a `<text id= title= encoding=>` header, and cleaned texts with marked lines.

    URL: http://www.example.org/

    <h>A heading
    <p>A paragraph, which may
    run over several lines
    <l>An item of a list

The URL may also be in a comment. Pages and texts are in one folder or in two (`1.html` and `1-cleaned.txt`, or
`original/1.html` and `cleaned/1.txt`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError, PageError
from tidings.text import fold_space
from tidings.urls import site_of
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.corpus_files import (
    PAGE_ENDINGS,
    TEXT_ENDINGS,
    ending_of,
    files_in,
    page_files,
    plain_text,
    without,
)
from tidings_lab.corpora.sample import Sample

_HEADER: Final = re.compile(rb"\A\s*<text\s+[^<>]{0,2000}\bid\s*=", re.IGNORECASE)
_URL: Final = re.compile(r"\A\s*(?:<!--)?\s*URL:\s*(\S+?)\s*(?:-->\s*)?(?:\n|\Z)", re.IGNORECASE)
_MARKED: Final = re.compile(r"^[ \t]*<([hpl])>", re.IGNORECASE | re.MULTILINE)
_LANGUAGES: Final = {"en": "en", "english": "en", "zh": "zh", "ch": "zh", "chinese": "zh"}


def is_cleaneval(page: Path, gold: Path) -> bool:
    """Return whether a page and its ground truth have the CleanEval format.

    The page has the `<text>` header of CleanEval, or the ground truth has its paragraph marks (`<p>`, `<h>`, `<l>`).
    """
    try:
        with page.open("rb") as stream:
            if _HEADER.match(stream.read(4096)):
                return True
        return _MARKED.search(plain_text(gold)) is not None
    except (OSError, InputError, PageError):
        return False


def gold_by_stem(folder: Path) -> dict[str, list[Path]]:
    """Return the ground-truth files (cleaned texts) of a folder by the file name of their page without extension."""
    result = defaultdict(list)
    for file, ending in files_in(folder, TEXT_ENDINGS):
        result[file.name[: -len(ending)].removesuffix("-cleaned")].append(file)
    return dict(result)


def read_cleaneval(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Yield every page with a cleaned text."""
    golds = gold_by_stem(folder)
    used: set[Path] = set()
    for name, page in page_files(folder).items():
        stem = page.name[: -len(ending_of(page, PAGE_ENDINGS))]
        nearby = golds.get(stem, [])
        if len(nearby) > 1:  # en/1.html and zh/1.html: the text whose folder has the same parent
            nearby = [gold for gold in nearby if gold.parent in (page.parent, *page.parent.parent.glob("*"))]
            nearby = [gold for gold in nearby if gold.parent == page.parent] or nearby
        if not nearby:
            yield without(name, page)
            continue
        if len(nearby) > 1:
            several = ", ".join(str(gold.relative_to(folder)) for gold in nearby)
            yield CorpusProblem(CorpusTrouble.TWICE, name, f"several texts: {several}")
            continue
        used.add(nearby[0])
        try:
            url, gold = parse_gold(plain_text(nearby[0]))
        except (InputError, PageError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, name, str(error))
            continue
        yield Sample(
            id=name,
            site=site_of(url),
            lang=next((_LANGUAGES[part] for part in _folders(folder, page) if part in _LANGUAGES), ""),
            page_type="",
            file=page,
            gold=gold,
            url=url,
            corpus=folder.resolve().name,
            gold_kind="annotators",
        )
    for stem, files in golds.items():
        for file in files:
            if file not in used and (ending_of(file, TEXT_ENDINGS) != ".txt" or _MARKED.search(_safe_text(file))):
                yield CorpusProblem(CorpusTrouble.NO_PAGE, stem, str(file.relative_to(folder)))


def _safe_text(file: Path) -> str:
    try:
        return plain_text(file)
    except (InputError, PageError):
        return ""


def _folders(folder: Path, page: Path) -> list[str]:
    """Return the names of a page's parent folders, innermost first, from which the language is guessed.

    Each name is followed by its part before the first hyphen or underscore, so that en_original counts as en.
    """
    names = [part.lower() for part in (folder.name, *page.relative_to(folder).parent.parts)]
    return [part for name in reversed(names) for part in (name, re.split(r"[_-]", name)[0])]


def parse_gold(content: str) -> tuple[str, dict[str, Any]]:
    """Parse a cleaned text; return the URL and the ground truth."""
    content = content.replace("\r\n", "\n")
    url = _URL.match(content)
    body = content[url.end() :] if url else content
    pieces = _MARKED.split(body)
    # Text before the first mark, and a text without marks, is a paragraph too.
    segments = [("p", pieces[0]), *zip(map(str.lower, pieces[1::2]), pieces[2::2], strict=True)]
    paragraphs = [(kind, text) for kind, raw in segments if (text := fold_space(raw))]
    return url[1] if url else "", {
        "text": "\n\n".join(text for _, text in paragraphs),
        "paragraphs": [text for _, text in paragraphs],
        "headings": [text for kind, text in paragraphs if kind == "h"],
    }


def write_gold(url: str, gold: Any) -> str:
    """Return ground truth as a cleaned text."""
    headings = set(gold.get("headings") or ())
    paragraphs = gold.get("paragraphs") or [part for part in (gold.get("text") or "").split("\n\n") if part.strip()]
    lines = [f"<{'h' if text in headings else 'p'}>{fold_space(text)}\n" for text in paragraphs]
    return (f"URL: {fold_space(url)}\n\n" if url else "") + "\n".join(lines)
