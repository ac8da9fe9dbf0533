"""Site rules in the core's memory, and the pieces that they extract from the bytes of a page."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from tidings.core import CoreMemory, Handle, library, new
from tidings.core.answers import CoreAnswer, ask
from tidings.core.block_rows import SIZES, BlockRows

#: Numbers of a fragment's text; the last says whether blocks follow.
_TEXT_NUMBERS: Final = 9
_UNSIGNED: Final = 2**64 - 1


class FragmentText(NamedTuple):
    """The text of an HTML fragment, without texts that the site repeats, and the measures by which the text
    is checked.
    """

    text: str
    size: int  # number of page characters in it
    linked: int  # upper bound of the characters in links
    latin: float  # share of ASCII at its beginning
    letters: str  # the beginning of its blocks, if any has a right-to-left letter
    hashes: tuple[int, ...]  # hashes of all block texts
    out: list[int]  # by block: whether it is noise


class FragmentRows(NamedTuple):
    """The blocks of an HTML fragment as rows of numbers, with the URLs, start tags and pictures that Python has to
    resolve.
    """

    rows: BlockRows
    addresses: list[int]  # for each four times the end of its text, plus what remains to be done
    telling: list[int]  # ends of start tags that may be units, after the URLs
    source: str  # URLs, start tags, and data of pictures
    pictures: int  # number of pictures; -1 if they need a page
    picture_numbers: list[int]  # numbers of pictures


#: The text and blocks of a fragment; None if it has to be read as a page.
FragmentAnswer = tuple[FragmentText | None, FragmentRows | None]


def _fragment(answer: CoreAnswer, source: str, at: int, begin: int) -> FragmentAnswer:
    """Parse the core's result for a fragment: numbers from index `at`, text from index `begin`."""
    numbers = answer.numbers
    is_page, blocks, end, letters, size, linked, latin, sample, has_blocks = numbers[at : at + _TEXT_NUMBERS]
    if is_page:
        return None, None
    at += _TEXT_NUMBERS
    middle = at + blocks
    hashes = tuple([number & _UNSIGNED for number in numbers[at:middle]])
    at = middle + blocks
    end += begin
    behind = end + letters
    letters_text = source[end:behind] if letters else ""
    share = latin / sample if sample else 1.0
    text = FragmentText(source[begin:end], size, linked, share, letters_text, hashes, numbers[middle:at])
    if not has_blocks:
        return text, None
    sizes = numbers[at : at + SIZES]
    at += SIZES
    addresses, telling, pictures = numbers[at : at + 3]
    at += 3
    inner = behind + sizes[-1]
    rows = BlockRows.of(sizes, answer.rows, source[behind:inner])
    tags = at + addresses
    last = tags + telling
    return text, FragmentRows(rows, numbers[at:tags], numbers[tags:last], source[inner:], pictures, numbers[last:])


class PictureTables(NamedTuple):
    """Tables for locating and reading pictures (`core/src/pictures.rs`)."""

    numbers: array[int]  # tags and limits
    credits: bytes  # words of picture credits, one per line
    galleries: CoreMemory  # words in start tags


class ArticleTables:
    """Tables of tags and words for building articles in the core.

    Args:
        tables: the tables of the scanner.
        roles: the role of each tag (`tidings.article.units.article_tables.Role`); the last is for other tags.
        sets: the sets of each tag (`tidings.article.units.article_tables`), as 16-bit numbers.
        most_tags: limit on the tags of a fragment.
        units: words of units with replaced text: a fragment with one is read as a page. The first, superscript, counts
            only if a link may lead to a place on the page.
        words: other words of possible units; the first is for pictures.
        pictures: tables for pictures.
    """

    __slots__ = ("_memory", "_words", "handle")

    def __init__(
        self,
        tables: int,
        roles: bytes,
        sets: array[int],
        most_tags: int,
        units: CoreMemory,
        words: CoreMemory,
        pictures: PictureTables,
    ) -> None:
        self._words = units, words, pictures.galleries
        handles = np.array([tables, units.handle, words.handle, pictures.galleries.handle], np.uint64)
        numbers = np.array([most_tags]), np.array(pictures.numbers, np.int64)
        arrays = handles, roles, np.array(sets, np.uint16), *numbers, pictures.credits
        self._memory = CoreMemory(Handle.ARTICLE_TABLES, new(Handle.ARTICLE_TABLES, *arrays))
        self.handle = self._memory.handle

    def fragment(self, fragment: bytes, sheet: CoreMemory, noise: Sequence[int], origin: str | None) -> FragmentAnswer:
        """Return the text of a fragment with its page's style sheets, without the texts of some sorted hashes.

        With `origin`, the origin of relative URLs (empty if unknown), the blocks are returned too.

        Raises:
            CoreError: the core failed.
        """
        repeated, begin = array("Q", noise), (origin or "").encode()
        address, count = repeated.buffer_info()
        arguments = sheet.handle, fragment, len(fragment), address, count, origin is not None, begin, len(begin)
        answer = ask(library().tidings_fragment, self.handle, *arguments)
        return _fragment(answer, answer.text, 0, 0)


class CutPage(NamedTuple):
    """The result of applying site rules to a page."""

    numbers: list[int]  # from index 2 the numbers of `core/src/cut.rs`
    source: str  # texts of fields, then the main text
    text: FragmentText | None  # the main text; None if not requested, or if it has to be read as a page
    blocks: FragmentRows | None  # its blocks, in the same way


class PageRules:
    """Site rules in the core's memory, encoded as numbers, and texts whose lengths are among them.

    Raises:
        ValueError: the encoding is invalid.
    """

    __slots__ = ("_memory",)

    def __init__(self, numbers: Sequence[int], texts: bytes) -> None:
        self._memory = CoreMemory(Handle.RULES, new(Handle.RULES, np.array(numbers, np.int64), texts))

    def cut(self, data: bytes, tables: ArticleTables | None, origin: str | None = None) -> CutPage:
        """Apply the rules to a page. With `tables` the main text is read too.

        With `origin`, the origin of relative URLs (empty if unknown), the blocks are returned too.

        Raises:
            CoreError: the core failed.
        """
        begin = (origin or "").encode()
        arguments = data, len(data), origin is not None, begin, len(begin)
        answer = ask(library().tidings_cut, self._memory.handle, tables.handle if tables else None, *arguments)
        numbers, source = answer.numbers, answer.text
        return CutPage(numbers, source, *_fragment(answer, source, 2 + numbers[0], numbers[1]))
