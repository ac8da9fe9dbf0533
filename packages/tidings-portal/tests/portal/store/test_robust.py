"""What must not harm a store: HOSTILE 27 and 28."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from random import Random
from threading import Event

import pytest

from tests.portal.store.made import DAY, HOUR, NOON, link, new
from tests.support import GATE, PYTHONPATH, ROOT, missing, needs
from tidings.errors import (
    MissingExtra,
    NewerStore,
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnreachable,
)
from tidings_portal import store
from tidings_portal.store import Store, codec, migrations
from tidings_portal.store.records_of_articles import Fate, Finished
from tidings_portal.store.sqlite import SQLite

#: Works through the queue in batches, names each batch on its output before it begins it, and never ends by itself.
WORKER = """
import sys
from datetime import timedelta
from tests.portal.store.made import NOON, HOUR, new
from tidings_portal import store
from tidings_portal.store.records_of_articles import Finished
with store.open(sys.argv[1]) as kept:
    kept.release("worker", NOON)
    print("ready", flush=True)
    while tasks := kept.claim("worker", 3, HOUR, NOON):
        print("batch", flush=True)
        kept.finish([Finished(task, new(task.link.id, text="word " * 2000)) for task in tasks])
    print("done", flush=True)
"""


@pytest.mark.gate
def test_killed_at_any_moment_nothing_is_lost_and_nothing_is_twice(where: str) -> None:
    total = 300 if GATE else 45
    with store.open(where) as kept:
        kept.note_links([link(n) for n in range(1, total + 1)], NOON)
    chance = Random(7)  # no secret
    killed = 0
    while True:
        worker = subprocess.Popen(
            [sys.executable, "-c", WORKER, where], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=_env()
        )
        assert worker.stdout is not None
        with worker, worker.stdout as said:
            # Killed somewhere inside a batch: after a number of lines, and then at whatever point it has come to.
            for _ in range(chance.randint(3, 6)):
                if said.readline() == "done\n":
                    break
            else:
                worker.send_signal(signal.SIGKILL)
                killed += 1
                continue
        break
    assert killed >= 2
    with store.open(where) as kept:
        assert kept.check() == []
        found = list(kept.each_article(all_versions=True))
        assert Counter(one.article.title for one in found) == {f"Story {n}": 1 for n in range(1, total + 1)}
        state = kept.queue(NOON)
        assert (state.waiting, state.leased, state.failed) == (0, 0, 0)
        assert kept.count("word").number == total


def _env() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": PYTHONPATH}


OPENER = """
import sys
from tests.portal.store.made import new
from tidings_portal import store
print("ready", flush=True)
sys.stdin.readline()
with store.open(sys.argv[1]) as kept:
    kept.keep([new(1)])
"""


@pytest.mark.gate
def test_several_processes_make_one_store_at_once(where: str) -> None:
    command = [sys.executable, "-c", OPENER, where]
    crew = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=_env())
        for _ in range(3)
    ]
    for one in crew:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in crew:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    for one in crew:
        one.communicate()
    assert [one.returncode for one in crew] == [0, 0, 0]
    with store.open(where) as kept:
        assert kept.totals().articles == 1


def test_the_store_does_what_is_promised(kept: Store) -> None:
    promised: Store = kept  # mypy compares every verb
    assert promised.check() == []


def test_several_workers_do_each_task_once(where: str) -> None:
    total = 60
    with store.open(where) as kept:
        kept.note_links([link(n, f"{n % 7}.example") for n in range(1, total + 1)], NOON)

        def work(name: str) -> list[Fate]:
            fates: list[Fate] = []
            while tasks := kept.claim(name, 4, HOUR, NOON, per_host=2):
                fates += [one.fate for one in kept.finish([Finished(task, new(task.link.id)) for task in tasks])]
            return fates

        with ThreadPoolExecutor(4) as crew:
            fates = [fate for done in crew.map(work, ["a", "b", "c", "d"]) for fate in done]
        assert fates == [Fate.NEW] * total
        assert kept.totals().articles == total
        assert kept.check() == []


def test_several_writers_note_the_same_links_once(where: str) -> None:
    with store.open(where) as first, store.open(where) as second:

        def note(number: int) -> int:
            links = [link(n) for n in range(40)]
            Random(number).shuffle(links)  # no secret
            return sum(noted.new for noted in (first, second)[number % 2].note_links(links, NOON))

        with ThreadPoolExecutor(4) as crew:
            assert sum(crew.map(note, range(8))) == 40
        assert first.queue(NOON).waiting == 40
        assert first.totals().links == 40


def test_several_writers_keep_the_same_article_once(where: str) -> None:
    with store.open(where) as kept:

        def keep(number: int) -> list[Fate]:
            return [one.fate for one in kept.keep([new(n, keys=(f"k{n}", f"g{n}-{number}")) for n in range(10)])]

        with ThreadPoolExecutor(4) as crew:
            fates = Counter(fate for done in crew.map(keep, range(6)) for fate in done)
        assert fates == {Fate.NEW: 10, Fate.SAME: 50}
        assert kept.totals().versions == kept.totals().articles == 10
        assert kept.check() == []


def test_readers_go_on_while_a_writer_writes(where: str) -> None:
    with store.open(where) as kept:
        kept.keep([new(n) for n in range(20)])
        begun, go_on = Event(), Event()

        def slow() -> None:
            def work(session: object) -> None:
                session.run("UPDATE article SET title = 'half' ")  # type: ignore[attr-defined]
                begun.set()
                go_on.wait(60)
                raise StoreError("given up")

            with pytest.raises(StoreError, match="given up"):
                kept.database.write(work)

        with ThreadPoolExecutor(4) as crew:
            writing = crew.submit(slow)
            assert begun.wait(60)
            titles = [crew.submit(lambda: kept.articles(limit=50).items).result(60) for _ in range(3)]
            go_on.set()
            writing.result(60)
        assert {one.title for listed in titles for one in listed} == {f"Story {n}" for n in range(20)}
        assert kept.count("story").number == 20


def test_a_batch_that_fails_leaves_nothing(kept: Store) -> None:
    kept.note_links([link(1), link(2)], NOON)
    tasks = kept.claim("w", 2, HOUR, NOON)

    class Broken(Exception):
        pass

    def fails(*_: object) -> None:
        raise Broken

    index, kept.database.index = kept.database.index, fails  # type: ignore[method-assign, assignment]
    with pytest.raises(Broken):
        kept.finish([Finished(task, new(task.link.id)) for task in tasks])
    kept.database.index = index  # type: ignore[method-assign]
    assert kept.totals().articles == 0
    assert kept.queue(NOON).leased == 2
    assert [one.fate for one in kept.finish([Finished(task, new(task.link.id)) for task in tasks])] == [Fate.NEW] * 2


# -- SQLite's own troubles ------------------------------------------------------------------------------------------


def test_a_full_disk(tmp_path: Path) -> None:
    with store.open(tmp_path / "news.tidings") as kept:
        kept.keep([new(n) for n in range(5)])
        database = kept.database
        assert isinstance(database, SQLite)
        with database._connections.lent() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        with pytest.raises(StoreFull, match="no room"):
            kept.keep([new(n, text="word " * 5000) for n in range(10, 30)])
        assert len(kept.articles().items) == 5
        assert kept.count("story").number == 5
        with database._connections.lent() as connection:
            connection.execute("PRAGMA max_page_count = 1000000")
        kept.keep([new(n) for n in range(10, 30)])
        assert kept.totals().articles == 25
        assert kept.check() == []


def test_a_file_that_is_only_to_be_read(tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with pytest.raises(StoreUnreachable, match="no file"):
        store.open(path, readonly=True)
    with store.open(path) as kept:
        kept.keep([new(1)])
    with store.open(path, readonly=True) as kept:
        assert len(kept.articles().items) == 1
        with pytest.raises(StoreReadOnly, match="read, not written"):
            kept.keep([new(2)])
        assert kept.count("story").number == 1
        assert kept.check() == []


READER = """
import sys
from tests.portal.store.made import new
from tidings_portal import store
from tidings.errors import StoreReadOnly
with store.open(sys.argv[1]) as kept:
    assert kept.count("story").number == 1
    try:
        kept.keep([new(2)])
    except StoreReadOnly as error:
        print("told", error)
    assert len(kept.articles().items) == 1
"""


def test_a_file_that_somebody_else_owns(tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with store.open(path) as kept:
        kept.keep([new(1)])
    become: list[str] = []
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            missing("needs setpriv: root may write everywhere")
        become = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--"]
    path.chmod(0o444)
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    tmp_path.chmod(0o555)
    try:
        command = [*become, sys.executable, "-c", READER, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=_env(), check=False)
    finally:
        tmp_path.chmod(0o755)
    if "Permission denied" in done.stderr or "ModuleNotFoundError" in done.stderr:
        missing("needs a Python that another user may run")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("told")


def test_a_store_of_a_newer_tidings_is_refused(where: str) -> None:
    with store.open(where) as kept:
        if where.startswith("postgresql"):
            kept.database.write(lambda session: session.run("UPDATE store_version SET number = 99"))
        else:
            with sqlite3.connect(where) as connection:
                connection.execute("PRAGMA user_version = 99")
            connection.close()
    with pytest.raises(NewerStore, match=r"newer Tidings.*99.*update Tidings"):
        store.open(where)


def test_an_older_store_is_brought_up_to_date_and_a_copy_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "news.tidings"
    with store.open(path) as kept:
        kept.keep([new(1)])
    before = migrations.latest()
    steps = migrations.steps
    monkeypatch.setattr(migrations, "latest", lambda: before + 1)
    monkeypatch.setattr(
        migrations,
        "steps",
        lambda version, *more: [*steps(version, *more), "CREATE TABLE account (name TEXT PRIMARY KEY) STRICT"],
    )
    with pytest.raises(StoreReadOnly, match="older version"):
        store.open(path, readonly=True)
    with store.open(path) as kept:
        assert len(kept.articles().items) == 1
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM account").fetchone() == (0,)
    connection.close()
    copy = tmp_path / f"news.tidings.version-{before}"
    monkeypatch.undo()
    with store.open(copy, readonly=True) as kept:
        assert len(kept.articles().items) == 1
        assert kept.check() == []
    with pytest.raises(NewerStore):
        store.open(path)


def test_a_step_that_fails_changes_nothing(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.open(where) as kept:
        kept.keep([new(1)])
    before = migrations.latest()
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "latest", lambda: before + 1)
        patch.setattr(migrations, "steps", lambda *_: ["DELETE FROM version", "CREATE NONSENSE"])
        with pytest.raises(Exception, match=r"(?i)syntax"):
            store.open(where)
    with store.open(where) as kept:
        assert kept.article(1) is not None


def test_files_that_are_no_store(tmp_path: Path) -> None:
    text = tmp_path / "letter.txt"
    text.write_text("Dear all, " * 500)
    with pytest.raises(NotAStore, match=r"letter\.txt"):
        store.open(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    with pytest.raises(NotAStore, match="something else"):
        store.open(other)
    with pytest.raises(StoreUnreachable, match="no folder"):
        store.open(tmp_path / "nowhere" / "news.tidings")
    with pytest.raises(StoreUnreachable):
        store.open(tmp_path)
    empty = tmp_path / "empty.tidings"
    empty.touch()
    store.open(empty).close()
    assert text.read_text() == "Dear all, " * 500


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with store.open(path) as kept:
        kept.keep([new(n, text="word " * 3000) for n in range(50)])
    data = bytearray(path.read_bytes())
    data[4096 * 3 : len(data) - 4096 * 3] = os.urandom(len(data) - 4096 * 6)
    path.write_bytes(data)
    with pytest.raises((StoreDamaged, NotAStore)), store.open(path) as kept:  # noqa: PT012
        if not kept.check():
            list(kept.each_article())
        list(kept.each_article())


def test_a_file_that_is_locked_for_too_long(tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with store.open(path, patience=0.05) as kept:
        kept.keep([new(1)])
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            with pytest.raises(StoreBusy, match="locked"):
                kept.keep([new(2)])
            assert len(kept.articles().items) == 1
        finally:
            other.close()
        kept.keep([new(2)])


# -- PostgreSQL's own troubles --------------------------------------------------------------------------------------


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    needs("psycopg")
    with pytest.raises(StoreUnreachable, match="cannot be reached") as told:
        store.open(f"postgresql://ann:secret@/news?host={tmp_path}", patience=2)
    assert "secret" not in str(told.value)


def test_a_connection_that_was_cut_is_made_anew(database: str) -> None:
    import psycopg

    with store.open(database) as kept:
        kept.keep([new(1)])
        with psycopg.connect(database, autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        assert len(kept.articles().items) == 1
        kept.keep([new(2)])


def test_a_schema_of_something_else(database: str) -> None:
    import psycopg

    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("CREATE SCHEMA tidings")
        admin.execute("CREATE TABLE tidings.mine (x int)")
    with pytest.raises(NotAStore, match="something else"):
        store.open(database)


def test_a_server_that_may_only_be_read(database: str) -> None:
    with store.open(database) as kept:
        kept.keep([new(1)])
    with store.open(database, readonly=True) as kept:
        assert len(kept.articles().items) == 1
        with pytest.raises(StoreReadOnly):
            kept.keep([new(2)])


def test_without_psycopg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match="postgres"):
        store.open("postgresql://localhost/news")


def test_many_threads_read_at_once(kept: Store) -> None:
    kept.keep([new(n) for n in range(30)])
    with ThreadPoolExecutor(12) as crew:
        counts = list(crew.map(lambda _: kept.count("story").number, range(60)))
    assert set(counts) == {30}


def test_a_forked_process_opens_its_own_connections(where: str) -> None:
    with store.open(where) as kept:
        kept.keep([new(1)])
        child = os.fork()
        if child == 0:
            try:
                kept.keep([new(2)])
                os._exit(0 if len(kept.articles().items) == 2 else 1)
            except BaseException:  # a child must not run the rest of the tests
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert len(kept.articles().items) == 2


def test_what_a_lease_is_worth(kept: Store) -> None:
    """A worker that was slow finds its task done by another, and writes nothing."""
    kept.note_links([link(1)], NOON)
    (slow,) = kept.claim("slow", 1, timedelta(minutes=1), NOON)
    (quick,) = kept.claim("quick", 1, HOUR, NOON + DAY)
    assert [one.fate for one in kept.finish([Finished(slow, new(1, text="slow"))])] == [Fate.LOST]
    assert [one.fate for one in kept.finish([Finished(quick, new(1, text="quick"))])] == [Fate.NEW]
    assert [one.fate for one in kept.finish([Finished(slow, new(1, text="slow"))])] == [Fate.LOST]
    assert [one.article.text for one in kept.versions(1)] == ["quick"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"title": 3}', "title is 3; it is a text"),
        (b'{"title": "x", "text": 3, "blocks": [{"kind": "no"}]}', r"blocks\[0\].kind"),
        (b"[]", "it is an object"),
        (b"\xff", "cannot be read"),
        (b"{", "cannot be read"),
    ],
)
def test_an_article_that_is_none_any_more_says_which_field(data: bytes, said: str) -> None:
    for read in (codec.article_of, codec.text_of):
        with pytest.raises(StoreDamaged, match=said):
            read(codec.pack(data))
