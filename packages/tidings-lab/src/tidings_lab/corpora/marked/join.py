"""Marked pages joined with a copy of the corpora that hold the pages."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError, TidingsError
from tidings.page import Page
from tidings_lab.annotation import marks
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.headline_in_text import opens_with
from tidings_lab.corpora.json_lines import INDEX, read_lines
from tidings_lab.corpora.marked.record import PageMarks, Pass, gold_digest, read_record, text_digest
from tidings_lab.corpora.sample import Sample

#: What a corpus is called that is the marks of this package and a folder of corpora: `marked:/data`.
PREFIX: Final = "marked:"
#: Fields that are absent, not empty, on a page where nothing has their mark: they may not have been looked for.
_ABSENT_IF_EMPTY: Final = ("title", "authors", "date", "headings", "captions", "comments", "lead", "notes")
#: Fields of the page's own corpus that count more than a marked line, which may read "Tuesday, 3 pm".
_OWN_FIRST: Final = ("date", "authors")


def marked_samples(
    root: Path, pages: Sequence[PageMarks] | None = None, pass_: Pass = Pass.SETTLED
) -> Iterator[Sample | CorpusProblem]:
    """Yield the marked pages as samples, and a problem for each page that is missing or has changed.

    Args:
        root: the folder of the corpora; the page of a record is in `root/CORPUS`.
        pages: the record; that of this package if None. Pages of which only the type was judged are left out.
        pass_: the pass to read.

    Raises:
        InputError: the folder has none of the corpora.
    """
    record = read_record() if pages is None else pages
    by_corpus: dict[str, list[PageMarks]] = {}
    for page in record:
        if page.pass_ is pass_ and page.spans is not None:
            by_corpus.setdefault(page.corpus, []).append(page)
    present = [corpus for corpus in by_corpus if (root / corpus / INDEX).is_file()]
    if not present:
        raise InputError(f"{root} has none of the marked corpora: {', '.join(sorted(by_corpus))}")
    for corpus, marked_pages in by_corpus.items():
        if corpus not in present:
            for page in marked_pages:
                yield CorpusProblem(CorpusTrouble.NO_PAGE, page.id, f"there is no {root / corpus}")
            continue
        samples = {sample.id: sample for sample in read_lines(root / corpus) if isinstance(sample, Sample)}
        for page in marked_pages:
            sample = samples.get(page.id)
            if sample is None:
                yield CorpusProblem(CorpusTrouble.NO_PAGE, page.id, f"not in {root / corpus}")
            else:
                yield _marked_sample(sample, page)


def _marked_sample(sample: Sample, marked_page: PageMarks) -> Sample | CorpusProblem:
    try:
        content = sample.html
        page = Page(content, sample.url or None)
    except TidingsError as error:
        return CorpusProblem(CorpusTrouble.BROKEN_PAGE, sample.id, str(error))
    if hashlib.sha1(content, usedforsecurity=False).hexdigest() != marked_page.html_sha1:
        return CorpusProblem(CorpusTrouble.CHANGED, sample.id, "its HTML is another than the marked one")
    if text_digest(page) != marked_page.text_sha1:
        return CorpusProblem(CorpusTrouble.CHANGED, sample.id, "its canonical text is another than the marked one")
    gold = marks.gold(page, marked_page.marks(page))
    if gold_digest(gold) != marked_page.marked_sha1:
        return CorpusProblem(CorpusTrouble.CHANGED, sample.id, "its marks give another text")
    return replace(
        sample,
        page_type=marked_page.page_type,
        lang=marked_page.lang,
        gold=_gold(sample, gold),
        gold_kind="annotators",
        headline_in_text=opens_with(gold["text"], gold["title"]) if gold["title"] and gold["text"] else None,
        more={**sample.more, "sure": marked_page.is_sure},
    )


def _gold(sample: Sample, gold: dict[str, Any]) -> dict[str, Any]:
    own = {name: sample.gold[name] for name in _OWN_FIRST if sample.gold.get(name)}
    filled = {name: value for name, value in gold.items() if value or name not in _ABSENT_IF_EMPTY}
    return {**sample.gold, **filled, **own}


def page_kinds(pages: Sequence[PageMarks] | None = None) -> dict[tuple[str, str], str]:
    """Return the page type of every settled page by corpus and id, also of those of which only the type was judged."""
    record = read_record() if pages is None else pages
    return {(page.corpus, page.id): page.page_type for page in record if page.pass_ is Pass.SETTLED}
