"""The style sheets of a page. The core parses them and applies the cascade (`core/src/cascade.rs`)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Final

from tidings.core import CoreMemory, sheets


class StyleSheet:
    """The style sheets of a page.

    Args:
        elements: its `<style>` elements, each without its end tag, and its `<link>` elements with `data:` URLs.
    """

    def __init__(self, elements: tuple[str, ...] = ()) -> None:
        self._elements = elements

    @cached_property
    def compiled(self) -> CoreMemory:
        """Return the parsed style sheets in the memory of the compiled core.

        Raises:
            CoreMissing: there is no core.
        """
        return sheets.sheet("\0".join(element.replace("\0", "") for element in self._elements))

    def __bool__(self) -> bool:
        return any("}" in element for element in self._elements)


NO_STYLES: Final = StyleSheet()


def style_sheet(css: str) -> StyleSheet:
    """Parse a style sheet."""
    return sheet_of_elements((f"<style>{css}",))


def sheet_of_elements(elements: Iterable[str]) -> StyleSheet:
    """Parse `<style>` and `<link>` elements. Cached, because pages share them."""
    sources = tuple(elements)
    return _cached(sources) if sum(map(len, sources)) <= _LARGEST_CACHED else StyleSheet(sources)


_LARGEST_CACHED: Final = 200_000  # characters
_cached = lru_cache(maxsize=32)(StyleSheet)
