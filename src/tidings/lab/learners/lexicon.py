"""Learning what names of classes and cue words mean: two logistic regressions over bags of words.

Words count that stand on pages of several sites, so that no site's own vocabulary is learned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import MissingExtra
from tidings.extractors.learned.hashed_words import hashed_words
from tidings.extractors.learned.lexicon import CUE_WORDS, path_words
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.counts import code_points
from tidings.text import words as words_of

_LEAST_WEIGHT: Final = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Bags:
    """For each block of a page the words of the names around it, and the words in it."""

    site: str
    names: tuple[tuple[str, ...], ...]
    cues: tuple[tuple[str, ...], ...]


def bags(page: Page, site: str, blocks: Ints) -> Bags:
    """The bags of words of some blocks of a page."""
    inner = page.runs.element[page.blocks.first[blocks]].tolist()
    paths = path_words(page)
    starts, ends = page.blocks.text_start[blocks].tolist(), page.blocks.text_end[blocks].tolist()
    texts = [[word.lower() for word in words_of(page.text[start:end])] for start, end in zip(starts, ends, strict=True)]
    return Bags(
        site,
        tuple(paths[element] for element in inner),
        tuple(tuple(text) if len(text) <= CUE_WORDS else () for text in texts),
    )


def weigh(
    sites: Sequence[str],
    words: Sequence[Sequence[Sequence[str]]],
    content: Sequence[NDArray[np.float64]],
    importance: Sequence[NDArray[np.float64]],
    least_sites: int,
    strength: float = 30.0,
) -> dict[str, float]:
    """Weights of words by logistic regression; words that weigh next to nothing are left out.

    Args:
        sites: the site of each page.
        words: for each page the bags of words of its blocks.
        content: for each page the share of content of its blocks.
        importance: how much each block counts.
        least_sites: sites that a word must stand on.
        strength: how freely weights may grow (the C of the regression).
    """
    try:
        from scipy.sparse import csr_matrix
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingExtra("training", "lab") from None
    known = _on_several_sites(zip(sites, words, strict=True), least_sites)
    column = {word: number for number, word in enumerate(known)}
    data: list[int] = []
    indices: list[int] = []
    bounds = [0]
    for page in words:
        for bag in page:
            counts = Counter(column[word] for word in bag if word in column)
            data += counts.values()
            indices += counts.keys()
            bounds.append(len(indices))
    rows = csr_matrix((np.array(data, np.float64), indices, bounds), shape=(len(bounds) - 1, len(known)))
    regression = LogisticRegression(C=strength, solver="lbfgs", max_iter=200, tol=1e-3)
    regression.fit(rows, np.concatenate(content) > 0.5, np.concatenate(importance))
    weights = regression.coef_[0].round(3).tolist()
    return {word: weight for word, weight in zip(known, weights, strict=True) if abs(weight) >= _LEAST_WEIGHT}


def _on_several_sites(pages: Iterable[tuple[str, Sequence[Sequence[str]]]], least: int) -> list[str]:
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for site, page in pages:
        for word in {word for bag in page for word in bag}:
            holders[word].add(site)
    common = (word for word, found in holders.items() if len(found) >= least and not word.isdigit())
    return sorted(word for word in common if len(hashed_words(code_points(word)).number) == 1)
