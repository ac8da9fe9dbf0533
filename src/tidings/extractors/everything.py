"""Keep everything a reader can see: the floor that every method is compared with."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.extractors.parameters import checked
from tidings.page import Page, Spans


@checked
@dataclass(frozen=True, slots=True)
class Everything:
    """All visible text of the page."""

    def __call__(self, page: Page, /) -> Spans:
        """The visible text."""
        return page.visible
