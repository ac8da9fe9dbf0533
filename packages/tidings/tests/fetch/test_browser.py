"""Pages that are empty without scripts, in a real browser that can reach nothing by itself."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fetch.server import AT_ONCE, LOCAL, Asked, Reply, Server, moved, reply
from tests.support import needs
from tidings.errors import BrowserFailed, ConnectionFailed, DeadlineExceeded, FetchError, RefusedAddress
from tidings.fetch import Browser, Cap, Kind, Limits, Live, Outcome, Over, Request, Response, require
from tidings.fetch.rendering.browser import RenderedPage

HTML = {"Content-Type": "text/html; charset=utf-8"}
SCRIPT = {"Content-Type": "text/javascript"}


def page(body: str) -> bytes:
    return reply(f"<!DOCTYPE html><html><body>{body}</body></html>".encode(), headers=HTML)


@dataclass
class Shown:
    """One browser for all tests, in a loop that goes on between them."""

    runner: asyncio.Runner
    browser: Browser

    def __call__(self, server: Server, path: str = "/", seconds: float | None = None) -> Outcome:
        return self.runner.run(self.browser.fetch(Request(server.url(path), seconds=seconds)))


@pytest.fixture(scope="module")
def shown(chromium: str) -> Iterator[Shown]:
    limits = Limits(caps={Kind.PAGE: Cap(50_000, Over.CUT)})
    live = Live(guard=LOCAL, pace=AT_ONCE, robots=False)
    with asyncio.Runner() as runner:
        browser = Browser(live, limits=limits, settle=0.6, window=(800, 600), executable=chromium)
        yield Shown(runner, browser)
        runner.run(browser.aclose())
        runner.run(live.aclose())


def good(outcome: Outcome) -> Response:
    assert isinstance(outcome, Response), outcome
    return outcome


def test_a_page_that_is_empty_without_its_scripts(shown: Shown) -> None:
    json = {"Content-Type": "application/json"}
    table = {
        "/": moved("/app/"),
        "/app/": page("<div id=root></div><script src=app.js></script><img src=a.png><video src=a.mp4></video>"),
        "/app/app.js": reply(
            b"fetch('data.json').then(r => r.json()).then(d => root.innerHTML = '<p>' + d.text + '</p>')",
            headers=SCRIPT,
        ),
        "/app/data.json": reply('{"text": "Robben sind zurück."}'.encode(), headers=json),
    }
    with Server(table) as server:
        story = good(shown(server))
    assert "<p>Robben sind zurück.</p>" in story.body.decode("utf-8")
    assert story.content_type == "text/html; charset=utf-8"
    assert story.url == server.url("/app/")
    assert server.paths == ["/", "/app/", "/app/app.js", "/app/data.json"]  # no picture, no film


EVIL = """
<link rel=preconnect href="http://127.0.0.1:{port}"><link rel=dns-prefetch href="//evil.example">
<link rel=prefetch href="http://127.0.0.1:{port}/prefetch"><link rel=stylesheet href="http://127.0.0.1:{port}/a.css">
<script src="http://127.0.0.1:{port}/a.js"></script><iframe src="http://127.0.0.1:{port}/frame"></iframe>
<iframe src="file:///etc/passwd"></iframe><img src="http://127.0.0.1:{port}/a.png">
<script>
  for (const address of ["http://127.0.0.1:{port}/fetch", "http://[::1]:{port}/", "http://127.1:{port}/"])
    fetch(address).then(r => r.text()).then(t => document.body.append("STO" + "LEN " + t)).catch(() => 0);
  navigator.sendBeacon("http://127.0.0.1:{port}/beacon", "x");
  new WebSocket("ws://127.0.0.1:{port}/socket");
  new EventSource("http://127.0.0.1:{port}/events");
  fetch("http://127.0.0.1:{port}/post", {{method: "POST", body: "x"}}).catch(() => 0);
  fetch("/redirects-inside").then(r => r.text()).then(t => document.body.append("STO" + "LEN " + t)).catch(() => 0);
  navigator.serviceWorker.register("/worker.js").catch(() => 0);
  const peer = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:{port}"}}]}});
  peer.createDataChannel("x"); peer.createOffer().then(o => peer.setLocalDescription(o));
  window.open("http://127.0.0.1:{port}/window");
  document.body.append("done");
</script>"""


def test_its_own_requests_go_through_the_guard(shown: Shown) -> None:
    with Server({"*": reply(b"secret", headers={"Access-Control-Allow-Origin": "*"})}) as inside:
        table = {
            "/": page(EVIL.format(port=inside.port)),
            "/redirects-inside": moved(f"http://127.0.0.1:{inside.port}/by-redirect"),
        }
        with Server(table) as server:
            html = good(shown(server)).body.decode("utf-8")
    assert "done" in html
    assert "STOLEN" not in html
    assert "/redirects-inside" in server.paths
    assert inside.connections == 0


def test_a_page_that_the_guard_refuses(shown: Shown) -> None:
    assert isinstance(shown.runner.run(shown.browser.fetch(Request("http://127.0.0.1/"))), RefusedAddress)


def test_what_is_no_page_comes_as_it_is(shown: Shown) -> None:
    table = {"/a.pdf": reply(b"%PDF", headers={"Content-Type": "application/pdf"}), "/no": reply(b"no", 404)}
    with Server(table) as server:
        assert good(shown(server, "/a.pdf")).body == b"%PDF"
        assert good(shown(server, "/no")).status == 404


def test_scripts_without_end_meet_the_deadline(shown: Shown) -> None:
    with Server({"/": page("<script>for (;;) {}</script>")}) as server:
        assert isinstance(shown(server, seconds=1.5), DeadlineExceeded)


AWAY = {
    "script": "<script>location = '{}'</script>",
    "later": "<script>setTimeout(() => location.assign('{}'), 100)</script>",
    "meta": "<meta http-equiv=refresh content='0; url={}'>",
    "form": "<form method=get action='{}'></form><script>document.forms[0].submit()</script>",
}


@pytest.mark.parametrize("way", AWAY)
def test_the_browsers_own_error_page_is_no_page(shown: Shown, way: str) -> None:
    """HOSTILE 39: led to what is refused, Chromium shows a page that says "blocked"; it must not become an article."""
    with Server({"*": reply(b"secret")}) as inside:
        with Server({"/": page(f"<p>Seals</p>{AWAY[way].format(f'http://127.0.0.1:{inside.port}/')}")}) as server:
            outcome = shown(server)
        assert inside.connections == 0
    assert isinstance(outcome, RefusedAddress), outcome
    assert f"127.0.0.1:{inside.port}" in str(outcome)


def test_a_page_that_scripts_lead_to_and_that_cannot_be_had(shown: Shown) -> None:
    posts = "<form method=post action=/there></form><script>document.forms[0].submit()</script>"
    table: dict[str, Reply] = {
        "/breaks": page("<script>location = '/nothing'</script>"),
        "/nothing": _nothing,
        "/missing": page("<script>location = '/no'</script>"),
        "/no": reply(b"<p>There is no such page here, nor was there ever.</p>", 404, HTML),
        "/empty": page("<script>location = '/none'</script>"),
        "/none": reply(b"", 500, HTML),
        "/posts": page(posts),
    }
    with Server(table) as server:
        assert isinstance(shown(server, "/breaks"), ConnectionFailed)
        assert isinstance(shown(server, "/posts"), BrowserFailed)
        with pytest.raises(FetchError):
            require(shown(server, "/empty"))
        missing = good(shown(server, "/missing"))
    assert missing.status == 404
    assert missing.url == server.url("/no")


async def _nothing(asked: Asked, out: asyncio.StreamWriter) -> None:
    return


def test_a_script_may_lead_to_another_page(shown: Shown) -> None:
    with Server({"/": page("<script>location = '/story'</script>"), "/story": page("<p>Seals</p>")}) as server:
        story = good(shown(server))
    assert "Seals" in story.body.decode()
    assert story.url == server.url("/story")


def test_html_over_the_cap_is_cut(shown: Shown) -> None:
    with Server({"/": page("<script>document.body.append('x'.repeat(100000))</script>")}) as server:
        story = good(shown(server))
    assert story.truncated
    assert len(story.body) == 50_000


def test_a_page_that_hides_its_html(shown: Shown) -> None:
    script = "<script>Object.defineProperty(Element.prototype, 'outerHTML', {get() { throw new Error('no') }})</script>"
    with Server({"/": page(script)}) as server:
        assert isinstance(shown(server), BrowserFailed)


def test_dialogs_do_not_hold_it_up(shown: Shown) -> None:
    with Server({"/": page("<script>alert(1); confirm(2); document.body.append('after')</script>")}) as server:
        assert "after" in good(shown(server)).body.decode()


BOXES = """() => [...document.querySelectorAll("h1")].map(heading => {
  const box = heading.getBoundingClientRect();
  return [box.x, box.width];
})"""


def test_a_function_on_the_page_and_its_picture(shown: Shown) -> None:
    async def several(server: Server) -> list[RenderedPage | FetchError]:
        request = Request(server.url())
        return [
            await shown.browser.look(request, BOXES, screenshot=True),
            await shown.browser.look(request, "() => undefined"),
            await shown.browser.look(request, "() => { throw new Error('x') }"),
        ]

    with Server({"/": page("<h1 style='position:absolute;left:10px;width:300px'>Seals</h1>")}) as server:
        boxes, nothing, thrown = shown.runner.run(several(server))
    assert isinstance(boxes, RenderedPage)
    assert boxes.value == [[10, 300]]
    assert boxes.screenshot is not None
    assert boxes.screenshot.startswith(b"\x89PNG")
    assert isinstance(nothing, RenderedPage)
    assert nothing.value is None
    assert isinstance(thrown, BrowserFailed)


def test_a_browser_that_is_killed_is_an_error_once(shown: Shown) -> None:
    async def killed(server: Server) -> tuple[Outcome, Outcome]:
        showing = asyncio.create_task(shown.browser.fetch(Request(server.url("/loops"))))
        while "/part" not in server.paths:
            await asyncio.sleep(0.01)
        _kill_children()
        return await showing, await shown.browser.fetch(Request(server.url()))

    loops = page("<script src=/part></script><script>for (;;) {}</script>")
    with Server({"/": page("Seals"), "/loops": loops, "/part": reply(b"", headers=SCRIPT)}) as server:
        dead, again = shown.runner.run(killed(server))
    assert isinstance(dead, BrowserFailed)
    assert "Seals" in good(again).body.decode()


def _kill_children() -> None:
    """Kill the browsers that this process started, and nothing else."""
    mine = {os.getpid()}
    parents = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208  # names are all that is wanted
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="latin-1") as stat:  # noqa: PTH123
                    name, _, rest = stat.read().rpartition(")")
            except OSError:
                continue
            parents[int(entry)] = (int(rest.split()[1]), name.partition("(")[2])
    grown = True
    while grown:
        found = {pid for pid, (parent, _) in parents.items() if parent in mine} - mine
        mine |= found
        grown = bool(found)
    for pid in mine - {os.getpid()}:
        if "chrom" in parents[pid][1]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def failed(executable: str | None = None) -> str:
    """What is said of a browser that does not start."""

    async def once(url: str) -> Outcome:
        async with (
            Live(guard=LOCAL, pace=AT_ONCE, robots=False) as live,
            Browser(live, executable=executable) as browser,
        ):
            return await browser.fetch(Request(url))

    with Server({"/": page("x")}) as server:
        outcome = asyncio.run(once(server.url()))
    assert isinstance(outcome, BrowserFailed)
    return str(outcome)


def test_no_browser_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "no Chromium on the PATH" in failed()


def test_a_browser_that_may_not_lock_itself_in(tmp_path: Path) -> None:
    """As in a container: Chromium says so and ends, and Playwright says it in twenty lines."""
    needs("playwright")
    refusing = tmp_path / "chromium"
    refusing.write_text("#!/bin/sh\necho 'zygote_host_impl_linux.cc: No usable sandbox!' >&2\nexit 1\n")
    refusing.chmod(0o755)
    said = failed(str(refusing))
    assert "seccomp=unconfined" in said
    assert "\n" not in said


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Playwright leaves its pipes open
def test_a_driver_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the system has no libatomic: Node ends before it said a word."""
    needs("playwright")
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/bin/false")
    assert "driver does not start" in failed("/bin/false")
    gc.collect()  # they are complained of here, not in a test that comes later
