"""The learned weights, as plain arrays in one file: no code is in it, and none is run when it is read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.learned.kinds import Kinds
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.trees import Trees

#: Changes with the features, so that weights of another version are refused and not misread.
VERSION: Final = 1
_EPOCH: Final = (2020, 1, 1, 0, 0, 0)  # equal weights make equal files


@dataclass(frozen=True, slots=True, eq=False)
class Expert:
    """What was learned from some kinds of pages."""

    lexicon: Lexicon
    first: Trees  # from the features of a block
    second: Trees  # from those and the first look at its surroundings
    names: dict[str, float]  # the words behind the lexicon, to be looked at
    cues: dict[str, float]

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """The weights as arrays to be stored, under names that begin alike."""
        arrays = self.first.arrays(f"{name}.first") | self.second.arrays(f"{name}.second")
        for kind, words in (("names", self.names), ("cues", self.cues)):
            arrays[f"{name}.{kind}.word"] = np.array(list(words), np.str_)
            arrays[f"{name}.{kind}.weight"] = np.array(list(words.values()), np.float32)
        return arrays

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Expert:
        """From stored arrays."""
        names, cues = (
            dict(zip(arrays[f"{name}.{kind}.word"].tolist(), arrays[f"{name}.{kind}.weight"].tolist(), strict=True))
            for kind in ("names", "cues")
        )
        first, second = (Trees.of_arrays(f"{name}.{look}", arrays) for look in ("first", "second"))
        return cls(Lexicon(Weights.of(names), Weights.of(cues)), first, second, names, cues)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What the default extractor has learned: to tell kinds of pages apart, and an expert for each of two sorts."""

    kinds: Kinds
    article: Expert  # learned from articles only
    other: Expert  # learned from all kinds of pages

    def save(self, path: Path) -> None:
        """Write the model to a file; the same model makes the same bytes."""
        arrays: dict[str, NDArray[Any]] = {"version": np.array(VERSION)}
        arrays |= self.kinds.arrays() | self.article.arrays("article") | self.other.arrays("other")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, array in arrays.items():
                held = io.BytesIO()
                np.save(held, array, allow_pickle=False)
                file.writestr(zipfile.ZipInfo(f"{name}.npy", _EPOCH), held.getvalue(), zipfile.ZIP_DEFLATED)


def load(path: Path) -> Model:
    """Read a model file.

    Raises:
        BadModel: it is damaged, or of another version.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        if int(arrays["version"]) != VERSION:
            raise BadModel(f"{path} is of another version of Tidings: train it again with `tidings lab train default`")
        experts = (Expert.of_arrays(name, arrays) for name in ("article", "other"))
        return Model(Kinds.of_arrays(arrays), *experts)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise BadModel(f"{path} is no model file: {error}") from None


@cache
def shipped() -> Model:
    """The model that comes with Tidings."""
    with resources.as_file(resources.files("tidings.extractors.learned") / "default.npz") as path:
        return load(path)
