"""The columns of a page as the core holds them, for the default extractor."""

from __future__ import annotations

import numpy as np

from tidings.core import CoreMemory, selection
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
    return selection.block_columns(
        page.text,
        start_tags,
        runs.in_link,
        {
            selection.TAG: elements.tag,
            selection.PARENT: elements.parent,
            selection.DEPTH: elements.depth,
            selection.FIRST: elements.first,
            selection.LAST: elements.last,
            selection.SPELLING: spelling,
            selection.TEXT_START: runs.text_start,
            selection.TEXT_END: runs.text_end,
            selection.RUN_WORDS: runs.words,
            selection.RUN_ELEMENT: runs.element,
            selection.BLOCK_FIRST: blocks.first,
            selection.BLOCK_ELEMENT: blocks.element,
            selection.BLOCK_WORDS: blocks.words,
            selection.BLOCK_LINK_WORDS: blocks.link_words,
            selection.BLOCK_LAST: blocks.last,
        },
    )


def hidden_runs(page: Page) -> Bools | None:
    """Return which runs of a page are hidden; None if the core has found that out itself."""
    return page.runs.hidden if page.compiled is None else None
