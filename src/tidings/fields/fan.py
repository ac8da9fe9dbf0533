"""Fan: the headline by structure alone, the rival that the thesis names.

Fan et al., cited in the DANA thesis, 5.1: candidates are lines of text that begin no further to the right than the main
text, stand no lower than its first quarter, and are set in type no smaller than its; a score from the size of the type
and from the place chooses among them. The thesis gives no numbers for the score.

Here no page is drawn: the size of the type is estimated (`tidings.fields.type_sizes`), the horizontal place not known
and not asked for. The score is the size in em; the nearness to the beginning of the main text decides among equals.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tidings.fields.headline import Headline
from tidings.fields.type_sizes import type_sizes
from tidings.page import Page, Spans
from tidings.text import fold_space

#: Less than any difference of sizes.
_NEARNESS: Final = 0.05
#: A headline has a word and no more than so many characters.
_LONGEST: Final = 300


def fan(page: Page, content: Spans) -> Headline | None:
    """The headline of a page whose main text is known; None where no line can be it."""
    if not content:
        return None
    blocks = page.blocks
    start, end = int(content.starts[0]), int(content.ends[-1])
    length = blocks.text_end - blocks.text_start
    fits = (blocks.text_start <= start + (end - start) / 4) & ~blocks.hidden & (length <= _LONGEST)
    sizes = type_sizes(page)[page.runs.element[blocks.first]]
    candidates = np.flatnonzero(fits & (sizes >= 1.0) & (blocks.link_words < blocks.words))
    if not len(candidates):
        return None
    beginning = int(np.searchsorted(blocks.text_start, start))
    scores = sizes[candidates] + _NEARNESS / (1 + np.abs(beginning - candidates))
    best = int(candidates[np.argmax(scores)])
    first, last = int(blocks.first[best]), int(blocks.last[best])
    spans = page.shown(Spans.of_blocks(page, [best]))
    return Headline(fold_space(spans.text(page)), spans, first, last, float(scores.max()), None)
