"""Shallow text features with a trained decision tree and with a trained linear support vector machine.

Source: Kohlschütter, Fankhauser and Nejdl 2010; DANA thesis 3.3.2.1. Both use all features of `shallow_features`,
including those of the previous and the next block, classified "using decision trees method and linear support vector
machines". The models are trained by `tidings lab train shallow-tree` and `shallow-svm`; their model card is in
docs/explanation/trainable-extractors.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.model_files import read
from tidings.extractors.parameters import checked
from tidings.extractors.published.shallow_features import features
from tidings.extractors.published.trained.classifiers import BlockClassifier
from tidings.page import Page, Spans

Floats = NDArray[np.float64]
TREE: Final = "shallow-tree"
SVM: Final = "shallow-svm"


@dataclass(frozen=True, slots=True)
class _Shallow:
    """Base of both classifiers: selects blocks with a probability above one half."""

    name: ClassVar[str]

    model: str = ""  # a model file; empty for the built-in model

    def __call__(self, page: Page, /) -> Spans:
        """Return the blocks classified as content."""
        return page.shown(Spans.of_blocks(page, self.score(page) > 0.5)) & page.scope

    def score(self, page: Page, /) -> Floats:
        """Return for each block its probability to be content, 0 for hidden blocks and those without words."""
        visible = page.blocks.seen
        scores = np.zeros(len(page.blocks))
        if len(visible):
            columns = {name: column[visible] for name, column in features(page).items()}
            scores[visible] = read(BlockClassifier, self.name, self.model).probabilities(columns)
        return scores


@checked
@dataclass(frozen=True, slots=True)
class ShallowTree(_Shallow):
    """Blocks that a decision tree over shallow text features labels as content."""

    name: ClassVar[str] = TREE


@checked
@dataclass(frozen=True, slots=True)
class ShallowSVM(_Shallow):
    """Blocks that a linear support vector machine over shallow text features labels as content."""

    name: ClassVar[str] = SVM
