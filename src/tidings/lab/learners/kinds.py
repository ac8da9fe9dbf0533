"""Learning to tell kinds of pages apart: a logistic regression over words and figures of whole pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from tidings.errors import InputError, MissingExtra
from tidings.extractors.learned.hashed_words import hashed_words
from tidings.extractors.learned.kinds import Kinds, page_figures
from tidings.lab.learners.lesson import Labelled
from tidings.page.counts import code_points

_LEAST_SITES: Final = 5
#: Strength of the pull towards zero, from a sweep by folds grouped by site on wcxb-dev.
_STRENGTH: Final = 0.02


def learn_kinds(pages: Sequence[Labelled]) -> Kinds:
    """Learn from pages whose kind is known.

    Raises:
        InputError: they are all of one kind.
    """
    try:
        from scipy.sparse import csr_matrix, hstack
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingExtra("training", "lab") from None
    kinds, words = [page.kind for page in pages], [page.page_words for page in pages]
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for page in pages:
        for word in page.page_words:
            holders[word].add(page.site)
    if len(set(kinds)) < 2:
        raise InputError("kinds of pages are learned from pages of two kinds or more")
    known = sorted(
        word
        for word, found in holders.items()
        if len(found) >= _LEAST_SITES and not word.isdigit() and len(hashed_words(code_points(word)).number) == 1
    )
    column = {word: number for number, word in enumerate(known)}
    indices: list[int] = []
    bounds = [0]
    for bag in words:
        indices += sorted({column[word] for word in bag if word in column})
        bounds.append(len(indices))
    held = csr_matrix((np.ones(len(indices)), indices, bounds), shape=(len(words), len(known)))
    told = np.array([page_figures(page.counts, page.words, page.links) for page in pages])
    centre, scale = told.mean(axis=0), np.maximum(told.std(axis=0), 1e-6)
    regression = LogisticRegression(C=_STRENGTH, max_iter=2000)
    regression.fit(hstack([held, csr_matrix((told - centre) / scale)]).tocsr(), np.array(kinds))
    weights, bias = regression.coef_.T, regression.intercept_
    if len(bias) == 1:  # of two kinds the regression has weights for the second only
        weights, bias = np.hstack((-weights, weights)) / 2, np.append(-bias, bias) / 2
    return Kinds.of_arrays(
        {
            "kinds.kinds": regression.classes_,
            "kinds.word": np.array(known),
            "kinds.weight": weights[: len(known)].astype(np.float32),
            "kinds.centre": centre,
            "kinds.scale": scale,
            "kinds.figure": weights[len(known) :],
            "kinds.bias": bias,
        }
    )
