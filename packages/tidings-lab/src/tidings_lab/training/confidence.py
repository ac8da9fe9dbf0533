"""Training of the default extractor's confidence: the expected word F1 of a result, from a few signals.

It is a logistic regression whose target is the F1 of each page, which lies between 0 and 1 like a probability. A weight
of the wrong sign (a shorter text that would be surer) is due to chance and is set to 0. Scores are measured on sites
that were not trained on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Chart, Series, draw_all
from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings.extractors.learned.confidence import SIGNALS, ConfidenceSignals
from tidings.extractors.learned.stages import ARTICLE
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.metrics.page_scores import text_score
from tidings_lab.tables import Table
from tidings_lab.training.regression import regression
from tidings_lab.training.trainers import TrainingOrder
from tidings_lab.training.unseen_pages import FOLDS, unseen

Floats = NDArray[np.float64]
#: The allowed sign of each signal's weight.
_SIGNS: Final = dict(zip(SIGNALS, (1, 1, 1, -1, -1), strict=True))
BINS: Final = 10
#: Subtracted from the log-odds of articles: 0.93 becomes 0.9. So about 1 % of the pages with a confidence of 0.9 or
#: more have a word F1 below 0.7 (four folds, three seeds).
_CAUTION: Final = 0.4


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """The confidence signals of an extracted page, and the word F1 of the result."""

    site: str
    is_article: bool  # the predicted kind
    signals: ConfidenceSignals
    f1: float


def learn(pages: Sequence[JudgedPage]) -> dict[str, Any]:
    """Train weights, means and spreads of confidence signals, in the format of the model file."""
    rows, f1 = _rows(pages)
    means, spreads = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-3)
    used = np.ones(len(SIGNALS), np.bool_)
    weights = np.zeros(len(SIGNALS))
    bias = 0.0
    signs = np.array([_SIGNS[name] for name in SIGNALS])
    while True:
        bias, coefficients = regression(rows[:, used] - means[used], f1)
        weights[:] = 0
        weights[used] = coefficients
        has_wrong_sign = used & (weights * signs < 0)
        if not has_wrong_sign.any():
            break
        used &= ~has_wrong_sign
    named = (dict(zip(SIGNALS, column.round(4).tolist(), strict=True)) for column in (weights, means, spreads))
    return {"bias": round(bias, 4), **dict(zip(("weights", "means", "spreads"), named, strict=True))}


def expected(learned: dict[str, Any], pages: Sequence[JudgedPage]) -> Floats:
    """Return the expected F1 of each page."""
    rows, _ = _rows(pages)
    weights, means = (np.array([learned[name][signal] for signal in SIGNALS]) for name in ("weights", "means"))
    return np.asarray(1 / (1 + np.exp(-(learned["bias"] + (rows - means) @ weights))))


def calibration_error(confidence: Floats, f1: Floats) -> float:
    """Return the mean distance of confidence and F1 by tenths of confidence (expected calibration error)."""
    return sum(share * abs(predicted - actual) for _, share, predicted, actual in bins(confidence, f1))


def bins(confidence: Floats, f1: Floats) -> list[tuple[int, float, float, float]]:
    """Return for each tenth of confidence with pages: its index, the share of pages, mean confidence, mean F1."""
    tenth = np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
    return [
        (index, float(inside.mean()), float(confidence[inside].mean()), float(f1[inside].mean()))
        for index in range(BINS)
        if (inside := tenth == index).any()
    ]


def reliability(groups: dict[str, tuple[Floats, Floats]]) -> Chart:
    """Draw mean F1 against confidence; a perfectly calibrated model is on the diagonal."""
    places = tuple((index + 0.5) / BINS for index in range(BINS))
    drawn = [Series("as it says", places)]
    for name, (confidence, f1) in groups.items():
        mean_f1 = {index: got for index, _, _, got in bins(confidence, f1)}
        drawn.append(Series(name, tuple(mean_f1.get(index) for index in range(BINS))))
    return Chart("confidence", "What confidence is worth", "confidence", "word F1", places, tuple(drawn))


def _rows(pages: Sequence[JudgedPage]) -> tuple[Floats, Floats]:
    return np.array([page.signals for page in pages], np.float64), np.array([page.f1 for page in pages])


def train(order: TrainingOrder) -> Table:
    """Train the confidence for articles and for other kinds; return the calibration on unseen sites.

    The models for unseen sites are trained first, unless they are in the job's folder; they get its settings. The
    setting `models` names a folder of `tidings lab train default --folds N`.

    Raises:
        InputError: the named folder contains no models, or there are too few pages of a kind.
    """
    # Incomplete ground truth does not show the quality of a result.
    pages = [page for _, page in unseen(order, judge, lambda sample: not sample.is_partial) if page is not None]
    learned, drawn, rows = {}, {}, []
    for name in ("article", "other"):
        members = [page for page in pages if page.is_article == (name == ARTICLE)]
        if len(members) < 2 * FOLDS:
            raise InputError(f"there are only {len(members)} pages of the kind {name!r} to learn from")
        learned[name] = learn(members)
        confidence, f1 = np.zeros(len(members)), np.array([page.f1 for page in members])
        fold = np.array([fold_of(f"confidence {page.site}", FOLDS) for page in members])
        for out in range(FOLDS):
            inside = [page for page, own in zip(members, fold, strict=True) if own != out]
            outside = [page for page, own in zip(members, fold, strict=True) if own == out]
            if inside and outside:
                confidence[fold == out] = expected(learn(inside), outside)
        drawn[name] = confidence, f1
        rows.append((name, len(members), float(f1.mean()), float(confidence.mean()), calibration_error(confidence, f1)))
    learned[ARTICLE]["bias"] = round(learned[ARTICLE]["bias"] - _CAUTION, 4)
    order.out.write_text(json.dumps(learned, indent=2) + "\n", encoding="utf-8")
    draw_all([replace(reliability(drawn), name=order.out.stem)], order.out.parent)
    columns = ("taken for", "pages", "word F1", "confidence", "calibration error")
    return Table("Confidence on sites that it was not learned from", columns, tuple(rows))


def judge(sample: Sample, model: str) -> JudgedPage | None:
    """Return the signals and score of a page; None if the model finds nothing."""
    page = Page(sample.html, sample.url)
    decision, signals = Learned(model=model).judged(page)
    score = text_score(sample, decision.spans.text(page), "")
    return (
        None
        if score is None or signals is None
        else JudgedPage(sample.site, decision.kind == ARTICLE, signals, score.f1)
    )
