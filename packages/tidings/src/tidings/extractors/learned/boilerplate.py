"""Boilerplate inside a selection of blocks: script data, tooltips, consent dialogues, repetitions.

Shops and forums say things twice: an offer for wide screens and for narrow ones, a post that a later one repeats whole.
Gold has it once. Manuals and services repeat with a reason (the same note under each of ten calls, the same condition
under each of ten offers), stories for effect; there it stays, but for a story that stands on the page a second time.
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
_LABEL: Final = 8  # words before data that are fewer belong to it
_TRIED: Final = 4  # runs of a block with a key in them that are tried as the beginning of data
_IN_QUOTE: Final = tag_set(tags.numbers("blockquote"))
_IN_CODE: Final = tag_set(tags.numbers("pre code samp textarea"))


def script_data(page: Page, found: VisibleBlocks, chosen: Bools) -> tuple[Bools, Spans]:
    """Return the selected blocks that are data of a script that ended too early, and such data at the end of others.

    Data inside elements for code is text.
    """
    blocks, ends = np.zeros(len(chosen), np.bool_), []
    if page.text.count(DATA_SIGN) >= _KEYS:
        code = _IN_CODE.take(page.elements.tag[page.nearest(_IN_CODE)], mode="clip")
        for place in np.flatnonzero(chosen & (found.words >= DATA_WORDS)).tolist():
            block = int(found.blocks[place])
            first, last = int(page.blocks.first[block]), int(page.blocks.last[block])
            begin = _data_begins(page, code, first, last)
            if begin == first:
                blocks[place] = True
            elif begin < last:
                ends.append((int(page.runs.text_start[begin]), int(page.runs.text_end[last - 1])))
    return blocks, Spans.of_edges(np.array(ends, np.int64).ravel(), len(page.text))


def _data_begins(page: Page, code: Bools, first: int, last: int) -> int:
    """Return the run of a block from which on it is data; `last` if it has none."""
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


#: The kinds of pages that say things twice without meaning to, and the share of the chosen words that has to be said
#: again before it is left out: in a story a line may come back, a fifth of it does only where the page shows it twice.
SAID_TWICE: Final = {"forum": 0.0, "listing": 0.0, "product": 0.0, "article": 0.2}
#: Figures of a run: from a sweep on wcxb-dev, with an eye on plans and menus.
SAID_WORDS: Final = 8  # of a block that makes repetition likely enough to look for it
_LINE_WORDS: Final = 3  # words of a line of a run; fewer are a label
_LEAST_RUN: Final = 3  # different lines of a run
_LONG_BLOCK: Final = 16  # words of a block that is a run by itself
_LEAST_OF_STORY: Final = 60  # words of a run in a story


def is_repeated(page: Page, kind: str, found: VisibleBlocks, chosen: NDArray[np.bool_]) -> Bools:
    """Return which selected blocks of a page of some kind are part of a run that repeats blocks before it, in order.

    A line alone may come back for a reason, as a meal does in the plan of a week. It is removed if it follows itself or
    quotes a line.
    """
    repeated = np.zeros(len(chosen), np.bool_)
    share = SAID_TWICE.get(kind)
    if share is None:
        return repeated
    places = np.flatnonzero(chosen)
    blocks = found.blocks[places]
    starts, ends = page.blocks.text_start[blocks].tolist(), page.blocks.text_end[blocks].tolist()
    keys = [tuple(page.text[start:end].lower().split()) for start, end in zip(starts, ends, strict=True)]
    words = found.words[places].tolist()
    quotes = page.nearest(_IN_QUOTE)[page.blocks.element[blocks]] > 0
    least = max(_LEAST_OF_STORY, share * sum(words)) if share else 0
    for first, last in _repeated_runs(keys):
        lines = {keys[at] for at in range(first, last) if words[at] >= _LINE_WORDS}
        longest = max(words[first:last])
        is_echo = longest >= SAID_WORDS and (keys[first] == keys[first - 1] or bool(quotes[first:last].all()))
        is_run = len(lines) >= _LEAST_RUN or longest >= _LONG_BLOCK
        if (is_run or is_echo) and sum(words[first:last]) >= least:
            repeated[places[first:last]] = True
    return repeated


def _repeated_runs(keys: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of keys that repeat keys before the range in the same order."""
    earlier: dict[Hashable, int] = {}
    start = source = -1  # of the run that is under way: where it began, and the key that it repeats now
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
#: What opens when a pointer rests on a word, as the page declares it or calls its content: no word that opens it.
_IS_CARD: Final = late_pattern(
    r"""\srole\s*+=\s*+["']?tooltip\b"""
    r"""|\sclass\s*+=\s*+["']?(?:[^"'>]*[\s_-])?(?:tool-?tip|hover-?card)[_-]*(?:content|text|body|inner)(?=["'\s>])""",
    re.IGNORECASE,
)
_LONGEST: Final = 2000  # characters of a start tag that are read
_CARD_WORDS: Final = 120  # words of a card, at most


def cards(page: Page) -> Spans:
    """Return texts that stand in the source where a reader sees them only while a pointer rests on a word."""
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
#: Any dialogue; it asks for consent if it names cookies so often, and as often as once in so many words.
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
    """Return the texts of dialogues that ask for consent to cookies; none if the selection has no word of them.

    An element around the story is not one: sites write the state of the dialogue into the class of the whole page.
    """
    text = page.text
    parts = _WESTERN_PARTS if _is_western(text) else _CONSENT_WORDS
    if not any(text.find(part, start, end) >= 0 for start, end in selected for part in parts):
        return Spans.none(len(text))  # as on most pages
    elements = page.elements
    held = page.holding(_CONSENT_SIGNS)
    held = held[_DIALOGUE_TAGS.take(elements.tag[held], mode="clip") & (elements.last[held] > elements.first[held])]
    if not len(held) or not (selected & Spans.of_elements(page, held)):
        return Spans.none(len(text))
    words = np.sort(np.array([place for word in _CONSENT_WORDS for place in _places(text, word)], np.int64))
    stories = elements.first[np.flatnonzero(_STORY_TAGS.take(elements.tag, mode="clip"))]
    around = np.searchsorted(stories, elements.last[held]) - np.searchsorted(stories, elements.first[held])
    held = held[around == 0]
    first, last = elements.first[held], elements.last[held]
    begins, ends = page.runs.text_start[first], page.runs.text_end[last - 1]
    named = np.searchsorted(words, ends) - np.searchsorted(words, begins)
    counts = sums(page.runs.words)
    is_dense = (named >= _LEAST_CONSENT_WORDS) & (named * _WORDS_PER_CONSENT >= counts[last] - counts[first])
    starts = page.cut.tags(page.opened[held])
    called = [
        bool(_IS_CONSENT.search(tag, 0, _LONGEST)) or (dense and bool(_IS_DIALOGUE.search(tag, 0, _LONGEST)))
        for tag, dense in zip(starts, is_dense.tolist(), strict=True)
    ]
    return Spans.of_elements(page, held[np.array(called, np.bool_)])


def _is_western(text: str) -> bool:
    """Return whether the beginning of a text has only characters of Western European languages."""
    try:
        text[:_SAMPLE].encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _places(text: str, word: str) -> Iterator[int]:
    """Yield where a word begins in a text."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)
