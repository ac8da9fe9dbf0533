"""What readers wrote under a story, and the posts of a forum or a weblog: as lists of their own.

DANA thesis 7.2.2: posts and comments are parts of a page that repeat, and the comments of a post stand under it. Here a
post or comment is one of several boxes with the same name (`post_12`, `post_13`; `comment even`, `comment odd`), told
from other lists by what stands in each: an author or a time, and text that is no link. Names say what the boxes are;
those of the common systems are in English whatever the language of the text.

What is called after comments and stands behind a story is left to readers, also where nobody has written yet:
`Remarks.area` is that part of the page, with its form and its count, for extractors to leave out.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from tidings.fields.declared import declared, types
from tidings.fields.kept import kept
from tidings.fields.named import Names, boxes, words_of
from tidings.fields.signatures import Moment, behind, name_in, notes, time_in
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums

#: Parts of words to look for first; the names that hold them are then read properly.
_COMMENT: Final = ("omment", "comentario", "disqus", "respond")
_POST: Final = ("post", "message", "msg", "answer", "repl", "topic", "entry")
_COMMENT_WORD: Final = re.compile(r"(?:comments?|commentaires?|komment\w*|comentarios?|disqus|commentlist|respond)\Z")
_ITEM_WORD: Final = re.compile(
    r"(?:comment|commentaire|kommentar|comentario|post|message|msg|answer|reply|topic|entry)\Z"
)
#: Words that a name of a whole comment or post may hold besides; another word makes it a part, or a list.
_BESIDE: Final = frozenset(
    "li div js wp block item el c u p wrapper wrap single user thread container body edit box row view full parent "
    "crawler type has layout inner card top level depth even odd by the tree root node old new bit im id".split()
)
_H1: Final = tags.NUMBERS["h1"]
#: Boxes with text of which this part holds an author or a time are posts.
_ENOUGH: Final = 0.5
#: The posts of a forum are this part of its text; fewer are a list of teasers beside a story.
_MOST_OF_PAGE: Final = 0.4
#: On a page that says it is a story, one post of this part of all is the story.
_ONE: Final = 0.7
#: Characters that are no link, on average, in a post.
_POST_LENGTH: Final = 60
#: Characters before the first comment that make it one: there is a story above it.
_STORY: Final = 400
#: Where nothing says what the page is: the part of the comments that the text above them is, if it is a story.
_SHARE_ABOVE: Final = 0.25
#: Groups of boxes that are looked at, the largest first.
_MOST_GROUPS: Final = 24
#: No page shows more comments.
MOST: Final = 2000


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment or a post: where its text stands and in which box, or the text if the page does not show it."""

    spans: Spans | None = None
    author: str = ""
    published: Moment | None = None
    element: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Remarks:
    """The comments and the posts of a page, and the part of the page that is given to comments."""

    comments: tuple[Remark, ...]
    posts: tuple[Remark, ...]
    area: Spans


@kept
def find(page: Page) -> Remarks:
    """The comments and posts on a page."""
    return _Search(page).result()


class _Search:
    def __init__(self, page: Page) -> None:
        self.page = page
        runs = page.runs
        self.prose = sums(np.where(runs.hidden | runs.in_link, 0, runs.chars))  # characters before each run

    def result(self) -> Remarks:
        asked = boxes(self.page)
        after_comments = asked.holding(_COMMENT)
        called = asked.names(after_comments)
        found = self.area(called)
        comments = self.items([box for box in called if self.is_in(box.element, found)]) if found else []
        places = np.union1d(after_comments, asked.holding(_POST))
        large = asked.names(places[self.is_long(asked.elements[places])])
        posts = self.items(large, _MOST_OF_PAGE * int(self.prose[-1]), 2)
        if posts and self.is_one(posts):
            posts = []
        nothing = Spans.none(len(self.page.text))
        area = self.spans(found)
        if posts and area and self.is_in(posts[0], found):  # the posts are what is called comments
            first = self.page.elements.first[posts[0]]
            if self.is_story(int(self.prose[first]), self.held(posts)):  # and there is a story above them
                posts = []
            else:
                area, comments = nothing, []
        return Remarks(
            self.remarks(comments, nothing) if comments else (),
            self.remarks(posts, area) if posts else (),
            area,
        )

    def is_long(self, boxes: Ints) -> Bools:
        """Which boxes hold enough that is no link for a post."""
        elements = self.page.elements
        return np.asarray(self.prose[elements.last[boxes]] - self.prose[elements.first[boxes]] >= _POST_LENGTH)

    # -- where ----------------------------------------------------------------------------------------------

    def area(self, called: Sequence[Names]) -> list[int]:
        """The outermost boxes called after comments, none of which holds the headline or most of the page."""
        elements = self.page.elements
        headings = elements.first[elements.tag == _H1]
        found: list[int] = []
        for box in called:
            element = box.element
            if found and elements.end[element] <= elements.end[found[-1]]:
                continue
            if not any(map(_is_called_after_comments, box.names)):
                continue
            first, last = elements.first[element], elements.last[element]
            if np.searchsorted(headings, first) < np.searchsorted(headings, last):
                continue
            if self.prose[first] < min(_STORY, self.prose[-1] - self.prose[last]):  # before the story, or around it
                continue
            found.append(element)
        return found

    def is_in(self, element: int, area: Sequence[int]) -> bool:
        """Whether an element stands in one of some boxes, which are sorted and not in each other."""
        place = bisect(area, element) - 1
        return place >= 0 and bool(self.page.elements.end[element] <= self.page.elements.end[area[place]])

    def spans(self, area: Sequence[int]) -> Spans:
        return Spans.of_elements(self.page, np.array(area, np.int64))

    def is_story(self, before: int, held: float) -> bool:
        """Whether so many characters before the first comment are a story: a forum has some too."""
        if before < _STORY:
            return False
        told = self.tells_story()
        return told if told is not None else before >= _SHARE_ABOVE * held

    def tells_story(self) -> bool | None:
        """Whether the page says that it is a story, or a forum; None if it says neither."""
        kinds = types(declared(self.page).story)
        if any("Forum" in kind for kind in kinds):
            return False
        return True if kinds or "article" in self.page.signals.all("og:type") else None

    def is_one(self, posts: Sequence[int]) -> bool:
        """Whether the boxes are a story and teasers of others, which bear the same name."""
        elements = self.page.elements
        sizes = self.prose[elements.last[list(posts)]] - self.prose[elements.first[list(posts)]]
        return bool(self.tells_story()) and int(sizes.max()) >= _ONE * self.held(posts)

    # -- which ----------------------------------------------------------------------------------------------

    def items(self, called: Sequence[Names], least: float = 0.0, fewest: int = 1) -> list[int]:
        """Of the groups of boxes with the same name the one that holds most, the outermost of equals.

        Args:
            called: the boxes.
            least: characters that are no link in all of them.
            fewest: how many there are at least.
        """
        groups: dict[tuple[int, str], list[int]] = {}
        elements = self.page.elements
        for box in called:
            for name in box.names:
                if kind := _item_name(name):
                    group = groups.setdefault((int(elements.tag[box.element]), kind), [])
                    if not group or group[-1] != box.element:
                        group.append(box.element)
        sizes = [
            (int((self.prose[elements.last[group]] - self.prose[elements.first[group]]).sum()), group)
            for group in groups.values()
            if fewest <= len(group) <= MOST
        ]
        best: list[int] = []
        most = 0.0
        for size, group in sorted(sizes, key=lambda pair: -pair[0])[:_MOST_GROUPS]:
            if size < max(least, most):  # what is in several of its boxes counts more than once here
                break
            held = self.held(group)
            worth = held if len(group) > 1 else held / 2  # one box of that name may be the one around all
            if held >= least and worth > 1.05 * most and self.signed(group).mean() >= _ENOUGH:
                best, most = group, worth
        return best

    def held(self, group: Sequence[int]) -> float:
        """Characters that are no link in the boxes, those in each other once."""
        spans = self.spans(group)
        starts = np.searchsorted(self.page.runs.text_start, spans.starts)
        ends = np.searchsorted(self.page.runs.text_start, spans.ends)
        return float((self.prose[ends] - self.prose[starts]).sum())

    def signed(self, group: Sequence[int]) -> Bools:
        """Which of the boxes hold an author or a time. Some of a long list are enough to tell."""
        asked = np.array(group[:: max(1, len(group) // 8)])
        inside = np.array([element for element, note in notes(self.page, asked) if any(note)], np.int64)
        borders = np.searchsorted(inside, (asked, behind(self.page, asked)))
        return np.asarray(borders[1] > borders[0])

    # -- who, when and what -----------------------------------------------------------------------------------

    def remarks(self, group: Sequence[int], without: Spans) -> tuple[Remark, ...]:
        """The boxes with what stands in each and not in another of them."""
        page, elements = self.page, self.page.elements
        owner = np.full(len(page.runs), -1, np.int64)
        for place, element in enumerate(group):  # the inner ones come later
            owner[elements.first[element] : elements.last[element]] = place
        authors: dict[int, tuple[int, str]] = {}
        times: dict[int, Moment] = {}
        borders = np.zeros(len(owner) + 1, np.int64)
        for element, note in notes(page, np.array(group)):
            first, last = int(elements.first[element]), int(elements.last[element])
            borders[first] += 1
            borders[last] -= 1
            whose = int(owner[first])
            if note.author and note.author > authors.get(whose, (0, ""))[0] and (name := name_in(page, element)):
                authors[whose] = note.author, name
            if note.timed and whose not in times and (when := time_in(page, note, element)):
                times[whose] = when
        owner[(np.cumsum(borders)[:-1] > 0) | page.runs.hidden | without.runs(page)] = -1
        order = np.argsort(owner, kind="stable")
        starts = np.searchsorted(owner[order], np.arange(len(group) + 1))
        found = []
        for place in range(len(group)):
            mine = order[starts[place] : starts[place + 1]]
            if len(mine):
                _, author = authors.get(place, (0, ""))
                found.append(Remark(Spans.of_runs(page, mine), author, times.get(place), group[place]))
        return tuple(found)


@lru_cache(maxsize=4096)
def _item_name(name: str) -> str:
    """The name of a whole comment or post, any number as `#` (`li comment#`, `ips comment`), else nothing."""
    words = words_of(name)
    if not any(map(_ITEM_WORD.match, words)):
        return ""
    whole = _ITEM_WORD.match(words[-1]) or all(_ITEM_WORD.match(word) or word in _BESIDE for word in words)
    return " ".join(words) + "#" * (not name.isalpha() and any(map(str.isdigit, name))) if whole else ""


@lru_cache(maxsize=4096)
def _is_called_after_comments(name: str) -> bool:
    words = words_of(name)
    return bool(words) and bool(_COMMENT_WORD.match(words[0]) or _COMMENT_WORD.match(words[-1]))
