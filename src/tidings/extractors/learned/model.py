"""The learned weights, as plain arrays in one file: no code is in it, and none is run when it is read."""

from __future__ import annotations

import io
import zipfile
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
class Model:
    """What the default extractor has learned."""

    lexicon: Lexicon
    first: Trees  # from the features of a block
    second: Trees  # from those and the first look at its surroundings
    kinds: Kinds
    names: dict[str, float]  # the words behind the lexicon, to be looked at
    cues: dict[str, float]

    def save(self, path: Path) -> None:
        """Write the model to a file; the same model makes the same bytes."""
        arrays: dict[str, NDArray[Any]] = {"version": np.array(VERSION)}
        for name, words in (("names", self.names), ("cues", self.cues)):
            arrays[f"{name}.word"] = np.array(list(words))
            arrays[f"{name}.weight"] = np.array(list(words.values()), np.float32)
        arrays |= self.first.arrays("first") | self.second.arrays("second") | self.kinds.arrays()
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
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise BadModel(f"{path} is no model file: {error}") from None
    if int(arrays.get("version", -1)) != VERSION:
        raise BadModel(f"{path} is of another version of Tidings: train it again with `tidings lab train default`")
    names, cues = (
        dict(zip(arrays[f"{name}.word"].tolist(), arrays[f"{name}.weight"].tolist(), strict=True))
        for name in ("names", "cues")
    )
    lexicon = Lexicon(Weights.of(names), Weights.of(cues))
    first, second = (Trees.of_arrays(name, arrays) for name in ("first", "second"))
    return Model(lexicon, first, second, Kinds.of_arrays(arrays), names, cues)


@cache
def shipped() -> Model:
    """The model that comes with Tidings."""
    with resources.as_file(resources.files("tidings.extractors.learned") / "default.npz") as path:
        return load(path)
