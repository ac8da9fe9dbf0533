"""How long readers wait for the portal: 20 at a time, while a watch writes to the same store.

    python -m benchmarks.portal_speed STORE [--seconds 20] [--readers 20] [--quiet] [--think 1.0] [--workers 1]
                                            [--only story search]

STORE is a file made by `benchmarks.made_up_news`; a copy of it is used. The portal is `tidings serve` in a process of
its own, or in several (`--workers`). Three groups of pages are measured, each as a reader sees it, in a process of the
benchmark's own:

- closed loop: every reader asks for the next page as soon as the last one came, so that the server is always busy;
- with `--think SECONDS` (1 by default) each reader looks at a page for about so long, as people do at the least.

Searches are distinct: each query is asked once, so that no answer was kept ("cold"), then all once more ("warm").
Stories are distinct as well: nobody has opened them before. "processor" is what the portal's processes spent for each
answer, in milliseconds; it hardly depends on what else the machine does, and does not hold what the readers spend.
Where `wrk` is installed, it asks for the front page as well.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from benchmarks.made_up_news import vocabulary
from tidings.article import Article, Block, Inline, Kind
from tidings_portal import store
from tidings_portal.store.records_of_articles import NewArticle


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--readers", type=int, default=20)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=1, help="processes that serve")
    parser.add_argument("--quiet", action="store_true", help="nobody writes")
    parser.add_argument("--only", nargs="*", default=[], help="some of front, latest, story, search")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "news.tidings"
        shutil.copy(asked.store, copy)
        with store.open(copy) as kept:
            stories = [one.id for one in kept.stories(least=2, limit=20_000).items]
            print(f"{kept.totals().articles:,} articles, {kept.totals().stories:,} stories, {asked.readers} readers")
        with served(copy, asked.workers) as (process, port), writing(copy, not asked.quiet) as written:
            settle(process)
            measure(process, port, stories, asked)
            print(f"articles written meanwhile: {written()}")


def measure(process: int, port: int, stories: list[int], asked: argparse.Namespace) -> None:
    chance = random.Random(7)
    words = vocabulary()
    queries = [f"{chance.choice(words[50:4000])} {chance.choice(words[50:4000])}" for _ in range(8000)]
    chance.shuffle(stories)
    left = {
        "front page": ["/"],
        "latest": ["/latest"],
        "story, unopened": [f"/story/{number}" for number in stories],
        "search, cold": [f"/search?q={quote(query)}" for query in dict.fromkeys(queries)],
    }
    print(f"{'page':<28}{'requests':>9}{'a second':>9}{'median':>8}{'p95':>8}{'worst':>8}{'processor':>11}   ms")

    def group(name: str, paths: list[str], think: float) -> int:
        # What is loaded late, and what is kept for a minute, is there before it is measured.
        begun = paths[-40 * asked.workers :] if len(paths) > 200 * asked.workers else paths[:1]
        asyncio.run(read(port, begun * (1 if len(begun) > 1 else 4), asked.readers, asked.seconds, 0.0))
        spent = processor_time(process)
        done = asyncio.run(read(port, paths, asked.readers, asked.seconds, think))
        spent = processor_time(process) - spent
        tell(f"{name}{' (people)' if think else ''}", done, asked.seconds, spent)
        return len(done)

    for think in (0.0, asked.think):
        for name, paths in left.items():
            if asked.only and not name.startswith(tuple(asked.only)):
                continue
            number = group(name, paths, think)
            if name == "search, cold":
                group("search, warm", paths[:number], think)
            if len(paths) > 1:
                left[name] = paths[number:]
    if shutil.which("wrk") and not asked.only:
        command = [
            "wrk",
            "-t1",
            f"-c{asked.readers}",
            f"-d{int(asked.seconds)}s",
            "--latency",
            f"http://127.0.0.1:{port}/",
        ]
        print(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def tell(name: str, done: list[float], seconds: float, spent: float) -> None:
    times = sorted(1000 * one for one in done)
    shown = (statistics.median(times), times[int(len(times) * 0.95)], times[-1])
    rate = f"{len(times):>9,}{len(times) / seconds:>9.0f}"
    print(f"{name:<28}{rate}{''.join(f'{one:>8.1f}' for one in shown)}{1000 * spent / len(times):>11.1f}", flush=True)


def settle(process: int) -> None:
    """Wait until all that serve have begun: what they load is nobody's answer."""
    spent = -1.0
    while processor_time(process) - spent > 0.05:
        spent = processor_time(process)
        time.sleep(2)


def processor_time(process: int) -> float:
    """Seconds that a process and those below it have spent so far."""
    below = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True, check=False).stdout
    found = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = (int(found[11]) + int(found[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(processor_time, map(int, below.split())))


async def read(port: int, paths: list[str], readers: int, seconds: float, think: float) -> list[float]:
    """The times of all answers: each reader has one connection and takes the next path of the list."""
    taken: list[float] = []
    left = iter(range(10**9))
    until = time.monotonic() + seconds
    chance = random.Random(11)

    async def reader() -> None:
        incoming, outgoing = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.sleep(chance.random() * think)
        while time.monotonic() < until:
            number = next(left)
            if len(paths) > 1 and number >= len(paths):
                break
            begin = time.perf_counter()
            outgoing.write(f"GET {paths[number % len(paths)]} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head = await incoming.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"{paths[number % len(paths)]}: {head.splitlines()[0].decode()}")
            length = re.search(rb"content-length: (\d+)", head)
            await incoming.readexactly(int(length[1]) if length else 0)
            taken.append(time.perf_counter() - begin)
            if think:
                await asyncio.sleep(think * (0.5 + chance.random()))
        outgoing.close()

    async with asyncio.TaskGroup() as group:
        for _ in range(readers):
            group.create_task(reader())
    return taken


@contextmanager
def served(path: Path, workers: int) -> Iterator[tuple[int, int]]:
    command = [sys.executable, "-m", "tidings", "serve", "--port", "0", "--no-watch", "--store", str(path)]
    command += ["--workers", str(workers)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = ""
            while not (found := re.search(r"http://[\d.]+:(\d+)/", said)):
                said += process.stderr.readline() or sys.exit(said)
            yield process.pid, int(found[1])
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


@contextmanager
def writing(path: Path, wanted: bool) -> Iterator[Callable[[], int]]:
    """Somebody who writes as a watch does: sixteen articles in a batch, twice a second."""
    stop = threading.Event()
    count = 0

    def write() -> None:
        nonlocal count
        chance = random.Random(13)
        words = vocabulary()
        with store.open(path) as kept:
            while not stop.wait(0.5):
                batch = []
                for _ in range(16):
                    count += 1
                    text = " ".join(chance.choices(words[:8000], k=400))
                    blocks = tuple(
                        Block(Kind.PARAGRAPH, (Inline(text[at : at + 400]),)) for at in range(0, len(text), 400)
                    )
                    url = f"https://new.example/{count}"
                    article = Article(url=url, title=text[:60], language="en", blocks=blocks)
                    batch.append(NewArticle(article, datetime.now(UTC), keys=(url,)))
                kept.keep(batch)

    thread = threading.Thread(target=write, daemon=True)
    if wanted:
        thread.start()
    try:
        yield lambda: count
    finally:
        stop.set()
        if wanted:
            thread.join()


if __name__ == "__main__":
    main()
