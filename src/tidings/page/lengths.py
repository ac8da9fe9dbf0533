"""Lengths, shares and colours as CSS writes them: the values of declarations that have to do with being seen."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

#: A number and its unit, and a function with what is in its brackets.
NUMBER: Final = re.compile(r"([+-]?(?:\d++(?:\.\d*+)?+|\.\d++)(?:e[+-]?\d{1,3}+)?+)([a-z]++|%)?+\Z", re.ASCII)
CALL: Final = re.compile(r"(?<![a-z0-9-])([a-z0-9-]++)\(([^()]*+(?:\([^()]*+\)[^()]*+)*+)\)")
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\Z")

#: Pixels of a unit: those that hang on fonts and windows as they are in most browsers.
_PIXELS: Final = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    "q": 0.945,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "lh": 19.0,
    "rlh": 19.0,
    **dict.fromkeys("vw vh vmin vmax vi vb svw svh lvw lvh dvw dvh".split(), 13.0),
}
#: Values of any property.
GLOBAL: Final = frozenset("initial inherit unset revert revert-layer".split())
FONT_SIZES: Final = frozenset("xx-small x-small small medium large x-large xx-large xxx-large smaller larger".split())
_SYSTEM_FONTS: Final = frozenset("caption icon menu message-box small-caption status-bar".split())
#: Colours by name, as the hexadecimal digits that stand for them.
_HEX_OF: Final = (
    "white ffffff black 000000 red ff0000 lime 00ff00 blue 0000ff yellow ffff00 cyan 00ffff aqua 00ffff "
    "magenta ff00ff fuchsia ff00ff silver c0c0c0 gray 808080 grey 808080 maroon 800000 olive 808000 green 008000 "
    "purple 800080 teal 008080 navy 000080 snow fffafa ivory fffff0 whitesmoke f5f5f5 ghostwhite f8f8ff "
    "floralwhite fffaf0 lightgray d3d3d3 lightgrey d3d3d3 gainsboro dcdcdc"
).split()
_NAMED: Final = dict(zip(_HEX_OF[::2], _HEX_OF[1::2], strict=True))


def pixels(value: str) -> float | None:
    """A length in pixels; None if it is no length. A share of something is none."""
    match = NUMBER.match(value)
    if match is None or match[2] == "%":
        return None
    scale = _PIXELS.get(match[2] or "px")
    return None if scale is None else float(match[1]) * scale


def percentage(value: str) -> float | None:
    """A percentage."""
    match = NUMBER.match(value)
    return float(match[1]) if match is not None and match[2] == "%" else None


def is_length(value: str) -> bool:
    """Whether it is a valid length, or a word that stands for one."""
    return value in GLOBAL or value in ("auto", "none") or pixels(value) is not None or percentage(value) is not None


def is_size(value: str) -> bool:
    """Whether it is a valid size of letters."""
    match = NUMBER.match(value)
    if match is not None:  # only zero needs no unit, but pages in quirks mode are not that strict
        return not value.startswith("-") and (match[2] is None or match[2] == "%" or match[2] in _PIXELS)
    return value in FONT_SIZES or value in GLOBAL or value in _SYSTEM_FONTS or "(" in value


def alpha(value: str) -> float | None:
    """How opaque something is, 0 to 1."""
    match = NUMBER.match(value)
    if match is None or match[2] not in (None, "%"):
        return None
    return float(match[1]) / (100 if match[2] else 1)


@lru_cache(maxsize=1024)
def colour(value: str) -> tuple[str, float] | None:
    """A colour, the same one always written in the same way, and how opaque it is; None if it is none."""
    if value[:1] == "#":
        if not _HEX.match(value):
            return None
        digits = value[1:] if len(value) > 5 else "".join(digit * 2 for digit in value[1:])
        return digits[:6], int(digits[6:] or "ff", 16) / 255
    if match := CALL.fullmatch(value):
        return _called_colour(match[1], match[2].replace("/", " ").replace(",", " ").split())
    if value in _NAMED:
        return _NAMED[value], 1.0
    return (
        (value, 0.0 if value == "transparent" else 1.0)
        if value.isascii() and value.isalpha() and value not in GLOBAL
        else None
    )


def _called_colour(name: str, parts: list[str]) -> tuple[str, float] | None:
    opaque = alpha(parts.pop()) if len(parts) == 4 else 1.0
    if opaque is None:
        return None
    numbers = [NUMBER.match(part) for part in parts]
    if name in ("rgb", "rgba") and len(parts) == 3 and all(numbers):
        levels = [float(one[1]) * (2.55 if one[2] else 1) for one in numbers if one]
        return bytes(round(min(max(level, 0.0), 255.0)) for level in levels).hex(), opaque
    return f"{name} {' '.join(parts)}", opaque
