"""The hybrid approach's first step without its rules: a decision tree names the main block of a page.

Uzun, Agun and Yerlikaya 2013, sections 3 and 4. The tree gives every block a class. Main is a DIV or TD with all that
is in it; of several that the tree calls so, the one with most words, which is the paper's "largest informative block".
Where it calls none so, the one that comes nearest is taken, by the share of main blocks in its leaf and its own words.

Chosen on half of the sites of the training pages (word F1): the largest of the blocks called main 0.884, all of them
0.883, without what is called uninformative inside 0.839.
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
    """The blocks of a page, and the chance of each to be of each class."""

    blocks: PageBlocks
    probabilities: NDArray[np.float64]  # blocks × classes; what is no DIV or TD cannot be main

    @classmethod
    def of(cls, page: Page, tree: BlockDecisionTree) -> Classified:
        """What a tree says of a page."""
        blocks = features(page)
        probabilities = tree.probabilities(blocks.rows)
        probabilities[~blocks.layout, BlockClass.MAIN] = 0
        return cls(blocks, probabilities)

    @property
    def classes(self) -> Ints:
        """The most likely class of each block."""
        return np.asarray(self.probabilities.argmax(axis=1), np.int64)

    @property
    def main(self) -> int | None:
        """The place of the main block; none where the page has no DIV or TD with text."""
        candidates = np.flatnonzero(self.blocks.layout)
        if not len(candidates):
            return None
        called = candidates[self.classes[candidates] == BlockClass.MAIN]
        words, own = (self.blocks.rows[:, FEATURES.index(name)] for name in ("wf", "wf_ae"))
        if len(called):
            return int(called[words[called].argmax()])
        return int(candidates[(self.probabilities[candidates, BlockClass.MAIN] * np.log1p(own[candidates])).argmax()])


def main_text(page: Page, tree: BlockDecisionTree) -> Spans:
    """Return the text of the block that a tree takes for main."""
    found = Classified.of(page, tree)
    if found.main is None:
        return Spans.none(len(page.text))
    return page.shown(Spans.of_elements(page, [found.blocks.element[found.main]])) & page.scope


@checked
@dataclass(frozen=True, slots=True)
class BlockTree:
    """The DIV or TD that a decision tree over words, links and markup takes for the main block."""

    model: str = ""  # a file made by `tidings lab train block-tree`; empty for the tree that comes with Tidings

    @property
    def tree(self) -> BlockDecisionTree:
        """What it decides by.

        Raises:
            BadModel: the file is no tree.
        """
        return _tree(self.model)

    def classified(self, page: Page, /) -> Classified:
        """Return the blocks of a page with the chance of each to be of each class.

        Raises:
            BadModel: the file is no tree.
        """
        return Classified.of(page, _tree(self.model))

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the main block."""
        return main_text(page, _tree(self.model))

    def score(self, page: Page, /) -> NDArray[np.float64]:
        """For each block of text the chance of the DIV or TD next around it to be main."""
        found = self.classified(page)
        probability, layout = np.zeros(len(page.elements)), np.zeros(len(page.elements), np.bool_)
        probability[found.blocks.element] = found.probabilities[:, BlockClass.MAIN]
        layout[found.blocks.element[found.blocks.layout]] = True
        return np.asarray(probability[page.nearest_of(layout)[page.blocks.element]])
