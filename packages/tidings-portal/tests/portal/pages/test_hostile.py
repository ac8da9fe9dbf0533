"""A store whose every word was written by an enemy: nothing of it runs, on any page (HOSTILE 23, 24)."""

from __future__ import annotations

import pytest

from tests.portal import housed
from tests.portal.pages.conftest import EVIL
from tests.portal.pages.looked_at import Seen, harm
from tidings_portal.web.app_state import App

PAGES = (
    "/",
    "/latest",
    "/article/1",
    "/article/1/how",
    "/article/1/how?others=yes",
    "/story/1",
    "/search?q=evilword",
    "/search?category=" + EVIL.replace("#", ""),
    "/events",
    "/events?least=2",
    "/trends?q=evilword&by=day",
    "/trends?q=evilword&measure=cosine&language=en",
    "/sources",
    "/sources/1",
    "/sources/1/remove",
    "/feeds",
    "/about",
)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "tr"])
def test_nothing_of_it_runs(enemy: App, path: str, language: str) -> None:
    answer = housed.client(enemy).get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    assert not harm(answer.text)
    assert EVIL not in answer.text
    assert "13383909" not in answer.text  # no template evaluated it


def test_it_is_shown_as_the_text_it_is(enemy: App) -> None:
    client = housed.client(enemy)
    for path in ("/story/1", "/search?q=evilword", "/events", "/sources", "/article/1/how", "/feeds"):
        assert "<script>alert(1)</script>" in Seen(client.get(path).text).words, path


def test_its_page_is_drawn_in_a_sandbox(enemy: App) -> None:
    answer = housed.client(enemy).get("/article/1/drawn")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "sandbox;" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "<script" not in answer.text
    assert "<meta http-equiv=refresh" not in answer.text
    assert not {"base", "iframe", "img", "link", "script"} & {tag for tag, _ in Seen(answer.text).elements}


def test_its_lists_stay_well_formed(enemy: App) -> None:
    from xml.etree import ElementTree

    client = housed.client(enemy)
    root = ElementTree.fromstring(client.get("/sources.opml").content)  # our own
    assert EVIL in [one.get("text") for one in root.iter("outline")]
    assert client.get("/trends.csv?q=evilword").status_code == 200


@pytest.mark.parametrize(
    "path", ["/story/<script>alert(1)</script>", "/sources/%3Cscript%3E", "/article/<img src=x>/how"]
)
def test_an_address_with_a_script_in_it_is_escaped(enemy: App, path: str) -> None:
    answer = housed.client(enemy).get(path)
    assert answer.status_code == 404
    assert not harm(answer.text)
