"""CombinE: unions, intersections, votes and serial combinations found automatically, and measured on other sites.

Source: Gottron 2008, 2009; DANA thesis 3.4.2: filters in series, in parallel (union or intersection) and voting,
configured and evaluated automatically; its heuristics were DSC, BTE, ACCB and LQF. Here every single extractor may be a
member. Sites are split into five folds; for each fold, the best combination of every form is chosen on the other four.
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
_IN_SERIES: Final = 4  # the best single extractors of a fold are tried in series: twelve pairs
_NAMED: Final = ("combine", "best-vote")  # the published vote, and the best untrained built-in vote
_FORMS: Final[dict[str, Quorums]] = {
    "union": union_only,
    "intersection": intersection_only,
    "vote, any quorum": any_quorum,
}


@dataclass(frozen=True, slots=True)
class CombinationForm:
    """The result for a kind of combination, such as unions: the best combination in each fold, and the score of each
    page.
    """

    name: str
    chosen: tuple[str, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Combinations:
    """The best combinations of each kind."""

    sites: tuple[str, ...]  # of each page
    forms: tuple[CombinationForm, ...]  # the single extractor first

    def tables(self) -> tuple[Table, ...]:
        """Return a table that compares kinds of combinations with the best single extractor."""
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
        """Return a chart of the kinds of combinations with their intervals."""
        means = [interval(form.scores, self.sites) for form in self.forms]
        series = Series.banded("word F1", ((mean.mean, mean.low, mean.high) for mean in means))
        names = tuple(form.name for form in self.forms)
        title, y = "Combinations chosen on some sites, measured on others (95 % intervals)", "word F1"
        return (Chart("combinations", title, "", y, names, (series,), ChartKind.POINTS),)


def run(samples: Sequence[Sample], each: Each = in_turn, names: tuple[str, ...] | None = None) -> Combinations:
    """Search for the best combination of each kind, optionally among given extractors only."""
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
    """Return the best ensemble with at least two members."""
    sizes = best_of_each_size(scorer, train, names, quorums, MOST)[1:]
    return max(sizes, key=lambda ensemble: float(scorer(ensemble)[train].mean()))


def _serial(
    samples: Sequence[Sample], each: Each, scorer: Scorer, parts: list[tuple[list[int], list[int]]]
) -> CombinationForm:
    """Return the best serial pairs. The candidates of a fold come from its own training sites."""
    candidates_by_fold = []
    for train, _ in parts:
        ranked = sorted(scorer.names, key=lambda name: -float(scorer(Ensemble((name,)))[train].mean()))
        candidates_by_fold.append(
            [f"serial({first}, {second})" for first, second in permutations(ranked[:_IN_SERIES], 2)]
        )
    pairs = tuple(dict.fromkeys(pair for fold_pairs in candidates_by_fold for pair in fold_pairs))
    ballots: list[Ballot] = list(each(partial(cast, names=pairs, with_lcs=False), samples, "in series"))
    in_series = Scorer(ballots, pairs)
    chosen = [
        best_of_each_size(in_series, train, allowed, most=1)[0]
        for (train, _), allowed in zip(parts, candidates_by_fold, strict=True)
    ]
    return _form("serial", in_series, parts, chosen)


def _form(
    name: str, scorer: Scorer, parts: list[tuple[list[int], list[int]]], chosen: list[Ensemble]
) -> CombinationForm:
    scores: NDArray[np.float64] = np.zeros(len(scorer.ballots))
    for (_, test), ensemble in zip(parts, chosen, strict=True):
        scores[test] = scorer(ensemble)[test]
    return CombinationForm(name, tuple(ensemble.expression for ensemble in chosen), tuple(scores.tolist()))


STUDY: Final = Study("combinations", "Combinations found automatically (CombinE)", "DANA thesis 3.4.2", run)
