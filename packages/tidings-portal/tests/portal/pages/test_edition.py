"""The morning paper: a reader's languages, sections by topic, outlets by turns, summaries, what is new."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.accounts.browsing import site_of
from tests.portal.pages.looked_at import Seen
from tests.portal.store.made import new
from tidings.article import Image
from tidings_portal import store as stores
from tidings_portal.portal.edition import brief, edition, spread, topic_of, topics
from tidings_portal.store.records_of_articles import Story, StoryDraft
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.stories.topics import OTHER
from tidings_portal.web import icons
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings
from tidings_portal.web.translations import LANGUAGES, words

CATEGORIES = ("Sport", "World", "Ekonomi", "Culture", "Science", "")


def reading(client: TestClient, path: str = "/", *languages: str) -> str:
    """A page as somebody who reads some languages sees it."""
    cookie = {"cookie": f"tidings_reading={'.'.join(languages)}"} if languages else {}
    answer = client.get(path, headers=cookie)
    assert answer.status_code == 200
    return answer.text


def languages_on(page: str) -> set[str]:
    return {lang for tag, one in Seen(page).elements if tag == "article" and (lang := one.get("lang"))}


@pytest.fixture
def paper(tmp_path: Path) -> Iterator[App]:
    """Forty stories of five topics and two outlets, one of which tells of most."""
    with housed.app(tmp_path / "news.tidings") as app:
        for number in range(1, 41):
            outlet = "loud" if number % 8 else "quiet"
            article = new(
                number,
                f"Story number {number}",
                "It happened in the morning. Nobody was hurt.",
                url=f"https://www.{outlet}.example/{number}",
                at=housed.NOW - timedelta(minutes=number),
                category=CATEGORIES[number % len(CATEGORIES)],
                image=Image(f"https://www.{outlet}.example/{number if number % 2 else 'logo'}.jpg"),
            )
            app.store.keep([article])
            category = CATEGORIES[number % len(CATEGORIES)]
            app.store.save_stories([StoryDraft((number,), f"Story number {number}", "Told once.", "en", category)])
        yield app


def test_sections_by_topic_with_leads_that_have_pictures(paper: App) -> None:
    made = edition(paper.store, housed.NOW, named=lambda one: one.site)
    assert made.count == 40
    assert {section.topic for section in made.sections} == {"sport", "world", "economy", "culture", "science", OTHER}
    assert made.sections[-1].topic == OTHER
    shown = [one.story.id for one in made.teasers]
    assert len(shown) == len(set(shown))
    for section in made.sections:
        assert all(one.topic == section.topic for one in section.stories)
        assert section.lead.image or not any(one.image for one in section.stories[:4])
    assert not any("logo" in one.image for one in made.teasers)
    chosen = edition(paper.store, housed.NOW, named=lambda one: one.site, sections=("science", "sport"))
    assert [one.topic for one in chosen.sections] == ["science", "sport"]


@given(st.lists(st.sampled_from("aab"), max_size=30))
def test_nobody_has_three_places_in_a_row_where_others_are_left(outlets: list[str]) -> None:
    found = spread(enumerate(outlets), lambda one: one[1])
    assert sorted(found) == list(enumerate(outlets))
    for place in range(len(found) - 2):
        three = {one[1] for one in found[place : place + 3]}
        assert len(three) > 1 or {one[1] for one in found[place:]} == three


@pytest.mark.parametrize(
    ("summary", "title", "wanted"),
    [
        ("It rained. Then it stopped.", "Rain", "It rained. Then it stopped."),
        ("Seals are back. They breed again.", "Seals are back", "They breed again."),
        ("SEALS ARE BACK", "Seals are back", ""),
        (f"It rained. {'And so on and on ' * 30}.", "Rain", "It rained."),
        ("It rained. The rest of this sentence was cut off…", "Rain", "It rained."),
        ("", "Rain", ""),
    ],
)
def test_summaries_end_at_a_sentence_and_do_not_repeat_the_headline(summary: str, title: str, wanted: str) -> None:
    assert brief(summary, title, "en") == wanted


def test_every_topic_has_its_name_in_every_language() -> None:
    assert all(words(code)(f"topic.{one}") for code in LANGUAGES for one in topics())
    story = Story(1, "", "", "", "Ekonomi", housed.NOW, housed.NOW, 1, 1, 0)
    assert topic_of(story) == topic_of(replace(story, category="Business")) == "economy"
    assert topic_of(replace(story, category="Basılı gazete eki")) == OTHER
    assert topic_of(replace(story, topic="sport")) == "sport"  # what was found out goes before the outlet's word


def test_only_the_languages_somebody_reads_are_shown(app: App, client: TestClient) -> None:
    app.store.count_reads({one.id: 1 for one in app.store.articles(limit=1000).items}, app.now())
    for path in ("/", "/latest", "/most-read", "/events?least=1", "/topic/world"):
        assert languages_on(reading(client, path, "tr")) <= {"tr"}, path
        assert languages_on(reading(client, path, "en", "tr")) <= {"en", "tr"}, path
    assert len(languages_on(reading(client, "/latest", "*"))) > 3
    assert languages_on(client.get("/latest", headers={"accept-language": "tr-TR,tr;q=0.9"}).text) == {"tr"}
    assert languages_on(client.get("/latest?language=de", headers={"cookie": "tidings_reading=tr"}).text) <= {"de"}
    assert languages_on(client.get("/latest", headers={"accept-language": "xx,q=nan,;;"}).text) > {"tr"}


def test_languages_are_asked_for_once_and_remembered(app: App, client: TestClient) -> None:
    page = client.get("/").text
    assert "Which languages do you read?" in page
    form = {"token": housed.token_in(page), "of": "languages", "reading": ["tr", "en", "<script>"], "next": "/"}
    answer = client.post("/paper", data=form)
    assert answer.status_code == 303
    assert client.cookies["tidings_reading"] == "tr.en"
    page = client.get("/").text
    assert "Which languages do you read?" not in page
    assert languages_on(page) <= {"tr", "en"}
    client.post("/paper", data={**form, "token": housed.token_in(page), "reading": []})
    assert client.cookies["tidings_reading"].strip('"') == "*"
    client.post("/paper", data={**form, "token": housed.token_in(page), "reading": ["tr"]})
    client.post("/paper", data={**form, "token": housed.token_in(page), "every": "yes"})
    assert client.cookies["tidings_reading"].strip('"') == "*"
    assert client.post("/paper", data={"of": "languages"}).status_code == 403


def test_sections_are_chosen_and_follow_the_account(filled: Path, tmp_path: Path) -> None:
    with housed.app(housed.copy_of(filled, tmp_path), PortalSettings(accounts=True)) as app:
        site = site_of(app)
        ann = site.person("Ann")
        places = {f"place_{one}": 0 for one in topics()} | {"place_sport": 2, "place_world": 1}
        assert ann.send("/paper", page="/paper", of="both", reading="en", **places).status_code == 303
        assert ann.client.cookies["tidings_sections"] == "world.sport"
        assert ann.send("/paper", page="/paper", of="both", place_sport="x").status_code == 400
        again = site.browser("192.0.2.7")
        again.sign_in("Ann")
        assert again.client.cookies["tidings_sections"] == "world.sport"
        assert again.client.cookies["tidings_reading"] == "en"
        ann.send("/account/remove", page="/account", password="grey seals at dawn")  # noqa: S106
        assert not app.store.preference(ann.key if ann.session else "person 1", "tidings_reading")


def test_what_is_new_since_the_last_visit(paper: App) -> None:
    app, client, now = paper, housed.client(paper), [housed.NOW]
    app.now = lambda: now[0]
    assert "since" not in client.get("/").text.partition("<main")[2].partition("<form")[0]
    now[0] += timedelta(hours=3)
    app.store.keep([new(900, "Fresh from the press", "Just now.", at=now[0] - timedelta(minutes=5))])
    assert re.search(r"1 new article since \d+:\d\d", client.get("/").text)
    now[0] += timedelta(minutes=2)
    assert "1 new article since" in client.get("/").text, "the same visit"
    for cookie in ("x", "1", "9.9.9", "99999999999.1", "-1.2"):
        assert client.get("/", headers={"cookie": f"tidings_seen={cookie}"}).status_code == 200


def test_an_empty_front_page_says_why(tmp_path: Path) -> None:
    with housed.app(tmp_path / "news.tidings") as app:
        client = housed.client(app)
        assert "There are no sources." in client.get("/").text
        app.store.add_sources([NewSource("https://harbour.example/feed")], housed.NOW)
        app.cache.forget()
        assert "have no articles yet" in client.get("/").text


def test_an_outlet_is_never_called_by_its_address(tmp_path: Path) -> None:
    with housed.app(tmp_path / "news.tidings") as app:
        app.store.keep(
            [
                new(1, "One", "Text.", url="https://www.harbour.example/1", site="www.harbour.example"),
                new(2, "Two", "Text.", url="https://www.harbour.example/2", site="The Harbour"),
                new(3, "Three", "Text.", url="https://www.hill.example/3"),
            ]
        )
        page = housed.client(app).get("/latest").text
        shown = re.findall(r"<bdi>([^<]*)</bdi>", page)
        assert sorted(shown) == ["The Harbour", "The Harbour", "hill.example"]


def test_icons_come_from_here_and_only_for_sites_of_ours(app: App, client: TestClient) -> None:
    page = client.get("/latest").text
    addresses = set(re.findall(r'class="outlet" src="(/icon/[^"]+)"', page))
    assert addresses
    answer = client.get(min(addresses))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]
    mark = min(addresses).split("/")[2]
    assert client.get(f"/icon/{mark}/evil.example").status_code == 404
    assert client.get("/icon/0/127.0.0.1").status_code == 404


def test_a_letter_stands_for_an_icon_that_does_not_come_in_time(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow(asked: App, site: str) -> bytes:
        await asyncio.sleep(0.3)
        asked.picture_cache.put(("icon", site), b"GIF89a")
        return b"GIF89a"

    monkeypatch.setattr(icons, "_fetch", slow)
    monkeypatch.setattr(icons, "_PATIENCE", 0.01)
    address = icons.icon_at(app, "late.example")
    with housed.client(app) as client:
        first = client.get(address)
        assert (first.headers["content-type"], first.headers["cache-control"]) == (
            "image/svg+xml",
            "private, max-age=60",
        )
        assert ">L</text>" in first.text
        monkeypatch.setattr(icons, "_PATIENCE", 10.0)
        then = client.get(address)  # the same fetch is waited for
        assert (then.headers["content-type"], then.content) == ("image/gif", b"GIF89a")
        assert then.headers["cache-control"] == "private, max-age=86400"


def test_a_topic_has_all_its_stories(paper: App) -> None:
    client = housed.client(paper)
    ways = set(re.findall(r'href="(/topic/[a-z]+)"', client.get("/").text))
    seen = set()
    for way in ways:
        seen |= set(re.findall(r"Story number \d+", client.get(way).text))
    assert len(seen) == 40
    assert client.get("/topic/nonsense").status_code == 404
    for after in ("-1", "²", "x", "99999"):
        assert client.get("/topic/sport", params={"after": after}).status_code == 200


def test_preferences_go_with_the_account(tmp_path: Path) -> None:
    with stores.open(tmp_path / "news.tidings") as kept:
        kept.set_preference("local", "tidings_reading", "en")
        kept.set_preference("local", "tidings_reading", "tr")
        assert kept.preference("local", "tidings_reading") == "tr"
        assert kept.preference("person 1", "tidings_reading") == ""


@pytest.mark.parametrize("path", ["/events", "/article/{}", "/story/{}", "/search?q=story"])
def test_section_of_the_outlet_is_not_displayed_beside_topics(paper: App, path: str) -> None:
    number = next(n for n in range(1, 41) if CATEGORIES[n % len(CATEGORIES)] == "Ekonomi")
    page = housed.client(paper).get(path.format(number)).text
    assert "/topic/economy" in page
    assert "/category/Ekonomi" not in page


def test_section_without_a_topic_is_displayed(empty: App) -> None:
    empty.store.keep([new(1, "Story number 1", "It happened.", at=housed.NOW, category="Basılı gazete eki")])
    assert "Basılı gazete eki" in housed.client(empty).get("/article/1").text
