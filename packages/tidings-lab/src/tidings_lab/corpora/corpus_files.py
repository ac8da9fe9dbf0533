"""Page files and ground-truth files of a folder, by their endings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tidings.errors import EmptyPage
from tidings.page.decode import decode
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.sample import Sample

PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
#: Longer ones first: `page.gold.txt` is no gold of `page.gold`.
TEXT_ENDINGS: Final = (".gold.txt", ".clean.txt", ".gold", ".txt", ".text")
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


def pairs(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, Path | None, Path | None]]:
    """Names with their page and their gold, either of which may be missing."""
    pages, golds = page_files(folder), gold_files(folder, endings)
    for name in dict.fromkeys([*pages, *golds]):
        yield name, pages.get(name), golds.get(name)


def without(name: str, page: Path | None) -> CorpusProblem:
    """What is wrong with a page or a gold that is alone."""
    return CorpusProblem(CorpusTrouble.NO_PAGE if page is None else CorpusTrouble.NO_GOLD, name)


def plain_text(file: Path) -> str:
    """A text file in whatever encoding.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return decode(page_bytes(file)).text
    except EmptyPage:
        return ""


def page_bytes(file: Path) -> bytes:
    """Return the bytes of a page file."""
    return Sample(str(file), "", "", "", file, {}).html
