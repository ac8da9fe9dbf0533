"""SQLite files that several processes have open."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import monotonic, sleep
from typing import Final

#: Seconds between two tries.
_PAUSE: Final = 0.02


def connect(path: Path, patience: float) -> sqlite3.Connection:
    """Return a connection for threads to a file, which is made where there is none; readers do not wait for who writes.

    Args:
        path: the file.
        patience: for how many seconds to wait for others.

    Raises:
        sqlite3.Error: it cannot be opened, is none, or others had it for longer.
    """
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        write_ahead(connection, patience)
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Have changes written to a log beside the file first.

    Of two processes that begin a new file at once SQLite tells one that it is locked, and does not wait as it does
    elsewhere.

    Args:
        connection: to the file.
        patience: for how many seconds to try.

    Raises:
        sqlite3.Error: it cannot be done, or others had the file for longer.
    """
    end = monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > end:
                raise
            sleep(_PAUSE)
        else:
            return
