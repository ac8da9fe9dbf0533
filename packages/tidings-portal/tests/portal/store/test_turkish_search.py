"""Turkish search: every form of a noun finds the others, and stems stay within their language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.portal.store.made import new
from tidings_portal import store as stores
from tidings_portal.store import Store
from tidings_portal.store.records_of_work import Stage

_BACK = "aıou"
_VOWELS = _BACK + "eiöü"
_HIGH = {"a": "ı", "ı": "ı", "o": "u", "u": "u", "e": "i", "i": "i", "ö": "ü", "ü": "ü"}
#: A noun, and how it is written before a vowel.
NOUNS = {
    "banka": "banka", "aşı": "aşı", "ev": "ev", "kitap": "kitab", "ağaç": "ağac", "şehir": "şehr", "okul": "okul",
    "seçim": "seçim", "hükümet": "hükümet", "göz": "göz", "çocuk": "çocuğ", "renk": "reng", "isim": "ism",
}  # fmt: skip


def forms(noun: str) -> list[str]:
    """Return twenty inflected forms of a noun, by vowel harmony and consonant softening."""
    last = next(letter for letter in reversed(noun) if letter in _VOWELS)
    low, high = ("a" if last in _BACK else "e"), _HIGH[last]
    plural_high = "ı" if low == "a" else "i"
    before, is_open = NOUNS[noun], noun[-1] in _VOWELS
    hard = "t" if noun[-1] in "fstkçşhp" else "d"
    plural = f"{noun}l{low}r"
    joint, possessor = ("y", "n") if is_open else ("", "")
    mine = "" if is_open else high
    return [
        f"{before}{joint}{high}", f"{before}{joint}{low}", f"{noun}{hard}{low}", f"{noun}{hard}{low}n",
        f"{before}{possessor}{high}n", f"{noun}{joint}l{low}", plural, f"{plural}{plural_high}", f"{plural}{low}",
        f"{plural}d{low}", f"{plural}d{low}n", f"{plural}{plural_high}n", f"{plural}l{low}", f"{before}{mine}m",
        f"{before}{'s' if is_open else ''}{high}", f"{before}{mine}m{high}z",
    ]  # fmt: skip


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return stores.open(tmp_path / "news.tidings")


def test_a_noun_finds_its_forms(kept: Store) -> None:
    pairs = [(noun, form) for noun in NOUNS for form in forms(noun)]
    assert len(pairs) >= 200
    kept.keep([new(at, "Haber", f"Bugün {form} konuşuldu.", language="tr") for at, (_, form) in enumerate(pairs, 1)])
    numbers = {hit.headline.address: hit.headline.id for hit in kept.search("haber", limit=1000).items}
    assert len(numbers) == len(pairs)
    hits = {noun: {hit.headline.id for hit in kept.search(noun, limit=1000).items} for noun in NOUNS}
    found = sum(at in hits[noun] for at, (noun, _) in enumerate(pairs, 1))
    assert found / len(pairs) >= 0.95


def test_stems_do_not_match_articles_in_other_languages(kept: Store) -> None:
    kept.keep([new(1, "As good as new", "As the mayor said, as ever."), new(2, "Aşılar geldi", "Aşı.", language="tr")])
    assert [hit.headline.title for hit in kept.search("aşı").items] == ["Aşılar geldi"]


def test_short_words_are_not_found_by_long_ones(kept: Store) -> None:
    kept.keep([new(1, "O da geldi", "Ben de geldim, sen de gel.", language="tr")])
    assert kept.search("deniz").items == ()


def test_articles_of_an_older_index_are_indexed_again(kept: Store) -> None:
    kept.keep([new(number, f"Bankaların kârı {number}", language="tr") for number in range(1, 6)])
    kept.database.write(lambda session: session.run("DELETE FROM setting WHERE name = 'words'"))
    assert [kept.index_older(2) for _ in range(4)] == [2, 2, 1, 0]
    assert len(kept.search("banka").items) == 5


def test_an_article_that_cannot_be_indexed_again_costs_itself(kept: Store) -> None:
    kept.keep([new(number, f"Bankaların kârı {number}", language="tr") for number in range(1, 4)])
    kept.database.write(lambda session: session.run("DELETE FROM setting WHERE name = 'words'"))
    kept.database.write(lambda session: session.run("UPDATE version SET body = ? WHERE article = 2", b"damaged"))
    assert kept.index_older() == 3
    assert [(entry.stage, entry.item) for entry in kept.quarantine(Stage.SEARCH)] == [(Stage.SEARCH, "2")]
    assert kept.index_older() == 0
