"""Near duplicates: estimates are near the truth, copies are found, nothing else is, and nothing depends on history."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.stories.wire import report
from tidings.errors import BadState
from tidings_portal.stories.duplicates import FUNCTIONS, DuplicateIndex, Signature, contained, original, shingles
from tidings_portal.stories.report import Report

WORDS = [f"word{number}" for number in range(3000)]


def text(start: int, count: int) -> str:
    return " ".join(WORDS[start : start + count])


def test_shingles_are_runs_of_four_words() -> None:
    assert len(shingles(text(0, 10))) == 7
    assert len(shingles("one two three")) == 1  # shorter than a run: itself
    assert len(shingles("")) == len(shingles(" ,. ")) == 0
    assert len(shingles("a b c d a b c d a b c d")) == 4  # each run once


def test_scripts_without_spaces_are_read_by_characters() -> None:
    chinese = "港口今天早上重新开放渔民们很高兴"
    assert len(shingles(chinese, "zh")) == len(chinese) - 7
    one, other = Signature.of(chinese * 3, "zh"), Signature.of(chinese * 3 + "他们等了很久", "zh")
    assert one.jaccard(other) > 0.6


@pytest.mark.parametrize("shared", [0, 150, 300, 450, 600])
def test_the_estimate_is_near_the_truth(shared: int) -> None:
    # Shingles of two stretches of distinct words: what they share is known exactly.
    one, other = text(0, 603), text(600 - shared, 603)
    both = set(shingles(one).tolist()) & set(shingles(other).tolist())
    true = len(both) / (1200 - len(both))
    assert len(both) == pytest.approx(shared, abs=3)
    assert Signature.of(one).jaccard(Signature.of(other)) == pytest.approx(true, abs=4 * 0.5 / FUNCTIONS**0.5)


def test_a_cut_copy_is_contained_in_the_whole() -> None:
    whole, cut = Signature.of(text(0, 800)), Signature.of(text(0, 300))
    assert whole.jaccard(cut) < 0.5
    assert whole.containment(cut) > 0.85
    assert contained(0.0, 10, 20) == 0.0
    assert contained(1.0, 10, 10) == 1.0


@given(st.text(max_size=200))
def test_a_signature_is_kept_and_read_again(some: str) -> None:
    signature = Signature.of(some)
    again = Signature.from_bytes(signature.to_bytes())
    assert again.count == signature.count
    assert (again.values == signature.values).all()
    assert signature.jaccard(again) == (1.0 if signature.count else 0.0)


def test_signatures_never_change() -> None:
    # Kept ones would be void. The figures are those of the first version.
    pinned = Signature.of("the quick brown fox jumps over the lazy dog")
    assert pinned.values[:3].tolist() == [
        515440518,
        781388273,
        990896001,
    ]
    with pytest.raises(BadState, match="516 bytes"):
        Signature.from_bytes(b"short")


def test_copies_are_found_and_others_are_not() -> None:
    index = DuplicateIndex()
    for number in range(300):
        index.add(number, Signature.of(text(number * 7, 60) + f" end{number}"))
    changed = text(70, 60).replace("word100", "another")
    found = index.copies(Signature.of(changed))
    assert found[0].id == 10
    assert found[0].similarity > 0.8
    assert all(copy.similarity >= 0.5 for copy in found)
    assert index.copies(Signature.of(text(2500, 60))) == []
    assert index.copies(Signature.of("")) == []


def test_an_index_finds_what_comparing_with_all_finds() -> None:
    chance = np.random.default_rng(3)
    texts = []
    for _ in range(150):
        words = text(int(chance.integers(0, 20)) * 120, 100).split()
        for place in chance.integers(0, 100, int(chance.integers(0, 4))):
            words[place] = f"new{chance.integers(1000)}"
        texts.append(" ".join(words))
    signatures = [Signature.of(one) for one in texts]
    index = DuplicateIndex.of(list(enumerate(signatures)))
    missed = 0
    for number, signature in enumerate(signatures):
        expected = {other for other, one in enumerate(signatures) if signature.jaccard(one) >= 0.5}
        found = {copy.id for copy in index.copies(signature)}
        assert found <= expected
        assert number in found
        missed += len(expected - found)
    assert missed == 0


def test_growing_and_forgetting_change_nothing_for_the_rest() -> None:
    index = DuplicateIndex()
    signatures = {number: Signature.of(text(number % 100 * 25, 50) + f" x{number}") for number in range(2500)}
    for number, signature in signatures.items():
        index.put(number, signature)
        if number % 2:
            assert index.forget(number)
    assert not index.forget(1)
    assert len(index) == 1250
    rebuilt = DuplicateIndex.of({number: one for number, one in signatures.items() if number % 2 == 0})
    for number in (0, 2, 998, 2498):
        assert index.copies(signatures[number]) == rebuilt.copies(signatures[number])
        assert index.copies(signatures[number])[0].id == number
    index.put(0, signatures[2])
    assert len(index) == 1250
    assert index.copies(signatures[2])[0].similarity == 1.0


def test_ten_thousand_copies_of_one_text_stay_quick() -> None:
    index = DuplicateIndex()
    signature = Signature.of(text(0, 100))
    for number in range(10_000):
        index.put(number, signature)
    assert 1 <= len(index.copies(signature)) <= 64


def test_the_original_is_the_earliest_then_the_longest() -> None:
    first = datetime(2024, 1, 1, tzinfo=UTC)
    base = report(1, "seals", 1)
    early, late = replace(base, id=5, published=first), replace(base, id=2, published=first.replace(day=2))
    longer = replace(early, id=9, text=early.text + " More.")
    undated = replace(base, id=1)
    assert original([late, undated, early]) == early
    assert original([late, longer, early]) == longer
    assert original([undated, replace(undated, id=0)]).id == 0
    assert original([Report(3)]).id == 3
