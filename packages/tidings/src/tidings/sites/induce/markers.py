"""Pieces of source that all pages of one make have: a cheap fingerprint, and delimiters for a text without a name.

What stands before and behind the story in its container, cut off at what announces it.

A byline above, a list of other stories below: often nothing but their first tag, or a line of text that is the same on
several pages, tells where they begin. Of all rows of tags, and tags with the text that follows them, the one is taken
that cuts off most of what was not chosen and next to nothing of what was, over all pages.

Anchors that an element could be told by, the most lasting first: its id, then words of its class.

Names that a program makes up anew (numbers of posts, hashes of style sheets) are left out: tomorrow they are others.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tidings.page.attributes import attributes
from tidings.page.columns import Bools, Ints, sums
from tidings.sites.anchor import Anchor, Condition
from tidings.sites.lesson import Lesson
from tidings.sites.rule import LONGEST, MAIN, Rule

_MADE_UP: Final = re.compile(
    r"\d{3}|^(?:css|sc|jss|jsx|emotion|svelte|styled|astro|data-v|ng|ember|react|yui|ext-gen|__)[-_]?\w*\d|"
    r"^(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])[\w-]{5,}$|^(?=\w*\d\w*\d)[a-z0-9]{6,}$|_\w{5,}_\d+$|__\w+--?\w{5}$"
)
_LONGEST: Final = 80
#: Attributes that tell an element besides: of today's pages, and of the tables that older ones are laid out with.
_ALSO: Final = ("itemprop", "role", "property", "align", "width", "bgcolor")
_MOST_CLASS_WORDS: Final = 8


def lasts(name: str) -> bool:
    """Return whether a name looks like one that a person gave."""
    return 1 < len(name) <= _LONGEST and not _MADE_UP.search(name) and not any(char in name for char in "<>\"'&=")


@lru_cache(maxsize=20_000)
def anchors(tag: str, start_tag: str) -> tuple[Anchor, ...]:
    """What an element can be told by, from its start tag; the pages of a site have the same tags again and again."""
    return tuple(_anchors(tag, start_tag))


def _anchors(tag: str, start_tag: str) -> Iterator[Anchor]:
    if "=" not in start_tag:
        return
    said = attributes(start_tag)
    own = said.get("id", "").strip()
    if own and lasts(own) and not any(char.isspace() for char in own):
        yield Anchor.of(tag, id=own)
    words = [word for word in said.get("class", "").split()[:_MOST_CLASS_WORDS] if lasts(word)]
    for word in words:
        yield Anchor.of(tag, classes=word)
    if 1 < len(words) <= 4:
        yield Anchor.of(tag, classes=" ".join(words))
    for name in _ALSO:
        if (value := said.get(name, "").strip()) and (lasts(value) or name in _ALSO[3:]) and " " not in value:
            yield Anchor(tag, (Condition(name, "is", value),))


def common_beginning(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    first, last = min(texts), max(texts)
    same = next(
        (place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first)
    )
    return first[:same]


_TAG: Final = re.compile(r"<(?:!--[^<>]{3,120}-->|[a-zA-Z][^<>]{6,300}>)")
_ANY_TAG: Final = re.compile(r"<(?:!--[^<>]{3,120}-->|/?[a-zA-Z][^<>]{0,300}>)")
_IN_A_ROW: Final = 3
#: Delimiters stand on so many of the pages.
_LEAST_PAGES: Final = 0.4
#: The address of another story, as on pages of the same day; tomorrow it is another.
_STORY: Final = re.compile(
    r"\s(?:href|src)\s*=\s*[\"']?[^\"'>\s]*?(?:\d|-[^\"'>\s-]+-[^\"'>\s-]+-|[^\"'>\s]{48})", re.IGNORECASE
)
_NAMED: Final = re.compile(r"\s(?:id|class)\s*=", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"\d{3}")
_MOST: Final = 5
#: How much further into a page than on those learned from something is looked for.
_FURTHER: Final = 2
_MORE: Final = 4096
#: A delimiter this far from the text takes too much along.
_WORDS_BETWEEN: Final = 40


def markers(lessons: Sequence[Lesson]) -> tuple[tuple[str, ...], int]:
    """Start tags with a name that every page has, early in the source, so that they are quickly found.

    And how far to look for them, in bytes.
    """
    if len(lessons) < 2:
        return (), 0
    shared: set[str] | None = None
    for lesson in lessons:
        own = {tag for tag in _tags(lesson) if _NAMED.search(tag) and not _NUMBERS.search(tag)}
        shared = own if shared is None else shared & own
    found = sorted(shared or (), key=lambda tag: max(lesson.page.source.find(tag) for lesson in lessons))
    step = max(1, len(found) // (3 * _MOST))
    chosen = tuple(found[::step][:_MOST])
    furthest = max((_place(lesson, tag) for lesson in lessons for tag in chosen), default=0)
    return chosen, _FURTHER * furthest + _MORE


def _place(lesson: Lesson, tag: str) -> int:
    return lesson.data.find(tag.encode(lesson.encoding, "replace")) + len(tag)


def _tags(lesson: Lesson) -> list[str]:
    found = lesson.__dict__.get("_tags_found")
    if found is None:
        found = lesson.__dict__["_tags_found"] = _TAG.findall(lesson.page.source)
    return list(found)


def delimited(lessons: Sequence[Lesson]) -> list[Rule]:
    """Return the main text by what stands before and behind it: tags with attributes, and comments, that stand once."""
    counted = [Counter(_tags(lesson)) for lesson in lessons]
    once = [row for row in _often(counted) if all(one[row] < 2 for one in counted) and len(row) <= LONGEST]
    return _between(lessons, once, once)


def delimited_by_rows(lessons: Sequence[Lesson]) -> list[Rule]:
    """Return the same by any tags, or a few of them in a row.

    What stands before the text stands once on a page. What stands behind it may have stood before: the first that
    follows counts.
    """
    counted = [_rows(lesson) for lesson in lessons]
    often = _often(counted)
    return _between(lessons, [row for row in often if all(one[row] < 2 for one in counted)], often)


def _often(counted: Sequence[Counter[str]]) -> list[str]:
    """What stands on most pages."""
    pages = Counter(row for one in counted for row in one)
    return [row for row, count in pages.items() if count >= _wanted(len(counted)) and not names_a_story(row)]


def names_a_story(row: str) -> bool:
    """Return whether there is the address of another story in some tags: it will not stand there for long."""
    return _STORY.search(row) is not None


def _wanted(pages: int) -> float:
    """On how many of some pages a delimiter has to stand."""
    return max(min(pages, 2), _LEAST_PAGES * pages)


def _between(lessons: Sequence[Lesson], before: Sequence[str], behind: Sequence[str]) -> list[Rule]:
    left, near = _nearest(lessons, before, None)
    right, near = _nearest(near, behind, left) if left else ("", near)
    return [Rule(MAIN, left=left, right=right)] if right and len(near) >= _wanted(len(lessons)) else []


def _rows(lesson: Lesson) -> Counter[str]:
    """Return tags and comments of a page, and up to three of them in a row, with how often each stands on it."""
    kept: Counter[str] | None = lesson.__dict__.get("_rows")
    if kept is None:
        source = lesson.page.source
        spans = [match.span() for match in _ANY_TAG.finditer(source)]
        kept = Counter()
        for place, (start, end) in enumerate(spans):
            behind = end
            kept[source[start:end]] += 1
            for further, until in spans[place + 1 : place + _IN_A_ROW]:
                if until - start > LONGEST or source[behind:further].strip():
                    break
                kept[source[start:until]] += 1
                behind = until
        lesson.__dict__["_rows"] = kept
    return kept


def _nearest(lessons: Sequence[Lesson], rows: Sequence[str], left: str | None) -> tuple[str, list[Lesson]]:
    """Return the row of tags that stands near the text on most pages, and with the fewest words between; and those
    pages.

    It stands before the text, or behind it if the left one is told. Pages on which it stands elsewhere are of another
    make.
    """
    best: tuple[int, float, int, str] = (0, 0.0, 0, "")
    pages: list[Lesson] = []
    edges = [_edge(lesson, before=left is None) for lesson in lessons]
    for row in rows:
        near: list[Lesson] = []
        apart = 0
        for lesson, (place, words) in zip(lessons, edges, strict=True):
            source = lesson.page.source
            begin = source.find(left) + len(left) if left is not None else 0
            at = source.find(row, begin)
            behind = at + len(row)
            if at < 0 or ((behind > place) if left is None else (at < place)):
                continue
            runs = int(lesson.page.runs.start.searchsorted(behind if left is None else at))
            between = abs(int(lesson.words_before[runs]) - words)
            if between <= _WORDS_BETWEEN:
                near.append(lesson)
                apart += between
        found = (-len(near), apart / max(len(near), 1), len(row), row)
        if near and found < best:
            best, pages = found, near
    return best[3], pages


def _edge(lesson: Lesson, *, before: bool) -> tuple[int, int]:
    """Return where in the source the chosen text begins or ends, and how many words stand before."""
    runs = lesson.page.runs
    chosen = lesson.chosen.nonzero()[0]
    if not len(chosen):
        return 0, 0
    if before:
        return int(runs.start[chosen[0]]), int(lesson.words_before[chosen[0]])
    return int(runs.end[chosen[-1]]), int(lesson.words_before[chosen[-1] + 1])


_LONGEST_TEXT, _MOST_WORDS = 60, 5
#: What says nothing but that a paragraph ends may stand anywhere in the next story: an attribute, a comment or a text
#: has to be in it.
_SAYS_SOMETHING: Final = re.compile(r"=|<!--|>\s*[^\s<\d][^<]{2}")

#: It stands on so many pages, as a share of them.

#: Worth a search if it cuts off so much, as a share of the chosen words; it may cost so much of them, and a quarter of
#: what it cuts off: what one page alone got wrong is outvoted.
_WORTH: Final = 0.004
_MAY_COST: Final = 0.02


class Container(NamedTuple):
    """The element of a page that holds the story."""

    lesson: Lesson
    element: int
    noise: Bools  # runs that other rules cut out

    @property
    def source(self) -> str:
        """Its source, without its own tags as far as that matters here."""
        elements = self.lesson.page.elements
        return self.lesson.page.source[int(elements.start[self.element]) + 1 : int(elements.end[self.element])]

    @property
    def texts(self) -> list[str]:
        """The texts of its runs."""
        page, elements = self.lesson.page, self.lesson.page.elements
        runs = slice(int(elements.first[self.element]), int(elements.last[self.element]))
        begins, ends = page.runs.text_start[runs].tolist(), page.runs.text_end[runs].tolist()
        return [page.text[begin:end].strip() for begin, end in zip(begins, ends, strict=True)]

    @property
    def start(self) -> int:
        """Where that begins on the page."""
        return int(self.lesson.page.elements.start[self.element]) + 1


class _Cuts(NamedTuple):
    """Where rows stand first in a container, and how many words there are before each run of it."""

    places: dict[str, int]  # in the source of the page
    runs: Ints  # where the runs begin
    first: int  # the first run of the container
    chosen: Ints
    other: Ints

    def before(self, right: str) -> _Cuts:
        """Return the same without the rows that stand from another on: they are cut off with it."""
        end = self.places.get(right)
        if end is None:
            return self
        return self._replace(places={row: place for row, place in self.places.items() if place + len(row) <= end})


def trimmed(rule: Rule, containers: Sequence[Container]) -> Rule:
    """Return the rule with what cuts off the end and the beginning of its element, where that is worth it."""
    pages = Counter(text for one in containers for text in set(one.texts))
    repeated = frozenset(text for text, count in pages.items() if count >= max(2, _LEAST_PAGES * len(containers)))
    cuts = [_cuts(one, repeated) for one in containers]
    total = sum(int(one.chosen[-1]) for one in cuts)
    right = _best(cuts, total, from_here=True)
    before = [one.before(right) for one in cuts] if right else cuts
    left = _best(before, total, from_here=False)
    return replace(rule, left=left, right=right)


def behind(rule: Rule, container: Container) -> tuple[int, int]:
    """Return where on the page the story begins and ends in a container when the rule has cut it."""
    source, start = container.source, container.start
    begin = source.find(rule.left) if rule.left else -1
    begin = begin + len(rule.left) if begin >= 0 else 0
    end = source.find(rule.right, begin) if rule.right else -1
    return start + begin, start + (end if end >= 0 else len(source))


def _best(cuts: Sequence[_Cuts], total: int, *, from_here: bool) -> str:
    """Return the row that cuts off most; none if that is little."""
    saved: dict[str, int] = defaultdict(int)
    lost: dict[str, int] = defaultdict(int)
    pages: dict[str, int] = defaultdict(int)
    for one in cuts:
        rows = list(one.places)
        places = np.array([one.places[row] + (0 if from_here else len(row)) for row in rows])
        at = np.clip(one.runs.searchsorted(places) - one.first, 0, len(one.other) - 1)
        other, chosen = one.other[at], one.chosen[at]
        if from_here:
            other, chosen = one.other[-1] - other, one.chosen[-1] - chosen
        for row, more, less in zip(rows, other.tolist(), chosen.tolist(), strict=True):
            saved[row] += more
            lost[row] += less
            pages[row] += 1
    wanted = max(2, _LEAST_PAGES * len(cuts))
    worth = [
        (more, pages[row], -len(row), row)
        for row, more in saved.items()
        if pages[row] >= wanted and more >= _WORTH * total and lost[row] <= min(_MAY_COST * total, more / 4)
    ]
    return max(worth)[3] if worth else ""


def _cuts(container: Container, repeated: frozenset[str]) -> _Cuts:
    lesson, element = container.lesson, container.element
    first, last = (int(column[element]) for column in (lesson.page.elements.first, lesson.page.elements.last))
    runs = slice(first, last)
    words = lesson.visible_words[runs] * ~container.noise[runs]
    # What stands on several pages is no part of a story, chosen or not.
    chosen = lesson.chosen[runs] & np.array([text not in repeated for text in container.texts], np.bool_)
    places: dict[str, int] = {}
    for row, place in _announcements(container.source):
        places.setdefault(row, container.start + place)
    return _Cuts(places, lesson.page.runs.start, first, sums(words * chosen), sums(words * ~chosen))


def _announcements(source: str) -> Iterator[tuple[str, int]]:
    """Yield tags with the text behind them, and tags in a row, that say something."""
    spans = [match.span() for match in _ANY_TAG.finditer(source)]
    for place, (start, end) in enumerate(spans):
        until = spans[place + 1][0] if place + 1 < len(spans) else len(source)
        ends = [end]
        for further, closed in spans[place + 1 : place + _IN_A_ROW]:
            if source[ends[-1] : further].strip():
                break
            ends.append(closed)
        # A line of more words is a headline of the day.
        if until - end <= _LONGEST_TEXT and 0 < source[end:until].count(" ") + 1 <= _MOST_WORDS:
            ends.append(until)
        for stop in ends:
            row = source[start:stop]
            passing = _NUMBERS.search(row) or names_a_story(row)
            if len(row) <= LONGEST and _SAYS_SOMETHING.search(row) and not passing:
                yield row, start
