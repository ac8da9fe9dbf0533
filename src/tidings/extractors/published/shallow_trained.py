"""Shallow text features with a trained decision tree, and with a trained linear support vector machine.

Kohlschütter, Fankhauser and Nejdl 2010; DANA thesis 3.3.2.1: all features of `shallow`, those of the block before and
the block behind among them, classified "using decision trees method and linear support vector machines". The rule of
two features that the publication ends with is `shallow-2`.

Learned with `tidings.lab.learners.trainable.shallow`; docs/explanation/trainable-extractors.md has the model card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.seen_blocks import seen_blocks
from tidings.extractors.parameters import checked
from tidings.extractors.published.shallow import features
from tidings.extractors.published.trained.block_classifier import BlockClassifier
from tidings.extractors.published.trained.weights import read
from tidings.page import Page, Spans

Floats = NDArray[np.float64]

TREE: Final = "shallow-tree"
SVM: Final = "shallow-svm"


@dataclass(frozen=True, slots=True)
class _Shallow:
    """What both have in common: blocks whose chance is above one half."""

    name: ClassVar[str]

    model: str = ""  # a file of one's own weights; empty: those that come with Tidings

    def __call__(self, page: Page, /) -> Spans:
        """The blocks that are taken for content."""
        return page.shown(Spans.of_blocks(page, self.score(page) > 0.5)) & page.scope

    def score(self, page: Page, /) -> Floats:
        """For each block its chance to be content, 0 for hidden ones and those without words."""
        seen = seen_blocks(page)
        scores = np.zeros(len(page.blocks))
        if len(seen):
            columns = {name: column[seen] for name, column in features(page).items()}
            scores[seen] = read(BlockClassifier, self.name, self.model).chances(columns)
        return scores


@checked
@dataclass(frozen=True, slots=True)
class ShallowTree(_Shallow):
    """Blocks that a decision tree over shallow text features takes for content."""

    name: ClassVar[str] = TREE


@checked
@dataclass(frozen=True, slots=True)
class ShallowSVM(_Shallow):
    """Blocks that a linear support vector machine over shallow text features takes for content."""

    name: ClassVar[str] = SVM
