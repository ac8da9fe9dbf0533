"""The table of block features: names, meanings and formulas, in the order in which the core computes them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tidings.core import block_probabilities


class Feature(NamedTuple):
    """A number that is computed for each visible block."""

    name: str
    group: str
    meaning: str
    formula: str


@cache
def table() -> tuple[Feature, ...]:
    """Return all block features in the order of the core.

    Raises:
        CoreMissing: the compiled core is not installed.
    """
    return tuple(Feature(*line.split("\t")) for line in block_probabilities.feature_table().splitlines()[1:])


@cache
def feature_names() -> tuple[str, ...]:
    """Return the names of the block features in the order of the core."""
    return tuple(feature.name for feature in table())
