"""Reader comments on a page, and the posts of a forum or a blog.

DANA thesis 7.2.2: posts and comments are parts of a page that repeat, and the comments of a post are below it. Here a
post or comment is one of several elements with the same class or id once numbers are removed (`post` and a number,
`comment even`). Lists of other things are excluded by content: a post has an author or a time, and text outside links.
The class names of common systems are English in all languages.

The elements whose class names comments, and which come after the article, are the comment area even if nobody has
commented: form, count and all. Extractors leave out `Remarks.area`.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.comments.signatures import Moment, are_signed, name_in, notes, signed_line, time_in
from tidings.fields.declared import declared, types
from tidings.fields.elements.by_class import Names, boxes_holding, names, words_of
from tidings.fields.memo import memoized
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, kept, sums
from tidings.page.microdata import items
from tidings.text.patterns import late_pattern

#: Substrings for a quick first check of class names.
_COMMENT: Final = ("omment", "comentario", "disqus", "respond")
_POST: Final = ("post", "message", "msg", "answer", "repl", "topic", "entry")
_EITHER: Final = _COMMENT + _POST
_COMMENT_WORD: Final = late_pattern(r"(?:comments?|commentaires?|komment\w*|comentarios?|disqus|commentlist|respond)\Z")
_ITEM_WORD: Final = late_pattern(
    r"(?:comment|commentaire|kommentar|comentario|post|message|msg|answer|reply|topic|entry)\Z"
)
#: Words that the class of a whole comment or post may contain too; any other word means a part of one, or a list.
_BESIDE: Final = frozenset(
    "li div js wp block item el c u p wrapper wrap single user thread container body edit box row view full parent "
    "crawler type has layout inner card top level depth even odd by the tree root node old new bit im id".split()
)
#: An item of microdata that is a comment (schema.org).
_ITEM: Final = re.compile(r"""itemtype\s*+=\s*+["']?[^"'\s>]*?/(?:User)?Comments?["'\s>]""")
_H1: Final = tags.NUMBERS["h1"]
#: Elements are posts if this share of them has an author or a time.
_ENOUGH: Final = 0.5
#: Smallest share of a forum's text in its posts; less is a list of teasers next to an article.
_MOST_OF_PAGE: Final = 0.4
#: On a declared article page, a post with this share of the text of all posts is the article.
_ONE: Final = 0.7
#: Least number of characters outside links in a post.
_POST_LENGTH: Final = 60
#: Least number of characters of an article above its first comment.
_STORY: Final = 400
#: If the page does not declare its type: least length of the article relative to its comments.
_SHARE_ABOVE: Final = 0.25
#: Groups of elements that are checked, the largest first.
_MOST_GROUPS: Final = 24
#: Largest number of comments.
MOST: Final = 2000


class Remark(NamedTuple):
    """A comment or post: its element and text range, or its text if only structured data contains it."""

    spans: Spans | None = None
    author: str = ""
    published: Moment | None = None
    element: int = 0
    text: str = ""


class Remarks(NamedTuple):
    """The comments and posts of a page, and its comment area."""

    comments: tuple[Remark, ...]
    posts: tuple[Remark, ...]
    area: Spans
    answers: Spans  # the area, and comments outside it, such as replies in a forum


class _Notes(NamedTuple):
    """The authors and times of comments, by the index of the comment, found in small elements inside them (see
    `signatures`).
    """

    authors: dict[int, tuple[int, str]]  # confidence and name
    times: dict[int, Moment]
    untimed_texts: dict[int, list[str]]  # texts of notes whose class names no time
    runs: Bools  # which runs of the page are in notes


@memoized
def find(page: Page) -> Remarks:
    """Return the comments and posts on a page."""
    return _CommentSearch(page).result()


@memoized
def own_text(page: Page) -> str:
    """Return the text of a page with reader comments replaced by newlines, which keeps offsets."""
    text, place = page.text, 0
    pieces = []
    for start, end in find(page).answers:
        pieces += [text[place:start], "\n" * (end - start)]
        place = end
    return "".join((*pieces, text[place:]))


@memoized
def answering(page: Page) -> Bools:
    """Return which runs of text are in reader comments."""
    answers = find(page).answers
    return answers.runs(page) if answers else np.zeros(len(page.runs), np.bool_)


class _CommentSearch:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.nothing = Spans.none(len(page.text))
        self._signed: dict[tuple[int, ...], Bools] = {}

    @kept
    def prose(self) -> Ints:
        """Return the number of characters outside links before each run of text."""
        runs = self.page.runs
        return sums(runs.chars * ~(runs.hidden | runs.in_link))

    def result(self) -> Remarks:
        page = self.page
        places = boxes_holding(page, _EITHER)
        declared_so = self.declared_comments()
        if not len(places) and not declared_so:
            return Remarks((), (), self.nothing, self.nothing)
        named = names(page, boxes_holding(page, _COMMENT))
        # In a forum, declared comments are the replies to the first post.
        area_elements = self.area(named, declared_so if declared_so and self.tells_story() is not False else ())
        comments = [element for element in declared_so if self.is_inside(element, area_elements)]
        if area_elements and not comments:
            comments = self.items([box for box in named if self.is_inside(box.element, area_elements)])
        large = names(page, places[self.is_long(places)])
        posts = self.items(large, _MOST_OF_PAGE * int(self.prose[-1]), 2)
        if posts and self.are_teasers(posts):
            posts = []
        nothing = self.nothing
        area = self.spans(area_elements)
        if posts and area and self.is_inside(posts[0], area_elements):  # the posts are the comments
            first = self.page.elements.first[posts[0]]
            if self.is_story(int(self.prose[first]), self.prose_length(posts)):  # there is an article above them
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
        """Return which elements have enough text outside links to be a post."""
        elements = self.page.elements
        return np.asarray(self.prose[elements.last[boxes]] - self.prose[elements.first[boxes]] >= _POST_LENGTH)

    # -- position ----------------------------------------------------------------------------------------------

    def declared_comments(self) -> list[int]:
        """Return the elements that microdata declares as comments."""
        elements = self.page.elements
        elements_of_items = items(self.page, _ITEM)
        return [element for element in elements_of_items if elements.first[element] < elements.last[element]][:MOST]

    def area(self, candidates: Sequence[Names], declared_so: Sequence[int]) -> list[int]:
        r"""Return the outermost elements that contain all comments.

        Elements that contain the headline or most of the page are excluded.

        Args:
            candidates: elements whose names contain a comment word.
            declared_so: elements declared as comments, whatever their names.
        """
        named = {box.element for box in candidates if any(map(_is_called_after_comments, box.names))}
        if not named and not declared_so:
            return []
        elements = self.page.elements
        headings = elements.first[elements.tag == _H1]
        outermost: list[int] = []
        for element in sorted(named.union(declared_so)):
            if outermost and elements.end[element] <= elements.end[outermost[-1]]:
                continue
            first, last = elements.first[element], elements.last[element]
            if headings.searchsorted(first) < headings.searchsorted(last):
                continue
            if self.prose[first] < min(_STORY, self.prose[-1] - self.prose[last]):  # before the story, or around it
                continue
            outermost.append(element)
        return outermost

    def is_inside(self, element: int, area: Sequence[int]) -> bool:
        """Return whether an element is inside any of some sorted, disjoint elements."""
        place = bisect(area, element) - 1
        return place >= 0 and bool(self.page.elements.end[element] <= self.page.elements.end[area[place]])

    def spans(self, area: Sequence[int]) -> Spans:
        if not area:  # as on most pages
            return self.nothing
        return Spans.of_elements(self.page, np.array(area, np.int64))

    def is_story(self, before: int, comment_length: float) -> bool:
        """Return whether `before` characters above the first comment are enough for an article, and not a forum's
        header.
        """
        if before < _STORY:
            return False
        is_declared = self.tells_story()
        return is_declared if is_declared is not None else before >= _SHARE_ABOVE * comment_length

    def tells_story(self) -> bool | None:
        """Return whether the page declares an article (True) or a forum (False); None if neither."""
        kinds = types(declared(self.page).story)
        if any("Forum" in kind for kind in kinds):
            return False
        return True if kinds or "article" in self.page.signals.all("og:type") else None

    def are_teasers(self, posts: Sequence[int]) -> bool:
        """Return whether the elements are one long article and short teasers of other articles, rather than posts."""
        elements = self.page.elements
        sizes = self.prose[elements.last[list(posts)]] - self.prose[elements.first[list(posts)]]
        return bool(self.tells_story()) and int(sizes.max()) >= _ONE * self.prose_length(posts)

    # -- groups ----------------------------------------------------------------------------------------------

    def items(self, candidates: Sequence[Names], least: float = 0.0, fewest: int = 1) -> list[int]:
        r"""Return the group of elements with the same name that has the most text; of equal ones the outermost.

        Args:
            candidates: the elements with their names.
            least: minimum of characters outside links in the whole group.
            fewest: minimum number of elements.
        """
        if len(candidates) < fewest:
            return []
        groups: dict[tuple[int, str], list[int]] = {}
        elements, prose = self.page.elements, self.prose
        boxes = [box.element for box in candidates]
        length_of = dict(zip(boxes, (prose[elements.last[boxes]] - prose[elements.first[boxes]]).tolist(), strict=True))
        for box, tag in zip(candidates, elements.tag[boxes].tolist(), strict=True):
            for name in box.names:
                if kind := _item_name(name):
                    group = groups.setdefault((tag, kind), [])
                    if not group or group[-1] != box.element:
                        group.append(box.element)
        sizes = [
            (sum([length_of[box] for box in group]), group) for group in groups.values() if fewest <= len(group) <= MOST
        ]
        best: list[int] = []
        most = 0.0
        for size, group in sorted(sizes, key=lambda pair: -pair[0])[:_MOST_GROUPS]:
            if size < max(least, most):  # nested elements count more than once here
                break
            length = self.prose_length(group)
            worth = length if len(group) > 1 else length / 2  # a single element may be the container
            if length >= least and worth > 1.05 * most and self.is_signed(group):
                best, most = group, worth
        return best

    def prose_length(self, group: Sequence[int]) -> float:
        """Return the number of characters outside links in some elements; nested ones count once."""
        spans = self.spans(group)
        starts = self.page.runs.text_start.searchsorted(spans.starts)
        ends = self.page.runs.text_start.searchsorted(spans.ends)
        return float((self.prose[ends] - self.prose[starts]).sum())

    def is_signed(self, group: Sequence[int]) -> bool:
        """Return whether most elements of a group contain an author or a time, as comments do, or have such an element
        as sibling.
        """
        signed = self.signed(group)
        if signed.mean() >= _ENOUGH:
            return True
        begins = [] if signed.any() else self.first_parts(group)
        return bool(begins) and any(note.author for at, note in notes(self.page, self.page.elements.parent[group[:1]]))

    def signed(self, group: Sequence[int]) -> Bools:
        """Return which elements contain an author or a time; long groups are sampled."""
        sample = tuple(group[:: max(1, len(group) // 8)])
        if sample not in self._signed:  # the selected group is checked twice
            have_notes = are_signed(self.page, np.array(sample))
            results = [is_held or self.begins_signed(box) for is_held, box in zip(have_notes, sample, strict=True)]
            self._signed[sample] = np.array(results)
        return self._signed[sample]

    def begins_signed(self, box: int) -> bool:
        """Return whether the first line of an element says who wrote it and when."""
        elements = self.page.elements
        line = self.first_line(range(elements.first.item(box), elements.last.item(box)))
        return signed_line(self.line_text(line), "", self.page.signals.language) is not None

    def first_parts(self, group: Sequence[int]) -> list[int]:
        """Return the first part of each comment if the parts of comments are siblings in a list, else nothing.

        Blogger's are `<dt>author <dd>body <dd>time <dt>author …`; `group` is the bodies.
        """
        elements = self.page.elements
        parent = elements.parent[group]
        if not len(parent) or (parent != parent[0]).any():
            return []
        children = np.flatnonzero((elements.parent == parent[0]) & (elements.first < elements.last))
        first = [int(child) for child in children if self.same_kind(int(child), int(children[0]))]
        bodies = np.searchsorted(group, first)  # before the first part of each comment
        return first if len(first) == len(group) and (bodies == np.arange(len(first))).all() else []

    def same_kind(self, first: int, second: int) -> bool:
        """Return whether two elements have the same name and class."""
        kinds = [(self.page.elements.tag[each], self.page.attributes(each).get("class")) for each in (first, second)]
        return kinds[0] == kinds[1]

    # -- authors, times and texts -----------------------------------------------------------------------------------

    def remarks(self, group: Sequence[int], without: Spans) -> tuple[Remark, ...]:
        """Return the comments in a group of elements. Nested comments and the ranges in `without` are not part of a
        comment's text.
        """
        page, elements = self.page, self.page.elements
        language = page.signals.language
        first, last, containers = elements.first[group], elements.last[group], np.array(group)
        if not self.signed(group).any() and (begins := self.first_parts(group)):
            containers = elements.parent[group[:1]]
            first = elements.first[begins]
            last = np.append(first[1:], elements.last[containers])
        owner = np.full(len(page.runs), -1, np.int64)
        for place, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            owner[begin:end] = place  # inner elements come later and overwrite
        comment_notes = self.read_notes(containers, owner)
        owner[page.runs.hidden | without.runs(page)] = -1
        result, in_notes = [], comment_notes.runs.tolist()
        for place, (element, mine) in enumerate(zip(group, self.runs_by_owner(owner, len(group)), strict=True)):
            author, when = comment_notes.authors.get(place, (0, ""))[1], comment_notes.times.get(place)
            opening = self.first_line(mine)
            signed = signed_line(self.line_text(opening), author, language)
            lines = (
                signed_line(line, author, language)
                for line in comment_notes.untimed_texts.get(place, ())
                if when is None
            )
            by = signed or next((line for line in lines if line is not None), None)
            if by is not None:
                author, when = author or by.author, when or by.published
            own = [run for run in mine if not in_notes[run]]
            if signed is not None:
                own = [run for run in own if run > opening[-1]]
            if own:
                result.append(Remark(Spans.of_runs(page, own), author, when, element))
        return tuple(result)

    def read_notes(self, containers: Ints, owner: Ints) -> _Notes:
        """Read the authors and times in small elements of comments, given the comment to which each run of text
        belongs.
        """
        page, elements = self.page, self.page.elements
        result = _Notes({}, {}, {}, np.zeros(len(owner), np.bool_))
        first_of, last_of, whose_is = elements.first.item, elements.last.item, owner.item
        start_of, end_of, text = page.runs.text_start.item, page.runs.text_end.item, page.text
        end = 0
        for element, note in notes(page, containers):
            begin, behind = first_of(element), last_of(element)
            if behind > end:  # document order: nested elements come before later ones
                result.runs[begin:behind] = True
                end = behind
            whose = whose_is(begin)
            if note.author and note.author > result.authors.get(whose, (0, ""))[0] and (name := name_in(page, element)):
                result.authors[whose] = note.author, name
            if note.timed and whose not in result.times and (when := time_in(page, note, element)):
                result.times[whose] = when
            elif not note.timed:
                note_text = text[start_of(begin) : end_of(behind - 1)]
                result.untimed_texts.setdefault(whose, []).append(" ".join(note_text.split()))
        return result

    def runs_by_owner(self, owner: Ints, count: int) -> list[list[int]]:
        """Return the runs of text of each comment, in order."""
        order = np.argsort(owner, kind="stable")
        starts = np.searchsorted(owner[order], np.arange(count + 1)).tolist()
        runs = order.tolist()
        return [runs[start:end] for start, end in pairwise(starts)]

    def first_line(self, runs: Sequence[int]) -> Sequence[int]:
        """Return those runs of text that are in the first line, given sorted runs."""
        block_of, last = self.page.runs.block.item, 0
        while last < len(runs) and block_of(runs[last]) == block_of(runs[0]):
            last += 1
        return runs[:last]

    def line_text(self, runs: Sequence[int]) -> str:
        """Return the text of a line of runs."""
        page = self.page
        return page.text[page.runs.text_start.item(runs[0]) : page.runs.text_end.item(runs[-1])] if runs else ""


@lru_cache(maxsize=4096)
def _item_name(name: str) -> str:
    """Return the name of an element for a whole comment or post, with numbers as `#` (`li comment#`, `ips comment`),
    else an empty string.
    """
    words = words_of(name)
    if not any(map(_ITEM_WORD.match, words)):
        return ""
    whole = _ITEM_WORD.match(words[-1]) or all(_ITEM_WORD.match(word) or word in _BESIDE for word in words)
    return " ".join(words) + "#" * (not name.isalpha() and any(map(str.isdigit, name))) if whole else ""


@lru_cache(maxsize=4096)
def _is_called_after_comments(name: str) -> bool:
    words = words_of(name)
    return bool(words) and bool(_COMMENT_WORD.match(words[0]) or _COMMENT_WORD.match(words[-1]))
