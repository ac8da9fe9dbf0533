"""Training on corpora, and measuring what was trained on sites it has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings.lab.corpora import Sample, load
from tidings.lab.learners.default import Training, fold_of
from tidings.lab.learners.parallel import parallel
from tidings.lab.metrics import lcs_score, word_score
from tidings.lab.studies.tables import Table
from tidings.lab.trainers import Order, Told, lessons, with_settings
from tidings.page import Page


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


def train(order: Order) -> Table | None:
    """The default extractor's model, and where folds are asked for what it reads on sites it has not seen."""
    training = with_settings(Training(jobs=order.jobs), order.settings)
    training.run(lessons(order.samples), order.told).save(order.out)
    if not order.folds:
        return None
    folder = order.out.with_suffix(".folds")
    folder.mkdir(exist_ok=True)
    return table(cross_validate(order.samples, training, folder, order.folds, order.told))


def table(scored: Sequence[Scored]) -> Table:
    """A row for each corpus, and for each kind of page in it."""
    rows = []
    for name, kind in sorted({(page.corpus, kind) for page in scored for kind in ("", page.kind)}):
        pages = [page for page in scored if page.corpus == name and kind in ("", page.kind)]
        figures = (
            sum(page.word_f1 for page in pages) / len(pages),
            sum(page.lcs_f1 for page in pages) / len(pages),
            sum(page.found_kind == page.kind for page in pages) / len(pages),
        )
        rows.append((name, kind or "all", len(pages), *figures))
    columns = ("corpus", "kind", "pages", "word F1", "token-LCS F1", "kind right")
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
