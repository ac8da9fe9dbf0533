"""Reading aloud goes on into the related stories (DANA thesis 6.1), and stops when it is told to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.portal.browser.test_portal_in_chromium import looking
from tests.portal.serving import Served, served

#: A voice that says everything at once, and writes down what it said.
VOICE = """
window.said = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const voice = { speaking: false, cancel() {}, speak(words) {
  said.push(words.text); if (words.onend) setTimeout(() => words.onend(), 0);
} };
Object.defineProperty(window, "speechSynthesis", { value: voice });
"""


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("listening") / "news.tidings", "--no-watch") as opened:
        yield opened


def test_listening_goes_on_into_related_stories(browser: Browser, portal: Served) -> None:
    with looking(browser) as page:
        page.add_init_script(VOICE)
        page.goto(f"{portal.address}/latest")
        addresses = page.eval_on_selector_all(".row-title a", "all => all.map(one => one.href)")
        for address in addresses[:20]:
            page.goto(address)
            if page.locator("[data-related] a[href^='/article/']").count():
                break
        other = page.locator("[data-related] h3 a").first.inner_text()
        page.locator("[data-listen]").first.click()
        page.wait_for_function("title => said.some(text => text.trim() === title.trim())", arg=other)
        assert len(page.evaluate("said")) > 5
        expect(page.locator("[data-listen]").first).to_have_attribute("aria-pressed", "false")
