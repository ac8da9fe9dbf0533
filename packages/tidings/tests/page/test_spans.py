"""Spans are a Boolean algebra of sets of characters, and know the page they are of."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.page import Page, Spans

SIZE = 24
ALL = frozenset(range(SIZE))
Model = frozenset[int]
models: st.SearchStrategy[Model] = st.frozensets(st.integers(0, SIZE - 1))
pairs = st.lists(st.tuples(st.integers(-3, SIZE + 3), st.integers(-3, SIZE + 3)), max_size=8)


def spans_of(model: Model) -> Spans:
    return Spans.of([(place, place + 1) for place in model], SIZE)


def model_of(spans: Spans) -> Model:
    return frozenset(place for start, end in spans for place in range(start, end))


sets = models.map(spans_of)
NOTHING, EVERYTHING = Spans.none(SIZE), Spans.all(SIZE)


# -- the model: a set of positions ------------------------------------------------------------------------


@given(models)
def test_spans_hold_the_positions_they_were_made_of(model: Model) -> None:
    spans = spans_of(model)
    assert model_of(spans) == model
    assert spans.characters == len(model)
    assert [place in spans for place in range(-1, SIZE + 1)] == [place in model for place in range(-1, SIZE + 1)]


@pytest.mark.parametrize("operation", [operator.and_, operator.or_, operator.xor, operator.sub])
@given(one=models, other=models)
def test_operations_are_those_of_sets(operation: Callable[..., object], one: Model, other: Model) -> None:
    assert operation(spans_of(one), spans_of(other)) == spans_of(operation(one, other))  # type: ignore[arg-type]


@given(models)
def test_the_complement_is_the_rest(model: Model) -> None:
    assert model_of(~spans_of(model)) == ALL - model


@given(models, models)
def test_a_subset_is_a_subset(one: Model, other: Model) -> None:
    assert (spans_of(one) <= spans_of(other)) == (one <= other)


@given(models, models)
def test_equal_sets_are_equal_spans_with_equal_hashes(one: Model, other: Model) -> None:
    assert (spans_of(one) == spans_of(other)) == (one == other)
    assert hash(spans_of(one)) == hash(spans_of(frozenset(sorted(one, reverse=True))))


@given(pairs)
def test_ranges_may_overlap_stand_anywhere_and_be_empty(ranges: list[tuple[int, int]]) -> None:
    expected = frozenset(place for start, end in ranges for place in range(start, end)) & ALL
    assert model_of(Spans.of(ranges, SIZE)) == expected


@given(pairs)
def test_ranges_are_sorted_apart_and_not_empty(ranges: list[tuple[int, int]]) -> None:
    spans = Spans.of(ranges, SIZE)
    assert (spans.starts < spans.ends).all()
    assert (spans.ends[:-1] < spans.starts[1:]).all()  # ranges that touch are one
    assert len(spans) == len(list(spans)) == len(spans.starts)


@given(models)
def test_masks_there_and_back(model: Model) -> None:
    spans = spans_of(model)
    assert spans.mask().tolist() == [place in model for place in range(SIZE)]
    assert Spans.of_mask(spans.mask()) == spans


@given(models, st.lists(st.integers(0, SIZE - 1)))
def test_covers_asks_many_at_once(model: Model, places: list[int]) -> None:
    assert spans_of(model).covers(places).tolist() == [place in model for place in places]


# -- the laws ---------------------------------------------------------------------------------------------


@given(sets, sets)
def test_commutative(a: Spans, b: Spans) -> None:
    assert a & b == b & a
    assert a | b == b | a
    assert a ^ b == b ^ a


@given(sets, sets, sets)
def test_associative(a: Spans, b: Spans, c: Spans) -> None:
    assert (a & b) & c == a & (b & c)
    assert (a | b) | c == a | (b | c)
    assert (a ^ b) ^ c == a ^ (b ^ c)


@given(sets, sets, sets)
def test_distributive(a: Spans, b: Spans, c: Spans) -> None:
    assert a & (b | c) == (a & b) | (a & c)
    assert a | (b & c) == (a | b) & (a | c)


@given(sets, sets)
def test_absorption(a: Spans, b: Spans) -> None:
    assert a | (a & b) == a
    assert a & (a | b) == a


@given(sets)
def test_complement(a: Spans) -> None:
    assert a | ~a == EVERYTHING
    assert a & ~a == NOTHING
    assert ~~a == a


@given(sets, sets)
def test_de_morgan(a: Spans, b: Spans) -> None:
    assert ~(a & b) == ~a | ~b
    assert ~(a | b) == ~a & ~b


@given(sets)
def test_idempotent(a: Spans) -> None:
    assert a & a == a
    assert a | a == a


@given(sets)
def test_identity(a: Spans) -> None:
    assert a & EVERYTHING == a
    assert a | NOTHING == a
    assert a - NOTHING == a


@given(sets, sets)
def test_difference_and_either_or(a: Spans, b: Spans) -> None:
    assert a - b == a & ~b
    assert a ^ b == (a | b) - (a & b)


# -- what they are ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", [operator.and_, operator.or_, operator.xor, operator.sub, operator.le])
def test_spans_of_different_texts_do_not_mix(operation: Callable[[Spans, Spans], object]) -> None:
    with pytest.raises(ValueError, match="these spans are of different texts: 24 and 25 characters"):
        operation(Spans.all(24), Spans.all(25))


def test_spans_of_different_texts_are_not_equal() -> None:
    assert Spans.none(24) != Spans.none(25)
    assert Spans.none(24) != "Spans"


def test_the_text_of_size_0() -> None:
    assert Spans.all(0) == Spans.none(0) == ~Spans.all(0)
    assert not Spans.all(0)


def test_truth_length_and_what_they_look_like() -> None:
    assert not NOTHING
    assert EVERYTHING
    assert len(Spans.of([(1, 2), (4, 6)], SIZE)) == 2
    assert repr(Spans.of([(1, 2), (4, 6)], SIZE)) == "Spans(1:2, 4:6 of 24)"


def test_spans_do_not_change() -> None:
    spans = Spans.of([(1, 3)], SIZE)
    with pytest.raises(ValueError, match="read-only"):
        spans.starts[0] = 0
    with pytest.raises(AttributeError):
        spans.size = 3  # type: ignore[misc]


@given(sets)
def test_pickled_spans_are_equal(a: Spans) -> None:
    assert pickle.loads(pickle.dumps(a)) == a  # noqa: S301  # our own bytes


# -- of a page --------------------------------------------------------------------------------------------

PAGE = Page("<h1>Head</h1><p>One <b>two</b> three</p><ul><li>four &amp; five<li>six</ul>tail")


def chosen(spans: Spans) -> list[str]:
    return [PAGE.text[start:end] for start, end in spans]


def test_the_page_used_here() -> None:
    assert PAGE.text == "Head\nOne two three\nfour & five\nsix\ntail"


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ([], []),
        ([0], ["Head"]),
        ([2], ["two"]),
        ([1, 2], ["One two"]),  # what stands between two neighbours is chosen too
        ([3, 1, 3], ["One", "three"]),
        ([0, 1, 2, 3], ["Head\nOne two three"]),
    ],
)
def test_of_runs(which: list[int], expected: list[str]) -> None:
    assert chosen(Spans.of_runs(PAGE, which)) == expected
    mask = np.zeros(len(PAGE.runs), np.bool_)
    mask[which] = True
    assert Spans.of_runs(PAGE, mask) == Spans.of_runs(PAGE, which)


@pytest.mark.parametrize(
    ("which", "expected"),
    [([], []), ([1], ["One two three"]), ([0, 1], ["Head\nOne two three"]), ([4, 2], ["four & five", "tail"])],
)
def test_of_blocks(which: list[int], expected: list[str]) -> None:
    assert chosen(Spans.of_blocks(PAGE, which)) == expected


def element(name: str) -> int:
    return [PAGE.tag_names[tag] for tag in PAGE.elements.tag].index(name)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["p"], ["One two three"]),
        (["b"], ["two"]),
        (["ul"], ["four & five\nsix"]),
        (["b", "p", "h1"], ["Head", "One two three"]),
    ],
)
def test_of_elements(names: list[str], expected: list[str]) -> None:
    assert chosen(Spans.of_elements(PAGE, [element(name) for name in names])) == expected


def test_an_empty_element_holds_nothing() -> None:
    page = Page("a<p></p>b<hr>")
    assert not Spans.of_elements(page, [1, 2])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("<b>two</b>", ["two"]),
        ("two", ["two"]),
        ("wo</b> thr", ["wo thr"]),
        ("four &amp; five", ["four & five"]),
        ("<ul>", []),
    ],
)
def test_of_source(written: str, expected: list[str]) -> None:
    start = PAGE.source.index(written)
    assert [text.strip() for text in chosen(Spans.of_source(PAGE, [(start, start + len(written))]))] == expected


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4))
def test_source_ranges_lead_back_to_the_same_text(ranges: list[tuple[int, int]]) -> None:
    spans = Spans.of(ranges, len(PAGE.text))
    in_runs = spans & Spans.union(PAGE.runs.text_start, PAGE.runs.text_end, len(PAGE.text))
    back = Spans.of_source(PAGE, spans.source_ranges(PAGE))
    assert in_runs <= back
    assert not "".join(chosen(back - in_runs)).strip()


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4))
def test_source_ranges_are_sorted_disjoint_and_hold_no_tag(ranges: list[tuple[int, int]]) -> None:
    found = Spans.of(ranges, len(PAGE.text)).source_ranges(PAGE)
    assert all(start < end for start, end in found)
    assert all(found[place][1] <= found[place + 1][0] for place in range(len(found) - 1))
    assert not any("<" in PAGE.source[start:end] for start, end in found)


@given(models, models)
def test_pieces_cut_spans_at_the_borders_of_ranges(model: Model, borders: Model) -> None:
    spans, ranges = spans_of(model), spans_of(borders)
    starts, ends, owners = spans.pieces(ranges.starts, ranges.ends)
    assert Spans.union(starts, ends, SIZE) == spans & ranges
    assert (ranges.starts[owners] <= starts).all()
    assert (ends <= ranges.ends[owners]).all()


@pytest.mark.parametrize(
    ("ranges", "text"),
    [
        ([], ""),
        ([(0, 4)], "Head"),
        ([(0, 4), (5, 8)], "Head\nOne"),
        ([(5, 8), (13, 18)], "One three"),  # something was left out in between: a space
        ([(0, 5), (9, 12)], "Head\ntwo"),
        ([(4, 5)], ""),
        ([(0, 40)], PAGE.text),
    ],
)
def test_the_chosen_text(ranges: list[tuple[int, int]], text: str) -> None:
    spans = Spans.of(ranges, len(PAGE.text))
    assert spans.text(PAGE) == text
    assert spans.words(PAGE) == text.split()


def test_which_runs_and_blocks_are_touched() -> None:
    spans = Spans.of([(2, 6), (18, 19), (34, 35)], len(PAGE.text))  # 18 and 34 are line breaks between blocks
    assert spans.runs(PAGE).tolist() == [True, True, False, False, False, False, False]
    assert spans.blocks(PAGE).tolist() == [True, True, False, False, False]
    assert Spans.of([(9, 10), (35, 39)], len(PAGE.text)).runs(PAGE).tolist() == [
        False,
        False,
        True,
        False,
        False,
        False,
        True,
    ]
