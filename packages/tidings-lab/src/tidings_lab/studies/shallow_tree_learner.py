"""A decision tree over shallow text features: a simple learner for studies of cross-validation.

Source: Kohlschütter et al. 2010; DANA thesis 3.3.2.1. A block is content if most of its words are in the longest common
subsequence of page and ground truth. The tree is scikit-learn's; its leaves contain enough blocks that a single page
cannot make one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tidings.errors import needs
from tidings.extractors.published.shallow import Floats
from tidings.extractors.published.shallow_features import features
from tidings.page import Page, Spans
from tidings.page.columns import Bools
from tidings_lab.corpora import Sample
from tidings_lab.metrics.texts import units_for
from tidings_lab.studies.page_groups import own_headline, scored

_MOST_UNITS: Final = 30_000  # of a page: more make the longest common subsequence take seconds
_CONTENT: Final = 0.5  # share of a block's words in gold


@dataclass(frozen=True, slots=True, eq=False)
class ShallowExample:
    """A sample prepared for many trainings: its page, the features of its blocks, and which are content."""

    sample: Sample
    page: Page
    headline: str
    features: Floats
    content: Bools

    @property
    def site(self) -> str:
        """Return the sample's site."""
        return self.sample.site


def prepare(sample: Sample) -> ShallowExample:
    """Return a sample with page, features and labels."""
    page = Page(sample.html)
    content = content_blocks(page, str(sample.gold["text"]), sample.lang)
    return ShallowExample(sample, page, own_headline(sample, page), _matrix(page), content)


def content_blocks(page: Page, gold: str, language: str) -> Bools:
    """Return which blocks have most of their words in the longest common subsequence of page and ground truth."""
    with needs("finding the gold text on a page", "lab"):
        from rapidfuzz.distance import LCSseq
    units = units_for(gold, language)
    blocks = page.blocks
    page_units: list[str] = []
    counts = np.zeros(len(blocks), np.int64)
    for number in np.flatnonzero(~blocks.hidden).tolist():
        block_units = units(page.text[blocks.text_start[number] : blocks.text_end[number]])
        if len(page_units) + len(block_units) > _MOST_UNITS:
            break
        counts[number] = len(block_units)
        page_units += block_units
    common = np.zeros(len(page_units) + 1, np.int64)
    for step in LCSseq.opcodes(page_units, units(gold)[:_MOST_UNITS]):
        if step.tag == "equal":
            common[step.src_start + 1 : step.src_end + 1] = 1
    before, ends = np.cumsum(common), np.cumsum(counts)
    matched = before[ends] - before[ends - counts]
    return np.asarray((matched > _CONTENT * counts) & (counts > 0))


@dataclass(frozen=True, slots=True)
class TreeExtractor:
    """An extractor that selects the blocks which a trained tree classifies as content."""

    tree: Any  # sklearn.tree.DecisionTreeClassifier; None if the training pages have no visible block

    def __call__(self, page: Page, /) -> Spans:
        """Return the selected blocks."""
        return page.shown(Spans.of_blocks(page, self.keep(_matrix(page)) & ~page.blocks.hidden))

    def keep(self, rows: Floats) -> Bools:
        """Return which blocks, given as rows of features, are content."""
        if self.tree is None or not len(rows):
            return np.zeros(len(rows), np.bool_)
        return np.asarray(self.tree.predict(rows), np.bool_)


@dataclass(frozen=True, slots=True)
class ShallowTreeLearner:
    """A learner of decision trees with a maximum number of leaves and a minimum number of blocks per leaf."""

    leaves: int = 24
    blocks_in_a_leaf: int = 10

    def fit(self, items: Sequence[ShallowExample], /) -> TreeExtractor:
        """Train a tree on the visible blocks of the examples.

        Raises:
            MissingExtra: scikit-learn is not installed.
        """
        with needs("growing a tree", "lab"):
            from sklearn.tree import DecisionTreeClassifier
        visible = [~item.page.blocks.hidden for item in items]
        rows = np.concatenate([item.features[is_visible] for item, is_visible in zip(items, visible, strict=True)])
        labels = np.concatenate([item.content[is_visible] for item, is_visible in zip(items, visible, strict=True)])
        if not len(rows):
            return TreeExtractor(None)
        tree = DecisionTreeClassifier(
            max_leaf_nodes=self.leaves, min_samples_leaf=self.blocks_in_a_leaf, class_weight="balanced", random_state=0
        )
        return TreeExtractor(tree.fit(rows, labels))


def text_f1(extractor: TreeExtractor, example: ShallowExample) -> float:
    """Return word F1 of a trained extractor's text."""
    spans = Spans.of_blocks(example.page, extractor.keep(example.features) & ~example.page.blocks.hidden)
    return scored(example.sample, example.page, example.page.shown(spans), headline=example.headline).f1


def _matrix(page: Page) -> Floats:
    columns = features(page)
    return np.column_stack(list(columns.values())) if len(page.blocks) else np.zeros((0, len(columns)))
