"""HOSTILE 6 to 10, and what a well-meaning server may do."""

from __future__ import annotations

import asyncio
import gzip
import pickle
import threading
import time
import tracemalloc
import zlib
from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address

import brotli
import pytest
import zstandard

from tests.fetch.server import AT_ONCE, LOCAL, Asked, Reply, Server, local, moved, reply
from tidings import errors
from tidings.errors import (
    ConnectionFailed,
    DeadlineExceeded,
    DecompressionBomb,
    FetchError,
    Incomplete,
    TooLarge,
    TooManyRedirects,
    Undecodable,
    UnknownHost,
)
from tidings.fetch import Cap, Guard, Kind, Limits, Live, Outcome, Over, Request, Response, Validators, get, require
from tidings.fetch.live import run
from tidings.urls import IP

STORY = b"<p>Seals are back in the estuary.</p>" * 50


def fetch(server: Server, path: str = "/", limits: Limits | None = None, **asked: object) -> Outcome:
    async def once() -> Outcome:
        async with Live(guard=LOCAL, limits=limits or Limits(), pace=AT_ONCE, robots=False) as live:
            return await live.fetch(Request(server.url(path), **asked))  # type: ignore[arg-type]

    return asyncio.run(once())


def answer(table: Mapping[str, Reply], path: str = "/", limits: Limits | None = None, **asked: object) -> Outcome:
    with Server(table) as server:
        return fetch(server, path, limits, **asked)


def good(outcome: Outcome) -> Response:
    assert isinstance(outcome, Response), outcome
    return outcome


# -- plain answers ----------------------------------------------------------------------------------------------


def test_a_page() -> None:
    page = good(answer({"/": reply(STORY, headers={"Content-Type": "text/html; charset=koi8-r"})}))
    assert page.body == STORY
    assert page.content_type == "text/html; charset=koi8-r"
    assert page.status == 200
    assert not page.truncated
    assert page.fetched_at > 1e9


def test_what_is_sent() -> None:
    with Server({"/": reply(b"x")}) as server:
        fetch(server)
    (asked,) = server.asked
    assert asked.headers["host"] == f"localhost:{server.port}"
    assert asked.headers["user-agent"].startswith("Tidings/")
    assert "cookie" not in asked.headers
    assert set(asked.headers["accept-encoding"].split(", ")) == {"gzip", "deflate", "br", "zstd"}


def test_a_password_in_the_address() -> None:
    with Server({"/": reply(b"x")}) as server:
        run(_fetched(server.url().replace("://", "://anna:w%C3%B6rd@")))
    assert server.asked[0].headers["authorization"] == "Basic YW5uYTp3w7ZyZA=="


async def _fetched(url: str) -> Outcome:
    async with local() as live:
        return await live.fetch(Request(url))


def test_no_cookies_are_kept() -> None:
    async def twice(url: str) -> None:
        async with local() as live:
            await live.fetch(Request(url))
            await live.fetch(Request(url))

    with Server({"/": reply(b"x", headers={"Set-Cookie": "a=b"})}) as server:
        asyncio.run(twice(server.url()))
    assert all("cookie" not in asked.headers for asked in server.asked)
    assert server.connections == 1  # and the connection is used again


def test_not_modified() -> None:
    def known(asked: Asked) -> bytes:
        if asked.headers.get("if-none-match") == '"v1"' and asked.headers.get("if-modified-since"):
            return reply(b"", 304, {"ETag": '"v1"'})
        return reply(STORY, headers={"ETag": '"v1"', "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"})

    first = good(answer({"/": known}))
    assert first.validators == Validators('"v1"', "Sun, 06 Nov 1994 08:49:37 GMT")
    second = good(answer({"/": known}, validators=first.validators))
    assert second.not_modified
    assert second.ok
    assert second.body == b""


def test_a_validator_that_could_smuggle_a_header_is_dropped() -> None:
    page = Response("http://a/", 200, (("etag", '"ä"'), ("last-modified", "x\r\nCookie: y")))
    assert not page.validators


@pytest.mark.parametrize("status", [400, 403, 404, 410, 429, 500, 503])
def test_a_status_is_a_response_for_pipelines_and_an_error_for_people(status: int) -> None:
    page = good(answer({"/": reply(b"sorry", status)}))
    assert page.status == status
    assert page.is_gone == (status == 410)
    with pytest.raises(errors.BadStatus, match=str(status)) as caught:
        require(page)
    assert caught.value.status == status


# -- redirects --------------------------------------------------------------------------------------------------


def test_redirects_are_followed_and_remembered() -> None:
    page = good(answer({"/": moved("/b", 301), "/b": moved("c?d#e", 308), "/c": moved("/end"), "/end": reply(STORY)}))
    assert page.body == STORY
    assert [hop.status for hop in page.redirects] == [301, 308, 302]
    assert page.moved_to is not None
    assert page.moved_to.endswith("/c?d")  # permanent as far as that


def test_a_circle() -> None:
    with Server({"/": moved("/b"), "/b": moved("/")}) as server:
        outcome = fetch(server)
    assert isinstance(outcome, TooManyRedirects)
    assert "circle" in str(outcome)
    assert len(server.asked) == 2


def test_a_password_is_in_no_message() -> None:
    with Server({"/": moved("/")}) as server:
        outcome = run(_fetched(server.url().replace("://", "://anna:secret@")))
    assert isinstance(outcome, TooManyRedirects)
    assert "secret" not in repr(outcome)


def test_fifty_hops() -> None:
    with Server({"*": lambda asked: moved(f"/{int(asked.target[1:] or 0) + 1}")}) as server:
        outcome = fetch(server)
    assert isinstance(outcome, TooManyRedirects)
    assert len(server.asked) == Limits().redirects + 1


def test_all_hops_share_one_deadline() -> None:
    async def slow(asked: Asked, out: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.15)
        out.write(moved(f"/{int(asked.target[1:] or 0) + 1}", Connection="close"))
        await out.drain()

    with Server({"*": slow}) as server:
        outcome = fetch(server, limits=Limits(deadline=0.4))
    assert isinstance(outcome, DeadlineExceeded)
    assert len(server.asked) <= 4


SECRETS = (("Authorization", "Bearer x"), ("Cookie", "a=b"), ("X-Api-Key", "k"), ("Accept-Language", "tr"))


@pytest.mark.parametrize("other", ["port", "host"])
def test_credentials_are_dropped_on_the_way_to_another(other: str) -> None:
    host = "localhost" if other == "port" else "localhost.localdomain"
    with Server({"*": reply(b"x")}) as second, Server({"/": moved(f"http://{host}:{second.port}/")}) as first:

        async def once() -> Outcome:
            guard = Guard.allowing(["localhost", "localhost.localdomain"])
            async with Live(guard=guard, pace=AT_ONCE, robots=False, resolver=_loopback) as live:
                url = first.url().replace("://", "://anna:word@")
                return await live.fetch(Request(url, headers=SECRETS))

        good(asyncio.run(once()))
    assert {"authorization", "cookie", "x-api-key"} <= set(first.asked[0].headers)
    assert set(second.asked[0].headers).isdisjoint({"authorization", "cookie", "x-api-key"})
    assert second.asked[0].headers["accept-language"] == "tr"


async def _loopback(host: str) -> tuple[IP, ...]:
    return (IPv4Address("127.0.0.1"),)


def test_credentials_stay_within_one_origin() -> None:
    with Server({"/": moved("/b"), "/b": reply(b"x")}) as server:
        run(_with_password(server.url().replace("://", "://anna:word@")))
    assert server.asked[1].headers["authorization"] == "Basic YW5uYTp3b3Jk"


async def _with_password(url: str) -> Outcome:
    async with local() as live:
        return await live.fetch(Request(url))


def test_a_password_that_the_server_made_up_is_not_sent() -> None:
    with Server({}) as server:
        server.table = {"/": moved(f"http://eve:x@localhost:{server.port}/b"), "/b": reply(b"x")}
        fetch(server)
    assert "authorization" not in server.asked[1].headers


def test_a_redirect_without_location_is_an_answer() -> None:
    assert good(answer({"/": reply(b"?", 302)})).status == 302


# -- compression ------------------------------------------------------------------------------------------------

CODINGS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "gzip, br": lambda data: brotli.compress(gzip.compress(data)),
    "": lambda data: data,
    "identity": lambda data: data,
}


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("data", [STORY, b"", b"x"])
def test_codings(coding: str, data: bytes) -> None:
    page = good(answer({"/": reply(CODINGS[coding](data), headers={"Content-Encoding": coding})}))
    assert page.body == data
    assert not page.truncated


def test_deflate_without_its_header() -> None:
    bare = zlib.compress(STORY)[2:-4]
    assert good(answer({"/": reply(bare, headers={"Content-Encoding": "deflate"})})).body == STORY


def test_several_members_and_rubbish_behind_them() -> None:
    body = gzip.compress(STORY) + gzip.compress(STORY) + b"\0\0\0rubbish"
    assert good(answer({"/": reply(body, headers={"Content-Encoding": "gzip"})})).body == STORY * 2


def test_a_gzip_label_on_plain_text() -> None:
    assert good(answer({"/": reply(STORY, headers={"Content-Encoding": "gzip"})})).body == STORY


def test_a_gzip_file() -> None:
    body = gzip.compress(STORY)
    assert good(answer({"/s.xml.gz": reply(body)}, "/s.xml.gz", kind=Kind.SITEMAP)).body == STORY
    assert good(answer({"/s.xml.gz": reply(body)}, "/s.xml.gz", kind=Kind.PICTURE)).body == body


@pytest.mark.parametrize("coding", ["br", "zstd", "deflate"])
def test_what_cannot_be_undone(coding: str) -> None:
    outcome = answer({"/": reply(b"this is not it" * 9, headers={"Content-Encoding": coding})}, kind=Kind.FEED)
    assert isinstance(outcome, Undecodable)


def test_an_unknown_coding() -> None:
    outcome = answer({"/": reply(STORY, headers={"Content-Encoding": "rot13"})})
    assert isinstance(outcome, Undecodable)
    assert "rot13" in str(outcome)


def test_fifty_codings_one_upon_the_other() -> None:
    body = STORY
    for _ in range(50):
        body = gzip.compress(body)
    outcome = answer({"/": reply(body, headers={"Content-Encoding": ", ".join(["gzip"] * 50)})})
    assert isinstance(outcome, Undecodable)
    assert "50 times" in str(outcome)


def test_fifty_headers_of_one_coding_each() -> None:
    lines = b"HTTP/1.1 200 OK\r\n" + b"Content-Encoding: gzip\r\n" * 50 + b"Content-Length: 5\r\n\r\nhello"
    assert isinstance(answer({"/": lines}), Undecodable)


def _gzip_bomb(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    return b"".join(packer.compress(zeros) for _ in range(size >> 20)) + packer.flush()


def _zstd_bomb(size: int) -> bytes:
    packer = zstandard.ZstdCompressor(level=3).compressobj()
    zeros = bytes(1 << 20)
    return b"".join(packer.compress(zeros) for _ in range(size >> 20)) + packer.flush()


def _brotli_bomb(size: int) -> bytes:
    packer = brotli.Compressor(quality=1)
    zeros = bytes(1 << 20)
    packed: bytes = b"".join(packer.process(zeros) for _ in range(size >> 20)) + packer.finish()
    return packed


@pytest.fixture(scope="module")
def bombs() -> dict[str, bytes]:
    """256 MB of zeros each; and gzip in gzip, whose few bytes become 100 GB."""
    size = 256 << 20
    zipped = _gzip_bomb(size)
    many = zlib.compressobj(9, zlib.DEFLATED, 31)
    stacked = b"".join(many.compress(zipped) for _ in range(400)) + many.flush()
    return {"gzip": zipped, "br": _brotli_bomb(size), "zstd": _zstd_bomb(size), "gzip, gzip": stacked}


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "gzip, gzip"])
@pytest.mark.parametrize("kind", [Kind.PAGE, Kind.FEED])
def test_a_bomb_is_stopped_at_the_cap_and_memory_stays_flat(bombs: dict[str, bytes], coding: str, kind: Kind) -> None:
    bomb = bombs[coding]
    limits = Limits(caps={kind: Cap(4 << 20, Over.CUT)})
    with Server({"/": reply(bomb, headers={"Content-Encoding": coding})}) as server:
        tracemalloc.start()
        outcome = fetch(server, limits=limits, kind=kind)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert isinstance(outcome, DecompressionBomb)
    assert peak < 32 << 20


def test_a_bomb_in_a_gzip_file(bombs: dict[str, bytes]) -> None:
    outcome = answer({"/feed.xml.gz": reply(bombs["gzip"])}, "/feed.xml.gz", kind=Kind.FEED)
    assert isinstance(outcome, DecompressionBomb)


def test_a_bomb_in_the_body_of_a_redirect(bombs: dict[str, bytes]) -> None:
    table = {"/": moved("/b", body=bombs["gzip"], Content_Encoding="gzip"), "/b": reply(STORY)}
    with Server(table) as server:
        tracemalloc.start()
        assert good(fetch(server)).body == STORY
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 8 << 20


def test_many_empty_parts_are_stopped() -> None:
    body = gzip.compress(b"") * 5000
    assert isinstance(answer({"/": reply(body, headers={"Content-Encoding": "gzip"})}, kind=Kind.FEED), Undecodable)
    body = zstandard.compress(b"") * 5000
    assert isinstance(answer({"/": reply(body, headers={"Content-Encoding": "zstd"})}, kind=Kind.FEED), Undecodable)


# -- how much ---------------------------------------------------------------------------------------------------


async def _endless(asked: Asked, out: asyncio.StreamWriter) -> None:
    out.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    for _ in range(1 << 14):
        out.write(b"x" * (1 << 16))
        await out.drain()


def test_a_body_of_a_gigabyte_without_length() -> None:
    page = good(answer({"/": _endless}))
    assert page.truncated
    assert len(page.body) == Limits().cap(Kind.PAGE).size
    small = Limits(caps={Kind.PICTURE: Cap(1000, Over.REFUSE)})
    assert isinstance(answer({"/": _endless}, limits=small, kind=Kind.PICTURE), TooLarge)


def test_a_length_over_the_cap_is_refused_unread() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
    assert isinstance(answer({"/": head}, kind=Kind.FEED), TooLarge)


@pytest.mark.parametrize("size", [999, 1000, 1001])
def test_the_cap_is_exact(size: int) -> None:
    limits = Limits(caps={Kind.PAGE: Cap(1000, Over.CUT), Kind.FEED: Cap(1000, Over.REFUSE)})
    page = good(answer({"/": reply(b"x" * size)}, limits=limits))
    assert len(page.body) == min(size, 1000)
    assert page.truncated == (size > 1000)
    feed = answer({"/": reply(b"x" * size)}, limits=limits, kind=Kind.FEED)
    assert isinstance(feed, TooLarge if size > 1000 else Response)


def test_a_large_error_page_is_cut() -> None:
    page = good(answer({"/": reply(b"x" * (1 << 20), 404)}, kind=Kind.FEED))
    assert page.truncated


async def _ends_early(asked: Asked, out: asyncio.StreamWriter) -> None:
    out.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this")
    await out.drain()


def test_a_connection_that_ends_early() -> None:
    page = good(answer({"/": _ends_early}))
    assert page.truncated
    assert page.body == b"only this"
    assert isinstance(answer({"/": _ends_early}, kind=Kind.FEED), Incomplete)


def test_compressed_data_that_ends_early() -> None:
    half = gzip.compress(STORY * 100)[:-20]
    headers = {"Content-Encoding": "gzip"}
    page = good(answer({"/": reply(half, headers=headers)}))
    assert page.truncated
    assert page.body.startswith(STORY)
    assert isinstance(answer({"/": reply(half, headers=headers)}, kind=Kind.FEED), Incomplete)


# -- how long ---------------------------------------------------------------------------------------------------

SHORT = Limits(deadline=0.3)


async def _drop_by_drop(asked: Asked, out: asyncio.StreamWriter) -> None:
    out.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        out.write(b"x")
        await out.drain()
        await asyncio.sleep(0.02)


async def _headers_without_end(asked: Asked, out: asyncio.StreamWriter) -> None:
    out.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        out.write(b"X-More: of the same\r\n")
        await out.drain()
        await asyncio.sleep(0.005)


async def _early_hints_without_end(asked: Asked, out: asyncio.StreamWriter) -> None:
    while True:
        out.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        await out.drain()
        await asyncio.sleep(0.005)


async def _silence(asked: Asked, out: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


@pytest.mark.parametrize("server", [_drop_by_drop, _headers_without_end, _early_hints_without_end, _silence])
def test_slow_servers_meet_the_deadline(server: Reply) -> None:
    outcome = answer({"/": server}, limits=SHORT)
    assert isinstance(outcome, DeadlineExceeded)
    assert "0.3 seconds" in str(outcome)


async def _a_flood_of_headers(asked: Asked, out: asyncio.StreamWriter) -> None:
    out.write(b"HTTP/1.1 200 OK\r\n")
    for _ in range(20_000):
        out.write(b"X-More: " + b"y" * 500 + b"\r\n")
        await out.drain()


def test_headers_that_are_too_large() -> None:
    assert isinstance(answer({"/": _a_flood_of_headers}), ConnectionFailed)


def test_a_request_may_have_a_deadline_of_its_own() -> None:
    assert isinstance(answer({"/": _silence}, seconds=0.1), DeadlineExceeded)


def test_a_lookup_that_hangs_meets_the_deadline() -> None:
    async def hanging(host: str) -> tuple[()]:
        await asyncio.sleep(60)
        return ()

    async def once() -> Outcome:
        async with Live(limits=SHORT, robots=False, pace=AT_ONCE, resolver=hanging) as live:
            return await live.fetch(Request("http://news.example/"))

    assert isinstance(asyncio.run(once()), DeadlineExceeded)


# -- what else goes wrong ---------------------------------------------------------------------------------------


async def _rubbish(asked: Asked, out: asyncio.StreamWriter) -> None:
    out.write(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
    await out.drain()


async def _nothing(asked: Asked, out: asyncio.StreamWriter) -> None:
    return


@pytest.mark.parametrize("server", [_rubbish, _nothing])
def test_servers_that_do_not_speak_http(server: Reply) -> None:
    assert isinstance(answer({"/": server}), ConnectionFailed)


def test_a_port_where_nobody_listens() -> None:
    with Server({}) as server:
        pass
    assert isinstance(fetch(server), ConnectionFailed)


def test_a_name_that_is_none() -> None:
    async def once() -> Outcome:
        async with Live() as live:
            return await live.fetch(Request("http://nowhere.invalid/"))

    outcome = asyncio.run(once())
    assert isinstance(outcome, UnknownHost)
    assert outcome.url == "http://nowhere.invalid/"


def test_a_kept_connection_that_the_server_closed_is_no_failure() -> None:
    async def once_only(asked: Asked, out: asyncio.StreamWriter) -> None:
        out.write(reply(STORY))  # says nothing of closing, and closes
        await out.drain()

    async def several(url: str) -> list[Outcome]:
        async with local() as live:
            return [await live.fetch(Request(url)) for _ in range(5)]

    with Server({"/": once_only}) as server:
        assert all(isinstance(outcome, Response) for outcome in asyncio.run(several(server.url())))


def test_errors_as_values_hold_no_frames_and_can_be_sent_to_other_processes() -> None:
    for table, kind in (
        ({"/": _ends_early}, Kind.FEED),
        ({"/": _rubbish}, Kind.PAGE),
        ({"/": moved("ftp://x/")}, Kind.PAGE),
    ):
        outcome = answer(table, kind=kind)
        assert isinstance(outcome, FetchError)
        seen: BaseException | None = outcome
        while seen is not None:
            assert seen.__traceback__ is None
            seen = seen.__cause__ or seen.__context__
        again = pickle.loads(pickle.dumps(outcome))  # noqa: S301  # our own
        assert str(again) == str(outcome)
    for error in (errors.NotNow("http://a/", "b", 3.0), errors.BadStatus("http://a/", "b", 404)):
        assert vars(pickle.loads(pickle.dumps(error))) == vars(error)  # noqa: S301  # our own


# -- many at once, and the end ----------------------------------------------------------------------------------


def test_many_tasks_share_one_pool() -> None:
    async def many(url: str) -> list[Outcome]:
        async with Live(guard=LOCAL, pace=AT_ONCE, robots=False, limits=Limits(connections=8)) as live:
            return await asyncio.gather(*(live.fetch(Request(f"{url}{number}")) for number in range(300)))

    with Server({"*": lambda asked: reply(asked.target.encode())}) as server:
        outcomes = asyncio.run(many(server.url()))
    assert [good(outcome).body.decode() for outcome in outcomes] == [f"/{number}" for number in range(300)]
    assert server.connections <= 8


def test_cancelling_leaves_the_rest_alone() -> None:
    async def some(url: str) -> Outcome:
        async with local() as live:
            tasks = [asyncio.create_task(live.fetch(Request(url + "slow"))) for _ in range(5)]
            await asyncio.sleep(0.05)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            return await live.fetch(Request(url))

    with Server({"/slow": _silence, "/": reply(STORY)}) as server:
        assert good(asyncio.run(some(server.url()))).body == STORY


@pytest.fixture
def no_threads_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    end = time.monotonic() + 10  # a thread that has handed over its result may need a moment to end
    while set(threading.enumerate()) - before and time.monotonic() < end:
        time.sleep(0.01)
    assert set(threading.enumerate()) <= before


def test_one_page_for_code_that_awaits_nothing(no_threads_left: None) -> None:
    with Server({"/": reply(STORY)}) as server:
        assert get(server.url(), open_=local).body == STORY

        async def inside_a_loop() -> Response:
            return get(server.url(), open_=local)

        assert asyncio.run(inside_a_loop()).body == STORY
        with pytest.raises(errors.BadStatus, match="404"):
            get(server.url("/nothing"), open_=local)


def test_a_pool_can_be_used_again_in_another_loop(no_threads_left: None) -> None:
    live = local()

    async def once(url: str) -> Outcome:
        async with live:
            return await live.fetch(Request(url))

    with Server({"/": reply(STORY)}) as server:
        assert good(asyncio.run(once(server.url()))).body == STORY
        assert good(asyncio.run(once(server.url()))).body == STORY
