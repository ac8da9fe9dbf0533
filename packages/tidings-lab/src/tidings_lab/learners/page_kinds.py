"""Training of the classifier of page kinds: a logistic regression over words and figures of whole pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from tidings.errors import needs
from tidings.extractors.hashed_words import hashed_words
from tidings.extractors.learned.kinds import Kinds
from tidings.extractors.learned.model import shipped
from tidings.page.counts import code_points
from tidings_lab.learners.labelled_pages import Labelled

_LEAST_SITES: Final = 5
#: The least number of training pages.
FEWEST_PAGES: Final = 10
#: The inverse regularisation, from a sweep with cross-validation by site on wcxb-dev.
_STRENGTH: Final = 0.02


def learn_kinds(pages: Sequence[Labelled]) -> Kinds:
    """Train the classifier of page kinds.

    If all pages are of one kind, the built-in weights are returned unchanged.
    """
    with needs("training", "lab"):
        from scipy.sparse import csr_matrix, hstack
        from sklearn.linear_model import LogisticRegression
    kinds, words = [page.kind for page in pages], [page.page_words for page in pages]
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for page in pages:
        for word in page.page_words:
            holders[word].add(page.site)
    if len(set(kinds)) < 2:
        return shipped().kinds
    vocabulary = sorted(
        word
        for word, sites in holders.items()
        if len(sites) >= _LEAST_SITES and not word.isdigit() and len(hashed_words(code_points(word)).number) == 1
    )
    column = {word: number for number, word in enumerate(vocabulary)}
    indices: list[int] = []
    bounds = [0]
    for bag in words:
        indices += sorted({column[word] for word in bag if word in column})
        bounds.append(len(indices))
    word_matrix = csr_matrix((np.ones(len(indices)), indices, bounds), shape=(len(words), len(vocabulary)))
    figures = np.array([page.figures for page in pages])
    centre, scale = figures.mean(axis=0), np.maximum(figures.std(axis=0), 1e-6)
    regression = LogisticRegression(C=_STRENGTH, max_iter=2000)
    regression.fit(hstack([word_matrix, csr_matrix((figures - centre) / scale)]).tocsr(), np.array(kinds))
    weights, bias = regression.coef_.T, regression.intercept_
    if len(bias) == 1:  # for two kinds the regression returns weights for the second only
        weights, bias = np.hstack((-weights, weights)) / 2, np.append(-bias, bias) / 2
    return Kinds.of_arrays(
        {
            "kinds.kinds": regression.classes_,
            "kinds.word": np.array(vocabulary, dtype=np.str_),
            "kinds.weight": weights[: len(vocabulary)].astype(np.float32),
            "kinds.centre": centre,
            "kinds.scale": scale,
            "kinds.figure": weights[len(vocabulary) :],
            "kinds.bias": bias,
        }
    )
