"""The portal in a real browser: it shows, takes a feed, finds, tells, reads; without a mistake, and for everybody.

On every kind of page: no error in the console, no request that leaves the machine, and nothing that axe-core finds
against WCAG 2.2 at levels A and AA, on a phone and on a desk, by day and by night.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize

from tests.portal.serving import Served, served, site
from tidings_portal import store as stores
from tidings_portal.store.records_of_work import NewSource

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
WITH_ERRORS = ("/nothing", "/search?q=%22")
DESK, PHONE = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)

STORY = """<!doctype html><html lang="en"><head><title>{title} | Lantern</title>
<meta property="og:site_name" content="Lantern"></head><body><header><a href="{{here}}/">Lantern</a></header>
<article><h1>{title}</h1><p>By Rosa Ferrin</p>{text}</article><footer>© Lantern</footer></body></html>"""
TEXT = "".join(
    f"<p>{sentence}</p>"
    for sentence in (
        "The town orchestra of Little Wexcombe has bought a lighthouse, and intends to rehearse in it from June on.",
        "The tower has stood empty since 1994, when its lamp was replaced by a buoy two miles out at sea.",
        "“The acoustics are those of a very tall bottle,” said the conductor, Rosa Ferrin, who climbed all 212 steps.",
        "Neighbours asked for a promise that the brass would keep to the lower floors, and the orchestra gave it.",
        "Tickets for the first concert, on midsummer’s eve, cost nine crowns; keepers of buoys pay nothing.",
    )
)
LANTERN = {
    "/feed.xml": (
        "application/rss+xml",
        """<?xml version="1.0"?><rss version="2.0"><channel><title>Lantern</title><link>{here}/</link>
        <item><title>Orchestra buys a lighthouse</title><link>{here}/lighthouse</link></item></channel></rss>""",
    ),
    "/lighthouse": ("text/html", STORY.format(title="Orchestra buys a lighthouse", text=TEXT)),
    "/robots.txt": ("text/plain", ""),
}


@pytest.fixture(scope="module")
def lantern() -> Iterator[str]:
    with site(LANTERN) as here:
        yield here


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("open") / "news.tidings", "--allow-host", "127.0.0.1") as opened:
        yield opened


@contextmanager
def looking(browser: Browser, *, phone: bool = False, dark: bool = False, language: str = "en") -> Iterator[Page]:
    """A page that fails the test if anything goes wrong in it, or anything leaves the machine."""
    context = browser.new_context(
        viewport=PHONE if phone else DESK, color_scheme="dark" if dark else "light", locale=language
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(f"console: {said.text} {said.location}") if _is_wrong(said) else None)
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    page.on("request", lambda asked: wrong.append(f"left: {asked.url}") if _leaves(asked.url) else None)
    try:
        yield page
    finally:
        context.close()
    assert not wrong, wrong


def _is_wrong(said: ConsoleMessage) -> bool:
    """Errors; that a page we ask for ourselves answers with an error of its own is none."""
    return said.type == "error" and not said.location["url"].endswith(WITH_ERRORS)


def _leaves(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname != "127.0.0.1"


def violations(page: Page) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{one['id']}: {node['html'][:200]} {node['failureSummary']}" for one in found for node in one["nodes"]]


def number_of(page: Page, portal: Served, query: str) -> str:
    """The number of the article that a search finds first."""
    page.goto(f"{portal.address}/search?q={query}")
    address = page.locator("main article a[href^='/article/']").first.get_attribute("href")
    assert address
    return address.rpartition("/")[2]


def test_the_newspaper_is_there_at_first_sight(browser: Browser, portal: Served) -> None:
    with looking(browser) as page:
        page.goto(portal.address)
        assert page.locator("main article").count() > 15
        assert page.locator("main img").first.evaluate("picture => picture.naturalWidth") > 0
        painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        assert painted > 0
        assert "2 sources" in page.locator(".top").inner_text()


def test_a_feed_added_by_form_brings_its_articles(browser: Browser, portal: Served, lantern: str) -> None:
    with looking(browser) as page:
        page.goto(f"{portal.address}/sources")
        page.locator("#add input[name=address]").fill(f"{lantern}/feed.xml")
        with page.expect_navigation():
            page.locator("#add button[type=submit]").first.click()
        assert "Lantern" in page.locator("main").inner_text()
        for _ in range(60):
            page.goto(f"{portal.address}/latest")
            if page.get_by_role("link", name="Orchestra buys a lighthouse").count():
                break
            page.wait_for_timeout(500)
        with page.expect_navigation():
            page.get_by_role("link", name="Orchestra buys a lighthouse").first.click()
        text = page.locator("main").inner_text()
        assert "Rosa Ferrin" in text
        assert "a very tall bottle" in text
        assert "© Lantern" not in text


def test_search_leads_to_an_article_and_its_story(browser: Browser, portal: Served) -> None:
    with looking(browser) as page:
        page.goto(portal.address)
        page.locator("#find").fill("harbour bridge")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert page.locator("main mark").count() > 0
        with page.expect_navigation():
            page.locator("main article a").get_by_text("Harbour Bridge reopens").first.click()
        with page.expect_navigation():
            page.locator(".story-link a").click()
        text = page.locator("main").inner_text()
        assert "Marenia News Agency" in text
        assert "The Harbour Gazette" in text


def test_turkish_and_arabic_are_written_their_way(browser: Browser, portal: Served) -> None:
    with looking(browser, language="tr") as page:
        number = number_of(page, portal, "lang:tr+k%C3%B6pr%C3%BC")
        page.goto(f"{portal.address}/article/{number}")
        assert page.locator("html").get_attribute("lang") == "tr"
        assert page.locator(".prose article").get_attribute("lang") == "tr"
        assert "Yazdır" in page.locator(".tools").inner_text()
        number = number_of(page, portal, "lang:ar")
        page.goto(f"{portal.address}/article/{number}")
        prose = page.locator(".prose p").first
        assert prose.evaluate("text => getComputedStyle(text).direction") == "rtl"
        assert prose.evaluate("text => getComputedStyle(text).textAlign") == "start"
        title = page.locator("h1")
        box, column = title.bounding_box(), page.locator("#article").bounding_box()
        assert box
        assert column
        assert abs(box["x"] + box["width"] - column["x"] - column["width"]) < 2


def test_language_and_look_are_chosen_without_a_script(browser: Browser, portal: Served) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en")
    page = context.new_page()
    page.goto(f"{portal.address}/latest")
    page.locator("select[name=language]").select_option("tr")
    page.locator("select[name=theme]").select_option("dark")
    with page.expect_navigation():
        page.locator("form.look button").click()
    assert urlsplit(page.url).path == "/latest"
    assert page.locator("html").get_attribute("lang") == "tr"
    assert page.locator("html").get_attribute("data-theme") == "dark"
    context.close()


def test_the_reader_shows_a_page_without_its_surroundings(browser: Browser, portal: Served, lantern: str) -> None:
    with looking(browser) as page:
        page.goto(f"{portal.address}/read?url={lantern}/lighthouse")
        text = page.locator("main").inner_text()
        assert "a very tall bottle" in text
        assert "© Lantern" not in text


def test_everything_can_be_reached_by_keyboard(browser: Browser, portal: Served) -> None:
    with looking(browser) as page:
        page.goto(portal.address)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('main') !== null")


KINDS = [
    "/",
    "/?language=tr",
    "/latest",
    "/most-read",
    "/category/City",
    "/paper",
    "/topic/sport",
    "/events",
    "/events?when=past",
    "/trends?q=storm",
    "/search?q=storm",
    *WITH_ERRORS,
    "/search?q=nothingatall",
    "/search?q=is:hidden",
    "/sources",
    "/sources/1",
    "/columnists",
    "/columnist/Iris%20Benning",
    "/saved",
    "/unread",
    "/rules",
    "/sending",
    "/save?url=https://example.org/a",
    "/offline",
    "/feeds",
    "/about",
    "/read",
    "/api/",
    "ARTICLE lang:en storm",
    "ARTICLE lang:tr",
    "ARTICLE lang:ar",
    "HOW lang:en storm",
    "STORY",
]


@pytest.mark.parametrize(
    ("phone", "dark"),
    [
        pytest.param(False, False, id="desk-light", marks=pytest.mark.soak),
        pytest.param(True, True, id="phone-dark"),
        pytest.param(False, True, id="desk-dark", marks=pytest.mark.soak),
        pytest.param(True, False, id="phone-light", marks=pytest.mark.soak),
    ],
)
def test_every_page_is_for_everybody(browser: Browser, portal: Served, phone: bool, dark: bool) -> None:
    found: list[str] = []
    with looking(browser, phone=phone, dark=dark) as page:
        for kind in KINDS:
            name, _, query = kind.partition(" ")
            path = kind
            if name in {"ARTICLE", "HOW"}:
                number = number_of(page, portal, query.replace(" ", "+"))
                path = f"/article/{number}" + ("/how" if name == "HOW" else "")
            elif name == "STORY":
                page.goto(portal.address)
                path = page.locator(".card-big .card-title a").get_attribute("href") or ""
            page.goto(portal.address + path)
            found += [f"{kind}: {one}" for one in violations(page)]
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if wide > 0:
                found.append(f"{kind}: {wide} pixels wider than the screen")
    assert not found, "\n".join(found)


NO_PICTURE = {
    "/feed.xml": LANTERN["/feed.xml"],
    "/lighthouse": (
        "text/html",
        LANTERN["/lighthouse"][1].replace(
            "<meta property", '<meta property="og:image" content="{here}/no-such-picture.jpg"><meta property', 1
        ),
    ),
    "/robots.txt": ("text/plain", ""),
}


def test_a_picture_that_cannot_be_loaded_leaves_no_hole(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with site(NO_PICTURE) as here:
        with stores.open(path) as kept:
            kept.add_sources([NewSource(f"{here}/feed.xml")], datetime.now(UTC))
        with served(path, "--allow-host", "127.0.0.1") as opened:
            context = browser.new_context(viewport=PHONE)
            page = context.new_page()
            asked: list[str] = []
            page.on("request", lambda request: asked.append(urlsplit(request.url).path))
            page.goto(f"{opened.address}/article/1")
            while not page.locator("article#article").count():
                page.wait_for_timeout(500)
                page.reload()
            page.wait_for_load_state("networkidle")
            assert any(one.startswith("/picture/") for one in asked)
            assert page.locator("main img, .lead-picture").count() == 0
            asked.clear()
            page.goto(opened.address)  # from now on pages do without it
            page.wait_for_load_state("networkidle")
            assert page.get_by_text("Orchestra buys a lighthouse").first.is_visible()
            assert page.locator(".card-picture").count() == 0
            assert not any(one.startswith("/picture/") for one in asked)
            context.close()


WALLED = {
    "/feed.xml": (
        "application/rss+xml",
        """<?xml version="1.0"?><rss version="2.0"><channel><title>Wall</title><link>{here}/</link>
        <item><title>The ferry stays in port</title><link>{here}/no-such-page</link>
        <description>What the harbour master said of the storm.</description></item></channel></rss>""",
    ),
    "/robots.txt": ("text/plain", ""),
}


def test_long_names_and_teasers_fit_a_phone(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "news.tidings"
    with site(WALLED) as wall:
        with stores.open(path) as kept:
            source = NewSource(f"{wall}/feed.xml", title="Donaudampfschifffahrtsgesellschaftsnachrichten" * 2)
            kept.add_sources([source], datetime.now(UTC))
        with served(path, "--allow-host", "127.0.0.1") as opened, looking(browser, phone=True) as page:
            page.goto(f"{opened.address}/unread")
            while not page.get_by_text("Only the teaser: the site answered 404.").count():
                page.wait_for_timeout(500)
                page.reload()
            for name in ("/unread", "/feeds", "/sources", "/sources/1", "/article/1", "/"):
                page.goto(opened.address + name)
                wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wide <= 0, f"{name} is {wide} pixels wider than the screen"
            page.goto(f"{opened.address}/article/1")
            assert page.get_by_text("Only the teaser: the site answered 404.").is_visible()
            page.goto(f"{opened.address}/sources/1")
            assert page.get_by_text("Only teasers", exact=True).is_visible()
            assert not page.get_by_text("OK", exact=True).count()


SHIFTS = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) moved += one.value; })
    .observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => done(moved)));
})"""


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_nothing_moves_while_a_page_comes(browser: Browser, portal: Served, phone: bool) -> None:
    """Cumulative layout shift; below 0.1 is called good."""
    with looking(browser, phone=phone) as page:
        for path in ("/", "/latest", f"/article/{number_of(page, portal, 'lang:en+bridge')}"):
            page.goto(portal.address + path, wait_until="networkidle")
            assert page.evaluate(SHIFTS) < 0.02, path


def test_what_needs_a_script_is_not_there_without_one(browser: Browser, portal: Served) -> None:
    for scripts in (True, False):
        context = browser.new_context(java_script_enabled=scripts, locale="en")
        page = context.new_page()
        page.goto(f"{portal.address}/article/1")
        for name in ("Listen", "Print", "Keyboard shortcuts"):
            assert page.get_by_role("button", name=name).count() == (1 if scripts else 0), name
        context.close()


def test_a_page_that_goes_wrong_says_so(browser: Browser, portal: Served) -> None:
    context = browser.new_context(locale="tr")
    page = context.new_page()
    answer = page.goto(f"{portal.address}/article/999999999")
    assert answer
    assert answer.status == 404
    assert "Böyle bir haber yok" in page.locator("h1").inner_text()
    context.close()


def test_no_page_is_left_out(tmp_path: Path) -> None:
    """The addresses of the portal that show something are all among those looked at."""
    from starlette.routing import Route

    from tidings_portal.portal.routes import ROUTES

    shown = {
        route.path.split("/")[1] for route in ROUTES if isinstance(route, Route) and "GET" in (route.methods or ())
    }
    seen = {urlsplit(kind).path.split("/")[1] for kind in KINDS if kind.startswith("/")} | {"article", "story"}
    assert {name for name in shown - seen if "." not in name} == set()
