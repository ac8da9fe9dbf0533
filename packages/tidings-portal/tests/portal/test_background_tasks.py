"""Every awaited call of every background task raises once; the portal goes on.

Tasks run inside `_Injected`, which throws RuntimeError into a coroutine the first time that it waits at a place: the
chain of our own frames from the task to the call that it awaits.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Generator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import CoroutineType
from typing import Any

import pytest
from starlette.testclient import TestClient

import tidings_portal
from tests.cli.test_commands import Tidings, tidings  # noqa: F401  # the fixture
from tests.portal import housed
from tests.portal.serving import site
from tidings.errors import StoreError
from tidings.fetch import Guard, Kind, Live, Request
from tidings_portal import serve as serving
from tidings_portal import store
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.store.verbs.sending import NewTarget, SendingEvent, TargetKind, new_secret
from tidings_portal.watch import presence, supervisor, watcher
from tidings_portal.watch.supervisor import Supervisor, task_failures
from tidings_portal.web.settings import PortalSettings

OURS = str(Path(tidings_portal.__file__).parent)
#: Tasks of these modules are background tasks; others answer requests.
BACKGROUND = tuple(f"{OURS}/{place}" for place in ("serve.py", "watch/", "sending/", "accounts/read_tracking.py"))
Place = tuple[str, ...]
#: An exception while a page is fetched or read quarantines that page, so there are more pages than places.
PAGE_COUNT = 30

PAGES = {
    "/robots.txt": ("text/plain", ""),
    "/feed.xml": (
        "application/rss+xml",
        """<?xml version="1.0"?><rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><title>Ferry</title>
        <a:link rel="hub" href="{here}/hub"/><a:link rel="self" href="{here}/feed.xml"/><link>{here}/</link>"""
        + "".join(
            f"<item><title>Ferry {number} waits</title><link>{{here}}/story/{number}</link></item>"
            for number in range(PAGE_COUNT)
        )
        + "</channel></rss>",
    ),
    **{
        f"/story/{number}": (
            "text/html",
            f"<!doctype html><html lang=en><title>Ferry {number} waits</title><article><h1>Ferry {number} waits</h1>"
            + f"<p>Ferry {number} waits for the tide twice a day, and now for its captain too.</p>" * 3
            + "</article></html>",
        )
        for number in range(PAGE_COUNT)
    },
}


class _Injected(Coroutine[Any, Any, Any]):
    def __init__(self, work: CoroutineType[Any, Any, Any], places: set[Place]) -> None:
        self._work = work
        self._places = places

    def send(self, value: Any) -> Any:
        waiting_for = self._work.send(value)
        place = _place(self._work)
        if place and place not in self._places:
            self._places.add(place)
            return self._work.throw(RuntimeError(f"injected at {place[-1]}"))
        return waiting_for

    def throw(self, *error: Any) -> Any:
        return self._work.throw(*error)

    def close(self) -> None:
        self._work.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._work.__await__()


def _place(work: Any) -> Place:
    """The frames of ours between a task and what it waits for; empty where nothing is to be thrown."""
    frames: list[str] = []
    innermost = ""
    while work is not None and (frame := getattr(work, "cr_frame", None)) is not None:
        innermost = frame.f_code.co_filename
        if innermost.startswith(OURS):
            frames.append(f"{innermost.removeprefix(OURS)}:{frame.f_lineno} {frame.f_code.co_name}")
        work = work.cr_await
    # A task group that raises while it waits leaves its tasks behind; asyncio's does not raise.
    is_group = innermost.endswith("taskgroups.py")
    is_supervisor = bool(frames) and "/watch/supervisor.py" in frames[-1]
    return () if is_group or is_supervisor else tuple(frames)


def _injecting(places: set[Place]) -> Any:
    def factory(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
        code = getattr(work, "cr_code", None)
        is_background = code is not None and code.co_filename.startswith(BACKGROUND)
        return asyncio.Task(_Injected(work, places) if is_background else work, loop=loop, **more)

    return factory


async def _until_quiet(health: str, places: set[Place]) -> list[object]:
    """Ask /healthz until no new place was reached for some seconds; return the statuses."""
    statuses: list[object] = []
    loop = asyncio.get_running_loop()
    count, since, end = -1, loop.time(), loop.time() + 120
    async with Live(guard=Guard.allowing(["127.0.0.1"]), robots=False) as live:
        while loop.time() - since < 8 and loop.time() < end:
            outcome = await live.unhurried.fetch(Request(health, Kind.PAGE))
            statuses.append(getattr(outcome, "status", outcome))
            if len(places) != count:
                count, since = len(places), loop.time()
            await asyncio.sleep(0.2)
    return statuses


def test_each_awaited_call_of_each_background_task_may_raise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(supervisor, "LONGEST_DELAY", 0.05)
    monkeypatch.setattr(Supervisor.__init__, "__defaults__", (0.01, ()))
    monkeypatch.setattr(presence, "BEAT", timedelta(seconds=0.5))
    monkeypatch.setattr(serving, "_TIDY", 0.5)
    monkeypatch.setattr(watcher, "_ASIDE_FOR", timedelta(0))
    caplog.set_level(logging.CRITICAL)  # hundreds of tracebacks
    where = tmp_path / "news.tidings"
    places: set[Place] = set()

    async def portal(here: str) -> tuple[list[object], bool]:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        opened: asyncio.Future[str] = loop.create_future()
        options = serving.ServeOptions(
            str(where), port=0, with_sample=False, allow=("127.0.0.1",), jobs=0, readers=0,
            settings=PortalSettings(address="http://portal.example"),
        )  # fmt: skip
        running = asyncio.ensure_future(serving.serve(options, opened.set_result, stop))
        loop.set_task_factory(_injecting(places))
        try:
            done, _ = await asyncio.wait({opened}, timeout=30)
            assert done, "the portal did not open"
            statuses = await _until_quiet(opened.result() + "healthz", places)
            is_alive = not running.done()
        finally:
            stop.set()
            with suppress(Exception):
                await asyncio.wait_for(running, 60)
        return statuses, is_alive

    with site(PAGES) as here:
        with store.open(where) as kept:
            kept.add_sources([NewSource(f"{here}/feed.xml")], datetime.now(UTC))
            target = NewTarget(
                TargetKind.WEBHOOK, "hook", f"{here}/hook", new_secret(), frozenset({SendingEvent.ARTICLE}), ""
            )
            kept.add_target(target, "", datetime.now(UTC))
        statuses, is_alive = asyncio.run(portal(here))
    assert is_alive, "a background task ended the portal"
    assert set(statuses) == {200}
    with store.open(where) as kept:
        failures = {task.task: task.count for task in task_failures(kept)}
        assert {"watch", "send", "tidy", "count reads"} <= failures.keys()
        assert kept.totals().articles, "pages are read in spite of the failures"
    reached = {place[-1].partition(":")[0] for place in places}
    assert len(places) > 30
    assert {"/watch/watcher.py", "/watch/pages.py", "/watch/context.py", "/sending/deliveries.py"} <= reached


def test_failures_are_logged_counted_and_shown(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    tidings: Tidings,  # noqa: F811
) -> None:
    where, attempts = tmp_path / "news.tidings", 0

    async def work() -> None:
        nonlocal attempts
        attempts += 1
        if attempts < 4:
            raise KeyError("surprise")

    with housed.app(where) as app:
        visitor = housed.client(replace(app, now=lambda: datetime.now(UTC)))
        assert visitor.get("/readyz").json() == {"status": "ok"}
        asyncio.run(Supervisor(app.store, asyncio.Event(), 0.001).run("send", work))
        assert attempts == 4
        assert visitor.get("/readyz").json() == {"status": "degraded", "tasks": {"send": 3}}
        assert visitor.get("/readyz").status_code == 200
        near = TestClient(visitor.app, "http://localhost", client=("127.0.0.1", 50_000))
        assert 'tidings_background_task_failures_total{task="send"} 3.0' in near.get("/metrics").text
        later = housed.client(replace(app, now=lambda: datetime.now(UTC) + timedelta(minutes=11)))
        assert later.get("/readyz").json() == {"status": "ok"}
    # asyncio logs futures that earlier tests left behind whenever they are collected.
    logged = [record for record in caplog.records if record.name == "tidings" and record.exc_info is not None]
    assert len(logged) == 3
    told = tidings("status", "--store", where)
    assert "the background task 'send' failed at" in told.errors
    assert "KeyError: 'surprise'; 3 failures so far" in " ".join(told.errors.split())


def test_supervision_ends_with_stop_cancellation_and_fatal_errors(tmp_path: Path) -> None:
    async def run() -> None:
        stop = asyncio.Event()
        watched = Supervisor(kept, stop, 60, (StoreError,))

        async def fail() -> None:
            raise ValueError

        async def wait() -> None:
            await asyncio.Event().wait()

        async def lose_store() -> None:
            raise StoreError("gone")

        restarting = asyncio.create_task(watched.run("fail", fail))
        cancelled = asyncio.create_task(watched.run("wait", wait))
        await asyncio.sleep(0.05)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        with pytest.raises(StoreError):
            await watched.run("store", lose_store)
        stop.set()
        await asyncio.wait_for(restarting, 30)

    with store.open(tmp_path / "news.tidings") as kept:
        asyncio.run(run())
