"""Labelled pages, learners and cross-validation of the hybrid approach's studies.

Source: hybrid rules 4.4 to 4.6. The paper draws its ten folds from blocks, so that blocks of a page, and pages of a
site, are on both sides; here folds are also drawn by site.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from time import process_time
from typing import Final

import numpy as np

from tidings.errors import InputError, MissingExtra
from tidings.page.columns import Ints
from tidings_lab.annotate.agreement import kappa
from tidings_lab.corpora import Sample
from tidings_lab.learners.blocks.bayesian_network import Network, Search
from tidings_lab.learners.blocks.c45 import C45, Pruning
from tidings_lab.learners.blocks.instances import BlockInstances, BlockLearner
from tidings_lab.learners.blocks.labelled_tables import BlockPage
from tidings_lab.learners.blocks.naive_bayes import NaiveBayes, Numbers
from tidings_lab.learners.blocks.nearest_neighbours import NearestNeighbours
from tidings_lab.learners.weka import Weka
from tidings_lab.metrics.classification import Confusion
from tidings_lab.metrics.score import Counts
from tidings_lab.studies.study import Each
from tidings_lab.training.block_tree import taught_sample
from tidings_lab.validation import grouped_k_fold, k_fold

FOLDS: Final = 10
TREE: Final = "decision tree"
#: The learners of table 7, by name.
LEARNERS: Final[Mapping[str, BlockLearner]] = {
    "naive Bayes, normal": NaiveBayes(),
    "naive Bayes, kernel": NaiveBayes(Numbers.KERNEL),
    "naive Bayes, discretised": NaiveBayes(Numbers.DISCRETISED),
    "Bayesian network, K2": Network(),
    "Bayesian network, TAN": Network(Search.TAN),
    "1 nearest neighbour": NearestNeighbours(),
    "5 nearest neighbours": NearestNeighbours(5),
    TREE: C45(),
    "tree, reduced-error pruning": C45(Pruning.REDUCED_ERROR),
    "tree, no subtree raising": C45(Pruning.NO_RAISING),
    "tree, unpruned": C45(Pruning.UNPRUNED),
}
_BAYES: Final = "weka.classifiers.bayes.NaiveBayes"
_NETWORK: Final = "weka.classifiers.bayes.BayesNet"
_SEARCH: Final = "weka.classifiers.bayes.net.search.local."
_NEIGHBOURS: Final = "weka.classifiers.lazy.IBk"
_J48: Final = "weka.classifiers.trees.J48"
#: The equivalent learners of Weka.
IN_WEKA: Final[Mapping[str, Weka]] = {
    "naive Bayes, normal": Weka(_BAYES),
    "naive Bayes, kernel": Weka(_BAYES, ("-K",)),
    "naive Bayes, discretised": Weka(_BAYES, ("-D",)),
    "Bayesian network, K2": Weka(_NETWORK, ("-D", "-Q", _SEARCH + "K2", "--", "-P", "2", "-S", "BAYES")),
    "Bayesian network, TAN": Weka(_NETWORK, ("-D", "-Q", _SEARCH + "TAN", "--", "-S", "BAYES")),
    "1 nearest neighbour": Weka(_NEIGHBOURS),
    "5 nearest neighbours": Weka(_NEIGHBOURS, ("-K", "5")),
    TREE: Weka(_J48),
    "tree, reduced-error pruning": Weka(_J48, ("-R",)),
    "tree, no subtree raising": Weka(_J48, ("-S",)),
    "tree, unpruned": Weka(_J48, ("-U",)),
}


class Folding(Enum):
    """How blocks are assigned to folds: by block, or by site."""

    BY_SITE = "sites apart"  # no site is on both sides
    BY_BLOCK = "blocks drawn"  # the paper's


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A row of a table with its site, for assigning rows to folds."""

    site: str
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class HybridTrial:
    """The cross-validation of a learner: the confusion matrix over all folds."""

    confusion: Confusion
    seconds: float  # mean processor time of training a fold

    @property
    def kappa(self) -> float:
        """Cohen's κ."""
        return kappa(self.confusion.cells)

    @property
    def counts(self) -> list[Counts]:
        """Return the counts of each class, in order."""
        return [self.confusion.counts(label) for label in self.confusion.labels]

    def weighted(self, measure: str) -> float:
        """Return precision, recall or F weighted by class frequency: the mean of Weka, and so of the paper."""
        sizes = self.confusion.cells.sum(axis=1)
        return float(np.average([getattr(counts, measure) for counts in self.counts], weights=sizes))


def taught_pages(samples: Sequence[Sample], each: Each) -> list[BlockPage]:
    """Label the samples that may be used for training.

    Raises:
        InputError: they are of fewer than two sites.
        MissingExtra: a required library is not installed.
    """
    if any(find_spec(library) is None for library in ("pgmpy", "rapidfuzz", "scipy", "sklearn")):
        raise MissingExtra("comparing learners of blocks", "lab")
    pages = list(each(taught_sample, [sample for sample in samples if sample.may_teach], "labelling"))
    if len({page.site for page in pages}) < 2:
        raise InputError("learners of blocks are compared on pages of several sites that may be learned from")
    return pages


def folds(table: BlockInstances, folding: Folding) -> list[tuple[Ints, Ints]]:
    """Return training rows and test rows for each fold."""
    places = [TablePlace(str(site), row) for row, site in enumerate(table.site.tolist())]
    splits = (grouped_k_fold if folding is Folding.BY_SITE else k_fold)(places, FOLDS)
    return [(_rows(split.train), _rows(split.test)) for split in splits]


def _rows(places: Sequence[TablePlace]) -> Ints:
    return np.array(sorted(place.row for place in places), np.int64)


def validate(
    table: BlockInstances, learner: BlockLearner, folding: Folding, measure: BlockInstances | None = None
) -> HybridTrial:
    """Cross-validate a learner; optionally test on other blocks of the same pages, with folds by site."""
    count = len(table.classes)
    cells, seconds = np.zeros((count, count), np.int64), []
    for inside, outside in folds(table, folding):
        start = process_time()
        classifier = learner.fit(table.select_rows(inside))
        seconds.append(process_time() - start)
        other = None if measure is None else measure.select_rows(~np.isin(measure.site, table.site[inside]))
        measured = table.select_rows(outside) if other is None else other
        np.add.at(cells, (measured.labels, classifier.classify(measured.rows)), 1)
    return HybridTrial(Confusion(table.classes, cells), float(np.mean(seconds)))
