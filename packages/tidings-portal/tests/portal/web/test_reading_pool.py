"""Pages of strangers are read by workers whose death is an answer; the next page notices nothing (HOSTILE 30)."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from tests.portal import housed
from tests.portal.serving import served
from tests.portal.web import slow_work
from tidings import extractors
from tidings.errors import EmptyPage, NotHTML, PageTooCostly, PageTooLarge, ReaderDied, ReadersBusy
from tidings_portal.mcp.service import NewsService
from tidings_portal.reader.article_view import Reduced, marked, reduced
from tidings_portal.web import reading_pool
from tidings_portal.web.reading_pool import MOST_BYTES, ReadingProcesses, ReadingThreads, SentPage, asked_extractor

STORY = "<title>Seals</title><h1>Seals are back</h1>" + "<p>Seals are back in the estuary, said the warden.</p>" * 9
DEFAULT = extractors.extractor(extractors.DEFAULT)
TINY = b"<p>ab</p>" * (5_000_000 // 9)

needs_limits = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is limited on Linux only")


@asynccontextmanager
async def pool(size: int = 1, memory: int = 400_000_000, seconds: float = 20.0) -> AsyncIterator[ReadingProcesses]:
    made = ReadingProcesses(size, memory, seconds, modules=("tidings_portal.reader.article_view", slow_work.__name__))
    try:
        yield made
    finally:
        await made.close()


def play(story: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 120))


async def read(of: ReadingProcesses | ReadingThreads, data: str | bytes = STORY) -> Reduced:
    return await of.run(reduced, SentPage(data, "https://seals.example/1"), DEFAULT)


def test_a_page_is_read_as_it_is_read_here() -> None:
    async def story() -> None:
        async with pool() as workers:
            found, here = await read(workers), await read(ReadingThreads())
            assert found == here
            assert found.article.title == "Seals are back"
            assert found.kept > 60
            drawn = await workers.run(marked, SentPage(STORY), DEFAULT)
            assert b"Seals are back" in drawn
            for data, error in ((" ", EmptyPage), (b"%PDF-1.4 " + b"x" * 99, NotHTML)):
                with pytest.raises(error):
                    await read(workers, data)
            with pytest.raises(RuntimeError, match="ZeroDivisionError: a mistake of ours"):
                await workers.run(slow_work.stumbles)
            assert (await read(workers)).article.title == "Seals are back"

    play(story)


@pytest.mark.gate
@needs_limits
def test_a_page_that_takes_too_much_memory_is_told_so_and_the_next_is_read() -> None:
    async def story() -> None:
        async with pool(memory=50_000_000) as workers:
            before = workers.processes
            with pytest.raises(PageTooCostly, match=r"more than the 50 MB of memory.*send a smaller one"):
                await read(workers, TINY)
            assert (await read(workers)).article.title == "Seals are back"
            assert workers.processes != before
            with pytest.raises(PageTooCostly, match="memory"):
                await workers.run(slow_work.holds, 80)

    play(story)


@pytest.mark.gate
@needs_limits
def test_the_usual_limit_is_enough_for_any_page_of_the_largest_size() -> None:
    async def story() -> None:
        async with pool() as workers:
            found = await read(workers, TINY)
            assert found.article.marks == ("truncated",)
            assert len(found.article.blocks) > 100_000

    play(story)


@pytest.mark.gate
@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of processor time")
def test_a_page_that_takes_for_ever_is_told_so_and_the_next_is_read() -> None:
    async def story() -> None:
        async with pool(seconds=1.0) as workers:
            with pytest.raises(PageTooCostly, match="more than the 1 seconds of processor time"):
                await workers.run(slow_work.never_ends)
            assert (await read(workers)).article.title == "Seals are back"

    play(story)


@pytest.mark.gate
def test_many_small_pages_do_not_add_up_to_the_limit_of_time() -> None:
    async def story() -> None:
        async with pool(seconds=1.0) as workers:
            first = workers.processes
            for _ in range(120):  # some two seconds of work
                await read(workers)
            assert workers.processes == first

    play(story)


@pytest.mark.gate
@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_a_worker_that_is_killed_over_a_page_costs_that_page() -> None:
    async def story() -> None:
        async with pool() as workers:
            await read(workers)
            doing = asyncio.ensure_future(workers.run(slow_work.sleeps, 60.0))
            await asyncio.sleep(0.3)
            os.kill(workers.processes[0], signal.SIGTERM)  # as systemd does: the page under way is read first
            await asyncio.sleep(0.3)
            assert not doing.done()
            os.kill(workers.processes[0], signal.SIGKILL)
            with pytest.raises(ReaderDied, match=r"SIGKILL.*try again"):
                await doing
            assert (await read(workers)).article.title == "Seals are back"
            os.kill(workers.processes[0], signal.SIGKILL)  # while it has nothing to do
            await asyncio.sleep(0.3)
            assert (await read(workers)).article.title == "Seals are back"

    play(story)


def test_those_who_come_when_too_many_wait_are_told_to_come_again() -> None:
    async def story() -> None:
        async with pool() as workers:
            waiting = [asyncio.ensure_future(workers.run(slow_work.sleeps, 0.1)) for _ in range(9)]
            await asyncio.sleep(0)
            with pytest.raises(ReadersBusy, match="try again"):
                await workers.run(slow_work.sleeps, 0.0)
            assert await asyncio.gather(*waiting) == [0.1] * 9
            assert await workers.run(slow_work.sleeps, 0.0) == 0.0

    play(story)


def test_whoever_waits_too_long_goes_and_the_worker_is_free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with pool() as workers:
            await read(workers)
            monkeypatch.setattr(reading_pool, "PATIENCE", 0.1)
            with pytest.raises(ReadersBusy):
                await workers.run(slow_work.sleeps, 1.0)
            monkeypatch.setattr(reading_pool, "PATIENCE", 30.0)
            assert await workers.run(slow_work.sleeps, 0.0) == 0.0

    play(story)


# -- every way in has the same cap ------------------------------------------------------------------------------

LARGE = "<p>" + "x" * MOST_BYTES


def test_no_way_in_takes_a_larger_page(filled: Path, tmp_path: Path) -> None:
    web = housed.Web({"https://a.example/large": ("text/html", LARGE.encode())})
    with housed.app(housed.copy_of(filled, tmp_path), web=web) as app, housed.client(app) as visitor:
        asked = [
            visitor.get("/api/v1/read", params={"url": "https://a.example/large"}),
            visitor.post("/api/v1/extract", json={"url": "https://a.example/large"}),
            visitor.post("/api/v1/extract", content=LARGE, headers={"content-type": "text/html"}),
            visitor.get("/read", params={"url": "https://a.example/large"}),
            visitor.get("/read/drawn", params={"url": "https://a.example/large"}),
        ]
        assert [answer.status_code for answer in asked] == [413] * len(asked)
        assert "5,000,000 bytes" in asked[0].json()["detail"]


def test_nor_does_the_desk_for_language_models(tmp_path: Path) -> None:
    async def story() -> None:
        desk = NewsService(str(tmp_path / "none"))
        async with desk.open():
            with pytest.raises(PageTooLarge, match="cut it down"):
                await desk.read("", LARGE, "", 0, 1000)

    play(story)


def test_the_desk_reads_in_a_worker(tmp_path: Path) -> None:
    async def story() -> None:
        desk = NewsService(str(tmp_path / "none"), readers=1)
        async with desk.open():
            assert (await desk.read("", STORY, "", 0, 1000)).title == "Seals are back"

    play(story)


@pytest.mark.gate
@needs_limits
def test_one_request_does_not_take_the_server_down(tmp_path: Path) -> None:
    """As people run it: 5 MB of tiny paragraphs to a server whose readers have little memory."""
    options = ("--no-watch", "--no-sample", "--readers", "1", "--reading-memory", "50")
    with served(tmp_path / "news.tidings", *options) as portal, httpx2.Client(timeout=120) as visitor:
        kind = {"content-type": "text/html"}
        where = f"{portal.address}/api/v1/extract"
        for _ in range(2):
            answer = visitor.post(where, content=TINY[:-99], headers=kind)
            assert answer.status_code == 413
            assert answer.json()["code"] == "costly"
            assert "more than the 50 MB of memory" in answer.json()["detail"]
            assert visitor.get(f"{portal.address}/healthz").status_code == 200
            assert visitor.post(where, content=STORY, headers=kind).json()["title"] == "Seals are back"
        status = Path(f"/proc/{portal.process.pid}/status").read_text()
        assert int(status.partition("VmHWM:")[2].split()[0]) < 400_000  # kilobytes; 3,100,000 before there were workers


def test_default_is_an_extractor_of_the_api() -> None:
    assert asked_extractor("default") == asked_extractor("") == asked_extractor("learned")
