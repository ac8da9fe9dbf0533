"""Who a visitor is, behind proxies: named ones are believed, and nobody else (HOSTILE 31, 41)."""

from __future__ import annotations

import logging
from ipaddress import ip_address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from tests.portal import housed
from tidings.errors import InputError
from tidings_portal.app import application
from tidings_portal.web.app_state import App
from tidings_portal.web.proxies import TrustedProxies, address_of, may_be_proxy, parse_address
from tidings_portal.web.settings import PortalSettings

TRUSTED = TrustedProxies.named(["127.0.0.1", "10.1.0.0/16", "2001:db8:1::/48"])


def sent(*lines: tuple[str, str]) -> Headers:
    return Headers(raw=[(name.encode(), value.encode("latin-1")) for name, value in lines])


def forwarding_headers(*values: str) -> Headers:
    return sent(*(("x-forwarded-for", value) for value in values))


@pytest.mark.parametrize(
    ("peer", "headers", "visitor"),
    [
        ("127.0.0.1", forwarding_headers("198.51.100.7"), "198.51.100.7"),
        ("::ffff:127.0.0.1", forwarding_headers("198.51.100.7"), "198.51.100.7"),
        (
            "127.0.0.1",
            forwarding_headers("203.0.113.9, 198.51.100.7"),
            "198.51.100.7",
        ),  # what stands before it is a visitor's word
        ("127.0.0.1", forwarding_headers("203.0.113.9", "198.51.100.7, 10.1.2.3"), "198.51.100.7"),
        ("127.0.0.1", forwarding_headers("203.0.113.9,,  198.51.100.7:4711 , 10.1.2.3"), "198.51.100.7"),
        ("127.0.0.1", forwarding_headers("[2001:db8::7]:80"), "2001:db8::7"),
        ("127.0.0.1", forwarding_headers("2001:db8::7"), "2001:db8::7"),
        ("127.0.0.1", forwarding_headers("::ffff:198.51.100.7"), "198.51.100.7"),
        ("2001:db8:1::5", forwarding_headers("198.51.100.7"), "198.51.100.7"),
        ("127.0.0.1", forwarding_headers("10.1.2.3, 10.1.2.4"), "10.1.2.3"),  # somebody at a proxy's own place
        # Nobody who was named tells it.
        ("127.0.0.2", forwarding_headers("198.51.100.7"), "127.0.0.2"),
        ("198.51.100.1", forwarding_headers("203.0.113.9"), "198.51.100.1"),
        ("10.2.0.1", forwarding_headers("127.0.0.1"), "10.2.0.1"),
        # What cannot be read is nobody's address: who told it counts.
        ("127.0.0.1", forwarding_headers("unknown"), "127.0.0.1"),
        ("127.0.0.1", forwarding_headers(""), "127.0.0.1"),
        ("127.0.0.1", forwarding_headers("203.0.113.9, <script>"), "127.0.0.1"),
        ("127.0.0.1", forwarding_headers("203.0.113.9, 999.1.1.1, 10.1.2.3"), "10.1.2.3"),
        ("127.0.0.1", forwarding_headers("203.0.113.9, 0x7f.1"), "127.0.0.1"),
        ("127.0.0.1", sent(), "127.0.0.1"),
        # RFC 7239, 4 and 6.
        ("127.0.0.1", sent(("forwarded", 'for="[2001:db8::7]:4711";proto=https')), "2001:db8::7"),
        ("127.0.0.1", sent(("forwarded", "for=203.0.113.9, By=10.1.0.1;For=198.51.100.7;proto=http")), "198.51.100.7"),
        ("127.0.0.1", sent(("forwarded", "for=203.0.113.9, for=_hidden")), "127.0.0.1"),
        ("127.0.0.1", sent(("forwarded", "for=203.0.113.9, proto=https")), "127.0.0.1"),
        ("127.0.0.1", sent(("forwarded", 'for="203.0.113.9, for=198.51.100.7')), "198.51.100.7"),
        # Both: a proxy writes one and passes the other on.
        ("127.0.0.1", sent(("forwarded", "for=198.51.100.7"), ("x-forwarded-for", "198.51.100.7")), "198.51.100.7"),
        ("127.0.0.1", sent(("forwarded", "for=203.0.113.9"), ("x-forwarded-for", "198.51.100.7")), "127.0.0.1"),
        # Others are no such header.
        ("127.0.0.1", sent(("x-real-ip", "203.0.113.9"), ("via", "1.1 203.0.113.9")), "127.0.0.1"),
        ("a socket", forwarding_headers("198.51.100.7"), "a socket"),
    ],
)
def test_the_rightmost_address_that_is_no_proxys(peer: str, headers: Headers, visitor: str) -> None:
    assert TRUSTED.visitor(peer, headers) == visitor
    assert TrustedProxies().visitor(peer, headers) == peer


@given(st.lists(st.text(st.characters(max_codepoint=255)), max_size=5))
def test_whatever_a_visitor_writes_before_it_changes_nothing(forged: list[str]) -> None:
    """A proxy adds the address that it sees at the end, on the same line or on one of its own."""
    line = ", ".join([*forged, "198.51.100.7"])
    assert TRUSTED.visitor("127.0.0.1", forwarding_headers(line)) == "198.51.100.7"
    assert TRUSTED.visitor("127.0.0.1", forwarding_headers(*forged, "198.51.100.7")) == "198.51.100.7"
    assert TRUSTED.visitor("198.51.100.7", forwarding_headers(*forged)) == "198.51.100.7"


@given(st.ip_addresses())
def test_every_address_is_read_as_itself(address: object) -> None:
    found = parse_address(str(address))
    assert found in {address, getattr(address, "ipv4_mapped", None)}


@pytest.mark.parametrize("name", ["0.0.0.0/0", "::/0", "proxy.example", "", "10.0.0.0/33", "*", "127.0.0.1/a"])
def test_what_names_no_proxy_or_everybody_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"name your proxies|write 127\.0\.0\.1"):
        TrustedProxies.named([name])


def test_a_network_may_be_named_by_any_address_in_it() -> None:
    assert TrustedProxies.named(["10.1.2.3/16"]).trusts(ip_address("10.1.200.1"))
    assert not TrustedProxies.named(["10.1.2.3"]).trusts(ip_address("10.1.2.4"))


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("testclient", "testclient"),
    ],
)
def test_what_a_visitor_is_counted_by(address: str, counted: str) -> None:
    scope = {"type": "http", "client": (address, 1), "headers": []}
    assert address_of(HTTPConnection(scope)) == counted


def test_addresses_that_may_be_a_proxys() -> None:
    for address in ("127.0.0.1", "::1", "172.18.0.1", "192.168.1.1", "fe80::/64", "fd00:1::/64"):
        assert may_be_proxy(address)
    for address in ("198.51.100.7", "2001:db8::/64", "", "testclient", "8.8.8.8"):
        assert not may_be_proxy(address)


def browser(app: App, address: str, **headers: str) -> TestClient:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return TestClient(application(app), housed.HERE, headers=named, client=(address, 4711))


def spent(client: TestClient) -> int:
    """Read a page that may not be fetched, until there are no turns left; how many there were."""
    for number in range(40):
        if client.get("/read?url=http://10.0.0.1/").status_code == 429:
            return number
    raise AssertionError("there is no end of turns")


@pytest.mark.parametrize("path", ["/read?url=http://10.0.0.1/", "/api/v1/read?url=http://10.0.0.1/"])
def test_limits_are_the_visitors_own_where_the_proxy_is_named(filled: Path, tmp_path: Path, path: str) -> None:
    settings = PortalSettings(proxies=TrustedProxies.named(["127.0.0.1"]), minute_fetches=5)
    with housed.app(housed.copy_of(filled, tmp_path), settings) as app:
        assert spent(browser(app, "127.0.0.1", x_forwarded_for="198.51.100.7")) == 5
        assert browser(app, "127.0.0.1", x_forwarded_for="198.51.100.7").get(path).status_code == 429
        assert browser(app, "127.0.0.1", x_forwarded_for="203.0.113.9, 198.51.100.7").get(path).status_code == 429
        assert browser(app, "127.0.0.1", x_forwarded_for="198.51.100.8").get(path).status_code == 502  # no such page
        six = [f"2001:db8:5:6::{number}" for number in range(1, 8)]
        statuses = [browser(app, "127.0.0.1", x_forwarded_for=one).get(path).status_code for one in six]
        assert statuses == [502] * 5 + [429] * 2
        # Somebody who comes directly has no other address than their own, whatever they say.
        assert spent(browser(app, "203.0.113.77")) == 5
        for forged in ("198.51.100.99", "127.0.0.1"):
            assert browser(app, "203.0.113.77", x_forwarded_for=forged).get(path).status_code == 429


def test_an_unnamed_proxy_is_said_once_and_strangers_say_nothing(app: App, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "tidings")
    asgi = application(app)
    for address in ("203.0.113.77", "testclient", "172.18.0.1", "172.18.0.1"):
        client = TestClient(asgi, housed.HERE, client=(address, 1))
        assert client.get("/healthz", headers={"x-forwarded-for": "198.51.100.7"}).status_code == 200
    assert caplog.messages == [
        "visitors come through a proxy at 172.18.0.1 that is not named, and count as one: --trusted-proxy 172.18.0.1"
    ]


def test_a_named_proxy_tells_how_it_was_reached_and_nothing_else(filled: Path, tmp_path: Path) -> None:
    settings = PortalSettings(proxies=TrustedProxies.named(["127.0.0.1"]))
    forwarded = {"x_forwarded_for": "198.51.100.7", "x_forwarded_proto": "https", "x_forwarded_host": "evil.example"}
    with housed.app(housed.copy_of(filled, tmp_path), settings) as app:
        feed = browser(app, "127.0.0.1", **forwarded).get("/feeds/latest.json").json()
        assert feed["feed_url"].startswith("https://localhost/")
        feed = browser(app, "198.51.100.7", **forwarded).get("/feeds/latest.json").json()
        assert feed["feed_url"].startswith("http://localhost/")
        # What comes through a proxy is not of this machine.
        assert browser(app, "127.0.0.1", x_forwarded_for="127.0.0.1").get("/metrics").status_code == 401
        assert browser(app, "127.0.0.1").get("/metrics").status_code == 200
