"""What `tidings lab train` can train: names, and the modules that do it.

A trainer is a module with a function `train(order) -> Table | None`: it learns from the samples, writes one portable
file to `order.out`, and, where the order asks for folds, gives what was measured on sites that were not learned from.
Modules are imported when they are asked for, as some need large libraries. A new trainer is one line here.

Samples of a corpus as lessons for the learners, which know nothing of corpora.

Training on corpora, and measuring what was trained on sites it has not seen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from tidings.errors import InputError, did_you_mean
from tidings.extractors.learned import Learned
from tidings.page import Page
from tidings.processes import results
from tidings_lab.corpora import Sample, load
from tidings_lab.learners.default import Training, folds_of
from tidings_lab.learners.lesson import GoldPage
from tidings_lab.metrics.texts import lcs_score, word_score
from tidings_lab.tables import Table

#: What a page whose gold is not whole counts among the others.
_OF_PARTIAL: Final = 0.2


def lessons(samples: Sequence[Sample]) -> list[GoldPage]:
    """Samples as lessons."""
    return [
        GoldPage(one.html, one.url, one.site, one.gold["text"], one.page_type, _OF_PARTIAL if one.is_partial else 1.0)
        for one in samples
    ]


Told = Callable[[str], None]
Learner = TypeVar("Learner")


@dataclass(frozen=True, slots=True)
class TrainingOrder:
    """What is to be trained: from which pages, into which file, measured by how many folds (0: not measured)."""

    samples: Sequence[Sample]
    out: Path
    folds: int = 0
    jobs: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)  # of the learner, as `--set NAME=VALUE` has them
    told: Told = lambda _: None  # what is being done now

    @property
    def folder(self) -> Path:
        """Where models that have not seen a fold of sites are kept."""
        return self.out.with_suffix(".folds")


Trainer = Callable[[TrainingOrder], Table | None]

#: Every trainer: its name and its module, with the function where it is not called `train`.
TRAINERS: Final[Mapping[str, str]] = {
    "default": "tidings_lab.trainers",
    "confidence": "tidings_lab.train_confidence",
    "outline": "tidings_lab.train_confidence:train_outline",
    "block-tree": "tidings_lab.train_published:block_tree",
    "memory-based": "tidings_lab.train_published:memory_based",
    "mss": "tidings_lab.train_published:mss",
    "shallow-tree": "tidings_lab.train_published:shallow_tree",
    "shallow-svm": "tidings_lab.train_published:shallow_svm",
    "crf": "tidings_lab.train_published:crf",
    "maxent": "tidings_lab.train_published:maxent",
    "memm": "tidings_lab.train_published:memm",
    "content-seeker-learned": "tidings_lab.train_published:content_seeker",
    "correlation-clustering": "tidings_lab.train_published:correlation_clustering",
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

    A setting of a part that is a dataclass itself is named with a dot, as in `first.trees`.

    Raises:
        InputError: it has no such setting, or the value is not of its kind.
    """
    now: dict[str, Any] = {one.name: getattr(learner, one.name) for one in dataclasses.fields(cast("Any", learner))}
    changes: dict[str, Any] = {}
    for name, value in settings.items():
        key, _, inner = name.replace("-", "_").partition(".")
        if key not in now or dataclasses.is_dataclass(now[key]) != bool(inner):
            raise InputError(f"there is no setting {name!r}; {did_you_mean(name, tuple(_named(learner)))}")
        part = changes.get(key, now[key])
        changes[key] = with_settings(part, {inner: value}) if inner else _read(name, value, part)
    return dataclasses.replace(cast("Any", learner), **changes)  # type: ignore[no-any-return]  # of the class it had


def _named(learner: object) -> Iterator[str]:
    """The settings of a learner and of its parts, as they are written."""
    for one in dataclasses.fields(cast("Any", learner)):
        part = getattr(learner, one.name)
        yield from (f"{one.name}.{inner}" for inner in _named(part)) if dataclasses.is_dataclass(part) else (one.name,)


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


@dataclass(frozen=True, slots=True)
class Scored:
    """One page read by a model that has not seen its site."""

    id: str
    corpus: str
    kind: str
    language: str
    word_f1: float
    lcs_f1: float
    found_kind: str
    confidence: float
    shipped_f1: float  # word F1 of the model that ships


def train(order: TrainingOrder) -> Table | None:
    """The default extractor's model, and where folds are asked for what it reads on sites it has not seen."""
    training = with_settings(Training(jobs=order.jobs), order.settings)
    training.run(lessons(order.samples), order.told).save(order.out)
    if not order.folds:
        return None
    return table(cross_validate(order.samples, training, order.folder, order.folds, order.told))


def table(scored: Sequence[Scored]) -> Table:
    """A row for each corpus, and for each kind of page in it."""
    rows = []
    for name, kind in sorted({(page.corpus, kind) for page in scored for kind in ("", page.kind)}):
        pages = [page for page in scored if page.corpus == name and kind in ("", page.kind)]
        figures = (
            sum(page.word_f1 for page in pages) / len(pages),
            sum(page.shipped_f1 for page in pages) / len(pages),
            sum(page.word_f1 - page.shipped_f1 for page in pages) / len(pages),
            sum(page.lcs_f1 for page in pages) / len(pages),
            sum(page.found_kind == page.kind for page in pages) / len(pages),
        )
        rows.append((name, kind or "all", len(pages), *figures))
    columns = ("corpus", "kind", "pages", "word F1", "shipped model", "gain", "token-LCS F1", "kind right")
    return Table("Measured on sites that were not learned from", columns, tuple(rows))


def samples_of(corpora: Sequence[str]) -> list[Sample]:
    """Pages with gold text of corpora named as `DIR`, or as `DIR#NAME` for one part of a mixed one.

    Pages that are for measuring only are left out, as the studies leave them out.

    Raises:
        InputError: a folder is no corpus, has no such part, or nothing in it may be learned from.
    """
    found: list[Sample] = []
    for corpus in corpora:
        folder, _, part = corpus.partition("#")
        pages = [page for page in load(Path(folder)) if part in ("", page.corpus)]
        if not pages:
            raise InputError(f"{corpus} has no pages with gold text")
        allowed = [page for page in pages if page.may_teach]
        if not allowed:
            raise InputError(f"{corpus} is for measuring only: none of its {len(pages)} pages may be learned from")
        found += allowed
    return found


def cross_validate(samples: Sequence[Sample], training: Training, folder: Path, folds: int, told: Told) -> list[Scored]:
    """Train without each fold of sites in turn, and read its pages with that model; the models stay in the folder."""
    scored: list[Scored] = []
    fold = folds_of([page.site for page in samples], folds)
    for out, path in enumerate(fold_models(samples, training, folder, folds, told)):
        outside = [page for page, own in zip(samples, fold, strict=True) if own == out]
        told(f"fold {out + 1}: reading {len(outside)} pages of other sites")
        scored += results(partial(score, model=str(path)), outside, training.jobs)
    return scored


def fold_models(samples: Sequence[Sample], training: Training, folder: Path, folds: int, told: Told) -> Iterator[Path]:
    """For each fold of sites a model that has not seen it; those that stand in the folder are not trained again."""
    folder.mkdir(exist_ok=True)
    fold = folds_of([page.site for page in samples], folds)
    for out in range(folds):
        path = folder / f"without-fold-{out}.npz"
        if not path.exists():
            inside = [page for page, own in zip(samples, fold, strict=True) if own != out]
            training.run(lessons(inside), partial(_tell, told, out)).save(path)
        yield path


def _tell(told: Told, out: int, step: str) -> None:
    told(f"fold {out + 1}: {step}")


def score(sample: Sample, model: str) -> Scored:
    """How well a model reads a page."""
    page = Page(sample.html, sample.url)
    found = Learned(model=model).decide(page)
    text, gold = found.spans.text(page), sample.gold["text"]
    return Scored(
        sample.id,
        sample.corpus,
        sample.page_type,
        sample.lang,
        word_score(text, gold).f1,
        lcs_score(text, gold).f1,
        found.kind,
        found.confidence,
        word_score(Learned()(page).text(page), gold).f1,
    )
