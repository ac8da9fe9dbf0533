"""Sets of tags as arrays, to test many elements at once."""

from __future__ import annotations

import numpy as np

from tidings.page import tags
from tidings.page.columns import Bools, Ints


def tag_set(numbers: frozenset[int]) -> Bools:
    """Return a set of tags as an array indexed by tag number; the last item is for tags outside the standard."""
    chosen = np.zeros(len(tags.NAMES) + 1, np.bool_)
    chosen[list(numbers)] = True
    return chosen


def among(tag: Ints, chosen: Bools) -> Bools:
    """Return which tag numbers are in a `tag_set`."""
    return chosen.take(tag, mode="clip")
