"""Files of learned weights: named arrays in one archive. No code is in them, and none is run when they are read.

Equal arrays make equal bytes. What is damaged, holds anything but arrays, or unpacks to far more than a model may have,
is refused, and says why.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

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


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write arrays under their names."""
    write_parts(path, {name + _ENDING: packed(array) for name, array in arrays.items()})


def write_parts(path: Path, parts: Mapping[str, bytes]) -> None:
    """Write an archive of any parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            file.writestr(zipfile.ZipInfo(name, _EPOCH), part, zipfile.ZIP_DEFLATED, 9)


def read_arrays(path: Path, most: int = MOST_BYTES) -> dict[str, NDArray[Any]]:
    """All arrays of a file by name.

    Raises:
        OSError, ValueError, BadZipFile and others of `DAMAGED`: it is no such file, or unpacks to far more.
    """
    with zipfile.ZipFile(path) as file:
        if sum(one.file_size for one in file.infolist()) > most:
            raise ValueError(f"it unpacks to more than {most >> 20} MB")
        return {name.removesuffix(_ENDING): unpacked(file.read(name)) for name in file.namelist()}


def packed(array: NDArray[Any]) -> bytes:
    """An array as bytes."""
    held = io.BytesIO()
    np.save(held, array, allow_pickle=False)
    return held.getvalue()


def unpacked(data: bytes) -> NDArray[Any]:
    """An array of bytes.

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
