"""Learned weights as a file: plain arrays, no code in it, and none run when it is read.

A file says which extractor it is for and which version of its features it was learned with, so that weights are
refused and not misread. Equal weights make equal bytes.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.model_files import DAMAGED, Arrays, read_arrays, write_arrays

#: Changes with the features or the form of any file here.
VERSION: Final = 1
#: A model that unpacks to more than this is none of ours: the largest has less than a megabyte.
MOST_BYTES: Final = 64 << 20


class Portable(Protocol):
    """Weights that can be written as arrays and made of them."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights by name."""
        ...

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """From stored arrays.

        Raises:
            BadModel: they do not fit together.
        """
        ...


Held = TypeVar("Held", bound=Portable)


def save(weights: Portable, extractor: str, path: Path) -> None:
    """Write the weights of an extractor to a file."""
    write_arrays(path, {"version": np.array(VERSION), "extractor": np.array(extractor), **weights.arrays()})


def load(form: type[Held], extractor: str, path: Path) -> Held:
    """Read the weights of an extractor.

    Raises:
        BadModel: the file is damaged, too large, for another extractor, or of another version.
    """
    again = f"train it with `tidings lab train {extractor}`"
    try:
        arrays = {name: _finite(name, array) for name, array in read_arrays(path, MOST_BYTES).items()}
        _check(extractor, str(arrays["extractor"]), int(arrays["version"]))
        return form.of_arrays(arrays)
    except BadModel as wrong:
        raise BadModel(f"{path} {wrong}; {again}") from None
    except KeyError as missing:
        raise BadModel(f"{path} is no model file: it has no {missing}") from None
    except DAMAGED as error:
        raise BadModel(f"{path} is no model file: {error}") from None


def _check(extractor: str, told: str, version: int) -> None:
    if told != extractor:
        raise BadModel(f"holds weights for {told[:40]!r}, not for {extractor!r}: name another file")
    if version != VERSION:
        raise BadModel("is of another version of Tidings")


def _finite(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind not in "biufU":
        raise BadModel(f"has neither numbers nor words in {name[:40]!r}")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise BadModel(f"has something that is no number in {name[:40]!r}")
    return array


def read(form: type[Held], extractor: str, model: str) -> Held:
    """The weights in a file, or with no file named those that come with Tidings; each is read once.

    Raises:
        BadModel: the file cannot be used.
    """
    return cast("Held", _read(form, extractor, model))


@cache
def _read(form: type[Portable], extractor: str, model: str) -> Portable:
    if model:
        return load(form, extractor, Path(model))
    with resources.as_file(resources.files("tidings.extractors.published.trained") / f"{extractor}.npz") as path:
        return load(form, extractor, path)


def fit_together(fits: bool, what: str) -> None:
    """See to it that arrays fit together.

    Raises:
        BadModel: they do not.
    """
    if not fits:
        raise BadModel(f"has arrays of {what} that do not fit together")
