"""The reader in a real browser: no script of a page runs, nothing is asked elsewhere, and a person can read."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.fetch.server import Server, reply
from tests.portal import housed
from tests.portal.reader import hostile
from tidings import newspaper
from tidings_portal import store
from tidings_portal.app import application
from tidings_portal.web.settings import PortalSettings

SEALS = next(newspaper.pages("gazette", page_type="article"))
#: Those that have got past somebody's sanitiser, or need a browser to show what they do.
NASTIEST = (
    "javascript entities",
    "srcdoc",
    "frame",
    "svg style",
    "mathml mutation",
    "form mutation",
    "noscript",
    "title mutation",
    "cdata",
    "base",
    "refresh",
    "css",
    "unclosed",
)


@dataclass
class Window:
    """A browser window before a running portal, and what went out of it."""

    page: Page
    home: str
    complaints: list[str] = field(default_factory=list)

    def is_owned(self) -> bool:
        return bool(self.page.evaluate("window.top.__owned === 1"))


@pytest.fixture(scope="module")
def evil() -> Iterator[Server]:
    """The host that all hostile pages want to reach: it is there, and counts who comes."""
    with Server({"*": reply(b"", headers={"Content-Type": "text/plain"})}) as listening:
        yield listening


@pytest.fixture(scope="module")
def browser(chromium: str, evil: Server) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        arguments = [f"--host-resolver-rules=MAP evil.example 127.0.0.1:{evil.port}"]
        arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
        running = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield running
        running.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A portal on a port of this machine, whose web holds the hostile pages and one of the newspaper."""
    path = tmp_path_factory.mktemp("reader") / "news.tidings"
    store.open(path).close()
    kind = "text/html; charset=utf-8"
    pages = {
        f"http://evil.example/{name.replace(' ', '-')}": (kind, hostile.page(hostile.PIECES[name])) for name in NASTIEST
    }
    pages[SEALS.url] = (kind, SEALS.html)
    with housed.app(path, PortalSettings(minute_fetches=10_000), housed.Web(pages)) as app:
        server = uvicorn.Server(uvicorn.Config(application(app), port=0, log_level="warning", lifespan="off"))
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            threading.Event().wait(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join(20)


def is_complaint(said: ConsoleMessage) -> bool:
    """Return whether the browser complains of something else than a picture that the portal could not load."""
    return said.type == "error" and "/picture/" not in said.location["url"]


@pytest.fixture(scope="module")
def one_window(browser: Browser, home: str) -> Iterator[Window]:
    page = browser.new_page()
    page.set_default_timeout(30_000)
    made = Window(page, home)
    page.on("dialog", lambda dialog: made.complaints.append(dialog.message))
    page.on("console", lambda said: made.complaints.append(said.text) if is_complaint(said) else None)
    page.on("pageerror", lambda error: made.complaints.append(str(error)))
    yield made
    page.close()


@pytest.fixture
def window(one_window: Window) -> Window:
    one_window.page.goto("about:blank")
    one_window.complaints.clear()
    return one_window


@pytest.mark.parametrize("name", NASTIEST)
def test_nothing_runs_and_nothing_leaves(window: Window, evil: Server, name: str) -> None:
    url = quote(f"http://evil.example/{name.replace(' ', '-')}", safe="")
    page = window.page
    read = f"{window.home}/read?url={url}&with=everything"
    page.goto(read)
    expect(page.locator(".prose")).to_contain_text("Grey seals are breeding again")
    assert not window.is_owned()
    assert page.url == read  # no refresh led away
    assert window.complaints == []  # the policy had nothing to stop: it was all gone before
    page.goto(f"{window.home}/read/taken?url={url}")
    drawn = page.frame_locator("iframe.drawn")
    expect(drawn.locator("body")).to_contain_text("Grey seals are breeding again")
    assert not window.is_owned()
    page.goto(f"{window.home}/read/drawn?url={url}")  # also as a page of its own
    assert not window.is_owned()
    assert evil.connections == 0


def test_links_that_are_left_do_nothing_when_clicked(window: Window, evil: Server) -> None:
    page = window.page
    page.goto(f"{window.home}/read?url={quote('http://evil.example/base', safe='')}&with=everything")
    assert page.locator(".prose a").count() > 3
    page.locator(".prose a").first.click()
    assert page.url.startswith(window.home + "/read?url=")  # relative ones of the page's base, too
    assert evil.connections == 0
    assert not window.is_owned()


def test_a_person_reads(window: Window) -> None:
    page = window.page
    page.goto(f"{window.home}/read")
    page.get_by_label("URL of a page").fill(SEALS.url)
    page.get_by_role("button", name="Read", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(SEALS.gold["title"])
    expect(page.get_by_role("button", name="Print")).to_be_visible()  # shown by our script
    expect(page.get_by_role("button", name="Listen")).to_be_visible()
    page.get_by_text("Another method").click()
    page.get_by_role("combobox", name="Method", exact=True).select_option("bte")
    page.get_by_role("button", name="Extract again").click()
    expect(page.locator(".meta")).to_contain_text("by bte")
    page.get_by_text("Another method").click()
    page.get_by_label("Or a combination").fill("union(bte, ")
    page.get_by_role("button", name="Extract again").click()
    expect(page.get_by_role("alert")).to_contain_text("^")
    page.get_by_label("Or a combination").fill("bte & cetd")
    page.get_by_role("button", name="Extract again").click()
    expect(page.locator(".prose")).to_contain_text("Grey seals are back")
    usual = page.locator(".prose").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    page.get_by_text("Appearance").click()
    page.get_by_role("combobox", name="Size").select_option("huge")
    page.locator(".appearance").get_by_role("combobox", name="Theme").select_option("dark")
    page.locator(".appearance").get_by_role("button", name="Apply").click()
    assert page.locator(".prose").evaluate("node => parseFloat(getComputedStyle(node).fontSize)") > usual
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.get_by_role("link", name="Extracted text").click()
    expect(page.frame_locator("iframe.drawn").locator("mark.tidings").first).to_be_attached()
    page.go_back()
    page.get_by_role("button", name="Save to the store").click()
    expect(page.locator("h1.page-title")).to_have_text(SEALS.gold["title"])
    assert "/article/" in page.url
    assert [one for one in window.complaints if "400" not in one] == []  # the wrong combination is answered by a 400


@pytest.mark.parametrize(
    "dark", [pytest.param(False, id="light", marks=pytest.mark.soak), pytest.param(True, id="dark")]
)
def test_it_is_for_everybody(browser: Browser, home: str, dark: bool) -> None:
    """axe-core finds nothing against WCAG 2.2 A and AA on any kind of page, with all that can be opened open."""
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
    context = browser.new_context(color_scheme="dark" if dark else "light", viewport={"width": 390, "height": 844})
    page = context.new_page()
    here = quote(SEALS.url, safe="")
    for path in (
        "/read",
        f"/read?url={here}",
        f"/read?url={here}&expression=union(bte",
        "/read?url=http%3A%2F%2Fnowhere.example%2F",
        f"/read/taken?url={here}",
    ):
        page.goto(home + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        found = Axe().run(page, options=rules).response["violations"]
        assert [(one["id"], node["html"][:200]) for one in found for node in one["nodes"]] == [], path
    context.close()


def test_it_works_without_scripts_and_on_a_phone(browser: Browser, home: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{home}/read?url={quote(SEALS.url, safe='')}")
    expect(page.locator(".prose")).to_contain_text("Grey seals are back")
    expect(page.get_by_role("button", name="Listen")).to_be_hidden()
    page.get_by_text("Another method").click()
    page.get_by_role("combobox", name="Method", exact=True).select_option("everything")
    page.get_by_role("button", name="Extract again").click()
    expect(page.locator(".meta")).to_contain_text("by everything")
    assert page.locator("html").evaluate("root => root.scrollWidth <= root.clientWidth")
    context.close()


def test_the_host_could_have_been_reached(browser: Browser, evil: Server) -> None:
    """Else the tests above could not fail. It runs last: after it, somebody has been there."""
    page = browser.new_page()
    page.goto("http://evil.example/direct")
    page.close()
    assert "/direct" in evil.paths
