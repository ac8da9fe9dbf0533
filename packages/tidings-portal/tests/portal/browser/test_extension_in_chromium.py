"""The extension and the sending bookmark in a real browser, before a running portal and a site made by scripts."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.portal.serving import Served, served, site
from tidings_portal import store
from tidings_portal.reader.pages import packed_extension
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.web.access import make_token

STORY = " ".join(f"The ferry of the harbour made trip number {number} and came home late." for number in range(30))
#: Scripts write it, and nothing of it is in what a server sends: only a browser has this page.
CLOSED = f"""<html lang="en"><head><title>The ferry came home</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'"></head><body><nav>
<a href="/">Home</a></nav><main></main><script>
document.querySelector("main").innerHTML = "<article>\
<h1>The ferry came home</h1><p>{STORY}</p><p>{STORY}</p></article>";
</script></body></html>"""


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str, Path]]:
    """A portal, and a token that may write."""
    path = tmp_path_factory.mktemp("extension") / "news.tidings"
    made = make_token("browser", frozenset({Scope.READ, Scope.WRITE}))
    with store.open(path) as kept:
        from datetime import UTC, datetime

        kept.add_token(made.record, LOCAL, datetime.now(UTC))
    with served(path, "--no-watch") as opened:
        yield opened, made.secret, path


@pytest.fixture(scope="module")
def paper() -> Iterator[str]:
    with site({"/story": ("text/html", CLOSED)}) as here:
        yield here


@pytest.fixture
def browser_with_extension(chromium: str, tmp_path: Path) -> Iterator[BrowserContext]:
    """The extension as it is served, but allowed beforehand to reach loopback: nobody is here to press "Allow"."""
    folder = tmp_path / "extension"
    with zipfile.ZipFile(io.BytesIO(packed_extension())) as archive:
        archive.extractall(folder)  # our own
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["host_permissions"] = ["http://127.0.0.1/*"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    arguments = ["--headless=new", f"--disable-extensions-except={folder}", f"--load-extension={folder}"]
    arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile", executable_path=chromium, headless=False, args=arguments
        )
        yield context
        context.close()


def extension_address(context: BrowserContext) -> str:
    """Where the pages of the extension are."""
    page = context.new_page()
    page.goto("chrome://extensions/")
    found = page.evaluate(
        "new Promise(told => chrome.developerPrivate.getExtensionsInfo({}, every =>"
        " told(every.filter(one => one.name === 'Tidings').map(one => one.id)[0])))"
    )
    page.close()
    assert found, "the extension was not loaded"
    return f"chrome-extension://{found}"


def popup(context: BrowserContext, home: str, reading: Page, served_at: str, token: str) -> Page:
    """The popup, in a tab of its own, told which tab it is about."""
    page = context.new_page()
    page.goto(f"{home}/options.html")
    page.evaluate(f"chrome.storage.local.set({json.dumps({'address': served_at, 'token': token})})")
    number = page.evaluate(
        f"chrome.tabs.query({{}}).then(every => every.find(one => (one.url || '').startsWith('{reading.url}')).id)"
    )
    page.goto(f"{home}/popup.html?tab={number}")
    return page


def test_the_page_is_read_in_place_and_kept(
    browser_with_extension: BrowserContext, portal: tuple[Served, str, Path], paper: str
) -> None:
    opened, token, path = portal
    context = browser_with_extension
    reading = context.new_page()
    reading.goto(f"{paper}/story")
    home = extension_address(context)
    page = popup(context, home, reading, opened.address, token)
    page.locator("#read").click()
    page.get_by_text("Shown; Escape closes it.").wait_for()
    shown = reading.evaluate("document.getElementById('tidings-reading').shadowRoot.querySelector('article').innerText")
    assert "trip number 29" in shown
    assert shown.startswith("The ferry came home")
    assert "Home\n" not in shown
    reading.keyboard.press("Escape")
    assert reading.evaluate("document.getElementById('tidings-reading')") is None
    page.locator("#with").fill("vote(bte, dsc, dana; 2)")
    page.locator("#keep").click()
    expect(page.locator("#said")).to_contain_text("Kept as number")
    number = int(page.locator("#said").inner_text().rstrip(".").rpartition(" ")[2])
    page.locator("#with").fill("nonsense(")
    page.locator("#keep").click()
    expect(page.locator("#said")).to_contain_text("nonsense")
    with store.open(path) as kept:
        found = kept.article(number)
        assert found is not None
        assert "trip number 29" in found.article.text
        assert found.article.url == f"{paper}/story"
        assert [one.id for one in kept.saved(LOCAL).items] == [number]


def test_the_bookmark_sends_the_page_as_it_stands(
    browser_with_extension: BrowserContext, portal: tuple[Served, str, Path], paper: str
) -> None:
    opened, _, _ = portal
    page = browser_with_extension.new_page()
    page.goto(f"{opened.address}/read")
    code = page.locator("a.bookmarklet").nth(1).get_attribute("href")
    assert code
    page.goto(f"{paper}/story")
    with browser_with_extension.expect_page() as window:
        page.evaluate(code.removeprefix("javascript:"))
    arrived = window.value
    arrived.wait_for_url(f"{opened.address}/read")
    assert "trip number 29" in arrived.locator("#article").inner_text()
    assert arrived.evaluate("window.opener") is None
    arrived.locator("form[action='/read/save'] button").click()
    arrived.wait_for_url("**/article/*")
