"""Instance files of TiMBL: a line per element, its 41 values and its class separated by spaces (thesis, ch. 5).

    timbl -f train.inst -t test.inst -F Columns -mO:N12-27 -w gr -k 1 -o out

The option `-m` declares the features 12 to 27, the lengths and the capitals, as numeric (`METRICS`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.extractors.published.memory_based.features import (
    MARKS,
    NUMERIC,
    TAG_PLACES,
    ElementRows,
)
from tidings_lab.learners.memory import ElementInstances

_SPACE: Final = re.compile(r"[\s,]+")
_NUMBERS: Final = [place for place, numeric in enumerate(NUMERIC, 1) if numeric]
#: The metrics of the features, for the option `-m`.
METRICS: Final = f"-mO:N{_NUMBERS[0]}-{_NUMBERS[-1]}"
#: The name of the document itself, which has no tag.
_DOCUMENT: Final = "document"


def lines(rows: ElementRows, classes: Sequence[str]) -> Iterable[str]:
    """Yield a line for each instance of a page, with its class."""
    names = [_SPACE.sub("_", name) or _DOCUMENT for name in rows.tags]
    for row, name in zip(rows.values.tolist(), classes, strict=True):
        cells = [
            str(value) if numeric else names[value] if place < TAG_PLACES.stop else MARKS[value]
            for place, (value, numeric) in enumerate(zip(row, NUMERIC, strict=True))
        ]
        yield f"{' '.join(cells)} {name}\n"


def read(file: Path, reference: ElementInstances | None = None) -> ElementInstances:
    """Return the instances of a file, using the tags and classes of other instances if they are given.

    Raises:
        InputError: a line has another number of columns, or a number is invalid.
    """
    tags = {tag: number for number, tag in enumerate(reference.tags)} if reference else {}
    names = {name: number for number, name in enumerate(reference.names)} if reference else {}
    width = len(NUMERIC) + 1
    with file.open(encoding="utf-8") as stream:
        cells = [line.split() for line in stream if line.strip()]
    if any(len(row) != width for row in cells):
        raise InputError(f"{file} is no file of instances: its lines should have {width} columns")
    values = np.empty((len(cells), len(NUMERIC)), np.int32)
    try:
        for place, column in enumerate(zip(*cells, strict=True)):
            if place == len(NUMERIC):
                classes = _numbered(column, names, fixed=False)
            elif NUMERIC[place]:
                values[:, place] = np.array(column, np.int64)
            elif place < TAG_PLACES.stop:
                values[:, place] = _numbered(column, tags, fixed=reference is not None)
            else:
                values[:, place] = [MARKS.index(mark) for mark in column]
    except ValueError as error:
        raise InputError(f"{file} is no file of instances: {error}") from None
    return ElementInstances(values, classes if cells else np.zeros(0, np.int64), tuple(tags), tuple(names))


def _numbered(column: Sequence[str], numbers: dict[str, int], fixed: bool) -> NDArray[np.int64]:
    """Return words as numbers; new words get new numbers, or -1 if the numbers are fixed."""
    if not fixed:
        for word in column:
            numbers.setdefault(word, len(numbers))
    return np.array([numbers.get(word, -1) for word in column], np.int64)
