"""The table of block features: names, meanings and formulas, in the order in which the core computes them."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tidings.core import block_probabilities

#: Names of features that are computed from the probabilities of the first look begin so.
_SECOND: Final = "second_"


class Feature(NamedTuple):
    """One number that is computed for each visible block."""

    name: str
    group: str
    meaning: str
    formula: str


@cache
def table() -> tuple[Feature, ...]:
    """Return all features: those of the first look, then those that only the second look has.

    Raises:
        CoreMissing: there is no core.
    """
    return tuple(Feature(*line.split("\t")) for line in block_probabilities.feature_table().splitlines()[1:])


@cache
def first_names() -> tuple[str, ...]:
    """Return the names of the features of the first look."""
    return tuple(feature.name for feature in table() if not feature.name.startswith(_SECOND))


@cache
def all_names() -> tuple[str, ...]:
    """Return the names of the features of the second look, which begin with those of the first."""
    return tuple(feature.name for feature in table())
