"""GSWCE, Gaussian smoothing-based web content extraction: text surrounded by text is content.

Source: Liu and Liao 2011 ("Gaussian smoothing-based web content extraction"); DANA thesis 3.2.8. The nodes of the tree
in order become a list of tokens: one with value 0 for each tag and one with value 1 for each word. The values are
smoothed several times with a Gaussian. Tokens above a threshold are potential content. The element that contains their
longest unbroken sequence is the content base node, and the nearest `p`, `tr`, `td` or `div` around it contains the
primary content.

The thesis first says that the base node is the one with most of the potential content, and then that the least common
ancestor is searched. This module takes the smallest element that contains the whole sequence. (With the single largest
text node instead, word F1 falls from 0.90 to 0.20, because that is one paragraph.)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Profile
from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.tag_sets import among, tag_set
from tidings.text.words import content_words

Floats = NDArray[np.float64]

#: Tags containing primary content (thesis 3.2.8).
_CONTAINERS: Final = tag_set(tags.numbers("p tr td div"))
#: Elements that are not part of the text.
_NO_NODE: Final = tag_set(tags.numbers("script style noscript template head title meta link") | {0})
#: Dates in the formats of most languages; white space in the text is collapsed.
_DATE: Final = re.compile(
    r"""\b(?:
        (?:19|20)\d\d[-/.](?:1[0-2]|0?[1-9])[-/.](?:[12]\d|3[01]|0?[1-9])
        | \d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d
        | \d{1,2}(?:st|nd|rd|th|\.)?\ [^\W\d_]{3,12}\.?,?\ (?:19|20)\d\d
        | [^\W\d_]{3,12}\.?\ \d{1,2}(?:st|nd|rd|th)?,?\ (?:19|20)\d\d
    )\b | (?:19|20)\d\d年\d{1,2}月\d{1,2}日""",
    re.VERBOSE,
)


def smooth(values: Floats, reach: int, iterations: int) -> Floats:
    """Blur the values with a Gaussian of `reach` values to either side; values outside the list are 0."""
    kernel = np.exp(-2.0 * (np.arange(-reach, reach + 1) / max(reach, 1)) ** 2)  # two standard deviations either side
    kernel /= kernel.sum()
    for _ in range(iterations if len(values) else 0):
        values = np.convolve(values, kernel)[reach : reach + len(values)]
    return values


def longest(flags: Bools) -> tuple[int, int]:
    """Return the first of the longest unbroken sequences of flags as a half-open range; (0, 0) without any flag."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False))
    if not len(edges):
        return 0, 0
    at = int(np.argmax(edges[1::2] - edges[0::2]))
    return int(edges[2 * at]), int(edges[2 * at + 1])


@checked
@dataclass(frozen=True, slots=True)
class GSWCE:
    """Text of the element around the longest sequence of text after smoothing.

    The thesis gives no parameters. These are the best of a sweep on half of the sites of wcxb-dev (word F1 0.898);
    `reach` is that of the thesis's ACCB-40.
    """

    reach: int = 40  # tokens to either side that influence a token
    iterations: int = 3
    threshold: float = 0.75  # smoothed ratio above which a token is potential content

    def tokens(self, page: Page, /) -> Ints:
        """Return the tokens of a page: the run of each word, and -1 for each tag. Each element has one token, where it
        begins.
        """
        elements, runs = page.elements, page.runs
        nodes = elements.start[~among(elements.tag, _NO_NODE)]
        order = np.argsort(np.concatenate((nodes, runs.start)), kind="stable")
        owner = np.concatenate((np.full(len(nodes), -1), np.arange(len(runs))))
        count = np.concatenate((np.ones(len(nodes), np.int64), runs.words * ~runs.hidden))
        return np.repeat(owner[order], count[order])

    def ratios(self, tokens: Ints) -> Floats:
        """Return the smoothed ratios: words are 1 and tags 0 before smoothing."""
        if self.reach < 0 or self.iterations < 0:
            raise BadParameter(f"reach is {self.reach} and iterations {self.iterations}; neither can be negative")
        return smooth((tokens >= 0).astype(np.float64), self.reach, self.iterations)

    def base_node(self, page: Page, /) -> int | None:
        """Return the content base node: the smallest element around the longest sequence of potential content."""
        tokens = self.tokens(page)
        first, last = longest(self.ratios(tokens) > self.threshold)
        words = tokens[first:last]
        words = words[words >= 0]
        if not len(words):
            return None
        elements = page.elements
        contains = (elements.first <= words[0]) & (elements.last > words[-1])
        return int(np.flatnonzero(contains)[-1])

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the content base node."""
        base = self.base_node(page)
        if base is None:
            return Spans.none(len(page.text))
        holder = page.nearest(_CONTAINERS)[base]
        return page.shown(Spans.of_elements(page, [holder])) & page.scope

    def score(self, page: Page, /) -> Floats:
        """Return for each block the mean of its words' smoothed ratios."""
        tokens = self.tokens(page)
        words = tokens >= 0
        block = page.runs.block[tokens[words]]
        count = np.bincount(block, minlength=len(page.blocks))
        return np.bincount(block, self.ratios(tokens)[words], len(page.blocks)) / np.maximum(count, 1)

    def picture(self, page: Page, /) -> Profile:
        """Return the data of figure 3.4: the ratios of text, these smoothed, and the longest sequence above a
        threshold.
        """
        tokens = self.tokens(page)
        ratios = self.ratios(tokens)
        first, last = longest(ratios > self.threshold)
        chosen = np.zeros(len(tokens), np.bool_)
        chosen[first:last] = True
        return Profile(
            title="GSWCE: words among tags",
            x="token",
            y="text-tag ratio",
            series=(("ratio", (tokens >= 0).astype(np.float64)), ("smoothed", ratios)),
            kind="curve",
            thresholds=(("threshold", self.threshold),),
            chosen=chosen,
        )

    # The thesis says that GSWCE finds title and date, but not how. These methods use the title element and proximity.

    def title(self, page: Page, /) -> Spans:
        """Return the block that shares most words with the page's title element, the first of equal ones."""
        title_words = frozenset(content_words(page.signals.title))
        blocks = page.blocks
        best, best_block = 0.0, -1
        for block in np.flatnonzero(
            ~blocks.hidden & (blocks.words > 0) & (blocks.words <= 4 * len(title_words))
        ).tolist():
            words = frozenset(content_words(page.text[blocks.text_start[block] : blocks.text_end[block]]))
            shared = 2 * len(title_words & words) / max(len(title_words) + len(words), 1)
            if shared > best:
                best, best_block = shared, block
        chosen = Spans.of_blocks(page, [best_block] if best_block >= 0 else [])
        return page.shown(chosen) & page.scope

    def date(self, page: Page, /) -> Spans:
        """Return the date next after the title, else the last one before it; without a title, the one near the
        content.
        """
        anchor = self.title(page) or self(page)
        if not anchor:
            return anchor
        at = int(anchor.starts[0])
        visible = page.visible & page.scope
        dates = [match.span() for match in _DATE.finditer(page.text) if match.start() in visible]
        following = [span for span in dates if span[0] >= at]
        nearest = following[:1] or dates[-1:]
        return page.shown(Spans.of(nearest, len(page.text))) & page.scope
