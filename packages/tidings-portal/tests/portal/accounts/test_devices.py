"""Signing in while others try: behind proxies, on browsers that are known, on those that are not (HOSTILE 31)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.portal import housed
from tests.portal.accounts.browsing import PASSWORD, Browser, Site, site_of
from tidings_portal.accounts.passwords import Passwords
from tidings_portal.accounts.sessions import Device
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.proxies import TrustedProxies
from tidings_portal.web.sessions import DEVICE
from tidings_portal.web.settings import PortalSettings

PROXY = "127.0.0.1"
Behind = Callable[[str], Browser]


@contextmanager
def opened(filled: Path, folder: Path, *proxies: str) -> Iterator[Site]:
    settings = PortalSettings(accounts=True, proxies=TrustedProxies.named(proxies))
    with housed.app(housed.copy_of(filled, folder), settings) as app:
        yield site_of(app)


def behind(site: Site, address: str) -> Browser:
    """A browser whose requests a proxy on this machine passes on."""
    browser = site.browser(PROXY)
    browser.client.headers["x-forwarded-for"] = address
    return browser


def attacked(site: Site, address: str, names: Iterator[str]) -> None:
    """A thousand wrong passwords; those that have to wait are tried all the same."""
    mallory = behind(site, address)
    for name in names:
        assert mallory.sign_in(name, "wrong password").status_code in {422, 429}


@pytest.mark.gate  # two thousand passwords
@pytest.mark.parametrize("proxies", [(PROXY,), ()], ids=["named", "unnamed"])
def test_the_owner_gets_in_whatever_others_try_with_made_up_names(
    filled: Path, tmp_path: Path, proxies: tuple[str, ...]
) -> None:
    with opened(filled, tmp_path, *proxies) as site:
        owner = behind(site, "198.51.100.1")
        assert owner.send("/sign-up", page="/sign-up", name="Ann", password=PASSWORD).status_code == 303
        owner.send("/sign-out")
        attacked(site, "203.0.113.66", (f"name {number}" for number in range(1000)))
        assert owner.sign_in("Ann").status_code == 303
        assert behind(site, "198.51.100.2").sign_in("Ann").status_code == 303  # on a new browser too
        attacked(site, "203.0.113.66", iter(["Ann"] * 40))
        assert owner.sign_in("Ann").status_code == 303
        # Where the proxy is not named, strangers who know a name are whoever else comes through it.
        assert behind(site, "198.51.100.3").sign_in("Ann").status_code == (303 if proxies else 429)


def test_failures_are_counted_by_name_and_by_the_visitors_own_address(filled: Path, tmp_path: Path) -> None:
    with opened(filled, tmp_path, PROXY) as site:
        site.person("Ann")
        mallory = behind(site, "203.0.113.66")
        assert [mallory.sign_in("Ann", "wrong password").status_code for _ in range(6)] == [422] * 5 + [429]
        # A longer list of addresses is not another visitor.
        mallory.client.headers["x-forwarded-for"] = "198.51.100.1, 203.0.113.66"
        assert mallory.sign_in("Ann", "wrong password").status_code == 429
        # Nor is another address in the network of one subscriber.
        six = [behind(site, f"2001:db8::{number}") for number in range(1, 7)]
        assert [one.sign_in("Ann", "wrong password").status_code for one in six] == [422] * 5 + [429]
        # Somebody who comes directly is who they are.
        direct = site.browser("203.0.113.77")
        for number in range(6):
            direct.client.headers["x-forwarded-for"] = f"198.51.100.{number}"
            status = direct.sign_in("Ann", "wrong password").status_code
            assert status == (422 if number < 5 else 429)


def test_a_known_browser_waits_for_its_own_failures_only(site: Site) -> None:
    site.sessions.attempts.clock = lambda: 0.0
    owner = site.person("Ann")
    owner.send("/sign-out")
    mallory = site.browser("192.0.2.1")  # in the same office
    for number in range(105):  # more than the 100 failures after which every attempt with a name has to wait
        mallory.sign_in("Ann", "wrong password")
        site.browser(f"203.0.113.{number}").sign_in("Ann", "wrong password")
    assert site.browser("192.0.2.1").sign_in("Ann").status_code == 429
    assert site.browser("203.0.113.222").sign_in("Ann").status_code == 429
    assert owner.sign_in("Ann").status_code == 303
    owner.send("/sign-out")
    assert [owner.sign_in("ANN ", "mistyped").status_code for _ in range(6)] == [422] * 5 + [429]
    told = owner.sign_in("Ann")
    assert told.status_code == 429
    assert int(told.headers["retry-after"]) == 1


def test_a_known_browser_confirms_with_its_password_whatever_others_try(site: Site) -> None:
    owner = site.person("Ann")
    mallory = site.browser("192.0.2.1")
    for _ in range(10):
        mallory.sign_in("Ann", "wrong password")
    new = "a quiet harbour wall"
    changed = owner.send("/account/password", page="/account", old=PASSWORD, password=new)
    assert changed.status_code == 200


def test_the_cookie_is_for_one_browser_and_one_name(site: Site) -> None:
    ann, bo = site.person("Ann"), site.person("Bo")
    (cookie,) = [one for one in ann.sign_in("Ann").headers.get_list("set-cookie") if one.startswith(DEVICE)]
    assert cookie.endswith("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax")
    mark = ann.client.cookies[DEVICE]
    assert ann.sign_in("Ann").status_code == 303
    assert ann.client.cookies[DEVICE] == mark  # the same one stays
    for _ in range(10):
        site.browser("192.0.2.1").sign_in("Ann", "wrong password")

    def status(written: str) -> int:
        browser = site.browser("192.0.2.1")
        browser.client.cookies.set(DEVICE, written)
        return browser.sign_in("Ann").status_code

    number, _, own = mark.partition(".")
    others = bo.client.cookies[DEVICE]
    forged = (
        others,  # of somebody else
        f"{others.partition('.')[0]}.{own}",
        f"{number}.{'0' * 32}",
        number,
        f"{number}.{own[:-1]}",
        f"{mark}.{'.'.join(['0' * 32] * 8)}",
        f".{own}",
        "",
        "x" * 4000,
    )
    assert [status(one) for one in forged] == [429] * len(forged)
    assert status(mark) == 303


def test_a_household_has_one_browser(site: Site) -> None:
    browser = site.person("Ann")
    for number in range(9):
        site.person(f"Child {number}")
    for name in ("Child 0", "Ann", "Child 1"):
        assert browser.sign_in(name).status_code == 303
    device = Device("", *_parts(browser))
    assert device.known_as(site.app, "ann")
    assert device.known_as(site.app, "child 0") == device.known_as(site.app, "ann")
    assert not device.known_as(site.app, "child 2")
    for number in range(9):
        browser.sign_in(f"Child {number}")
    device = Device("", *_parts(browser))
    assert len(device.marks) == 8
    assert not device.known_as(site.app, "ann")  # the longest ago is forgotten


def _parts(browser: Browser) -> tuple[str, tuple[str, ...]]:
    number, *marks = browser.client.cookies[DEVICE].split(".")
    return number, tuple(marks)


def test_nothing_of_it_is_kept_here(site: Site, tmp_path: Path) -> None:
    ann = site.person("Ann")
    ann.sign_in("Ann", "wrong password")
    site.app.store.tidy()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    number, (mark,) = _parts(ann)
    counters = repr(site.sessions.attempts.counters)
    for secret in (number, mark):
        assert secret.encode() not in kept
        assert secret not in counters


def test_strangers_who_wait_do_not_take_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four wait for the two that are reckoned with, further ones are told to come again; a known browser waits."""
    passwords = Passwords(1, 8, 1)
    kept = passwords.hash(PASSWORD)
    monkeypatch.setattr("tidings_portal.accounts.passwords._PATIENCE", 60.0)
    for _ in range(6):
        assert passwords._queue.acquire(blocking=False)
    with pytest.raises(HttpProblem) as told:
        passwords.is_right(kept, PASSWORD)
    assert (told.value.status, told.value.headers["Retry-After"]) == (503, "5")
    assert passwords.is_right(kept, PASSWORD, is_known_device=True)
