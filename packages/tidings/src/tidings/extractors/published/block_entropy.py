"""Entropy of repeated blocks: what stands on one page of a site only is informative.

Lin and Ho 2002 (InfoDiscoverer), as told in the N-EXT thesis (2.7). Pages of a site are cut into blocks; the features
of a block are its terms. A term that stands on all n pages alike has entropy 1, one that stands on one page has 0:

    H(t) = - sum over pages j of w(t, j) log_n w(t, j),   w(t, j) the share of t's occurrences that are on page j

A block's entropy is the mean of its terms' entropies; up to a threshold it is informative, above it redundant. The
threshold is chosen for the site: it goes up from 0 by steps of 0.1, and ends where the next step brings no further term
into the informative blocks.

Decided here: blocks are DIV and TABLE elements without the ones inside (the paper has TABLE, as pages of 2002 do); the
threshold is sought on the page itself; it may end only where there is an informative block; terms are stems without
stop words, as in N-EXT. A block without terms is redundant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from tidings.errors import BadParameter, NoSiblings
from tidings.extractors.parameters import checked
from tidings.extractors.published.largest_block import DIV, TABLE, BlockKind, blocks, cleaned, owners
from tidings.fields import read
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.text import FloatArray, terms

_BLOCKING: Final = frozenset({DIV, TABLE})
_KEY: Final = "terms of blocks"
#: Sums of logarithms differ in the last digits.
_EQUAL: Final = 1e-9


def siblings_of(page: Page) -> tuple[Page, ...]:
    """Return the other pages of a page's site that came with it.

    Raises:
        NoSiblings: it came alone.
    """
    if not page.hints.siblings:
        raise NoSiblings(
            "this method compares pages of a site, and this page came alone: `tidings extract PAGE --beside FOLDER "
            "--with NAME` names others (in Python, Hints.siblings); the default works without"
        )
    return page.hints.siblings


def term_entropies(pages: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """For each term how evenly it is spread over the pages: 0 on one alone, 1 on all alike."""
    totals: Counter[str] = Counter()
    for page in pages:
        totals.update(page)
    base = np.log(max(len(pages), 2))
    found = {}
    for term, total in totals.items():
        shares = np.array([page[term] for page in pages if term in page]) / total
        found[term] = float(-(shares * np.log(shares)).sum() / base)
    return found


def block_entropy(words: Iterable[str], entropies: Mapping[str, float]) -> float:
    """Return the mean entropy of a block's terms, each counted once; 1 where it has none."""
    known = [entropies[word] for word in sorted(set(words))]
    return sum(known) / len(known) if known else 1.0


def chosen_threshold(entropies: FloatArray, sizes: Ints, step: float = 0.1) -> float:
    """Return the first threshold at which there is something informative and the next step would add no term to it."""
    held = -1
    for count in range(round(1 / step) + 1):
        limit = count * step
        terms_in = int(sizes[entropies <= limit + _EQUAL].sum())
        if terms_in == held and held > 0:
            return limit - step
        held = terms_in
    return 1.0


@dataclass(frozen=True, slots=True, eq=False)
class PageTerms:
    """The blocks of a page and their terms."""

    owner: Ints  # per run: the element whose block it is in
    kept: Bools  # per run
    blocks: dict[int, list[str]]  # by element
    counts: Counter[str]  # over the page


def page_terms(page: Page, which: BlockKind) -> PageTerms:
    """Return the terms of each block of a page; kept with the page, for its siblings ask for them too."""
    known = page.memo.get((_KEY, which))
    if known is None:
        owner = owners(page, _BLOCKING)
        is_block = np.zeros(len(page.elements), np.bool_)
        is_block[blocks(page, _BLOCKING, which)] = True
        kept = cleaned(page, link_text=True) & is_block[owner]
        runs, language = page.runs, read(page).language
        texts: dict[int, list[str]] = {}
        for run in np.flatnonzero(kept).tolist():
            texts.setdefault(int(owner[run]), []).append(page.text[runs.text_start[run] : runs.text_end[run]])
        found = {element: terms(" ".join(several), language) for element, several in texts.items()}
        known = PageTerms(owner, kept, found, Counter(chain.from_iterable(found.values())))
        page.memo[_KEY, which] = known
    return known


@checked
@dataclass(frozen=True, slots=True)
class BlockEntropy:
    """Blocks whose terms stand on few of the site's pages, by the entropy of each term over them."""

    blocks: BlockKind = BlockKind.OWN_TEXT
    step: float = 0.1  # by which the threshold grows: Lin and Ho
    link_text: bool = False  # whether text of links is returned; it counts in any case

    def __call__(self, page: Page, /) -> Spans:
        """Return the informative blocks."""
        mine, elements, entropies = self._entropies(page)
        if not len(elements):
            return Spans.none(len(page.text))
        sizes = np.array([len(set(mine.blocks[element])) for element in elements.tolist()], np.int64)
        informative = np.zeros(len(page.elements), np.bool_)
        limit = chosen_threshold(entropies, sizes, self.step)
        informative[elements[(entropies <= limit + _EQUAL) & (sizes > 0)]] = True
        return page.shown(Spans.of_runs(page, informative[mine.owner] & mine.kept & cleaned(page, self.link_text)))

    def score(self, page: Page, /) -> FloatArray:
        """For each block of the page one minus the entropy of the block around it; 0 outside."""
        mine, elements, entropies = self._entropies(page)
        scores = np.zeros(len(page.elements))
        scores[elements] = 1 - entropies
        return scores[mine.owner[page.blocks.first]]

    def _entropies(self, page: Page) -> tuple[PageTerms, Ints, FloatArray]:
        if not 0.001 <= self.step <= 1:
            raise BadParameter(f"step is {self.step}; the threshold grows by it from 0 to 1, so 0.001 to 1")
        siblings = siblings_of(page)
        mine = page_terms(page, self.blocks)
        known = term_entropies([mine.counts, *(page_terms(one, self.blocks).counts for one in siblings)])
        entropies = [block_entropy(words, known) for words in mine.blocks.values()]
        return mine, np.array(list(mine.blocks), np.int64), np.array(entropies)
