"""Splits: pieces of the input that are each read by one task into one file."""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal

from tidings.bulk import files
from tidings.errors import InputError, shown

Form = Literal["warc", "files", "tar", "parquet", "cdx", "call"]

#: A file of more bytes is split at record borders, or between groups of rows.
SPLIT_SIZE: Final = 1024 * 1024 * 1024
#: Pages of a folder in one split.
_FILES: Final = 2000
_PAGES: Final = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
_ENDINGS: Final[tuple[tuple[tuple[str, ...], Form], ...]] = (
    ((".warc", ".warc.gz", ".warc.zst"), "warc"),
    ((".tar", ".tar.gz", ".tgz", ".tar.zst"), "tar"),
    ((".parquet",), "parquet"),
    ((".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz"), "cdx"),
)


@dataclass(frozen=True, slots=True)
class InputSplit:
    """What one task reads: a file, a part of one, or some files of a folder."""

    form: Form
    source: str  # the file or folder; of a call what is passed to it
    start: int = 0  # the first byte, row or line; those that begin there belong to it
    end: int | None = None  # the first that does not
    size: int = 0  # of the file, in bytes
    identity: str = ""  # digest of the content, so that a path spelled in another way is the same split
    names: tuple[str, ...] = ()  # of files in the folder
    base: str = ""  # CDX: where the archives lie that it names; of a call the function
    allow: tuple[str, ...] = ()  # CDX: hosts of archives that the guard lets through

    @property
    def name(self) -> str:
        """Return the name of the output file, which depends on the content of the split and not on its path."""
        identity = self.identity or f"{self.base}\n{self.source}"
        key = json.dumps([self.form, identity, self.start, self.end]).encode()
        file = "" if self.form == "files" else self.source.rstrip("/").rpartition("/")[2]
        stem = re.sub(r"[^\w.-]+", "-", file, flags=re.ASCII).strip("-.")[:80]
        return f"{stem or 'pages'}-{blake2b(key, digest_size=6).hexdigest()}"

    @property
    def bytes(self) -> int:
        """About how much there is to read; for a progress bar."""
        whole = self.form == "warc" and (self.start or self.end is not None)
        return (self.end if self.end is not None else self.size) - self.start if whole else self.size

    def as_dict(self) -> dict[str, Any]:
        """For a manifest."""
        return asdict(self)

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> InputSplit:
        """As `as_dict` gave it."""
        return cls(**{**said, "names": tuple(said["names"]), "allow": tuple(said["allow"])})


def plan(
    inputs: Iterable[str], *, split_size: int = SPLIT_SIZE, base: str = "", allow: Iterable[str] = ()
) -> list[InputSplit]:
    """The splits of some inputs, in their order, each once.

    Args:
        inputs: files, folders and patterns; paths or addresses that fsspec opens.
        split_size: a larger archive is read in parts of about so many bytes.
        base: where the archives lie that a CDX names: a folder, or an address on the web.
        allow: hosts of such archives that may be on a private network.

    Raises:
        InputError: an input stands for nothing.
    """
    hosts = tuple(allow)
    splits: dict[str, InputSplit] = {}
    for name in inputs:
        for split in _of(name, split_size, base):
            splits.setdefault(split.name, replace(split, allow=hosts) if split.form == "cdx" else split)
    return list(splits.values())


def _of(name: str, split_size: int, base: str) -> Iterator[InputSplit]:
    size = files.size_of(name)
    if size is not None:
        yield from _of_file(name, size, split_size, base)
    elif files.is_folder(name):
        yield from _of_folder(name, split_size, base)
    elif glob.has_magic(name):
        matching = files.matches(name)
        if not matching:
            raise InputError(f"no file matches {shown(name)}")
        pages = [one for one in matching if _form(one) is None]
        for one in matching:
            if _form(one) is not None:
                yield from _of_file(one, files.size_of(one) or 0, split_size, base)
        yield from _of_pages(name, pages)
    else:
        raise InputError(f"there is no file or folder called {shown(name)}")


def _form(name: str) -> Form | None:
    lower = name.lower()
    return next((form for endings, form in _ENDINGS if lower.endswith(endings)), None)


def _of_file(name: str, size: int, split_size: int, base: str) -> Iterator[InputSplit]:
    form = _form(name)
    if form is None:
        if not name.lower().endswith(_PAGES):
            endings = ", ".join(ending for endings, _ in _ENDINGS for ending in endings)
            raise InputError(f"{shown(name)} is of no kind that is read in bulk: {endings}, or a page ({_PAGES[0]})")
        yield from _of_pages(name, [name])
        return
    identity = files.fingerprint(name)
    if form == "warc" and size > split_size:
        parts = -(-size // split_size)
        borders = [size * part // parts for part in range(parts)]
        for start, end in zip(borders, [*borders[1:], None], strict=True):
            yield InputSplit(form, name, start, end, size, identity)
    elif form == "parquet" and size > split_size:
        yield from _of_table(name, size, split_size, identity)
    else:
        yield InputSplit(form, name, size=size, identity=identity, base=base if form == "cdx" else "")


def _of_table(name: str, size: int, split_size: int, identity: str) -> Iterator[InputSplit]:
    """Splits between the groups of rows of a Parquet file."""
    from tidings.bulk.schema import parquet

    with files.open_file(name) as stream:
        told = parquet().ParquetFile(stream).metadata
    start = row = held = 0
    for number in range(told.num_row_groups):
        group = told.row_group(number)
        row += group.num_rows
        held += group.total_byte_size
        if held >= split_size and number + 1 < told.num_row_groups:
            yield InputSplit("parquet", name, start, row, size, identity)
            start, held = row, 0
    yield InputSplit("parquet", name, start, None, size, identity)


def _of_folder(name: str, split_size: int, base: str) -> Iterator[InputSplit]:
    every = files.files_in(name, deep=True)
    kinds = [one for one in every if _form(one) is not None]
    pages = [one for one in every if one.lower().endswith(_PAGES)]
    if not kinds and not pages:
        raise InputError(f"the folder {shown(name)} has nothing in it that is read in bulk: no archive, table or page")
    for one in kinds:
        yield from _of_file(one, files.size_of(one) or 0, split_size, base)
    yield from _of_pages(name, pages)


def _of_pages(name: str, pages: list[str]) -> Iterator[InputSplit]:
    for first in range(0, len(pages), _FILES):
        batch = pages[first : first + _FILES]
        # Remote sizes would cost one request per file; the number of files is as good for a progress bar.
        size = sum(Path(page).stat().st_size for page in batch) if not files.is_remote(name) else len(batch)
        yield InputSplit("files", name, size=size, identity=_identity_of_pages(batch), names=tuple(batch))


def _identity_of_pages(pages: list[str]) -> str:
    """Return a digest of the names and contents of files, without the path of their folder."""
    digest = blake2b(digest_size=16)
    for page in pages:
        name = page.replace(os.sep, "/").rpartition("/")[2]
        digest.update(f"{name}\n{files.fingerprint(page)}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
