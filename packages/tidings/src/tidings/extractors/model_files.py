"""Model files: named NumPy arrays in a ZIP archive, which contains no code and runs none when it is loaded.

Equal arrays produce equal bytes. A file is refused with a reason if it is damaged, contains anything but arrays, or
unpacks to far more than a model needs. Files of published methods also store the extractor's name and the version of
its features, so that weights for another extractor or version are refused.
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

#: Exceptions that reading a damaged file, or building weights from its arrays, may raise.
DAMAGED: Final = (
    *(OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, EOFError, NotImplementedError),
    zipfile.BadZipFile,
)
#: The unpacked size limit. The largest models (instance memories) have some hundred megabytes.
MOST_BYTES: Final = 1 << 30
_EPOCH: Final = (2020, 1, 1, 0, 0, 0)
_ENDING: Final = ".npy"


def write_arrays(path: Path, arrays: Arrays, *, small: bool = True) -> None:
    """Write arrays under their names; with `small=False` uncompressed, which loads three times faster."""
    write_parts(path, {name + _ENDING: packed(array) for name, array in arrays.items()}, small=small)


def write_parts(path: Path, parts: Mapping[str, bytes], *, small: bool = True) -> None:
    """Write an archive of named byte strings."""
    how = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
    with zipfile.ZipFile(path, "w") as file:
        for name, part in parts.items():
            file.writestr(zipfile.ZipInfo(name, _EPOCH), part, how, 9)


def read_arrays(path: Path, most: int = MOST_BYTES) -> dict[str, NDArray[Any]]:
    """Return all arrays of a file by name.

    Raises:
        OSError, ValueError, BadZipFile and others of `DAMAGED`: the file is no archive of arrays, or unpacks to more
            than `most` bytes.
    """
    with zipfile.ZipFile(path) as file:
        if sum(info.file_size for info in file.infolist()) > most:
            raise ValueError(f"it unpacks to more than {most >> 20} MB")
        return {name.removesuffix(_ENDING): unpacked(file.read(name)) for name in file.namelist()}


def packed(array: NDArray[Any]) -> bytes:
    """Serialise an array (NPY format)."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def unpacked(data: bytes) -> NDArray[Any]:
    """Deserialise an array (NPY format).

    Raises:
        ValueError: the bytes are not an array, or the array contains Python objects.
    """
    return np.asarray(np.lib.format.read_array(io.BytesIO(data), allow_pickle=False))


@contextmanager
def read_as_model(path: Path) -> Iterator[None]:
    """Turn any error of reading a model file into `BadModel`.

    Raises:
        BadModel: reading failed.
    """
    try:
        yield
    except DAMAGED as error:
        raise BadModel(f"{path} is no model file: {error}") from None


#: Increased when the features or the file format of any published method change.
VERSION: Final = 1
#: The unpacked size limit; the largest file has less than a megabyte.
MOST_BYTES_PUBLISHED: Final = 64 << 20
_SHIPPED: Final = Path(__file__).parent / "published" / "trained"


class Portable(Protocol):
    """Model weights that convert to named arrays and back."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights by name."""
        ...

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """Create the weights from stored arrays.

        Raises:
            BadModel: the arrays do not fit together.
        """
        ...


Weights = TypeVar("Weights", bound=Portable)


def save(weights: Portable, extractor: str, path: Path) -> None:
    """Write the weights of an extractor to a file."""
    write_arrays(path, {"version": np.array(VERSION), "extractor": np.array(extractor), **weights.arrays()})


def load(form: type[Weights], extractor: str, path: Path) -> Weights:
    """Read the weights of an extractor.

    Raises:
        BadModel: the file is damaged, too large, for another extractor, or of another version.
    """
    again = f"train it with `tidings lab train {extractor}`"
    try:
        arrays = {name: _finite(name, array) for name, array in read_arrays(path, MOST_BYTES_PUBLISHED).items()}
        _check_header(extractor, str(arrays["extractor"]), int(arrays["version"]))
        return form.of_arrays(arrays)
    except BadModel as wrong:
        raise BadModel(f"{path} {wrong}; {again}") from None
    except KeyError as missing:
        raise BadModel(f"{path} is no model file: it has no {missing}") from None
    except DAMAGED as error:
        raise BadModel(f"{path} is no model file: {error}") from None


def _check_header(extractor: str, stored: str, version: int) -> None:
    if stored != extractor:
        raise BadModel(f"holds weights for {stored[:40]!r}, not for {extractor!r}: name another file")
    if version != VERSION:
        raise BadModel("is of another version of Tidings")


def _finite(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind not in "biufU":
        raise BadModel(f"has neither numbers nor words in {name[:40]!r}")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise BadModel(f"has something that is no number in {name[:40]!r}")
    return array


def read(form: type[Weights], extractor: str, model: str) -> Weights:
    """Return the weights in a model file, or the built-in weights if `model` is empty; each file is read once.

    Raises:
        BadModel: the file cannot be used.
    """
    return cast("Weights", _read(form, extractor, model))


@cache
def _read(form: type[Portable], extractor: str, model: str) -> Portable:
    return load(form, extractor, Path(model) if model else _SHIPPED / f"{extractor}.npz")


def fit_together(fits: bool, what: str) -> None:
    """Raise BadModel unless arrays of a model file have consistent shapes.

    Args:
        fits: the result of the check.
        what: the name of the arrays, for the error message.

    Raises:
        BadModel: the arrays called `what` do not fit together.
    """
    if not fits:
        raise BadModel(f"has arrays of {what} that do not fit together")
