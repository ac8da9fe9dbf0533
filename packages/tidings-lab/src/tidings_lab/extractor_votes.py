"""What each extractor keeps of each page, word by word: any combination can then be scored without running it.

Finding a good combination automatically: CombinE's unions, intersections and votes, chosen on other sites.

Gottron 2008; DANA thesis 3.4.2. Starting from the best single extractors, members are added one at a time, keeping the
few best ensembles at each size. A quorum of one is the union, of all the intersection; a vote may have any. Serial
combinations are extractors of their own and stand among the members (`lab.studies.combinations`).

What is chosen on some sites is measured on others: sites go into folds, and the choice for a fold sees only the rest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors import entries, extractor
from tidings.extractors.combine import Vote
from tidings.extractors.learned.extractor import Learned
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.metrics.texts import lcs_score
from tidings_lab.validation import grouped_k_fold

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Ballot:
    """One page: its words, how often gold has each, and which of them every extractor keeps."""

    id: str
    site: str
    half: int
    word: NDArray[np.int64]  # for each word of the page its number
    gold: NDArray[np.int64]  # for each number how often gold has it
    gold_words: int
    kept: NDArray[np.bool_]  # a row for each extractor
    lcs: NDArray[np.float64]  # token-LCS F1 of each extractor
    cost: NDArray[np.float64]  # time of each extractor, in times of building the Page

    def f1(self, chosen: NDArray[np.bool_]) -> float:
        """Bag-of-words F1 of a choice of the page's words."""
        counts = np.bincount(self.word[chosen], minlength=len(self.gold))
        common = int(np.minimum(counts, self.gold).sum())
        total = int(chosen.sum()) + self.gold_words
        return 2 * common / total if total else 0.0


def cast(sample: Sample, names: tuple[str, ...], with_lcs: bool = True) -> Ballot:
    """Run extractors on a page."""
    data = sample.html
    begin = perf_counter()
    page = Page(data)
    built = perf_counter() - begin
    wanted = Counter(_WORD.findall(sample.gold["text"].lower()))
    # A word is at the place where it begins; folding case must not move places.
    lower = page.text.lower()
    if len(lower) != len(page.text):
        lower = "".join(folded if len(folded := char.lower()) == 1 else char for char in page.text)
    found = [(match.start(), match[0]) for match in _WORD.finditer(lower)]
    numbers: dict[str, int] = {}
    word = np.array([numbers.setdefault(text, len(numbers)) for _, text in found], np.int64)
    gold = np.array([wanted.get(text, 0) for text in numbers] or [0], np.int64)
    starts = np.array([start for start, _ in found], np.int64)
    kept, lcs, cost = [], [], []
    for name in names:
        method = extractor(name)
        begin = perf_counter()
        spans = method(page)
        cost.append((perf_counter() - begin) / built)
        kept.append(spans.covers(starts))
        lcs.append(lcs_score(spans.text(page), sample.gold["text"]).f1 if with_lcs else 0.0)
    return Ballot(
        sample.id,
        sample.site,
        sample.half,
        word,
        gold,
        sum(wanted.values()),
        np.array(kept, np.bool_).reshape(len(names), len(starts)),
        np.array(lcs),
        np.array(cost),
    )


Floats = NDArray[np.float64]
#: From the number of members, the quorums to try.
Quorums = Callable[[int], Iterable[int]]


def any_quorum(size: int) -> Iterable[int]:
    """A vote: every quorum from one to all."""
    return range(1, size + 1)


def union_only(size: int) -> Iterable[int]:  # noqa: ARG001  # whatever the size
    """The union: one member is enough."""
    return (1,)


def intersection_only(size: int) -> Iterable[int]:
    """The intersection: all members are needed."""
    return (size,)


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Members, and how many of them must keep a word."""

    members: tuple[str, ...]
    quorum: int = 1

    @property
    def expression(self) -> str:
        """The ensemble as `tidings extract --with` takes it."""
        if len(self.members) == 1:
            return self.members[0]
        if self.quorum == 1:
            return " | ".join(self.members)
        if self.quorum == len(self.members):
            return " & ".join(self.members)
        return f"vote({', '.join(self.members)}; {self.quorum})"


@dataclass(frozen=True, slots=True)
class FoundCombination:
    """The best ensemble of a size: chosen on all sites, and how such a choice does on sites it has not seen."""

    ensemble: Ensemble
    chosen_on: float  # mean word F1 on the pages it was chosen on
    elsewhere: float  # of the ensembles chosen without a fold, on that fold
    agreed: int  # folds whose own choice was this ensemble
    folds: int

    @property
    def expression(self) -> str:
        """The ensemble as `tidings extract --with` takes it."""
        return self.ensemble.expression


@dataclass(frozen=True, slots=True)
class Scorer:
    """Word F1 of any ensemble on each page, worked out once for each ensemble."""

    ballots: Sequence[Ballot]
    names: tuple[str, ...]
    known: dict[Ensemble, Floats] = field(default_factory=dict)

    def __call__(self, ensemble: Ensemble) -> Floats:
        """A value for each page."""
        if ensemble not in self.known:
            rows = [self.names.index(name) for name in ensemble.members]
            self.known[ensemble] = np.array(
                [ballot.f1(ballot.kept[rows].sum(axis=0) >= ensemble.quorum) for ballot in self.ballots]
            )
        return self.known[ensemble]


def candidates() -> tuple[str, ...]:
    """The extractors that stand for election: single methods that were not trained.

    A vote among votes finds itself, and what was trained on a corpus would win on every fold of it.
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
    """The best ensemble of one member, of two … on some of the pages; among equals the one first in the alphabet."""
    places = list(pages)
    front: list[tuple[str, ...]] = [()]
    found: list[Ensemble] = []
    for size in range(1, min(most, len(names)) + 1):
        wider = {tuple(sorted((*members, new))) for members in front for new in names if new not in members}
        ensembles = [Ensemble(members, quorum) for members in sorted(wider) for quorum in quorums(size)]
        ensembles.sort(key=lambda one: -float(scorer(one)[places].mean()))
        front = list(dict.fromkeys(one.members for one in ensembles))[:beam]
        found.append(ensembles[0])
    return found


@dataclass(frozen=True, slots=True)
class VotePlace:
    """A page by its place among the ballots, and its site."""

    number: int
    site: str


def folds(ballots: Sequence[Ballot], k: int = 5) -> list[tuple[list[int], list[int]]]:
    """Pages to choose on and pages to measure on, by their places; no site is on both sides."""
    places = [VotePlace(number, ballot.site) for number, ballot in enumerate(ballots)]
    return [
        ([one.number for one in split.train], [one.number for one in split.test]) for split in grouped_k_fold(places, k)
    ]


def search(
    ballots: Sequence[Ballot],
    names: tuple[str, ...],
    most: int = 6,
    beam: int = 3,
    k: int = 5,
    quorums: Quorums = any_quorum,
) -> list[FoundCombination]:
    """The best ensemble of each size over all pages, and what choosing so is worth on other sites."""
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
