"""Elements and pictures in and near selected text, found by the core in one pass (`core/src/story_places.rs`)."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, library
from tidings.core.answers import ask


def story_places(
    page: CoreMemory,
    tables: int,
    settings: array[int],
    spans: tuple[bytes, ...],
    tag_word_bits: NDArray[np.uint64],
    *,
    with_pictures: bool,
) -> tuple[NDArray[np.bool_], list[int]]:
    """Return which runs are selected, and numbers for the elements in and near them.

    Args:
        page: the scanned page.
        tables: the tables of tags and words (`tidings.core.rules.ArticleTables`).
        settings: numbers of the requested tags, and thresholds for captions.
        spans: starts and ends of the visible selection, then those of the whole selection, as 8-byte numbers.
        tag_word_bits: the words in the start tag of each element as bits.
        with_pictures: whether to find pictures.

    Raises:
        CoreError: the core failed.
    """
    sizes = len(spans[0]) // 8, len(spans[2]) // 8
    address = tag_word_bits.__array_interface__["data"][0]  # `ctypes.data` takes three times as long
    answer = ask(
        library().tidings_story_places,
        *(page.handle, tables, settings.buffer_info()[0], b"".join(spans), *sizes, address, with_pictures),
    )
    return np.frombuffer(answer.data, np.bool_), answer.numbers


def read_pictures(
    page: CoreMemory, tables: int, sheet: int, elements: array[int], names: bytes, settings: array[int]
) -> list[int]:
    """Return attributes and visibility of pictures from their start tags (`core/src/picture_tags.rs`).

    Args:
        page: the scanned page.
        tables: the tables of tags and words.
        sheet: its style sheets.
        elements: the pictures.
        names: the requested attributes, one per line; after empty lines words of URLs that Python has to check.
        settings: two tags of elements that are never visible, those of offers and of their containers; sizes of dots
            and icons; whether paths are relative to an origin.

    Raises:
        CoreError: the core failed.
    """
    address, count = elements.buffer_info()
    question = page.handle, tables, sheet, address, count, names, len(names), settings.buffer_info()[0]
    return ask(library().tidings_read_pictures, *question).numbers
