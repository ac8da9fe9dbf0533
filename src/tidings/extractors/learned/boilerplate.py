"""Boilerplate inside a choice of blocks: data of scripts, cards under a pointer, what was said before.

Shops and forums say things twice: an offer for wide screens and for narrow ones, a post that a later one repeats whole.
Gold has it once. Manuals and services repeat with a reason (the same note under each of ten calls, the same condition
under each of ten offers), stories for effect; there it stays, but for a story that stands on the page a second time.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.seen_blocks import VisibleBlocks
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, sums
from tidings.page.flow import tag_set
from tidings.text.patterns import late_pattern

_KEY: Final = late_pattern(r"""["'][\w$.-]{1,40}["']\s?:|\\?"\s?:\s?\\?["\[{]""")
_KEYS: Final = 5
_KEY_WORDS: Final = 12  # words to each key, at most
DATA_WORDS: Final = 20
DATA_SIGN: Final = '":'
_IN_CODE: Final = tag_set(tags.numbers("pre code samp textarea"))


def may_be_data(page: Page, found: VisibleBlocks, chosen: Bools) -> bool:
    """Whether one of the chosen blocks has a sign in it that keys of data have."""
    long = found.blocks[chosen & (found.words >= DATA_WORDS)]
    starts, ends = page.blocks.text_start[long].tolist(), page.blocks.text_end[long].tolist()
    return any(page.text.find(DATA_SIGN, start, end) >= 0 for start, end in zip(starts, ends, strict=True))


def is_data(page: Page, found: VisibleBlocks, chosen: NDArray[np.bool_]) -> Bools:
    """Which chosen blocks are the data of a script whose end tag came too early, and no text; code is left as it is."""
    data = np.zeros(len(chosen), np.bool_)
    if page.text.count(DATA_SIGN) < _KEYS:  # as on most pages
        return data
    code = page.nearest(_IN_CODE)
    for place in np.flatnonzero(chosen & (found.words >= DATA_WORDS)).tolist():
        block = found.blocks[place]
        text = page.text[page.blocks.text_start[block] : page.blocks.text_end[block]]
        keys = text.count(DATA_SIGN) and len(_KEY.findall(text))
        tag = page.elements.tag[code[page.runs.element[page.blocks.first[block]]]]
        is_code = bool(_IN_CODE.take(tag, mode="clip"))
        data[place] = keys >= _KEYS and keys * _KEY_WORDS >= found.words[place] and not is_code
    return data


#: The kinds of pages that say things twice without meaning to, and the share of the chosen words that has to be said
#: again before it is left out: in a story a line may come back, a fifth of it does only where the page shows it twice.
SAID_TWICE: Final = {"forum": 0.0, "listing": 0.0, "product": 0.0, "article": 0.2}
SAID_WORDS: Final = 8  # of a block that is known again
_LEAST_OF_STORY: Final = 60  # and of all such blocks of a story


def may_repeat(page: Page, found: VisibleBlocks, chosen: Bools) -> bool:
    """Whether one of the chosen blocks may repeat another: it is as long and has the same letters of ASCII."""
    by_length: dict[int, list[int]] = {}
    _, starts, ends = _said(page, found, chosen)
    for start, end in zip(starts, ends, strict=True):
        by_length.setdefault(end - start, []).append(start)
    alike = ((length, some) for length, some in by_length.items() if len(some) > 1)
    told = ([_letters(page.text[start : start + length]) for start in some] for length, some in alike)
    return any(len(set(one)) < len(one) for one in told)


def _letters(text: str) -> bytes:
    """The letters and digits of ASCII in a text, sorted, but for those that are small letters of others (K, İ) too."""
    small = text.encode("ascii", "ignore").lower()
    return bytes(sorted(byte for byte in small if bytes((byte,)).isalnum() and byte not in b"ki"))


def _said(page: Page, found: VisibleBlocks, chosen: Bools) -> tuple[list[int], list[int], list[int]]:
    """The places of chosen blocks that would be known again, and where each begins and ends."""
    places = (chosen & (found.words >= SAID_WORDS)).nonzero()[0]
    blocks = found.blocks[places]
    return places.tolist(), page.blocks.text_start[blocks].tolist(), page.blocks.text_end[blocks].tolist()


def is_said_before(page: Page, kind: str, found: VisibleBlocks, chosen: NDArray[np.bool_]) -> Bools:
    """Which chosen blocks of a page of some kind repeat one before them, word by word."""
    before = np.zeros(len(chosen), np.bool_)
    share = SAID_TWICE.get(kind)
    if share is None:
        return before
    places, starts, ends = _said(page, found, chosen)
    lengths = Counter(end - start for start, end in zip(starts, ends, strict=True))
    if len(lengths) == len(starts):  # no two are of one length
        return before
    known: set[tuple[str, ...]] = set()
    for place, start, end in zip(places, starts, ends, strict=True):
        if lengths[end - start] > 1:
            said = tuple(page.text[start:end].lower().split())
            before[place] = said in known
            known.add(said)
    again = int(found.words[before].sum())
    if share and (again < _LEAST_OF_STORY or again < share * int(found.words[chosen].sum())):
        before[:] = False
    return before


#: Parts of start tags to look for first.
_CARD: Final = ("tooltip", "tool-tip", "hovercard", "hover-card")
#: What opens when a pointer rests on a word, as the page declares it or calls its content: no word that opens it.
_IS_CARD: Final = late_pattern(
    r"""\srole\s*+=\s*+["']?tooltip\b"""
    r"""|\sclass\s*+=\s*+["']?(?:[^"'>]*[\s_-])?(?:tool-?tip|hover-?card)[_-]*(?:content|text|body|inner)(?=["'\s>])""",
    re.IGNORECASE,
)
_LONGEST: Final = 2000  # characters of a start tag that are read
_CARD_WORDS: Final = 120  # words of a card, at most


def cards(page: Page) -> Spans:
    """Texts that stand in the source where a reader sees them only while a pointer rests on a word."""
    held = page.holding(_CARD)
    if not len(held):  # as on most pages
        return Spans.none(len(page.text))
    called = [bool(_IS_CARD.search(tag, 0, _LONGEST)) for tag in page.cut.tags(page.opened[held])]
    if True not in called:
        return Spans.none(len(page.text))
    found = held[np.array(called, np.bool_)]
    words = sums(page.runs.words)
    return Spans.of_elements(
        page, found[words[page.elements.last[found]] - words[page.elements.first[found]] <= _CARD_WORDS]
    )
