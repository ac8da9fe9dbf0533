"""Posts of forums, question sites and live pages: where each begins among the blocks, its number, and which it answers.

Which boxes are posts, who wrote them and when is found by `tidings.fields.comments`. A number is what the page shows
(`#3`, `data-post-number`), otherwise the place among the posts. A post answers the one whose box it stands in, or the
one that its first quote names: by number (Discourse), or by its address or name (XenForo, phpBB, vBulletin, Invision).
An answer of a question site answers the first post. No post answers one that comes behind it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tidings.article.blocks import Block, Kind, Post, moment_of
from tidings.article.making import changed
from tidings.article.units import attributes_of, classes_of, inside, start_tags, text_of
from tidings.fields.memo import memoized
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.text.patterns import LateWords, late_pattern

if TYPE_CHECKING:
    from array import array

    from tidings.fields import Remark

_LINK: Final = tags.NUMBERS["a"]
_SHOWN: Final = late_pattern(r"\A#\s?(\d{1,7})\Z")
_TELLS: Final = LateWords(r"data-(?:post|source|number)|cite=|itemprop=.?position|href=[^>]*\d")
_TELLING: Final = ("href=", "data-post", "data-source", "data-number", "cite=", "itemprop=")
_NAMED: Final = ("id", "data-post-id", "data-postid", "data-content", "data-message-id", "data-pid", "data-id", "name")
_LAST_NUMBER: Final = late_pattern(r"(\d{1,12})\D*\Z")
_POST_ADDRESS: Final = late_pattern(
    r"(?:[#/?&;]|\A)(?:js-)?(?:post|p|pid|comment|findcomment|findpost|msg|entry)s?[-_=:/ ]*(\d{1,12})(?!\d)"
)
#: A start tag with an address that may be that of a post.
_MAY_NAME: Final = LateWords(
    r"[#/?&;\"'=](?=[jpcfme])(?:js-)?(?:post|p|pid|comment|findcomment|findpost|msg|entry)s?[-_=:/ ]*\d",
    r"data-(?:post|source|number)",
    r"cite=",
    r"itemprop=.?position",
)
#: Elements of a post that are asked what it answers.
_ASKED: Final = 600


class ThreadPost(NamedTuple):
    """The box of a post, and what is known of it."""

    element: int
    post: Post


class _PostMarks(NamedTuple):
    """What a box says of its post: its number, its names, and the numbers and names of those that it quotes."""

    number: int | None
    names: frozenset[str]
    quoted_number: int | None
    quoted_names: tuple[str, ...]


def told_of(page: Page, remarks: Sequence[Remark]) -> tuple[ThreadPost, ...]:
    """Return the posts with their numbers and what they answer."""
    found = [_told(page, remark.element) for remark in remarks]
    shows = sum(one.number is not None for one in found) * 2 > len(found)
    numbers = [one.number if shows else place for place, one in enumerate(found, 1)]
    by_name = {name: number for one, number in zip(found, numbers, strict=True) for name in one.names}
    known = {number for number in numbers if number is not None}
    made = []
    opened: list[tuple[int, int | None]] = []  # where the posts around this one end, and their numbers
    for place, (remark, one, number) in enumerate(zip(remarks, found, numbers, strict=True)):
        while opened and opened[-1][0] <= remark.element:
            opened.pop()
        reply = opened[-1][1] if opened else None
        if one.quoted_number in known:
            reply = one.quoted_number
        elif reply is None and (by := [by_name[name] for name in one.quoted_names if name in by_name]):
            reply = next((answered for answered in by if answered != number), None)
        elif reply is None and place > 0 and " answer " in classes_of(page, remark.element):
            reply = numbers[0]
        if reply is not None and number is not None and reply >= number:
            reply = None
        opened.append((inside(page, remark.element).stop, number))
        when, precision = moment_of(remark.published)
        made.append(ThreadPost(remark.element, Post(remark.author, when, number, reply, precision)))
    return tuple(made)


def _told(page: Page, element: int) -> _PostMarks:
    """What a box says of its post."""
    number: int | None = None
    quoted_number: int | None = None
    quoted: list[str] = []
    own = attributes_of(page, element)
    names = {match[1] for name in _NAMED if (match := _LAST_NUMBER.search(own.get(name, "")))}
    if own.get("data-post-number", "").isdecimal():
        number = int(own["data-post-number"][:9])
    within = inside(page, element)[:_ASKED]
    telling = _telling(page)
    some = telling[bisect_left(telling, within.start) : bisect_left(telling, within.stop)]
    tags_of = start_tags(page, some)
    named = _may_name(tags_of)
    may_show = "#" in _text(page, element)
    for place in range(len(some)) if may_show else sorted(named):  # of most posts none is asked
        one, tag = some[place], tags_of[place]
        if not (place in named or _shows_number(page, one)) or not _TELLS(tag):
            continue
        found = attributes(tag)
        if found.get("itemprop", "").lower() == "position" and number is None:
            said = found.get("content") or text_of(page, one)
            number = int(said[:9]) if said.isdecimal() else None
        if page.elements.tag.item(one) == _LINK:
            match = _SHOWN.match(text_of(page, one)[:12])
            if match and number is None:
                number = int(match[1])
                names |= set(_POST_ADDRESS.findall(found.get("href", "")))
                continue
        if quoted_number is None and "quote" in tag.lower() and found.get("data-post", "").isdecimal():
            quoted_number = int(found["data-post"][:9])
        if len(quoted) < 8:  # a post answers one, and quotes a few
            quoted += _addresses(found)
    return _PostMarks(number, frozenset(names), quoted_number, tuple(quoted))


def _may_name(start_tags: list[str]) -> set[int]:
    """Return the places of those that may name a post."""
    found = _MAY_NAME.places("\n".join(start_tags))  # what is looked for never goes over the end of a line
    if not found:  # as in most posts
        return set()
    behind = list(accumulate(len(tag) + 1 for tag in start_tags))
    return {bisect_right(behind, at) for at in found}


@memoized
def _telling(page: Page) -> list[int]:
    """Return the elements whose start tags may tell of posts."""
    found: list[int] = page.holding(_TELLING).tolist()
    return found


def _text(page: Page, element: int) -> str:
    """What an element says, as it stands in the text, and the run behind it, which one inside it may have outlived."""
    first, last = page.elements.first.item(element), min(page.elements.last.item(element), len(page.runs) - 1)
    return page.text[page.runs.text_start.item(first) : page.runs.text_end.item(last)] if first <= last else ""


def _shows_number(page: Page, element: int) -> bool:
    """Return whether what an element says begins with the sign of a number."""
    first = page.elements.first.item(element)
    if first >= page.elements.last.item(element):
        return False
    return page.text[page.runs.text_start.item(first) : page.runs.text_end.item(first)].lstrip()[:1] == "#"


def _addresses(found: dict[str, str]) -> Iterator[str]:
    for name in ("data-source", "cite", "href"):
        yield from _POST_ADDRESS.findall(found.get(name, ""))


class PostHeads:
    """Puts a head before the first block of each post."""

    def __init__(self, page: Page, posts: Sequence[ThreadPost]) -> None:
        self._posts = posts
        self._owner = np.full(len(page.runs), -1, np.int64)
        for place, one in enumerate(posts):  # the inner ones come later
            self._owner[page.elements.first.item(one.element) : page.elements.last.item(one.element)] = place
        self._first = page.elements.first[[one.element for one in posts]].tolist()
        self._seen: set[int] = set()
        self._heads: list[int] = []
        self._ends: list[int] = []

    def place(self, run: int, blocks: list[Block], runs: array[int]) -> None:
        """Called before the block that begins with a run is added."""
        owner = self._owner.item(min(run, len(self._owner) - 1))
        if owner >= 0 and owner not in self._seen:
            self._seen.add(owner)
            self._heads.append(len(blocks))
            self._ends.append(len(blocks))
            runs.append(max(self._first[owner], runs[-1] if runs else 0))
            blocks.append(Block(Kind.POST, post=self._posts[owner].post))
        if owner >= 0 and self._ends:
            self._ends[-1] = len(blocks)

    def measure(self, blocks: list[Block]) -> None:
        """Say in each head how many blocks are in its post."""
        for head, end in zip(self._heads, self._ends, strict=True):
            blocks[head] = changed(blocks[head], size=end - head)
