"""Training of the outline classifier: articles against lists and collections."""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings.extractors.learned.outline import OUTLINE, OutlineSignals, read_story_odds
from tidings.extractors.learned.stages import ARTICLE
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.tables import Table
from tidings_lab.training.regression import regression
from tidings_lab.training.trainers import TrainingOrder
from tidings_lab.training.unseen_pages import FOLDS, unseen

Floats = NDArray[np.float64]
#: Page types without a story, whatever their ground truth is.
_LISTS: Final = frozenset({"listing", "collection", "front"})


def train_outline(order: TrainingOrder) -> Table:
    """Train the weights of outline signals; return how many pages of unseen sites would be taken for lists.

    The models for unseen sites are those of `confidence.train`.

    Raises:
        InputError: the named folder contains no models, or there are no lists or no articles among the pages.
    """
    judged = [
        (sample, signals)
        for sample, signals in unseen(order, outlined, lambda sample: sample.page_type in {ARTICLE, *_LISTS})
        if signals is not None
    ]
    rows = np.array([signals for _, signals in judged], np.float64)
    is_list = np.array([sample.page_type in _LISTS for sample, _ in judged], np.float64)
    if not is_list.any() or is_list.all():
        raise InputError("an outline is learned from articles and from lists (page_type listing, collection, front)")
    order.out.write_text(json.dumps(_outline(rows, is_list), indent=2) + "\n", encoding="utf-8")
    fold = np.array([fold_of(f"outline {sample.site}", FOLDS) for sample, _ in judged])
    probability = np.zeros(len(judged))
    for out in range(FOLDS):
        learned = read_story_odds(json.dumps(_outline(rows[fold != out], is_list[fold != out])))
        for place in np.flatnonzero(fold == out).tolist():
            probability[place] = learned.against(judged[place][1])
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
    """Train the weights of outline signals on standardised values, in the format of the model file."""
    means, spreads = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-3)
    bias, weights = regression((rows - means) / spreads, is_list)
    weights = weights / spreads
    named = dict(zip(OUTLINE, weights.round(4).tolist(), strict=True))
    return {"bias": round(bias - float(weights @ means), 4), "weights": named}


def outlined(sample: Sample, model: str) -> OutlineSignals | None:
    """Return the outline signals of a page; None if the model selects nothing."""
    return Learned(model=model).outlined(Page(sample.html, sample.url))
