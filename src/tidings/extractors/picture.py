"""The picture a publication uses to show how its method sees a page, as data.

An extractor that has one offers `picture(page) -> Picture`; `tidings compare` draws them all the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tidings.page import Page


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Numbers along a page: one or more series over the same positions, thresholds, and what was chosen."""

    title: str
    x: str  # what a position is: a line, a token, a node …
    y: str
    series: tuple[tuple[str, NDArray[np.float64]], ...]
    kind: Literal["bars", "curve"] = "bars"
    thresholds: tuple[tuple[str, float], ...] = ()
    chosen: NDArray[np.bool_] | None = None  # for each position


@runtime_checkable
class Pictured(Protocol):
    """An extractor that can show how it sees a page."""

    def picture(self, page: Page, /) -> Picture:
        """What the publication's figure shows, for this page."""
        ...
