"""Every kind of page: in both languages, over nothing, asked for what is not there; and reading writes nothing."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.pages.looked_at import Seen, harm
from tidings.article import Article, Block, Inline, Kind
from tidings_portal.store.records_of_articles import NewArticle, Only, StoryDraft
from tidings_portal.stories.trends.finder import PeriodLength
from tidings_portal.web import languages
from tidings_portal.web.app_state import App
from tidings_portal.web.translations import words

KINDS = (
    "/story/1",
    "/search",
    "/search?q=bridge",
    "/search?q=bridge&language=en&order=time&since=2026-03-01&until=2026-03-31",
    "/search?language=ar",
    "/search?q=nothingatall",
    "/events",
    "/events?when=past&least=2",
    "/trends",
    "/trends?q=bridge,storm&by=day",
    "/trends?q=bridge&measure=cosine&by=month&language=en",
    "/sources",
    "/sources/1",
    "/sources/1/remove",
    "/article/1/how",
    "/article/1/how?others=yes",
    "/feeds",
    "/about",
)
OTHERS = (
    "/opensearch.xml",
    "/manifest.webmanifest",
    "/sources.opml",
    "/trends.csv?q=bridge",
    "/article/1/drawn",
    "/article/1/saved",
)
#: Numbers that nothing has.
NOBODYS = ("0", "-1", "1" + "0" * 30, "x", "1.5", "%00", "٣", "99999999", "1%2F..%2F2", "1;DROP TABLE article")
ABSURD = (
    '"', "(", ")", "AND", "OR OR OR", "NOT", "-", "*", "a*b", "title:", "nofield:x", "on:yesterday", "\x00", "'" * 500,
    "(" * 500, "a " * 900, "story:x", "story:99999999999999999999999", "\u202e", "💥", "%", "_", "\\", '\\"',
    "since:2026-99",
)  # fmt: skip


def digest(path: str | Path) -> str:
    """All that a store holds, as a number."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as kept:
        names = [name for (name,) in kept.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        rows = {
            name: repr(kept.execute(f"SELECT * FROM {name}").fetchall())  # noqa: S608  # names of the schema
            for name in names
            if name != "words"
        }
    return hashlib.sha256(repr(sorted(rows.items())).encode()).hexdigest()


@pytest.mark.parametrize("path", KINDS)
@pytest.mark.parametrize("language", ["en", "tr"])
def test_each_page_is_there_in_each_language(reader: TestClient, path: str, language: str) -> None:
    answer = reader.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    seen = Seen(answer.text)
    assert seen.all("html")[0]["lang"] == language
    assert len(seen.all("h1")) == 1
    assert len(seen.all("main")) == 1
    assert "{" not in seen.words
    assert not harm(answer.text)


@pytest.mark.parametrize("path", KINDS)
def test_both_languages_say_the_same_things_differently(reader: TestClient, path: str) -> None:
    of_all = {"cookie": "tidings_reading=*"}
    english, turkish = (reader.get(path, headers={"accept-language": one, **of_all}).text for one in ("en", "tr"))
    assert Seen(english).words != Seen(turkish).words
    # The outlet's own word is not said beside a topic that is called the same in the reader's language.
    tags = [
        [
            tag
            for tag, said in Seen(page).elements
            if not (said.get("href") or "").startswith("/category/") and "aria-hidden" not in said
        ]
        for page in (english, turkish)
    ]
    assert tags[0] == tags[1]


@pytest.mark.parametrize("path", [kind for kind in KINDS if "/1" not in kind])
def test_over_nothing_each_page_says_so(empty: App, path: str) -> None:
    answer = housed.client(empty).get(path)
    assert answer.status_code == 200
    assert not harm(answer.text)


@pytest.mark.parametrize("year", [1, 1000, 1969, 9999])
def test_dates_that_cannot_be_break_nothing(empty: App, year: int) -> None:
    """HOSTILE 22: programs that know no date write the year 1."""
    blocks = (Block(Kind.PARAGRAPH, (Inline("A storm came over the harbour."),)),)
    told = Article(url="https://a.example/", title="Old storm", language="en", blocks=blocks)
    dated = replace(told, published=datetime(year, 1, 1, tzinfo=UTC))
    empty.store.keep([NewArticle(dated, housed.NOW, keys=("a",))])
    empty.store.save_stories([StoryDraft((1,), "Old storm", "", "en")])
    client = housed.client(empty)
    for path in ("/", "/latest", "/article/1", "/article/1/how", "/story/1", "/events", "/events?when=past", "/feeds"):
        assert client.get(path).status_code == 200, path
    for by in PeriodLength:
        for measure in ("share", "cosine"):
            assert client.get(f"/trends?q=storm&by={by}&measure={measure}").status_code == 200


def test_an_empty_house_says_what_to_do(empty: App) -> None:
    client = housed.client(empty)
    assert "no sources yet" in client.get("/sources").text
    assert "no events here" in client.get("/events").text
    assert "Nothing was found" in client.get("/search?q=seal").text
    assert "no trending words" in client.get("/trends").text
    assert "no articles in these periods" in client.get("/trends?q=seal").text


@pytest.mark.parametrize("number", NOBODYS)
@pytest.mark.parametrize(
    "path", ["/story/{}", "/sources/{}", "/sources/{}/remove", "/article/{}/how", "/article/{}/drawn"]
)
def test_what_is_not_there_is_not_found(reader: TestClient, path: str, number: str) -> None:
    answer = reader.get(path.format(number))
    assert answer.status_code == 404
    assert "DROP" not in Seen(answer.text).words
    turkish = reader.get(path.format(number), headers={"accept-language": "tr"})
    assert "Böyle bir" in turkish.text


@pytest.mark.parametrize("query", ABSURD)
def test_absurd_queries_are_answered(reader: TestClient, query: str) -> None:
    for path in ("/search", "/trends", "/trends.csv"):
        answer = reader.get(path, params={"q": query})
        assert answer.status_code in {200, 400}
        if "html" in answer.headers["content-type"]:
            assert not harm(answer.text)


@pytest.mark.parametrize(
    "path",
    [
        "/search?q=bridge&since=yesterday",
        "/search?q=bridge&until=2026-02-30",
        "/search?q=bridge&after=x",
        "/search?language=en&after=-1",
        "/events?after=zzz",
        "/sources/1?after=1e9",
    ],
)
def test_what_cannot_be_read_is_a_bad_request(reader: TestClient, path: str) -> None:
    assert reader.get(path).status_code == 400


@pytest.mark.parametrize(
    "path",
    [
        "/search?q=bridge&language=%00&category=%F0%9F%92%A5&site=%25&source=99999999999999999999&order=sideways",
        "/events?when=never&least=1000000&language=%22&category=%27",
        "/trends?q=a&by=century&measure=guess&language=" + "x" * 3000,
        "/trends?" + "&".join(f"q=word{n}" for n in range(60)),
        "/trends?q=" + ",".join("a" for _ in range(3000)),
    ],
)
def test_filters_that_fit_nothing_do_no_harm(reader: TestClient, path: str) -> None:
    assert reader.get(path).status_code == 200


@pytest.mark.parametrize("path", KINDS)
def test_who_has_a_page_already_is_told_so(reader: TestClient, path: str) -> None:
    first = reader.get(path)
    again = reader.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert reader.get(path, headers={"if-none-match": '"other"'}).status_code == 200


def test_reading_changes_nothing(app: App, client: TestClient) -> None:
    before = digest(app.store.where)
    for path in (*KINDS, *OTHERS, "/", "/latest", "/article/1", "/most-read"):
        assert client.get(path).status_code == 200
        assert client.head(path).status_code == 200
    assert digest(app.store.where) == before


@pytest.mark.parametrize("language", ["ar", "fa", "he", "ur"])
def test_what_is_written_leftwards_is_shown_so(reader: TestClient, portal: App, language: str) -> None:
    one = portal.store.articles(Only(language=language), limit=1).items[0]
    for path in (f"/search?language={language}", f"/story/{one.story}", f"/article/{one.id}/how"):
        elements = Seen(reader.get(path).text).elements
        assert ("rtl", language) in {(each.get("dir"), each.get("lang")) for _, each in elements}
        assert elements[0][1].get("dir") == "ltr"  # the page around it is not


def test_forms_and_links_lead_somewhere(reader: TestClient) -> None:
    """Every address of ours that a page of this part names is one that is answered."""
    named = {"/"}
    for path in KINDS:
        for tag, attributes in Seen(reader.get(path).text).elements:
            address = attributes.get("href", "") if tag == "a" else ""
            if address.startswith("/") and not address.startswith("/read"):
                named.add(address.partition("#")[0])
    assert len(named) > 100
    rooms: dict[str, str] = {}
    for address in sorted(named):
        rooms.setdefault(address.partition("?")[0].rpartition("/")[0] + "?" * ("?" in address), address)
    for address in rooms.values():
        assert reader.get(address).status_code in {200, 303}, address


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
def test_times_at_the_ends_of_the_calendar_are_shown(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for moment in (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC)):
            assert languages.moment(words("en"), moment).startswith(("1 January 1,", "31 December 9999,"))
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_phone_can_keep_it_and_share_with_it(reader: TestClient) -> None:
    answer = reader.get("/manifest.webmanifest", headers={"accept-language": "tr"})
    assert answer.headers["content-type"].startswith("application/manifest+json")
    told = answer.json()
    assert (told["start_url"], told["lang"], told["share_target"]["action"]) == ("/", "tr", "/save")
    assert reader.get(told["icons"][0]["src"]).headers["content-type"] == "image/svg+xml"
    for way in told["shortcuts"]:
        assert reader.get(way["url"]).status_code == 200


def test_a_text_is_as_large_as_its_reader_likes(reader: TestClient) -> None:
    assert "size-normal width-normal letters-serif" in reader.get("/article/1").text
    reader.cookies.set("tidings_reading", "huge-narrow-sans")
    assert "size-huge width-narrow letters-sans" in reader.get("/article/1").text
    reader.cookies.set("tidings_reading", "x onload=-2")
    assert "size-normal width-normal letters-serif" in reader.get("/article/1").text


def test_days_have_their_names() -> None:
    monday = datetime(2026, 11, 16, 12, tzinfo=UTC)
    told = [languages.long_day(words(code), monday) for code in ("en", "tr")]
    assert told == ["Monday, 16 November 2026", "16 Kasım 2026 Pazartesi"]
    assert languages.long_day(words("en"), monday, monday) == "Today"
    assert languages.long_day(words("tr"), monday.replace(day=15), monday) == "Dün"
    assert languages.long_day(words("en"), monday.replace(day=17), monday) == "Tuesday, 17 November 2026"


def test_lists_are_in_one_language_if_one_likes(app: App, client: TestClient) -> None:
    def shown(path: str) -> set[str]:
        """The languages of the articles on a page."""
        numbers = {
            int(attributes["href"].removeprefix("/article/"))
            for tag, attributes in Seen(client.get(path).text).elements
            if tag == "a" and (attributes.get("href") or "").removeprefix("/article/").isdigit()
        }
        found = [app.store.article(number) for number in numbers]
        return {one.headline.language for one in found if one is not None}

    articles = app.store.articles(limit=500).items
    app.store.count_reads({one.id: 3 for one in articles}, app.now())
    name = next(one.category for one in articles if one.language == "en" and one.category)
    for path in ("/latest", "/most-read"):
        assert len(shown(path)) > 1
        assert shown(f"{path}?language=tr") == {"tr"}
        assert shown(f"{path}?language=xx") == set()
    assert shown(f"/category/{name}?language=en") == {"en"}
    assert shown(f"/category/{name}?language=xx") == set()
    assert client.get(f"/category/{name}?language=xx").status_code == 200
    assert client.get("/category/Nowhere?language=en").status_code == 404
    assert len(shown("/?language=tr") - {"tr"}) == 0
    for path in ("/latest?language=tr", "/most-read?language=tr", "/events?language=tr"):
        assert f'href="{path}"' in client.get("/?language=tr").text


def test_the_next_page_and_the_feed_are_in_that_language_too(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tidings_portal.portal.lists.PAGE", 2)
    page = client.get("/latest?language=en").text
    assert " – English</h1>" in page
    links = [attributes for _, attributes in Seen(page).elements if attributes.get("rel") in {"next", "alternate"}]
    assert "/feeds/latest.rss?language=en" in {one["href"] for one in links}
    (following,) = [one["href"] for one in links if one["rel"] == "next"]
    assert "language=en" in (following or "")
    harmless = client.get('/latest?language="><script>alert(1)</script>')
    assert harmless.status_code == 200
    assert "<script>alert" not in harmless.text
