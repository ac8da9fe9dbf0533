"""A second opinion on low-confidence selections: a callback names the article's blocks by number.

The callback gets the page's numbered blocks and returns the numbers of the article's blocks. Only numbers are accepted,
so the callback cannot invent text. An invalid answer, or one that names no block, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.registry import Decision
from tidings.page import Page, Spans
from tidings.page.columns import Ints

#: Selections with a higher confidence need no second opinion.
ASKED_BELOW: Final = 0.7
#: Appended to the method's name if the second opinion was used.
SECOND: Final = ", second opinion"
#: Limits of a question: the longest blocks of a page, each cut to its beginning. Other blocks keep their decision.
_MOST_BLOCKS: Final = 400
_MOST_CHARACTERS: Final = 300
_ARTICLE, _NOTHING = "article", "nothing"


@dataclass(frozen=True, slots=True)
class OpinionQuestion:
    """A question to a second opinion: which of these blocks are the article?"""

    title: str  # as the page declares it
    url: str
    blocks: tuple[str, ...]  # beginnings of blocks, in the order of the page; the first has the number 1
    chosen: tuple[int, ...]  # numbers of the blocks that the extractor selected
    confidence: float  # of that selection


#: A callback that returns the numbers of the article's blocks, or None for no opinion.
SecondOpinion = Callable[[OpinionQuestion], Iterable[int] | None]


def with_second(page: Page, first: Decision, ask: SecondOpinion) -> Decision | None:
    """Return an extractor's decision corrected by a second opinion. Returns None if the confidence is high enough, or
    the answer names no block.

    Returns None if the confidence is high enough, or the answer names no block.
    """
    candidates = _candidates(page) if first.confidence < ASKED_BELOW else np.zeros(0, np.int64)
    if not len(candidates):
        return None
    selected = first.spans.blocks(page)[candidates]
    texts = (page.text[page.blocks.text_start[block] : page.blocks.text_end[block]] for block in candidates.tolist())
    question = OpinionQuestion(
        page.signals.title,
        page.url or "",
        tuple(" ".join(text.split())[:_MOST_CHARACTERS] for text in texts),
        tuple((np.flatnonzero(selected) + 1).tolist()),
        first.confidence,
    )
    numbers = _numbers(ask(question), len(candidates))
    if not numbers:
        return None
    named = Spans.of_blocks(page, candidates[np.array(sorted(numbers)) - 1])
    spans = page.shown((first.spans - Spans.of_blocks(page, candidates)) | named) & page.scope
    if not spans:
        return None
    return first._replace(spans=spans, kind=_ARTICLE if first.kind == _NOTHING else first.kind)


def _candidates(page: Page) -> Ints:
    """Return the visible blocks to ask about, in page order; the longest ones if there are too many."""
    blocks = page.blocks
    visible = np.flatnonzero(~blocks.hidden & (blocks.words > 0))
    if len(visible) <= _MOST_BLOCKS:
        return visible
    longest = np.argsort(-blocks.words[visible], kind="stable")[:_MOST_BLOCKS]
    return visible[np.sort(longest)]


def _numbers(answer: object, most: int) -> set[int]:
    """Return the valid block numbers in an answer."""
    if not isinstance(answer, Iterable) or isinstance(answer, str | bytes):
        return set()
    numbers: set[int] = set()
    for count, number in enumerate(answer):
        if count > 2 * _MOST_BLOCKS:  # the iterator may be infinite
            break
        if type(number) is int and 1 <= number <= most:
            numbers.add(number)
    return numbers
