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

#: The floors of Tidings itself.
FLOORS: Final = Path(__file__).with_name("floors.jsonl")
#: Whatever `tidings.extract` does, as a name of its own.
DEFAULT_NAME: Final = "default"


class Key(NamedTuple):
    """What a floor is about."""

    corpus: str
    extractor: str
    measure: str


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that an extractor must reach on a corpus by a measure."""

    corpus: str
    extractor: str  # a registered name, or `default`
    measure: str  # words, segments, headline, authors or date
    floor: float
    digest: str  # of the pages it was measured on
    date: str
    note: str = ""

    @property
    def key(self) -> Key:
        """What it is about."""
        return Key(self.corpus, self.extractor, self.measure)


@dataclass(frozen=True, slots=True)
class Lowering:
    """A floor that went down or away, and why. These lines stay."""

    lowered: str  # the day
    corpus: str
    extractor: str
    measure: str
    before: float
    after: float | None  # None: there is no such floor any more
    why: str


def read_floors(path: Path) -> tuple[list[Floor], list[Lowering]]:
    """The floors of a file and the history of their lowering; a file that is not there has none.

    Raises:
        InputError: the file is unreadable, or a line of it is neither, or there are two floors for the same thing.
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
    """Write floors in order, then the history. The file is whole at every moment.

    Raises:
        InputError: the file cannot be written.
    """
    lines = [_line(floor) for floor in sorted(floors, key=lambda floor: in_order(floor.key))] + [
        _line(one) for one in history
    ]
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text("".join(lines), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise InputError(f"the floors cannot be written to {path}: {error}; name another file by --floors") from error


def _line(row: Floor | Lowering) -> str:
    told: dict[str, Any] = asdict(row)
    return json.dumps(told, ensure_ascii=False) + "\n"


def in_order(key: Key) -> tuple[str, bool, str, str]:
    """The default first of each corpus."""
    return key.corpus, key.extractor != DEFAULT_NAME, key.extractor, key.measure
