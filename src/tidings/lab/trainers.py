"""What `tidings lab train` can train: names, and the modules that do it.

A trainer is a module with a function `train(order) -> Table | None`: it learns from the samples, writes one portable
file to `order.out`, and, where the order asks for folds, gives what was measured on sites that were not learned from.
Modules are imported when they are asked for, as some need large libraries. A new trainer is one line here.

Samples of a corpus as lessons for the learners, which know nothing of corpora.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from tidings.errors import InputError, did_you_mean
from tidings.lab.corpora import Sample
from tidings.lab.learners.lesson import Lesson
from tidings.lab.studies.tables import Table


def lessons(samples: Sequence[Sample]) -> list[Lesson]:
    """Samples as lessons."""
    return [Lesson(one.html, one.url, one.site, one.gold["text"], one.page_type) for one in samples]


Told = Callable[[str], None]
Learner = TypeVar("Learner")


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be trained: from which pages, into which file, measured by how many folds (0: not measured)."""

    samples: Sequence[Sample]
    out: Path
    folds: int = 0
    jobs: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)  # of the learner, as `--set NAME=VALUE` has them
    told: Told = lambda _: None  # what is being done now


Trainer = Callable[[Order], Table | None]

#: Every trainer: its name and its module, with the function where it is not called `train`.
TRAINERS: Final[Mapping[str, str]] = {
    "default": "tidings.lab.train",
    "block-tree": "tidings.lab.train_block_tree",
    "memory-based": "tidings.lab.train_memory_based",
    "mss": "tidings.lab.train_published:mss",
    "shallow-tree": "tidings.lab.train_published:shallow_tree",
    "shallow-svm": "tidings.lab.train_published:shallow_svm",
    "crf": "tidings.lab.train_published:crf",
    "maxent": "tidings.lab.train_published:maxent",
    "memm": "tidings.lab.train_published:memm",
    "content-seeker-learned": "tidings.lab.train_published:content_seeker",
    "correlation-clustering": "tidings.lab.train_published:correlation_clustering",
}


def trainer(name: str) -> Trainer:
    """The trainer of that name.

    Raises:
        InputError: there is none; the message says which there are.
    """
    if name not in TRAINERS:
        raise InputError(f"there is nothing called {name!r} to train; {did_you_mean(name, tuple(TRAINERS))}")
    module, _, function = TRAINERS[name].partition(":")
    return cast("Trainer", getattr(import_module(module), function or "train"))


def with_settings(learner: Learner, settings: Mapping[str, str]) -> Learner:
    """A learner, which is a dataclass, with other settings: numbers, words, true or false, members of enums.

    Raises:
        InputError: it has no such setting, or the value is not of its kind.
    """
    now: dict[str, Any] = {one.name: getattr(learner, one.name) for one in dataclasses.fields(cast("Any", learner))}
    changes: dict[str, Any] = {}
    for name, value in settings.items():
        key = name.replace("-", "_")
        if key not in now:
            raise InputError(f"there is no setting {name!r}; {did_you_mean(name, tuple(now))}")
        changes[key] = _read(name, value, now[key])
    return dataclasses.replace(cast("Any", learner), **changes)  # type: ignore[no-any-return]  # of the class it had


def _read(name: str, value: str, now: object) -> object:
    if isinstance(now, Enum):
        choices = {member.name.lower().replace("_", "-"): member for member in type(now)}
        if value.lower() not in choices:
            raise InputError(f"{name} is one of {', '.join(choices)}, not {value!r}")
        return choices[value.lower()]
    if isinstance(now, bool):
        if value.lower() not in ("true", "false"):
            raise InputError(f"{name} is true or false, not {value!r}")
        return value.lower() == "true"
    try:
        return type(now)(value) if isinstance(now, int | float) else value
    except ValueError:
        raise InputError(f"{name} is a number, not {value!r}") from None
