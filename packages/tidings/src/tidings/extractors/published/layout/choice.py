"""The boxes that a layout method selected, for drawing them on the page (LBNEST, figures 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tidings.extractors.published.layout.boxes import Box
from tidings.page import Page, Spans


@dataclass(frozen=True, slots=True)
class BoxChoice:
    """The boxes that an extractor selected on a rendered page, the other candidates, and the reason in words."""

    spans: Spans
    chosen: tuple[Box, ...]  # empty if the whole page was selected
    candidates: tuple[Box, ...]
    reason: str


@runtime_checkable
class Choosing(Protocol):
    """An extractor that reports which boxes it selected, and why."""

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the selected boxes, other candidates, and the selected text."""
        ...
