"""What is one's own stays one's own: saved, unread, followed, subscribed to, each by their own token."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tests.news.api.conftest import MakeToken, Visitor
from tests.news.api.covered import covers
from tests.news.store.made import NOON
from tidings.news.store import Store
from tidings.news.store.records_of_people import NewPerson, Scope


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
    assert keeper.get("/own/sources")["items"] == []
    ann.send("DELETE", "/own/sources/1", 204)
    assert ann.send("DELETE", "/own/sources/1", 404)["detail"] == "the source 1 is not your own"
    assert ann.send("PUT", "/own/sources/9", 404, {})["status"] == 404
    assert len(keeper.get("/sources")["items"]) == 2  # the store keeps it


def test_a_token_that_may_read_sees_what_is_its_owners(reader: Visitor, stranger: Visitor) -> None:
    for path in ("/own/saved", "/own/unread", "/own/stories", "/own/sources"):
        assert reader.ask("GET", path).status_code == 200
        assert stranger.ask("GET", path).status_code == 401
    for path in ("/own/saved/1", "/own/read/1", "/own/stories/1"):
        assert reader.ask("PUT", path).status_code == 403
