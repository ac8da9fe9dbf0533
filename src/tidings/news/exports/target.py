"""Where an export is written: under a temporary name beside its own, and moved there when it is whole.

So nobody ever finds half a file, and what was there stays until the new one is complete.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

from tidings.errors import ExportError, NoRoom, TargetExists

#: A quota and a limit on the size of files are full disks too.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def new_file(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A path to write to; when all went well the file is moved to its own name, otherwise it is removed.

    Raises:
        TargetExists: there is a file already and it was not said to overwrite it; or there is a folder.
        NoRoom: the disk is full.
        ExportError: it cannot be written there.
    """
    if path.is_dir():
        raise TargetExists(f"{path} is a folder; name a file")
    if not force and os.path.lexists(path):
        raise _there(path)
    part = path.with_name(f".{path.name[:100]}.{token_hex(4)}.part")
    try:
        with said(path):
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
def said(path: Path) -> Iterator[None]:
    """Failures of the disk as errors that say what to do."""
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


def _there(path: Path) -> TargetExists:
    return TargetExists(f"{path} is there already; name another file, or add --force to write over it")


def _settle(part: Path) -> None:
    """On the disk, not only on its way there."""
    with part.open("rb") as stream:
        os.fsync(stream.fileno())


def _move_where_nothing_is(part: Path, path: Path) -> None:
    """Move a file, even if another program makes one of that name this very moment."""
    try:
        os.link(part, path)
    except FileExistsError as error:
        raise _there(path) from error
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise _there(path) from None
        part.rename(path)
