"""Learning what the default's confidence is worth: the word F1 that its answers have, from a few signals.

And whether what looks like an article tells a story at all: articles against lists and collections, by their outlines.

A logistic regression whose target is the F1 of each page, which lies between 0 and 1 as a chance does. A weight of the
wrong sign (shorter texts that would be surer) is chance at work, and is left out. It is measured on sites that it was
not learned from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Chart, Series, draw_all
from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings.extractors.learned.confidence import SIGNALS, ConfidenceSignals
from tidings.extractors.learned.outline import OUTLINE, OutlineSignals, read_story_odds
from tidings.extractors.learned.stages import ARTICLE
from tidings.page import Page
from tidings.processes import results
from tidings_lab.corpora import Sample
from tidings_lab.learners.default import Training, fold_of
from tidings_lab.metrics.page_scores import text_score
from tidings_lab.tables import Table
from tidings_lab.trainers import TrainingOrder, fold_models, with_settings

Floats = NDArray[np.float64]
Answer = TypeVar("Answer")

#: Which way each signal may speak for a choice.
_SIGNS: Final = dict(zip(SIGNALS, (1, 1, 1, -1, -1), strict=True))
_RIDGE: Final = 2.0
_STEPS: Final = 60
BINS: Final = 10


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """What was known of an answer, and what it was worth."""

    site: str
    is_article: bool  # what the page was taken for
    signals: ConfidenceSignals
    f1: float


def learn(pages: Sequence[JudgedPage]) -> dict[str, Any]:
    """Weights, means and spreads of the signals, as the file has them."""
    rows, f1 = _rows(pages)
    means, spreads = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-3)
    used = np.ones(len(SIGNALS), np.bool_)
    weights = np.zeros(len(SIGNALS))
    bias = 0.0
    signs = np.array([_SIGNS[name] for name in SIGNALS])
    while True:
        bias, found = _regression(rows[:, used] - means[used], f1)
        weights[:] = 0
        weights[used] = found
        wrong = used & (weights * signs < 0)
        if not wrong.any():
            break
        used &= ~wrong
    named = (dict(zip(SIGNALS, column.round(4).tolist(), strict=True)) for column in (weights, means, spreads))
    return {"bias": round(bias, 4), **dict(zip(("weights", "means", "spreads"), named, strict=True))}


def expected(learned: dict[str, Any], pages: Sequence[JudgedPage]) -> Floats:
    """The F1 that is to be expected of each page."""
    rows, _ = _rows(pages)
    weights, means = (np.array([learned[name][signal] for signal in SIGNALS]) for name in ("weights", "means"))
    return np.asarray(1 / (1 + np.exp(-(learned["bias"] + (rows - means) @ weights))))


def calibration_error(confidence: Floats, f1: Floats) -> float:
    """The mean distance of confidence and F1, by tenths of confidence (expected calibration error)."""
    return sum(share * abs(told - got) for _, share, told, got in bins(confidence, f1))


def bins(confidence: Floats, f1: Floats) -> list[tuple[int, float, float, float]]:
    """For each tenth of confidence that has pages: its number, the share of pages, mean confidence, mean F1."""
    tenth = np.minimum((confidence * BINS).astype(np.int64), BINS - 1)
    return [
        (one, float(inside.mean()), float(confidence[inside].mean()), float(f1[inside].mean()))
        for one in range(BINS)
        if (inside := tenth == one).any()
    ]


def reliability(groups: dict[str, tuple[Floats, Floats]]) -> Chart:
    """Confidence along the bottom, the F1 of such pages upwards; on the diagonal it is what it says."""
    places = tuple((one + 0.5) / BINS for one in range(BINS))
    drawn = [Series("as it says", places)]
    for name, (confidence, f1) in groups.items():
        found = {one: got for one, _, _, got in bins(confidence, f1)}
        drawn.append(Series(name, tuple(found.get(one) for one in range(BINS))))
    return Chart("confidence", "What confidence is worth", "confidence", "word F1", places, tuple(drawn))


def _rows(pages: Sequence[JudgedPage]) -> tuple[Floats, Floats]:
    return np.array([page.signals for page in pages], np.float64), np.array([page.f1 for page in pages])


def _regression(rows: Floats, f1: Floats) -> tuple[float, Floats]:
    """Newton's method on the likelihood, weights drawn a little towards zero."""
    told = np.column_stack((np.ones(len(rows)), rows))
    pull = np.diag([1e-6, *[_RIDGE] * rows.shape[1]])
    weights = np.zeros(told.shape[1])
    for _ in range(_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(told @ weights, -30, 30)))
        slope = told.T @ (f1 - probability) - pull @ weights
        weights += np.linalg.solve((told * (probability * (1 - probability))[:, None]).T @ told + pull, slope)
    return float(weights[0]), weights[1:]


#: Pages that tell no story, whatever is in their gold.
_LISTS: Final = frozenset({"listing", "collection"})
#: Of sites, to read pages by models that have not seen them, and to measure what was learned.
_FOLDS: Final = 4


def train(order: TrainingOrder) -> Table:
    """What signals weigh, for articles and for other kinds; and how far confidence is from F1 on other sites.

    The models that have not seen a fold of sites are trained first, unless they stand in the order's folder; its
    settings are theirs. With the setting `models` they are those that `tidings lab train default --folds N` left.

    Raises:
        InputError: there are no models in the folder that was named, or too few pages of a kind.
    """
    # A page whose gold is not whole says nothing of the answer.
    pages = [page for _, page in _unseen(order, judge, lambda sample: not sample.is_partial) if page is not None]
    learned, drawn, rows = {}, {}, []
    for name in ("article", "other"):
        some = [page for page in pages if page.is_article == (name == ARTICLE)]
        if len(some) < 2 * _FOLDS:
            raise InputError(f"there are only {len(some)} pages of the kind {name!r} to learn from")
        learned[name] = learn(some)
        confidence, f1 = np.zeros(len(some)), np.array([page.f1 for page in some])
        fold = np.array([fold_of(f"confidence {page.site}", _FOLDS) for page in some])
        for out in range(_FOLDS):
            inside = [page for page, own in zip(some, fold, strict=True) if own != out]
            outside = [page for page, own in zip(some, fold, strict=True) if own == out]
            if inside and outside:
                confidence[fold == out] = expected(learn(inside), outside)
        drawn[name] = confidence, f1
        rows.append((name, len(some), float(f1.mean()), float(confidence.mean()), calibration_error(confidence, f1)))
    order.out.write_text(json.dumps(learned, indent=2) + "\n", encoding="utf-8")
    draw_all([replace(reliability(drawn), name=order.out.stem)], order.out.parent)
    columns = ("taken for", "pages", "word F1", "confidence", "calibration error")
    return Table("Confidence on sites that it was not learned from", columns, tuple(rows))


def _unseen(
    order: TrainingOrder, asked: Callable[..., Answer], is_wanted: Callable[[Sample], bool]
) -> Iterator[tuple[Sample, Answer]]:
    """Samples, with what is asked of each of a model that has not seen its site."""
    settings = dict(order.settings)
    named = settings.pop("models", "")
    folder = Path(named) if named else order.folder
    folds = len(list(folder.glob("without-fold-*.npz"))) if named else order.folds or _FOLDS
    if not folds:
        raise InputError(f"there are no models in {named}: `tidings lab train default --folds` leaves some")
    training = with_settings(Training(jobs=order.jobs), settings)
    wanted = [sample for sample in order.samples if is_wanted(sample)]
    for out, model in enumerate(fold_models(order.samples, training, folder, folds, order.told)):
        order.told(f"reading the pages that {model.name} has not seen")
        unseen = [sample for sample in wanted if fold_of(sample.site, folds) == out]
        yield from zip(unseen, results(partial(asked, model=str(model)), unseen, order.jobs), strict=True)


def train_outline(order: TrainingOrder) -> Table:
    """What signals of outlines weigh against a story; and how many pages would be told on other sites.

    The models are those of `train`.

    Raises:
        InputError: there are no models in the folder that was named, or no lists or no articles among the pages.
    """
    told = [
        (sample, signals)
        for sample, signals in _unseen(order, outlined, lambda sample: sample.page_type in {ARTICLE, *_LISTS})
        if signals is not None
    ]
    rows = np.array([signals for _, signals in told], np.float64)
    is_list = np.array([sample.page_type in _LISTS for sample, _ in told], np.float64)
    if not is_list.any() or is_list.all():
        raise InputError("an outline is learned from articles and from lists (page_type listing, collection)")
    order.out.write_text(json.dumps(_outline(rows, is_list), indent=2) + "\n", encoding="utf-8")
    fold = np.array([fold_of(f"outline {sample.site}", _FOLDS) for sample, _ in told])
    probability = np.zeros(len(told))
    for out in range(_FOLDS):
        learned = read_story_odds(json.dumps(_outline(rows[fold != out], is_list[fold != out])))
        for place in np.flatnonzero(fold == out).tolist():
            probability[place] = learned.against(told[place][1])
    columns = ("doubted from", "lists", "of", "articles", "of all")
    counts = [
        (
            border,
            int(((probability >= border) & (is_list > 0)).sum()),
            int(is_list.sum()),
            int(((probability >= border) & (is_list == 0)).sum()),
            int((is_list == 0).sum()),
        )
        for border in (0.5, 0.75, 0.9)
    ]
    return Table("Outlines without a story, on sites that it was not learned from", columns, tuple(counts))


def _outline(rows: Floats, is_list: Floats) -> dict[str, Any]:
    """What the signals of outlines weigh, as the file has it; each counts by its spread while it is learned."""
    means, spreads = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-3)
    bias, weights = _regression((rows - means) / spreads, is_list)
    weights = weights / spreads
    named = dict(zip(OUTLINE, weights.round(4).tolist(), strict=True))
    return {"bias": round(bias - float(weights @ means), 4), "weights": named}


def outlined(sample: Sample, model: str) -> OutlineSignals | None:
    """The outline of a page as a model reads it; None where it finds nothing."""
    return Learned(model=model).outlined(Page(sample.html, sample.url))


def judge(sample: Sample, model: str) -> JudgedPage | None:
    """A page read by a model; None where it finds nothing."""
    page = Page(sample.html, sample.url)
    found, signals = Learned(model=model).judged(page)
    score = text_score(sample, found.spans.text(page), "")
    return (
        None if score is None or signals is None else JudgedPage(sample.site, found.kind == ARTICLE, signals, score.f1)
    )
