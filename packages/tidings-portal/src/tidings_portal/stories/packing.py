"""Serialisation of states: named columns of numbers and words, compressed, with a name and a version.

The format is NumPy's `.npz` without pickled objects. A damaged state, or one of another version or program, is refused,
and nothing in it is executed.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadState

Column = NDArray[Any]


def packed(kind: str, version: int, columns: Mapping[str, Column]) -> bytes:
    """Return a state as bytes. Equal states give equal bytes.

    Args:
        kind: the name of the format, such as that of an index.
        version: the version of the format.
        columns: the state.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, column in {"kind": of_words([kind, str(version)]), **columns}.items():
            entry = zipfile.ZipInfo(f"{name}.npy")  # with the date 1980-01-01
            entry.compress_type = zipfile.ZIP_DEFLATED
            written = io.BytesIO()
            np.lib.format.write_array(written, np.ascontiguousarray(column), allow_pickle=False)
            archive.writestr(entry, written.getvalue())
    return stream.getvalue()


def unpacked(data: bytes, kind: str, version: int) -> dict[str, Column]:
    """Return the columns of a state.

    Raises:
        BadState: it is damaged, or of another kind or version.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            columns = {name: archive[name] for name in archive.files}
        header = to_words(columns.pop("kind"))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        raise BadState(f"the kept state of {kind} is damaged ({error}); make it anew from the articles") from error
    if header != [kind, str(version)]:
        found = " ".join(header)[:80]
        raise BadState(f"the kept state is of {found!r} and not of {kind} {version}; make it anew from the articles")
    return columns


def of_words(words: Iterable[str]) -> Column:
    """Return words as a column of bytes. A word has no line break."""
    return np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), np.uint8)


def to_words(column: Column) -> list[str]:
    """Return the words of a column."""
    return column.tobytes().decode("utf-8", "surrogatepass").split("\n") if len(column) else []
