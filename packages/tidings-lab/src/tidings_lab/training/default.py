"""Training of the default extractor, and its cross-validation by site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tidings.extractors.learned import Learned
from tidings.page import Page
from tidings.processes import results
from tidings_lab.corpora import Sample
from tidings_lab.learners.default import Training
from tidings_lab.learners.site_folds import folds_of
from tidings_lab.metrics.texts import lcs_score, word_score
from tidings_lab.tables import Table
from tidings_lab.training.samples import lessons
from tidings_lab.training.settings import with_settings
from tidings_lab.training.trainers import Report, TrainingOrder


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of a page, read by a model that was not trained on its site."""

    id: str
    corpus: str
    kind: str
    language: str
    word_f1: float
    lcs_f1: float
    found_kind: str
    confidence: float
    shipped_f1: float  # word F1 of the built-in model


def train(order: TrainingOrder) -> Table | None:
    """Train the model of the default extractor; with folds, return scores on unseen sites."""
    training = with_settings(Training(jobs=order.jobs), order.settings)
    training.run(lessons(order.samples), order.report).save(order.out)
    if not order.folds:
        return None
    return table(cross_validate(order.samples, training, order.folder, order.folds, order.report))


def table(scored: Sequence[Scored]) -> Table:
    """Return a row for each corpus, and for each kind of page in it."""
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


def cross_validate(
    samples: Sequence[Sample], training: Training, folder: Path, folds: int, report: Report
) -> list[Scored]:
    """Train without each fold of sites, and read the fold's pages with that model; the models stay in the folder."""
    scored: list[Scored] = []
    fold = folds_of([page.site for page in samples], folds)
    for out, path in enumerate(fold_models(samples, training, folder, folds, report)):
        outside = [page for page, own in zip(samples, fold, strict=True) if own == out and page.gold.get("text")]
        report(f"fold {out + 1}: reading {len(outside)} pages of other sites")
        scored += results(partial(score, model=str(path)), outside, training.jobs)
    return scored


def fold_models(
    samples: Sequence[Sample], training: Training, folder: Path, folds: int, report: Report
) -> Iterator[Path]:
    """Yield for each fold of sites a model that was not trained on it; existing models in the folder are reused."""
    folder.mkdir(exist_ok=True)
    fold = folds_of([page.site for page in samples], folds)
    for out in range(folds):
        path = folder / f"without-fold-{out}.npz"
        if not path.exists():
            inside = [page for page, own in zip(samples, fold, strict=True) if own != out]
            training.run(lessons(inside), partial(_tell, report, out)).save(path)
        yield path


def _tell(report: Report, out: int, step: str) -> None:
    report(f"fold {out + 1}: {step}")


def score(sample: Sample, model: str) -> Scored:
    """Return the scores of a model on a page."""
    page = Page(sample.html, sample.url)
    decision = Learned(model=model).decide(page)
    text, gold = decision.spans.text(page), sample.gold["text"]
    return Scored(
        sample.id,
        sample.corpus,
        sample.page_type,
        sample.lang,
        word_score(text, gold).f1,
        lcs_score(text, gold).f1,
        decision.kind,
        decision.confidence,
        word_score(Learned()(page).text(page), gold).f1,
    )
