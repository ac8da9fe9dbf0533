"""Number the posts of forums, question sites and live pages, and find which post each answers.

`tidings.fields.comments` finds the boxes, authors and dates of posts. The number of a post is the one on the page
(`#3`, `data-post-number`), else its position. A post answers the post around it, or the post that its first quote
names: by number (Discourse), or by URL or name (XenForo, phpBB, vBulletin, Invision). An answer of a question site
answers the first post. No post answers a later one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tidings.article.model.blocks import Block, Kind, Post, moment_of
from tidings.article.model.constructors import changed
from tidings.article.units.units import attributes_of, classes_of, inside, start_tags, text_of
from tidings.fields.memo import memoized
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.text.patterns import LateWords, late_pattern

if TYPE_CHECKING:
    from array import array

    from tidings.fields import Remark

_LINK: Final = tags.NUMBERS["a"]
_SHOWN: Final = late_pattern(r"\A#\s?(\d{1,7})\Z")
_HAS_REFERENCE: Final = LateWords(r"data-(?:post|source|number)|cite=|itemprop=.?position|href=[^>]*\d")
_REFERENCE_WORDS: Final = ("href=", "data-post", "data-source", "data-number", "cite=", "itemprop=")
_NAMED: Final = ("id", "data-post-id", "data-postid", "data-content", "data-message-id", "data-pid", "data-id", "name")
_LAST_NUMBER: Final = late_pattern(r"(\d{1,12})\D*\Z")
_POST_ADDRESS: Final = late_pattern(
    r"(?:[#/?&;]|\A)(?:js-)?(?:post|p|pid|comment|findcomment|findpost|msg|entry)s?[-_=:/ ]*(\d{1,12})(?!\d)"
)
#: A start tag with a URL that may be that of a post.
_MAY_NAME: Final = LateWords(
    r"[#/?&;\"'=](?=[jpcfme])(?:js-)?(?:post|p|pid|comment|findcomment|findpost|msg|entry)s?[-_=:/ ]*\d",
    r"data-(?:post|source|number)",
    r"cite=",
    r"itemprop=.?position",
)
#: The number of elements of a post that are searched for references.
_ASKED: Final = 600


class ThreadPost(NamedTuple):
    """The box of a post, and its metadata."""

    element: int
    post: Post


class _PostMarks(NamedTuple):
    """Numbers and names in the markup of a post: its own, and those of the posts it quotes."""

    number: int | None
    names: frozenset[str]
    quoted_number: int | None
    quoted_names: tuple[str, ...]


def thread_posts(page: Page, remarks: Sequence[Remark]) -> tuple[ThreadPost, ...]:
    """Return the posts with their numbers and the numbers of the posts they answer."""
    marks_of_posts = [_post_marks(page, remark.element) for remark in remarks]
    has_numbers = sum(marks.number is not None for marks in marks_of_posts) * 2 > len(marks_of_posts)
    numbers = [marks.number if has_numbers else place for place, marks in enumerate(marks_of_posts, 1)]
    by_name = {name: number for marks, number in zip(marks_of_posts, numbers, strict=True) for name in marks.names}
    known_numbers = {number for number in numbers if number is not None}
    posts = []
    opened: list[tuple[int, int | None]] = []  # where the posts around this one end, and their numbers
    for place, (remark, marks, number) in enumerate(zip(remarks, marks_of_posts, numbers, strict=True)):
        while opened and opened[-1][0] <= remark.element:
            opened.pop()
        reply = opened[-1][1] if opened else None
        if marks.quoted_number in known_numbers:
            reply = marks.quoted_number
        elif reply is None and (candidates := [by_name[name] for name in marks.quoted_names if name in by_name]):
            reply = next((answered for answered in candidates if answered != number), None)
        elif reply is None and place > 0 and " answer " in classes_of(page, remark.element):
            reply = numbers[0]
        if reply is not None and number is not None and reply >= number:
            reply = None
        opened.append((inside(page, remark.element).stop, number))
        when, precision = moment_of(remark.published)
        posts.append(ThreadPost(remark.element, Post(remark.author, when, number, reply, precision)))
    return tuple(posts)


def _post_marks(page: Page, element: int) -> _PostMarks:
    """Return the numbers and names in the markup of a post."""
    number: int | None = None
    quoted_number: int | None = None
    quoted: list[str] = []
    box_attributes = attributes_of(page, element)
    names = {match[1] for name in _NAMED if (match := _LAST_NUMBER.search(box_attributes.get(name, "")))}
    if box_attributes.get("data-post-number", "").isdecimal():
        number = int(box_attributes["data-post-number"][:9])
    descendants = inside(page, element)[:_ASKED]
    reference_elements = _reference_elements(page)
    candidates = reference_elements[
        bisect_left(reference_elements, descendants.start) : bisect_left(reference_elements, descendants.stop)
    ]
    tags_of = start_tags(page, candidates)
    naming = _may_name(tags_of)
    may_show = "#" in _text(page, element)
    for place in range(len(candidates)) if may_show else sorted(naming):  # of most posts none is asked
        element_at, tag = candidates[place], tags_of[place]
        if not (place in naming or _shows_number(page, element_at)) or not _HAS_REFERENCE(tag):
            continue
        values = attributes(tag)
        if values.get("itemprop", "").lower() == "position" and number is None:
            text = values.get("content") or text_of(page, element_at)
            number = int(text[:9]) if text.isdecimal() else None
        if page.elements.tag.item(element_at) == _LINK:
            match = _SHOWN.match(text_of(page, element_at)[:12])
            if match and number is None:
                number = int(match[1])
                names |= set(_POST_ADDRESS.findall(values.get("href", "")))
                continue
        if quoted_number is None and "quote" in tag.lower() and values.get("data-post", "").isdecimal():
            quoted_number = int(values["data-post"][:9])
        if len(quoted) < 8:  # a post answers one, and quotes a few
            quoted += _post_ids(values)
    return _PostMarks(number, frozenset(names), quoted_number, tuple(quoted))


def _may_name(start_tags: list[str]) -> set[int]:
    """Return the indices of the start tags that may contain the number or author of a post."""
    places = _MAY_NAME.places("\n".join(start_tags))  # matches never span lines
    if not places:  # as in most posts
        return set()
    behind = list(accumulate(len(tag) + 1 for tag in start_tags))
    return {bisect_right(behind, place) for place in places}


@memoized
def _reference_elements(page: Page) -> list[int]:
    """Return the elements whose start tags may refer to posts."""
    elements: list[int] = page.holding(_REFERENCE_WORDS).tolist()
    return elements


def _text(page: Page, element: int) -> str:
    """Return the text of an element, with the run after it, which may belong to an unclosed descendant."""
    first, last = page.elements.first.item(element), min(page.elements.last.item(element), len(page.runs) - 1)
    return page.text[page.runs.text_start.item(first) : page.runs.text_end.item(last)] if first <= last else ""


def _shows_number(page: Page, element: int) -> bool:
    """Return whether the text of an element starts with `#`."""
    first = page.elements.first.item(element)
    if first >= page.elements.last.item(element):
        return False
    return page.text[page.runs.text_start.item(first) : page.runs.text_end.item(first)].lstrip()[:1] == "#"


def _post_ids(values: dict[str, str]) -> Iterator[str]:
    for name in ("data-source", "cite", "href"):
        yield from _POST_ADDRESS.findall(values.get(name, ""))


class PostHeads:
    """Inserts a `POST` block before the first block of each post."""

    def __init__(self, page: Page, posts: Sequence[ThreadPost]) -> None:
        self._posts = posts
        self._owner = np.full(len(page.runs), -1, np.int64)
        for place, post in enumerate(posts):  # the inner ones come later
            self._owner[page.elements.first.item(post.element) : page.elements.last.item(post.element)] = place
        self._first = page.elements.first[[post.element for post in posts]].tolist()
        self._started: set[int] = set()
        self._heads: list[int] = []
        self._ends: list[int] = []

    def place(self, run: int, blocks: list[Block], runs: array[int]) -> None:
        """Insert the head of a post if the next block, which starts with `run`, is its first."""
        owner = self._owner.item(min(run, len(self._owner) - 1))
        if owner >= 0 and owner not in self._started:
            self._started.add(owner)
            self._heads.append(len(blocks))
            self._ends.append(len(blocks))
            runs.append(max(self._first[owner], runs[-1] if runs else 0))
            blocks.append(Block(Kind.POST, post=self._posts[owner].post))
        if owner >= 0 and self._ends:
            self._ends[-1] = len(blocks)

    def measure(self, blocks: list[Block]) -> None:
        """Set the size of each post's head to the number of its blocks."""
        for head, end in zip(self._heads, self._ends, strict=True):
            blocks[head] = changed(blocks[head], size=end - head)
