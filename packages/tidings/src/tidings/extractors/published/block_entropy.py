"""Entropy of repeated blocks (InfoDiscoverer): text that occurs on only one page of a site is informative.

Source: Lin and Ho 2002, as described in the N-EXT thesis (2.7). Pages of a site are cut into blocks; the features of a
block are its terms. A term that is equally frequent on all n pages has entropy 1, a term that occurs on one page has 0:

    H(t) = - sum over pages j of w(t, j) log_n w(t, j),   w(t, j) the share of t's occurrences that are on page j

The entropy of a block is the mean of its terms' entropies. Blocks up to a threshold are informative, others redundant.
The threshold is chosen for the site: it grows from 0 in steps of 0.1 until the next step adds no term to the
informative blocks.

Decided here: blocks are DIV and TABLE elements without the inner ones (the paper has TABLE only, as on pages of 2002);
the threshold is chosen on the page itself; it stops only if there is an informative block; terms are stems without stop
words, as in N-EXT. A block without terms is redundant.
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
#: Tolerance for rounding errors in sums of logarithms.
_EQUAL: Final = 1e-9


def siblings_of(page: Page) -> tuple[Page, ...]:
    """Return the other pages of a site that were passed with a page as hints.

    Raises:
        NoSiblings: the page came without other pages.
    """
    if not page.hints.siblings:
        raise NoSiblings(
            "this method compares pages of a site, and this page came alone: `tidings extract PAGE --beside FOLDER "
            "--with NAME` names others (in Python, Hints.siblings); the default works without"
        )
    return page.hints.siblings


def term_entropies(pages: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """Return the entropy of each term over the pages: 0 if it occurs on one page, 1 if it is equally frequent on
    all.
    """
    totals: Counter[str] = Counter()
    for page in pages:
        totals.update(page)
    base = np.log(max(len(pages), 2))
    entropies = {}
    for term, total in totals.items():
        shares = np.array([page[term] for page in pages if term in page]) / total
        entropies[term] = float(-(shares * np.log(shares)).sum() / base)
    return entropies


def block_entropy(words: Iterable[str], entropies: Mapping[str, float]) -> float:
    """Return the mean entropy of a block's distinct terms; 1 if it has none."""
    values = [entropies[word] for word in sorted(set(words))]
    return sum(values) / len(values) if values else 1.0


def chosen_threshold(entropies: FloatArray, sizes: Ints, step: float = 0.1) -> float:
    """Return the smallest entropy threshold that selects blocks and would select no further terms if raised by a step.

    Args:
        entropies: the entropy of each block.
        sizes: the number of terms of each block.
        step: the distance between the thresholds to try.
    """
    previous = -1
    for count in range(round(1 / step) + 1):
        limit = count * step
        terms_in = int(sizes[entropies <= limit + _EQUAL].sum())
        if terms_in == previous and previous > 0:
            return limit - step
        previous = terms_in
    return 1.0


@dataclass(frozen=True, slots=True, eq=False)
class PageTerms:
    """The blocks of a page and their terms."""

    owner: Ints  # per run: the element whose block it is in
    selected: Bools  # per run: inside a block, and visible
    blocks: dict[int, list[str]]  # by element
    counts: Counter[str]  # over the page


def page_terms(page: Page, which: BlockKind) -> PageTerms:
    """Return the terms of each block of a page. Memoised, because a page is also compared with other pages of
    its site.
    """
    cached = page.memo.get((_KEY, which))
    if cached is None:
        owner = owners(page, _BLOCKING)
        is_block = np.zeros(len(page.elements), np.bool_)
        is_block[blocks(page, _BLOCKING, which)] = True
        selected = cleaned(page, link_text=True) & is_block[owner]
        runs, language = page.runs, read(page).language
        texts: dict[int, list[str]] = {}
        for run in np.flatnonzero(selected).tolist():
            texts.setdefault(int(owner[run]), []).append(page.text[runs.text_start[run] : runs.text_end[run]])
        block_terms = {element: terms(" ".join(parts), language) for element, parts in texts.items()}
        cached = PageTerms(owner, selected, block_terms, Counter(chain.from_iterable(block_terms.values())))
        page.memo[_KEY, which] = cached
    return cached


@checked
@dataclass(frozen=True, slots=True)
class BlockEntropy:
    """Blocks whose terms occur on few of the site's pages, by the entropy of each term."""

    blocks: BlockKind = BlockKind.OWN_TEXT
    step: float = 0.1  # of the threshold: Lin and Ho
    link_text: bool = False  # whether text of links is selected; it counts in any case

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of blocks below the entropy threshold."""
        mine, elements, entropies = self._entropies(page)
        if not len(elements):
            return Spans.none(len(page.text))
        sizes = np.array([len(set(mine.blocks[element])) for element in elements.tolist()], np.int64)
        informative = np.zeros(len(page.elements), np.bool_)
        limit = chosen_threshold(entropies, sizes, self.step)
        informative[elements[(entropies <= limit + _EQUAL) & (sizes > 0)]] = True
        return page.shown(Spans.of_runs(page, informative[mine.owner] & mine.selected & cleaned(page, self.link_text)))

    def score(self, page: Page, /) -> FloatArray:
        """Return for each block of the page 1 minus the entropy of the DIV or TABLE block around it; 0 outside of
        those.
        """
        mine, elements, entropies = self._entropies(page)
        scores = np.zeros(len(page.elements))
        scores[elements] = 1 - entropies
        return scores[mine.owner[page.blocks.first]]

    def _entropies(self, page: Page) -> tuple[PageTerms, Ints, FloatArray]:
        if not 0.001 <= self.step <= 1:
            raise BadParameter(f"step is {self.step}; the threshold grows by it from 0 to 1, so 0.001 to 1")
        siblings = siblings_of(page)
        mine = page_terms(page, self.blocks)
        entropy_of = term_entropies([mine.counts, *(page_terms(sibling, self.blocks).counts for sibling in siblings)])
        entropies = [block_entropy(words, entropy_of) for words in mine.blocks.values()]
        return mine, np.array(list(mine.blocks), np.int64), np.array(entropies)
