"""Pages a second from a server on this machine: `Live` against trafilatura's downloads and bare httpx2, in one run.

A server in a process of its own serves the bundled newspaper, compressed as most servers do. Each way fetches the same
pages in turn, several rounds, the best of which counts: one after the other, and many at once where it can. Ratios are
of the processor time of the one who fetches. `Live` is measured as it is used, with the guard, the caps and the
deadline, but without the pause between two requests to one host, which is there to be slow.
Run: python -m benchmarks.fetch_speed [pages, 400]
"""

from __future__ import annotations

import asyncio
import gzip
import multiprocessing
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from configparser import ConfigParser
from contextlib import contextmanager
from functools import cache
from time import perf_counter, process_time

from benchmarks import machine, pages
from tidings.fetch import Guard, Live, Pace, Request, Response

ROUNDS = 5
AT_ONCE = 16


async def _serve(ready: Callable[[int], None], bodies: list[bytes]) -> None:
    """As little of a server as will do: answers in turn, connections kept."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                asked = head.split(b" ", 2)[1].strip(b"/")
                if not asked.isdigit():  # robots.txt
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    continue
                body = bodies[int(asked) % len(bodies)]
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n"
                    b"Content-Length: %d\r\n\r\n" % len(body)
                )
                writer.write(body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    ready(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def _server(pipe: multiprocessing.connection.Connection, bodies: list[bytes]) -> None:
    asyncio.run(_serve(pipe.send, bodies))


@contextmanager
def served() -> Iterator[str]:
    """The address of a server that runs meanwhile."""
    bodies = [gzip.compress(page) for page in pages.newspaper()]
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_server, args=(theirs, bodies), daemon=True)
    process.start()
    try:
        yield f"http://localhost:{ours.recv()}/"
    finally:
        process.terminate()
        process.join()


async def _many(fetch: Callable[[str], Awaitable[int]], urls: list[str], at_once: int) -> int:
    waiting = iter(urls)

    async def work() -> int:
        return sum([await fetch(url) for url in waiting])

    return sum(await asyncio.gather(*(work() for _ in range(at_once))))


def tidings_live(urls: list[str], at_once: int) -> int:
    async def run() -> int:
        pace = Pace(delay=0, at_once=at_once)
        async with Live(guard=Guard.allowing(["localhost"]), pace=pace) as live:

            async def one(url: str) -> int:
                outcome = await live.fetch(Request(url))
                assert isinstance(outcome, Response), outcome
                return len(outcome.body)

            return await _many(one, urls, at_once)

    return asyncio.run(run())


def bare_httpx2(urls: list[str], at_once: int) -> int:
    import httpx2

    async def run() -> int:
        async with httpx2.AsyncClient() as client:

            async def one(url: str) -> int:
                return len((await client.get(url)).content)

            return await _many(one, urls, at_once)

    return asyncio.run(run())


def trafilatura_fetch(urls: list[str], at_once: int) -> int:
    from trafilatura import fetch_url

    return _threaded(lambda url: len((fetch_url(url, config=_config()) or "").encode()), urls, at_once)


def trafilatura_response(urls: list[str], at_once: int) -> int:
    from trafilatura.downloads import fetch_response

    def one(url: str) -> int:
        response = fetch_response(url, config=_config())
        return len(response.data) if response else 0

    return _threaded(one, urls, at_once)


@cache
def _config() -> ConfigParser:
    """As it comes, but for its own guard, which would not let it ask this machine."""
    from trafilatura.settings import use_config

    config: ConfigParser = use_config()
    config["DEFAULT"]["SSRF_PROTECTION"] = "off"
    return config


def _threaded(one: Callable[[str], int], urls: list[str], at_once: int) -> int:
    if at_once == 1:
        return sum(one(url) for url in urls)
    with ThreadPoolExecutor(at_once) as pool:
        return sum(pool.map(one, urls))


WAYS = {
    "tidings Live": tidings_live,
    "httpx2 AsyncClient": bare_httpx2,
    "trafilatura fetch_url": trafilatura_fetch,
    "trafilatura fetch_response": trafilatura_response,
}


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    os.environ.pop("http_proxy", None)
    print(machine.describe("tidings", "httpcore2", "httpx2", "trafilatura"))
    with served() as root:
        urls = [f"{root}{number}" for number in range(count)]
        for at_once in (1, AT_ONCE):
            best, cost = dict.fromkeys(WAYS, float("inf")), dict.fromkeys(WAYS, float("inf"))
            sizes = {name: way(urls[:10], at_once) for name, way in WAYS.items()}  # and what is loaded once is loaded
            sizes.pop("trafilatura fetch_url")  # gives text, not bytes
            assert len(set(sizes.values())) == 1, sizes
            for _ in range(ROUNDS):
                for name, way in WAYS.items():
                    begin, spent = perf_counter(), process_time()
                    way(urls, at_once)
                    best[name] = min(best[name], perf_counter() - begin)
                    cost[name] = min(cost[name], process_time() - spent)
            print(f"{count} pages, {at_once} at once")
            for name, seconds in best.items():
                told = (
                    f"{count / seconds:6.0f} pages a second, {cost[name] / count * 1000:.2f} ms of processor time each"
                )
                print(f"  {name:28} {told}, {cost[name] / cost['tidings Live']:.2f} times that of Live")


if __name__ == "__main__":
    main()
