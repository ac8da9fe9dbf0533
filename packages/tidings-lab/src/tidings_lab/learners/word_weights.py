"""Training of word weights: logistic regressions over class names and cue words of blocks.

Only words that occur on pages of several sites are used, so that no site's own vocabulary is learned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs
from tidings.extractors.hashed_words import hashed_words, hashes_of
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.compiled import scanner
from tidings.page.counts import code_points
from tidings.text import words as words_of

_LEAST_WEIGHT: Final = 0.05
CUE_WORDS: Final = 25  # words of a block with cue words, at most, as in the core (`core/src/look.rs`)


def name_words(page: Page) -> dict[int, tuple[str, ...]]:
    """Return for each element with text the words of its class names, ids and roles.

    They are split like in the compiled core, which returns only hashes; the spelling comes from the start tags.
    """
    elements = page.elements
    with_text = np.flatnonzero(elements.last > elements.first)[1:]
    start_tags, line_of = page.start_tags.of(with_text)
    name_hashes = scanner().names(page.compiled.memory)
    spelling_of = {
        int(numbers[0]): word
        for word in sorted({word for tag in start_tags for word in words_of(tag.replace("_", " "))})
        if len(numbers := hashes_of(word)) == 1
    }
    lines: list[list[str]] = [[] for _ in start_tags]
    for line, number in zip(name_hashes[0].tolist(), name_hashes[1].tolist(), strict=True):
        if number in spelling_of:  # the core cuts long words
            lines[line].append(spelling_of[number])
    return {element: tuple(lines[line]) for element, line in zip(with_text.tolist(), line_of.tolist(), strict=True)}


def path_words(page: Page, names: Mapping[int, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return for each element the words of its names and of its ancestors' names."""
    paths: list[tuple[str, ...]] = [()]
    for element, parent in enumerate(page.elements.parent.tolist()[1:], 1):
        paths.append(paths[parent] + names.get(element, ()))
    return paths


@dataclass(frozen=True, slots=True, eq=False)
class Bags:
    """The words of each block of a page: those in class names and ids around it (`names`), and those of its text
    (`cues`).
    """

    site: str
    names: tuple[tuple[str, ...], ...]
    cues: tuple[tuple[str, ...], ...]


def bags(page: Page, site: str, blocks: Ints, names: Mapping[int, tuple[str, ...]]) -> Bags:
    """Return the words of some blocks of a page.

    Args:
        page: the page.
        site: the site of the page.
        blocks: the indices of the blocks.
        names: the words in class names, ids and roles, by element (`name_words`).
    """
    inner = page.runs.element[page.blocks.first[blocks]].tolist()
    paths = path_words(page, names)
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
    """Return weights of words by logistic regression, without negligible ones.

    Args:
        sites: the site of each page.
        words: for each page the bags of words of its blocks.
        content: for each page the share of content of its blocks.
        importance: the weight of each block.
        least_sites: the least number of sites of a word.
        strength: the inverse regularisation (the C of the regression).
    """
    with needs("training", "lab"):
        from scipy.sparse import csr_matrix
        from sklearn.linear_model import LogisticRegression
    vocabulary = _on_several_sites(zip(sites, words, strict=True), least_sites)
    if not vocabulary:  # a small corpus: no word is on enough sites
        return {}
    column = {word: number for number, word in enumerate(vocabulary)}
    data: list[int] = []
    indices: list[int] = []
    bounds = [0]
    for page in words:
        for bag in page:
            counts = Counter(column[word] for word in bag if word in column)
            data += counts.values()
            indices += counts.keys()
            bounds.append(len(indices))
    rows = csr_matrix((np.array(data, np.float64), indices, bounds), shape=(len(bounds) - 1, len(vocabulary)))
    regression = LogisticRegression(C=strength, solver="lbfgs", max_iter=200, tol=1e-3)
    regression.fit(rows, np.concatenate(content) > 0.5, np.concatenate(importance))
    weights = regression.coef_[0].round(3).tolist()
    return {word: weight for word, weight in zip(vocabulary, weights, strict=True) if abs(weight) >= _LEAST_WEIGHT}


def _on_several_sites(pages: Iterable[tuple[str, Sequence[Sequence[str]]]], least: int) -> list[str]:
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for site, page in pages:
        for word in {word for bag in page for word in bag}:
            holders[word].add(site)
    common = (word for word, sites in holders.items() if len(sites) >= least and not word.isdigit())
    return sorted(word for word in common if len(hashed_words(code_points(word)).number) == 1)
