"""What a layout method chose, told so that it can be drawn on the page (LBNEST, figures 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tidings.page import Page, Spans

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Choice:
    """The box of the story, what else was in question, and why."""

    spans: Spans
    chosen: tuple[Box, ...]  # none, where the whole page was taken
    others: tuple[Box, ...]
    why: str


@runtime_checkable
class Choosing(Protocol):
    """An extractor that can say which boxes it chose."""

    def choose(self, page: Page, /) -> Choice:
        """The chosen boxes, the others, and the text."""
        ...
