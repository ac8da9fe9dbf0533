"""Training of sequence labelling: maximum entropy, its Markov form, and a conditional random field.

Source: Gibson et al. 2007; DANA thesis 3.3.2.2. All three use the same attributes: each feature is cut into ranges with
about equally many blocks. The field is trained on whole pages (CRFsuite); maximum entropy on all their blocks, the
Markov form once on those after content and once on the others (McCallum et al. 2000). Every block has the same weight.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError, needs
from tidings.extractors.published.feature_ranges import Ranges
from tidings.extractors.published.sequence import ChainForm, ChainWeights, observations
from tidings.extractors.published.trained.classifiers import matrix
from tidings.page.columns import Bools, Ints
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.shallow_blocks import TaughtBlocks
from tidings_lab.learners.taught_pages import TaughtPage, draw
from tidings_lab.learners.weights_learner import labels

Floats = NDArray[np.float64]
_CONTENT, _OTHER = "1", "0"
_ALWAYS: Final = "always"  # an attribute of every block, for the prior of content


@dataclass(frozen=True, slots=True)
class Labelling:
    """The learner for `crf`, `maxent` and `memm`."""

    form: ChainForm = ChainForm.FIELD
    ranges: int = 8
    strength: float = 1.0  # regularisation
    steps: int = 150
    blocks: int = 1000  # maximum per page: further blocks add nothing new

    def prepare(self, lesson: GoldPage, /) -> TaughtBlocks | None:
        """Return the blocks of a page with their labels, in order."""
        labelled = labels(lesson)
        if labelled is None:
            return None
        _, columns = observations(labelled.page)
        taught = labelled.taught(matrix(columns, tuple(columns)), 0.0)
        first = slice(self.blocks)
        page = TaughtPage(taught.rows[:, first], taught.content[first], taught.importance[first])
        return TaughtBlocks(lesson.site, tuple(columns), page)

    def fit(self, items: Sequence[TaughtBlocks], /) -> ChainWeights:
        """Train weights on the blocks of many pages."""
        pages = [item.page for item in items]
        names = items[0].features
        ranges = Ranges.of(draw(pages).rows, self.ranges)
        rows = [(ranges(page.rows.T), page.content) for page in pages]
        if self.form is ChainForm.FIELD:
            return self._field(names, ranges, rows)
        codes = np.concatenate([page_codes for page_codes, _ in rows])
        content = np.concatenate([content for _, content in rows])
        if self.form is ChainForm.ALONE:
            groups = [np.ones(len(content), np.bool_)]
        else:
            after_content = np.concatenate([np.append(False, content)[:-1] for _, content in rows])
            groups = [~after_content, after_content]
        weight = np.zeros((len(names), ranges.count, len(groups)))
        bias = np.zeros(len(groups))
        for place, members in enumerate(groups):
            weight[:, :, place], bias[place] = self._entropy(codes[members], content[members], ranges.count)
        return ChainWeights(self.form, names, ranges, weight, bias, np.zeros((2, 2)))

    def _entropy(self, codes: Ints, content: Bools, ranges: int) -> tuple[Floats, float]:
        """Train a maximum entropy classifier: a weight for each range of each feature."""
        with needs("training", "lab"):
            from scipy.sparse import csr_matrix
            from sklearn.linear_model import LogisticRegression
        if content.all() or not content.any():
            raise InputError("learning needs pages on which content and other blocks stand beside each other")
        blocks, features = codes.shape
        places = (codes + np.arange(features) * ranges).ravel()
        rows = csr_matrix(
            (np.ones(len(places)), places, np.arange(0, len(places) + 1, features)), (blocks, features * ranges)
        )
        model = LogisticRegression(C=1.0 / self.strength, max_iter=self.steps * 4, tol=1e-3)
        model.fit(rows, content)
        return model.coef_[0].reshape(features, ranges), float(model.intercept_[0])

    def _field(self, names: tuple[str, ...], ranges: Ranges, rows: Sequence[tuple[Ints, Bools]]) -> ChainWeights:
        """Train a conditional random field; return CRFsuite's weights as differences of the two labels."""
        info = of_file(self.train(rows, ranges))
        weight = np.zeros((len(names), ranges.count, 1))
        bias, transition = np.zeros(1), np.zeros((2, 2))
        for (attribute, label), value in info.state_features.items():
            signed = value if label == _CONTENT else -value
            if attribute == _ALWAYS:
                bias[0] += signed
            else:
                feature, number = (int(part) for part in attribute.split(":"))
                weight[feature, number, 0] += signed
        for (before, label), value in info.transitions.items():
            transition[int(before), int(label)] = value
        return ChainWeights(ChainForm.FIELD, names, ranges, weight, bias, transition)

    def train(self, rows: Sequence[tuple[Ints, Bools]], ranges: Ranges) -> bytes:
        """Train a conditional random field; return CRFsuite's model file."""
        with needs("the conditional random field", "lab"):
            import pycrfsuite
        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.set_params({"c2": self.strength, "max_iterations": self.steps, "feature.possible_transitions": True})
        for codes, content in rows:
            trainer.append(
                attributes(codes, ranges), [_CONTENT if is_content else _OTHER for is_content in content.tolist()]
            )
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "field.crf"
            trainer.train(str(file))
            return file.read_bytes()


def attributes(codes: Ints, ranges: Ranges) -> list[list[str]]:
    """Return the attributes of each block for CRFsuite: one per feature, except features in their lowest range."""
    names = np.array([[f"{feature}:{number}" for number in range(ranges.count)] for feature in range(codes.shape[1])])
    block_names = names[np.arange(codes.shape[1]), codes]
    return [[_ALWAYS, *line[is_present].tolist()] for line, is_present in zip(block_names, codes > 0, strict=True)]


def of_file(model: bytes) -> Any:
    """Return CRFsuite's description of its model file."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    return tagger.info()
