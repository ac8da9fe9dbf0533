"""Export of the store, or a selection of it, to a file or folder.

An export is written to a temporary file in the same folder and renamed when it is complete. Readers never see a partial
file, and an existing file stays until then.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from secrets import token_hex
from typing import Final

from tidings.errors import ExportError, NoRoom, TargetExists
from tidings.urls import without_credentials
from tidings_portal.exports.formats import schema, write_jsonl, write_markdown, write_parquet, write_sqlite
from tidings_portal.selection import each
from tidings_portal.store import Store
from tidings_portal.store.quarantine import Quarantine
from tidings_portal.store.records_of_articles import KeptArticle, Only
from tidings_portal.store.records_of_work import Stage

#: A quota and a limit on the size of files are full disks too.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def new_file(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield the path of a temporary file, which is renamed to `path` at the end, or deleted after an error.

    Raises:
        TargetExists: the path is a folder, or a file exists and `force` is not set.
        NoRoom: the disk is full.
        ExportError: the file cannot be written.
    """
    if path.is_dir():
        raise TargetExists(f"{path} is a folder; name a file")
    if not force and os.path.lexists(path):
        raise _target_exists(path)
    part = path.with_name(f".{path.name[:100]}.{token_hex(4)}.part")
    try:
        with disk_errors(path):
            yield part
            _settle(part)
            if force:
                part.replace(path)
            else:
                _move_where_nothing_is(part, path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn disk errors into `ExportError`s that say what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise _no_room(path) from error
        raise ExportError(f"{path} cannot be written: {error.strerror or error}") from error
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", None) in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_TOOBIG}:
            raise _no_room(path) from error
        raise ExportError(f"{path} cannot be written: {error}") from error


def _no_room(path: Path) -> NoRoom:
    return NoRoom(f"there is no room left for {path}; free some, or name another place. No half file was left behind")


def _target_exists(path: Path) -> TargetExists:
    return TargetExists(f"{path} is there already; name another file, or add --force to write over it")


def _settle(part: Path) -> None:
    """Flush a file to disk (fsync)."""
    with part.open("rb") as stream:
        os.fsync(stream.fileno())


def _move_where_nothing_is(part: Path, path: Path) -> None:
    """Rename a file without ever overwriting another, even one created at the same moment."""
    try:
        os.link(part, path)
    except FileExistsError as error:
        raise _target_exists(path) from error
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise _target_exists(path) from None
        part.rename(path)


class ExportFormat(Enum):
    """The file format of an export."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    SQLITE = "sqlite"
    MARKDOWN = "markdown"


_ENDINGS: Final = {
    ".jsonl": ExportFormat.JSONL,
    ".ndjson": ExportFormat.JSONL,
    ".parquet": ExportFormat.PARQUET,
    ".sqlite": ExportFormat.SQLITE,
    ".sqlite3": ExportFormat.SQLITE,
    ".db": ExportFormat.SQLITE,
}
_PACKED: Final = (".gz", ".zst")


def form_of(where: Path) -> ExportFormat | None:
    """Return the export format of a file extension; None if unknown. Without extension it is a Markdown folder."""
    name = where.with_suffix("") if where.suffix.lower() in _PACKED else where
    return _ENDINGS.get(name.suffix.lower(), None if name.suffix else ExportFormat.MARKDOWN)


def export(
    store: Store,
    where: str | Path,
    form: ExportFormat | None = None,
    *,
    only: Only | None = None,
    all_versions: bool = False,
    force: bool = False,
    go_on: bool = False,
    tell: Callable[[int], None] = lambda _done: None,
    aside: Quarantine | None = None,
) -> int:
    """Write articles to a file, or as Markdown to a folder; return their number.

    An article that cannot be written is left out and quarantined: see the log or `store.quarantine()`.

    Args:
        store: the store of the articles.
        where: the output file or folder.
        form: the format; None: by the extension of `where`.
        only: the filter, latest articles first; None: all articles by number, muted ones included.
        all_versions: write every version of each article. Not for Markdown, and not with `only`.
        force: overwrite existing files.
        go_on: continue a Markdown export: keep the files whose article has not changed.
        tell: called with the number of articles written so far.
        aside: the quarantine for articles that cannot be written; None: that of the export stage.

    Raises:
        TargetExists: the file exists, or the folder is not empty.
        NoRoom: the disk is full.
        ExportError: the target cannot be written, or the format does not support the options.
        MissingExtra: the format is Parquet and pyarrow is not installed.
    """
    path = Path(where)
    wanted = form or form_of(path)
    if wanted is None:
        raise ExportError(
            f"the ending of {path} tells no form; say one of {', '.join(one.value for one in ExportFormat)}"
        )
    if all_versions and (only is not None or wanted is ExportFormat.MARKDOWN):
        raise ExportError("all versions go out with all articles, and not as Markdown; leave one of the two")
    if go_on and wanted is not ExportFormat.MARKDOWN:
        raise ExportError("only a folder of Markdown can be gone on with; a file is written whole")
    # Whoever asks for an export asks for all of it: what was set aside by an earlier one is tried again.
    aside = aside or Quarantine(store, Stage.EXPORTS, again=True)
    every = store.sources()
    sources = {source.id: without_credentials(source.settings.address) for source in every}
    counted = _ArticleCounter(each(store, only) if only else store.each_article(all_versions=all_versions), tell)
    if wanted is ExportFormat.MARKDOWN:
        with disk_errors(path):
            write_markdown(counted, path, sources, aside, force=force, go_on=go_on)
        return counted.number - aside.number
    if wanted is ExportFormat.PARQUET:
        schema()  # before anything is made: it may be missing
    with new_file(path, force=force) as part:
        if wanted is ExportFormat.JSONL:
            write_jsonl(counted, part, path, sources, aside)
        elif wanted is ExportFormat.PARQUET:
            write_parquet(counted, part, sources, aside)
        else:
            write_sqlite(counted, part, every, (story for story, _ in store.each_story()), sources, aside)
    return counted.number - aside.number


class _ArticleCounter:
    """An iterable that counts the articles passing through, and reports the count to `tell`."""

    def __init__(self, articles: Iterable[KeptArticle], tell: Callable[[int], None]) -> None:
        self.number = 0
        self._articles = articles
        self._tell = tell

    def __iter__(self) -> Iterator[KeptArticle]:
        for kept in self._articles:
            yield kept
            self.number += 1
            self._tell(self.number)
