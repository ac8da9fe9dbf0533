"""Ballots: which words of a page each extractor selects, so that any vote can be scored without running the extractors
again.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors import extractor
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.metrics.texts import lcs_score

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Ballot:
    """The words of a page with their frequencies in the ground truth, and which words each extractor selects."""

    id: str
    site: str
    half: int
    word: NDArray[np.int64]  # number of each word of the page
    gold: NDArray[np.int64]  # frequency of each numbered word in the ground truth
    gold_words: int
    selected: NDArray[np.bool_]  # extractors × words: whether the word is selected
    lcs: NDArray[np.float64]  # token-LCS F1 of each extractor
    cost: NDArray[np.float64]  # time of each extractor, relative to building the Page

    def f1(self, chosen: NDArray[np.bool_]) -> float:
        """Return the bag-of-words F1 of a selection of the page's words (a flag per word)."""
        counts = np.bincount(self.word[chosen], minlength=len(self.gold))
        common = int(np.minimum(counts, self.gold).sum())
        total = int(chosen.sum()) + self.gold_words
        return 2 * common / total if total else 0.0


def cast(sample: Sample, names: tuple[str, ...], with_lcs: bool = True) -> Ballot:
    """Run extractors on a page; return which words each extractor selects."""
    data = sample.html
    begin = perf_counter()
    page = Page(data)
    built = perf_counter() - begin
    gold_words = Counter(_WORD.findall(sample.gold["text"].lower()))
    # Lower-casing must not change positions, so characters that become longer stay.
    lower = page.text.lower()
    if len(lower) != len(page.text):
        lower = "".join(folded if len(folded := char.lower()) == 1 else char for char in page.text)
    page_words = [(match.start(), match[0]) for match in _WORD.finditer(lower)]
    numbers: dict[str, int] = {}
    word = np.array([numbers.setdefault(text, len(numbers)) for _, text in page_words], np.int64)
    gold = np.array([gold_words.get(text, 0) for text in numbers] or [0], np.int64)
    starts = np.array([start for start, _ in page_words], np.int64)
    selections, lcs, cost = [], [], []
    for name in names:
        method = extractor(name)
        begin = perf_counter()
        spans = method(page)
        cost.append((perf_counter() - begin) / built)
        selections.append(spans.covers(starts))
        lcs.append(lcs_score(spans.text(page), sample.gold["text"]).f1 if with_lcs else 0.0)
    return Ballot(
        sample.id,
        sample.site,
        sample.half,
        word,
        gold,
        sum(gold_words.values()),
        np.array(selections, np.bool_).reshape(len(names), len(starts)),
        np.array(lcs),
        np.array(cost),
    )
