"""Measures of several processes: each writes its own into files, and whoever is asked adds up all of them.

The files are those of prometheus_client's multiprocess mode. They belong to a place, not to a process: one that is
started again in the place of a dead one counts on from there, so that no counter runs backwards and the files stay few.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from prometheus_client import values

#: Bytes of a new file; prometheus_client lets it grow.
_SIZE: Final = 1 << 16
#: The head of a file in which nothing is written yet.
_EMPTY: Final = bytes(8)
_GAUGES: Final = "gauge_livesum"
_KINDS: Final = (_GAUGES, "counter", "histogram")


def prepare(folder: Path, place: int) -> None:
    """Make the files of a place before somebody is in it: a file that is just being made cannot be read.

    What is under way ended with whoever was there before; what was counted stays.
    """
    for kind in _KINDS:
        path = folder / f"{kind}_{place}.db"
        if not path.exists():
            path.write_bytes(bytes(_SIZE))
        elif kind == _GAUGES:
            with path.open("r+b") as file:
                file.write(_EMPTY)


def write_into(folder: Path, place: int) -> None:
    """From now on what this process measures is written into the files of a place."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    values.ValueClass = values.MultiProcessValue(lambda: place)  # type: ignore[no-untyped-call]


def close() -> None:
    """Nothing more is measured here."""
    values.close_all_multiprocess_files()  # type: ignore[no-untyped-call]
