"""SQLite files that several processes share."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import monotonic, sleep
from typing import Final

#: Seconds between attempts.
_PAUSE: Final = 0.02


def connect(path: Path, patience: float) -> sqlite3.Connection:
    """Open a file for use by threads, and create it if necessary. Readers do not wait for writers.

    Args:
        path: the file.
        patience: seconds to wait for other processes.

    Raises:
        sqlite3.Error: the file cannot be opened, is not a database, or was locked for too long.
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
    """Switch to write-ahead logging.

    If two processes create a file at the same time, SQLite reports a lock to one of them without waiting.

    Args:
        connection: a connection to the file.
        patience: seconds to retry.

    Raises:
        sqlite3.Error: the switch failed, or the file was locked for too long.
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
