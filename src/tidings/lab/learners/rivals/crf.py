"""A conditional random field over the blocks of a page in their order (python-crfsuite).

Lafferty, McCallum and Pereira 2001; for main content Spousta, Marek and Pecina 2008 (Victor) and Gibson, Wellner and
Lubar 2007. It knows attributes that are there or not, so features are cut into ranges; and it weighs every block alike.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import MissingExtra
from tidings.lab.learners.rivals.taught import Chances, Rows, TaughtPage, check, draw

_CONTENT, _OTHER = "1", "0"
_ALWAYS: Final = "always"  # an attribute of every block, for how common content is


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """The borders at which each feature is cut, and the range most blocks are in, which goes without saying."""

    borders: tuple[Rows, ...]
    common: NDArray[np.int64]
    names: NDArray[np.str_]  # features × ranges

    @classmethod
    def of(cls, rows: Rows, ranges: int) -> Ranges:
        """Ranges that hold about equally many blocks; blocks are rows."""
        shares = np.arange(1, ranges) / ranges
        borders = tuple(np.unique(np.quantile(column, shares).astype(np.float32)) for column in rows.T)
        common = np.array(
            [
                np.argmax(np.bincount(np.searchsorted(cut, column), minlength=ranges))
                for cut, column in zip(borders, rows.T, strict=True)
            ]
        )
        names = np.array([[f"{feature}:{number}" for number in range(ranges)] for feature in range(len(borders))])
        return cls(borders, common, names)

    def __call__(self, rows: Rows) -> list[list[str]]:
        """The attributes of each block of a page; features are rows."""
        found = np.stack([np.searchsorted(cut, row) for cut, row in zip(self.borders, rows, strict=True)], axis=1)
        told = found != self.common
        names = self.names[np.arange(len(self.borders)), found]
        return [[_ALWAYS, *line[held].tolist()] for line, held in zip(names, told, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class CrfJudge:
    """A trained field."""

    ranges: Ranges
    model: bytes
    tagger: Any  # pycrfsuite.Tagger, reading the model

    @property
    def size(self) -> int:
        """The file that CRFsuite writes."""
        return len(self.model)

    def chances(self, rows: Rows, /) -> Chances:
        """For each block the chance over all ways to label the page."""
        if not rows.shape[1]:
            return np.zeros(0)
        self.tagger.set(self.ranges(rows))
        return np.array([self.tagger.marginal(_CONTENT, place) for place in range(rows.shape[1])], np.float64)


@dataclass(frozen=True, slots=True)
class Crf:
    """The learner."""

    ranges: int = 5
    strength: float = 1.0  # of the pull towards zero
    steps: int = 60

    def fit(self, pages: Sequence[TaughtPage], /) -> CrfJudge:
        """A field from whole pages."""
        try:
            import pycrfsuite
        except ImportError:
            raise MissingExtra("the conditional random field", "lab") from None
        check(pages)
        ranges = Ranges.of(draw(pages).rows, self.ranges)
        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.set_params({"c2": self.strength, "max_iterations": self.steps, "feature.possible_transitions": True})
        for page in pages:
            if len(page.content):
                trainer.append(ranges(page.rows), [_CONTENT if one else _OTHER for one in page.content.tolist()])
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "field.crf"
            trainer.train(str(file))
            model = file.read_bytes()
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(model)
        return CrfJudge(ranges, model, tagger)
