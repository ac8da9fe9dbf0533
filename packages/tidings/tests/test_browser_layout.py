"""Pages laid out by a real browser: exact boxes, no network, hostile pages bounded, a dead browser said."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pytest

from tests.fetch.server import AT_ONCE, LOCAL, Server, reply
from tests.scores import word_score
from tidings import newspaper
from tidings.browser_layout import NOT_SHOWN, LaidOut, laid_out, lay_out, pictured
from tidings.errors import BrowserFailed, FetchError, NoLayout, NotRecorded, TidingsError
from tidings.extractors import DEFAULT, extractor
from tidings.extractors.published.layout.boxes import Boxes, boxes_of
from tidings.extractors.published.layout.collector import FARTHEST, MOST
from tidings.fetch import Browser, Live, Outcome, Request
from tidings.fetch.archives.saved_pages import HERE, SavedPages
from tidings.page import Page

METHODS = ("layout-largest", "layout-lbnest", "layout-vips", "layout-correlation")


@dataclass
class Shelf:
    """Saved pages that are put there one after the other; it remembers what was asked for."""

    source: str = ""
    asked: tuple[str, ...] = ()

    async def fetch(self, request: Request) -> Outcome:
        self.asked += (request.url,)
        return await SavedPages({HERE: self.source}).fetch(request)


@dataclass
class Shown:
    """One browser for all tests, in a loop that goes on between them."""

    runner: asyncio.Runner
    browser: Browser
    shelf: Shelf

    def __call__(self, source: str, *, screenshot: bool = False) -> LaidOut:
        self.shelf.source, self.shelf.asked = source, ()
        return self.runner.run(lay_out(self.browser, HERE, screenshot=screenshot))


@pytest.fixture(scope="module")
def shown(chromium: str) -> Iterator[Shown]:
    shelf = Shelf()
    with asyncio.Runner() as runner:
        browser = Browser(shelf, settle=0.1, executable=chromium)
        yield Shown(runner, browser, shelf)
        runner.run(browser.aclose())


def box(page: Page, boxes: Boxes, name: str) -> tuple[float, ...]:
    """Left, top, width and height of the first element with that tag or id."""
    for one in range(1, len(page.elements)):
        if name in (page.tag_names[page.elements.tag[one]], page.attributes(one).get("id")):
            assert boxes.drawn[one], f"{name} was not drawn"
            width, height = boxes.right[one] - boxes.left[one], boxes.bottom[one] - boxes.top[one]
            return tuple(map(float, (boxes.left[one], boxes.top[one], width, height)))
    raise AssertionError(name)


STYLED = """<!DOCTYPE html><title>Seals</title><style>*{margin:0;padding:0;font:16px/20px monospace}
main{position:absolute;left:200px;top:300px;width:400px}aside{position:absolute;left:-50px;top:40px;width:90px}
h1{font-size:32px;line-height:40px;font-weight:700;color:rgb(1,2,3)}#navy{background:rgb(0,0,128)}
.gone{display:none}.unseen{visibility:hidden}.held{display:contents}</style>
<body><main><h1>Seals</h1><p id=navy>Grey seals<br>are back</p><p class=gone>gone</p><p class=unseen>unseen</p>
<div class=held><span id=held>held</span> loose</div></main><aside>off the page</aside>
<script>document.querySelector("main").insertAdjacentHTML("beforeend", "<p id=made>made by a script</p>")</script>"""


def test_boxes_are_absolute_and_exact(shown: Shown) -> None:
    """LBNEST II.A: sizes and absolute places, which no library then could give."""
    page = shown(STYLED).page
    boxes = boxes_of(page)
    assert box(page, boxes, "main")[:3] == (200, 300, 400)
    assert box(page, boxes, "h1") == (200, 300, 400, 40)
    assert box(page, boxes, "navy") == (200, 340, 400, 40)
    assert box(page, boxes, "made")[0] == 200
    assert box(page, boxes, "aside")[:2] == (-50, 40)
    h1, navy = (boxes.styles[boxes.style[one]] for one in (_at(page, "h1"), _at(page, "navy")))
    assert (h1.size, h1.weight, h1.colour, h1.background) == (32, 700, "rgb(1, 2, 3)", "")
    assert (h1.family, navy.background) == ("monospace", "rgb(0, 0, 128)")
    assert page.hints.layout is not None
    assert page.hints.layout.page_width == 1280


def _at(page: Page, name: str) -> int:
    return next(
        one
        for one in range(1, len(page.elements))
        if name in (page.tag_names[page.elements.tag[one]], page.attributes(one).get("id"))
    )


def test_ink_is_the_area_of_the_lines(shown: Shown) -> None:
    page = shown(STYLED).page
    boxes = boxes_of(page)
    navy = _at(page, "navy")
    left, top, right, bottom = (float(edge[navy]) for edge in boxes.text)
    letter = (right - left) / len("Grey seals")
    assert boxes.ink[navy] == pytest.approx(letter * len("Grey sealsare back") * (bottom - top) / 2, rel=0.2)
    assert (left, round(top / 10)) == (200, 34)
    gone, unseen = (page.text.index(word) for word in ("gone", "unseen"))
    runs = [int(np.searchsorted(page.runs.text_start, at, side="right")) - 1 for at in (gone, unseen)]
    assert not boxes.drawn[page.runs.element[runs]].any()
    assert boxes.drawn[_at(page, "held")]


def test_our_marks_leave_no_trace(shown: Shown) -> None:
    found = shown("<!DOCTYPE html><html><head></head><body><p data-tidings-x='1'>Seals</p></body></html>")
    assert (
        found.page.source == '<!DOCTYPE html>\n<html><head></head><body><p data-tidings-x="1">Seals</p></body></html>'
    )


def test_a_saved_page_loads_nothing(shown: Shown) -> None:
    with Server({"*": reply(b"x")}) as server:
        there = server.url("/")
        # Where its script leads it away, there is nothing to be measured, and that is said.
        with suppress(NotRecorded):
            shown(
                f"<link rel=stylesheet href={there}a.css><script src={there}a.js></script><img src={there}a.png>"
                f"<iframe src={there}f></iframe><p>Seals</p><script>fetch('{there}f').catch(() => 0);"
                f"location = '{there}away'</script>"
            )
    assert server.connections == 0
    outcome = asyncio.run(SavedPages({HERE: "x"}).fetch(Request("http://example.org/")))
    assert isinstance(outcome, NotRecorded)


def test_the_newspaper_is_read_by_its_boxes(shown: Shown) -> None:
    """Every method on a styled page with two columns: better than all of its text."""
    sample = next(page for page in newspaper.pages("tagblatt") if page.page_type == "article")
    page = shown(Page(sample.html).source).page
    everything = word_score(sample.gold["text"], extractor("everything")(page).text(page)).f1
    for name in ("layout-largest", "layout-vips", "layout-correlation"):
        assert word_score(sample.gold["text"], extractor(name)(page).text(page)).f1 > everything, name
    assert extractor("layout-lbnest")(page)


HOSTILE = {
    "huge": "<div style='width:9e9px;height:9e9px;position:absolute'><p>Seals</p></div>",
    "negative": "<div style='position:absolute;left:-99999999px;top:-99999999px'><p>Seals</p></div><p>x</p>",
    "no size": "<style>*{width:0!important;height:0!important;overflow:hidden}</style><p>Seals</p><p>x</p>",
    "deep": "<div>" * 600 + "Seals" + "</div>" * 600,
    "scaled": "<body style='transform:scale(1e6)'><p>Seals</p>",
    "frames": "<iframe srcdoc='<p>x</p>'></iframe><p>Seals</p>",
    "custom": "<script>customElements.define('x-y', class extends HTMLElement {constructor() {super(); "
    "document.body.append(document.createElement('x-y'))}})</script><x-y></x-y><p>Seals</p>",
    "liar": "<p>Seals</p><script>Element.prototype.getBoundingClientRect = "
    "() => ({left: NaN, top: 1e308, width: 1e308, height: Infinity})</script>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_bounded(shown: Shown, name: str) -> None:
    if name == "no size":
        with pytest.raises(NoLayout, match="nothing of it has a size"):
            shown(HOSTILE[name])
        return
    page = shown(HOSTILE[name]).page
    boxes = boxes_of(page)
    for column in (boxes.left, boxes.top, boxes.right, boxes.bottom, boxes.ink):
        assert np.isfinite(column).all()
        assert np.abs(column).max() <= 2 * FARTHEST
    for method in METHODS:
        found = extractor(method)(page)
        assert "".join((found - page.visible).text(page).split()) == ""


def test_50000_elements(shown: Shown) -> None:
    page = shown("<div>" + "<p>Seals <b>are</b> back</p>" * 25_000 + "</div>").page
    assert page.hints.layout is not None
    assert len(page.hints.layout) == MOST
    assert page.hints.layout.left_out >= 30_000
    assert extractor("layout-vips")(page)
    assert extractor("layout-largest")(page)


def test_a_page_that_hides_its_boxes(shown: Shown) -> None:
    with pytest.raises(TidingsError):
        shown("<p>Seals</p><script>Document.prototype.createTreeWalker = () => null</script>")


def test_a_picture_of_the_whole_page(shown: Shown) -> None:
    from tidings.extractors.published.layout.figure import size_of
    from tidings.fetch.rendering.browser import MAX_HEIGHT

    tall = shown("<div style='height:3000px'>Seals</div>", screenshot=True)
    assert size_of(tall.screenshot or b"")[0] == 1280
    assert 3000 <= size_of(tall.screenshot or b"")[1] <= 3100
    taller = shown("<div style='height:900000px'>Seals</div>", screenshot=True)
    assert size_of(taller.screenshot or b"") == (1280, MAX_HEIGHT)
    assert shown("<p>Seals</p>").screenshot is None


@pytest.mark.usefixtures("chromium")
def test_without_a_loop_of_ones_own() -> None:
    from tidings.extractors.published.layout.figure import size_of

    found = laid_out("<p style='position:absolute;left:100px'>Seals</p>", "http://example.org/a")
    assert found.page.url == "http://example.org/a"
    assert boxes_of(found.page).left.max() == 100
    assert size_of(pictured("<p>Seals</p>", 320, 200)) == (320, 200)


def test_a_page_of_the_web_through_the_guard(chromium: str) -> None:
    async def once(url: str) -> LaidOut:
        async with (
            Live(guard=LOCAL, pace=AT_ONCE, robots=False) as live,
            Browser(live, pictures=True, settle=0.3, executable=chromium) as browser,
        ):
            return await lay_out(browser, url)

    html = {"Content-Type": "text/html"}
    table = {
        "/": reply(b"<link rel=stylesheet href=a.css><p>Seals</p>", headers=html),
        "/a.css": reply(b"p{margin:0;position:absolute;left:77px}", headers={"Content-Type": "text/css"}),
        "/gone": reply(b"no", 404, headers=html),
    }
    with Server(table) as server:
        assert boxes_of(asyncio.run(once(server.url())).page).left.max() == 77
        with pytest.raises(FetchError):
            asyncio.run(once(server.url("/gone")))
    with pytest.raises(FetchError, match="refused"):
        asyncio.run(once("http://127.0.0.1/"))


def test_a_killed_browser_is_said_and_the_default_goes_on(chromium: str) -> None:
    """A browser that dies while it shows a page: a clear error, and the page can be read without boxes."""
    from tests.fetch.test_browser import _kill_children

    source = "<p>Grey seals are back in the estuary.</p>" * 20

    async def killed() -> LaidOut:
        class Deadly:
            async def fetch(self, request: Request) -> Outcome:
                if request.url.endswith("part"):
                    _kill_children()
                    await asyncio.sleep(30)
                return await SavedPages({HERE: source + "<script src=part></script>"}).fetch(request)

        async with Browser(Deadly(), settle=0.1, executable=chromium) as browser:
            return await lay_out(browser, HERE)

    with pytest.raises(NOT_SHOWN) as caught:
        asyncio.run(killed())
    assert isinstance(caught.value, BrowserFailed)
    assert "try again" in str(caught.value)
    page = Page(source)
    assert extractor(DEFAULT)(page)
    with pytest.raises(NoLayout):
        extractor("layout-lbnest")(page)


def test_no_browser_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BrowserFailed, match="no Chromium on the PATH; install it"):
        laid_out("<p>Seals</p>")
