"""Rules of readers: keep, hide, label, save, alarm; for one source or all; theirs alone."""

from __future__ import annotations

import json

import pytest

from tests.portal.accounts.browsing import Site
from tests.portal.store.made import new
from tidings_portal.sending.events import look
from tidings_portal.store.records_of_people import LOCAL
from tidings_portal.store.verbs.sending import SendingEvent, TargetKind
from tidings_portal.store.verbs.streams import StreamQuery

SEALS, BRIDGE = "Grey seals are back", "The bridge opens"


def come(site: Site, source: int | None = None) -> tuple[int, int]:
    """Two articles come in; their numbers."""
    sources = () if source is None else (source,)
    kept = site.app.store.keep([new(801, SEALS, sources=sources), new(802, BRIDGE, sources=sources)])
    look(site.app.store, site.app.now())
    first, second = (one.article for one in kept)
    assert first is not None
    assert second is not None
    return first, second


@pytest.mark.parametrize("effect", ["hide", "star", "label", "keep"])
def test_what_rules_do(local: Site, effect: str) -> None:
    browser, store = local.browser(), local.app.store
    source = store.sources()[0].id
    where = {"source": source} if effect == "keep" else {}
    answer = browser.send("/rules/add", page="/rules", query="seals", effect=effect, value="Sea", **where)
    assert answer.status_code == 303
    seals, bridge = come(local, source)
    unread = store.unread_among(LOCAL, [seals, bridge])
    assert unread == {"hide": {bridge}, "keep": {seals}}.get(effect, {seals, bridge})
    assert store.is_saved(seals, LOCAL) == (effect == "star")
    assert not store.is_saved(bridge, LOCAL)
    assert store.reader_marks(LOCAL, [seals])[seals].labels == (("Sea",) if effect == "label" else ())


def test_what_is_here_already_is_left_unless_somebody_wants_it(local: Site) -> None:
    browser, store = local.browser(), local.app.store
    before = store.count_unread(LOCAL).number
    browser.send("/rules/add", page="/rules", query="storm", effect="hide")
    look(store, local.app.now())
    assert store.count_unread(LOCAL).number == before
    browser.send("/rules/add", page="/rules", query="storm", effect="hide", past="yes")
    assert store.count_unread(LOCAL).number < before


def test_what_is_hidden_is_out_of_lists_and_counts_found_and_shown_again(local: Site) -> None:
    browser, store = local.browser(), local.app.store
    browser.send("/rules/add", page="/rules", query="seals", effect="hide")
    before = store.count_unread(LOCAL).number
    seals, bridge = come(local)
    local.app.cache.forget()
    assert store.count_unread(LOCAL).number == before + 1
    assert not store.reader_marks(LOCAL, [bridge])[bridge].is_read
    assert seals not in store.stream(LOCAL, StreamQuery(), limit=1000).items
    for path in ("/latest", "/unread", "/search?q=seals&order=time", "/"):
        assert f'/article/{seals}"' not in browser.get(path).text, path
    assert f'/article/{bridge}"' in browser.get("/search?q=bridge&order=time").text
    found = browser.get("/search?q=is:hidden").text
    assert f'/article/{seals}"' in found
    assert f'/article/{bridge}"' not in found
    assert "Hidden by your rules: 1" in browser.get("/rules").text
    assert "hides this article" in browser.get(f"/article/{seals}").text
    assert browser.send("/rules/show", page="/rules", article=seals).status_code == 303
    assert f'/article/{seals}"' in browser.get("/search?q=seals&order=time").text
    assert store.unread_among(LOCAL, [seals]) == {seals}


def test_what_a_rule_hid_is_there_again_when_it_is_gone(local: Site) -> None:
    browser, store = local.browser(), local.app.store
    browser.send("/rules/add", page="/rules", query="seals", effect="hide")
    come(local)
    assert store.count_hidden(LOCAL) == 1
    (rule,) = store.rules(LOCAL)
    browser.send("/rules/remove", page="/rules", rule=rule.id)
    assert store.count_hidden(LOCAL) == 0
    browser.send("/rules/add", page="/rules", query="", effect="hide", past="yes")
    assert store.count_hidden(LOCAL) > 10
    assert browser.send("/rules/show", page="/rules").status_code == 303
    assert store.count_hidden(LOCAL) == 0


def test_a_rule_is_its_readers_alone(site: Site) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    ann.send("/rules/add", page="/rules", query="seals", effect="hide")
    seals, bridge = come(site)
    store = site.app.store
    assert store.unread_among(ann.key, [seals, bridge]) == {bridge}
    assert store.unread_among(bob.key, [seals, bridge]) == {seals, bridge}
    assert "seals" not in bob.get("/rules").text
    (rule,) = store.rules(ann.key)
    assert bob.send("/rules/remove", rule=rule.id).status_code == 404
    assert ann.send("/rules/remove", rule=rule.id).status_code == 303
    assert not store.rules()


def test_an_alarm_is_sent_to_those_whose_rule_it_is(site: Site) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    for one in (ann, bob):
        one.send("/sending/add", page="/sending", kind="webhook", address="https://h.example/x", event_alarm="yes")
    ann.send("/rules/add", page="/rules", query="seals", effect="notify")
    come(site)
    (due,) = site.app.store.due_deliveries(site.app.now(), lease=site.app.now() - site.app.now())
    assert due.event == SendingEvent.ALARM
    told = json.loads(due.body)
    assert (told["type"], told["data"]["title"], told["data"]["rule"]) == ("alarm", SEALS, "seals")
    (target,) = (one for one in site.app.store.targets(ann.key) if one.settings.kind is TargetKind.WEBHOOK)
    assert due.target == target.id


def test_what_is_no_rule_is_told(local: Site) -> None:
    browser = local.browser()
    assert browser.send("/rules/add", page="/rules", query="(((", effect="hide").status_code == 422
    assert browser.send("/rules/add", page="/rules", query="x", effect="label").status_code == 422
    assert browser.send("/rules/add", page="/rules", query="x", effect="explode").status_code == 400
    assert browser.send("/rules/add", page="/rules", query="x", effect="hide", source=999).status_code == 409
    assert browser.client.post("/rules/add", data={"query": "x", "effect": "hide"}).status_code == 403
    evil = "<script>alert(1)</script>"
    browser.send("/rules/add", page="/rules", query=f'"{evil}"', effect="label", value=evil)
    assert evil not in browser.get("/rules").text
