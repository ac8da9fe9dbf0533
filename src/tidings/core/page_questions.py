"""What is asked of a page that the core has scanned, and that it answers in one go over all elements or characters."""

from __future__ import annotations

import ctypes
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, library


def nearest(page: CoreMemory, chosen: NDArray[np.bool_]) -> NDArray[np.int64] | None:
    """For each element itself or the nearest chosen element around it, else the document; None if not known."""
    found = np.empty(len(chosen), np.int64)
    chosen = np.ascontiguousarray(chosen)
    refusal: int = library().tidings_nearest(page.handle, chosen.ctypes.data, found.ctypes.data)
    return None if refusal else found


def places(page: CoreMemory, words: tuple[str, ...], most: int) -> list[int] | None:
    """Where words of ASCII stand in the source, word by word, of each at most so many, one behind the other."""
    found = np.empty(len(words) * most, np.int64)
    lines = "\n".join(words).encode()
    count: int = library().tidings_places(page.handle, lines, len(lines), most, found.ctypes.data)
    return None if count < 0 else found[:count].tolist()


def page_links(
    page: CoreMemory,
    elements: int,
    tag: int,
    name: str,
    words: tuple[str, ...],
    others: NDArray[np.int64],
    whole: tuple[str, ...],
    wanted: int,
) -> NDArray[np.int64] | None:
    """The links that may lead to another page of a story (`core/src/page_links.rs`); None if not known.

    Args:
        page: as it was scanned.
        elements: how many it has.
        tag: the number of that of links.
        name: of the story, empty if it has none; what is looked for is in small letters of ASCII.
        words: what one of the others must hold.
        others: links that may do without the name.
        whole: what does instead of a number.
        wanted: the number of the page.
    """
    found, others = np.empty(elements, np.int64), np.ascontiguousarray(others)
    lines = "\n".join((name, *words, "", *whole)).encode("ascii")
    told = (tag, wanted, lines, len(lines), others.ctypes.data, len(others), found.ctypes.data)
    count: int = library().tidings_page_links(page.handle, *told)
    return None if count < 0 else found[:count]


class DeclaredTexts(NamedTuple):
    """What elements without text tell, one behind the other, and where others stand."""

    meta: list[str]  # name and content of each meta element in turn
    links: list[str]  # relation and address of each link in turn
    others: list[int]  # which of the tags, where it begins, where it ends; of scripts of JSON-LD what stands in them


def signals(page: CoreMemory, tables: int, tags: NDArray[np.int64]) -> DeclaredTexts | None:
    """What a page declares in elements of six tags (`core/src/signals.rs`); None if Python has to look."""
    out = (ctypes.c_uint64 * 6)()
    handle = library().tidings_signals(page.handle, tables, tags.ctypes.data, out)
    if not handle:
        return None
    memory = CoreMemory(handle, library().tidings_signals_free)
    meta, meta_size, links, links_size, others, others_size = out
    texts = (ctypes.string_at(meta, meta_size), ctypes.string_at(links, links_size))
    said, led = (text.decode("utf-8").split("\0")[:-1] for text in texts)
    return DeclaredTexts(said, led, memory.array(others, others_size, "<i8").tolist())


class Listener(CoreMemory):
    """Stop words of languages in Latin letters, by which the core tells what a page sounds like."""

    __slots__ = ("_count", "_known", "_scores")

    def __init__(self, handle: int, languages: int) -> None:
        super().__init__(handle, library().tidings_stop_words_free)
        self._count, self._scores, self._known = languages, ctypes.c_double * languages, ctypes.c_int64 * languages

    def heard(
        self,
        page: CoreMemory,
        tables: int,
        spans: tuple[NDArray[np.int64], NDArray[np.int64]],
        hidden: NDArray[np.bool_],
        most: int,
        length: int,
    ) -> tuple[int, list[float], list[int]] | None:
        """How many words the longest runs of a page have, and for each language score and known words.

        Args:
            page: as it was scanned.
            tables: those of the scanner.
            spans: starts and ends of the chosen text; if there is none, all that is in no link is chosen.
            hidden: which runs nobody sees.
            most: so many runs are listened to.
            length: and so many characters of each.
        """
        scores, known = self._scores(), self._known()
        starts, ends, hidden = (
            np.ascontiguousarray(spans[0]),
            np.ascontiguousarray(spans[1]),
            np.ascontiguousarray(hidden),
        )
        chosen = (starts.ctypes.data, ends.ctypes.data, len(starts), hidden.ctypes.data)
        told = (*chosen, most, length, self._count, scores, known)
        words: int = library().tidings_heard(page.handle, tables, self.handle, *told)
        return None if words < 0 else (words, scores[:], known[:])


def listener(words: dict[str, int], languages: list[tuple[tuple[int, float], ...]], parts: bytes) -> Listener | None:
    """What hears stop words; None if the core cannot tell them apart.

    Args:
        words: each in small letters, with the number of the languages that have it.
        languages: for each such number the languages, by number too, and what such a word says for each.
        parts: for each of the first characters whether it parts words.
    """
    lines = "\n".join(words).encode("utf-16-le")
    those = np.fromiter(words.values(), np.int64, len(words))
    borders = np.cumsum([0, *map(len, languages)])
    pairs = [pair for some in languages for pair in some]
    numbers, weights = np.array([one for one, _ in pairs], np.int64), np.array([one for _, one in pairs])
    told = (those.ctypes.data, borders.ctypes.data, len(languages), numbers.ctypes.data, weights.ctypes.data)
    handle = library().tidings_stop_words(lines, len(lines) // 2, *told, parts, len(parts))
    return Listener(handle, int(numbers.max()) + 1) if handle else None


class CharacterTable:
    """Bits by character, and where they stand; what is not in the table is like its last."""

    __slots__ = ("address", "bits")

    def __init__(self, bits: NDArray[np.uint8]) -> None:
        self.bits = np.ascontiguousarray(bits)
        self.address = self.bits.ctypes.data


def stretches(
    page: CoreMemory, table: CharacterTable, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Starts and ends, in turn, of stretches of characters in ranges of the text that have the first bit in a table.

    Those that have the third go with them where they stand between two.
    """
    count, ranges = len(starts), np.concatenate((starts, ends))
    out = np.empty(ranges.item(-1) - ranges.item(0) + 1 if count else 0, np.int64)
    at = ranges.ctypes.data
    told = table.address, len(table.bits), at, at + 8 * count, count, out.ctypes.data
    found: int = library().tidings_stretches(page.handle, *told)
    return None if found < 0 else out[:found].copy()


class LineRegions(NamedTuple):
    """Content and code of each line, smoothed; first and last lines of the regions around most content."""

    content: NDArray[np.int64]
    code: NDArray[np.int64]
    smoothed: NDArray[np.int64]
    regions: list[tuple[int, int]]


class LineScan:
    """The lines of a scanned page: five columns over memory of the core."""

    __slots__ = ("_memory", "_page", "columns")

    def __init__(self, page: CoreMemory, memory: CoreMemory, columns: list[NDArray[np.int64]]) -> None:
        self._page, self._memory, self.columns = page, memory, columns

    def counts(self, table: CharacterTable) -> NDArray[np.int64] | None:
        """For each line how many of its characters have the first bit in a table, and how many have the second."""
        out = np.empty((2, len(self.columns[0])), np.int64)
        told = self._page.handle, self._memory.handle, table.address, len(table.bits), out.ctypes.data
        return None if library().tidings_line_counts(*told) else out

    def regions(self, table: CharacterTable, gap: int) -> LineRegions | None:
        """The same, with the code of each line besides the second, and what is made of it with such a gap."""
        size = len(self.columns[0])
        out = np.empty(4 * size + 1, np.int64)  # at most every other line is a region
        told = self._page.handle, self._memory.handle, table.address, len(table.bits), gap, out.ctypes.data
        count: int = library().tidings_line_regions(*told)
        if count < 0:
            return None
        borders = out[3 * size : 3 * size + 2 * count].tolist()
        found = list(zip(borders[0::2], borders[1::2], strict=True))
        return LineRegions(out[:size], out[size : 2 * size], out[2 * size : 3 * size], found)


def lines(page: CoreMemory, length: int, taken_out: tuple[int, int]) -> LineScan | None:
    """The lines of a page that the core has scanned, without the tags of two elements."""
    out = (ctypes.c_uint64 * 8)()
    if library().tidings_lines(page.handle, length, *taken_out, out):
        return None
    handle, numbers, *borders = out
    memory = CoreMemory(handle, library().tidings_lines_free)
    whole = memory.array(numbers, borders[-1], "<i8")
    return LineScan(page, memory, [whole[start:end] for start, end in pairwise(borders)])
