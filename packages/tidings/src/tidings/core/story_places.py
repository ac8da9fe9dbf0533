"""Elements and pictures in and near selected text, found by the core in one pass (`core/src/story_places.rs`)."""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import NamedTuple

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
        settings: numbers of the requested tags.
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


class PictureTag(NamedTuple):
    """What the core reads from the start tag of a visible picture."""

    urls: list[str]  # possible URLs as the page has them, the best first; none is empty or a placeholder
    alt: str


def picture_tag(numbers: list[int], text: str, at: int, start: int) -> PictureTag:
    """Return the texts of a picture, whose number of URLs is at index `at`, followed by the ends of its `alt` and
    URLs in `text`. The texts begin at `start`.
    """
    ends = numbers[at + 1 : at + 2 + numbers[at]]
    return PictureTag([text[begin:end] for begin, end in pairwise(ends)], text[start : ends[0]])


def read_pictures(page: CoreMemory, tables: int, sheet: int, elements: array[int]) -> list[PictureTag | None]:
    """Read the start tags of pictures (`core/src/pictures/tags.rs`). None for hidden pictures, tracking pixels and
    icons.

    Args:
        page: the scanned page.
        tables: the tables of tags and words.
        sheet: its style sheets.
        elements: the pictures.

    Raises:
        CoreError: the core failed.
    """
    answer = ask(library().tidings_read_pictures, page.handle, tables, sheet, *elements.buffer_info())
    numbers, text = answer.numbers, answer.text
    at = start = 0
    picture_tags: list[PictureTag | None] = []
    for _ in elements:
        if numbers[at] < 0:
            picture_tags.append(None)
            at += 1
            continue
        picture_tags.append(picture_tag(numbers, text, at, start))
        at += 2 + numbers[at]
        start = numbers[at - 1]
    return picture_tags
