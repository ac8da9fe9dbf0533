"""The model of the default extractor: arrays in one file, which contains no code and runs none when it is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.learned import features
from tidings.extractors.learned.kinds import Kinds
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.network import BlockNetwork
from tidings.extractors.learned.trees import Trees
from tidings.extractors.model_files import read_arrays, read_as_model, write_arrays
from tidings.text.patterns import late_pattern

#: Increased when the features change, so that weights of another version are refused.
VERSION: Final = 4
#: Trees of this version use fewer features; `_with_current_features` maps them to the current positions.
_WITHOUT_STORY: Final = 3
#: Files of this version and the one before store a text per word instead of hashes (`SpelledWords.of_arrays`).
_WITHOUT_NUMBERS: Final = 2
#: Trees of this version compare logarithms; `_without_logarithms` converts their borders.
_LOGARITHMS: Final = 1
_LOGARITHMIC: Final = late_pattern(
    r"words|chars|links|plain|runs|stops|commas|dates_b\w+|rank|rank_end|box\d_(?:words|mean|paragraphs)|box_own|main_gap"
    r"|path\d_(?:count|mean)|since_heading|(?:words|stops)_[mp]\d|(?:near|ahead|back)\d_long"
    r"|second_(?:gap|page_content_words)"
)
_SIGNED: Final = late_pattern(r"since_h1|second_(?:before_first|behind_last|from_surest)")


class Expert(NamedTuple):
    """A block classifier of two passes, trained on pages of one or several kinds."""

    lexicon: Lexicon
    first: Trees  # first pass: features of a block
    second: Trees  # second pass: the same, and the first pass's probabilities of surrounding blocks
    network: BlockNetwork | None = None  # features of all blocks together; averaged with the second pass

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays for a model file; `name` is their prefix."""
        arrays = self.first.arrays(f"{name}.first") | self.second.arrays(f"{name}.second")
        if self.network is not None:
            arrays |= self.network.arrays(f"{name}.network")
        return arrays | self.lexicon.names.arrays(f"{name}.names") | self.lexicon.cues.arrays(f"{name}.cues")

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Expert:
        """Create from stored arrays."""
        names, cues = (Weights.of_arrays(f"{name}.{kind}", arrays) for kind in ("names", "cues"))
        first, second = (Trees.of_arrays(f"{name}.{look}", arrays) for look in ("first", "second"))
        return cls(Lexicon(names, cues), first, second, BlockNetwork.of_arrays(f"{name}.network", arrays))


class Model(NamedTuple):
    """The weights of the default extractor: a classifier of page kinds and two block experts."""

    kinds: Kinds
    article: Expert  # learned from articles only
    other: Expert  # learned from all kinds of pages

    def save(self, path: Path) -> None:
        """Write the model to a file; equal models produce equal bytes."""
        arrays: dict[str, NDArray[Any]] = {"version": np.array(VERSION)}
        arrays |= self.kinds.arrays() | self.article.arrays("article") | self.other.arrays("other")
        write_arrays(path, arrays, small=False)  # every process reads it, and packages are compressed anyway


def load(path: Path) -> Model:
    """Read a model file.

    Raises:
        BadModel: the file is damaged, or of another version.
    """
    with read_as_model(path):
        arrays = read_arrays(path)
        version = int(arrays["version"])
        if version not in (_LOGARITHMS, _WITHOUT_NUMBERS, _WITHOUT_STORY, VERSION):
            raise BadModel(f"{path} is of another version of Tidings: train it again with `tidings lab train default`")
        if version == _LOGARITHMS:
            for name in (f"{expert}.{look}" for expert in ("article", "other") for look in ("first", "second")):
                columns = (arrays[f"{name}.{column}"] for column in ("features", "feature", "border"))
                arrays[f"{name}.border"] = _without_logarithms(*columns)
        experts = [Expert.of_arrays(name, arrays) for name in ("article", "other")]
        return Model(Kinds.of_arrays(arrays), *(_with_current_features(expert) for expert in experts))


def _with_current_features(expert: Expert) -> Expert:
    """Return an expert whose trees use the current features in the current order."""
    first, second = features.first_names(), features.all_names()
    if expert.first.features == first and expert.second.features == second:
        return expert
    return expert._replace(first=_reordered(expert.first, first), second=_reordered(expert.second, second))


def _reordered(trees: Trees, names: tuple[str, ...]) -> Trees:
    positions = np.array([names.index(name) for name in trees.features], np.int64)  # ValueError: not of these features
    return Trees(names, positions[trees.feature], trees.border, trees.leaf, trees.bias)


def _without_logarithms(
    names: NDArray[np.str_], feature: NDArray[np.integer], border: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Convert the borders of logarithmic features to borders of the plain values.

    Each new border is the largest number whose logarithm log(1 + x) is not above the old border, so that every
    comparison gives the same result.
    """
    moved = border.copy()
    for row, name in enumerate(names.tolist()):
        is_signed = _SIGNED.fullmatch(name) is not None
        if is_signed or _LOGARITHMIC.fullmatch(name):
            nodes = np.flatnonzero(feature == row)
            # Negative values of unsigned features mark a missing value and have not changed.
            convertible = nodes[np.isfinite(border[nodes]) & (is_signed | (border[nodes] >= 0))]
            moved[convertible] = _largest_not_above(border[convertible])
    return moved


def _largest_not_above(border: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return for each border the largest number x with sign(x) · log(1 + |x|) not above it."""

    def logarithm(number: NDArray[np.float32]) -> NDArray[np.float32]:
        wide = number.astype(np.float64)
        return (np.sign(wide) * np.log1p(np.abs(wide))).astype(np.float32)

    number = (np.sign(border) * np.expm1(np.abs(border.astype(np.float64)))).astype(np.float32)
    up, down = np.float32(np.inf), np.float32(-np.inf)
    while (above := logarithm(number) > border).any():
        number[above] = np.nextafter(number[above], down)
    while (below := logarithm(np.nextafter(number, up)) <= border).any():
        number[below] = np.nextafter(number[below], up)
    return number


@cache
def shipped() -> Model:
    """Return the built-in model."""
    return load(Path(__file__).with_name("default.npz"))
