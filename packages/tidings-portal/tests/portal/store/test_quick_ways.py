"""Quick ways give what the plain ways give: words found again in a text, stems in C, sums of host_states."""

from __future__ import annotations

import asyncio
import importlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import needs
from tidings import newspaper
from tidings.fetch import HostState
from tidings.text import letter_run_matches, letter_runs, stem_languages
from tidings_portal import store
from tidings_portal.store import search_words as reading_of_words
from tidings_portal.store import snippets
from tidings_portal.store.search_words import STEM_SIGN, line_of, search_words, stems_of, worth_reading
from tidings_portal.watch.host_states import StoredHostStates

ALPHABET = "abAB ıİşé_-'.1　東京タ\u0301\u200cکتاب"
texts = st.text(st.sampled_from(ALPHABET), max_size=80)


@given(texts, st.data())
def test_words_are_found_where_they_are(text: str, data: st.DataObject) -> None:
    runs = letter_runs(text)
    worth = data.draw(st.sets(st.sampled_from(runs), max_size=4)) if runs else set()
    expected = [(match.start(), match[0]) for match in letter_run_matches(text) if match[0] in worth]
    assert list(snippets._occurrences(text, runs, worth)) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snippets, "_FEW", 0)
        assert list(snippets._occurrences(text, runs, worth)) == expected


@given(texts, st.sampled_from(("", "en", "tr", "fa", "ja")))
def test_what_is_worth_reading_has_what_is_wanted(text: str, language: str) -> None:
    runs = letter_runs(text)
    tokens = search_words(text)
    assert line_of(runs).split() == tokens
    assert worth_reading(runs, frozenset(tokens), (), None) == set(runs)
    assert worth_reading(runs, frozenset(), tuple(token[:1] for token in tokens), None) == set(runs)
    assert worth_reading(runs, frozenset(("nowhere",)), (), language) == set()
    for stem in stems_of(letter_runs(text), language):
        assert worth_reading(runs, frozenset((stem,)), (), language)


def test_stems_in_c_are_those_in_python() -> None:
    needs("Stemmer")
    snowball = importlib.import_module("snowballstemmer")
    words = sorted(
        {word for page in newspaper.pages() for word in re.findall(r"\w+", page.gold.get("text", "").lower())}
    )[::7]
    compared = 0
    for name in ("english", "german", "french", "turkish", "arabic", "russian"):
        plain = getattr(importlib.import_module(f"snowballstemmer.{name}_stemmer"), f"{name.capitalize()}Stemmer")()
        quick = snowball.stemmer(name)
        assert type(quick) is not type(plain)
        assert [quick.stemWord(word) for word in words] == [plain.stemWord(word) for word in words]
        compared += len(words)
    assert compared > 1000
    assert {"en", "tr", "ar", "fa"} <= stem_languages()


def test_standings_are_changed_one_after_the_other(tmp_path: Path) -> None:
    def one_more(standing: HostState) -> tuple[HostState, int]:
        return HostState(failures=standing.failures + 1), standing.failures

    with store.open(tmp_path / "news.tidings") as kept:
        both = StoredHostStates(kept), StoredHostStates(kept)

        async def many() -> list[int]:
            return await asyncio.gather(*(both[n % 2].change(f"{n % 3}.example", one_more) for n in range(60)))

        for round_ in range(2):  # another loop, the same host_states
            said = asyncio.run(many())
            assert sorted(said) == sorted([*range(20 * round_, 20 * round_ + 20)] * 3)


@pytest.mark.parametrize("few", [0, 24])
@given(texts, st.data())
def test_spots_miss_nothing(few: int, text: str, data: st.DataObject) -> None:
    language = data.draw(st.sampled_from(("", "en", "tr", "de", "fa", "ja")))
    tokens = [*search_words(text), *stems_of(letter_runs(text), language), "nowhere"]
    wanted = frozenset(data.draw(st.sets(st.sampled_from(tokens), max_size=3)))
    prefixes = tuple(data.draw(st.sets(st.sampled_from(tokens).map(lambda token: token[:2]), max_size=2)))
    code = language if any(token.startswith(STEM_SIGN) for token in wanted) else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snippets, "_FEW", few)
        found = snippets.matches(text, wanted, prefixes, code)
    if found is not None:
        worth = worth_reading(letter_runs(text), wanted, prefixes, code)
        every = [(match.start(), match[0]) for match in letter_run_matches(text)]
        assert [one for one in found if one[1] in worth] == [one for one in every if one[1] in worth]
        assert set(found) <= set(every)


def test_most_texts_have_spots() -> None:
    for text, word, places in (
        ("The Café, a decafe; caffeine.", "cafe", [4]),
        ("Straße, STRASSE und Strasse", "strasse", [0, 8, 20]),
        ("Istanbul’da ve İSTANBUL", "istanbul", [0, 15]),
        ("Москва и москва", "москва", [0, 9]),
        ("東京Tokyo都", "tokyo", [0]),
    ):
        found = snippets.matches(text, frozenset((word,)), (), None)
        assert found is not None
        assert [start for start, run in found if word in search_words(run)] == places


@pytest.mark.parametrize("code", sorted(reading_of_words._SUFFIXES_ONLY))
def test_words_begin_as_their_stems_do(code: str) -> None:
    texts = (page.gold.get("text", "") for page in newspaper.pages())
    for word in sorted({run for text in texts for run in letter_runs(text)}):
        tokens = search_words(word)
        for stem in reading_of_words._folded_stems(word, code) if len(tokens) == 1 else ():
            assert tokens[0].startswith(reading_of_words.beginnings(frozenset({stem}), code)), (word, stem)
