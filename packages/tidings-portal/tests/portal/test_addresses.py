"""Whose an address is: one answer to each question, whoever asks."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.store.made import NOON, new
from tidings import sites
from tidings.sources import Link
from tidings.sources.addresses import canonical
from tidings.sources.link import Origin
from tidings.sources.link_identity import aliases
from tidings.urls import origin_of, outlet_of, site_of
from tidings_portal import store
from tidings_portal.feeds.outgoing import gather
from tidings_portal.selection import choice
from tidings_portal.store.database import host
from tidings_portal.store.records_of_work import NewSource, SeenLink

SITES = {
    "https://example.com/a": "example.com",
    "https://www.example.com/a": "example.com",
    "https://www.example.com./a": "example.com",
    "HTTPS://WWW.Example.COM": "example.com",
    "https://anna:word@www.example.com:443/": "example.com",
    "http://example.com:80?x": "example.com",
    "http://example.com:443/": "example.com:443",
    "http://127.0.0.1:8080/a": "127.0.0.1:8080",
    "http://127.0.0.1:9090/a": "127.0.0.1:9090",
    "http://localhost:8000": "localhost:8000",
    "http://[::1]:8000/": "[::1]:8000",
    "http://[::1]/": "[::1]",
    "https://www.bücher.example/": "xn--bcher-kva.example",
    "https://xn--bcher-kva.example/": "xn--bcher-kva.example",
    "https://m.example.com/a": "m.example.com",
    "https://amp.example.com/a": "amp.example.com",
    "https://www.de/": "www.de",
    "https://example.com:99999/": "",
    "https://example.com:x/": "",
    "http://[::1": "",
    "mailto:anna@example.com": "",
    "no address": "",
    "": "",
}


@pytest.mark.parametrize("address", SITES)
def test_the_site_of_an_address(address: str) -> None:
    assert site_of(address) == SITES[address]


def test_mobile_forms_are_sites_of_their_own_and_the_same_outlet() -> None:
    """A mobile site has other templates than the one for desks; whose it is, it shares."""
    forms = ["https://example.com/", "https://www.example.com/", "http://m.example.com/", "https://mobile.example.com/"]
    forms += ["https://amp.example.com/a", "https://mobil.example.com/", "https://www.m.example.com./"]
    assert {outlet_of(form) for form in forms} == {"example.com"}
    assert len({site_of(form) for form in forms}) == 5
    assert outlet_of("https://m.example/") == "m.example"  # that is its name
    assert outlet_of("http://m.example.com:8080/") == "example.com:8080"


def test_there_is_one_site_of() -> None:
    assert sites.site_of is site_of
    assert site_of(None) == outlet_of(None) == origin_of(None) == ""
    for address, site in SITES.items():
        assert host(address) == site


def test_scheme_and_port_are_kept_where_something_is_asked_for() -> None:
    assert origin_of("http://www.example.com:8080/a?b#c") == "http://www.example.com:8080"
    assert origin_of("https://Anna@Example.com:443/a") == "https://example.com"
    assert origin_of("http://example.com:443/a") == "http://example.com:443"
    assert origin_of("file:///etc/passwd") == origin_of("//a.example/") == ""


def test_two_sites_of_one_machine_stay_apart(tmp_path: Path) -> None:
    """A host with two ports has two sites: in the queue, in lists, in searches, as the home of a feed."""
    ports = ("http://127.0.0.1:8080", "http://127.0.0.1:9090")
    with store.open(tmp_path / "news.tidings") as kept:
        kept.note_links([SeenLink(f"{port}/{at}", (f"{port}/{at}",)) for port in ports for at in range(3)], NOON)
        claimed = kept.claim("one", 10, timedelta(minutes=1), NOON, per_host=1)
        assert sorted(site_of(task.link.seen.address) for task in claimed) == ["127.0.0.1:8080", "127.0.0.1:9090"]
        kept.hold_host(site_of(ports[0]), NOON + timedelta(hours=1))
        more = kept.claim("one", 10, timedelta(minutes=1), NOON)
        assert {site_of(task.link.seen.address) for task in more} == {"127.0.0.1:9090"}
        kept.keep([new(at, url=f"{port}/{at}") for at, port in enumerate((*ports, "http://m.example.com/x"))])
        assert {one.name for one in kept.sites()} == {"127.0.0.1:8080", "127.0.0.1:9090", "m.example.com"}
        assert kept.count("site:127.0.0.1").number == 2
        assert kept.count('site:"127.0.0.1:8080"').number == 1
        assert kept.count("site:example.com").number == 1
        kept.add_sources([NewSource(f"{port}/feed.xml") for port in ports], NOON)
        homes = [gather(kept, choice(kept, source=number)).feed.places.home for number in "12"]
        assert homes == [f"{port}/" for port in ports]


def test_a_store_of_before_still_finds_its_sites() -> None:
    """What version 0.1 called a site is what it is called now, but for ports, mobile forms of newspapers included."""
    before = {"https://www.harbour.example/a": "harbour.example", "https://m.harbour.example/a": "m.harbour.example"}
    for address, name in before.items():
        assert site_of(address) == name
    assert aliases(Link("https://m.harbour.example/a", Origin.FEED, guid="x")) == ("guid:harbour.example:x",)


@given(st.text(alphabet="htps:/.?#&=%@[]abw.m1-_~\\ \té!", max_size=40))
def test_never_raises_and_is_a_fixed_point(said: str) -> None:
    site = site_of(said)
    assert "/" not in site
    assert outlet_of(said) in site
    assert origin_of(said) == "" or site_of(origin_of(said)) == site
    found = canonical(said)
    if found is not None:
        assert site_of(found)
        assert site_of(f"{found.partition(':')[0]}://{site_of(found)}/") == site_of(found)
