"""The learned weights, as plain arrays in one file: no code is in it, and none is run when it is read."""

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

#: Changes with the features, so that weights of another version are refused and not misread.
VERSION: Final = 4
#: Trees of this version ask for fewer features: they are led to the same ones where these stand now (`_led`).
_WITHOUT_STORY: Final = 3
#: Of this version words are stored without their numbers, a text each (`SpelledWords.of_arrays`).
_WITHOUT_NUMBERS: Final = 2
#: As in that; and trees of this version ask for logarithms: their borders are moved when they are read
#: (`_without_logarithms`).
_LOGARITHMS: Final = 1
_LOGARITHMIC: Final = late_pattern(
    r"words|chars|links|plain|runs|stops|commas|dates_b\w+|rank|rank_end|box\d_(?:words|mean|paragraphs)|box_own|main_gap"
    r"|path\d_(?:count|mean)|since_heading|(?:words|stops)_[mp]\d|(?:near|ahead|back)\d_long"
    r"|second_(?:gap|page_content_words)"
)
_SIGNED: Final = late_pattern(r"since_h1|second_(?:before_first|behind_last|from_surest)")


class Expert(NamedTuple):
    """What was learned from some kinds of pages."""

    lexicon: Lexicon
    first: Trees  # from the features of a block
    second: Trees  # from those and the first look at its surroundings
    network: BlockNetwork | None = None  # from the features of all blocks together; heard beside the second look

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays to be stored, under names that begin alike."""
        arrays = self.first.arrays(f"{name}.first") | self.second.arrays(f"{name}.second")
        if self.network is not None:
            arrays |= self.network.arrays(f"{name}.network")
        return arrays | self.lexicon.names.arrays(f"{name}.names") | self.lexicon.cues.arrays(f"{name}.cues")

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Expert:
        """From stored arrays."""
        names, cues = (Weights.of_arrays(f"{name}.{kind}", arrays) for kind in ("names", "cues"))
        first, second = (Trees.of_arrays(f"{name}.{look}", arrays) for look in ("first", "second"))
        return cls(Lexicon(names, cues), first, second, BlockNetwork.of_arrays(f"{name}.network", arrays))


class Model(NamedTuple):
    """What the default extractor has learned: to tell kinds of pages apart, and an expert for each of two sorts."""

    kinds: Kinds
    article: Expert  # learned from articles only
    other: Expert  # learned from all kinds of pages

    def save(self, path: Path) -> None:
        """Write the model to a file; the same model makes the same bytes."""
        arrays: dict[str, NDArray[Any]] = {"version": np.array(VERSION)}
        arrays |= self.kinds.arrays() | self.article.arrays("article") | self.other.arrays("other")
        write_arrays(path, arrays, small=False)  # every process reads it, and packages are compressed anyway


def load(path: Path) -> Model:
    """Read a model file.

    Raises:
        BadModel: it is damaged, or of another version.
    """
    with read_as_model(path):
        arrays = read_arrays(path)
        version = int(arrays["version"])
        if version not in (_LOGARITHMS, _WITHOUT_NUMBERS, _WITHOUT_STORY, VERSION):
            raise BadModel(f"{path} is of another version of Tidings: train it again with `tidings lab train default`")
        if version == _LOGARITHMS:
            for name in (f"{expert}.{look}" for expert in ("article", "other") for look in ("first", "second")):
                asked = (arrays[f"{name}.{column}"] for column in ("features", "feature", "border"))
                arrays[f"{name}.border"] = _without_logarithms(*asked)
        experts = [Expert.of_arrays(name, arrays) for name in ("article", "other")]
        return Model(Kinds.of_arrays(arrays), *(_led(expert) for expert in experts))


def _led(expert: Expert) -> Expert:
    """Return an expert whose trees ask for the features of today, in their order."""
    first, second = features.first_names(), features.all_names()
    if expert.first.features == first and expert.second.features == second:
        return expert
    return expert._replace(first=_asking(expert.first, first), second=_asking(expert.second, second))


def _asking(trees: Trees, names: tuple[str, ...]) -> Trees:
    place = np.array([names.index(name) for name in trees.features], np.int64)  # ValueError: not of these features
    return Trees(names, place[trees.feature], trees.border, trees.leaf, trees.bias)


def _without_logarithms(
    names: NDArray[np.str_], feature: NDArray[np.integer], border: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return borders for features as they are, from borders for the logarithm of one more than they are.

    The new border is the largest number whose logarithm is not above the old one, so that every answer is the same.
    """
    moved = border.copy()
    for row, name in enumerate(names.tolist()):
        is_signed = _SIGNED.fullmatch(name) is not None
        if is_signed or _LOGARITHMIC.fullmatch(name):
            asked = np.flatnonzero(feature == row)
            # Below nothing are only the marks for "there is none", which have stayed, but for one.
            some = asked[np.isfinite(border[asked]) & (is_signed | (border[asked] >= 0))]
            moved[some] = _largest_not_above(border[some])
    return moved


def _largest_not_above(border: NDArray[np.float32]) -> NDArray[np.float32]:
    """For each border the largest number x for which sign(x) · log(1 + |x|) is not above it."""

    def logarithm(number: NDArray[np.float32]) -> NDArray[np.float32]:
        wide = number.astype(np.float64)
        return (np.sign(wide) * np.log1p(np.abs(wide))).astype(np.float32)

    found = (np.sign(border) * np.expm1(np.abs(border.astype(np.float64)))).astype(np.float32)
    up, down = np.float32(np.inf), np.float32(-np.inf)
    while (above := logarithm(found) > border).any():
        found[above] = np.nextafter(found[above], down)
    while (below := logarithm(np.nextafter(found, up)) <= border).any():
        found[below] = np.nextafter(found[below], up)
    return found


@cache
def shipped() -> Model:
    """Return the model that comes with Tidings."""
    return load(Path(__file__).with_name("default.npz"))
