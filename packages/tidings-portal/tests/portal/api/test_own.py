"""What is one's own stays one's own: saved, unread, followed, subscribed to, each by their own token."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tests.portal.api.conftest import MakeToken, Visitor
from tests.portal.api.covered import covers
from tests.portal.store.made import NOON
from tidings_portal.store import Store
from tidings_portal.store.records_of_people import NewPerson, Scope


@pytest.fixture
def ann(client: TestClient, store: Store, token: MakeToken) -> Visitor:
    """Somebody with an account, who does not run the house."""
    assert store.add_person(NewPerson("First", "x"), NOON) is not None
    person = store.add_person(NewPerson("Ann", "x"), NOON)
    assert person is not None
    return Visitor(client, token(Scope.READ, Scope.WRITE, person=person.key))


def numbers(told: dict[str, list[dict[str, int]]]) -> list[int]:
    return [one["id"] for one in told["items"]]


@covers("list_saved", "save_article", "unsave_article")
def test_saved_articles(ann: Visitor, keeper: Visitor) -> None:
    for number in (2, 6, 2):
        assert ann.send("PUT", f"/own/saved/{number}", 204) is None
    assert numbers(ann.get("/own/saved")) == [2, 6]
    first = ann.get("/own/saved", limit=1)
    assert numbers(ann.get("/own/saved", limit=1, cursor=first["next"])) == [6]
    assert numbers(keeper.get("/own/saved")) == []
    assert keeper.send("DELETE", "/own/saved/2", 404)["detail"] == "you have not saved an article 2"
    ann.send("DELETE", "/own/saved/2", 204)
    assert numbers(ann.get("/own/saved")) == [6]
    assert ann.send("PUT", "/own/saved/99", 404)["detail"] == "there is no article 99"


@covers("list_unread", "mark_read", "mark_unread")
def test_unread_articles(ann: Visitor, keeper: Visitor) -> None:
    assert numbers(ann.get("/own/unread")) == [1, 2, 3, 4, 5, 6, 7]
    ann.send("PUT", "/own/read/1", 204)
    assert numbers(ann.get("/own/unread", source=1)) == [6]
    assert 1 in numbers(keeper.get("/own/unread"))
    ann.send("DELETE", "/own/read/1", 204)
    assert 1 in numbers(ann.get("/own/unread"))
    assert ann.send("PUT", "/own/read/99", 404)["detail"] == "there is no article 99"
    assert ann.send("DELETE", "/own/read/99", 404)["status"] == 404


@covers("list_followed", "follow_story", "unfollow_story")
def test_followed_stories(ann: Visitor, keeper: Visitor) -> None:
    ann.send("PUT", "/own/stories/1", 204)
    (told,) = ann.get("/own/stories")["items"]
    assert (told["id"], told["followers"]) == (1, 1)
    assert keeper.get("/own/stories")["items"] == []
    assert keeper.send("DELETE", "/own/stories/1", 404)["detail"] == "you do not follow a story 1"
    ann.send("DELETE", "/own/stories/1", 204)
    assert ann.get("/own/stories")["items"] == []
    assert ann.send("PUT", "/own/stories/9", 404)["detail"] == "there is no story 9"


@covers("list_own_sources", "subscribe", "unsubscribe")
def test_own_sources(ann: Visitor, keeper: Visitor) -> None:
    ann.send("PUT", "/own/sources/1", 204, {"folder": "Morning", "title": "Harbour"})
    told = ann.ask("GET", "/own/sources")
    assert "secret" not in told.text
    (item,) = told.json()["items"]
    assert (item["source"]["id"], item["folder"], item["title"], item["unread"]) == (1, "Morning", "Harbour", 2)
    ann.send("PUT", "/own/sources/1", 204, {})
    assert ann.get("/own/sources")["items"][0]["folder"] == ""
    assert numbers(ann.get("/own/unread")) == [1, 6]  # those of her own sources, as the web and phones have it
    assert len(keeper.get("/own/sources")["items"]) == 2  # all, until somebody chooses some
    ann.send("DELETE", "/own/sources/1", 204)
    assert len(ann.get("/own/sources")["items"]) == 2
    assert ann.send("DELETE", "/own/sources/1", 404)["detail"] == "the source 1 is not your own"
    assert ann.send("PUT", "/own/sources/9", 404, {})["status"] == 404
    assert len(keeper.get("/sources")["items"]) == 2  # the store keeps it


def test_a_token_that_may_read_sees_what_is_its_owners(reader: Visitor, stranger: Visitor) -> None:
    for path in ("/own/saved", "/own/unread", "/own/stories", "/own/sources"):
        assert reader.ask("GET", path).status_code == 200
        assert stranger.ask("GET", path).status_code == 401
    for path in ("/own/saved/1", "/own/read/1", "/own/stories/1"):
        assert reader.ask("PUT", path).status_code == 403


@covers("list_labels", "list_labelled", "rename_label", "remove_label", "set_labels")
def test_labels(ann: Visitor, keeper: Visitor) -> None:
    assert ann.send("PUT", "/own/articles/2/labels", 204, {"labels": ["Sea", "To do", " "]}) is None
    ann.send("PUT", "/own/articles/6/labels", 204, {"labels": ["Sea"]})
    ann.send("PUT", "/own/read/6", 204)
    assert ann.get("/own/labels")["items"] == [{"name": "Sea", "unread": 1}, {"name": "To do", "unread": 1}]
    assert numbers(ann.get("/own/labels/Sea")) == [2, 6]
    first = ann.get("/own/labels/Sea", limit=1)
    assert numbers(ann.get("/own/labels/Sea", limit=1, cursor=first["next"])) == [6]
    assert keeper.get("/own/labels")["items"] == []
    assert keeper.send("PATCH", "/own/labels/Sea", 404, {"new": "Ocean"})["detail"] == "you have no label Sea"
    ann.send("PATCH", "/own/labels/Sea", 204, {"new": "Ocean"})
    ann.send("PUT", "/own/articles/2/labels", 204, {"labels": ["To do"]})
    assert numbers(ann.get("/own/labels/Ocean")) == [6]
    ann.send("DELETE", "/own/labels/Ocean", 204)
    assert ann.send("DELETE", "/own/labels/Ocean", 404)["status"] == 404
    assert ann.send("PUT", "/own/articles/99/labels", 404, {"labels": []})["detail"] == "there is no article 99"


@covers("list_notes", "set_note", "remove_note")
def test_notes(ann: Visitor, keeper: Visitor) -> None:
    ann.send("PUT", "/own/notes/2", 204, {"text": "Ask <b>them</b>"})
    ((note),) = ann.get("/own/notes")["items"]
    assert (note["article"]["id"], note["text"]) == (2, "Ask <b>them</b>")
    assert keeper.get("/own/notes")["items"] == []
    assert keeper.send("DELETE", "/own/notes/2", 404)["status"] == 404
    ann.send("DELETE", "/own/notes/2", 204)
    assert ann.get("/own/notes")["items"] == []
    assert ann.send("PUT", "/own/notes/99", 404, {"text": "x"})["detail"] == "there is no article 99"
    assert ann.send("PUT", "/own/notes/2", 422, {"text": ""})["status"] == 422


@covers("list_rules", "add_rule", "change_rule", "remove_rule", "list_hidden", "show_hidden")
def test_rules_and_what_they_hide(ann: Visitor, keeper: Visitor, store: Store) -> None:
    made = ann.send("POST", "/own/rules", 201, {"effect": "hide", "query": "seals"})
    assert made == {"id": made["id"], "effect": "hide", "query": "seals", "label": "", "source": None}
    assert ann.get("/own/rules")["items"] == [made]
    assert keeper.get("/own/rules")["items"] == []
    (rule,) = store.rules()
    store.hide(rule.person, [2, 6], rule.id)
    assert numbers(ann.get("/own/hidden")) == [2, 6]
    assert 2 not in numbers(ann.get("/own/unread"))
    ann.send("DELETE", "/own/hidden/2", 204)
    assert ann.send("DELETE", "/own/hidden/2", 404)["detail"] == "your rules hide no article 2"
    assert 2 in numbers(ann.get("/own/unread"))
    path = f"/own/rules/{made['id']}"
    ann.send("PUT", path, 204, {"effect": "label", "label": "Sea", "source": 1})
    assert ann.get("/own/rules")["items"][0] == {**made, "effect": "label", "query": "", "label": "Sea", "source": 1}
    assert keeper.send("PUT", path, 404, {"effect": "hide"})["status"] == 404
    assert keeper.send("DELETE", path, 404)["status"] == 404
    ann.send("DELETE", path, 204)
    assert ann.get("/own/hidden")["items"] == []
    for wrong in ({"effect": "label"}, {"effect": "hide", "query": "((("}, {"effect": "explode"}, {}):
        assert ann.send("POST", "/own/rules", 422, wrong)["status"] == 422
    assert ann.send("POST", "/own/rules", 409, {"effect": "hide", "source": 99})["status"] == 409


@covers("list_targets", "add_target", "change_target", "remove_target")
def test_targets(ann: Visitor, keeper: Visitor) -> None:
    body = {"kind": "webhook", "address": "https://hooks.example/in?key=s3cret", "events": ["story", "article"]}
    made = ann.send("POST", "/own/targets", 201, body)
    assert made["secret"].startswith("whsec_")
    told = ann.ask("GET", "/own/targets")
    assert "s3cret" not in told.text
    assert made["secret"] not in told.text
    (item,) = told.json()["items"]
    assert (item["events"], item["name"], item["is_active"], item["sent"]) == (["article", "story"], "webhook", True, 0)
    path = f"/own/targets/{item['id']}"
    ann.send("PATCH", path, 204, {"is_active": False})
    assert not ann.get("/own/targets")["items"][0]["is_active"]
    assert keeper.get("/own/targets")["items"] == []
    assert keeper.send("PATCH", path, 404, {"is_active": True})["status"] == 404
    assert keeper.send("DELETE", path, 404)["status"] == 404
    ann.send("DELETE", path, 204)
    assert ann.get("/own/targets")["items"] == []
    for wrong in (
        {"address": "no address"},
        {"kind": "mail", "address": "a@b.example"},
        {"query": "((("},
        {"kind": "x"},
    ):
        assert ann.send("POST", "/own/targets", 422, {**body, **wrong})["status"] == 422
