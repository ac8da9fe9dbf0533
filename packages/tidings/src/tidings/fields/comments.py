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
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.declared import declared, types
from tidings.fields.elements_by_class import Names, boxes_holding, names, words_of
from tidings.fields.memo import memoized
from tidings.fields.signatures import Moment, are_signed, name_in, notes, signed_line, time_in
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, kept, sums
from tidings.page.microdata import items
from tidings.text.patterns import late_pattern

#: Parts of words to look for first; the names that hold them are then read properly.
_COMMENT: Final = ("omment", "comentario", "disqus", "respond")
_POST: Final = ("post", "message", "msg", "answer", "repl", "topic", "entry")
_EITHER: Final = _COMMENT + _POST
_COMMENT_WORD: Final = late_pattern(r"(?:comments?|commentaires?|komment\w*|comentarios?|disqus|commentlist|respond)\Z")
_ITEM_WORD: Final = late_pattern(
    r"(?:comment|commentaire|kommentar|comentario|post|message|msg|answer|reply|topic|entry)\Z"
)
#: Words that a name of a whole comment or post may hold besides; another word makes it a part, or a list.
_BESIDE: Final = frozenset(
    "li div js wp block item el c u p wrapper wrap single user thread container body edit box row view full parent "
    "crawler type has layout inner card top level depth even odd by the tree root node old new bit im id".split()
)
#: An item of microdata that is a comment (schema.org).
_ITEM: Final = re.compile(r"""itemtype\s*+=\s*+["']?[^"'\s>]*?/(?:User)?Comments?["'\s>]""")
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


class Remark(NamedTuple):
    """A comment or a post: where its text stands and in which box, or the text if the page does not show it."""

    spans: Spans | None = None
    author: str = ""
    published: Moment | None = None
    element: int = 0
    text: str = ""


class Remarks(NamedTuple):
    """The comments and the posts of a page, and the part of the page that is given to comments."""

    comments: tuple[Remark, ...]
    posts: tuple[Remark, ...]
    area: Spans
    answers: Spans  # where others sign than the author of the page: that part, and comments among the posts of a forum


class _Notes(NamedTuple):
    """What notes tell, by the comment they stand in."""

    authors: dict[int, tuple[int, str]]  # how surely, and who
    times: dict[int, Moment]
    others: dict[int, list[str]]  # the texts of those that tell no time by their names
    runs: Bools  # which of the page are in notes


@memoized
def find(page: Page) -> Remarks:
    """Return the comments and posts on a page."""
    return _CommentSearch(page).result()


@memoized
def own_text(page: Page) -> str:
    """Return the text of a page with line breaks in place of what readers wrote under it, so that places stay as they
    are.
    """
    text, place = page.text, 0
    pieces = []
    for start, end in find(page).answers:
        pieces += [text[place:start], "\n" * (end - start)]
        place = end
    return "".join((*pieces, text[place:]))


@memoized
def answering(page: Page) -> Bools:
    """Return which runs stand in what readers wrote under a page."""
    answers = find(page).answers
    return answers.runs(page) if answers else np.zeros(len(page.runs), np.bool_)


class _CommentSearch:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.nothing = Spans.none(len(page.text))
        self._signed: dict[tuple[int, ...], Bools] = {}

    @kept
    def prose(self) -> Ints:
        """Return characters that are no link before each run."""
        runs = self.page.runs
        return sums(runs.chars * ~(runs.hidden | runs.in_link))

    def result(self) -> Remarks:
        page = self.page
        places = boxes_holding(page, _EITHER)
        declared_so = self.declared_comments()
        if not len(places) and not declared_so:
            return Remarks((), (), self.nothing, self.nothing)
        called = names(page, boxes_holding(page, _COMMENT))
        # In a forum they are the posts that answer the first one.
        found = self.area(called, declared_so if declared_so and self.tells_story() is not False else ())
        comments = [element for element in declared_so if self.is_in(element, found)]
        if found and not comments:
            comments = self.items([box for box in called if self.is_in(box.element, found)])
        large = names(page, places[self.is_long(places)])
        posts = self.items(large, _MOST_OF_PAGE * int(self.prose[-1]), 2)
        if posts and self.is_one(posts):
            posts = []
        nothing = self.nothing
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
            area | self.spans(declared_so) if declared_so else area,
        )

    def is_long(self, boxes: Ints) -> Bools:
        """Return which boxes hold enough that is no link for a post."""
        elements = self.page.elements
        return np.asarray(self.prose[elements.last[boxes]] - self.prose[elements.first[boxes]] >= _POST_LENGTH)

    # -- where ----------------------------------------------------------------------------------------------

    def declared_comments(self) -> list[int]:
        """Return the boxes that microdata says are comments."""
        elements = self.page.elements
        found = items(self.page, _ITEM)
        return [one for one in found if elements.first[one] < elements.last[one]][:MOST]

    def area(self, called: Sequence[Names], declared_so: Sequence[int]) -> list[int]:
        """Return the outermost boxes called or declared after comments, none of which holds the headline or most of the
        page.

        Args:
            called: boxes with names in which a word of comments stands.
            declared_so: boxes that are comments whatever they are called.
        """
        named = {box.element for box in called if any(map(_is_called_after_comments, box.names))}
        if not named and not declared_so:
            return []
        elements = self.page.elements
        headings = elements.first[elements.tag == _H1]
        found: list[int] = []
        for element in sorted(named.union(declared_so)):
            if found and elements.end[element] <= elements.end[found[-1]]:
                continue
            first, last = elements.first[element], elements.last[element]
            if headings.searchsorted(first) < headings.searchsorted(last):
                continue
            if self.prose[first] < min(_STORY, self.prose[-1] - self.prose[last]):  # before the story, or around it
                continue
            found.append(element)
        return found

    def is_in(self, element: int, area: Sequence[int]) -> bool:
        """Return whether an element stands in one of some boxes, which are sorted and not in each other."""
        place = bisect(area, element) - 1
        return place >= 0 and bool(self.page.elements.end[element] <= self.page.elements.end[area[place]])

    def spans(self, area: Sequence[int]) -> Spans:
        if not area:  # as on most pages
            return self.nothing
        return Spans.of_elements(self.page, np.array(area, np.int64))

    def is_story(self, before: int, held: float) -> bool:
        """Return whether so many characters before the first comment are a story: a forum has some too."""
        if before < _STORY:
            return False
        told = self.tells_story()
        return told if told is not None else before >= _SHARE_ABOVE * held

    def tells_story(self) -> bool | None:
        """Return whether the page says that it is a story, or a forum; None if it says neither."""
        kinds = types(declared(self.page).story)
        if any("Forum" in kind for kind in kinds):
            return False
        return True if kinds or "article" in self.page.signals.all("og:type") else None

    def is_one(self, posts: Sequence[int]) -> bool:
        """Return whether the boxes are a story and teasers of others, which bear the same name."""
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
        if len(called) < fewest:
            return []
        groups: dict[tuple[int, str], list[int]] = {}
        elements, prose = self.page.elements, self.prose
        boxes = [box.element for box in called]
        held_by = dict(zip(boxes, (prose[elements.last[boxes]] - prose[elements.first[boxes]]).tolist(), strict=True))
        for box, tag in zip(called, elements.tag[boxes].tolist(), strict=True):
            for name in box.names:
                if kind := _item_name(name):
                    group = groups.setdefault((tag, kind), [])
                    if not group or group[-1] != box.element:
                        group.append(box.element)
        sizes = [
            (sum([held_by[box] for box in group]), group) for group in groups.values() if fewest <= len(group) <= MOST
        ]
        best: list[int] = []
        most = 0.0
        for size, group in sorted(sizes, key=lambda pair: -pair[0])[:_MOST_GROUPS]:
            if size < max(least, most):  # what is in several of its boxes counts more than once here
                break
            held = self.held(group)
            worth = held if len(group) > 1 else held / 2  # one box of that name may be the one around all
            if held >= least and worth > 1.05 * most and self.is_signed(group):
                best, most = group, worth
        return best

    def held(self, group: Sequence[int]) -> float:
        """Return characters that are no link in the boxes, those in each other once."""
        spans = self.spans(group)
        starts = self.page.runs.text_start.searchsorted(spans.starts)
        ends = self.page.runs.text_start.searchsorted(spans.ends)
        return float((self.prose[ends] - self.prose[starts]).sum())

    def is_signed(self, group: Sequence[int]) -> bool:
        """Return whether enough of the boxes hold an author or a time, or have one beside them."""
        signed = self.signed(group)
        if signed.mean() >= _ENOUGH:
            return True
        begins = [] if signed.any() else self.beside(group)
        return bool(begins) and any(note.author for at, note in notes(self.page, self.page.elements.parent[group[:1]]))

    def signed(self, group: Sequence[int]) -> Bools:
        """Return which of the boxes hold an author or a time. Some of a long list are enough to tell."""
        asked = tuple(group[:: max(1, len(group) // 8)])
        if asked not in self._signed:  # those that are taken are asked twice
            held = are_signed(self.page, np.array(asked))
            told = [is_held or self.begins_signed(box) for is_held, box in zip(held, asked, strict=True)]
            self._signed[asked] = np.array(told)
        return self._signed[asked]

    def begins_signed(self, box: int) -> bool:
        """Return whether the first line of a box says who wrote it and when."""
        elements = self.page.elements
        line = self.first_line(range(elements.first.item(box), elements.last.item(box)))
        return signed_line(self.said(line), "", self.page.signals.language) is not None

    def beside(self, group: Sequence[int]) -> list[int]:
        """Return where the parts of a comment stand one behind the other in a list: the first part of each, else
        nothing.

        Blogger's are `<dt>author <dd>body <dd>time <dt>author …`; `group` is the bodies.
        """
        elements = self.page.elements
        parent = elements.parent[group]
        if not len(parent) or (parent != parent[0]).any():
            return []
        children = np.flatnonzero((elements.parent == parent[0]) & (elements.first < elements.last))
        first = [int(one) for one in children if self.same_kind(int(one), int(children[0]))]
        bodies = np.searchsorted(group, first)  # before the first part of each comment
        return first if len(first) == len(group) and (bodies == np.arange(len(first))).all() else []

    def same_kind(self, one: int, other: int) -> bool:
        """Return whether two elements have the same name and class."""
        kinds = [(self.page.elements.tag[each], self.page.attributes(each).get("class")) for each in (one, other)]
        return kinds[0] == kinds[1]

    # -- who, when and what -----------------------------------------------------------------------------------

    def remarks(self, group: Sequence[int], without: Spans) -> tuple[Remark, ...]:
        """Return the boxes with what stands in each and not in another of them."""
        page, elements = self.page, self.page.elements
        language = page.signals.language
        first, last, around = elements.first[group], elements.last[group], np.array(group)
        if not self.signed(group).any() and (begins := self.beside(group)):
            around = elements.parent[group[:1]]
            first = elements.first[begins]
            last = np.append(first[1:], elements.last[around])
        owner = np.full(len(page.runs), -1, np.int64)
        for place, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            owner[begin:end] = place  # the inner ones come later
        told = self.told(around, owner)
        owner[page.runs.hidden | without.runs(page)] = -1
        found, in_notes = [], told.runs.tolist()
        for place, (element, mine) in enumerate(zip(group, self.parted(owner, len(group)), strict=True)):
            author, when = told.authors.get(place, (0, ""))[1], told.times.get(place)
            begun = self.first_line(mine)
            signed = signed_line(self.said(begun), author, language)
            lines = (signed_line(line, author, language) for line in told.others.get(place, ()) if when is None)
            by = signed or next((line for line in lines if line is not None), None)
            if by is not None:
                author, when = author or by.author, when or by.published
            own = [run for run in mine if not in_notes[run]]
            if signed is not None:
                own = [run for run in own if run > begun[-1]]
            if own:
                found.append(Remark(Spans.of_runs(page, own), author, when, element))
        return tuple(found)

    def told(self, around: Ints, owner: Ints) -> _Notes:
        """What the notes in some boxes tell of comments, given the comment that each run is of."""
        page, elements = self.page, self.page.elements
        told = _Notes({}, {}, {}, np.zeros(len(owner), np.bool_))
        first_of, last_of, whose_is = elements.first.item, elements.last.item, owner.item
        start_of, end_of, text = page.runs.text_start.item, page.runs.text_end.item, page.text
        end = 0
        for element, note in notes(page, around):
            begin, behind = first_of(element), last_of(element)
            if behind > end:  # elements come in order, and those inside another before what is behind it
                told.runs[begin:behind] = True
                end = behind
            whose = whose_is(begin)
            if note.author and note.author > told.authors.get(whose, (0, ""))[0] and (name := name_in(page, element)):
                told.authors[whose] = note.author, name
            if note.timed and whose not in told.times and (when := time_in(page, note, element)):
                told.times[whose] = when
            elif not note.timed:
                said = text[start_of(begin) : end_of(behind - 1)]
                told.others.setdefault(whose, []).append(" ".join(said.split()))
        return told

    def parted(self, owner: Ints, count: int) -> list[list[int]]:
        """Return the runs of each owner, in order."""
        order = np.argsort(owner, kind="stable")
        starts = np.searchsorted(owner[order], np.arange(count + 1)).tolist()
        runs = order.tolist()
        return [runs[start:end] for start, end in pairwise(starts)]

    def first_line(self, runs: Sequence[int]) -> Sequence[int]:
        """Of some runs, which are in order, those of the first line."""
        block_of, last = self.page.runs.block.item, 0
        while last < len(runs) and block_of(runs[last]) == block_of(runs[0]):
            last += 1
        return runs[:last]

    def said(self, runs: Sequence[int]) -> str:
        """What a line of runs says."""
        page = self.page
        return page.text[page.runs.text_start.item(runs[0]) : page.runs.text_end.item(runs[-1])] if runs else ""


@lru_cache(maxsize=4096)
def _item_name(name: str) -> str:
    """Return the name of a whole comment or post, any number as `#` (`li comment#`, `ips comment`), else nothing."""
    words = words_of(name)
    if not any(map(_ITEM_WORD.match, words)):
        return ""
    whole = _ITEM_WORD.match(words[-1]) or all(_ITEM_WORD.match(word) or word in _BESIDE for word in words)
    return " ".join(words) + "#" * (not name.isalpha() and any(map(str.isdigit, name))) if whole else ""


@lru_cache(maxsize=4096)
def _is_called_after_comments(name: str) -> bool:
    words = words_of(name)
    return bool(words) and bool(_COMMENT_WORD.match(words[0]) or _COMMENT_WORD.match(words[-1]))
