"""Articles in both databases: kept once, in versions, as they were."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import pytest

import tidings
from tests.portal.store.made import DAY, HOUR, NOON, article, link, new
from tidings import newspaper
from tidings.article import Article, Block, Comment, Image, Inline, Kind
from tidings_portal.store import Store, codec
from tidings_portal.store.records_of_articles import Fate, Finished, NewArticle, Only, RawPage, Retention
from tidings_portal.store.records_of_work import LinkState, NewSource


def test_an_article_comes_back_as_it_was(kept: Store) -> None:
    told = article(1, "Seals are back", authors=("Ann Ames", "Bo"), tags=("sea",), provenance={"title": "h1"})
    (saved,) = kept.keep([NewArticle(told, NOON, "learned-3")])
    assert saved.fate is Fate.NEW
    assert saved.article is not None
    found = kept.article(saved.article)
    assert found is not None
    assert found.article == told
    assert (found.maker, found.version, found.extracted) == ("learned-3", 1, NOON)
    assert found.headline.title == "Seals are back"
    assert found.headline.authors == ("Ann Ames", "Bo")
    assert found.headline.site == "harbour.example"
    assert found.headline.time == NOON - HOUR


def test_every_page_of_the_newspaper_comes_back_as_it_was(kept: Store) -> None:
    articles = [tidings.extract(page.html, page.url) for page in newspaper.pages()]
    saved = kept.keep([NewArticle(one, NOON, keys=(one.url,)) for one in articles])
    assert {one.fate for one in saved} == {Fate.NEW}
    numbers = [one.article for one in saved if one.article is not None]
    assert [found.article for found in kept.articles_by_number(numbers)] == articles
    assert [found.article for found in kept.each_article()] == articles


ODD = "a\x00b \ud800 half \udfff \x85 \u2028 😀 \ufffe"


def test_nuls_and_half_characters_are_kept(kept: Store) -> None:
    told = Article(
        url=f"https://odd.example/{ODD}",
        title=ODD,
        authors=(ODD,),
        site=ODD,
        section=ODD,
        summary=ODD,
        image=Image(ODD, ODD, ODD),
        blocks=(Block(Kind.PARAGRAPH, (Inline(ODD, href=ODD),)),),
        comments=(Comment((Block(Kind.QUOTE, (Inline(ODD),)),), ODD, datetime(2024, 1, 1), published_precision="day"),),
        language="en",
        marks=(ODD,),
        provenance={"title": ODD},
    )
    (source,) = kept.add_sources([NewSource(f"https://odd.example/{ODD}", title=ODD, folder=ODD)], NOON)
    kept.note_links([link(1, guid=ODD, keys=(ODD,), category=ODD)], NOON, source)
    (task,) = kept.claim(ODD, 1, HOUR, NOON)
    page = RawPage(ODD, ODD.encode(errors="surrogatepass"), NOON, ODD)
    (saved,) = kept.finish([Finished(task, NewArticle(told, NOON, ODD, page, keys=(ODD + "2",)))])
    assert saved.article is not None
    found = kept.article(saved.article)
    assert found is not None
    assert found.article == told
    assert found.headline.title == "ab \ufffd half \ufffd   😀 " or "half" in found.headline.title
    assert "\x00" not in found.headline.title
    assert [hit.headline.id for hit in kept.search("half").items] == [saved.article]
    again = kept.page_of(saved.article)
    assert again is not None
    assert again.page.content == page.content
    assert kept.check() == []


def test_a_changed_article_is_a_further_version(kept: Store) -> None:
    first, second = new(1, text="Three seals were seen."), new(1, text="Four seals were seen.", maker="rule 7")
    (one,) = kept.keep([first])
    (same,) = kept.keep([first])
    (two,) = kept.keep([second])
    assert (one.fate, same.fate, two.fate) == (Fate.NEW, Fate.SAME, Fate.CHANGED)
    assert one.article is not None
    assert one.article == same.article == two.article
    assert [(version.version, version.article.text) for version in kept.versions(one.article)] == [
        (1, "Three seals were seen."),
        (2, "Four seals were seen."),
    ]
    assert [hit.headline.id for hit in kept.search("four").items] == [one.article]
    assert kept.search("three").items == ()
    old = kept.article(one.article, 1)
    assert old is not None
    assert old.article == first.article
    assert kept.article(one.article, 3) is None
    assert kept.check() == []


def test_a_new_date_moves_an_article_in_every_list(kept: Store) -> None:
    (source,) = kept.add_sources([NewSource("https://a.example/feed")], NOON)
    kept.keep([new(1, authors=("Ann",), sources=(source,)), new(2, authors=("Ann",), sources=(source,))])
    kept.keep([new(1, authors=("Ann",), published=NOON - 5 * DAY, sources=(source,))])
    for only in (Only(), Only(author="ann"), Only(source=source), Only(site="harbour.example")):
        assert [one.title for one in kept.articles(only).items] == ["Story 2", "Story 1"]
    assert [hit.headline.title for hit in kept.search("story on:2024-02-29").items] == ["Story 1"]


def test_the_same_article_of_two_links_is_kept_once(kept: Store) -> None:
    sources = kept.add_sources([NewSource("https://a.example/feed"), NewSource("https://b.example/feed")], NOON)
    kept.note_links([link(1)], NOON, sources[0])
    kept.note_links([link(2)], NOON, sources[1])
    tasks = kept.claim("w", 5, HOUR, NOON)
    found = new(7, keys=("https://harbour.example/canonical",))
    saved = kept.finish([Finished(task, found) for task in tasks])
    assert [one.fate for one in saved] == [Fate.NEW, Fate.DUPLICATE]
    assert saved[0].article == saved[1].article
    (headline,) = kept.articles().items
    assert headline.sources == tuple(sources)
    assert {kept.link(task.link.id).state for task in tasks} == {LinkState.DONE}  # type: ignore[union-attr]


def test_twice_in_one_batch(kept: Store) -> None:
    saved = kept.keep([new(1, text="one"), new(1, text="two"), new(1, text="two"), new(1, text="three")])
    assert [one.fate for one in saved] == [Fate.NEW, Fate.CHANGED, Fate.SAME, Fate.CHANGED]
    assert kept.count("three").number == 1
    assert kept.count("one OR two").number == 0
    assert kept.check() == []


@pytest.mark.parametrize(
    ("told", "sorted_by"),
    [
        (None, NOON),
        (NOON + DAY, NOON),  # still to come
        (datetime(1970, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)),
        (date(2024, 3, 5), NOON),  # today, without an hour
        (date(2024, 3, 1), datetime(2024, 3, 1, 23, 59, 59, 999999, tzinfo=UTC)),
        (datetime(2024, 3, 5, 9), datetime(2024, 3, 5, 9, tzinfo=UTC)),
        (datetime.min, datetime.min.replace(tzinfo=UTC)),
        (datetime.max, NOON),
        (date.min, datetime(1, 1, 1, 23, 59, 59, 999999, tzinfo=UTC)),
    ],
)
def test_what_an_article_is_sorted_by(kept: Store, told: datetime | date | None, sorted_by: datetime) -> None:
    (saved,) = kept.keep([new(1, published=told)])
    (headline,) = kept.articles().items
    assert headline.time == sorted_by
    found = kept.article(saved.article or 0)
    assert found is not None
    assert found.article.published_as_stated == told  # kept as told, never invented


def test_pages_are_kept_once_and_pruned_oldest_first(kept: Store) -> None:
    pages = [RawPage(f"https://a.example/{n}", bytes([n]) * 1000, NOON + n * HOUR, "text/html") for n in range(5)]
    kept.keep([new(n, page=page) for n, page in enumerate(pages)])
    kept.keep([new(9, page=RawPage("https://mirror.example/", pages[3].content, NOON + 3 * HOUR))])
    assert kept.totals().pages == 5
    assert [one.page.content[0] for one in kept.each_page()] == [0, 1, 2, 3, 4]
    assert [one.page.content[0] for one in kept.each_page(NOON + 3 * HOUR)] == [3, 4]
    assert [len(one.articles) for one in kept.each_page()] == [1, 1, 1, 2, 1]
    removed = kept.retain(Retention(pages_for=timedelta(hours=3)), NOON + 4 * HOUR)
    assert removed.pages == 1
    half = kept.totals().page_bytes // 2
    assert kept.retain(Retention(pages_bytes=half), NOON).pages == 2
    assert [one.page.content[0] for one in kept.each_page()] == [3, 4]
    assert kept.retain(Retention(pages_bytes=0), NOON).pages == 2
    assert kept.page_of(1) is None
    assert kept.article(1) is not None


@pytest.mark.parametrize("number", [0, -1, 1 << 62, 1 << 63, 1 << 200])
def test_numbers_of_nothing(kept: Store, number: int) -> None:
    assert kept.article(number) is None
    assert kept.versions(number) == []
    assert kept.link(number) is None
    assert kept.source(number) is None
    assert kept.story(number) is None
    assert kept.similar(number) == []
    assert kept.page_of(number) is None
    assert kept.articles(Only(source=number, story=number)).items == ()
    assert kept.articles_by_number([number]) == []
    assert not kept.follow(number, "ann", NOON)
    assert not kept.save(number, "ann", NOON)
    kept.count_reads({number: 3}, NOON)
    kept.save_signatures({number: b"x"})
    assert not kept.join_story(number, [number])


def test_a_site_is_called_what_its_newest_articles_call_it(kept: Store) -> None:
    assert kept.site_names() == {}
    before = [new(n, site="Old Harbour", published=NOON - 90 * DAY + n * HOUR) for n in range(1, 41)]
    since = [new(100 + n, site="The Harbour", published=NOON - 20 * HOUR + n * HOUR / 2) for n in range(20)]
    others = [
        new(200, site="hill.example", url="https://hill.example/1"),  # an address says nothing
        new(201, site="", url="https://valley.example/1"),
        new(202, site="The Quay", url="https://quay.example/1"),
    ]
    kept.keep([*before, *since, *others])
    assert kept.site_names() == {"harbour.example": "The Harbour", "quay.example": "The Quay"}
    assert kept.languages() == ["en"]


@pytest.mark.parametrize(
    "text",
    ["", "Seals.", 'She said ",\\"text\\":\\"" and },"text":"x"} twice.', "A NUL \0, half \ud83d, a line\n."],
)
def test_the_text_alone_is_the_text_of_the_whole(text: str) -> None:
    told = article(1, "Seals", text, tags=('","text":"no',))
    packed = codec.pack(codec.article_bytes(told))
    assert codec.text_of(packed) == codec.article_of(packed).text == told.text
    older = json.dumps({"text": "First.", **json.loads(codec.unpack(packed)), "more": {"text": "Not this."}})
    assert codec.text_of(codec.pack(older.encode())) == told.text  # whatever stands behind it
