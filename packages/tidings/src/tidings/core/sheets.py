"""Style sheets and hidden text, as the compiled core finds it (`core/src/boundary/sheets.rs`)."""

from __future__ import annotations

from array import array

from tidings.core import CoreMemory, Handle, library, new


def sheet(elements: str) -> CoreMemory:
    """Read the style sheets of `<style>` and `<link>` elements with NUL between them.

    Raises:
        CoreMissing: there is no core.
    """
    return CoreMemory(Handle.SHEET, new(Handle.SHEET, elements.encode("utf-8", "replace")))


def ways(tables: int, sheet: int, start_tags: list[str]) -> list[tuple[int, int]]:
    """Return the ways in which start tags hide their elements, and those they take back.

    Raises:
        CoreError: the core failed.
    """
    if not start_tags:
        return []
    told = "\0".join(tag.replace("\0", "\ufffd") for tag in start_tags).encode("utf-8", "replace")
    out = array("B", bytes(2 * len(start_tags)))  # to make a type of this length takes longer than to ask
    library().tidings_ways(sheet, tables, told, len(told), out.buffer_info()[0], len(start_tags))
    return list(zip(out[::2], out[1::2], strict=True))
