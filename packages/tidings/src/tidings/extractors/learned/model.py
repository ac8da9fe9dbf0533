"""The model of the default extractor: arrays in one file, which contains no code and runs none when it is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.learned.kinds import Kinds
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.network import BlockNetwork
from tidings.extractors.learned.trees import Trees
from tidings.extractors.model_files import read_arrays, read_as_model, write_arrays

#: Increased when features or arrays change, so that a file of another version is refused.
VERSION: Final = 5


class Expert(NamedTuple):
    """A block classifier, trained on pages of one or several kinds.

    The probability of a block is the mean of the log-odds of the trees and of the networks.
    """

    lexicon: Lexicon
    trees: Trees
    networks: tuple[BlockNetwork, ...] = ()

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays for a model file; `name` is their prefix."""
        arrays = self.trees.arrays(f"{name}.trees")
        for number, network in enumerate(self.networks):
            arrays |= network.arrays(f"{name}.network{number}")
        return arrays | self.lexicon.names.arrays(f"{name}.names") | self.lexicon.cues.arrays(f"{name}.cues")

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Expert:
        """Create from stored arrays.

        Raises:
            BadModel: arrays are missing or do not fit together.
        """
        lexicon = Lexicon(*(Weights.of_arrays(f"{name}.{kind}", arrays) for kind in ("names", "cues")))
        trees, networks = (
            Trees.of_arrays(f"{name}.trees", arrays),
            BlockNetwork.all_of_arrays(f"{name}.network", arrays),
        )
        return cls(lexicon, trees, networks)


class Model(NamedTuple):
    """The weights of the default extractor: a classifier of page kinds, and block experts."""

    kinds: Kinds
    article: Expert  # trained on articles only
    other: Expert  # trained on all kinds of pages
    forum: Expert | None = None  # trained on forums only; None if there were too few

    def save(self, path: Path) -> None:
        """Write the model to a file; equal models produce equal bytes."""
        arrays: dict[str, NDArray[Any]] = {"version": np.array(VERSION)} | self.kinds.arrays()
        for name, expert in (("article", self.article), ("other", self.other), ("forum", self.forum)):
            if expert is not None:
                arrays |= expert.arrays(name)
        write_arrays(path, arrays, small=False)  # every process reads it, and packages are compressed anyway


def load(path: Path) -> Model:
    """Read a model file.

    Raises:
        BadModel: the file is damaged, or of another version.
    """
    with read_as_model(path):
        arrays = read_arrays(path)
        if int(arrays["version"]) != VERSION:
            raise BadModel(f"{path} is of another version of Tidings: train it again with `tidings lab train default`")
        article, other = (Expert.of_arrays(name, arrays) for name in ("article", "other"))
        forum = Expert.of_arrays("forum", arrays) if "forum.trees.features" in arrays else None
        return Model(Kinds.of_arrays(arrays), article, other, forum)


@cache
def shipped() -> Model:
    """Return the built-in model."""
    return load(Path(__file__).with_name("default.npz"))
