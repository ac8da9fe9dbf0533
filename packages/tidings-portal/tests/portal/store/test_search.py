"""Search in both databases: the same sets of answers, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_hex

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tidings
from tests.portal.store.made import DAY, NOON, new
from tidings import newspaper
from tidings.errors import BadQuery
from tidings_portal import store
from tidings_portal.store import Store, parse
from tidings_portal.store.query import And, DayRange, Is, Not, Or, Property, Query, SearchedField, SearchedWords
from tidings_portal.store.records_of_articles import Mute, NewArticle, Only, SearchOrder, Snippet
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.store.search_words import search_words


def numbers(kept: Store, query: str | Query, **more: object) -> set[int]:
    return {hit.headline.id for hit in kept.search(query, limit=1000, **more).items}  # type: ignore[arg-type]


def listed(kept: Store, query: Query) -> set[int]:
    return {one.id for one in kept.articles(Only(query=query), limit=1000).items}


TEXTS = [
    {
        "title": "Grey seals breed again",
        "text": "The seals were running along the estuary.\nA pup was born.",
        "language": "en",
    },
    {"title": "Ferry fares rise", "text": "Council raises fares; don't panic, says J. Smith of A&B.", "language": "en"},
    {
        "title": "İstanbul'da ışık",
        "text": "Depremler sonrası ISPARTA'da ışıklar söndü, çarşı kapandı.",
        "language": "tr",
    },
    {"title": "زلزله در تهران", "text": "مردم می‌روند به خیابان‌ها. كتاب‌های درسی ۱۲۳ عدد.", "language": "fa"},
    {"title": "القاهرة اليوم", "text": "أعلن الوزير عن المدرسة الجديدة وصدر الكِتَاب.", "language": "ar"},
    {"title": "東京都知事選", "text": "東京都の知事選挙が行われた。京都ではない。", "language": "ja"},
    {"title": "北京新闻", "text": "中国北京今天下雨。人民日报报道。", "language": "zh"},
    {"title": "서울에서 열린", "text": "대통령이 서울에서 연설했다.", "language": "ko"},
    {"title": "Café à Orléans", "text": "L'homme chante. Ça coûte 3,50 €.", "language": "fr"},
    {"title": "Straße gesperrt", "text": "Die Straßen sind überflutet; Ärzte helfen.", "language": "de"},
    {"title": "Ёлка на площади", "text": "Новогодняя ёлка и йод.", "language": "ru"},
    {"title": "กรุงเทพมหานคร", "text": "ฝนตกหนักในกรุงเทพ", "language": "th"},
]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def shelf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The texts above in a store that no test changes."""
    where = str(tmp_path_factory.mktemp("shelf") / "news.tidings")
    if request.param == "postgres":
        # Another name each time: where tests are handed from one worker to another, this one may be made twice.
        where = made_database(request.getfixturevalue("server"), f"shelf_{token_hex(4)}")
    with store.open(where) as kept:
        kept.keep([new(n, **told) for n, told in enumerate(TEXTS, 1)])
        yield kept


def made_database(server: str, name: str) -> str:
    import psycopg
    from psycopg import sql

    with psycopg.connect(server.format("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return server.format(name)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("seal", {1}),  # by its stem
        ("SEALS", {1}),
        ("run", {1}),
        ('"run"', set()),  # in quotes: as written
        ('"running along"', {1}),
        ('"along running"', set()),
        ('"the estuary pup"', {}),
        ("estu*", {1}),
        ('"running al"*', {1}),
        ("don't", {2}),
        ("A&B", {2}),
        ("author:smith", set()),
        ("istanbul", {3}),
        ("İSTANBUL", {3}),
        ("isik", {3}),
        ("ışık", {3}),
        ("deprem", {3}),
        ("depremlerden", {3}),
        ("isparta", {3}),
        ("carsi", {3}),
        ("میروند", {4}),
        ("می‌روند", {4}),
        ("کتاب", {4, 5}),  # Persian and Arabic letters are one
        ("كتاب", {4, 5}),
        ("123", {4}),
        ("الكتاب", {5}),  # the Arabic stem is a Persian word, and matches no Persian article
        ("المدرسه", {5}),
        ("東京", {6}),
        ("東京都知事", {6}),
        ("京都", {6}),
        ("知", {6}),
        ("ぬ", set()),
        ("た", {6}),
        ("北京", {7}),
        ("人民日报", {7}),
        ("雨", {7}),
        ("京今", {7}),
        ("서울", {8}),
        ("서울에서", {8}),
        ("대통령", {8}),
        ("cafe", {9}),
        ("homme", {9}),
        ("ca coute", {9}),
        ("strasse", {10}),
        ("STRASSE", {10}),
        ("arzte", {10}),
        ("елка", {11}),
        ("иод", set()),
        ("กรุงเทพ", {12}),
        ("seal OR fares", {1, 2}),
        ("seal fares", set()),
        ("seal NOT pup", set()),
        ("-seal lang:en", {2}),
        ("NOT lang:en NOT lang:tr NOT lang:ja", {4, 5, 7, 8, 9, 10, 11, 12}),
        ("title:seals", {1}),
        ("title:estuary", set()),
        ("text:estuary", {1}),
        ("(seal OR istanbul) lang:tr", {3}),
        ("seal OR lang:fa", {1, 4}),
        ("seal OR NOT (lang:en OR lang:tr)", {1, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
        ("on:2024-03-05 istanbul", {3}),
        ("before:2024-03-05", set()),
        ("since:2024-03-05 until:2024-03-05 lang:en", {1, 2}),
        ("after:2024-03", set()),
        ("before:2025 lang:zh", {7}),
        ("site:harbour.example lang:zh", {7}),
        ("site:www.harbour.example lang:zh", {7}),
        ("site:example lang:zh", {7}),
        ("site:arbour.example", set()),
        ("site:%", set()),
        ("category:x", set()),
        ("source:times", set()),
        ("story:7", set()),
        ("story:999999999999999999", set()),
    ],
)  # fmt: skip
def test_what_is_found(shelf: Store, query: str, found: set[int]) -> None:
    assert numbers(shelf, query) == set(found)
    assert numbers(shelf, query, order=SearchOrder.TIME) == set(found)
    assert shelf.count(query).number == len(found)
    assert {one.id for one in shelf.articles(Only(query=parse(query)), limit=100).items} == set(found)


@pytest.mark.parametrize("field", ["", "title:", "author:", "source:", "site:", "lang:", "category:"])
def test_half_a_character_is_searched_for_as_it_is_kept(shelf: Store, field: str) -> None:
    """HOSTILE 16: neither database takes one, and a question may hold it."""
    assert numbers(shelf, f'seals {field}"x\ud83ex"') == set()
    assert numbers(shelf, f"seals {field}x\udcfe*") == set()


def test_authors_sources_and_categories(kept: Store) -> None:
    sources = kept.add_sources(
        [NewSource("https://a.example/feed", title="The Harbour Times"), NewSource("https://b.example/feed")], NOON
    )
    kept.keep(
        [
            new(1, authors=("José Núñez",), sources=(sources[0],), category="Spor & Yaşam"),
            new(2, authors=("Jo Nunez", "Ann"), sources=tuple(sources), section="Science", tags=("whale",)),
            new(3, summary="A whale"),
        ]
    )
    assert numbers(kept, "author:nunez") == {1, 2}
    assert numbers(kept, 'author:"jose nunez"') == {1}
    assert numbers(kept, "source:harbour") == {1, 2}
    assert numbers(kept, "source:b.example") == {2}
    assert numbers(kept, "source:2") == {2}
    assert numbers(kept, "NOT source:harbour") == {3}
    assert numbers(kept, 'category:"spor yasam"') == {1}
    assert numbers(kept, "whale") == {2, 3}
    assert numbers(kept, "story", only=Only(author="ANN")) == {2}
    assert numbers(kept, "story", only=Only(source=sources[0])) == {1, 2}
    assert [(one.name, one.number) for one in kept.categories()] == [("Science", 1), ("Spor & Yaşam", 1)]
    assert {(one.name, one.number) for one in kept.authors()} == {("José Núñez", 1), ("Jo Nunez", 1), ("Ann", 1)}


def test_long_texts_are_searched_in_their_order_to_the_end(kept: Store) -> None:
    # More places than a tsvector counts, and a word more often than it remembers.
    filler = " ".join(f"w{n} the" for n in range(20_000))
    kept.keep([new(1, text=f"{filler} grey the seal")])
    for query, found in [
        ('"grey the seal"', {1}),
        ('"the grey the"', {1}),
        ('"the seal grey"', set()),
        ("w19999", {1}),
    ]:
        assert numbers(kept, query) == found, query


def test_a_hostile_text_is_indexed_within_bounds(kept: Store) -> None:
    texts = [
        " ".join(f"{n:08x}" for n in range(60_000)),
        "𠀀" * 60_000,
        "x" * 1_000_000,
        "a\u0301" * 100_000,
        "\u0301" * 100_000,
        " ".join(chr(0x20000 + n) + chr(0x21000 + n % 4000) for n in range(30_000)),
        "' \" \\ % _ * : & | ! ( ) <-> NEAR {x} ^ ? " * 1000,
    ]
    kept.keep([new(n, text=text) for n, text in enumerate(texts, 1)])
    assert numbers(kept, "0000000a") == {1}
    assert numbers(kept, "xxxxx*") == {3}
    assert kept.check() == []


def test_lists_go_on_where_they_ended(shelf: Store) -> None:
    for order in SearchOrder:
        found: list[int] = []
        after = None
        while True:
            page = shelf.search("NOT title:nothing", order=order, limit=5, after=after)
            found += [hit.headline.id for hit in page.items]
            after = page.after
            if after is None:
                break
        assert found == list(range(1, 13))
    found = []
    while True:
        listed = shelf.search("seal OR fares OR istanbul OR 東京 OR 北京", limit=2, after=after)
        found += [hit.headline.id for hit in listed.items]
        after = listed.after
        if after is None:
            break
    assert sorted(found) == [1, 2, 3, 6, 7]
    assert shelf.count("NOT title:nothing", most=5).at_least


def test_the_newest_are_ranked_and_the_others_follow_by_time(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from tidings_portal.store.verbs import read_articles as search

    monkeypatch.setattr(search, "RANKED", 5)
    kept.keep([new(n, "Seals" if n in (4, 8) else f"Story {n}", "A text with a seal in it.") for n in range(1, 13)])
    for limit in (1, 2, 3, 5, 12):
        found: list[int] = []
        after = None
        while True:
            listed = kept.search("seal", limit=limit, after=after)
            found += [hit.headline.id for hit in listed.items]
            after = listed.after
            if after is None:
                break
        assert found[0] == 4
        assert sorted(found[:5]) == [1, 2, 3, 4, 5]
        assert found[5:] == [6, 7, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("cursor", ["", "x", "-1", "1/2/x", "nan/1/1", "1e5/x/", "9" * 30, "٣", "older/x"])
def test_cursors_that_nobody_gave_out(shelf: Store, cursor: str) -> None:
    with pytest.raises(BadQuery, match="cursor"):
        shelf.articles(after=cursor)
    with pytest.raises(BadQuery, match="cursor"):
        shelf.search("seal", after=cursor)


def marked(snippet: Snippet) -> str:
    pieces, at = [], 0
    for start, end in snippet.marks:
        pieces += [snippet.text[at:start], "[", snippet.text[start:end], "]"]
        at = end
    return "".join(pieces) + snippet.text[at:]


@pytest.mark.parametrize(
    ("query", "title", "text"),
    [
        ("seal pup", "Grey [seals] breed again", "The [seals] were running along the estuary.\n\nA [pup] was born."),
        ("title:seal", "Grey [seals] breed again", "The seals were running along the estuary.\n\nA pup was born."),
        ('"were running" -fares', "Grey seals breed again",
         "The seals [were running] along the estuary.\n\nA pup was born."),
        ("est*", "Grey seals breed again", "The seals were running along the [estuary].\n\nA pup was born."),
        ("isik", "İstanbul'da [ışık]", "Depremler sonrası ISPARTA'da [ışıklar] söndü, çarşı kapandı."),
        ("京都", "東[京都]知事選", "東[京都]の知事選挙が行われた。[京都]ではない。"),
        ("知", "東京都[知事]選", "東京都の[知事]選挙が行われた。京都ではない。"),
    ],
)  # fmt: skip
def test_snippets(shelf: Store, query: str, title: str, text: str) -> None:
    (hit,) = shelf.search(query).items
    assert marked(hit.title) == title
    assert marked(hit.text) == text


def test_of_a_long_text_the_best_passage_is_shown(kept: Store) -> None:
    filler = "Nothing to see here. " * 200
    kept.keep([new(1, text=f"A seal. {filler}Here a grey seal and a pup <b>swim</b>. {filler}")])
    (hit,) = kept.search("seal pup grey").items
    assert "[grey seal] and a [pup] <b>swim</b>" in marked(hit.text).replace("[grey] [seal]", "[grey seal]")
    assert len(hit.text.text) <= 240 + len("…  …")
    assert hit.text.text.startswith("… ")
    assert hit.text.text.endswith(" …")


# -- any query, any text: both say the same ---------------------------------------------------------------------

WORDS = "seal seals estuary fares istanbul ışık 東京 京都 の 北京 서울 کتاب cafe the a ça йод 123 don't".split()
FILTERS = st.one_of(
    st.builds(Is, st.just(Property.LANGUAGE), st.sampled_from(["en", "tr", "ja", "xx"])),
    st.builds(Is, st.just(Property.SITE), st.sampled_from(["harbour.example", "example"])),
    st.builds(DayRange, st.just(None), st.just((NOON - DAY).date())),
    st.just(DayRange((NOON).date(), None)),
)
LEAVES = st.one_of(
    st.builds(
        SearchedWords,
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join),
        st.sampled_from([None, None, *SearchedField]),
        st.just(True),
        st.booleans(),
    ),
    st.builds(
        SearchedWords, st.sampled_from(WORDS), st.sampled_from([None, *SearchedField]), st.just(False), st.booleans()
    ),
    FILTERS,
)
QUERIES: st.SearchStrategy[Query] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        st.builds(Not, inner),
    ),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def full(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Store]]:
    """The whole newspaper, and the texts above, in both."""
    address = made_database(server, "full_shelf")
    path = tmp_path_factory.mktemp("store") / "news.tidings"
    articles = [tidings.extract(page.html, page.url) for page in newspaper.pages()]
    with store.open(path) as file, store.open(address) as served:
        for one in (file, served):
            one.keep([NewArticle(article, NOON, keys=(article.url,)) for article in articles])
            one.keep([new(n, **told) for n, told in enumerate(TEXTS, 1)])
        yield file, served


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(query=QUERIES)
def test_both_databases_find_the_same(full: tuple[Store, Store], query: Query) -> None:
    file, served = full
    found = listed(file, query)
    assert listed(served, query) == found
    everything = {one.id for one in file.articles(limit=1000).items}
    assert listed(file, Not(query)) == everything - found == listed(served, Not(query))
    assert listed(file, parse(str(query))) == found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(max_size=40))
def test_any_text_is_a_query_or_a_bad_one(full: tuple[Store, Store], text: str) -> None:
    file, served = full
    try:
        query = parse(text)
    except BadQuery:
        return
    assert listed(file, query) == listed(served, query)


DEEP = "(" * 39 + "a" + " OR b)" * 39


@pytest.mark.parametrize(
    "query",
    [
        " OR ".join(f"w{n}" for n in range(200)),
        " ".join(f"w{n}*" for n in range(200)),
        " ".join(f"-w{n}" for n in range(200)),
        DEEP,
        "(" * 38 + "a" + " -lang:en)" * 38,
        "NOT " * 39 + "a",
        "(" * 20 + "a (b OR c)" + " d) OR e" * 20,
        '"' + "x " * 1500 + '"',
    ],
)
def test_the_largest_queries_there_may_be(full: tuple[Store, Store], query: str) -> None:
    file, served = full
    assert numbers(file, query) == numbers(served, query)
    assert listed(file, parse(query)) == listed(served, parse(query)) == numbers(file, query)


def test_mutes(kept: Store) -> None:
    kept.keep([new(1, "Celebrity news"), new(2, "Seals"), new(3, "Celebrity seals")])
    assert kept.set_mutes([Mute("celebrity", "enough of it"), Mute('"no such thing"', until=NOON)]) == 2
    assert [one.id for one in kept.articles().items] == [2]
    assert [one.id for one in kept.articles(Only(muted=True)).items] == [1, 2, 3]
    kept.keep([new(4, "Celebrity again"), new(1, "Not any more")])
    assert [one.id for one in kept.articles().items] == [1, 2]
    assert kept.lift_mutes(NOON) == 1
    assert kept.mutes() == [Mute("celebrity", "enough of it")]
    assert kept.set_mutes([]) == 0
    assert len(kept.articles().items) == 4
    with pytest.raises(BadQuery):
        kept.set_mutes([Mute("((")])


def test_a_muted_source(kept: Store) -> None:
    loud, quiet = kept.add_sources([NewSource("https://a.example/"), NewSource("https://b.example/", muted=True)], NOON)
    kept.keep([new(1, sources=(quiet,)), new(2, sources=(loud, quiet)), new(3)])
    assert [one.id for one in kept.articles().items] == [2, 3]
    kept.keep([new(1, sources=(loud,))])
    assert [one.id for one in kept.articles().items] == [1, 2, 3]
    kept.change_source(loud, NewSource("https://a.example/", muted=True))
    assert [one.id for one in kept.articles().items] == [3]
    kept.change_source(quiet, NewSource("https://b.example/"))
    assert [one.id for one in kept.articles().items] == [1, 2, 3]


def test_a_soft_hyphen_breaks_no_word() -> None:
    assert search_words("Donau\u00addampf\u200bschiff\u2060fahrt") == ["donaudampfschifffahrt"]
