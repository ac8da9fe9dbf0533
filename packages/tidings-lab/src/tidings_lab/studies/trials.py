"""Trials of a study: records of its measurements by page."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from tidings_lab.statistics.bootstrap import Interval
from tidings_lab.statistics.paired_tests import bootstrap_difference
from tidings_lab.studies.study import Each, Given, Got


class Trials(tuple[Got, ...]):
    """Records of measurements, one per page, or per page and method."""

    __slots__ = ()

    @classmethod
    def of(cls, work: Callable[[Given], Iterable[Got]], things: Sequence[Given], what: str, each: Each) -> Trials[Got]:
        """Collect the records that a function returns for each of several items."""
        return cls(trial for trials in each(work, things, what) for trial in trials)

    def where(self, **values: object) -> Trials[Got]:
        """Return the records whose fields have these values."""
        return Trials(
            record for record in self if all(getattr(record, name) == value for name, value in values.items())
        )

    def column(self, name: str) -> list[Any]:
        """Return a field of each record; a dot in the name selects a field of a field."""
        return list(map(attrgetter(name), self))

    def mean(self, name: str) -> float:
        """Return the mean of a field; NaN without records."""
        return float(np.mean(self.column(name))) if self else math.nan

    def means(self, name: str) -> tuple[float, ...]:
        """Return the means of a field with a value for each of several settings."""
        return tuple(np.mean(self.column(name), axis=0).tolist())

    def gain(self, name: str, base: Sequence[float]) -> Interval:
        """Return the difference of a field from a baseline for the same pages, with an interval by site if there are
        several.
        """
        sites = self.column("site")
        return bootstrap_difference(self.column(name), base, sites if len(set(sites)) > 1 else None)
