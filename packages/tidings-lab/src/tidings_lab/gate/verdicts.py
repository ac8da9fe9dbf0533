"""Comparison of measured values with floors, and the floors that follow from them. This module reads and writes no
files.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from typing import Final

from tidings_lab.gate.floors import DEFAULT_NAME, Floor, Key, Lowering, in_order
from tidings_lab.gate.measure import GateFigure

#: The distance of a new floor from its figure, for rounding differences between builds of a library.
SLACK: Final = 0.002
_DIGITS: Final = 4  # of a floor; rounded down


class FloorStanding(Enum):
    """The relation of a figure to its floor: above, below, without floor, on other pages."""

    HELD = "held"
    BELOW = "below"
    CHANGED = "corpus changed"  # the floor was measured on other pages
    GONE = "not measured"  # the extractor or the ground truth of the floor no longer exists
    NEW = "no floor"

    @property
    def fails(self) -> bool:
        """Return whether the figure makes the gate fail; a figure without floor never does."""
        return self not in (FloorStanding.HELD, FloorStanding.NEW)


@dataclass(frozen=True, slots=True)
class GateRow:
    """A figure and its floor."""

    key: Key
    measured: GateFigure | None
    floor: Floor | None
    digest: str  # of the current pages

    @property
    def standing(self) -> FloorStanding:
        """Return the relation of the figure to the floor."""
        if self.measured is None:
            return FloorStanding.GONE
        if self.floor is None:
            return FloorStanding.NEW
        if self.floor.digest != self.digest:
            return FloorStanding.CHANGED
        return FloorStanding.BELOW if self.is_lower else FloorStanding.HELD

    @property
    def is_lower(self) -> bool:
        """Return whether the figure is below its floor, even if the pages of the corpus have changed."""
        return self.measured is not None and self.floor is not None and self.measured.value < self.floor.floor


def judge(floors: Iterable[Floor], measured: Mapping[Key, GateFigure], digests: Mapping[Key, str]) -> list[GateRow]:
    """Compare figures with floors.

    Returns every figure with its floor, and the floors of the measured corpora for which no figure was measured.
    """
    floor_by_key = {floor.key: floor for floor in floors}
    corpora = {key.corpus for key in measured}
    rows = [GateRow(key, figure, floor_by_key.get(key), digests[key]) for key, figure in measured.items()]
    rows += [
        GateRow(key, None, floor, floor.digest)
        for key, floor in floor_by_key.items()
        if key.corpus in corpora and key not in measured
    ]
    return sorted(rows, key=lambda row: in_order(row.key))


def revise(
    floors: Iterable[Floor], rows: Iterable[GateRow], *, update: bool, lower: str, today: date, default: str = ""
) -> tuple[list[Floor], list[Lowering]]:
    """Return the updated floors, and a record for each that was lowered.

    Args:
        floors: all floors, including those of other corpora.
        rows: the measured figures.
        update: raise floors, add new ones, and update the digest of a changed corpus whose floor still holds.
        lower: the reason for lowering or removing floors; empty if none may be lowered.
        today: the date to record.
        default: the name of the default extractor, for the note.
    """
    new = {floor.key: floor for floor in floors}
    history: list[Lowering] = []
    for row in rows:
        goes_down = row.measured is None or row.is_lower
        if goes_down and lower and row.floor is not None:
            after = None if row.measured is None else _under(row.measured.value)
            history.append(Lowering(today.isoformat(), *row.key, row.floor.floor, after, lower))
            del new[row.key]
            if row.measured is not None:
                new[row.key] = _floor(row, row.measured, _under(row.measured.value), today, default)
        elif update and not goes_down and row.measured is not None:
            level = _under(row.measured.value)
            if row.floor is None or level > row.floor.floor:
                new[row.key] = _floor(row, row.measured, level, today, default)
            elif row.floor.digest != row.digest:
                new[row.key] = replace(row.floor, digest=row.digest, date=today.isoformat())
    return list(new.values()), history


def _under(value: float) -> float:
    """Return the floor that follows from a figure: the figure minus a tolerance, rounded down, at least 0."""
    scale = 10**_DIGITS
    return max(0.0, math.floor(round((value - SLACK) * scale, 6)) / scale)


def _floor(row: GateRow, measured: GateFigure, level: float, today: date, default: str) -> Floor:
    by = f" by {default}" if row.key.extractor == DEFAULT_NAME and default else ""
    return Floor(*row.key, level, row.digest, today.isoformat(), f"{measured.value:.4f} on {measured.pages} pages{by}")
