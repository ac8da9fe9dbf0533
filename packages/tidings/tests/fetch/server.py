"""A real HTTP server on the loopback interface, in a thread of its own, that can also behave badly.

It answers from a table: bytes are sent as they are and the connection is kept; a function gets the request and the
stream and does what it likes, after which the connection is closed.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from tidings.fetch import Guard, Live, Pace


@dataclass(frozen=True)
class Asked:
    """A request as it came in."""

    target: str
    headers: dict[str, str]

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


Misbehaviour = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]
Reply = bytes | Callable[[Asked], bytes] | Misbehaviour


def reply(
    body: bytes = b"", status: int = 200, headers: Mapping[str, str] | None = None, *, length: bool = True
) -> bytes:
    """An answer as it goes over the wire."""
    lines = [f"HTTP/1.1 {status} Whatever"]
    if length:
        lines.append(f"Content-Length: {len(body)}")
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode("utf-8") + body


def moved(location: str, status: int = 302, body: bytes = b"", **headers: str) -> bytes:
    """A redirect."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return reply(body, status, {"Location": location, **named})


@dataclass
class Server:
    """Use it as `with Server({"/": reply(b"…")}) as server`."""

    table: Mapping[str, Reply]
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    host: str = "127.0.0.1"

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(ready)))
        self._thread.start()
        assert ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)
        assert not self._thread.is_alive()

    def url(self, path: str = "/") -> str:
        return f"{'https' if self.tls else 'http'}://localhost:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [asked.target for asked in self.asked]

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        under_way: set[asyncio.Task[None]] = set()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            under_way.add(task)
            self.connections += 1
            try:
                await self._talk(reader, writer)
            except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
                pass
            finally:
                under_way.discard(task)
                writer.close()

        server = await asyncio.start_server(connected, self.host, 0, ssl=self.tls)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._end.wait()
        server.close()
        for task in list(under_way):
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in head[1:] if line)
            asked = Asked(head[0].split()[1], {name.lower(): value.strip() for name, _, value in pairs})
            self.asked.append(asked)
            answer = self.table.get(asked.target, self.table.get(asked.path, self.table.get("*", reply(b"", 404))))
            if isinstance(answer, bytes):
                writer.write(answer)
            else:
                told = answer(asked, writer) if _is_misbehaviour(answer) else answer(asked)  # type: ignore[call-arg]
                if isinstance(told, bytes):
                    writer.write(told)
                else:
                    await told
                    return
            await writer.drain()


def _is_misbehaviour(answer: object) -> bool:
    return asyncio.iscoroutinefunction(answer)


class FakeClock:
    """Time that passes only by sleeping, and then at once."""

    def __init__(self, now: float = 1_000_000.0) -> None:
        self.time = now
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.time + seconds
        for _ in range(5):  # what others have begun goes on meanwhile
            await asyncio.sleep(0)
        self.time = max(self.time, until)


#: Nobody waits for a turn in tests that are about something else.
AT_ONCE = Pace(delay=0, retries=0, at_once=100)
LOCAL = Guard.allowing(["localhost"])


def local() -> Live:
    """A fetcher that may ask the server on this machine, at once and without asking robots.txt."""
    return Live(guard=LOCAL, pace=AT_ONCE, robots=False)
