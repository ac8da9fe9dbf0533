"""Records of a study: what was tried on each page."""

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
    """What was tried: a record for each page, or for each page and way to read it."""

    __slots__ = ()

    @classmethod
    def of(cls, work: Callable[[Given], Iterable[Got]], things: Sequence[Given], what: str, each: Each) -> Trials[Got]:
        """What the work tries on each of several things, one after the other."""
        return cls(trial for trials in each(work, things, what) for trial in trials)

    def where(self, **values: object) -> Trials[Got]:
        """Those whose fields have these values."""
        return Trials(one for one in self if all(getattr(one, name) == value for name, value in values.items()))

    def column(self, name: str) -> list[Any]:
        """A field of each; with a full stop in its name, a field of a field."""
        return list(map(attrgetter(name), self))

    def mean(self, name: str) -> float:
        """The mean of a field; not a number where nothing was tried."""
        return float(np.mean(self.column(name))) if self else math.nan

    def means(self, name: str) -> tuple[float, ...]:
        """The means of a field that has a value for each of several settings."""
        return tuple(np.mean(self.column(name), axis=0).tolist())

    def gain(self, name: str, base: Sequence[float]) -> Interval:
        """What a field is above other values of the same pages, with an interval by sites, where there are several."""
        sites = self.column("site")
        return bootstrap_difference(self.column(name), base, sites if len(set(sites)) > 1 else None)
