"""Corpora of pages with a ground-truth file of the same name: `page.html` with `page.txt` or `page.hra`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError, PageError
from tidings.fields import read
from tidings.page import Page
from tidings.urls import site_of
from tidings_lab.annotation import hra_files, marks
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.corpus_files import TEXT_ENDINGS, page_bytes, pairs, plain_text, without
from tidings_lab.corpora.headline_in_text import opens_with
from tidings_lab.corpora.sample import Sample

HRA_ENDINGS: Final = (".hra",)


def read_beside(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Yield pages with ground-truth text in a file of the same name."""
    for name, page, gold in pairs(folder, TEXT_ENDINGS):
        if page is None or gold is None:
            yield without(name, page)
            continue
        try:
            text = plain_text(gold)
            yield sample(folder, name, page, Page(page_bytes(page)), {"text": text})
        except (PageError, InputError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_PAGE, name, str(error))


def read_hra(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Yield pages with an annotation file of the same name."""
    for name, file, annotation in pairs(folder, HRA_ENDINGS):
        if file is None or annotation is None:
            yield without(name, file)
            continue
        try:
            page = Page(page_bytes(file))
            records, errors = hra_files.parse(plain_text(annotation))
        except (PageError, InputError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_PAGE, name, str(error))
            continue
        placed = hra_files.place(records, page)
        errors += [f"#{record.element} <{record.tag}> is not on the page" for record in placed.lost]
        if errors:
            more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, f"{name}.hra", errors[0] + more)
        if records and len(placed.lost) < len(records):
            yield sample(folder, name, file, page, marks.gold(page, marks.of_classes(page, placed.classes)))


def sample(folder: Path, name: str, file: Path, page: Page, gold: dict[str, Any]) -> Sample:
    """Return a sample with the metadata that the page declares."""
    fields = read(page)
    title = gold.get("title") or ""
    return Sample(
        id=name,
        site=site_of(fields.canonical),
        lang=fields.language.split("-")[0].lower(),
        page_type="article",
        file=file,
        gold=gold,
        url=fields.canonical,
        corpus=folder.resolve().name,
        gold_kind="annotators",
        headline_in_text=opens_with(gold["text"], title) if title and gold.get("text") else None,
    )
