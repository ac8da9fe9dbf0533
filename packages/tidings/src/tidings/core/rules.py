"""Rules held by the core, what they cut out of the bytes of a page, and what a fragment of a page says."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from tidings.core import CoreMemory, Handle, library, new
from tidings.core.answers import CoreAnswer, ask
from tidings.core.block_rows import SIZES, BlockRows

#: Numbers of the text of a fragment, the last of which says whether its blocks follow.
_TEXT_NUMBERS: Final = 9
_UNSIGNED: Final = 2**64 - 1


class FragmentText(NamedTuple):
    """What a fragment says as an article has it, without what its site repeats; and what is checked of it."""

    text: str
    size: int  # characters of the page in it
    linked: int  # no more of the characters of all blocks than so many are in links
    latin: float  # the share of ASCII in its beginning
    letters: str  # the beginning of what its blocks say, if a letter of any block runs leftwards
    hashes: tuple[int, ...]  # of the texts of all blocks
    out: list[int]  # by block, whether it is left out


class FragmentRows(NamedTuple):
    """The blocks of a fragment, and what is left to Python to make of them."""

    rows: BlockRows
    addresses: list[int]  # of each the end of its text, four times, with what is left to do
    telling: list[int]  # ends of start tags of which one may be that of a unit, behind those of addresses
    said: str  # addresses, start tags, what is told of pictures
    pictures: int  # how many are told; -1 if a page has to be asked for them
    told: list[int]  # of pictures


#: What a fragment says and its blocks; None where it has to be read as a page.
FragmentAnswer = tuple[FragmentText | None, FragmentRows | None]


def _fragment(answer: CoreAnswer, said: str, at: int, begin: int) -> FragmentAnswer:
    """Read what the core has found of a fragment: its numbers from `at` on, its text from `begin` on."""
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
    told = said[end:behind] if letters else ""
    share = latin / sample if sample else 1.0
    text = FragmentText(said[begin:end], size, linked, share, told, hashes, numbers[middle:at])
    if not has_blocks:
        return text, None
    sizes = numbers[at : at + SIZES]
    at += SIZES
    addresses, telling, pictures = numbers[at : at + 3]
    at += 3
    inner = behind + sizes[-1]
    rows = BlockRows.of(sizes, answer.rows, said[behind:inner])
    tags = at + addresses
    last = tags + telling
    return text, FragmentRows(rows, numbers[at:tags], numbers[tags:last], said[inner:], pictures, numbers[last:])


class AskedOfPictures(NamedTuple):
    """What must be known to tell of the pictures of a fragment (`core/src/fragment_pictures.rs`)."""

    numbers: array[int]  # of tags, and borders
    names: bytes  # of attributes, a line each
    credits: bytes  # words by which a figure may name who made its picture, a line each
    galleries: CoreMemory  # words of start tags


class ArticleTables:
    """Tags and words that the core must know to make articles.

    Args:
        tables: of the scanner.
        roles: what each tag means (`tidings.article.article_tables.Role`), the last for any other tag.
        sets: the sets that each tag is in (`tidings.article.article_tables`), as numbers of 16 bits.
        most_tags: of a fragment.
        units: words of units that say something else than their text: a fragment that holds one is read as a page; of
            the first, raised text, only where a link may lead to a place of the page.
        words: others of what may be a unit, but for the first: that tells of pictures.
        pictures: what must be known of those.
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
        pictures: AskedOfPictures,
    ) -> None:
        self._words = units, words, pictures.galleries
        handles = np.array([tables, units.handle, words.handle, pictures.galleries.handle], np.uint64)
        texts = b"\0".join((pictures.names, pictures.credits))
        numbers = np.array([most_tags]), np.array(pictures.numbers, np.int64)
        arrays = handles, roles, np.array(sets, np.uint16), *numbers, texts
        self._memory = CoreMemory(Handle.ARTICLE_TABLES, new(Handle.ARTICLE_TABLES, *arrays))
        self.handle = self._memory.handle

    def fragment(self, fragment: bytes, sheet: CoreMemory, noise: Sequence[int], origin: str | None) -> FragmentAnswer:
        """Return what a fragment says under the style sheets of its page, without texts of some hashes, in order.

        Given how addresses begin to which those of the page are relative (nothing, if that is not known), blocks too.

        Raises:
            CoreError: the core failed.
        """
        repeated, begin = array("Q", noise), (origin or "").encode()
        where, count = repeated.buffer_info()
        asked = sheet.handle, fragment, len(fragment), where, count, origin is not None, begin, len(begin)
        answer = ask(library().tidings_fragment, self.handle, *asked)
        return _fragment(answer, answer.text, 0, 0)


class CutPage(NamedTuple):
    """What rules cut out of a page."""

    numbers: list[int]  # from the third on those of `core/src/cut.rs`
    said: str  # by fields, then by the main text
    text: FragmentText | None  # the main text; None if it was not asked for, or has to be read as a page
    blocks: FragmentRows | None  # the same of its blocks


class PageRules:
    """Rules that the core holds. They are written as numbers, and texts whose lengths are among the numbers.

    Raises:
        ValueError: they are not whole.
    """

    __slots__ = ("_memory",)

    def __init__(self, numbers: Sequence[int], texts: bytes) -> None:
        self._memory = CoreMemory(Handle.RULES, new(Handle.RULES, np.array(numbers, np.int64), texts))

    def cut(self, data: bytes, tables: ArticleTables | None, origin: str | None = None) -> CutPage:
        """Return what they cut out of a page and, given the tables, what its main text says.

        Given how addresses begin to which those of the page are relative (nothing, if that is not known), blocks too.

        Raises:
            CoreError: the core failed.
        """
        begin = (origin or "").encode()
        asked = data, len(data), origin is not None, begin, len(begin)
        answer = ask(library().tidings_cut, self._memory.handle, tables.handle if tables else None, *asked)
        numbers, said = answer.numbers, answer.text
        return CutPage(numbers, said, *_fragment(answer, said, 2 + numbers[0], numbers[1]))
