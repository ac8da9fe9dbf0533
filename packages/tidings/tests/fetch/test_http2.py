"""HTTP/2 and TLS against a small server of our own; certificates made for the test."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import pytest

from tests.fetch.server import AT_ONCE, LOCAL, Server, moved, reply
from tests.support import missing
from tidings.errors import ConnectionFailed, Incomplete
from tidings.fetch import Cap, Guard, Kind, Limits, Live, Outcome, Over, Request, Response


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for localhost that only those trust who are told to, and its key."""
    if not shutil.which("openssl"):
        missing("needs openssl to make a certificate")
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(cert)]
    subprocess.run(["openssl", *made.split(), *names], check=True, capture_output=True)
    return cert, key


def server_side(certificate: tuple[Path, Path], *protocols: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    context.set_alpn_protocols(list(protocols))
    return context


class Http2Server:
    """Answers every request with its path, or with as much as the path asks for."""

    def __init__(self, tls: ssl.SSLContext) -> None:
        self.tls = tls
        self.connections = 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        connection = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, validate_outbound_headers=False)
        )
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        left: dict[int, int] = {}
        try:
            while data := await reader.read(65_536):
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived) and event.headers:
                        path = dict(event.headers)[b":path"].decode()
                        status = "abc" if path == "/status" else "200"
                        connection.send_headers(event.stream_id or 1, [(":status", status), ("x-path", path)])
                        left[event.stream_id or 1] = int(path[1:]) if path[1:].isdigit() else 5
                        if path == "/garbage":
                            connection.send_data(event.stream_id or 1, b"begun")
                            writer.write(connection.data_to_send() + b"\xff" * 1000)
                            return
                for stream in list(left):
                    while room := min(connection.local_flow_control_window(stream), 16_384, left[stream]):
                        connection.send_data(stream, b"x" * room)
                        left[stream] -= room
                    if not left[stream]:
                        connection.end_stream(stream)
                        del left[stream]
                writer.write(connection.data_to_send())
                await writer.drain()
        except (ConnectionError, ssl.SSLError):
            pass
        finally:
            writer.close()


@pytest.fixture
def http2(certificate: tuple[Path, Path]) -> Iterator[tuple[Http2Server, str]]:
    server = Http2Server(server_side(certificate, "h2"))
    ready, port = threading.Event(), [0]
    holder: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        end = asyncio.Event()
        holder.append((asyncio.get_running_loop(), end))
        listening = await asyncio.start_server(server.talk, "127.0.0.1", 0, ssl=server.tls)
        port[0] = listening.sockets[0].getsockname()[1]
        ready.set()
        await end.wait()
        listening.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(10)
    yield server, f"https://localhost:{port[0]}"
    loop, end = holder[0]
    loop.call_soon_threadsafe(end.set)
    thread.join(10)


def trusting(certificate: tuple[Path, Path], limits: Limits | None = None) -> Live:
    trust = ssl.create_default_context(cafile=str(certificate[0]))
    return Live(guard=LOCAL, limits=limits or Limits(), pace=AT_ONCE, robots=False, trust=trust)


def test_many_requests_over_one_connection(http2: tuple[Http2Server, str], certificate: tuple[Path, Path]) -> None:
    server, url = http2

    async def many() -> list[Outcome]:
        async with trusting(certificate) as live:
            return await asyncio.gather(*(live.fetch(Request(f"{url}/{n * 1000}")) for n in range(1, 40)))

    for number, outcome in enumerate(asyncio.run(many()), 1):
        assert isinstance(outcome, Response), outcome
        assert outcome.protocol == "HTTP/2"
        assert len(outcome.body) == number * 1000
    assert server.connections == 1


def test_a_body_that_is_cut_does_not_hold_up_others(
    http2: tuple[Http2Server, str], certificate: tuple[Path, Path]
) -> None:
    _, url = http2

    async def several() -> list[Outcome]:
        limits = Limits(caps={Kind.PAGE: Cap(10_000, Over.CUT)}, deadline=10)
        async with trusting(certificate, limits) as live:
            large = [await live.fetch(Request(f"{url}/20000000")) for _ in range(3)]
            return [*large, await live.fetch(Request(f"{url}/7"))]

    *large, small = asyncio.run(several())
    assert all(isinstance(outcome, Response) and outcome.truncated for outcome in large)
    assert isinstance(small, Response)
    assert small.body == b"x" * 7


@pytest.mark.parametrize("path", ["/status", "/garbage"])
def test_a_server_that_breaks_the_rules(
    http2: tuple[Http2Server, str], certificate: tuple[Path, Path], path: str
) -> None:
    _, url = http2

    async def several() -> list[Outcome]:
        async with trusting(certificate) as live:
            return [await live.fetch(Request(url + where, Kind.FEED)) for where in (path, "/7")]

    broken, whole = asyncio.run(several())
    assert isinstance(broken, ConnectionFailed | Incomplete)
    assert isinstance(whole, Response), whole


def test_a_server_that_speaks_only_http_1(certificate: tuple[Path, Path]) -> None:
    async def once(url: str) -> Outcome:
        async with trusting(certificate) as live:
            return await live.fetch(Request(url))

    with Server({"/": reply(b"one")}, server_side(certificate, "http/1.1")) as server:
        outcome = asyncio.run(once(server.url()))
    assert isinstance(outcome, Response)
    assert outcome.protocol == "HTTP/1.1"
    assert outcome.body == b"one"


@pytest.mark.parametrize("to_tls", [True, False], ids=["to https", "to http"])
def test_credentials_are_dropped_on_the_way_to_another_scheme(certificate: tuple[Path, Path], to_tls: bool) -> None:
    """HOSTILE 7: nobody who listens on the plain side learns what was meant for the other."""
    given = (("Authorization", "Bearer x"), ("Cookie", "a=b"), ("Accept-Language", "tr"))

    async def once(url: str) -> Outcome:
        async with trusting(certificate) as live:
            return await live.fetch(Request(url.replace("://", "://anna:word@"), headers=given))

    tls = server_side(certificate, "http/1.1")
    one, other = (tls, None) if to_tls else (None, tls)
    with Server({"/": reply(b"one")}, one) as second, Server({"/": moved(second.url())}, other) as first:
        outcome = asyncio.run(once(first.url()))
    assert isinstance(outcome, Response), outcome
    assert {"authorization", "cookie"} <= set(first.asked[0].headers)
    assert set(second.asked[0].headers).isdisjoint({"authorization", "cookie"})
    assert second.asked[0].headers["accept-language"] == "tr"


def test_a_certificate_that_nobody_vouches_for(certificate: tuple[Path, Path]) -> None:
    async def once(url: str) -> Outcome:
        async with Live(guard=LOCAL, pace=AT_ONCE, robots=False) as live:
            return await live.fetch(Request(url))

    with Server({"/": reply(b"one")}, server_side(certificate, "http/1.1")) as server:
        outcome = asyncio.run(once(server.url()))
    assert isinstance(outcome, ConnectionFailed)
    assert "cannot be trusted" in str(outcome)


def test_a_certificate_of_another_host(certificate: tuple[Path, Path]) -> None:
    """The connection goes to an address, but the name is what is verified."""

    async def once(port: int) -> Outcome:
        trust = ssl.create_default_context(cafile=str(certificate[0]))
        guard = Guard.allowing(["127.0.0.1"])
        async with Live(guard=guard, pace=AT_ONCE, robots=False, trust=trust) as live:
            return await live.fetch(Request(f"https://127.0.0.1:{port}/"))

    with Server({"/": reply(b"one")}, server_side(certificate, "http/1.1")) as server:
        outcome = asyncio.run(once(server.port))
    assert isinstance(outcome, ConnectionFailed)


Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def talking(talk: Talk) -> AsyncIterator[int]:
    """A server in the loop of the test; ends when all who talked to it have gone."""
    under_way: list[asyncio.Task[None]] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        under_way.append(task)
        try:
            await talk(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    await asyncio.gather(*under_way, return_exceptions=True)
    server.close()
    await asyncio.sleep(0)


def test_through_a_proxy(http2: tuple[Http2Server, str], certificate: tuple[Path, Path]) -> None:
    """The proxy is asked for a tunnel by name; what goes through it is between us and the server."""
    server, url = http2
    asked: list[bytes] = []

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                writer.write(data)
        except ConnectionError:
            pass
        writer.close()

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0])
        port = int(asked[-1].split()[1].rpartition(b":")[2])
        onward, outward = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        await asyncio.gather(pipe(reader, outward), pipe(onward, writer))

    async def once() -> Outcome:
        trust = ssl.create_default_context(cafile=str(certificate[0]))
        async with talking(tunnel) as port:
            proxy = f"http://127.0.0.1:{port}"
            async with Live(guard=LOCAL, pace=AT_ONCE, robots=False, trust=trust, proxy=proxy) as live:
                return await live.fetch(Request(f"{url}/7"))

    outcome = asyncio.run(once())
    assert isinstance(outcome, Response), outcome
    assert outcome.protocol == "HTTP/2"
    assert asked == [f"CONNECT {url.removeprefix('https://')} HTTP/1.1".encode()]
    assert server.connections == 1


async def _closes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def _says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while await reader.read(65_536):
        pass


async def _speaks_plainly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(reply(b"plain"))


@pytest.mark.parametrize("talk", [_closes, _says_nothing, _speaks_plainly])
def test_https_where_there_is_none(talk: Talk) -> None:
    async def once() -> Outcome:
        live = Live(guard=LOCAL, limits=Limits(connect=0.3), pace=AT_ONCE, robots=False)
        async with talking(talk) as port, live:
            return await live.fetch(Request(f"https://localhost:{port}/"))

    assert isinstance(asyncio.run(once()), ConnectionFailed)
