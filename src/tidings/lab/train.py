"""Training on corpora, and measuring what was trained on sites it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings.lab.corpora import Sample, load
from tidings.lab.metrics import lcs_score, word_score
from tidings.learn.default import Training, fold_of
from tidings.learn.lesson import Lesson
from tidings.learn.parallel import parallel
from tidings.page import Page

Told = Callable[[str], None]


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


def samples_of(corpora: Sequence[str]) -> list[Sample]:
    """Pages with gold text of corpora named as `DIR`, or as `DIR#NAME` for one part of a mixed one.

    Raises:
        InputError: a folder is no corpus, or has no such part.
    """
    found: list[Sample] = []
    for corpus in corpora:
        folder, _, part = corpus.partition("#")
        pages = [page for page in load(Path(folder)) if part in ("", page.corpus)]
        if not pages:
            raise InputError(f"{corpus} has no pages with gold text")
        found += pages
    return found


def lessons(samples: Sequence[Sample]) -> list[Lesson]:
    """Samples as lessons."""
    return [Lesson(one.html, one.url, one.site, one.gold["text"], one.page_type) for one in samples]


def cross_validate(samples: Sequence[Sample], training: Training, folder: Path, folds: int, told: Told) -> list[Scored]:
    """Train without each fold of sites in turn, and read its pages with that model; the models stay in the folder."""
    scored: list[Scored] = []
    for out in range(folds):
        path = folder / f"without-fold-{out}.npz"
        inside = [page for page in samples if fold_of(page.site, folds) != out]
        outside = [page for page in samples if fold_of(page.site, folds) == out]
        if not path.exists():
            training.run(lessons(inside), partial(_tell, told, out)).save(path)
        told(f"fold {out + 1}: reading {len(outside)} pages of other sites")
        scored += parallel(partial(score, model=str(path)), outside, training.jobs)
    return scored


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
    )
