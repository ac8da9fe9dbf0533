"""The web as it was: WARC files and folders, and caps that hold there too."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
from pathlib import Path

import brotli
import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.fetch.server import AT_ONCE, LOCAL, Server, moved, reply
from tidings import newspaper
from tidings.errors import BadArchive, DecompressionBomb, FetchError, InputError, NotRecorded, Undecodable
from tidings.fetch import (
    Archive,
    Cap,
    Fetcher,
    Folder,
    Kind,
    Limits,
    Live,
    Outcome,
    Over,
    Recording,
    Request,
    Response,
    Validators,
    replay,
)

STORY = b"<p>Seals are back in the estuary.</p>" * 50
CHUNKED = [("Transfer-Encoding", "chunked")]


def ask(fetcher: Fetcher, url: str, kind: Kind = Kind.PAGE, validators: Validators | None = None) -> Outcome:
    return asyncio.run(fetcher.fetch(Request(url, kind, validators or Validators())))


def good(outcome: Outcome) -> Response:
    assert isinstance(outcome, Response), outcome
    return outcome


def written(path: Path, *answers: tuple[str, str, list[tuple[str, str]], bytes], zipped: bool = True) -> Path:
    """A WARC file as other programs make it: version 1.0, angle brackets, records of other kinds in between."""
    records = []
    for url, status, headers, body in answers:
        http = "".join(f"{name}: {value}\r\n" for name, value in headers)
        message = f"HTTP/1.1 {status}\r\n{http}\r\n".encode() + body
        for kind, data in (("request", b"GET / HTTP/1.1\r\n\r\n"), ("response", message), ("metadata", b"")):
            head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: <{url}>\r\nWARC-Date: 2026-03-04T05:06:07Z\r\n"
            records.append(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n\r\n")
    path.write_bytes(b"".join(gzip.compress(record) if zipped else record for record in records))
    return path


@pytest.mark.parametrize("zipped", [True, False])
def test_a_file_by_another_program(tmp_path: Path, zipped: bool) -> None:
    path = written(
        tmp_path / "a.warc",
        ("http://a.example/", "200 OK", [("Content-Type", "text/html"), ("ETag", '"x"')], STORY),
        ("http://a.example/gz", "200 OK", [("Content-Encoding", "gzip")], gzip.compress(STORY)),
        ("http://a.example/br", "200 OK", [("Content-Encoding", "br")], brotli.compress(STORY)),
        (
            "http://a.example/chunked",
            "200 OK",
            [("Transfer-Encoding", "chunked")],
            b"5\r\nhello\r\n1;x\r\n!\r\n0\r\n\r\n",
        ),
        ("http://a.example/was-chunked", "200 OK", [("Transfer-Encoding", "chunked")], STORY),
        ("http://a.example/old", "301 Moved", [("Location", "/gz")], b"moved"),
        ("http://a.example/gone", "410 Gone", [], b"gone"),
        ("http://A.example:80/twice#x", "200 OK", [], b"first"),
        ("http://a.example/twice", "200 OK", [], b"second"),
        zipped=zipped,
    )
    fetcher = replay(path)
    page = good(ask(fetcher, "http://a.example/"))
    assert page.body == STORY
    assert page.content_type == "text/html"
    assert page.fetched_at > 1e9
    assert good(ask(fetcher, "http://a.example/", validators=page.validators)).not_modified
    assert good(ask(fetcher, "http://a.example/gz")).body == STORY
    assert good(ask(fetcher, "http://a.example/br")).body == STORY
    assert good(ask(fetcher, "http://a.example/chunked")).body == b"hello!"
    assert good(ask(fetcher, "http://a.example/was-chunked")).body == STORY
    redirected = good(ask(fetcher, "http://a.example/old"))
    assert redirected.url == "http://a.example/gz"
    assert redirected.body == STORY
    assert good(ask(fetcher, "http://a.example/gone")).is_gone
    assert good(ask(fetcher, "http://a.example/twice")).body == b"second"
    assert isinstance(ask(fetcher, "http://a.example/other"), NotRecorded)
    assert isinstance(ask(fetcher, "file:///etc/passwd"), FetchError)


def test_all_in_one_gzip_member(tmp_path: Path) -> None:
    plain = written(
        tmp_path / "plain.warc",
        *((f"http://a.example/{n}", "200 OK", [], STORY * n) for n in range(1, 30)),
        zipped=False,
    )
    zipped = tmp_path / "one.warc.gz"
    zipped.write_bytes(gzip.compress(plain.read_bytes()))
    archive = Archive.of(zipped)
    assert len(archive.heads) == 29
    for number in (29, 3, 17, 1):
        assert good(ask(archive, f"http://a.example/{number}")).body == STORY * number


def test_what_is_recorded_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "kept.warc.gz"
    headers = {"Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip", "ETag": '"1"'}
    table = {"/": moved("/b", 301), "/b": reply(gzip.compress(STORY), headers=headers), "/no": reply(b"no", 404)}

    async def keep(server: Server) -> list[Outcome]:
        async with Live(guard=LOCAL, pace=AT_ONCE, robots=False) as live:
            with Recording(live, path) as recording:
                return [await recording.fetch(Request(server.url(target))) for target in ("/", "/no")]

    with Server(table) as server:
        live = asyncio.run(keep(server))
    again = replay(path)
    for target, before in zip(("/", "/no"), live, strict=True):
        after = good(ask(again, server.url(target)))
        assert isinstance(before, Response)
        assert (after.url, after.status, after.body) == (before.url, before.status, before.body)
        assert after.redirects == before.redirects
        assert after.content_type == before.content_type
        assert abs(after.fetched_at - before.fetched_at) < 0.001
    with path.open("rb") as stream:  # and another program reads it too
        records = list(ArchiveIterator(stream))
    assert [record.rec_type for record in records] == ["warcinfo", "response", "response", "response"]


def test_recording_adds_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "kept.warc.gz"
    root = newspaper.path() / "html"
    for name in ("grey-seals-return", "index"):
        with Recording(Folder(root), path) as recording:
            asyncio.run(recording.fetch(Request(f"http://gazette/{name}.html")))
    assert list(Archive.of(path).heads) == ["http://gazette/grey-seals-return.html", "http://gazette/index.html"]


def test_recording_on_a_full_disk(tmp_path: Path) -> None:
    recording = Recording(Folder(newspaper.path() / "html"), Path("/dev/full"))
    with pytest.raises(BadArchive, match="cannot be written"):
        asyncio.run(recording.fetch(Request("http://gazette/grey-seals-return.html")))


# -- hostile ----------------------------------------------------------------------------------------------------


def test_a_bomb_in_a_record(tmp_path: Path) -> None:
    bomb = gzip.compress(bytes(64 << 20))
    path = written(tmp_path / "b.warc.gz", ("http://a.example/", "200 OK", [("Content-Encoding", "gzip")], bomb))
    fetcher = Archive.of(path, Limits(caps={Kind.PAGE: Cap(4 << 20, Over.CUT)}))
    tracemalloc.start()
    outcome = ask(fetcher, "http://a.example/")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(outcome, DecompressionBomb)
    assert peak < 16 << 20


def test_a_bomb_around_a_record(tmp_path: Path) -> None:
    """A few bytes of the file itself that become very many."""
    path = tmp_path / "b.warc.gz"
    size = 128 << 20
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: {size}\r\n\r\n"
    with path.open("wb") as stream, gzip.open(stream, "wb") as packed:
        packed.write(head.encode())
        for _ in range(size >> 20):
            packed.write(bytes(1 << 20))
    tracemalloc.start()
    with pytest.raises(BadArchive, match="become more than"):
        Archive.of(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20


@pytest.mark.parametrize(
    "data",
    [
        b"this is no WARC file at all, and it goes on for a while\n" * 2000,
        b"WARC/1.1\r\nWARC-Type: response\r\n\r\n",
        b"WARC/1.1\r\nContent-Length: -5\r\n\r\n",
        b"WARC/1.1\r\nContent-Length: " + b"9" * 50 + b"\r\n\r\n",
        b"WARC/1.1\r\nX: " + b"y" * 200_000,
        b"\x1f\x8b\x08\x00 damaged",
        b"\n" * 10 + b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n",
    ],
)
def test_files_that_are_none(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(data)
    with pytest.raises(BadArchive):
        replay(path)


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.warc"
    path.write_bytes(b"")
    assert isinstance(ask(replay(path), "http://a.example/"), NotRecorded)


def test_a_file_that_was_cut_off(tmp_path: Path) -> None:
    whole = written(tmp_path / "a.warc", ("http://a.example/1", "200 OK", [], STORY), zipped=False).read_bytes()
    second = written(tmp_path / "b.warc", ("http://a.example/2", "200 OK", [], STORY * 9), zipped=False).read_bytes()
    at = second.index(b"Seals") + 500
    for name, data in (
        ("cut.warc", whole + second[:at]),
        ("cut.warc.gz", gzip.compress(whole) + gzip.compress(second[:at])),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        fetcher = replay(path)
        assert good(ask(fetcher, "http://a.example/1")).body == STORY
        assert isinstance(ask(fetcher, "http://a.example/2"), Undecodable)


@pytest.mark.parametrize("length", [10**12, 2**63 - 1, 2**63, 10**19 - 1])
def test_a_record_longer_than_any_file(tmp_path: Path, length: int) -> None:
    """What stands before it is read; it and what may follow are not."""
    path = written(tmp_path / "a.warc", ("http://a.example/1", "200 OK", [], STORY), zipped=False)
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/2\r\nContent-Length: {length}\r\n\r\n"
    path.write_bytes(path.read_bytes() + head.encode() + b"HTTP/1.1 200 OK\r\n\r\nshort")
    fetcher = replay(path)
    assert good(ask(fetcher, "http://a.example/1")).body == STORY
    assert isinstance(ask(fetcher, "http://a.example/2"), Undecodable)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no WARC file or folder"):
        replay(tmp_path / "nothing.warc")


# -- folders ----------------------------------------------------------------------------------------------------


def test_a_folder(tmp_path: Path) -> None:
    for name, text in {
        "a.example/index.html": "front",
        "a.example/story.html": "story",
        "a.example/story": "no ending",
        "a.example/list?page=2": "second",
        "a.example:8080/x/index.html": "port",
        "a.example/feed.xml.gz": "",
        "secret.txt": "secret",
    }.items():
        file = tmp_path / "web" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "web/a.example/feed.xml.gz").write_bytes(gzip.compress(b"<rss/>"))
    (tmp_path / "outside.html").write_text("outside")
    (tmp_path / "web/a.example/link.html").symlink_to(tmp_path / "outside.html")
    folder = replay(tmp_path / "web")
    for url, body in {
        "http://a.example/": b"front",
        "http://a.example": b"front",
        "http://a.example/story": b"no ending",
        "http://a.example/story.html?utm=1": b"story",
        "http://a.example/list?page=2": b"second",
        "http://a.example:8080/x": b"port",
        "http://a.example/feed.xml.gz": b"<rss/>",
    }.items():
        assert good(ask(folder, url)).body == body
    assert good(ask(folder, "http://a.example/feed.xml.gz")).content_type == "application/xml"
    for url in (
        "http://a.example/none",
        "http://a.example/..%2f..%2foutside.html",
        "http://a.example/%2e%2e/secret.txt",
        "http://a.example/..%2fa.example:8080/x/index.html",
        "http://a.example/" + "x" * 5000,
        "http://a.example/..%5c..%5coutside.html",
        "http://a.example//etc/passwd",
        "http://a.example/a%00b",
        "http://a.example/link.html",
        "http://b.example/",
    ):
        assert isinstance(ask(folder, url), NotRecorded)
