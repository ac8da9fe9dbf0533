"""CombinE's ensembles (DANA thesis 3.4.2) over extractors whose answers are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import Page, Spans
from tidings.errors import BadParameter
from tidings.extractors.combine import Difference, Fallback, Intersection, Serial, Union, Vote, tally

PAGE = Page("<p>one two three four five six seven eight nine ten</p>")


@dataclass(frozen=True)
class Words:
    """Selects the words in `selection`."""

    selection: str

    def __call__(self, page: Page, /) -> Spans:
        places = [(page.text.index(word), page.text.index(word) + len(word)) for word in self.selection.split()]
        return Spans.of(places, len(page.text)) & page.scope


def selected_words(extractor: object) -> list[str]:
    assert callable(extractor)
    spans = extractor(PAGE)
    assert isinstance(spans, Spans)
    return spans.words(PAGE)


def test_union_keeps_what_any_keeps() -> None:
    assert selected_words(Union((Words("one two"), Words("two three")))) == ["one", "two", "three"]


def test_intersection_keeps_what_all_keep() -> None:
    assert selected_words(Intersection((Words("one two"), Words("two three")))) == ["two"]


def test_difference_keeps_what_only_the_first_keeps() -> None:
    assert selected_words(Difference(Words("one two"), Words("two three"))) == ["one"]


def test_serial_runs_inside_what_the_one_before_left() -> None:
    assert selected_words(Serial((Words("one two three"), Words("two three four")))) == ["two", "three"]


def test_vote_without_quorum_needs_more_than_half() -> None:
    assert selected_words(Vote((Words("one two"), Words("two three"), Words("two three four")))) == ["two", "three"]
    assert selected_words(Vote((Words("one two"), Words("two three")))) == ["two"]


def test_vote_with_quorum_and_weights() -> None:
    members = (Words("one"), Words("two"), Words("one two three"))
    assert selected_words(Vote(members, quorum=1)) == ["one", "two", "three"]
    assert selected_words(Vote(members, quorum=3, weights=(2.0, 1.0, 1.0))) == ["one"]


@pytest.mark.parametrize("quorum", [0, -1, 4])
def test_a_quorum_nobody_can_reach_is_refused(quorum: float) -> None:
    with pytest.raises(BadParameter, match="quorum"):
        Vote((Words("one"), Words("two"), Words("three")), quorum)(PAGE)


def test_as_many_weights_as_members() -> None:
    with pytest.raises(BadParameter, match="weights"):
        Vote((Words("one"), Words("two")), weights=(1.0,))(PAGE)


def test_fallback_takes_the_first_with_enough_words() -> None:
    few, many = Words("one two"), Words("three four five six")
    assert selected_words(Fallback((few, many), words=3)) == ["three", "four", "five", "six"]
    assert selected_words(Fallback((few, many), words=2)) == ["one", "two"]


def test_fallback_takes_the_largest_when_none_is_enough() -> None:
    assert selected_words(Fallback((Words("one"), Words("two three"), Words("four")), words=9)) == ["two", "three"]


ranges = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=5)


@given(st.lists(ranges, min_size=1, max_size=5), st.integers(1, 5))
def test_tally_counts_votes_character_by_character(members: list[list[tuple[int, int]]], quorum: int) -> None:
    results = [Spans.of(member, 30) for member in members]
    votes = np.sum([result.mask() for result in results], axis=0)
    assert tally(results, (1.0,) * len(results), quorum, 30) == Spans.of_mask(votes >= quorum)
