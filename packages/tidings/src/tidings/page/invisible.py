"""Removal of invisible characters that can carry a message to a language model.

`core/src/invisible.rs` decides: Unicode tags, sequences of variation selectors, zero-width characters, bidirectional
embeddings, overrides and isolates, interlinear annotations and blank fillers are removed, unless a script or an emoji
needs them. The source of a page is cleaned before it is scanned, so that no output has to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tidings.core.byte_texts import without_invisible

NOTHING: Final[Mapping[str, int]] = MappingProxyType({})

#: Classes of invisible characters, in the order of `Class` in the core.
CLASSES: Final = (
    "variation selectors",
    "tag characters",
    "bidi controls",
    "interlinear annotations",
    "blank fillers",
    "zero-width characters",
)


class Cleaned(NamedTuple):
    """A text without invisible characters, and the number of removed ones by class."""

    text: str
    removed: Mapping[str, int] = NOTHING


def cleaned(text: str) -> Cleaned:
    """Remove invisible characters from the source of a page."""
    if text.isascii() and "&" not in text and "\\" not in text:
        return Cleaned(text)
    data, removed = cleaned_utf8(text.encode("utf-8", "surrogatepass"))
    return Cleaned(data.decode("utf-8", "surrogatepass"), removed) if removed else Cleaned(text)


def cleaned_utf8(data: bytes) -> tuple[bytes, Mapping[str, int]]:
    """Remove invisible characters from UTF-8, and return the number of removed ones by class."""
    clean, removed = without_invisible(data)
    return clean, by_class(removed)


def by_class(removed: list[int]) -> Mapping[str, int]:
    """Return the numbers of removed characters by class, without zeros."""
    if not any(removed):
        return NOTHING
    return MappingProxyType({name: count for name, count in zip(CLASSES, removed, strict=True) if count})


def cleaned_bytes(data: bytes, encoding: str) -> tuple[bytes, Mapping[str, int]]:
    """Remove invisible characters from the bytes of a page, and return the number of removed ones by class."""
    if encoding == "utf-8":
        return cleaned_utf8(data)
    if not any(without_invisible(data)[1]):  # only as ASCII references, because other encodings lack these characters
        return data, NOTHING
    result = cleaned(data.decode(encoding, "surrogateescape"))
    return (result.text.encode(encoding, "surrogateescape"), result.removed) if result.removed else (data, NOTHING)


def visible_text(text: str) -> str:
    """Remove invisible characters from a text that is not the source of a page, such as a feed's title."""
    return text if text.isascii() else cleaned(text).text


def provenance(removed: Mapping[str, int]) -> dict[str, str]:
    """Return the entry for an article's provenance; empty if nothing was removed."""
    counts = ", ".join(f"{count} {name}" for name, count in sorted(removed.items()))
    return {"characters": f"removed {counts}"} if removed else {}
