"""Files of learned weights: named arrays in one archive. No code is in them, and none is run when they are read.

Equal arrays make equal bytes. What is damaged, holds anything but arrays, or unpacks to far more than a model may have,
is refused, and says why.

The weights of a published method also say which extractor they are for and which version of its features they were
learned with, so that they are refused and not misread.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel

Arrays = Mapping[str, NDArray[Any]]

#: What reading a damaged file, or making weights of what it holds, may raise.
DAMAGED: Final = (
    *(OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, EOFError, NotImplementedError),
    zipfile.BadZipFile,
)
#: A file that unpacks to more is no model: the largest memories of instances have some hundred megabytes.
MOST_BYTES: Final = 1 << 30
_EPOCH: Final = (2020, 1, 1, 0, 0, 0)
_ENDING: Final = ".npy"


def write_arrays(path: Path, arrays: Arrays, *, small: bool = True) -> None:
    """Write arrays under their names; what need not be small is read in a third of the time."""
    write_parts(path, {name + _ENDING: packed(array) for name, array in arrays.items()}, small=small)


def write_parts(path: Path, parts: Mapping[str, bytes], *, small: bool = True) -> None:
    """Write an archive of any parts."""
    how = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w") as file:
        for name, part in parts.items():
            file.writestr(zipfile.ZipInfo(name, _EPOCH), part, how, 9)


def read_arrays(path: Path, most: int = MOST_BYTES) -> dict[str, NDArray[Any]]:
    """Return all arrays of a file by name.

    Raises:
        OSError, ValueError, BadZipFile and others of `DAMAGED`: it is no such file, or unpacks to far more.
    """
    with zipfile.ZipFile(path) as file:
        if sum(one.file_size for one in file.infolist()) > most:
            raise ValueError(f"it unpacks to more than {most >> 20} MB")
        return {name.removesuffix(_ENDING): unpacked(file.read(name)) for name in file.namelist()}


def packed(array: NDArray[Any]) -> bytes:
    """Return an array as bytes."""
    held = io.BytesIO()
    np.save(held, array, allow_pickle=False)
    return held.getvalue()


def unpacked(data: bytes) -> NDArray[Any]:
    """Return an array of bytes.

    Raises:
        ValueError: they are none, or hold objects.
    """
    return np.asarray(np.lib.format.read_array(io.BytesIO(data), allow_pickle=False))


@contextmanager
def read_as_model(path: Path) -> Iterator[None]:
    """Say of whatever goes wrong with a file that it is no model file.

    Raises:
        BadModel: something did.
    """
    try:
        yield
    except DAMAGED as error:
        raise BadModel(f"{path} is no model file: {error}") from None


#: Changes with the features or the form of any file of a published method.
VERSION: Final = 1
#: One that unpacks to more than this is none of ours: the largest has less than a megabyte.
MOST_BYTES_PUBLISHED: Final = 64 << 20
_SHIPPED: Final = Path(__file__).parent / "published" / "trained"


class Portable(Protocol):
    """Weights that can be written as arrays and made of them."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights by name."""
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
        arrays = {name: _finite(name, array) for name, array in read_arrays(path, MOST_BYTES_PUBLISHED).items()}
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
    """Return the weights in a file, or with no file named those that come with Tidings; each is read once.

    Raises:
        BadModel: the file cannot be used.
    """
    return cast("Held", _read(form, extractor, model))


@cache
def _read(form: type[Portable], extractor: str, model: str) -> Portable:
    return load(form, extractor, Path(model) if model else _SHIPPED / f"{extractor}.npz")


def fit_together(fits: bool, what: str) -> None:
    """See to it that arrays fit together.

    Raises:
        BadModel: they do not.
    """
    if not fits:
        raise BadModel(f"has arrays of {what} that do not fit together")
