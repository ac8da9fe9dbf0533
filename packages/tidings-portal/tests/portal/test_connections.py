"""Connections to the server: what is not sent, or not taken, in time ends, and others are served meanwhile."""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tests.portal.serving import Served, served
from tests.portal.staff import staff
from tidings_portal import app as connections
from tidings_portal.app import HttpConnection, RequestTimeouts, most_connections
from tidings_portal.serve import Server, config

resource = pytest.importorskip("resource", reason="Windows has no limit of open files")
HELD = 400
FILES = 256
GET = b"GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"


async def quick(request: Request) -> Response:
    return PlainTextResponse("quick")


async def early(request: Request) -> Response:
    """An answer before the body was read."""
    return PlainTextResponse("early")


async def echo(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def large(request: Request) -> Response:
    return PlainTextResponse("x" * 20_000_000)


async def slow(request: Request) -> Response:
    await asyncio.sleep(1)
    return PlainTextResponse("slow")


PLACES = (quick, early, echo, large, slow)
APP = Starlette(routes=[Route(f"/{one.__name__}", one, methods=["GET", "POST"]) for one in PLACES])


class Client:
    """The other side of a connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def drip(self, data: bytes) -> None:
        """Send a byte ten times a second, for as long as the other side is there."""
        with suppress(OSError):
            for one in data:
                await self.send(bytes([one]))
                await asyncio.sleep(0.1)

    async def rest(self) -> bytes:
        """All that comes until the end."""
        found = b""
        with suppress(ConnectionError):  # bytes that came after the end are answered so, and may take the answer along
            async with asyncio.timeout(20):
                while piece := await self.reader.read(65_536):
                    found += piece
        return found


Connect = Callable[[], Awaitable[Client]]


@asynccontextmanager
async def opened() -> AsyncIterator[Connect]:
    """A server, and a way to connect to it."""
    made: list[Client] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(config(APP))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        port = listening.getsockname()[1]

        async def connect() -> Client:
            made.append(Client(*await asyncio.open_connection("127.0.0.1", port)))
            return made[-1]

        try:
            yield connect
        finally:
            server.should_exit = True
            for one in made:
                one.writer.transport.abort()
            await serving


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A server with half a second of patience, or with as much as a test says, which looks at its connections all the
    time.
    """
    patience = getattr(request, "param", 0.5)
    monkeypatch.setattr(HttpConnection, "timeouts", RequestTimeouts(patience, patience, patience, 1000, patience))
    monkeypatch.setattr("tidings_portal.app.LOOK", 0.1)


#: What is sent at once, what byte by byte, and what is told.
UNFINISHED = (
    (b"", b"", b""),
    (b"GET / HT", b"", b"HTTP/1.1 408 Request Timeout"),
    (b"GET / HTTP/1.1\r\nX: ", b"x" * 200, b"HTTP/1.1 408 Request Timeout"),
    (b"", b"x" * 200, b"HTTP/1.1 408 Request Timeout"),
    (POST, b"", b"HTTP/1.1 408 Request Timeout"),
    (POST, b"x" * 200, b"HTTP/1.1 408 Request Timeout"),
    (POST.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked") + b"5\r\nab", b"", b"HTTP/1.1 408"),
    (POST.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"), b"", b"HTTP/1.1 100"),
    (POST.replace(b"/echo", b"/early"), b"x" * 200, b"HTTP/1.1 200 OK"),
    (GET, b"", b"HTTP/1.1 200 OK"),
    (GET + b"GET / HT", b"", b"HTTP/1.1 200 OK"),
)


@pytest.mark.usefixtures("hurried")
def test_what_does_not_come_whole_in_time_is_ended() -> None:
    async def tried(connect: Connect, sent: bytes, dripped: bytes) -> bytes:
        client = await connect()
        await client.send(sent)
        _, answer = await asyncio.gather(client.drip(dripped), client.rest())
        return answer

    async def all_at_once() -> list[bytes]:
        async with opened() as connect:
            return await asyncio.gather(*(tried(connect, sent, dripped) for sent, dripped, _ in UNFINISHED))

    begun = time.monotonic()
    answers = asyncio.run(all_at_once())
    for (sent, dripped, told), answer in zip(UNFINISHED, answers, strict=True):
        assert answer.startswith(told) or (dripped and not answer), sent
    assert time.monotonic() - begun < 15  # two hundred bytes would take twenty seconds


@pytest.mark.usefixtures("hurried")
def test_an_answer_that_nobody_takes_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real = HttpConnection.look

    def look(self: HttpConnection) -> None:
        seen.append(len(self.connections))
        real(self)

    monkeypatch.setattr(HttpConnection, "look", look)

    async def tried() -> None:
        async with opened() as connect:
            client = await connect()
            await client.send(b"GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            client.writer.transport.pause_reading()  # type: ignore[attr-defined]
            while not seen:
                await asyncio.sleep(0.01)
            before = len(seen)
            async with asyncio.timeout(20):
                while before != len(seen):  # as long as it is looked at, it is there
                    before = len(seen)
                    await asyncio.sleep(0.5)

    asyncio.run(tried())


@pytest.mark.parametrize("hurried", [1.5], indirect=True)  # a busy machine may hold us up for a second
@pytest.mark.usefixtures("hurried")
def test_what_takes_its_time_and_goes_on_is_served() -> None:
    async def waiting(client: Client) -> bytes:
        await client.send(b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return await client.rest()

    async def upload(client: Client) -> bytes:
        await client.send(POST.replace(b"1000", b"6000").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        for _ in range(10):  # twice as long as a body of no bytes may take
            await client.send(b"x" * 600)
            await asyncio.sleep(0.3)
        return await client.rest()

    async def again(client: Client) -> bytes:
        answers = b""
        for _ in range(5):  # all of them together take longer than one may wait
            await client.send(GET)
            answers += await client.reader.readuntil(b"quick")
            await asyncio.sleep(0.4)
        return answers

    async def tried() -> list[bytes]:
        async with opened() as connect:
            return await asyncio.gather(*[one(await connect()) for one in (waiting, upload, again)])

    slow, sent, quick = asyncio.run(tried())
    assert slow.endswith(b"slow")
    assert sent.endswith(b"6000")
    assert quick.count(b" 200 OK") == 5


def test_the_one_that_waits_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 3)

    async def tried() -> None:
        async with opened() as connect:
            served_first = await connect()
            await served_first.send(b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            held = []
            for _ in range(2):
                held.append(await connect())
                await held[-1].send(b"GET / HT")
                await asyncio.sleep(0.05)
            visitor = await connect()
            await visitor.send(GET)
            assert b"quick" in await visitor.reader.readuntil(b"quick")
            assert (await held[0].rest()).startswith(b"HTTP/1.1 408")
            assert not held[1].reader.at_eof()
            assert (await served_first.rest()).endswith(b"slow")

    asyncio.run(tried())


def test_where_all_are_being_answered_a_new_one_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 2)

    async def tried() -> None:
        async with opened() as connect:
            busy = [await connect() for _ in range(2)]
            for one in busy:
                await one.send(b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            await asyncio.sleep(0.1)
            told = await (await connect()).rest()
            assert told.startswith(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\n")
            assert [(await one.rest()).endswith(b"slow") for one in busy] == [True, True]

    asyncio.run(tried())


@pytest.mark.parametrize(
    ("files", "most"), [(256, 85), (1024, 341), (100_000, 1000), (resource.RLIM_INFINITY, 1000), (10, 8)]
)
def test_there_are_fewer_connections_than_files(files: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert most_connections() == most


HALVES = (
    b"",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n<p>",
    (
        b"POST /preferences HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n\r\ntoken="
    ),
)


@pytest.mark.gate
@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
@pytest.mark.parametrize("workers", [1, 2])
def test_half_sent_requests_end_and_others_are_served_meanwhile(filled: Path, tmp_path: Path, workers: int) -> None:
    """HOSTILE 37, with fewer files than connections: some of them send a byte every second."""
    store = tmp_path / "news.tidings"
    store.write_bytes(filled.read_bytes())
    with served(store, "--no-watch", "--workers", str(workers), files=FILES) as portal:
        numbers = [portal.process.pid] if workers == 1 else staff(portal)
        assert len(numbers) == workers
        held = [socket.create_connection((portal.host, portal.port), timeout=10) for _ in range(HELD)]
        try:
            for number, one in enumerate(held):
                with suppress(OSError):  # it was ended already
                    one.sendall(HALVES[number % len(HALVES)])
            begun, times = time.monotonic(), [fetched(portal) for _ in range(5)]
            for number in numbers:
                assert len(list(Path(f"/proc/{number}/fd").iterdir())) < FILES
            while not all(is_ended(one) for one in held):
                for one in held[1::8]:
                    with suppress(OSError):
                        one.sendall(b"x")
                times.append(fetched(portal))
                assert time.monotonic() - begun < 60
                time.sleep(1)
        finally:
            for one in held:
                one.close()
        assert max(times) < 8, times  # on a busy machine; without the bound nobody is served at all
        portal.process.terminate()
        assert portal.process.stderr is not None
        said = portal.process.stderr.read()
    assert "Too many open files" not in said
    assert "Traceback" not in said


def fetched(portal: Served) -> float:
    """Seconds that somebody waits for the front page."""
    begun = time.monotonic()
    connection = HTTPConnection(portal.host, portal.port, timeout=30)
    connection.request("GET", "/", headers={"Connection": "close"})
    with connection.getresponse() as answer:
        assert answer.status == 200
        assert b"</html>" in answer.read()
    return time.monotonic() - begun


def is_ended(one: socket.socket) -> bool:
    """Whether the other side has ended a connection; what it said before that is taken."""
    one.setblocking(False)
    try:
        while one.recv(4096):
            pass
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
