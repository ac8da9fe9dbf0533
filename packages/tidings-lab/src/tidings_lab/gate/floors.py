"""Accuracy floors, and the file that stores them: JSON Lines, a line per floor, then a line per lowering.

`floors.jsonl` has a floor for each corpus, extractor and measure, with the digest of the pages on which it was
measured. People review it like code. `tidings lab gate --update` raises floors; only `--lower WHY` lowers one, and adds
a line with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from tidings.errors import InputError

#: The floors of Tidings.
FLOORS: Final = Path(__file__).with_name("floors.jsonl")
#: The name of the default extractor in the file of floors, whatever it is.
DEFAULT_NAME: Final = "default"


class Key(NamedTuple):
    """The name of a floor: a corpus, an extractor and a measure."""

    corpus: str
    extractor: str
    measure: str


@dataclass(frozen=True, slots=True)
class Floor:
    """The lowest score that an extractor may have on a corpus by a measure; the gate fails below it."""

    corpus: str
    extractor: str  # a registered name, or `default`
    measure: str  # words, segments, headline, authors or date
    floor: float
    digest: str  # of the pages on which it was measured
    date: str
    note: str = ""

    @property
    def key(self) -> Key:
        """Return corpus, extractor and measure of the floor."""
        return Key(self.corpus, self.extractor, self.measure)


@dataclass(frozen=True, slots=True)
class Lowering:
    """A record of a floor that was lowered or removed, with the reason. These records are permanent."""

    lowered: str  # date
    corpus: str
    extractor: str
    measure: str
    before: float
    after: float | None  # None if the floor was removed
    why: str


def read_floors(path: Path) -> tuple[list[Floor], list[Lowering]]:
    """Return the floors of a file and its history of lowerings; nothing if the file does not exist.

    Raises:
        InputError: the file is unreadable, a line is invalid, or there are two floors for the same subject.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the floors cannot be read from {path}: {error}") from error
    floors: dict[Key, Floor] = {}
    history = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if "lowered" in row:
                history.append(Lowering(**row))
                continue
            floor = Floor(**{**row, "floor": float(row["floor"])})
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise InputError(f"{path}, line {number} is neither a floor nor a lowering: {error}") from error
        if not 0 <= floor.floor <= 1:
            raise InputError(f"{path}, line {number}: a floor lies between 0 and 1, not at {floor.floor}")
        if floor.key in floors:
            raise InputError(f"{path}, line {number}: there is a floor for {', '.join(floor.key)} already; keep one")
        floors[floor.key] = floor
    return list(floors.values()), history


def write_floors(path: Path, floors: Iterable[Floor], history: Iterable[Lowering]) -> None:
    """Write floors in order, then the history, and replace the file atomically.

    Raises:
        InputError: the file cannot be written.
    """
    lines = [_line(floor) for floor in sorted(floors, key=lambda floor: in_order(floor.key))] + [
        _line(lowering) for lowering in history
    ]
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text("".join(lines), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise InputError(f"the floors cannot be written to {path}: {error}; name another file by --floors") from error


def _line(row: Floor | Lowering) -> str:
    record: dict[str, Any] = asdict(row)
    return json.dumps(record, ensure_ascii=False) + "\n"


def in_order(key: Key) -> tuple[str, bool, str, str]:
    """Return a sort key that puts the default extractor first within each corpus."""
    return key.corpus, key.extractor != DEFAULT_NAME, key.extractor, key.measure
