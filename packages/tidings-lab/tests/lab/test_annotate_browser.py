"""The annotation page in a real browser: open, mark by key and by click, undo, save, reload, convert."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tidings import newspaper
from tidings_lab.annotate.double_annotation import Opinions, read_twice
from tidings_lab.annotate.pages import find_pages
from tidings_lab.annotate.project import Project
from tidings_lab.annotate.server import AnnotationServer
from tidings_lab.corpora import CorpusLayout, load, read, write

SEALS = newspaper.path() / "html" / "gazette" / "grey-seals-return.html"

#: Everything that could run or ask for something elsewhere.
HOSTILE = """<!DOCTYPE html><html lang="en"><head><title>Hostile</title><base href="http://evil.example/">
<meta http-equiv="refresh" content="0;url=http://evil.example/refresh"><link rel="preconnect" href="http://evil.example">
<link rel="dns-prefetch" href="//evil.example"><link rel="stylesheet" href="http://evil.example/a.css">
<link rel="prefetch" href="http://evil.example/b"><script src="http://evil.example/a.js"></script>
<script>parent.document.title = 'owned'; fetch('http://evil.example/c')</script>
<style>@import "http://evil.example/b.css"; body { background: url(http://evil.example/a.png); color: rgb(1, 2, 3) }
@font-face { font-family: x; src: url("http://evil.example/f.woff") } p { font-family: x }</style></head>
<body onload="parent.document.title = 'owned'" background="http://evil.example/bg.png">
<h1 style="color: rgb(9, 8, 7); background: url('http://evil.example/h.png')">Hostile headline</h1>
<img src="http://evil.example/i.png" srcset="http://evil.example/s.png 2x" onerror="parent.document.title='owned'">
<picture><source srcset="http://evil.example/p.png"><img src=x onerror=parent.document.title='owned'></picture>
<iframe src="http://evil.example/frame"></iframe>
<iframe srcdoc="<script>parent.parent.document.title='owned'</script>"></iframe>
<object data="http://evil.example/o"></object><embed src="http://evil.example/e">
<video src="http://evil.example/v" autoplay></video>
<svg><image href="http://evil.example/svg.png"/><script>parent.document.title='owned'</script>
<use href="http://evil.example/u#x"/></svg>
<math><annotation-xml encoding="text/html"><script>parent.document.title='owned'</script></annotation-xml></math>
<noscript><img src="http://evil.example/n.png"></noscript><template><img src="http://evil.example/t.png"></template>
<form action="http://evil.example/post"><input autofocus>
<button formaction="http://evil.example/f2">Send now</button></form>
<p>The <a href="http://evil.example/link" ping="http://evil.example/ping" onclick="parent.document.title='owned'">first
paragraph</a> of it.</p><p>The second paragraph of it.</p>
<div style="position:fixed;inset:0;background:white">A banner over all</div>
</body></html>"""


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # As root, as in a container, Chromium has no sandbox of its own.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        running = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield running
        running.close()


@dataclass
class Desk:
    """A browser window on a running server, and its errors."""

    page: Page
    server: AnnotationServer
    complaints: list[str] = field(default_factory=list)

    def note(self, url: str) -> None:
        """A request to anything but our own server is a complaint."""
        if not url.startswith((self.server.url, "data:")):
            self.complaints.append(url)

    def unit(self, text: str) -> int:
        held = self.server.project.open_page(0)
        return next(unit for unit in range(len(held.units)) if text in held.units.text(held.page, unit))

    def open(self) -> None:
        self.page.goto(self.server.url)
        self.ready()

    def ready(self, number: int = 1) -> None:
        self.page.wait_for_selector(f'html[data-ready="{number}"]')

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def marks(self, number: int = 0) -> list[int]:
        result: list[int] = self.server.project.history(number).marks.tolist()
        return result

    def mark_of(self, unit: int) -> str:
        return self.page.locator(f"#unit-{unit}").get_attribute("data-mark") or ""

    def click(self, text: str, *held: str) -> None:
        place = self.page.frame_locator("#frame").get_by_text(text).first
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box
        for key in held:
            self.page.keyboard.down(key)
        self.page.mouse.click(box["x"] + min(20, box["width"] / 2), box["y"] + box["height"] / 2)
        for key in held:
            self.page.keyboard.up(key)


Serve = Callable[..., Desk]


@pytest.fixture
def serve(browser: Browser, tmp_path: Path) -> Iterator[Serve]:
    closing: list[Callable[[], object]] = []

    def start(pages: list[Path], out: Path | None = None, opinions: Opinions | None = None) -> Desk:
        samples = [one.sample for one in opinions.pages.values()] if opinions else find_pages(pages)[0]
        project = Project(samples, out or tmp_path / "out", opinions)
        server = AnnotationServer(project)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        context = browser.new_context(viewport={"width": 1300, "height": 900})
        desk = Desk(context.new_page(), server)
        desk.page.on("console", lambda said: desk.complaints.append(said.text))
        desk.page.on("pageerror", lambda error: desk.complaints.append(str(error)))
        desk.page.on(
            "request",
            lambda sent: None if sent.url.startswith((server.url, "data:")) else desk.complaints.append(sent.url),
        )

        def close() -> None:
            context.close()
            server.shutdown()
            thread.join()
            server.server_close()
            project.close()

        closing.append(close)
        return desk

    yield start
    for close in closing:
        close()


STORY = "<p>The ferry stays in dock until its pump is mended, said the harbour master.</p>" * 5
#: A browser shows the second panel when its tab is chosen. Tidings reads both.
TABS = f"""<title>The ferry is back</title><main><h1>The ferry is back</h1>{STORY}</main><footer>
<a role="tab" href="#a" aria-controls="a">Ask</a> <a role="tab" href="#b" aria-controls="b">Quote</a>
<div role="tabpanel" id="a"><p>Desk</p></div><div role="tabpanel" id="b" hidden><pre>ref 7</pre></div></footer>"""


def hostile(tmp_path: Path) -> Path:
    file = tmp_path / "hostile.html"
    file.write_text(HOSTILE)
    return file


def test_keys_and_undo(serve: Serve) -> None:
    desk = serve([SEALS])
    desk.open()
    page = desk.page
    beginning = desk.marks()
    title = beginning.index(1)
    assert desk.mark_of(title) == "title"
    frame = page.frame_locator("#frame")
    expect(frame.locator(f'tidings-run[data-tidings="{title}"]').first).to_have_attribute("data-mark", "title")
    # The cursor begins at the first marked unit.
    cursor = int(page.locator("#units [aria-current]").get_attribute("data-unit") or -1)
    assert cursor == next(place for place, mark in enumerate(beginning) if mark)
    page.locator(f"#unit-{title}").click()
    desk.press("h")
    expect(page.locator(f"#unit-{title}")).to_have_attribute("data-mark", "heading")
    desk.press("t", "j", "c", "Shift+J", "Shift+ArrowDown", "m")
    expect(page.locator("#units [aria-selected=true]")).to_have_count(3)
    expect(page.locator(f"#unit-{title + 3}")).to_have_attribute("data-mark", "comment")
    assert desk.marks()[title : title + 4] == [1, 7, 7, 7]
    expect(frame.locator(f'tidings-run[data-tidings="{title + 1}"]').first).to_have_attribute("data-mark", "comment")
    desk.press("u")
    expect(page.locator(f"#unit-{title + 1}")).to_have_attribute("data-mark", "caption")
    desk.press("Control+z")
    expect(page.locator(f"#unit-{title + 1}")).not_to_have_attribute("data-mark", "caption")
    desk.press("U", "Control+y")
    expect(page.locator(f"#unit-{title + 3}")).to_have_attribute("data-mark", "comment")
    assert desk.complaints == []


def test_clicks_save_reload_convert(serve: Serve, tmp_path: Path) -> None:
    desk = serve([SEALS])
    desk.open()
    page = desk.page
    first, last = desk.unit("back in the estuary of the Anselm"), desk.unit("Seals don’t read our reports")
    item = page.locator(f"#unit-{first}")
    # A click marks with the mark chosen in the legend or given last; a second one takes it away.
    page.locator("#legend [data-mark=date]").click()
    desk.click("Grey seals are back in the estuary")
    expect(item).to_have_attribute("data-mark", "date")
    desk.click("Grey seals are back in the estuary")
    expect(item).to_have_attribute("data-mark", "none")
    desk.click("Seals don’t read our reports", "Shift")
    expect(page.locator(f"#unit-{last}")).to_have_attribute("data-mark", "date")
    expect(item).to_have_attribute("data-mark", "date")
    desk.press("b", "Space")
    expect(item).to_have_attribute("data-mark", "none")
    desk.press("Enter")
    expect(item).to_have_attribute("data-mark", "body")
    desk.press("s")
    expect(page.locator("#status")).to_contain_text("saved in")
    expect(page.locator("#progress")).to_contain_text("1 of 1 saved")
    marked = desk.marks()
    page.reload()
    desk.ready()
    assert desk.mark_of(first) == "body"
    expect(page.locator("#undo")).to_be_enabled()
    assert desk.marks() == marked

    corpus = read(tmp_path / "out", check=True)
    (sample,) = corpus.samples
    assert corpus.problems == []
    assert sample.gold["title"] == "After 38 years, grey seals are breeding in the Anselm estuary again"
    assert "Grey seals are back in the estuary" in sample.gold["text"]
    assert write(corpus.samples, tmp_path / "hra", CorpusLayout.HRA) == []
    (annotation,) = (tmp_path / "hra").glob("*.hra")
    assert annotation.read_text() == next((tmp_path / "out/hra").iterdir()).read_text()
    assert load(tmp_path / "hra")[0].gold["text"] == sample.gold["text"]
    assert desk.complaints == []


def test_a_server_that_died_is_told_and_what_was_done_is_there(serve: Serve, tmp_path: Path) -> None:
    desk = serve([SEALS])
    desk.open()
    with desk.page.expect_response("**/mark"):  # it has answered before it dies
        desk.press("d")
    cursor = int(desk.page.locator("#units [aria-current]").get_attribute("data-unit") or -1)
    expect(desk.page.locator(f"#unit-{cursor}")).to_have_attribute("data-mark", "date")
    desk.server.shutdown()
    desk.server.server_close()
    desk.server.project._journal.close()  # as if it was killed
    desk.page.route("**/*", lambda route: route.abort())
    desk.press("t")
    expect(desk.page.locator("#status")).to_have_attribute("data-wrong", "")  # by the browser, or by its last breath
    again = serve([SEALS])
    again.open()
    assert again.mark_of(cursor) == "date"
    assert again.complaints == []


def test_nothing_of_the_page_runs_and_nothing_leaves(serve: Serve, tmp_path: Path) -> None:
    desk = serve([hostile(tmp_path)])
    desk.open()
    page = desk.page
    frame = page.frame_locator("#frame")
    expect(frame.locator("h1")).to_have_css("color", "rgb(9, 8, 7)")  # inline styles are kept
    expect(frame.locator("body")).to_have_css("color", "rgb(1, 2, 3)")
    for gone in (
        "script",
        "link",
        "meta",
        "base",
        "iframe",
        "object",
        "embed",
        "video",
        "[onclick]",
        "[onerror]",
        "[src]",
    ):
        expect(frame.locator(gone)).to_have_count(0)
    desk.press("b")
    desk.click("first")  # a click on a link marks, and leads nowhere
    desk.click("Send now")
    desk.press("Tab", "Tab", "Tab", "Enter")
    page.mouse.move(300, 400)
    page.mouse.wheel(0, 300)
    expect(page.locator("#undo")).to_be_enabled()
    assert page.url.split("#")[0] == desk.server.url
    assert "owned" not in page.title()
    assert page.evaluate("document.getElementById('frame').contentWindow.location.pathname").endswith("/frame")
    assert desk.complaints == []


def test_pages_help_and_what_is_not_shown(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "bad.html").write_text("<p>To be gone")
    (tmp_path / "tabs.html").write_text(TABS)
    desk = serve([hostile(tmp_path), tmp_path / "tabs.html", tmp_path / "bad.html"])
    (tmp_path / "bad.html").unlink()
    desk.open()
    page = desk.page
    desk.press("?")
    expect(page.locator("#help")).to_be_visible()
    expect(page.locator("#help")).to_contain_text("next page")
    desk.press("Escape", "n")
    desk.ready(2)
    listed = page.locator("#units li").count()
    expect(page.locator("#more")).to_contain_text("more that the page does not show")
    desk.press("v")
    assert page.locator("#units li").count() > listed
    desk.press("v", "n")
    expect(page.locator("#gone")).to_contain_text("cannot be read")
    desk.press("p")
    desk.ready(2)
    expect(page.locator("#gone")).to_be_hidden()
    desk.press("p")
    desk.ready(1)
    # The browser itself says that the answer for the page that is gone was an error.
    assert [said for said in desk.complaints if "422" not in said] == []


def test_a_third_pass_over_the_differences(serve: Serve, tmp_path: Path) -> None:
    for name, keys in (("a", "b"), ("b", "c")):
        desk = serve([hostile(tmp_path)], tmp_path / name)
        desk.open()
        desk.page.locator("#units li", has_text="second paragraph").click()
        desk.press(keys, "s")
        expect(desk.page.locator("#status")).to_contain_text("saved in")
    third = serve([], tmp_path / "gold", Opinions.of(read_twice(tmp_path / "a", tmp_path / "b")[0]))
    third.open()
    page = third.page
    expect(page.locator("#units li")).to_have_count(1)
    expect(page.locator("#opinions button")).to_have_text(["first: body1", "second: caption2"])
    expect(page.locator("#progress")).to_contain_text("0 of 1 decided")
    third.press("2")
    expect(page.locator("#progress")).to_contain_text("1 of 1 decided")
    third.press("s")
    expect(page.locator("#status")).to_contain_text("saved in")
    (sample,) = load(tmp_path / "gold", needs="captions")
    assert sample.gold["captions"] == ["The second paragraph of it."]
    assert third.complaints == []


def test_page_type_and_language(serve: Serve, tmp_path: Path) -> None:
    desk = serve([hostile(tmp_path)], tmp_path / "gold")
    desk.open()
    page = desk.page
    page.locator("#type").select_option("listing")
    page.locator("#lang").fill("th")
    page.locator("#lang").press("Tab")
    page.locator("#sure").uncheck()
    expect(page.locator("#sure")).not_to_be_checked()
    page.locator("#save").click()
    expect(page.locator("#status")).to_contain_text("saved in")
    (sample,) = read(tmp_path / "gold").samples
    assert (sample.page_type, sample.lang, sample.more["sure"]) == ("listing", "th", False)
    assert desk.complaints == []
