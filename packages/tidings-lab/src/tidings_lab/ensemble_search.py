"""Automatic search for combinations of extractors (CombinE's unions, intersections and votes), measured on unseen
sites.

Source: Gottron 2008; DANA thesis 3.4.2. The search starts with the best single extractors and adds one member at a
time, keeping the few best ensembles of each size (beam search). A quorum of one is the union, a quorum of all members
the intersection; a vote may have any quorum. Serial combinations are extractors of their own and can be members
(`studies.combinations`).

Ensembles are measured on sites that they were not chosen on: sites are split into folds, and the choice for a fold uses
only the other folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tidings.extractors import entries
from tidings.extractors.combine import Vote
from tidings.extractors.learned.extractor import Learned
from tidings_lab.ballots import Ballot
from tidings_lab.validation import grouped_k_fold

Floats = NDArray[np.float64]
#: A function from the number of members to the quorums to try.
Quorums = Callable[[int], Iterable[int]]


def any_quorum(size: int) -> Iterable[int]:
    """Return all possible quorums of an ensemble of `size` extractors, which gives all votes."""
    return range(1, size + 1)


def union_only(size: int) -> Iterable[int]:  # noqa: ARG001  # whatever the size
    """Return the only quorum that makes an ensemble a union: 1."""
    return (1,)


def intersection_only(size: int) -> Iterable[int]:
    """Return the only quorum that makes an ensemble an intersection: its size."""
    return (size,)


@dataclass(frozen=True, slots=True)
class Ensemble:
    """A vote of extractors: their names, and the number of them that must select a word (the quorum)."""

    members: tuple[str, ...]
    quorum: int = 1

    @property
    def expression(self) -> str:
        """Return the ensemble as an expression for `tidings extract --with`."""
        if len(self.members) == 1:
            return self.members[0]
        if self.quorum == 1:
            return " | ".join(self.members)
        if self.quorum == len(self.members):
            return " & ".join(self.members)
        return f"vote({', '.join(self.members)}; {self.quorum})"


@dataclass(frozen=True, slots=True)
class FoundCombination:
    """The best ensemble of a size, with its score on all sites and the score of such choices on unseen sites."""

    ensemble: Ensemble
    chosen_on: float  # mean word F1 on the pages it was chosen on
    elsewhere: float  # mean word F1 of the ensembles chosen without a fold, on that fold
    agreed: int  # number of folds with the same choice
    folds: int

    @property
    def expression(self) -> str:
        """Return the ensemble as an expression for `tidings extract --with`."""
        return self.ensemble.expression


@dataclass(frozen=True, slots=True)
class Scorer:
    """Computes the word F1 of ensembles on each page from ballots; results are memoised by ensemble."""

    ballots: Sequence[Ballot]
    names: tuple[str, ...]
    cache: dict[Ensemble, Floats] = field(default_factory=dict)

    def __call__(self, ensemble: Ensemble) -> Floats:
        """Return the word F1 of an ensemble on each page."""
        if ensemble not in self.cache:
            rows = [self.names.index(name) for name in ensemble.members]
            self.cache[ensemble] = np.array(
                [ballot.f1(ballot.selected[rows].sum(axis=0) >= ensemble.quorum) for ballot in self.ballots]
            )
        return self.cache[ensemble]


def candidates() -> tuple[str, ...]:
    """Return the extractors that may be members: single methods without training.

    A vote that contains votes would find itself, and an extractor trained on the corpus would win on every fold of it.
    """
    return tuple(entry.name for entry in entries() if not isinstance(entry.make(), Vote | Learned))


def best_of_each_size(
    scorer: Scorer,
    pages: Sequence[int],
    names: Sequence[str],
    quorums: Quorums = any_quorum,
    most: int = 6,
    beam: int = 3,
) -> list[Ensemble]:
    """Return the best ensemble of each size by mean word F1, found by beam search.

    Of ensembles with equal scores the alphabetically first wins.

    Args:
        scorer: computes the score of an ensemble on each page.
        pages: the indices of the pages that count.
        names: the extractors that may be members.
        quorums: returns the quorums to try for a number of members.
        most: the largest number of members.
        beam: how many ensembles of each size are extended to the next size.
    """
    places = list(pages)
    front: list[tuple[str, ...]] = [()]
    best: list[Ensemble] = []
    for size in range(1, min(most, len(names)) + 1):
        wider = {tuple(sorted((*members, new))) for members in front for new in names if new not in members}
        ensembles = [Ensemble(members, quorum) for members in sorted(wider) for quorum in quorums(size)]
        ensembles.sort(key=lambda ensemble: -float(scorer(ensemble)[places].mean()))
        front = list(dict.fromkeys(ensemble.members for ensemble in ensembles))[:beam]
        best.append(ensembles[0])
    return best


@dataclass(frozen=True, slots=True)
class VotePlace:
    """The index of a page in a list of ballots, with its site, to split pages into folds."""

    number: int
    site: str


def folds(ballots: Sequence[Ballot], k: int = 5) -> list[tuple[list[int], list[int]]]:
    """Return for each fold the indices of pages to choose on and of pages to measure on; no site is in both."""
    places = [VotePlace(number, ballot.site) for number, ballot in enumerate(ballots)]
    return [
        ([place.number for place in split.train], [place.number for place in split.test])
        for split in grouped_k_fold(places, k)
    ]


def search(
    ballots: Sequence[Ballot],
    names: tuple[str, ...],
    most: int = 6,
    beam: int = 3,
    k: int = 5,
    quorums: Quorums = any_quorum,
) -> list[FoundCombination]:
    """Return the best ensemble of each size on all pages, with the score of such choices on unseen sites."""
    scorer = Scorer(ballots, names)
    everywhere = best_of_each_size(scorer, range(len(ballots)), names, quorums, most, beam)
    scores = [np.zeros(len(ballots)) for _ in everywhere]
    agreed: Counter[Ensemble] = Counter()
    parts = folds(ballots, k)
    for train, test in parts:
        for size, ensemble in enumerate(best_of_each_size(scorer, train, names, quorums, most, beam)):
            scores[size][test] = scorer(ensemble)[test]
            agreed[ensemble] += 1
    return [
        FoundCombination(
            ensemble, float(scorer(ensemble).mean()), float(elsewhere.mean()), agreed[ensemble], len(parts)
        )
        for ensemble, elsewhere in zip(everywhere, scores, strict=True)
    ]
