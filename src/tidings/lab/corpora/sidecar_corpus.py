"""Pages with their gold in a file beside them: `page.html` with `page.txt`, or with `page.hra`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tidings.addresses import site_of
from tidings.errors import EmptyPage, InputError, PageError
from tidings.fields import read
from tidings.lab import annotation_format, marks
from tidings.lab.corpora.corpus import CorpusProblem, CorpusTrouble, Sample, opens_with
from tidings.page import Page
from tidings.page.decode import decode

PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
#: Longer ones first: `page.gold.txt` is no gold of `page.gold`.
TEXT_ENDINGS: Final = (".gold.txt", ".clean.txt", ".gold", ".txt", ".text")
HRA_ENDINGS: Final = (".hra",)
_NOTES: Final = ("README", "LICENSE", "LICENCE")
#: Folders of pages and of gold that lie beside each other.
_TWINS: Final = ("html", "pages", "text", "gold", "hra")


def page_files(folder: Path) -> dict[str, Path]:
    """Every page of a folder by its path without the ending; of two with one name the first."""
    return _files(folder, PAGE_ENDINGS)


def gold_files(folder: Path, endings: tuple[str, ...]) -> dict[str, Path]:
    """Every file of gold by its path without the ending, and without that of a page before it (`page.html.txt`)."""
    return _files(folder, endings)


def _files(folder: Path, endings: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for file, ending in files_in(folder, endings):
        found.setdefault(_name(folder, file, ending), file)
    return found


def files_in(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """Files with one of the endings, and which it is. A link that leads out of the folder is not followed."""
    root = folder.resolve()
    for file in sorted(folder.rglob("*")):
        ending = ending_of(file, endings)
        if not ending or not file.is_file() or file.name.upper().startswith(_NOTES):
            continue
        if file.resolve().is_relative_to(root):
            yield file, ending


def ending_of(file: Path, endings: tuple[str, ...]) -> str:
    """Which of the endings a file has, or nothing."""
    return max((ending for ending in endings if file.name.lower().endswith(ending)), key=len, default="")


def _name(folder: Path, file: Path, ending: str) -> str:
    inner = file.relative_to(folder)
    name = inner.name[: -len(ending)]
    if second := ending_of(Path(name), PAGE_ENDINGS):
        name = name[: -len(second)]
    parents = [part for part in inner.parent.parts if part.lower() not in _TWINS]
    return "/".join([*parents, name])


def read_beside(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Pages with their gold text in a file of the same name."""
    for name, page, gold in pairs(folder, TEXT_ENDINGS):
        if page is None or gold is None:
            yield without(name, page)
            continue
        try:
            text = plain_text(gold)
            yield sample(folder, name, page, Page(_bytes(page)), {"text": text})
        except (PageError, InputError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_PAGE, name, str(error))


def read_hra(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Pages with an annotation file of the same name."""
    for name, file, annotation in pairs(folder, HRA_ENDINGS):
        if file is None or annotation is None:
            yield without(name, file)
            continue
        try:
            page = Page(_bytes(file))
            records, wrong = annotation_format.parse(plain_text(annotation))
        except (PageError, InputError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_PAGE, name, str(error))
            continue
        placed = annotation_format.place(records, page)
        wrong += [f"#{record.element} <{record.tag}> is not on the page" for record in placed.lost]
        if wrong:
            more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, f"{name}.hra", wrong[0] + more)
        if records and len(placed.lost) < len(records):
            yield sample(folder, name, file, page, marks.gold(page, marks.of_classes(page, placed.classes)))


def pairs(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, Path | None, Path | None]]:
    """Names with their page and their gold, either of which may be missing."""
    pages, golds = page_files(folder), gold_files(folder, endings)
    for name in dict.fromkeys([*pages, *golds]):
        yield name, pages.get(name), golds.get(name)


def without(name: str, page: Path | None) -> CorpusProblem:
    """What is wrong with a page or a gold that is alone."""
    return CorpusProblem(CorpusTrouble.NO_PAGE if page is None else CorpusTrouble.NO_GOLD, name)


def sample(folder: Path, name: str, file: Path, page: Page, gold: dict[str, Any]) -> Sample:
    """A sample with what the page tells of itself."""
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


def plain_text(file: Path) -> str:
    """A text file in whatever encoding.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return decode(_bytes(file)).text
    except EmptyPage:
        return ""


def _bytes(file: Path) -> bytes:
    return Sample(str(file), "", "", "", file, {}).html
