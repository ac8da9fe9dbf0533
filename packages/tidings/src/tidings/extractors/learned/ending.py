"""The end of a story: detection of readers' comments, other stories and lists of stories that follow it.

Text after a story reads like the story, so a block classifier selects it if its boxes have no revealing names. These
rules look at the whole page.

Comments are long, well written and full of the story's words. The heading above them identifies them, in every language
that has a line in `comment_headings.txt`. Dates are required too, so that a label such as "Comment" above an opinion
piece does not end the piece. A line that only counts comments ("Comments (5)") may be above or inside the story; only
the line itself is removed.

Many sites load the next story below the requested one, in the same markup. The page's title contains the words of the
first headline and not of the second, and a date follows the second headline. Only H1 counts, and only with a date.
Articles whose section headings have the level of the headline are common: 40 of 708 on wcxb-dev, most of them H2;
ending a story at an H1 that is a link would lose three stories there. With the date, the rule changes none of the 2,480
pages of five corpora, none of which contains a second story. It was made for the sample newspaper, where it ends 12 of
17 stories correctly.

Below short news items there are teasers of the latest other stories: a linked headline and a sentence or two, together
longer than the story. A list at the end of a guide looks the same, but neither the guide nor the list has dates.

A caller may know the title from a feed or a link. If it is a line of the page and text follows, it is the headline, and
nothing before it belongs to the story.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.core import selection
from tidings.core.selection import BlockPlace
from tidings.extractors.learned.blocks import VisibleBlocks
from tidings.extractors.learned.boilerplate import DATA_SIGN, DATA_WORDS, REPEATED_WORDS
from tidings.extractors.learned.confidence import BORDERS
from tidings.extractors.learned.removal import Removal, RemovalRule
from tidings.fields.keys import squashed
from tidings.page import Page, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import tag_set
from tidings.text import words as words_of
from tidings.text.patterns import late_pattern
from tidings.urls import site_of

#: Tuned on news-multilingual, where one page in twenty gains; on a fold of wcxb-dev no page loses by it.
_STORY: Final = 50  # words of the story before
_LINE: Final = 6  # words of the line
_REACH: Final = 30  # blocks after it, and dates among them
_DATES: Final = 2
_PARAGRAPH: Final = 15  # words of a paragraph, and how many of them show that the story goes on
_PARAGRAPHS: Final = 2
#: A run of this many paragraphs and words without a date is not from comments: the line before it is a count of
#: comments or a link to them, above or inside the story.
_UNSIGNED: Final = 5
_UNSIGNED_WORDS: Final = 200


_HEADING_TAGS: Final = tags.numbers("h1 h2 h3 h4 h5 h6")
_IN_HEADING: Final = tag_set(_HEADING_TAGS)
_BRACKETS: Final = late_pattern(r"[(（\[]\s*\d")


@cache
def _headings() -> frozenset[tuple[str, ...]]:
    text = Path(__file__).with_name("comment_headings.txt").read_text(encoding="utf-8")
    lines = (line.partition("\t")[2] for line in text.splitlines() if not line.startswith("#"))
    return frozenset(tuple(words_of(phrase)) for line in lines for phrase in line.split(";"))


@lru_cache(4096)  # pages of a site share their headings
def _is_heading(text: str) -> bool:
    """Return whether a line begins with a heading of comments, ignoring numbers."""
    words = [word for word in words_of(text) if not word.isdigit()]
    return any(tuple(words[:size]) in _headings() for size in range(1, len(words) + 1))


@lru_cache(4096)
def _is_count(text: str) -> bool:
    """Return whether a line is only a count of comments: "Comments (5)", "5 comments"."""
    words = words_of(text)
    label = tuple(word for word in words if not word.isdigit())
    return len(label) < len(words) and label in _headings()


def comment_counts(page: Page, visible: VisibleBlocks, selected: Bools) -> Bools:
    """Return the selected blocks that are a count of comments.

    In a heading the number must be in brackets: "4 Discussion" is a section of a paper.
    """
    counts = np.zeros(len(selected), np.bool_)
    for place in np.flatnonzero(selected & (visible.words <= _LINE)).tolist():
        text = _text(page, visible, place)
        if _is_count(text):
            element = page.nearest(_IN_HEADING)[page.blocks.element[visible.blocks[place]]]
            counts[place] = page.elements.tag[element] not in _HEADING_TAGS or _BRACKETS.search(text) is not None
    return counts


def comments_begin(page: Page, visible: VisibleBlocks, selected: Bools, lines: Iterable[BlockPlace]) -> int:
    """Return the first visible block of the comments; the number of blocks if there are none.

    `lines` are the candidates for a heading of comments.
    """
    for place, start, end in lines:
        if not _is_heading(page.text[start : min(end, start + _LONGEST)]):
            continue
        if not _goes_on(page, visible, selected, place) and not _is_unsigned(page, visible, selected, place):
            return place
    return len(visible.blocks)


def _goes_on(page: Page, visible: VisibleBlocks, selected: Bools, line: int) -> bool:
    """Return whether the story continues after a line.

    It does if there are selected paragraphs before and after the line in the box around the line's own box.
    """
    element = page.blocks.element[visible.blocks]
    parent = np.maximum(page.elements.parent[element], 0)  # text may be a child of the document itself
    is_long = selected & (visible.words >= _PARAGRAPH)
    before, behind = parent[:line][is_long[:line]], parent[line + 1 :][is_long[line + 1 :]]
    if not len(before) or not len(behind):
        return False
    box = int(np.bincount(before, visible.words[:line][is_long[:line]]).argmax())
    first, last = page.elements.first[box], page.elements.last[box]
    is_inside = first <= page.blocks.first[visible.blocks[line]] < last and parent[line] != box
    return bool(is_inside) and int(np.count_nonzero(behind == box)) >= _PARAGRAPHS


def _is_unsigned(page: Page, visible: VisibleBlocks, selected: Bools, line: int) -> bool:
    """Return whether a line, which looks like a heading of comments, is followed by long text without dates.

    Each comment has a date, so a run of paragraphs in one box without a date belongs to the story.
    """
    places = line + 1 + np.flatnonzero((selected & (visible.words >= _PARAGRAPH))[line + 1 :])
    if len(places) < _UNSIGNED:
        return False
    parent = page.elements.parent[page.blocks.element[visible.blocks[places]]]
    is_same = (np.diff(parent) == 0) & (np.diff(visible.dates[places]) == 0)
    breaks = np.flatnonzero(~is_same) + 1
    runs = np.split(np.arange(len(places)), breaks)
    return any(len(run) >= _UNSIGNED and int(visible.words[places[run]].sum()) >= _UNSIGNED_WORDS for run in runs)


def _places(page: Page, visible: VisibleBlocks, places: Ints) -> list[BlockPlace]:
    """Return for some visible blocks the index, and start and end in the page's text."""
    starts, ends = page.blocks.text_start[visible.blocks[places]], page.blocks.text_end[visible.blocks[places]]
    return list(zip(places.tolist(), starts.tolist(), ends.tolist(), strict=True))


_H1: Final = tags.NUMBERS["h1"]
_IN_H1: Final = tag_set(frozenset((_H1,)))
_IN_LINK: Final = tag_set(tags.numbers("a"))
_MOST: Final = 3  # following stories; more, or one directly below the headline, are entries of a live page
_FEWEST: Final = 3  # words of a headline
_LONGEST: Final = 400  # characters of it that are compared
_NEAR: Final = 4  # blocks after a headline that may contain its date
_DATE_LINE: Final = 30  # words of a line with a date in it
#: A year in any digits and calendar, and a day or a month.
_YEAR: Final = late_pattern(r"(?<!\d)\d{4}(?!\d)")
_DAY: Final = late_pattern(r"(?<!\d)\d{1,2}(?!\d)")
_TITLED: Final = 0.6  # share of the headline's words in the page's title, at least
_UNTITLED: Final = 0.5  # the same for headlines of other stories: less than this


def headings(page: Page, visible: VisibleBlocks) -> list[BlockPlace]:
    """Return the visible blocks inside an H1."""
    nearest = page.nearest(_IN_H1)[page.blocks.element[visible.blocks]]
    return _places(page, visible, (page.elements.tag[nearest] == _H1).nonzero()[0])


def headlines(page: Page, h1_blocks: Sequence[BlockPlace]) -> list[tuple[int, int, float]]:
    """Return index, number of words, and share of words that are in the page title for each visible H1."""
    title = frozenset(words_of(page.signals.title)) if h1_blocks else frozenset()
    lines = ((place, words_of(page.text[start : min(end, start + _LONGEST)])) for place, start, end in h1_blocks)
    return [
        (place, len(words), sum(word in title for word in words) / len(words))
        for place, words in lines
        if len(words) >= _FEWEST
    ]


def another_story_begins(page: Page, visible: VisibleBlocks, selected: Bools, h1_blocks: Sequence[BlockPlace]) -> int:
    """Return the first visible block that belongs to another story, judged by its headline (H1).

    Returns the number of visible blocks if there is no other story.
    """
    starts: list[int] = []
    has_headline = False
    h1_headlines = headlines(page, h1_blocks)
    for place, _, share in h1_headlines:
        if share >= _TITLED:
            has_headline = True
        elif has_headline and share < _UNTITLED and _is_dated(page, visible, place):
            starts.append(place)
    if not starts or len(starts) > _MOST:  # on most pages
        return len(selected)
    places = [place for place, _, _ in h1_headlines]
    for place in starts:
        if visible.words[: place + 1].dot(selected[: place + 1]) < _STORY:
            return len(selected)
        next_headline = next((position for position in places if position > place), len(selected))
        if not _is_inset(page, visible, selected, place, next_headline):
            return place
    return len(selected)


def _is_inset(page: Page, visible: VisibleBlocks, selected: Bools, headline: int, end: int) -> bool:
    """Return whether the box of a headline is an inset of the story, like a gallery: the story continues after it.

    The box is the largest element around the headline without a selected paragraph before the headline. Paragraphs
    after the box count up to `end`, the next headline.
    """
    elements, first = page.elements, page.blocks.first[visible.blocks]
    is_long = selected & (visible.words >= _PARAGRAPH)
    before = np.flatnonzero(is_long[:headline])
    if not len(before):
        return False
    last_before = int(first[before[-1]])
    box = int(page.blocks.element[visible.blocks[headline]])
    while (parent := int(elements.parent[box])) > 0 and elements.first[parent] > last_before:
        box = parent
    behind = headline + 1 + int(np.searchsorted(first[headline + 1 :], elements.last[box]))
    if behind <= headline + 1:  # the headline has no box of its own, so the end of its text is unknown
        return False
    rest = is_long[behind:end]
    return int(np.count_nonzero(rest)) >= _PARAGRAPHS and int(visible.words[behind:end][rest].sum()) >= _STORY


def _is_dated(page: Page, visible: VisibleBlocks, headline: int) -> bool:
    """Return whether a line with a date closely follows a headline."""
    lines = range(headline + 1, min(headline + 1 + _NEAR, len(visible.blocks)))
    texts = (_text(page, visible, line) for line in lines if visible.words[line] <= _DATE_LINE)
    return any(_YEAR.search(text) and _DAY.search(text) for text in texts)


def _text(page: Page, visible: VisibleBlocks, place: int) -> str:
    block = visible.blocks[place]
    return page.text[page.blocks.text_start[block] : page.blocks.text_end[block]][:_LONGEST]


#: Tuned on half of the sites of six corpora, and measured on the other half.
_ITEMS: Final = 5  # stories of a list
_BETWEEN: Final = 3  # blocks from one linked headline to the next, and words in them
_TEASER: Final = 60
_POINTING: Final = 0.7  # share of a block's words in links; or `_LINKED` linked words at its beginning
_LINKED: Final = 4
_LEAST_LINKED: Final = 3
_ITEM: Final = 80  # words of an item that is one block
_SHORTEST: Final = 40  # words of the story before the list
_BEHIND: Final = 40  # and of the other selected text after it
_BESIDE: Final = 6  # unlinked words of an item
_MOST_ITEMS: Final = 0.6  # share of the items that must meet a condition
_BEFORE_DATE: Final = 2  # blocks before and after a headline that may contain its date
_BEHIND_DATE: Final = 6


def _has_date(page: Page, visible: VisibleBlocks, headline: int) -> bool:
    """Return whether a short line with a date or a time is near a headline."""
    first, last = max(headline - _BEFORE_DATE, 0), min(headline + _BEHIND_DATE + 1, len(visible.blocks))
    return bool(visible.dates[last] > visible.dates[first]) or _is_dated(page, visible, headline)


#: An apparent list is a story if its headline has this many words and the page has few headlines and dates.
_HEADLINE: Final = 6  # words
_HEADLINES: Final = 3
_MOST_DATES: Final = 20
#: Types of a story, as JSON-LD declares them. Mere `Article` stands on lists and manuals too.
_STORIES: Final = frozenset({"NewsArticle", "ReportageNewsArticle", "AnalysisNewsArticle", "BlogPosting"})


def is_headed(page: Page, visible: VisibleBlocks) -> bool:
    """Return whether an apparent list of stories is a single story, judged by its headline and a date next to it.

    Short news items are surrounded by so many others that the page as a whole looks like a list of links.
    """
    h1_headlines = headlines(page, headings(page, visible))
    named = [(place, words) for place, words, share in h1_headlines if share >= _TITLED]
    if not named or len(h1_headlines) > _HEADLINES:
        return False
    if any(thing.get("@type") in _STORIES for thing in page.signals.json_ld if isinstance(thing.get("@type"), str)):
        return True
    place, words = named[0]
    return words >= _HEADLINE and visible.dates[-1] <= _MOST_DATES and _has_date(page, visible, place)


def list_begins(page: Page, visible: VisibleBlocks, lists: Sequence[Ints]) -> int:
    """Return the first visible block of a list of links to other stories; the number of visible blocks if there is
    none.

    `lists` are the candidates (`endings`).
    """
    for items in lists:
        if _are_stories(page, visible, items) and _is_news(page, visible, items):
            return int(items[0])
    return len(visible.blocks)


def _are_stories(page: Page, visible: VisibleBlocks, items: Ints) -> bool:
    """Return whether most items of a list have text or a date next to their link, and lead to pages of one site."""
    most, after = _MOST_ITEMS * len(items), min(int(items[-1]) + 2, len(visible.blocks))
    plain = sums(visible.words - page.blocks.link_words[visible.blocks])
    texts = np.diff(plain[np.append(items, after)])
    dates = np.diff(visible.dates[np.append(items, after)])
    if max(np.count_nonzero(texts >= _BESIDE), np.count_nonzero(dates)) < most:
        return False
    canonical = next((url for rel, url in page.signals.links if rel == "canonical"), "")
    own = site_of(page.url or canonical)
    sites = Counter(site_of(url) if ":" in url else own for url in _link_urls(page, visible, items))
    site, count = sites.most_common(1)[0] if sites else ("", 0)
    return count >= most and (not own or site == own)


def _link_urls(page: Page, visible: VisibleBlocks, items: Ints) -> list[str]:
    """Return the URL of the first link of each item, without links within the page."""
    links = page.nearest(_IN_LINK)
    urls = []
    for block in visible.blocks[items].tolist():
        runs = slice(int(page.blocks.first[block]), int(page.blocks.last[block]))
        linked = np.flatnonzero(page.runs.in_link[runs])
        link = int(links[page.runs.element[runs][linked[0]]])
        url = page.attributes(link).get("href", "").strip()
        if url and not url.startswith("#"):
            urls.append(f"http:{url}" if url.startswith("//") else url)
    return urls


def _is_news(page: Page, visible: VisibleBlocks, items: Ints) -> bool:
    """Return whether a list of links, or the story before it, has dates."""
    first, last = int(items[0]), int(items[-1])
    if visible.dates[last + 1] - visible.dates[first] >= len(items) / 2:
        return True
    return any(
        share >= _TITLED and place < first and _has_date(page, visible, place)
        for place, _, share in headlines(page, headings(page, visible))
    )


#: The limits above, in the order in which the core takes them.
_LIMITS: Final = selection.EndingLimits.of(
    *(_LINE, _STORY, _REACH, _DATES, _H1, _LEAST_LINKED, _ITEMS // 2, DATA_WORDS, *map(ord, DATA_SIGN), REPEATED_WORDS),
    *(_ITEMS, _BETWEEN, _TEASER, _LINKED, _LEAST_LINKED, _ITEM, _SHORTEST, _BEHIND),
    BORDERS[2],
    shares=(_POINTING, *BORDERS[:2]),
)


def endings(page: Page, visible: VisibleBlocks, probability: NDArray[np.float64], selected: Bools) -> selection.Endings:
    """Find the places at which the selected story may end, and the text of the selection.

    Raises:
        CoreMissing: the compiled core is not installed.
        CoreError: the core failed on this page.
    """
    memory = page.compiled.memory
    return selection.endings(memory, len(page.runs), visible.blocks, visible.dates, probability, selected, _LIMITS)


def end(page: Page, visible: VisibleBlocks, removal: Removal, candidates: selection.Endings) -> None:
    """Remove from a selection the text after the story, and counts of comments inside it."""
    signs, lists = candidates.signs, candidates.lists
    order, selected = np.arange(len(removal.selected)), removal.selected
    is_less = False
    if signs.lines:
        place = comments_begin(page, visible, selected, signs.lines)
        is_less = removal.remove(RemovalRule.COMMENTS_HEADING, order >= place)
    if len(signs.headings) > 1:  # on few pages
        place = another_story_begins(page, visible, selected, signs.headings)
        is_less |= removal.remove(RemovalRule.ANOTHER_STORY, order >= place)
    if signs.linking >= _ITEMS // 2:
        if is_less:  # the candidates were computed from the previous selection
            lists = endings(page, visible, removal.probability, selected).lists
        place = list_begins(page, visible, lists)
        removal.remove(RemovalRule.STORY_LIST, order >= place)
    removal.remove(RemovalRule.COMMENT_COUNT, comment_counts(page, visible, selected))


#: A hinted title with fewer letters or words is the name of a section, or a link text such as "more".
_LEAST_LETTERS, _LEAST_WORDS = 8, 2
#: Additional text of a title line (a date, a section): at most this many letters and this share of the title.
_MORE, _MORE_SHARE = 20, 0.4
#: After a line that is not an H1, a likely paragraph must follow within this many blocks, and the text after it must
#: have at least this share of the content before it.
_FOLLOWS: Final = 10
_LIKELY: Final = 0.3
_LEAST_BEHIND: Final = 0.25


def hinted_title(page: Page) -> str:
    """Return the letters and digits of the title that led to a page; empty without a title or if it names no story."""
    title = (page.hints.title or page.hints.anchor or "")[:_LONGEST]
    squeezed = squashed(title) if title else ""
    if len(squeezed) < _LEAST_LETTERS or (squeezed.isascii() and len(words_of(title)) < _LEAST_WORDS):
        return ""
    return squeezed


def headline_place(page: Page, visible: VisibleBlocks, probability: NDArray[np.floating], title: str) -> int:
    """Return the visible block with the hinted headline, followed by its story; -1 if there is none."""
    blocks = page.blocks
    starts, ends = blocks.text_start[visible.blocks].tolist(), blocks.text_end[visible.blocks].tolist()
    places = [
        place
        for place, (start, end) in enumerate(zip(starts, ends, strict=True))
        if len(title) <= end - start <= _LONGEST and is_title(squashed(page.text[start:end]), title)
    ]
    if not places:
        return -1
    h1_positions = [place for place, _, _ in headlines(page, headings(page, visible))]
    likely = (probability >= _LIKELY) & (visible.words >= _PARAGRAPH)
    for place in places:
        element = page.nearest(_IN_H1)[blocks.element[visible.blocks[place]]]
        if page.elements.tag[element] == _H1:
            return place if likely[place + 1 :].any() else -1
    content = probability * visible.words
    for place in places:
        if any(likely[head:place].any() for head in h1_positions if head < place):  # a section heading inside a story
            return -1
        if (
            blocks.link_words[visible.blocks[place]] < visible.words[place]
            and likely[place + 1 : place + 1 + _FOLLOWS].any()
        ):
            return place if content[place + 1 :].sum() >= _LEAST_BEHIND * content[:place].sum() else -1
    return -1


def is_title(line: str, title: str) -> bool:
    """Return whether a line consists of a title and little else (both reduced to letters and digits)."""
    return title in line and len(line) - len(title) <= min(_MORE, _MORE_SHARE * len(title))
