"""The trainers of `tidings lab train`: names and modules.

A trainer is a function `train(order) -> Table | None`: it trains on the samples and writes one portable file to
`order.out`. If the order requests folds, it returns scores on sites that were not trained on. Modules are imported on
first use, because some need large libraries. A new trainer is one line in `TRAINERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from tidings.errors import InputError, did_you_mean
from tidings_lab.corpora import Sample
from tidings_lab.tables import Table

Report = Callable[[str], None]  # receives progress messages


@dataclass(frozen=True, slots=True)
class TrainingOrder:
    """A training job: samples, output file, and number of folds for cross-validation (0: none)."""

    samples: Sequence[Sample]
    out: Path
    folds: int = 0
    jobs: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)  # of the learner, from `--set NAME=VALUE`
    report: Report = lambda _: None

    @property
    def folder(self) -> Path:
        """Return the folder of cross-validation models."""
        return self.out.with_suffix(".folds")


Trainer = Callable[[TrainingOrder], Table | None]
#: All trainers: name and module, with the function if it is not `train`.
TRAINERS: Final[Mapping[str, str]] = {
    "default": "tidings_lab.training.default",
    "confidence": "tidings_lab.training.confidence",
    "outline": "tidings_lab.training.outline:train_outline",
    "block-tree": "tidings_lab.training.block_tree:block_tree",
    "memory-based": "tidings_lab.training.memory_based:memory_based",
    "mss": "tidings_lab.training.published:mss",
    "shallow-tree": "tidings_lab.training.published:shallow_tree",
    "shallow-svm": "tidings_lab.training.published:shallow_svm",
    "crf": "tidings_lab.training.published:crf",
    "maxent": "tidings_lab.training.published:maxent",
    "memm": "tidings_lab.training.published:memm",
    "content-seeker-learned": "tidings_lab.training.published:content_seeker",
    "correlation-clustering": "tidings_lab.training.published:correlation_clustering",
}


def trainer(name: str) -> Trainer:
    """Return the trainer with this name.

    Raises:
        InputError: there is none; the message lists the existing ones.
    """
    if name not in TRAINERS:
        raise InputError(f"there is nothing called {name!r} to train; {did_you_mean(name, tuple(TRAINERS))}")
    module, _, function = TRAINERS[name].partition(":")
    return cast("Trainer", getattr(import_module(module), function or "train"))
