"""`tidings serve --workers 2` as people run it: one house to every visitor, whichever process answers."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import ceil
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.portal.serving import Served, served, site
from tests.portal.staff import is_alive, only, staff, until
from tidings_portal.watch.sample_web import NAME

pytestmark = [pytest.mark.gate, pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")]


PROXY = "127.0.0.8"
HEALTH = 'tidings_http_requests_total{method="GET",route="/healthz",status="200"}'
TITLE = "Ferry waits for the tide"
TEXT = "".join(
    f"<p>{sentence}</p>"
    for sentence in (
        "The ferry to Little Wexcombe waits for the tide twice a day, and since Monday it waits for its captain too.",
        "She has taken a room above the ropewalk, from where she says the sea can be heard but not seen.",
        "The harbour office has asked the passengers to bring a book, and has lent some of its own.",
    )
)
FERRY = {
    "/feed.xml": (
        "application/rss+xml",
        f"""<?xml version="1.0"?><rss version="2.0"><channel><title>Ferry News</title><link>{{here}}/</link>
        <item><title>{TITLE}</title><link>{{here}}/tide</link></item></channel></rss>""",
    ),
    "/tide": (
        "text/html",
        f"<!doctype html><html lang=en><title>{TITLE}</title><article><h1>{TITLE}</h1>{TEXT}</article></html>",
    ),
    "/robots.txt": ("text/plain", ""),
}


@pytest.fixture(scope="module")
def portal(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("shared") / "news.tidings"
    shutil.copy(filled, path)
    with served(path, "--workers", "2", "--allow-host", "127.0.0.1", "--trusted-proxy", PROXY) as opened:
        yield opened
        a_killed_parent_leaves_nobody_behind(opened)


def a_killed_parent_leaves_nobody_behind(portal: Served) -> None:
    """No process, no file, no open port."""
    numbers = staff(portal)
    folders = {one for one in Path(tempfile.gettempdir()).glob("tidings-*") if list(one.glob("counter_*.db"))}
    os.kill(portal.process.pid, signal.SIGKILL)
    until(lambda: not any(is_alive(number) for number in numbers))
    assert any(not one.exists() for one in folders)
    with pytest.raises(ConnectionRefusedError):
        get(portal, "/healthz")


def get(portal: Served, path: str, cookie: str = "", source: str = "127.0.0.1") -> http.client.HTTPResponse:
    """Ask on a connection of its own, from an address of this machine."""
    return _asked(portal, "GET", path, "", {"Cookie": cookie} if cookie else {}, source)


def post(portal: Served, path: str, cookie: str, **fields: str) -> http.client.HTTPResponse:
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    return _asked(portal, "POST", path, urlencode(fields), headers)


def _asked(
    portal: Served, method: str, path: str, body: str, headers: dict[str, str], source: str = "127.0.0.1"
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(portal.host, portal.port, timeout=60, source_address=(source, 0))
    connection.request(method, path, body, {"Host": "localhost", "Connection": "close", **headers})
    return connection.getresponse()


def page(portal: Served, path: str, cookie: str = "") -> str:
    with get(portal, path, cookie) as answer:
        assert answer.status == 200
        return answer.read().decode()


def visitor(portal: Served) -> tuple[str, str]:
    """The cookie of a browser, and the token of its forms."""
    with get(portal, "/sources") as answer:
        cookie = (answer.headers["set-cookie"] or "").partition(";")[0]
        token = re.search(r'name="token" value="(\w+)"', answer.read().decode())
    assert token
    return cookie, token[1]


def measured(portal: Served, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", page(portal, "/metrics"), re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_each_of_them_answers_and_they_are_one_house(portal: Served) -> None:
    first, second = staff(portal)
    with only(portal, first):
        cookie, token = visitor(portal)
        before = measured(portal, HEALTH)
        assert page(portal, "/healthz")
    with only(portal, second):
        assert page(portal, "/healthz")
        assert measured(portal, HEALTH) == before + 2  # whoever is asked tells of all
        with post(portal, "/preferences", cookie, token=token, language="tr") as answer:
            assert answer.status == 303  # a form that the other one gave
        assert measured(portal, "tidings_processes") == 2
    assert staff(portal) == [first, second]


def test_a_limit_is_one_for_all_of_them(portal: Served) -> None:
    first, second = staff(portal)
    begun = time.monotonic()
    with only(portal, first):
        for _ in range(15):
            assert refused(portal) != 429
    allowed = 0
    with only(portal, second):
        while refused(portal) != 429:
            allowed += 1
            assert allowed < 30
    filled_again = (time.monotonic() - begun) * 30 / 60
    assert allowed <= 15 + ceil(filled_again)


def test_the_limit_of_a_visitor_behind_a_named_proxy_is_one_for_all_of_them(portal: Served) -> None:
    def read(visitor: str) -> int:
        path = "/read?" + urlencode({"url": "http://10.0.0.1/"})
        with _asked(portal, "GET", path, "", {"X-Forwarded-For": f"192.0.2.1, {visitor}"}, PROXY) as answer:
            return answer.status

    first, second = staff(portal)
    with only(portal, first):
        while read("198.51.100.7") != 429:
            pass
        assert read("198.51.100.8") == 403
    with only(portal, second):
        assert 429 in {read("198.51.100.7") for _ in range(3)}  # one or two may have come back meanwhile
        assert read("198.51.100.9") == 403


def refused(portal: Served) -> int:
    """Ask the reader for a page in a private network: the turn is taken, and nothing is fetched."""
    with get(portal, "/read?" + urlencode({"url": "http://10.0.0.1/"}), source="127.0.0.9") as answer:
        return answer.status


def test_a_feed_added_by_form_shows_its_articles_to_all(portal: Served) -> None:
    first, second = staff(portal)
    with site(FERRY) as ferry:
        with only(portal, first):
            cookie, token = visitor(portal)
            assert TITLE not in page(portal, "/latest", cookie)
        told = {"token": token, "address": f"{ferry}/feed.xml"}
        with only(portal, second), post(portal, "/sources", cookie, **told) as answer:
            assert answer.status == 303, answer.read().decode()
            path = answer.headers["location"] or ""
        for number in (first, second):
            with only(portal, number):
                until(lambda: TITLE in page(portal, path, cookie))
                until(lambda: TITLE in page(portal, "/latest", cookie))


def test_what_one_changes_the_other_does_not_show_as_it_was(portal: Served) -> None:
    first, second = staff(portal)
    with only(portal, first):
        cookie, token = visitor(portal)
        assert NAME in page(portal, "/", cookie)  # from now on it is kept for some seconds
    with only(portal, second), post(portal, "/sample/remove", cookie, token=token) as answer:
        assert answer.status == 303
    with only(portal, first):
        assert NAME not in page(portal, "/", cookie)


def test_one_that_is_killed_is_replaced_and_nobody_notices(portal: Served) -> None:
    before = staff(portal)
    assert page(portal, "/healthz")
    counted, replaced = measured(portal, HEALTH), measured(portal, "tidings_processes_replaced_total")
    os.kill(before[0], signal.SIGKILL)
    for _ in range(5):
        assert page(portal, "/latest")
    until(lambda: len(staff(portal)) == 2 and measured(portal, "tidings_processes") == 2)
    after = staff(portal)
    assert before[0] not in after
    assert before[1] in after
    for number in after:
        with only(portal, number):
            assert measured(portal, HEALTH) >= counted  # what the dead one counted is not lost
            assert measured(portal, "tidings_processes_replaced_total") == replaced + 1


def test_the_end_waits_for_what_is_under_way(filled: Path, tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    shutil.copy(filled, path)
    slow = _Slow()
    # A reader that is started now would have to be ready within the five seconds that what is under way has.
    options = ("--workers", "2", "--no-watch", "--allow-host", "127.0.0.1", "--readers", "0")
    with slow.site() as address, served(path, *options) as portal:
        numbers = staff(portal)
        got: list[tuple[int, str]] = []

        def read() -> None:
            with get(portal, "/read?" + urlencode({"url": address})) as answer:
                got.append((answer.status, answer.read().decode()))

        reader = threading.Thread(target=read)
        reader.start()
        assert slow.asked.wait(30)
        for number in (*numbers, portal.process.pid):  # as systemd does
            os.kill(number, signal.SIGTERM)
        until(lambda: sum(is_alive(number) for number in numbers) == 1)  # the other one had nothing to do
        slow.let_go.set()
        reader.join(30)
        assert portal.process.wait(30) == 0
        assert got[0][0] == 200
        assert "waits for the tide" in got[0][1]
        assert not any(is_alive(number) for number in numbers)
        assert portal.process.stderr is not None
        assert portal.process.stderr.read() == ""


class _Slow:
    """A page that comes when it is let go."""

    def __init__(self) -> None:
        self.asked, self.let_go = threading.Event(), threading.Event()

    @contextmanager
    def site(self) -> Iterator[str]:
        slow = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                is_page = self.path == "/tide"
                if is_page:
                    slow.asked.set()
                    slow.let_go.wait(30)
                body = FERRY["/tide"][1].encode() if is_page else b""
                self.send_response(200)
                self.send_header("Content-Type", "text/html" if is_page else "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Quiet."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_address[1]}/tide"
            finally:
                self.let_go.set()
                server.shutdown()


@pytest.mark.parametrize("wrong", ["port", "store"])
def test_what_cannot_be_opened_is_said_once(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1]) if wrong == "port" else "0"
        if wrong == "store":
            path.write_bytes(b"no store at all" * 1000)
        command = [sys.executable, "-m", "tidings", "serve", "--workers", "2", "--port", port, "--store", str(path)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode in {1, 2}
    assert "Traceback" not in ended.stderr
    assert ended.stderr.count("tidings: ") == 1
    assert ("--port" if wrong == "port" else path.name) in ended.stderr
