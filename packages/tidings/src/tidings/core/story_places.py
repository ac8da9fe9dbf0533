"""What stands in and beside chosen text, found by the core in one go (`core/src/story_places.rs`), and its pictures."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, library
from tidings.core.answers import ask


def story_places(
    page: CoreMemory,
    tables: int,
    asked: array[int],
    spans: tuple[bytes, ...],
    held: NDArray[np.uint64],
    *,
    with_pictures: bool,
) -> tuple[NDArray[np.bool_], list[int]]:
    """Return which runs are chosen, and numbers of what stands in and beside them.

    Args:
        page: as it was scanned.
        tables: of tags and words (`tidings.core.rules.ArticleTables`).
        asked: the numbers of tags that are asked for, and borders for captions.
        spans: starts and ends of what is shown, then those of all that was chosen, as numbers of eight bytes.
        held: the words in the start tag of each element, a bit each.
        with_pictures: whether somebody asks for them.

    Raises:
        CoreError: the core failed.
    """
    sizes = len(spans[0]) // 8, len(spans[2]) // 8
    where = held.__array_interface__["data"][0]  # `ctypes.data` takes three times as long
    answer = ask(
        library().tidings_story_places,
        *(page.handle, tables, asked.buffer_info()[0], b"".join(spans), *sizes, where, with_pictures),
    )
    return np.frombuffer(answer.data, np.bool_), answer.numbers


def read_pictures(
    page: CoreMemory, tables: int, sheet: int, elements: array[int], names: bytes, known: array[int]
) -> list[int]:
    """Return what start tags of pictures show or say, and whether they are seen (`core/src/picture_tags.rs`).

    Args:
        page: as it was scanned.
        tables: of tags and words.
        sheet: its style sheets.
        elements: the pictures.
        names: attributes that are asked for, a line each; behind empty lines words of addresses that Python judges.
        known: two tags of elements that are not shown whatever else they say, those of offers and of what they stand
            in; how large dots and icons are; whether paths are seen from an origin.

    Raises:
        CoreError: the core failed.
    """
    where, count = elements.buffer_info()
    question = page.handle, tables, sheet, where, count, names, len(names), known.buffer_info()[0]
    return ask(library().tidings_read_pictures, *question).numbers
