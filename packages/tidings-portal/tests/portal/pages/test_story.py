"""The page of a story: who told it when, what each adds, where old numbers lead."""

from __future__ import annotations

from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.pages.looked_at import Seen
from tidings.article import Article, Block, Image, Inline, Kind
from tidings_portal.portal import stories as page
from tidings_portal.store.records_of_articles import NewArticle, StoryDraft
from tidings_portal.web.app_state import App
from tidings_portal.web.page_cache import size_of
from tidings_portal.web.settings import PortalSettings

FIRST = "The harbour ferry ran aground near Norport lighthouse on Monday morning. Nobody was hurt."
LATER = (
    "The harbour ferry ran aground near Norport lighthouse on Monday. Divers found a broken rudder chain beneath it."
)
NOTHING = "Near Norport lighthouse the harbour ferry ran aground on Monday morning."


def article_from(number: int, title: str, text: str, host: str, hours: int) -> NewArticle:
    article = Article(
        url=f"https://{host}/{number}",
        title=title,
        published=housed.NOW - timedelta(days=1) + timedelta(hours=hours),
        language="en",
        site=host.split(".", maxsplit=1)[0].title(),
        image=Image(f"https://{host}/{number}.png"),
        blocks=(Block(Kind.PARAGRAPH, (Inline(text),)),),
    )
    return NewArticle(article, housed.NOW, "test", keys=(f"{host} {number}",))


@pytest.fixture
def ferry(empty: App) -> int:
    """A story of three articles of two sites, written down in no order."""
    saved = empty.store.keep(
        [
            article_from(2, "Rudder chain broke", LATER, "mail.example", 3),
            article_from(1, "Ferry aground", FIRST, "post.example", 0),
            article_from(3, "Ferry still aground", NOTHING, "post.example", 5),
        ]
    )
    members = tuple(one.article or 0 for one in saved)
    (number,) = empty.store.save_stories([StoryDraft(members, "Ferry aground", "A ferry.", "en", "Sea")])
    return number


def test_it_tells_who_was_first_and_what_each_one_added(empty: App, ferry: int) -> None:
    text = Seen(housed.client(empty).get(f"/story/{ferry}").text).words
    order = [text.index(title) for title in ("First story Ferry aground", "Rudder chain broke", "Ferry still aground")]
    assert order == sorted(order)
    assert "What it adds: Divers found a broken rudder chain beneath it." in text
    assert "Nothing new." in text
    assert "3 articles · 2 sources · from" in text
    assert text.count("Follow-up") == 2


def test_sources_stand_side_by_side_and_pictures_are_ours(empty: App, ferry: int) -> None:
    page_text = housed.client(empty).get(f"/story/{ferry}").text
    seen = Seen(page_text)
    assert [one["aria-label"] for one in seen.all("section") if one.get("class") == "teller"] == ["Post", "Mail"]
    pictures = [one["src"] for one in seen.all("img")]
    assert len(pictures) == 3
    assert all(address.startswith("/picture/") for address in pictures)


def test_a_number_that_was_merged_leads_to_the_new_one(empty: App, ferry: int) -> None:
    (saved,) = empty.store.keep([article_from(9, "Ferry", FIRST, "third.example", 9)])
    (other,) = empty.store.save_stories([StoryDraft((saved.article or 0,), "Another", "", "en")])
    empty.store.merge_stories(ferry, [other])
    answer = housed.client(empty).get(f"/story/{other}")
    assert answer.status_code == 308
    assert answer.headers["location"] == f"/story/{ferry}"


def test_following_is_a_form_and_only_for_those_who_are_somebody(empty: App, ferry: int) -> None:
    client = housed.client(empty)
    assert f'action="/story/{ferry}/follow"' in client.get(f"/story/{ferry}").text
    empty.store.follow(ferry, "local", housed.NOW)
    page_text = client.get(f"/story/{ferry}").text
    assert f'action="/story/{ferry}/unfollow"' in page_text
    assert "follower" not in Seen(page_text).words
    empty.settings = PortalSettings(accounts=True)
    page_text = housed.client(empty).get(f"/story/{ferry}").text
    assert "1 follower" in page_text
    assert 'method="post" action="/story' not in page_text
    assert f"/sign-in?next=%2Fstory%2F{ferry}" in page_text


def test_of_a_very_long_story_the_latest_are_shown(empty: App, monkeypatch: pytest.MonkeyPatch, ferry: int) -> None:
    monkeypatch.setattr(page, "_MEMBERS", 2)
    text = Seen(housed.client(empty).get(f"/story/{ferry}").text).words
    assert "Only the latest 2 articles are shown" in text
    assert "First story" not in text
    assert f"/search?q=story%3A{ferry}" in housed.client(empty).get(f"/story/{ferry}").text


def test_one_more_article_is_compared_at_once(empty: App, ferry: int) -> None:
    client = housed.client(empty)
    client.get(f"/story/{ferry}")
    (saved,) = empty.store.keep(
        [article_from(7, "Tug comes", "A tug from Sandry pulled the vessel free.", "mail.example", 8)]
    )
    empty.store.join_story(ferry, [saved.article or 0])
    assert "What it adds: A tug from Sandry" in Seen(client.get(f"/story/{ferry}").text).words


def test_a_story_whose_articles_are_gone_is_gone(empty: App, ferry: int) -> None:
    members = [one.id for one in empty.store.articles(limit=10).items]
    empty.store.remove_articles(members[1:])
    assert housed.client(empty).get(f"/story/{ferry}").status_code == 200
    empty.store.remove_articles(members)
    assert housed.client(empty).get(f"/story/{ferry}").status_code == 404


def test_what_is_kept_tells_how_large_it_is() -> None:
    small, large = (page.Compared({1: page.AddedSentences(("a" * size,), 0, 50)}) for size in (10, 100_000))
    assert size_of(large) - size_of(small) > 100_000


def test_a_story_is_also_a_feed(reader: TestClient) -> None:
    page_text = reader.get("/story/1").text
    assert "/feeds/story/1.rss" in page_text
    assert reader.get("/feeds/story/1.rss").headers["content-type"].startswith("application/rss+xml")
