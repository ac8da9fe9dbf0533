"""The query language: what it means, what it refuses and where it points."""

from __future__ import annotations

import re
import runpy
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.store.made import article
from tests.support import ROOT, Growth
from tidings.errors import BadQuery
from tidings.text import letter_runs
from tidings_portal.store import Store, migrations, parse
from tidings_portal.store.codec import MOST_BYTES, indexed
from tidings_portal.store.query import (
    FIELDS,
    LONGEST_QUERY,
    MOST_TERMS,
    And,
    DayRange,
    Is,
    Not,
    Or,
    Property,
    Query,
    SearchedField,
    SearchedWords,
)
from tidings_portal.store.search_words import search_words, stems_of, word_stems
from tidings_portal.store.selection import pattern

A, B, C = SearchedWords("a"), SearchedWords("b"), SearchedWords("c")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a", A),
        ("a b c", And((A, B, C))),
        ("a AND b", And((A, B))),
        ("a OR b c", Or((A, And((B, C))))),
        ("(a OR b) c", And((Or((A, B)), C))),
        ("a (b (c))", And((A, B, C))),
        ("NOT a", Not(A)),
        ("NOT NOT a", Not(Not(A))),
        ("a -b", And((A, Not(B)))),
        ("-(a OR b)", Not(Or((A, B)))),
        ("and or not", And((SearchedWords("and"), SearchedWords("or"), SearchedWords("not")))),
        ("a-b", SearchedWords("a-b")),
        ("a - b", And((A, B))),
        ('"a b"', SearchedWords("a b", exact=True)),
        ('"a  \\"b\\" "', SearchedWords('a "b"', exact=True)),
        ('"a b"*', SearchedWords("a b", exact=True, prefix=True)),
        ("a*", SearchedWords("a", prefix=True)),
        ("title:a", SearchedWords("a", SearchedField.TITLE)),
        ("TITLE:a", SearchedWords("a", SearchedField.TITLE)),
        (
            "body:a* by:b",
            And((SearchedWords("a", SearchedField.TEXT, prefix=True), SearchedWords("b", SearchedField.AUTHOR))),
        ),
        ('author:"a b"', SearchedWords("a b", SearchedField.AUTHOR, exact=True)),
        ('category:"a b"', Is(Property.CATEGORY, "a b")),
        ("lang:tr", Is(Property.LANGUAGE, "tr")),
        ("story:12", Is(Property.STORY, "12")),
        ("on:2024-03-05", DayRange(date(2024, 3, 5), date(2024, 3, 5))),
        ("on:2024", And((DayRange(date(2024, 1, 1)), DayRange(None, date(2024, 12, 31))))),
        ("since:2024-2", DayRange(date(2024, 2, 1))),
        ("until:2024-2", DayRange(None, date(2024, 2, 29))),
        ("after:2024-2", DayRange(date(2024, 3, 1))),
        ("before:2024-2", DayRange(None, date(2024, 1, 31))),
        ("https://a.example/b?c=1", SearchedWords("https://a.example/b?c=1")),
        ("12:30", SearchedWords("12:30")),
        ("a: b", And((SearchedWords("a:"), B))),
        ("a & b !!", And((A, B))),
        ("東京 OR seals", Or((SearchedWords("東京"), SearchedWords("seals")))),
    ],
)
def test_what_a_query_means(text: str, tree: Query) -> None:
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("", 0, "empty"),
        ("  \n", 0, "empty"),
        ("?? !!", 0, "no letter"),
        ('a "b', 2, "never closed"),
        ("a (b", 2, "never closed"),
        ("a b)", 3, "closes nothing"),
        ("()", 1, "nothing to search"),
        ("a OR", 4, "missing at the end"),
        ("OR a", 0, "between two words"),
        ("a AND OR b", 6, "between two words"),
        ("NOT", 3, "missing"),
        ("titel:a", 0, "did you mean title"),
        ("foo:a", 0, "no field 'foo'"),
        ("title:(a)", 6, "comes a word"),
        ("title:text:a", 6, "one field"),
        ("title:!!", 6, "no letter"),
        ("story:x", 6, "number"),
        ("on:yesterday", 3, "no day"),
        ("on:2024-02-30", 3, "no day"),
        ("on:9999", 3, "no day"),
        ("before:0001", 7, "no day"),
        ('category:" "', 9, "of what"),
        ("a " * MOST_TERMS + "b", MOST_TERMS * 2, "at most 200"),
        ("(" * 41 + "a", 40, "40 deep"),
        ("NOT " * 41 + "a", 160, "40 deep"),
        ("-" * 41 + "a", 40, "40 deep"),
        ("a" * (LONGEST_QUERY + 1), LONGEST_QUERY, "at most 4,000"),
        ("a " * 10_000, LONGEST_QUERY, "at most 4,000"),
        ("(" * 100_000, LONGEST_QUERY, "at most 4,000"),
    ],
)
def test_what_a_query_may_not_be(text: str, at: int, reason: str) -> None:
    with pytest.raises(BadQuery, match=reason) as told:
        parse(text)
    assert told.value.at == at
    shown = str(told.value).splitlines()
    assert shown[-1].index("^") <= 62
    assert len(shown) == 3


WORDS = st.text("abişéک東0_'-", min_size=1, max_size=6).filter(lambda text: bool(search_words(text)))
BARE = WORDS.filter(lambda text: not text.startswith("-"))
LEAVES: st.SearchStrategy[Query] = st.one_of(
    st.builds(SearchedWords, BARE, st.sampled_from([None, *SearchedField]), st.just(False), st.booleans()),
    st.builds(
        SearchedWords,
        st.lists(WORDS, min_size=1, max_size=3).map(" ".join),
        st.sampled_from([None, *SearchedField]),
        st.just(True),
    ),
    st.builds(Is, st.sampled_from([Property.SITE, Property.CATEGORY, Property.SOURCE]), WORDS.map(str.strip)),
    st.builds(Is, st.just(Property.STORY), st.integers(0, 10**17).map(str)),
    st.dates(date(1000, 1, 2), date(9998, 1, 1)).map(lambda day: DayRange(day, day)),
    st.dates(date(1000, 1, 2), date(9998, 1, 1)).map(lambda day: DayRange(None, day)),
)


def flat(kind: type[And | Or], parts: list[Query]) -> Query:
    return kind(tuple(one for part in parts for one in (part.parts if isinstance(part, kind) else (part,))))


TREES: st.SearchStrategy[Query] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: flat(And, parts)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: flat(Or, parts)),
        st.builds(Not, inner),
    ),
    max_leaves=12,
)


@given(TREES)
def test_a_tree_written_down_is_read_as_itself(tree: Query) -> None:
    assert parse(str(tree)) == tree


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    refused = None
    try:
        parse(text)
    except BadQuery as error:
        refused = error
    assert refused is None or (0 <= refused.at <= len(text) and str(refused))


REFERENCE = ROOT / "docs/reference"


def test_every_table_and_every_verb_is_documented() -> None:
    text = runpy.run_path(str(REFERENCE.parents[1] / "scripts/docs_reference.py"))["store_tables"]()
    written = "\n".join(migrations.steps(0, "sqlite", migrations.SQLITE))
    tables = re.findall(r"CREATE (?:VIRTUAL )?TABLE (\w+)", written)
    verbs = [name for name in dir(Store) if not name.startswith("_") and callable(getattr(Store, name))]
    assert len(tables) > 20
    assert len(verbs) > 50
    assert [name for name in tables if f"`{name}`" not in text] == []
    assert [name for name in verbs if not getattr(Store, name).__doc__] == []


def test_every_field_is_documented() -> None:
    text = (REFERENCE / "search.md").read_text(encoding="utf-8")
    assert [name for name in (*FIELDS, "on", "since", "until", "after", "before") if f"`{name}:" not in text] == []


# -- the words of the index -----------------------------------------------------------------------------------------


@given(st.text())
def test_tokens_are_fit_for_both_databases(text: str) -> None:
    tokens = search_words(text)
    for token in tokens:
        assert token
        assert not set(token) & set("'\"\\:*&|!()<>^ \t\n\x00≈¶")
        token.encode()
        assert token == token.split()[0]
    assert search_words(" ".join(tokens)) == tokens or not text.isascii()


@given(st.text("東京都知事選挙", min_size=1, max_size=80), st.data())
def test_any_part_of_a_clause_without_spaces_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    wanted = pattern(SearchedWords(text[start:end]), ())
    line = " " + " ".join(search_words(text)) + " "
    row = " " + " ".join(wanted.tokens) + ("" if wanted.prefix else " ")
    assert row in line


@given(st.text(max_size=60), st.sampled_from(["", "en", "tr", "fa", "ar", "zh", "th", "fr"]))
def test_a_word_is_found_by_itself(text: str, language: str) -> None:
    line = {*search_words(text), *stems_of(letter_runs(text), language)}
    for token in search_words(text):
        assert token in line
        for other in word_stems(token, [language]):
            assert other != token


def test_what_is_indexed_is_bounded() -> None:
    huge = indexed(article(text="ş" * 40 + " 東京" * 400_000))
    assert len(huge.text.encode()) <= MOST_BYTES
    assert not huge.text.endswith(" ")


def test_indexing_is_linear(growth: Growth) -> None:
    texts = [article(text="word şehir 東京 " * n) for n in (5_000, 20_000)]
    assert growth(lambda: indexed(texts[0]), lambda: indexed(texts[1])) < 8
