"""Keep everything a reader can see: the floor that every method is compared with."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.extractors.registry import register
from tidings.page import Page, Spans


@register("everything", "DANA thesis, table 4.9 ('Plain')")
@dataclass(frozen=True, slots=True)
class Everything:
    """All visible text of the page."""

    def __call__(self, page: Page, /) -> Spans:
        """The visible text."""
        return page.visible
