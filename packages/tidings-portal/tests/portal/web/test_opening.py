"""The house as people open it: `tidings serve` in a process of its own, with raw sockets before it."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.portal.serving import served
from tidings.cli.app import app
from tidings.errors import InputError
from tidings_portal import store
from tidings_portal.serve import bound

LARGE = b"POST /preferences HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n"


def response_to(host: str, port: int, request: bytes) -> bytes:
    with socket.create_connection((host, port), 20) as connection:
        connection.settimeout(20)
        answer = b""
        with suppress(OSError):  # it may have hung up already, which is an answer
            connection.sendall(request)
        with suppress(OSError):
            while piece := connection.recv(65_536):
                answer += piece
        return answer


def get(host: str, port: int, path: str) -> bytes:
    return response_to(host, port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())


@pytest.mark.gate
def test_it_opens_on_the_newspaper_and_closes_cleanly(tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with served(path) as portal:
        host, port, process = portal.host, portal.port, portal.process
        assert host == "127.0.0.1"
        page = get(host, port, "/").decode()
        assert page.startswith("HTTP/1.1 200")
        assert "sample newspaper" in page
        assert page.count("<article") > 15
        assert "server:" not in page.lower().partition("\r\n\r\n")[0]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    with store.open(path) as kept:
        assert kept.check() == []
        assert kept.totals().articles > 40


def test_no_answer_waits_for_the_last_to_be_acknowledged() -> None:
    told: list[int] = []

    class Noting(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            used = transport.get_extra_info("socket")
            told.append(used.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            transport.close()

    async def once() -> None:
        with bound("127.0.0.1", 0) as listening:
            server = await asyncio.get_running_loop().create_server(Noting, sock=listening)
            incoming, outgoing = await asyncio.open_connection(*listening.getsockname())
            assert await incoming.read() == b""
            outgoing.close()
            server.close()

    asyncio.run(once())
    assert told
    assert told[0]


@pytest.mark.gate
def test_absurd_requests_end_at_once(filled: Path) -> None:
    with served(filled, "--no-watch") as portal:
        host, port = portal.host, portal.port
        begin = time.monotonic()
        for answer in (
            get(host, port, "/" + "a" * 1_000_000),
            get(host, port, "/?" + "&".join(f"a{n}=1" for n in range(10_000))),
            response_to(
                host,
                port,
                b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
            ),
            response_to(host, port, b"nonsense\r\n\r\n"),
            response_to(host, port, LARGE),
        ):
            assert answer == b"" or re.match(rb"HTTP/1\.1 4\d\d ", answer), answer[:100]
        assert time.monotonic() - begin < 30
        assert get(host, port, "/latest").startswith(b"HTTP/1.1 200")


def serve(*words: str) -> str:
    """What is said where the portal cannot be opened."""
    ended = CliRunner().invoke(app, ["serve", *words])
    assert isinstance(ended.exception, InputError), ended.output
    return str(ended.exception)


def test_a_port_that_is_taken_is_said_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert "--port" in serve("--port", port, "--store", str(tmp_path / "x"))


@pytest.mark.parametrize("address", ["news.example", "ftp://news.example"])
def test_a_public_address_is_one_of_the_web(address: str, tmp_path: Path) -> None:
    assert "https://" in serve("--address", address, "--store", str(tmp_path / "x"))
