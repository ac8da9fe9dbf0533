"""The table of block features: names, meanings and formulas, in the order in which the core computes them."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tidings.core import block_probabilities

#: Prefix of the features that are computed from the probabilities of the first pass.
_SECOND: Final = "second_"


class Feature(NamedTuple):
    """A number that is computed for each visible block."""

    name: str
    group: str
    meaning: str
    formula: str


@cache
def table() -> tuple[Feature, ...]:
    """Return all block features in order: those of the first pass, which rates each block by itself, then those that
    only the second pass has, which also uses the probabilities of neighbouring blocks.

    Raises:
        CoreMissing: the compiled core is not installed.
    """
    return tuple(Feature(*line.split("\t")) for line in block_probabilities.feature_table().splitlines()[1:])


@cache
def first_names() -> tuple[str, ...]:
    """Return the names of the block features for the first pass, which rates each block by itself."""
    return tuple(feature.name for feature in table() if not feature.name.startswith(_SECOND))


@cache
def all_names() -> tuple[str, ...]:
    """Return the names of the block features for the second pass, which begin with those for the first pass."""
    return tuple(feature.name for feature in table())
