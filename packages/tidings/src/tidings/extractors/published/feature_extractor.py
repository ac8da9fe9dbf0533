"""FE and K-FE: the block of a page with most text features, or the best cluster of such blocks.

Source: Debnath, Mitra and Giles 2005 ("Automatic extraction of informative blocks from webpages", "Identifying content
blocks from Web documents"); DANA thesis 3.2.3. Blocks are the contents of a few kinds of elements. Desired features are
the amounts of text, text tags, lists and styles; undesired features are the numbers of links, tables, pictures, frames,
forms and scripts. A block with at least as much of the desired as of the undesired features enters the winner basket.
In the basket the values are computed again; FE selects the block with most, K-FE the best cluster.

The values in the basket can only differ if they are relative to the current set of blocks, so a value is the block's
count divided by the largest count in the set. Algorithm 2 as printed loses text next to the elements it selects; here a
block is all text with the same nearest block element, so that every text is in exactly one block. `<hr>` has no content
and separates blocks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.tag_sets import among, tag_set

Floats = NDArray[np.float64]

_RULE: Final = tags.NUMBERS["hr"]

#: Desired features besides the text itself (thesis 3.2.3): text tags, lists, styles.
_DESIRED: Final = tuple(
    tag_set(tags.numbers(names)) for names in ("h1 h2 h3 h4 h5 h6 p b strong i em blockquote q", "ul ol dl li", "style")
)
#: Undesired features.
_UNDESIRED: Final = tuple(
    tag_set(tags.numbers(names))
    for names in ("a", "table", "img object embed applet", "frame iframe", "form input select button", "script")
)


def text_blocks(page: Page, block_tags: str) -> tuple[Ints, Ints]:
    """Return the block of each run and of each element, numbered from 0 in no particular order (Algorithm 2)."""
    unknown = [name for name in block_tags.split() if name not in tags.NUMBERS]
    if unknown:
        raise BadParameter(f"block_tags names {unknown[0]!r}, which is no HTML element")
    chosen = tags.numbers(block_tags)
    elements, runs = page.elements, page.runs
    nearest = page.nearest(tag_set(chosen))
    rules = elements.start[(elements.tag == _RULE) & (_RULE in chosen)]
    key = np.concatenate((nearest[runs.element], nearest)) * (len(rules) + 1)
    key += np.searchsorted(rules, np.concatenate((runs.start, elements.start)), side="right")
    block = np.unique(key, return_inverse=True)[1]
    return block[: len(runs)], block[len(runs) :]


def k_means(values: Floats, k: int) -> Ints:
    """Cluster numbers by k-means; cluster 0 is the lowest. The centres start evenly spaced, so the result is
    deterministic.
    """
    low, high = values.min(), values.max()
    centres = np.linspace(low, high, k)
    cluster = np.zeros(len(values), np.int64)
    for _ in range(100):  # Lloyd's iterations; one-dimensional data converges within a few
        cluster = np.searchsorted((centres[1:] + centres[:-1]) / 2, values, side="left")
        size = np.bincount(cluster, minlength=k)
        moved = np.where(size > 0, np.bincount(cluster, values, k) / np.maximum(size, 1), centres)
        if np.array_equal(moved, centres):
            break
        centres = moved
    return cluster


def relative(values: Floats) -> Floats:
    """Return for each block the sum of its features, each divided by the largest value of the feature on the page."""
    largest = values.max(axis=1, initial=0.0)
    total: Floats = (values / np.where(largest > 0, largest, 1.0)[:, None]).sum(axis=0)
    return total


@dataclass(frozen=True, slots=True)
class _Features(ABC):
    """Base of FE and K-FE: text blocks, their features, and the winner basket (blocks in which desired features
    prevail).
    """

    block_tags: str

    def winners(self, page: Page) -> tuple[Ints, Ints, Floats]:
        """Return the blocks that have at least as much of the desired features as of the undesired ones ("winner
        basket").

        Returns the block of each run, the blocks in the winner basket, and the sum of desired features of each of
        these.
        """
        runs, tag = page.runs, page.elements.tag
        run_block, element_block = text_blocks(page, self.block_tags)
        count = int(max(run_block.max(initial=0), element_block.max(initial=0))) + 1

        def counts(kinds: tuple[Bools, ...]) -> Floats:
            each = [np.bincount(element_block, among(tag, kind), count) for kind in kinds]
            return np.stack(each).astype(np.float64)

        text = np.bincount(run_block, runs.words * ~runs.hidden, count)
        block = np.flatnonzero(text)
        desired = np.concatenate((text[None].astype(np.float64), counts(_DESIRED)))[:, block]
        is_winner = relative(desired) >= relative(counts(_UNDESIRED)[:, block])
        return run_block, block[is_winner], relative(desired[:, is_winner])

    @abstractmethod
    def choose(self, values: Floats) -> Bools:
        """Select the blocks of the winner basket that are content, by their sums of desired features."""

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the selected blocks."""
        run_block, basket, values = self.winners(page)
        if not len(basket):
            return Spans.none(len(page.text))
        is_selected = np.isin(run_block, basket[self.choose(values)])
        return page.shown(Spans.of_runs(page, is_selected)) & page.scope

    def score(self, page: Page, /) -> Floats:
        """Return for each block of the page the desired features of its text block; 0 outside the winner basket."""
        run_block, basket, values = self.winners(page)
        graded = np.zeros(int(run_block.max(initial=0)) + 1)
        graded[basket] = values
        return graded[run_block[page.blocks.first]]


#: Block elements. The thesis prints table, tr, p, hr and an illegible one (ul in the publication). Current pages use
#: div for layout; without it, much of a page is one block.
_BLOCK_TAGS: Final = "table tr p hr ul div"


@checked
@dataclass(frozen=True, slots=True)
class FE(_Features):
    """The block with most of the desired text features."""

    block_tags: str = _BLOCK_TAGS

    def choose(self, values: Floats) -> Bools:
        """Return the best block, the first of equal ones."""
        return np.asarray(np.arange(len(values)) == values.argmax())


@checked
@dataclass(frozen=True, slots=True)
class KFE(_Features):
    """The blocks with most of the desired text features, separated from the rest of the basket by k-means.

    All of the k clusters except the lowest are selected. The thesis gives no k. On half of the sites of wcxb-dev word
    F1 rises with k (0.58 for 2, 0.73 for 3, 0.78 for 4, 0.82 for 8) to a plateau from 16 (0.830) to 40.
    """

    block_tags: str = _BLOCK_TAGS
    k: int = 16

    def choose(self, values: Floats) -> Bools:
        """Return all clusters except the lowest; everything if there is only one."""
        if self.k < 2:
            raise BadParameter(f"k is {self.k}; to tell winners apart takes at least two clusters")
        cluster = k_means(values, self.k)
        return np.asarray((cluster > cluster.min()) | (cluster.max() == cluster.min()))
