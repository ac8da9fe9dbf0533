"""The columns of a page as the core holds them, for the default extractor."""

from __future__ import annotations

import numpy as np

from tidings.core import CoreMemory, choices
from tidings.fields.memo import memoized
from tidings.page import Page
from tidings.page.columns import Bools


@memoized
def core_columns(page: Page) -> CoreMemory:
    """Return the columns of a page in the core. Those of a part of a page, or of one scanned in Python, are copied.

    Raises:
        CoreMissing: there is no core.
    """
    if page.compiled is not None:
        return page.compiled.memory
    runs, blocks, elements = page.runs, page.blocks, page.elements
    with_text = np.flatnonzero(elements.last > elements.first)[1:]
    start_tags, numbers = page.start_tags.of(with_text)
    spelling = np.full(len(elements), -1, np.int64)
    spelling[with_text] = numbers
    return choices.block_columns(
        page.text,
        start_tags,
        runs.in_link,
        {
            choices.TAG: elements.tag,
            choices.PARENT: elements.parent,
            choices.DEPTH: elements.depth,
            choices.FIRST: elements.first,
            choices.LAST: elements.last,
            choices.SPELLING: spelling,
            choices.TEXT_START: runs.text_start,
            choices.TEXT_END: runs.text_end,
            choices.RUN_WORDS: runs.words,
            choices.RUN_ELEMENT: runs.element,
            choices.BLOCK_FIRST: blocks.first,
            choices.BLOCK_ELEMENT: blocks.element,
            choices.BLOCK_WORDS: blocks.words,
            choices.BLOCK_LINK_WORDS: blocks.link_words,
            choices.BLOCK_LAST: blocks.last,
        },
    )


def hidden_runs(page: Page) -> Bools | None:
    """Return which runs of a page are hidden; None if the core has found that out itself."""
    return page.runs.hidden if page.compiled is None else None
