"""Where a story ends, though what follows reads like it: readers' comments, another story, a list of other stories.

A classifier of blocks takes these for the story where their boxes have no telling names. What tells is the page as a
whole.

Comments are long, well written and full of the story's words. The line over them tells, in every language that has a
line in `comment_headings.txt`. The dates keep a label such as "Comment" over a piece of opinion from ending it. A line
that only counts the comments ("Comments (5)") may stand above the story or inside it: it alone is removed.

Many sites load the next story below the one that was asked for, in boxes of the same make. The page's title names the
first headline and not the second, and behind the second stands a date, as behind every headline. Only H1 counts, and
only with a date. Articles whose sections have headings as high as their headline are common: of 708 on wcxb-dev 40 have
such, most of them H2, and to end the story at an H1 that is a link would lose three stories there. With a date, the
rule touches none of the 2,480 pages of five corpora: as they were sent, none has a second story in it. It was made for
those of the sample newspaper, of which it ends 12 of 17 where they end.

Under short news stand the latest others, a linked headline and a sentence or two of each; together they are longer than
the story. A list that closes a guide looks the same, but the guide has no date under its headline, nor has the list.

Where it begins is known to a caller who has the title that a feed or a link had for it: where that is a line of the
page and text follows, the line is the headline, and what stands before it is no part of the story.
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
from tidings.extractors.learned.boilerplate import DATA_SIGN, DATA_WORDS, SAID_WORDS
from tidings.extractors.learned.confidence import BORDERS
from tidings.extractors.learned.removal import Removal, RemovalRule
from tidings.fields.keys import squashed
from tidings.page import Page, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import tag_set
from tidings.text import words as words_of
from tidings.text.patterns import late_pattern
from tidings.urls import site_of

#: Made after looking at news-multilingual, where one page in twenty gains; on a fold of wcxb-dev no page loses by it.
_STORY: Final = 50  # words of the story before
_LINE: Final = 6  # words of the line
_REACH: Final = 30  # blocks behind it, and dates among them
_DATES: Final = 2
_PARAGRAPH: Final = 15  # words of a paragraph, and how many of them show that the story goes on
_PARAGRAPHS: Final = 2
#: Paragraphs without a date among them, and their words, that no comment has: the line is a count or a link to the
#: comments, above the story or inside it.
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


@lru_cache(4096)  # the same lines stand on every page of a site
def _is_heading(text: str) -> bool:
    """Return whether a line begins with words that stand over comments; numbers do not count."""
    said = [word for word in words_of(text) if not word.isdigit()]
    return any(tuple(said[:size]) in _headings() for size in range(1, len(said) + 1))


@lru_cache(4096)
def _is_count(text: str) -> bool:
    """Return whether a line is a count of comments and nothing else: "Comments (5)", "5 comments"."""
    words = words_of(text)
    label = tuple(word for word in words if not word.isdigit())
    return len(label) < len(words) and label in _headings()


def comment_counts(page: Page, found: VisibleBlocks, selected: Bools) -> Bools:
    """Return the selected blocks that are a count of comments.

    In a heading the number must be in brackets: "4 Discussion" is a section of a paper.
    """
    counts = np.zeros(len(selected), np.bool_)
    for place in np.flatnonzero(selected & (found.words <= _LINE)).tolist():
        text = _text(page, found, place)
        if _is_count(text):
            element = page.nearest(_IN_HEADING)[page.blocks.element[found.blocks[place]]]
            counts[place] = page.elements.tag[element] not in _HEADING_TAGS or _BRACKETS.search(text) is not None
    return counts


def comments_begin(page: Page, found: VisibleBlocks, chosen: Bools, lines: Iterable[BlockPlace]) -> int:
    """Return the first visible block of the comments, given the lines that may stand over comments.

    Returns the number of blocks if there are no comments.
    """
    for place, start, end in lines:
        if not _is_heading(page.text[start : min(end, start + _LONGEST)]):
            continue
        if not _goes_on(page, found, chosen, place) and not _is_unsigned(page, found, chosen, place):
            return place
    return len(found.blocks)


def _goes_on(page: Page, found: VisibleBlocks, chosen: Bools, line: int) -> bool:
    """Return whether the story's own box goes on behind a line in a box inside it, as behind teasers with counts."""
    element = page.blocks.element[found.blocks]
    parent = np.maximum(page.elements.parent[element], 0)  # text may stand in the document itself
    is_long = chosen & (found.words >= _PARAGRAPH)
    before, behind = parent[:line][is_long[:line]], parent[line + 1 :][is_long[line + 1 :]]
    if not len(before) or not len(behind):
        return False
    box = int(np.bincount(before, found.words[:line][is_long[:line]]).argmax())
    first, last = page.elements.first[box], page.elements.last[box]
    is_inside = first <= page.blocks.first[found.blocks[line]] < last and parent[line] != box
    return bool(is_inside) and int(np.count_nonzero(behind == box)) >= _PARAGRAPHS


def _is_unsigned(page: Page, found: VisibleBlocks, chosen: Bools, line: int) -> bool:
    """Return whether a run of paragraphs in one box, with no date among them, stands behind a line.

    Readers sign each comment with a date; only a story has so many paragraphs without one.
    """
    places = line + 1 + np.flatnonzero((chosen & (found.words >= _PARAGRAPH))[line + 1 :])
    if len(places) < _UNSIGNED:
        return False
    parent = page.elements.parent[page.blocks.element[found.blocks[places]]]
    is_same = (np.diff(parent) == 0) & (np.diff(found.dates[places]) == 0)
    breaks = np.flatnonzero(~is_same) + 1
    runs = np.split(np.arange(len(places)), breaks)
    return any(len(run) >= _UNSIGNED and int(found.words[places[run]].sum()) >= _UNSIGNED_WORDS for run in runs)


def _places(page: Page, found: VisibleBlocks, places: Ints) -> list[BlockPlace]:
    """Some of the found blocks, with where each begins and ends."""
    starts, ends = page.blocks.text_start[found.blocks[places]], page.blocks.text_end[found.blocks[places]]
    return list(zip(places.tolist(), starts.tolist(), ends.tolist(), strict=True))


_H1: Final = tags.NUMBERS["h1"]
_IN_H1: Final = tag_set(frozenset((_H1,)))
_IN_LINK: Final = tag_set(tags.numbers("a"))
_MOST: Final = 3  # stories that follow; more, or one right under the headline, are the entries of a live page
_FEWEST: Final = 3  # words of a headline
_LONGEST: Final = 400  # characters of it that are looked at
_NEAR: Final = 4  # blocks behind a headline in which its date stands
_DATE_LINE: Final = 30  # words of a line with a date in it
#: A year, in any digits and calendar, and a day or a month beside it.
_YEAR: Final = late_pattern(r"(?<!\d)\d{4}(?!\d)")
_DAY: Final = late_pattern(r"(?<!\d)\d{1,2}(?!\d)")
_TITLED: Final = 0.6  # share of a headline's words that the title of its page has
_UNTITLED: Final = 0.5  # and of a headline of another page, less than this


def headings(page: Page, found: VisibleBlocks) -> list[BlockPlace]:
    """Return the found blocks that stand in an H1."""
    nearest = page.nearest(_IN_H1)[page.blocks.element[found.blocks]]
    return _places(page, found, (page.elements.tag[nearest] == _H1).nonzero()[0])


def headlines(page: Page, inside: Sequence[BlockPlace]) -> list[tuple[int, int, float]]:
    """Return the visible H1s of a page: the place of each among the blocks, its words, the share of them in the
    title.
    """
    title = frozenset(words_of(page.signals.title)) if inside else frozenset()
    said = ((place, words_of(page.text[start : min(end, start + _LONGEST)])) for place, start, end in inside)
    return [
        (place, len(words), sum(word in title for word in words) / len(words))
        for place, words in said
        if len(words) >= _FEWEST
    ]


def another_story_begins(page: Page, found: VisibleBlocks, chosen: Bools, inside: Sequence[BlockPlace]) -> int:
    """Return the first visible block of another story, given those in an H1; the number of blocks if there is none."""
    others: list[int] = []
    is_under_way = False
    heads = headlines(page, inside)
    for place, _, share in heads:
        if share >= _TITLED:
            is_under_way = True
        elif is_under_way and share < _UNTITLED and _is_dated(page, found, place):
            others.append(place)
    if not others or len(others) > _MOST:  # as mostly
        return len(chosen)
    places = [place for place, _, _ in heads]
    for place in others:
        if found.words[: place + 1].dot(chosen[: place + 1]) < _STORY:
            return len(chosen)
        behind = next((other for other in places if other > place), len(chosen))
        if not _is_inset(page, found, chosen, place, behind):
            return place
    return len(chosen)


def _is_inset(page: Page, found: VisibleBlocks, chosen: Bools, headline: int, end: int) -> bool:
    """Return whether the box of a headline is one inside the story, as a gallery's is: paragraphs follow behind it.

    The box is the largest element around the headline without a selected paragraph before it. Paragraphs behind the box
    are those before `end`, where the next headline stands.
    """
    elements, first = page.elements, page.blocks.first[found.blocks]
    is_long = chosen & (found.words >= _PARAGRAPH)
    before = np.flatnonzero(is_long[:headline])
    if not len(before):
        return False
    last_before = int(first[before[-1]])
    box = int(page.blocks.element[found.blocks[headline]])
    while (around := int(elements.parent[box])) > 0 and elements.first[around] > last_before:
        box = around
    behind = headline + 1 + int(np.searchsorted(first[headline + 1 :], elements.last[box]))
    if behind <= headline + 1:  # the headline stands in the story's own box: nothing tells where its text ends
        return False
    rest = is_long[behind:end]
    return int(np.count_nonzero(rest)) >= _PARAGRAPHS and int(found.words[behind:end][rest].sum()) >= _STORY


def _is_dated(page: Page, found: VisibleBlocks, headline: int) -> bool:
    """Return whether a line with a day in it stands close behind a headline."""
    lines = range(headline + 1, min(headline + 1 + _NEAR, len(found.blocks)))
    texts = (_text(page, found, line) for line in lines if found.words[line] <= _DATE_LINE)
    return any(_YEAR.search(text) and _DAY.search(text) for text in texts)


def _text(page: Page, found: VisibleBlocks, place: int) -> str:
    block = found.blocks[place]
    return page.text[page.blocks.text_start[block] : page.blocks.text_end[block]][:_LONGEST]


#: Made after looking at half of the sites of six corpora, and measured on the other half.
_ITEMS: Final = 5  # stories of a list
_BETWEEN: Final = 3  # blocks from one linked headline to the next, and words in them
_TEASER: Final = 60
_POINTING: Final = 0.7  # share of a block's words in links, or so many linked words at its beginning
_LINKED: Final = 4
_LEAST_LINKED: Final = 3
_ITEM: Final = 80  # words of an item that is one block
_SHORTEST: Final = 40  # words of the story before the list
_BEHIND: Final = 40  # and of what else was chosen behind it
_BESIDE: Final = 6  # words of an item that are no link
_MOST_ITEMS: Final = 0.6  # share of the items that must be so
_BEFORE_DATE: Final = 2  # blocks before a headline and behind it in which a date stands
_BEHIND_DATE: Final = 6


def _has_date(page: Page, found: VisibleBlocks, headline: int) -> bool:
    """Return whether a short line with a date or a time stands around a headline."""
    first, last = max(headline - _BEFORE_DATE, 0), min(headline + _BEHIND_DATE + 1, len(found.blocks))
    return bool(found.dates[last] > found.dates[first]) or _is_dated(page, found, headline)


#: What is taken for a list is a story if its headline is so long, and so few headlines and dates stand on the page.
_HEADLINE: Final = 6  # words
_HEADLINES: Final = 3
_MOST_DATES: Final = 20
#: Types of a story, as JSON-LD declares them. Mere `Article` stands on lists and manuals too.
_STORIES: Final = frozenset({"NewsArticle", "ReportageNewsArticle", "AnalysisNewsArticle", "BlogPosting"})


def is_headed(page: Page, found: VisibleBlocks) -> bool:
    """Return whether a page that looks like a list of stories is one story: its headline says so, with a date beside
    it.

    Short news stand among so many others that the page as a whole is a list of links.
    """
    heads = headlines(page, headings(page, found))
    named = [(place, words) for place, words, share in heads if share >= _TITLED]
    if not named or len(heads) > _HEADLINES:
        return False
    if any(thing.get("@type") in _STORIES for thing in page.signals.json_ld if isinstance(thing.get("@type"), str)):
        return True
    place, words = named[0]
    return words >= _HEADLINE and found.dates[-1] <= _MOST_DATES and _has_date(page, found, place)


def list_begins(page: Page, found: VisibleBlocks, lists: Sequence[Ints]) -> int:
    """Return the first visible block of a list of other stories behind the story; the number of blocks if none is.

    `lists` are the candidates (`endings`).
    """
    for items in lists:
        if _are_stories(page, found, items) and _is_news(page, found, items):
            return int(items[0])
    return len(found.blocks)


def _are_stories(page: Page, found: VisibleBlocks, items: Ints) -> bool:
    """Return whether most items of a list have text or a date beside their link, and lead to other pages of the
    site.
    """
    most, behind = _MOST_ITEMS * len(items), min(int(items[-1]) + 2, len(found.blocks))
    plain = sums(found.words - page.blocks.link_words[found.blocks])
    texts = np.diff(plain[np.append(items, behind)])
    dates = np.diff(found.dates[np.append(items, behind)])
    if max(np.count_nonzero(texts >= _BESIDE), np.count_nonzero(dates)) < most:
        return False
    canonical = next((address for rel, address in page.signals.links if rel == "canonical"), "")
    own = site_of(page.url or canonical)
    led = Counter(site_of(address) if ":" in address else own for address in _addresses(page, found, items))
    site, count = led.most_common(1)[0] if led else ("", 0)
    return count >= most and (not own or site == own)


def _addresses(page: Page, found: VisibleBlocks, items: Ints) -> list[str]:
    """Return where the first link of each item leads; a place on the same page is left out."""
    links = page.nearest(_IN_LINK)
    led = []
    for block in found.blocks[items].tolist():
        runs = slice(int(page.blocks.first[block]), int(page.blocks.last[block]))
        inside = np.flatnonzero(page.runs.in_link[runs])
        link = int(links[page.runs.element[runs][inside[0]]])
        address = page.attributes(link).get("href", "").strip()
        if address and not address.startswith("#"):
            led.append(f"http:{address}" if address.startswith("//") else address)
    return led


def _is_news(page: Page, found: VisibleBlocks, items: Ints) -> bool:
    """Return whether a list has dates, or the story before it."""
    first, last = int(items[0]), int(items[-1])
    if found.dates[last + 1] - found.dates[first] >= len(items) / 2:
        return True
    return any(
        share >= _TITLED and place < first and _has_date(page, found, place)
        for place, _, share in headlines(page, headings(page, found))
    )


#: The limits above, in the order in which the core takes them.
_LIMITS: Final = selection.EndingLimits.of(
    *(_LINE, _STORY, _REACH, _DATES, _H1, _LEAST_LINKED, _ITEMS // 2, DATA_WORDS, *map(ord, DATA_SIGN), SAID_WORDS),
    *(_ITEMS, _BETWEEN, _TEASER, _LINKED, _LEAST_LINKED, _ITEM, _SHORTEST, _BEHIND),
    BORDERS[2],
    shares=(_POINTING, *BORDERS[:2]),
)


def endings(page: Page, found: VisibleBlocks, chance: NDArray[np.float64], chosen: Bools) -> selection.Endings:
    """Return what may end the story that was selected from the visible blocks, and the text of the selection.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed on this page.
    """
    memory = page.compiled.memory
    return selection.endings(memory, len(page.runs), found.blocks, found.dates, chance, chosen, _LIMITS)


def end(page: Page, found: VisibleBlocks, removal: Removal, candidates: selection.Endings) -> None:
    """Remove what stands behind a story, and counts of comments inside it."""
    signs, lists = candidates.signs, candidates.lists
    order, chosen = np.arange(len(removal.selected)), removal.selected
    is_less = False
    if signs.lines:
        place = comments_begin(page, found, chosen, signs.lines)
        is_less = removal.remove(RemovalRule.COMMENTS_HEADING, order >= place)
    if len(signs.headings) > 1:  # as on few pages
        place = another_story_begins(page, found, chosen, signs.headings)
        is_less |= removal.remove(RemovalRule.ANOTHER_STORY, order >= place)
    if signs.linking >= _ITEMS // 2:
        if is_less:  # the candidates are those of another selection
            lists = endings(page, found, removal.probability, chosen).lists
        place = list_begins(page, found, lists)
        removal.remove(RemovalRule.STORY_LIST, order >= place)
    removal.remove(RemovalRule.COMMENT_COUNT, comment_counts(page, found, chosen))


#: A hinted title of fewer letters or words is the name of a section, or says "more".
_LEAST_LETTERS, _LEAST_WORDS = 8, 2
#: What a line may say besides the title, in letters and as a share of it: a date, a section.
_MORE, _MORE_SHARE = 20, 0.4
#: Behind a line that is no H1 the story follows within so many blocks: one of so many words that is likely content; and
#: what follows is not much less than what stands before.
_FOLLOWS: Final = 10
_LIKELY: Final = 0.3
_LEAST_BEHIND: Final = 0.25


def hinted_title(page: Page) -> str:
    """Return the title that led to a page, in letters and digits alone; empty if none did, or if it names no story."""
    told = (page.hints.title or page.hints.anchor or "")[:_LONGEST]
    written = squashed(told) if told else ""
    if len(written) < _LEAST_LETTERS or (written.isascii() and len(words_of(told)) < _LEAST_WORDS):
        return ""
    return written


def headline_place(page: Page, found: VisibleBlocks, chance: NDArray[np.floating], title: str) -> int:
    """Return which of the visible blocks is the hinted headline, with its story behind it; -1 if none is."""
    blocks = page.blocks
    starts, ends = blocks.text_start[found.blocks].tolist(), blocks.text_end[found.blocks].tolist()
    places = [
        place
        for place, (start, end) in enumerate(zip(starts, ends, strict=True))
        if len(title) <= end - start <= _LONGEST and is_title(squashed(page.text[start:end]), title)
    ]
    if not places:
        return -1
    heads = [place for place, _, _ in headlines(page, headings(page, found))]
    likely = (chance >= _LIKELY) & (found.words >= _PARAGRAPH)
    for place in places:
        element = page.nearest(_IN_H1)[blocks.element[found.blocks[place]]]
        if page.elements.tag[element] == _H1:
            return place if likely[place + 1 :].any() else -1
    content = chance * found.words
    for place in places:
        if any(likely[head:place].any() for head in heads if head < place):  # a heading in a story that is under way
            return -1
        if (
            blocks.link_words[found.blocks[place]] < found.words[place]
            and likely[place + 1 : place + 1 + _FOLLOWS].any()
        ):
            return place if content[place + 1 :].sum() >= _LEAST_BEHIND * content[:place].sum() else -1
    return -1


def is_title(line: str, title: str) -> bool:
    """Return whether a line says a title and little else, both in letters and digits alone."""
    return title in line and len(line) - len(title) <= min(_MORE, _MORE_SHARE * len(title))
