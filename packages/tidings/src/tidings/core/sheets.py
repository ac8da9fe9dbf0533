"""Style sheets and hidden text, parsed and found by the core (`core/src/boundary/sheets.rs`)."""

from __future__ import annotations

from array import array

from tidings.core import CoreMemory, Handle, library, new


def sheet(elements: str) -> CoreMemory:
    """Parse the style sheets of NUL-separated `<style>` and `<link>` elements.

    Raises:
        CoreMissing: there is no core.
    """
    return CoreMemory(Handle.SHEET, new(Handle.SHEET, elements.encode("utf-8", "replace")))


def ways(tables: int, sheet: int, start_tags: list[str]) -> list[tuple[int, int]]:
    """Return for each start tag two bit sets: the ways in which it hides its element (such as `display: none`), and the
    inherited ways that it reverts.

    Raises:
        CoreError: the core failed.
    """
    if not start_tags:
        return []
    encoded = "\0".join(tag.replace("\0", "\ufffd") for tag in start_tags).encode("utf-8", "replace")
    out = array("B", bytes(2 * len(start_tags)))  # creating a ctypes array type takes longer than the call
    library().tidings_ways(sheet, tables, encoded, len(encoded), out.buffer_info()[0], len(start_tags))
    return list(zip(out[::2], out[1::2], strict=True))
