"""Text measures: worked examples of the documents, and what must hold for any two texts."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import MissingExtra
from tidings.text import words
from tidings_lab.corpora import Sample
from tidings_lab.metrics.page_scores import both_sides, text_score, with_headline
from tidings_lab.metrics.score import Counts, Score
from tidings_lab.metrics.texts import (
    MEASURES,
    character_score,
    is_spaceless,
    lcs_score,
    shingle_score,
    units_for,
    word_score,
    word_set_score,
)

TEXTS = st.lists(st.sampled_from("the seals are back in estuary again".split()), max_size=12).map(" ".join)


def sample(text: str, *, lang: str = "en", headline_in_text: bool | None = False, **gold: Any) -> Sample:
    return Sample(
        "1", "a.example", lang, "article", Path("1.html"), {"text": text, **gold}, headline_in_text=headline_in_text
    )


def numbered(start: int, end: int) -> str:
    return " ".join(f"w{number}" for number in range(start, end))


def test_set_based_measures_of_n_ext() -> None:
    """N-EXT, figure B.8: 100 words of news, 120 extracted, 80 of them news."""
    score = word_set_score(numbered(20, 140), numbered(0, 100))
    assert (score.precision, score.recall, score.f1) == pytest.approx((0.667, 0.8, 0.727), abs=0.001)
    counts = Counts(tp=80, fp=40, fn=20)
    assert counts.score == score
    assert counts.f1 == pytest.approx(score.f1)


def test_a_set_has_a_word_once_and_a_bag_as_often_as_it_is_there() -> None:
    assert word_set_score("a a a", "a b") == Score(1.0, 0.5)
    assert word_score("a a a", "a b") == Score(1 / 3, 0.5)


def test_words_are_runs_of_word_characters_in_lower_case() -> None:
    assert words("Don't PANIC, it's 4.2 İZMİR") == ["don", "t", "panic", "it", "s", "4", "2", "izmir"]
    assert word_score("SEALS!", "seals").f1 == 1.0


def test_longest_common_subsequence() -> None:
    """DANA thesis, eq. 2.12, by hand: of `a b c d` and `b x d a c`, the longest in both is `b d` or `b c`."""
    assert lcs_score("a b c d", "b x d a c") == Score(2 / 4, 2 / 5)
    assert word_score("a b c d", "b x d a c") == Score(4 / 4, 4 / 5)


def test_longest_common_subsequence_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(MissingExtra, match=r"tidings\[lab\]"):
        lcs_score("a", "b")


@pytest.mark.soak
def test_longest_common_subsequence_of_two_long_texts_is_quick() -> None:
    generator = np.random.default_rng(4)
    long, other = (" ".join(f"w{generator.integers(3000)}" for _ in range(10_000)) for _ in range(2))
    lcs_score(long, other)
    begin = time.process_time()
    lcs_score(long, other)
    assert time.process_time() - begin < 0.1


def test_shingles_see_order_nearby() -> None:
    assert shingle_score("a b c d e", "a b c d f") == Score(0.5, 0.5)
    assert shingle_score("d c b a", "a b c d").f1 == 0.0
    assert shingle_score("a b", "a b").f1 == 1.0, "a short text is one shingle"
    assert shingle_score("", "a b") == Score(0.0, 0.0)
    assert shingle_score("a a a a a a", "a a a a") == Score(1 / 3, 1.0), "as often as it is there"


def test_characters_measure_scripts_without_spaces() -> None:
    wanted, found = "カモメが港に戻った。", "カモメは港に戻った。"
    assert word_score(found, wanted).f1 == 0.0, "the clause is one word"
    assert character_score(found, wanted).f1 == pytest.approx(8 / 9)


@pytest.mark.parametrize(
    ("text", "language", "spaceless"),
    [
        ("カモメが港に戻った。町は喜んだ。", "ja", True),
        ("海豹又回到了河口，居民们很高兴。", "", True),
        ("海豹又回到了河口，居民们很高兴。", "en", True),
        ("แมวน้ำกลับมาที่ปากแม่น้ำ", "", True),
        ("", "zh-Hans", True),
        ("The seals are back in the estuary of 河口.", "en", False),
        ("물범이 강어귀로 돌아왔다", "ko", False),
        ("मुहाने में सील लौट आई हैं", "hi", False),
        ("می‌روم به خانه", "fa", False),
        ("", "", False),
        ("...", "en", False),
    ],
)
def test_which_texts_are_measured_by_characters(text: str, language: str, spaceless: bool) -> None:
    assert is_spaceless(text, language) is spaceless
    assert units_for(text, language)("ab cd") == (list("abcd") if spaceless else ["ab", "cd"])


@given(TEXTS, TEXTS)
def test_measures_hold_for_any_texts(result: str, gold: str) -> None:
    for name, measure in MEASURES.items():
        score, back = measure(result, gold, words), measure(gold, result, words)
        assert 0 <= score.precision <= 1, name
        assert (score.precision, score.recall) == (back.recall, back.precision), name
        assert score.f1 == pytest.approx(back.f1), name
        assert min(score.precision, score.recall) <= score.f1 + 1e-12, name
        assert score.f1 <= max(score.precision, score.recall) + 1e-12, name
        assert measure(gold, gold, words).f1 == pytest.approx(1.0 if gold else 0.0), name
    assert lcs_score(result, gold).f1 <= word_score(result, gold).f1 + 1e-12, "order can only lose"
    assert shingle_score(result, gold, 1) == word_score(result, gold)


@given(TEXTS, TEXTS, TEXTS)
def test_more_of_the_gold_never_lowers_recall(result: str, more: str, gold: str) -> None:
    for measure in (word_score, word_set_score, lcs_score):
        assert measure(f"{result} {more}", gold).recall >= measure(result, gold).recall


def test_empty_gold_is_no_score() -> None:
    assert text_score(sample(""), "something") is None
    assert text_score(sample(" … "), "") is None
    assert text_score(Sample("1", "s", "en", "article", Path("1.html"), {"title": "T"}), "something") is None
    empty = text_score(sample("gold"), "")
    assert empty is not None
    assert empty.f1 == 0.0


def test_the_headline_is_on_both_sides_or_on_neither() -> None:
    with_it = sample("Seals are back\n\nThey came in spring.", headline_in_text=True)
    without = sample("They came in spring.", headline_in_text=False, title="Seals are back")
    for text in ("They came in spring.", "Seals are back\nThey came in spring."):
        score = text_score(with_it, text, "Seals are back")
        assert score is not None
        assert score.f1 == 1.0
    assert text_score(with_it, "They came in spring.", "") == Score(1.0, 4 / 7), "no headline was found"
    assert text_score(without, "They came in spring.", "Seals are back") == Score(1.0, 1.0)
    assert both_sides(without, "x", "Seals are back") == ("x", "They came in spring.")


def test_where_nothing_tells_the_found_headline_does() -> None:
    silent = sample("“Seals” are back again\n\nThey came in spring.", headline_in_text=None)
    assert text_score(silent, "They came in spring.", '"Seals" are back again') == Score(1.0, 1.0)
    bare = sample("They came in spring.", headline_in_text=None)
    assert text_score(bare, "They came in spring.", "Seals are back") == Score(1.0, 1.0)


def test_a_headline_is_not_added_twice_nor_to_nothing() -> None:
    assert with_headline("Seals are back\n\nThey came.", "Seals  are back") == "Seals are back\n\nThey came."
    assert with_headline("They came.", "Seals are back") == "Seals are back\n\nThey came."
    assert with_headline("", "Seals are back") == ""
    assert with_headline("They came.", " ") == "They came."


@pytest.mark.parametrize("name", MEASURES)
def test_pages_without_spaces_are_counted_by_characters(name: str) -> None:
    score = text_score(sample("海豹又回到了河口，居民们很高兴。", lang="zh"), "海豹又回到了河口", measure=name)
    assert score is not None
    assert score.precision == 1.0
    assert 0.4 < score.recall < 0.7


def test_hostile_texts() -> None:
    for text in ("\0" * 1000, "\u0301" * 20_000, "\ud800", "a" * 200_000, "\n\u2028\u200b"):
        for name in MEASURES:
            score = text_score(sample("gold text"), text, text, measure=name)
            assert score is not None
            assert score.f1 in (0.0, pytest.approx(0.0, abs=0.01))
