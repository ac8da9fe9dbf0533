"""A second opinion on a choice that the first is not sure of: somebody else names blocks by their numbers.

Whoever is asked sees the page's blocks, numbered, and says which of them are the article. Only numbers are heard, so
that nothing can be invented: whatever comes back, the text is made of the page's own blocks. What cannot be heard, or
names no block, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.registry import Decision
from tidings.page import Page, Spans
from tidings.page.columns import Ints

#: Answers that are surer than this are not asked about.
ASKED_BELOW: Final = 0.7
#: Behind who chose the text, where a second opinion was followed.
SECOND: Final = ", second opinion"
#: The longest blocks of a page, and of each its beginning: no more is asked about. Other blocks stay as they were.
_MOST_BLOCKS: Final = 400
_MOST_CHARACTERS: Final = 300
_ARTICLE, _NOTHING = "article", "nothing"


@dataclass(frozen=True, slots=True)
class OpinionQuestion:
    """Which of these blocks are the article?"""

    title: str  # that the page declares
    url: str
    blocks: tuple[str, ...]  # beginnings of blocks, in the order of the page; the first has the number 1
    chosen: tuple[int, ...]  # numbers of those that the first opinion took
    confidence: float  # of the first opinion


#: Gives the numbers of the blocks that are the article, or None for no opinion.
SecondOpinion = Callable[[OpinionQuestion], Iterable[int] | None]


def with_second(page: Page, first: Decision, ask: SecondOpinion) -> Decision | None:
    """What a second opinion makes of a choice; None where nobody is asked, or the answer names no block."""
    asked = _asked(page) if first.confidence < ASKED_BELOW else np.zeros(0, np.int64)
    if not len(asked):
        return None
    taken = first.spans.blocks(page)[asked]
    texts = (page.text[page.blocks.text_start[block] : page.blocks.text_end[block]] for block in asked.tolist())
    question = OpinionQuestion(
        page.signals.title,
        page.url or "",
        tuple(" ".join(text.split())[:_MOST_CHARACTERS] for text in texts),
        tuple((np.flatnonzero(taken) + 1).tolist()),
        first.confidence,
    )
    numbers = _numbers(ask(question), len(asked))
    if not numbers:
        return None
    named = Spans.of_blocks(page, asked[np.array(sorted(numbers)) - 1])
    spans = page.shown((first.spans - Spans.of_blocks(page, asked)) | named) & page.scope
    if not spans:
        return None
    return first._replace(spans=spans, kind=_ARTICLE if first.kind == _NOTHING else first.kind)


def _asked(page: Page) -> Ints:
    """Return the blocks that are asked about: visible ones, the longest where there are many, in the order of the
    page.
    """
    blocks = page.blocks
    found = np.flatnonzero(~blocks.hidden & (blocks.words > 0))
    if len(found) <= _MOST_BLOCKS:
        return found
    longest = np.argsort(-blocks.words[found], kind="stable")[:_MOST_BLOCKS]
    return found[np.sort(longest)]


def _numbers(answer: object, most: int) -> set[int]:
    """Return the numbers of blocks in an answer; whatever else is in it is not heard."""
    if not isinstance(answer, Iterable) or isinstance(answer, str | bytes):
        return set()
    numbers: set[int] = set()
    for count, one in enumerate(answer):
        if count > 2 * _MOST_BLOCKS:  # an answer without an end
            break
        if type(one) is int and 1 <= one <= most:
            numbers.add(one)
    return numbers
