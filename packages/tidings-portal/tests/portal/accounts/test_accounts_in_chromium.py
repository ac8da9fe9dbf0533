"""Accounts in a real browser: sign up, save, follow, read, sign out; with and without scripts, and for everybody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.portal.accounts.browsing import PASSWORD
from tests.portal.browser.test_portal_in_chromium import looking, violations
from tests.portal.serving import Served, served

OWN = ("/unread", "/saved", "/followed", "/my/sources", "/tokens", "/account", "/people", "/columnists")
PHONE = ViewportSize(width=390, height=844)


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("people") / "news.tidings", "--accounts", "--sign-up", "--no-watch") as opened:
        yield opened


def come(page: Page, portal: Served, way: str, name: str, password: str = PASSWORD) -> None:
    page.goto(f"{portal.address}/{way}")
    page.locator("main input[name=name]").fill(name)
    page.locator("main input[name=password]").fill(password)
    if page.locator("main input[name=setup]").count():
        page.locator("main input[name=setup]").fill(portal.setup)
    with page.expect_navigation():
        page.locator("main form.stack button").click()


def press(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=name).first.click()


def seen(page: Page, portal: Served, path: str) -> list[str]:
    """What is wrong with a page."""
    page.goto(portal.address + path)
    found = [f"{path}: {one}" for one in violations(page)]
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [*found, f"{path}: {wide} pixels wider than the screen"] if wide > 0 else found


def test_a_reader_from_sign_up_to_sign_out(browser: Browser, portal: Served) -> None:
    """With every page that is somebody's own looked at on the way, on a desk by day and on a phone by night."""
    found: list[str] = []
    with looking(browser) as page:
        page.clock.install()
        page.goto(f"{portal.address}/sign-up")
        found += violations(page)
        come(page, portal, "sign-up", "Ann")
        assert "tidings_session" not in page.evaluate("document.cookie")
        page.goto(f"{portal.address}/article/1")
        press(page, "Save")
        assert page.get_by_role("button", name="Mark read").count() == 1
        with page.expect_response("**/beacon") as told:
            page.clock.run_for(6000)
        assert told.value.status == 204
        page.reload()
        assert page.get_by_role("button", name="Mark unread").count() == 1
        page.goto(f"{portal.address}/columnist/Iris%20Benning")
        press(page, "Follow")
        found += violations(page)
        page.goto(f"{portal.address}/my/sources")
        press(page, "Subscribe")
        page.goto(f"{portal.address}/tokens")
        press(page, "Create a token")
        assert page.locator("#secret").input_value().startswith("tidings_")
        found += violations(page)
        found += [one for path in OWN for one in seen(page, portal, path)]
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size(PHONE)
        found += [one for path in ("/unread", "/my/sources", "/account") for one in seen(page, portal, path)]
        page.goto(f"{portal.address}/account")
        press(page, "Sign out")
        page.goto(f"{portal.address}/saved")
        assert page.url.endswith("/sign-in?next=/saved")
        found += violations(page)
    assert not found, "\n".join(found)


def test_all_of_it_without_a_script(browser: Browser, portal: Served) -> None:
    context = browser.new_context(java_script_enabled=False, locale="tr")
    page = context.new_page()
    come(page, portal, "sign-up", "Bo")
    page.goto(f"{portal.address}/article/2")
    press(page, "Kaydet")
    press(page, "Okundu say")
    page.goto(f"{portal.address}/saved")
    assert page.locator("main article").count() == 1
    press(page, "Kaldır")
    assert "Kayıtlı bir şey yok" in page.locator("main").inner_text()
    page.goto(f"{portal.address}/unread")
    press(page, "Hepsini okundu say")
    assert "Her şeyi okudunuz" in page.locator("main").inner_text()
    page.goto(f"{portal.address}/account")
    page.locator("form[action='/account/remove'] input[name=password]").fill(PASSWORD)
    press(page, "Hesabı sil")
    come(page, portal, "sign-in", "Bo")
    assert "Ad ya da parola yanlış" in page.locator("main").inner_text()
    context.close()
