"""Learning to label the blocks of a page as a sequence: maximum entropy, its Markov form, a conditional random field.

Gibson et al. 2007; DANA thesis 3.3.2.2. All three get the same attributes: each feature cut into ranges that hold about
equally many blocks. The field learns from whole pages (CRFsuite); maximum entropy from all their blocks, the Markov
form once from those behind content and once from the others (McCallum et al. 2000). Every block counts alike.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError, MissingExtra
from tidings.extractors.published.sequence import ChainForm, ChainWeights, Ranges, observations
from tidings.extractors.published.trained.classifiers import matrix
from tidings.lab.learners.lesson import GoldPage
from tidings.lab.learners.rival_learners import TaughtPage, draw
from tidings.lab.learners.trainable.classifiers import labels
from tidings.lab.learners.trainable.shallow import TaughtBlocks
from tidings.page.columns import Bools, Ints

Floats = NDArray[np.float64]

_CONTENT, _OTHER = "1", "0"
_ALWAYS: Final = "always"  # an attribute of every block, for how common content is


@dataclass(frozen=True, slots=True)
class Labelling:
    """The learner."""

    form: ChainForm = ChainForm.FIELD
    ranges: int = 8
    strength: float = 1.0  # of the pull towards zero
    steps: int = 150
    blocks: int = 1000  # of a page: what a longer one has behind them teaches nothing new

    def prepare(self, lesson: GoldPage, /) -> TaughtBlocks | None:
        """The blocks of a page with their labels, in their order."""
        found = labels(lesson)
        if found is None:
            return None
        _, columns = observations(found.page)
        taught = found.taught(matrix(columns, tuple(columns)), 0.0)
        first = slice(self.blocks)
        page = TaughtPage(taught.rows[:, first], taught.content[first], taught.importance[first])
        return TaughtBlocks(lesson.site, tuple(columns), page)

    def fit(self, items: Sequence[TaughtBlocks], /) -> ChainWeights:
        """Weights from the blocks of many pages."""
        pages = [item.page for item in items]
        names = items[0].features
        ranges = Ranges.of(draw(pages).rows, self.ranges)
        rows = [(ranges(page.rows.T), page.content) for page in pages]
        if self.form is ChainForm.FIELD:
            return self._field(names, ranges, rows)
        codes = np.concatenate([found for found, _ in rows])
        content = np.concatenate([content for _, content in rows])
        if self.form is ChainForm.ALONE:
            groups = [np.ones(len(content), np.bool_)]
        else:
            behind = np.concatenate([np.append(False, content)[:-1] for _, content in rows])
            groups = [~behind, behind]
        weight = np.zeros((len(names), ranges.count, len(groups)))
        bias = np.zeros(len(groups))
        for place, some in enumerate(groups):
            weight[:, :, place], bias[place] = self._entropy(codes[some], content[some], ranges.count)
        return ChainWeights(self.form, names, ranges, weight, bias, np.zeros((2, 2)))

    def _entropy(self, codes: Ints, content: Bools, ranges: int) -> tuple[Floats, float]:
        """A maximum entropy classifier: a weight for each range of each feature."""
        try:
            from scipy.sparse import csr_matrix
            from sklearn.linear_model import LogisticRegression
        except ImportError:
            raise MissingExtra("training", "lab") from None
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
        """A conditional random field: CRFsuite's weights, each of content less that of the rest."""
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
        """CRFsuite's own file of a field."""
        try:
            import pycrfsuite
        except ImportError:
            raise MissingExtra("the conditional random field", "lab") from None
        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.set_params({"c2": self.strength, "max_iterations": self.steps, "feature.possible_transitions": True})
        for codes, content in rows:
            trainer.append(attributes(codes, ranges), [_CONTENT if one else _OTHER for one in content.tolist()])
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "field.crf"
            trainer.train(str(file))
            return file.read_bytes()


def attributes(codes: Ints, ranges: Ranges) -> list[list[str]]:
    """What CRFsuite is told of each block: one attribute for each feature, but for those in the lowest range."""
    names = np.array([[f"{feature}:{number}" for number in range(ranges.count)] for feature in range(codes.shape[1])])
    told = names[np.arange(codes.shape[1]), codes]
    return [[_ALWAYS, *line[held].tolist()] for line, held in zip(told, codes > 0, strict=True)]


def of_file(model: bytes) -> Any:
    """What CRFsuite says of its own file."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    return tagger.info()
