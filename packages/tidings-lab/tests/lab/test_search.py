"""The search for combinations, on ballots whose best combination is known."""

from __future__ import annotations

import numpy as np
import pytest

from tidings.extractors import extractor
from tidings.newspaper import path
from tidings_lab.ballots import Ballot, cast
from tidings_lab.corpora import load
from tidings_lab.ensemble_search import (
    Ensemble,
    Scorer,
    any_quorum,
    best_of_each_size,
    candidates,
    folds,
    intersection_only,
    search,
    union_only,
)

NAMES = ("a", "b", "c")


def ballot(number: int, site: str, *kept: str) -> Ballot:
    """A page of six different words; the first four are gold."""
    return Ballot(
        f"{site}/{number}",
        site,
        0,
        np.arange(6),
        np.array([1, 1, 1, 1, 0, 0]),
        4,
        np.array([[letter == "x" for letter in row] for row in kept]),
        np.zeros(len(kept)),
        np.zeros(len(kept)),
    )


def ballots(*kept: str) -> list[Ballot]:
    return [ballot(number, f"site {number % 4}", *kept) for number in range(8)]


@pytest.mark.parametrize(
    ("selections", "expression"),
    [
        (("xx....", "..xx..", "....xx"), "a | b"),
        (("xxxxx.", "xxxx.x", "x....x"), "a & b"),
        (("xxx.x.", "xx.x.x", "..xx.."), "vote(a, b, c; 2)"),
        (("xxxx..", "xxxxxx", "x....x"), "a"),
    ],
)
def test_the_best_combination_is_found(selections: tuple[str, ...], expression: str) -> None:
    best = max(search(ballots(*selections), NAMES, most=3, k=4), key=lambda combination: combination.elsewhere)
    assert best.expression == expression
    assert best.elsewhere == best.chosen_on == 1.0
    assert (best.agreed, best.folds) == (4, 4)


def test_only_the_wanted_quorums_are_tried() -> None:
    scorer = Scorer(ballots("xx....", "..xx..", "....xx"), NAMES)
    pages = range(8)
    assert best_of_each_size(scorer, pages, NAMES, union_only)[1] == Ensemble(("a", "b"), 1)
    assert all(one.quorum == len(one.members) for one in best_of_each_size(scorer, pages, NAMES, intersection_only))
    assert [*any_quorum(3)] == [1, 2, 3]


def test_what_is_chosen_never_sees_the_measured_site() -> None:
    """On each site another extractor is perfect and the others keep nothing: a choice made elsewhere is wrong."""
    rows = {0: ("xxxx..", "......", "......"), 1: ("......", "xxxx..", "......"), 2: ("......", "......", "xxxx..")}
    several = [ballot(number, f"site {number % 3}", *rows[number % 3]) for number in range(9)]
    (single,) = search(several, NAMES, most=1, k=3)
    assert single.chosen_on == pytest.approx(1 / 3)
    assert single.elsewhere == 0.0


def test_folds_of_pages_share_no_site() -> None:
    several = ballots("xxxx..")
    for train, test in folds(several, 4):
        assert sorted((*train, *test)) == list(range(8))
        assert not {several[one].site for one in train} & {several[one].site for one in test}


def test_expressions_are_extractors() -> None:
    for ensemble in (Ensemble(("cetd", "bte")), Ensemble(("cetd", "bte"), 2), Ensemble(("cetd", "bte", "dsc"), 2)):
        assert callable(extractor(ensemble.expression))


def test_neither_votes_nor_what_was_trained_stand_for_election() -> None:
    assert not {"best-vote", "combine", "learned"} & set(candidates())
    assert {"danag", "bte", "lqf-50"} <= set(candidates())


def test_a_ballot_scores_as_the_combination_does_when_it_is_run() -> None:
    names = ("cetd", "danag", "bte")
    for sample in load(path())[:4]:
        together = cast(sample, names, with_lcs=False)
        for ensemble in (Ensemble(names, 1), Ensemble(names, 2), Ensemble(names, 3)):
            (alone,) = cast(sample, (ensemble.expression,), with_lcs=False).selected
            assert (alone == (together.selected.sum(axis=0) >= ensemble.quorum)).all()
