"""Stores to test: a file of SQLite, and a database of a PostgreSQL server that is started for the tests alone."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import missing, needs
from tidings_portal import store
from tidings_portal.store import Store


def _unprivileged() -> list[str]:
    """PostgreSQL refuses to run as root; then it runs as somebody else."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    users = [user for user in pwd.getpwall() if user.pw_name in ("postgres", "nobody")]
    if setpriv is None or not users:
        missing("needs a user to run PostgreSQL as, for it will not run as root")
    user = max(users, key=lambda one: one.pw_name)
    return [setpriv, f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--"]


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/", stdin=subprocess.DEVNULL)
    if done.returncode:
        missing(f"PostgreSQL does not start: {done.stderr or done.stdout}")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server without a database's name, `{}` in its place: on a socket, in a folder that goes away."""
    initdb, pg_ctl = shutil.which("initdb"), shutil.which("pg_ctl")
    if initdb is None or pg_ctl is None:
        missing("needs PostgreSQL's initdb and pg_ctl: run scripts/system-packages as root")
    needs("psycopg")
    become: list[str | Path] = [*_unprivileged()]
    folder = Path(tempfile.mkdtemp(prefix="tidings-pg-", dir="/tmp"))  # a socket's name must be short
    if become:
        os.chown(folder, int(str(become[1]).partition("=")[2]), -1)
    settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "listen_addresses=''"]
    options = f"-k {folder} " + " ".join(f"-c {setting}" for setting in settings)
    data, log = folder / "data", folder / "log"
    try:
        _run(*become, initdb, "-D", data, "-A", "trust", "-U", "tidings", "-E", "UTF8", "--locale=C", "-N")
        # What it prints goes to the log: a pipe would stay open as long as the server runs.
        start = [*become, pg_ctl, "-D", data, "-w", "-t", "60", "-l", log, "-o", options, "start"]
        if subprocess.run(start, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/").returncode:
            missing(f"PostgreSQL does not start: {log.read_text() if log.exists() else 'no log'}")
        yield f"postgresql://tidings@/{{}}?host={folder}"
    finally:
        stop = [*become, pg_ctl, "-D", data, "-m", "immediate", "-w", "stop"]
        subprocess.run(stop, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(server: str) -> str:
    """The address of a database without a store in it. The same for all tests: making one takes long."""
    import psycopg

    address = server.format("postgres")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET client_min_messages = error")
        connection.execute("DROP SCHEMA IF EXISTS tidings CASCADE")
    return address


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store may be: the same tests for both."""
    if request.param == "postgres":
        return str(request.getfixturevalue("database"))
    return str(tmp_path / "news.tidings")


@pytest.fixture
def kept(where: str) -> Iterator[Store]:
    """An empty store."""
    with store.open(where) as opened:
        yield opened


@pytest.fixture
def both(tmp_path: Path, database: str) -> Iterator[tuple[Store, Store]]:
    """Two empty stores, one of each kind, to be asked the same."""
    with store.open(tmp_path / "news.tidings") as file, store.open(database) as served:
        yield file, served
