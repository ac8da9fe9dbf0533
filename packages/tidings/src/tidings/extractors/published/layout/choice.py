"""The boxes that a layout method selected, for drawing them on the page (LBNEST, figures 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tidings.extractors.published.layout.boxes import Box
from tidings.page import Page, Spans


@dataclass(frozen=True, slots=True)
class BoxChoice:
    """The box of the story, what else was in question, and why."""

    spans: Spans
    chosen: tuple[Box, ...]  # none, where the whole page was taken
    others: tuple[Box, ...]
    why: str


@runtime_checkable
class Choosing(Protocol):
    """An extractor that can say which boxes it chose."""

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the chosen boxes, the others, and the text."""
        ...
