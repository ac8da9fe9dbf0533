"""Keys: from article to article, save, mark, find, help; off for those whom they are in the way of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.portal.browser.test_portal_in_chromium import looking, violations
from tests.portal.serving import Served, served


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("keys") / "news.tidings", "--no-watch") as opened:
        yield opened


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.getAttribute('href') || document.activeElement.id"))


def go(page: Page, *keys: str) -> None:
    """Press keys of which the last one leads elsewhere."""
    with page.expect_navigation():
        for key in keys:
            page.keyboard.press(key)


def test_a_list_is_read_with_one_hand(browser: Browser, portal: Served) -> None:
    with looking(browser) as page:
        page.goto(f"{portal.address}/latest")
        first, second = (page.locator(".row-title a").nth(place).get_attribute("href") for place in (0, 1))
        assert first
        assert second
        page.keyboard.press("j")
        assert focused(page) == first
        page.keyboard.press("j")
        page.keyboard.press("k")
        assert focused(page) == first
        unread = int(page.locator("[data-count]").inner_text())
        page.keyboard.press("m")
        page.get_by_text("Marked as read", exact=True).wait_for()
        assert page.locator(".row").first.get_attribute("class") == "row is-read"
        assert page.locator("[data-count]").inner_text() == str(unread - 1)
        page.keyboard.press("s")
        page.get_by_text("Saved", exact=True).last.wait_for()
        go(page, "o")
        assert page.url.endswith(first)
        assert page.get_by_role("button", name="Saved", exact=True).count() == 1
        assert page.get_by_role("button", name="Mark unread").count() == 1
        go(page, "j")
        assert page.url.endswith(second)
        go(page, "s")
        assert page.get_by_role("button", name="Saved", exact=True).count() == 1
        go(page, "k")
        assert page.url.endswith(first)
        go(page, "g", "s")
        assert page.locator("main .row").count() == 2


def test_help_opens_and_turns_them_off(browser: Browser, portal: Served) -> None:
    with looking(browser, language="tr") as page:
        page.goto(portal.address)
        page.keyboard.press("?")
        assert page.locator("#keys").is_visible()
        assert violations(page) == []
        assert "sonraki haber" in page.locator("#keys").inner_text()
        page.get_by_role("button", name="Tuşları kapat").click()
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        assert focused(page) != page.locator(".card-title a").first.get_attribute("href")
        page.reload()
        page.keyboard.press("?")
        assert not page.locator("#keys").is_visible()
        page.get_by_role("button", name="Klavye kısayolları").click()
        page.get_by_role("button", name="Tuşları aç").click()
        page.get_by_role("button", name="Kapat", exact=True).click()
        page.keyboard.press("j")
        assert focused(page) == page.locator(".card-title a").first.get_attribute("href")


def test_whoever_types_is_left_alone(browser: Browser, portal: Served) -> None:
    with looking(browser) as page:
        page.goto(portal.address)
        page.keyboard.press("/")
        assert focused(page) == "find"
        page.keyboard.type("jokes?/gl")
        assert page.locator("#find").input_value() == "jokes?/gl"
        assert page.url.rstrip("/") == portal.address.rstrip("/")
        assert not page.locator("#keys").is_visible()
