"""The first step of the hybrid approach, without its rules: a decision tree selects the main block of a page.

Source: Uzun, Agun and Yerlikaya 2013, sections 3 and 4. The tree classifies every block. The main block is a DIV or TD
with all its content; of several DIV or TD with the class "main" the one with most words, which is the paper's "largest
informative block". If no block has that class, the candidate with the highest product of its probability to be main and
the logarithm of its own words is selected.

Alternatives on half of the sites of the training pages (word F1): the largest block of class "main" 0.884, all of them
0.883, all of them without inner uninformative blocks 0.839.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.parameters import checked
from tidings.extractors.published.block_tree.features import FEATURES, BlockClass, PageBlocks, features
from tidings.extractors.published.block_tree.tree import BlockDecisionTree, load
from tidings.page import Page, Spans
from tidings.page.columns import Ints


@cache
def _tree(model: str) -> BlockDecisionTree:
    if model:
        return load(Path(model), FEATURES, len(BlockClass))
    with resources.as_file(resources.files("tidings.extractors.published.block_tree") / "tree.json") as path:
        return load(path, FEATURES, len(BlockClass))


@dataclass(frozen=True, slots=True, eq=False)
class Classified:
    """The blocks of a page with the probability of each class, as predicted by a decision tree."""

    blocks: PageBlocks
    probabilities: NDArray[np.float64]  # blocks × classes; only DIV and TD can be main

    @classmethod
    def of(cls, page: Page, tree: BlockDecisionTree) -> Classified:
        """Classify the blocks of a page."""
        blocks = features(page)
        probabilities = tree.probabilities(blocks.rows)
        probabilities[~blocks.layout, BlockClass.MAIN] = 0
        return cls(blocks, probabilities)

    @property
    def classes(self) -> Ints:
        """Return the most likely class of each block."""
        return np.asarray(self.probabilities.argmax(axis=1), np.int64)

    @property
    def main(self) -> int | None:
        """Return the index of the main block; None if the page has no DIV or TD with text."""
        candidates = np.flatnonzero(self.blocks.layout)
        if not len(candidates):
            return None
        main_candidates = candidates[self.classes[candidates] == BlockClass.MAIN]
        words, own = (self.blocks.rows[:, FEATURES.index(name)] for name in ("wf", "wf_ae"))
        if len(main_candidates):
            return int(main_candidates[words[main_candidates].argmax()])
        return int(candidates[(self.probabilities[candidates, BlockClass.MAIN] * np.log1p(own[candidates])).argmax()])


def main_text(page: Page, tree: BlockDecisionTree) -> Spans:
    """Return the text of the block that a decision tree classifies as main."""
    classified = Classified.of(page, tree)
    if classified.main is None:
        return Spans.none(len(page.text))
    return page.shown(Spans.of_elements(page, [classified.blocks.element[classified.main]])) & page.scope


@checked
@dataclass(frozen=True, slots=True)
class BlockTree:
    """Text of the DIV or TD that a decision tree over words, links and markup classifies as the main block."""

    model: str = ""  # a model file (`tidings lab train block-tree`); empty for the built-in tree

    @property
    def tree(self) -> BlockDecisionTree:
        """Return the decision tree, loaded on first use.

        Raises:
            BadModel: the file is no valid tree.
        """
        return _tree(self.model)

    def classified(self, page: Page, /) -> Classified:
        """Return the blocks of a page with class probabilities.

        Raises:
            BadModel: the file is no valid tree.
        """
        return Classified.of(page, _tree(self.model))

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the main block."""
        return main_text(page, _tree(self.model))

    def score(self, page: Page, /) -> NDArray[np.float64]:
        """Return for each block of text the probability that the nearest DIV or TD around it is the main block."""
        classified = self.classified(page)
        probability, layout = np.zeros(len(page.elements)), np.zeros(len(page.elements), np.bool_)
        probability[classified.blocks.element] = classified.probabilities[:, BlockClass.MAIN]
        layout[classified.blocks.element[classified.blocks.layout]] = True
        return np.asarray(probability[page.nearest_of(layout)[page.blocks.element]])
