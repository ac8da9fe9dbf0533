"""Splits: parts of the input, each read by one task into one file."""

from __future__ import annotations

import glob
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal

from tidings.bulk import files
from tidings.errors import InputError, printable

Form = Literal["warc", "files", "tar", "parquet", "cdx", "call"]

#: Larger files are split at record borders or between row groups.
SPLIT_SIZE: Final = 1024 * 1024 * 1024
#: Number of single pages per split.
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
    """The input of a task: a file, a part of one, or some files of a folder."""

    form: Form
    source: str  # the file or folder; for a call its argument
    start: int = 0  # first byte, row or line
    end: int | None = None  # end, exclusive
    size: int = 0  # of the file in bytes
    identity: str = ""  # digest of the content, so that a renamed or moved file is the same split
    names: tuple[str, ...] = ()  # of files in the folder
    base: str = ""  # CDX: location of the archives; for a call the function
    allow: tuple[str, ...] = ()  # CDX: hosts of archives that the guard allows
    copies: tuple[str, ...] = ()  # other files with the same content, which are not read

    @property
    def name(self) -> str:
        """Return the name of the output file, which depends on the content of the split and not on its path."""
        identity = self.identity or f"{self.base}\n{self.source}"
        key = json.dumps([self.form, identity, self.start, self.end]).encode()
        return f"{'pages' if self.form == 'files' else self.form}-{blake2b(key, digest_size=10).hexdigest()}"

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the files that are read."""
        return self.names or (self.source,)

    @property
    def bytes(self) -> int:
        """Return the approximate number of bytes to read, for a progress bar."""
        whole = self.form == "warc" and (self.start or self.end is not None)
        return (self.end if self.end is not None else self.size) - self.start if whole else self.size

    def as_dict(self) -> dict[str, Any]:
        """Convert to a dictionary."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> InputSplit:
        """Create a split from `as_dict`."""
        lists = {name: tuple(data.get(name, ())) for name in ("names", "allow", "copies")}
        return cls(**{**data, **lists})


def plan(
    inputs: Iterable[str], *, split_size: int = SPLIT_SIZE, base: str = "", allow: Iterable[str] = ()
) -> list[InputSplit]:
    """Return the distinct splits of some inputs in order.

    Of files with the same content only the first is read; the others are its `copies`.

    Args:
        inputs: files, folders and patterns; paths or URLs for fsspec.
        split_size: approximate size of parts of larger archives, in bytes.
        base: location of the archives in a CDX: a folder or a URL.
        allow: hosts of archives that may be on a private network.

    Raises:
        InputError: an input does not exist.
    """
    hosts = tuple(allow)
    groups: dict[str, list[InputSplit]] = {}
    for name in inputs:
        for split in _of(name, split_size, base):
            group = groups.setdefault(split.name, [])
            group.append(replace(split, allow=hosts) if split.form == "cdx" else split)
    digest_of = cache(files.content_digest)  # the parts of a large file share it
    return [split for group in groups.values() for split in _distinct(group, digest_of)]


def _distinct(group: list[InputSplit], digest_of: Callable[[str], str]) -> Iterator[InputSplit]:
    """Yield the splits of a group with one name that differ in content, each with its copies.

    A fingerprint leaves out the middle of a large file. Where several files share one, all bytes decide; if these
    differ, the name comes from all bytes, so that it does not depend on the order of the inputs.
    """
    by_path: dict[tuple[str, ...], InputSplit] = {}
    for split in group:
        by_path.setdefault(tuple(map(files.resolved, split.paths)), split)
    if len(by_path) == 1:
        yield group[0]
        return
    contents: dict[str, list[InputSplit]] = {}
    for split in by_path.values():
        contents.setdefault(_identity(map(digest_of, split.paths)), []).append(split)
    for identity, (first, *others) in contents.items():
        copies = tuple(path for split in others for path in split.paths)
        yield replace(first, copies=copies, identity=identity if len(contents) > 1 else first.identity)


def _of(name: str, split_size: int, base: str) -> Iterator[InputSplit]:
    size = files.size_of(name)
    if size is not None:
        yield from _of_file(name, size, split_size, base)
    elif files.is_folder(name):
        yield from _of_folder(name, split_size, base)
    elif glob.has_magic(name):
        matching = files.matches(name)
        if not matching:
            raise InputError(f"no file matches {printable(name)}")
        pages = [path for path in matching if _form(path) is None]
        for path in matching:
            if _form(path) is not None:
                yield from _of_file(path, files.size_of(path) or 0, split_size, base)
        yield from _of_pages(name, pages)
    else:
        raise InputError(f"there is no file or folder called {printable(name)}")


def _form(name: str) -> Form | None:
    lower = name.lower()
    return next((form for endings, form in _ENDINGS if lower.endswith(endings)), None)


def _of_file(name: str, size: int, split_size: int, base: str) -> Iterator[InputSplit]:
    form = _form(name)
    if form is None:
        if not name.lower().endswith(_PAGES):
            endings = ", ".join(ending for endings, _ in _ENDINGS for ending in endings)
            raise InputError(
                f"{printable(name)} has no format that is read in bulk: {endings}, or a page ({_PAGES[0]})"
            )
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
    """Yield splits between the row groups of a Parquet file."""
    from tidings.bulk.schema import parquet

    with files.open_file(name) as stream:
        metadata = parquet().ParquetFile(stream).metadata
    start = row = split_bytes = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        row += group.num_rows
        split_bytes += group.total_byte_size
        if split_bytes >= split_size and number + 1 < metadata.num_row_groups:
            yield InputSplit("parquet", name, start, row, size, identity)
            start, split_bytes = row, 0
    yield InputSplit("parquet", name, start, None, size, identity)


def _of_folder(name: str, split_size: int, base: str) -> Iterator[InputSplit]:
    every = files.files_in(name, deep=True)
    kinds = [path for path in every if _form(path) is not None]
    pages = [path for path in every if path.lower().endswith(_PAGES)]
    if not kinds and not pages:
        raise InputError(
            f"the folder {printable(name)} contains nothing that is read in bulk: no archive, table or page"
        )
    for path in kinds:
        yield from _of_file(path, files.size_of(path) or 0, split_size, base)
    yield from _of_pages(name, pages)


def _of_pages(name: str, pages: list[str]) -> Iterator[InputSplit]:
    """Yield splits of single pages. The pages of a split depend on their content, and their order on their names."""
    fingerprints = {page: files.fingerprint(page) for page in pages}
    ordered = sorted(pages, key=lambda page: (fingerprints[page], page))
    for first in range(0, len(ordered), _FILES):
        batch = sorted(ordered[first : first + _FILES])
        # Remote sizes would cost one request per file; the number of files is as good for a progress bar.
        size = sum(Path(page).stat().st_size for page in batch) if not files.is_remote(name) else len(batch)
        identity = _identity(fingerprints[page] for page in batch)
        yield InputSplit("files", name, size=size, identity=identity, names=tuple(batch))


def _identity(digests: Iterable[str]) -> str:
    """Return a digest of the digests of some files, in whatever order they are."""
    return blake2b("\n".join(sorted(digests)).encode(), digest_size=16).hexdigest()
