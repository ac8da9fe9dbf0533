"""Boilerplate inside a selection of blocks: script data, tooltips, consent dialogues, repetitions.

Shops and forums repeat content: an offer for wide and for narrow screens, a post that a later post quotes in full. The
ground truth contains it once. Manuals repeat with a reason (the same note under each of ten calls), and stories repeat
for effect; such repetitions stay, except for a whole story that the page contains twice.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.blocks import VisibleBlocks
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, sums
from tidings.page.tag_sets import tag_set
from tidings.text.patterns import late_pattern

_KEY: Final = late_pattern(r"""["'][\w$.-]{1,40}["']\s?:|\\?"\s?:\s?\\?["\[{]""")
_KEYS: Final = 5
_KEY_WORDS: Final = 12  # words to each key, at most
DATA_WORDS: Final = 20
DATA_SIGN: Final = '":'
_LABEL: Final = 8  # fewer words before data are its label
_TRIED: Final = 4  # runs with a key that are tried as the beginning of data
_IN_QUOTE: Final = tag_set(tags.numbers("blockquote"))
_IN_CODE: Final = tag_set(tags.numbers("pre code samp textarea"))


def script_data(page: Page, visible: VisibleBlocks, chosen: Bools) -> tuple[Bools, Spans]:
    """Return the selected blocks that are script data, and the script data at the end of other blocks.

    Script data leaks into the text if a script element ends too early. Data inside elements for code is text.
    """
    blocks, ends = np.zeros(len(chosen), np.bool_), []
    if page.text.count(DATA_SIGN) >= _KEYS:
        code = _IN_CODE.take(page.elements.tag[page.nearest(_IN_CODE)], mode="clip")
        for place in np.flatnonzero(chosen & (visible.words >= DATA_WORDS)).tolist():
            block = int(visible.blocks[place])
            first, last = int(page.blocks.first[block]), int(page.blocks.last[block])
            begin = _data_begins(page, code, first, last)
            if begin == first:
                blocks[place] = True
            elif begin < last:
                ends.append((int(page.runs.text_start[begin]), int(page.runs.text_end[last - 1])))
    return blocks, Spans.of_edges(np.array(ends, np.int64).ravel(), len(page.text))


def _data_begins(page: Page, code: Bools, first: int, last: int) -> int:
    """Return the first run of a block from which on the block is script data; `last` if it contains none.

    Args:
        page: the page.
        code: which elements are for code, whose text is never script data.
        first: the first run of the block.
        last: the end of its runs.
    """
    runs = page.runs
    starts, end = runs.text_start[first:last].tolist(), int(runs.text_end[last - 1])
    if page.text.count(DATA_SIGN, starts[0], end) < _KEYS:
        return last
    is_code = np.flatnonzero(code[runs.element[first:last]])
    behind_code = first + int(is_code[-1]) + 1 if len(is_code) else first
    keyed = (
        run for run in range(behind_code, last) if DATA_SIGN in page.text[starts[run - first] : runs.text_end[run]]
    )
    for begin in islice(keyed, _TRIED):
        keys = len(_KEY.findall(page.text, starts[begin - first], end))
        words = int(runs.words[begin:last].sum())
        if keys >= _KEYS and words >= DATA_WORDS and keys * _KEY_WORDS >= words:
            is_whole = not len(is_code) and int(runs.words[first:begin].sum()) < _LABEL
            return first if is_whole else begin
    return last


#: Kinds of pages with unintended repetitions, and the share of the selected words that a repetition needs to be
#: removed. A story may repeat a line; a fifth of it is repeated only if the page contains the story twice.
REPETITION_SHARES: Final = {"forum": 0.0, "front": 0.0, "listing": 0.0, "product": 0.0, "article": 0.2}
#: Figures of a run: from a sweep on wcxb-dev, with an eye on plans and menus.
REPEATED_WORDS: Final = 8  # words of a block whose repetition is worth a search
_LINE_WORDS: Final = 3  # words of a line of a run; fewer are a label
_LEAST_RUN: Final = 3  # different lines of a run
_LONG_BLOCK: Final = 16  # words of a block that is a run by itself
_LEAST_OF_STORY: Final = 60  # words of a run in a story


def is_repeated(page: Page, kind: str, visible: VisibleBlocks, chosen: NDArray[np.bool_]) -> Bools:
    """Return which selected blocks belong to a run of blocks that repeats earlier blocks in the same order.

    A single line may be repeated for a reason, like a meal in a weekly menu. It is removed only if it follows itself or
    quotes a line.
    """
    repeated = np.zeros(len(chosen), np.bool_)
    share = REPETITION_SHARES.get(kind)
    if share is None:
        return repeated
    places = np.flatnonzero(chosen)
    blocks = visible.blocks[places]
    starts, ends = page.blocks.text_start[blocks].tolist(), page.blocks.text_end[blocks].tolist()
    keys = [tuple(page.text[start:end].lower().split()) for start, end in zip(starts, ends, strict=True)]
    words = visible.words[places].tolist()
    quotes = page.nearest(_IN_QUOTE)[page.blocks.element[blocks]] > 0
    least = max(_LEAST_OF_STORY, share * sum(words)) if share else 0
    for first, last in _repeated_runs(keys):
        lines = {keys[at] for at in range(first, last) if words[at] >= _LINE_WORDS}
        longest = max(words[first:last])
        is_echo = longest >= REPEATED_WORDS and (keys[first] == keys[first - 1] or bool(quotes[first:last].all()))
        is_run = len(lines) >= _LEAST_RUN or longest >= _LONG_BLOCK
        if (is_run or is_echo) and sum(words[first:last]) >= least:
            repeated[places[first:last]] = True
    return repeated


def _repeated_runs(keys: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Yield the ranges (start, end) of a sequence that repeat an earlier part of it in the same order."""
    earlier: dict[Hashable, int] = {}
    start = source = -1  # the current run: its start, and the earlier key that its last key repeats
    for at, key in enumerate(keys):
        if start >= 0 and source + 1 < start and keys[source + 1] == key:
            source += 1
        else:
            if start >= 0:
                yield start, at
            start, source = (at, earlier[key]) if key in earlier else (-1, -1)
        earlier.setdefault(key, at)
    if start >= 0:
        yield start, len(keys)


#: Parts of start tags to look for first.
_CARD: Final = ("tooltip", "tool-tip", "hovercard", "hover-card")
#: Start tags of tooltips and hover cards (not of the words that open them).
_IS_CARD: Final = late_pattern(
    r"""\srole\s*+=\s*+["']?tooltip\b"""
    r"""|\sclass\s*+=\s*+["']?(?:[^"'>]*[\s_-])?(?:tool-?tip|hover-?card)[_-]*(?:content|text|body|inner)(?=["'\s>])""",
    re.IGNORECASE,
)
_LONGEST: Final = 2000  # characters of a start tag that are read
_CARD_WORDS: Final = 120  # words of a card, at most


def cards(page: Page) -> Spans:
    """Return the texts of tooltips and hover cards, which readers see only while the pointer rests on a word."""
    candidates = page.holding(_CARD)
    if not len(candidates):  # on most pages
        return Spans.none(len(page.text))
    is_card = [bool(_IS_CARD.search(tag, 0, _LONGEST)) for tag in page.cut.tags(page.opened[candidates])]
    if True not in is_card:
        return Spans.none(len(page.text))
    matched = candidates[np.array(is_card, np.bool_)]
    words = sums(page.runs.words)
    return Spans.of_elements(
        page, matched[words[page.elements.last[matched]] - words[page.elements.first[matched]] <= _CARD_WORDS]
    )


#: A word of every consent dialogue, in the larger languages of the web.
_CONSENT_WORDS: Final = (
    "cookie", "Cookie", "COOKIE", "consent", "Consent", "куки", "Куки", "çerez", "Çerez", "עוגיות", "الارتباط", "隐私",
    "隱私", "クッキー", "쿠키",
)  # fmt: skip
#: Parts of those words that Western texts have. Looking for all words takes a fifth of a millisecond on long pages.
_WESTERN_PARTS: Final = ("ookie", "onsent", "COOKIE")
_SAMPLE: Final = 4000  # characters that tell whether a text is Western
#: Parts of start tags to look for first.
_CONSENT_SIGNS: Final = ("cookie", "consent", "onetrust", "gdpr", "dialog", "modal")
#: The name of a consent dialogue: that of a consent platform, or what it asks for with the kind of box that it is.
_IS_CONSENT: Final = late_pattern(
    r"""\s(?:id|class|aria-label)\s*+=\s*+(?:"[^">]*|'[^'>]*|[^\s"'>]*)"""
    r"""(?<![a-z])(?:onetrust-(?:consent|banner|pc)|moove[_-]gdpr|cookie-law-info"""
    r"""|(?:cybot)?(?:cookie|consent|gdpr)\w*[_ -]*"""
    r"""(?:banner|bar\b|bar[_-]|notice|notification|dialog|modal|pop-?up|preferences?|overlay|message|manager|settings))""",
    re.IGNORECASE,
)
#: Start tags of any dialogue. It asks for consent if it has enough consent words, absolutely and per word.
_IS_DIALOGUE: Final = late_pattern(
    r"""^<dialog\b|\srole\s*+=\s*+["']?(?:alert)?dialog\b|\saria-modal\s*+=\s*+["']?true\b"""
    r"""|\s(?:id|class)\s*+=\s*+["']?(?:[^"'>]*[\s_-])?modal(?:[_-][a-z]+)*(?=["'\s>])""",
    re.IGNORECASE,
)
_LEAST_CONSENT_WORDS: Final = 3
_WORDS_PER_CONSENT: Final = 60
_DIALOGUE_TAGS: Final = tag_set(tags.numbers("div section aside dialog form footer"))
_STORY_TAGS: Final = tag_set(tags.numbers("h1 main article"))


def consent_dialogues(page: Page, selected: Spans) -> Spans:
    """Return the texts of cookie-consent dialogues; nothing if the selection contains no consent word.

    An element around the story is never a dialogue: sites write the dialogue's state into the class of the whole page.
    """
    text = page.text
    parts = _WESTERN_PARTS if _is_western(text) else _CONSENT_WORDS
    if not any(text.find(part, start, end) >= 0 for start, end in selected for part in parts):
        return Spans.none(len(text))  # on most pages
    elements = page.elements
    candidates = page.holding(_CONSENT_SIGNS)
    candidates = candidates[
        _DIALOGUE_TAGS.take(elements.tag[candidates], mode="clip")
        & (elements.last[candidates] > elements.first[candidates])
    ]
    if not len(candidates) or not (selected & Spans.of_elements(page, candidates)):
        return Spans.none(len(text))
    words = np.sort(np.array([place for word in _CONSENT_WORDS for place in _places(text, word)], np.int64))
    stories = elements.first[np.flatnonzero(_STORY_TAGS.take(elements.tag, mode="clip"))]
    around = np.searchsorted(stories, elements.last[candidates]) - np.searchsorted(stories, elements.first[candidates])
    candidates = candidates[around == 0]
    first, last = elements.first[candidates], elements.last[candidates]
    begins, ends = page.runs.text_start[first], page.runs.text_end[last - 1]
    named = np.searchsorted(words, ends) - np.searchsorted(words, begins)
    counts = sums(page.runs.words)
    is_dense = (named >= _LEAST_CONSENT_WORDS) & (named * _WORDS_PER_CONSENT >= counts[last] - counts[first])
    starts = page.cut.tags(page.opened[candidates])
    is_consent = [
        bool(_IS_CONSENT.search(tag, 0, _LONGEST)) or (dense and bool(_IS_DIALOGUE.search(tag, 0, _LONGEST)))
        for tag, dense in zip(starts, is_dense.tolist(), strict=True)
    ]
    return Spans.of_elements(page, candidates[np.array(is_consent, np.bool_)])


def _is_western(text: str) -> bool:
    """Return whether the beginning of a text has only characters of Western European languages."""
    try:
        text[:_SAMPLE].encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _places(text: str, word: str) -> Iterator[int]:
    """Yield the positions of a word in a text."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)
