"""What is asked of a page that the core has scanned, and that it answers in one go over all elements or characters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, library

#: Numbers that `pictures` tells of each.
PICTURE_NUMBERS = 6


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


def pictures(
    page: CoreMemory,
    elements: int,
    hidden: NDArray[np.bool_],
    chosen: NDArray[np.bool_],
    tags: NDArray[np.int64],
) -> list[list[int]] | None:
    """The pictures of a page of so many elements, a row of numbers each (`core/src/pictures.rs`); None if not known.

    Args:
        page: as it was scanned.
        elements: how many it has.
        hidden: which of its runs nobody sees.
        chosen: which are of the story.
        tags: the numbers of `img`, `figure`, `figcaption`, `html` and `body`.
    """
    found = np.empty((elements, PICTURE_NUMBERS), np.int64)
    hidden, chosen = np.ascontiguousarray(hidden), np.ascontiguousarray(chosen)
    count: int = library().tidings_pictures(
        page.handle, hidden.ctypes.data, chosen.ctypes.data, tags.ctypes.data, found.ctypes.data
    )
    return None if count < 0 else found[:count].tolist()
