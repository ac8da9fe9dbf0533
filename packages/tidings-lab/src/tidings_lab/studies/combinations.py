"""CombinE: unions, intersections, votes and serial combinations found automatically, each measured on other sites.

Gottron 2008, 2009; DANA thesis 3.4.2: filters in series, in parallel (union or intersection) and voting, configured and
evaluated automatically; its heuristics were DSC, BTE, ACCB and LQF. Here every single extractor may take part. Sites go
into five folds; for each, the best of every form is chosen on the other four.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Chart, ChartKind, Series
from tidings_lab.ballots import Ballot, cast
from tidings_lab.corpora import Sample
from tidings_lab.ensemble_search import (
    Ensemble,
    Quorums,
    Scorer,
    any_quorum,
    best_of_each_size,
    candidates,
    folds,
    intersection_only,
    union_only,
)
from tidings_lab.statistics.bootstrap import interval
from tidings_lab.statistics.paired_tests import bootstrap_difference
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Cell, Table

MOST: Final = 4  # members: the size of the published vote
_IN_SERIES: Final = 4  # the best singles of a fold are tried one inside the other: twelve pairs
_NAMED: Final = ("combine", "best-vote")  # as published, and the best untrained one that ships
_FORMS: Final[dict[str, Quorums]] = {
    "union": union_only,
    "intersection": intersection_only,
    "vote, any quorum": any_quorum,
}


@dataclass(frozen=True, slots=True)
class CombinationForm:
    """One form of combination: what was chosen in each fold, and the score of each page when it was not chosen on."""

    name: str
    chosen: tuple[str, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Combinations:
    """What the search found."""

    sites: tuple[str, ...]  # of each page
    forms: tuple[CombinationForm, ...]  # the single extractor first

    def tables(self) -> tuple[Table, ...]:
        """The forms compared with the best single extractor."""
        single = self.forms[0]
        rows: list[tuple[Cell, ...]] = []
        for form in self.forms:
            mean = float(np.mean(form.scores))
            gain = bootstrap_difference(form.scores, single.scores, self.sites)
            often = "; ".join(f"{name} ({count})" for name, count in Counter(form.chosen).most_common())
            rows.append((form.name, mean, gain.signed, often))
        columns = ("form", "word F1 on other sites", "against the best single one", "chosen (folds)")
        return (Table(f"Combinations on {len(self.sites)} pages", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """Each form with its interval."""
        means = [interval(form.scores, self.sites) for form in self.forms]
        series = Series.banded("word F1", ((one.mean, one.low, one.high) for one in means))
        names = tuple(form.name for form in self.forms)
        title, y = "Combinations chosen on some sites, measured on others (95 % intervals)", "word F1"
        return (Chart("combinations", title, "", y, names, (series,), ChartKind.POINTS),)


def run(samples: Sequence[Sample], each: Each = in_turn, names: tuple[str, ...] | None = None) -> Combinations:
    """Search in every form; only among some extractors, if these are named."""
    singles = names or candidates()
    ballots = list(each(partial(cast, names=singles, with_lcs=False), samples, "single extractors"))
    read = {ballot.id for ballot in ballots}
    samples = [sample for sample in samples if sample.id in read]
    parts = folds(ballots)
    scorer = Scorer(ballots, singles)
    alone = [best_of_each_size(scorer, train, singles, most=1)[0] for train, _ in parts]
    forms = [_form("single", scorer, parts, alone)]
    for name, quorums in _FORMS.items():
        chosen = [_best(scorer, train, singles, quorums) for train, _ in parts]
        forms.append(_form(name, scorer, parts, chosen))
    forms.append(_serial(samples, each, scorer, parts))
    for name in _NAMED:
        fixed = list(each(partial(cast, names=(name,), with_lcs=False), samples, name))
        forms.append(_form(name, Scorer(fixed, (name,)), parts, [Ensemble((name,))] * len(parts)))
    return Combinations(tuple(ballot.site for ballot in ballots), tuple(forms))


def _best(scorer: Scorer, train: list[int], names: Sequence[str], quorums: Quorums) -> Ensemble:
    """The best of all sizes from two on: a single extractor is no combination."""
    sizes = best_of_each_size(scorer, train, names, quorums, MOST)[1:]
    return max(sizes, key=lambda one: float(scorer(one)[train].mean()))


def _serial(
    samples: Sequence[Sample], each: Each, scorer: Scorer, parts: list[tuple[list[int], list[int]]]
) -> CombinationForm:
    """Pairs in series. Which pairs a fold may try is told by its own training sites."""
    wanted = []
    for train, _ in parts:
        ranked = sorted(scorer.names, key=lambda name: -float(scorer(Ensemble((name,)))[train].mean()))
        wanted.append([f"serial({first}, {second})" for first, second in permutations(ranked[:_IN_SERIES], 2)])
    pairs = tuple(dict.fromkeys(pair for several in wanted for pair in several))
    ballots: list[Ballot] = list(each(partial(cast, names=pairs, with_lcs=False), samples, "in series"))
    in_series = Scorer(ballots, pairs)
    chosen = [
        best_of_each_size(in_series, train, allowed, most=1)[0]
        for (train, _), allowed in zip(parts, wanted, strict=True)
    ]
    return _form("serial", in_series, parts, chosen)


def _form(
    name: str, scorer: Scorer, parts: list[tuple[list[int], list[int]]], chosen: list[Ensemble]
) -> CombinationForm:
    scores: NDArray[np.float64] = np.zeros(len(scorer.ballots))
    for (_, test), ensemble in zip(parts, chosen, strict=True):
        scores[test] = scorer(ensemble)[test]
    return CombinationForm(name, tuple(one.expression for one in chosen), tuple(scores.tolist()))


STUDY: Final = Study("combinations", "Combinations found automatically (CombinE)", "DANA thesis 3.4.2", run)
