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
#: Longer ones first: `page.gold.txt` belongs to `page`, not to `page.gold`.
TEXT_ENDINGS: Final = (".gold.txt", ".clean.txt", ".gold", ".txt", ".text")
_NOTES: Final = ("README", "LICENSE", "LICENCE")
#: Names of sibling folders for pages and for ground truth.
_TWINS: Final = ("html", "pages", "text", "gold", "hra")


def page_files(folder: Path) -> dict[str, Path]:
    """Return every page of a folder by its path without extension; the first of two with the same name."""
    return _files(folder, PAGE_ENDINGS)


def gold_files(folder: Path, endings: tuple[str, ...]) -> dict[str, Path]:
    """Return the ground-truth files of a folder by relative path, without the endings of file and page
    (`page.html.txt`).
    """
    return _files(folder, endings)


def _files(folder: Path, endings: tuple[str, ...]) -> dict[str, Path]:
    result: dict[str, Path] = {}
    for file, ending in files_in(folder, endings):
        result.setdefault(_name(folder, file, ending), file)
    return result


def files_in(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """Yield files with one of some extensions, and the extension. Links that lead out of the folder are not
    followed.
    """
    root = folder.resolve()
    for file in sorted(folder.rglob("*")):
        ending = ending_of(file, endings)
        if not ending or not file.is_file() or file.name.upper().startswith(_NOTES):
            continue
        if file.resolve().is_relative_to(root):
            yield file, ending


def ending_of(file: Path, endings: tuple[str, ...]) -> str:
    """Return the extension of a file among `endings`, or an empty string."""
    return max((ending for ending in endings if file.name.lower().endswith(ending)), key=len, default="")


def _name(folder: Path, file: Path, ending: str) -> str:
    inner = file.relative_to(folder)
    name = inner.name[: -len(ending)]
    if second := ending_of(Path(name), PAGE_ENDINGS):
        name = name[: -len(second)]
    parents = [part for part in inner.parent.parts if part.lower() not in _TWINS]
    return "/".join([*parents, name])


def pairs(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, Path | None, Path | None]]:
    """Yield the name, page file and ground-truth file of each page; either file may be None."""
    pages, golds = page_files(folder), gold_files(folder, endings)
    for name in dict.fromkeys([*pages, *golds]):
        yield name, pages.get(name), golds.get(name)


def without(name: str, page: Path | None) -> CorpusProblem:
    """Return the problem of a page without ground truth or, if `page` is None, of a ground truth without page."""
    return CorpusProblem(CorpusTrouble.NO_PAGE if page is None else CorpusTrouble.NO_GOLD, name)


def plain_text(file: Path) -> str:
    """Read a text file in any encoding.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        return decode(page_bytes(file)).text
    except EmptyPage:
        return ""


def page_bytes(file: Path) -> bytes:
    """Read the bytes of a page file, which may be gzipped."""
    return Sample(str(file), "", "", "", file, {}).html
