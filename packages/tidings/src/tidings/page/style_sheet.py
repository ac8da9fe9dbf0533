"""The style sheets of a page. The compiled core reads them and applies the cascade (`core/src/cascade.rs`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Final

from tidings.core import CoreMemory, sheets


class StyleSheet:
    """Style sheets that hold for a page.

    Args:
        elements: its `<style>` elements, each without its end tag, and its `<link>` elements with `data:` URLs.
    """

    def __init__(self, elements: tuple[str, ...] = ()) -> None:
        self._elements = elements

    @cached_property
    def compiled(self) -> CoreMemory:
        """The sheets as the core holds them.

        Raises:
            CoreMissing: there is no core.
        """
        return sheets.sheet("\0".join(element.replace("\0", "") for element in self._elements))

    def __bool__(self) -> bool:
        return any("}" in element for element in self._elements)


NO_STYLES: Final = StyleSheet()


def style_sheet(css: str) -> StyleSheet:
    """Return the style sheet of a text."""
    return sheet_of_elements((f"<style>{css}",))


def sheet_of_elements(elements: Iterable[str]) -> StyleSheet:
    """Return the style sheets of `<style>` and `<link>` elements, read once for all pages that have the same."""
    found = tuple(elements)
    return _cached(found) if sum(map(len, found)) <= _LARGEST_CACHED else StyleSheet(found)


_LARGEST_CACHED: Final = 200_000  # characters
_cached = lru_cache(maxsize=32)(StyleSheet)
