"""What a CSS declaration block says about whether its element is seen.

Text that a person cannot see must not reach whoever reads the article, least of all a language model. Here is what
one block of declarations tells, that of a `style` attribute or that which a style sheet gives an element: which
declaration wins (CSS Cascade 6: `!important`, then the later one; what is invalid is dropped), and whether the outcome
hides the element. Comments and escapes are read as CSS Syntax 3 reads them.

Some of it can be taken back by what stands inside: a child of an invisible, tiny or transparent element may be
visible, large or coloured again. The rest (no display, no opacity, an empty box, a clip) hides whatever is inside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final

#: Ways to be hidden, as bits. GONE takes all inside with it; the others are inherited, and can be taken back inside.
GONE, VISIBILITY, SIZE, INK, INDENT = 1, 2, 4, 8, 16
INHERITED: Final = VISIBILITY | SIZE | INK | INDENT

Declarations = Mapping[str, str]

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL | re.ASCII)
#: One declaration; a semicolon in quotes or brackets does not end it.
_DECLARATION: Final = re.compile(
    r"""(?:[^;"'(]++|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)?)++""",
    re.DOTALL,
)
_PARTED: Final = re.compile(r"""["'(]""")
_IMPORTANT: Final = re.compile(r"\s*!\s*important\s*\Z")
_NUMBER: Final = re.compile(r"([+-]?(?:\d++(?:\.\d*+)?+|\.\d++)(?:e[+-]?\d{1,3}+)?+)([a-z]++|%)?+\Z", re.ASCII)
_CALL: Final = re.compile(r"(?<![a-z0-9-])([a-z0-9-]++)\(([^()]*+(?:\([^()]*+\)[^()]*+)*+)\)")
_VARIABLE: Final = re.compile(r"var\(\s*(--(?:[\w-]|[^\x00-\x7f])+)\s*(?:,([^()]*))?\)", re.ASCII)
_CALCULATED: Final = re.compile(r"calc\(([^()]*)\)")
_HEX: Final = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\Z")
_PART: Final = re.compile(r"(?:[^\s(]|\([^()]*+\))++")

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
#: A thousand pixels are off screen; less only moves a box, as when a page is centred. `-999px` is written for it too.
_FAR: Final = 999.0
#: Percentages are of a box that may be anywhere: only what nobody writes for another reason is off screen.
_FAR_SHARE: Final = 1000.0
#: Nobody reads letters of one pixel, nor what is one part in fifty there.
_TINY, _FAINT = 1.0, 0.02
#: Letters of a tenth of those around them are under two pixels.
_TINY_SHARE: Final = 10.0

_DISPLAYS: Final = frozenset(
    "block inline inline-block flex inline-flex grid inline-grid flow flow-root table inline-table table-row "
    "table-cell table-caption table-column table-column-group table-row-group table-header-group table-footer-group "
    "list-item contents run-in ruby ruby-base ruby-text math initial inherit unset revert revert-layer -webkit-box "
    "-webkit-inline-box -webkit-flex -ms-flexbox -moz-box -ms-grid".split()
)
_GLOBAL: Final = frozenset("initial inherit unset revert revert-layer".split())
_FONT_SIZES: Final = frozenset("xx-small x-small small medium large x-large xx-large xxx-large smaller larger".split())
_SYSTEM_FONTS: Final = frozenset("caption icon menu message-box small-caption status-bar".split())
_CLIPPING: Final = frozenset("hidden clip auto scroll".split())
_NAMED: Final = {
    "white": (255, 255, 255),
    "black": (0, 0, 0),
    "red": (255, 0, 0),
    "lime": (0, 255, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "cyan": (0, 255, 255),
    "aqua": (0, 255, 255),
    "magenta": (255, 0, 255),
    "fuchsia": (255, 0, 255),
    "silver": (192, 192, 192),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "maroon": (128, 0, 0),
    "olive": (128, 128, 0),
    "green": (0, 128, 0),
    "purple": (128, 0, 128),
    "teal": (0, 128, 128),
    "navy": (0, 0, 128),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "whitesmoke": (245, 245, 245),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "gainsboro": (220, 220, 220),
}
_SIDES: Final = ("top", "right", "bottom", "left")
#: Other names of the same, in pages that are written from left to right and top to bottom.
_ALIASES: Final = {
    "block-size": "height",
    "inline-size": "width",
    "max-block-size": "max-height",
    "max-inline-size": "max-width",
    "min-block-size": "min-height",
    "min-inline-size": "min-width",
    "inset-inline-start": "left",
    "inset-inline-end": "right",
    "inset-block-start": "top",
    "inset-block-end": "bottom",
    "margin-inline-start": "margin-left",
    "margin-block-start": "margin-top",
    "margin-inline": "margin-left",
    "margin-block": "margin-top",
    "flex-basis": "flex",
    "animation-name": "animation",
    "transition-property": "transition",
}
_FILL: Final = "-webkit-text-fill-color"
#: No property of CSS: whether the block that gives the colours gives the same one twice.
_SAME: Final = "same colour"
_PREFIX: Final = re.compile(r"-(?:webkit|moz|ms|o)-(?!text-fill)")


def declared(block: str) -> tuple[dict[str, str], dict[str, str]]:
    """The valid declarations of a block that have to do with being seen: the plain ones, and those that are important.

    Shorthands are told as what they are short for.
    """
    block = plain_css(block)
    plain: dict[str, str] = {}
    important: dict[str, str] = {}
    variables: dict[str, str] = {}
    for one in _DECLARATION.findall(block) if _PARTED.search(block) else block.split(";"):
        name, colon, value = one.partition(":")
        if not colon:
            continue
        name, value = name.strip().lower(), " ".join(value.lower().split())
        if name.startswith("--"):
            variables[name] = value
            continue
        into = plain
        if "!" in value and (match := _IMPORTANT.search(value)):
            into, value = important, value[: match.start()]
        if name == "all" and value in _GLOBAL:
            into.clear()
            continue
        if name[:1] == "-":
            name = _PREFIX.sub("", name)
        for longhand, said in _longhands(_ALIASES.get(name, name), _computed(value, variables)):
            if longhand in _VALID and _VALID[longhand](said):
                into[longhand] = said
    if "background-color" in plain or "background-color" in important or "color" in plain or "color" in important:
        plain[_SAME] = "yes" if _is_same_colour({**plain, **important}) else "no"
    return plain, important


def _computed(value: str, variables: Mapping[str, str]) -> str:
    """A value with the variables of its block, and simple calculations done."""
    if "var(" in value:
        value = _VARIABLE.sub(lambda match: variables.get(match[1], match[2] or "").strip(), value)
    return _CALCULATED.sub(lambda match: _product(match[1]), value) if "calc(" in value else value


def plain_css(text: str) -> str:
    """CSS without comments and escapes."""
    if "/*" in text:
        text = _COMMENT.sub("", text)
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return "" if match[2] == "\n" else match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _product(inner: str) -> str:
    """What a calculation of one number, or a product of numbers, gives; nothing for any other."""
    result, unit = 1.0, ""
    for factor in inner.split("*"):
        match = _NUMBER.match(factor.strip())
        if match is None:
            return ""
        result *= float(match[1])
        unit = match[2] or unit
    return f"{result:f}{unit}"


def _longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "font":
        yield "font-size", next((size for part in value.split() if (size := part.split("/")[0]) and _is_size(size)), "")
    elif name in ("inset", "margin", "padding"):
        parts = value.split()
        if 0 < len(parts) <= len(_SIDES):
            sides = (parts * 4)[:4] if len(parts) in (1, 2, 4) else [*parts, parts[1]]
            yield from zip(_SIDES if name == "inset" else [f"{name}-{side}" for side in _SIDES], sides, strict=True)
    elif name == "overflow":
        first, *rest = value.split() or [""]
        yield "overflow-x", first
        yield "overflow-y", rest[0] if rest else first
    elif name == "background":
        yield "background-image", "some" if "url(" in value or "gradient(" in value else "none"
        yield "background-clip", "text" if value.endswith("text") else "border-box"
        colours = [part for part in _PART.findall(value) if _is_colour(part)]
        yield "background-color", colours[0] if colours else "transparent"
    else:
        yield name, value


# -- what is valid ----------------------------------------------------------------------------------------------


def pixels(value: str) -> float | None:
    """A length in pixels; None if it is no length. A share of something is none."""
    match = _NUMBER.match(value)
    if match is None or match[2] == "%":
        return None
    scale = _PIXELS.get(match[2] or "px")
    return None if scale is None else float(match[1]) * scale


def _share(value: str) -> float | None:
    """A percentage."""
    match = _NUMBER.match(value)
    return float(match[1]) if match is not None and match[2] == "%" else None


def _is_length(value: str) -> bool:
    return value in _GLOBAL or value in ("auto", "none") or pixels(value) is not None or _share(value) is not None


def _is_box(value: str) -> bool:
    return _is_length(value) or value.endswith("-content") or "(" in value


def _is_size(value: str) -> bool:
    match = _NUMBER.match(value)
    if match is not None:  # only zero needs no unit, but pages in quirks mode are not that strict
        return not value.startswith("-") and (match[2] is None or match[2] == "%" or match[2] in _PIXELS)
    return value in _FONT_SIZES or value in _GLOBAL or value in _SYSTEM_FONTS or "(" in value


def _alpha(value: str) -> float | None:
    """How opaque something is, 0 to 1."""
    match = _NUMBER.match(value)
    if match is None or match[2] not in (None, "%"):
        return None
    return float(match[1]) / (100 if match[2] else 1)


def _is_colour(value: str) -> bool:
    return value in _GLOBAL or colour(value) is not None


@lru_cache(maxsize=1024)
def colour(value: str) -> tuple[str, float] | None:
    """A colour, the same one always written in the same way, and how opaque it is; None if it is none."""
    if value[:1] == "#":
        if not _HEX.match(value):
            return None
        digits = value[1:] if len(value) > 5 else "".join(digit * 2 for digit in value[1:])
        return digits[:6], int(digits[6:] or "ff", 16) / 255
    if match := _CALL.fullmatch(value):
        return _called_colour(match[1], match[2].replace("/", " ").replace(",", " ").split())
    if value in _NAMED:
        return bytes(_NAMED[value]).hex(), 1.0
    return (
        (value, 0.0 if value == "transparent" else 1.0)
        if value.isascii() and value.isalpha() and value not in _GLOBAL
        else None
    )


def _called_colour(name: str, parts: list[str]) -> tuple[str, float] | None:
    opaque = _alpha(parts.pop()) if len(parts) == 4 else 1.0
    if opaque is None:
        return None
    numbers = [_NUMBER.match(part) for part in parts]
    if name in ("rgb", "rgba") and len(parts) == 3 and all(numbers):
        levels = [float(one[1]) * (2.55 if one[2] else 1) for one in numbers if one]
        return bytes(round(min(max(level, 0.0), 255.0)) for level in levels).hex(), opaque
    return f"{name} {' '.join(parts)}", opaque


def _any(_: str) -> bool:
    return True


_VALID: Final[dict[str, Callable[[str], bool]]] = {
    "display": lambda value: value == "none" or (bool(value) and all(part in _DISPLAYS for part in value.split())),
    "visibility": lambda value: value in ("visible", "hidden", "collapse") or value in _GLOBAL,
    "content-visibility": lambda value: value in ("visible", "hidden", "auto") or value in _GLOBAL,
    "opacity": lambda value: _alpha(value) is not None or value in _GLOBAL,
    "font-size": _is_size,
    "position": lambda value: value in ("static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"),
    "text-overflow": _any,
    "line-height": lambda value: _is_length(value) or value == "normal",
    "flex": _any,
    "flex-grow": _any,
    "animation": _any,
    "transition": _any,
    "color": _is_colour,
    "-webkit-text-fill-color": _is_colour,
    "background-color": _is_colour,
    "background-image": _any,
    "background-clip": _any,
    "clip": _any,
    **dict.fromkeys(("clip-path", "transform", "translate", "scale", "rotate", "filter"), _any),
    **dict.fromkeys(("overflow-x", "overflow-y"), lambda value: value in _CLIPPING or value in ("visible", *_GLOBAL)),
    **dict.fromkeys(("height", "width", "max-height", "max-width", "min-height", "min-width"), _is_box),
    **dict.fromkeys(_SIDES, _is_length),
    **dict.fromkeys((f"{name}-{side}" for name in ("margin", "padding") for side in _SIDES), _is_length),
    "text-indent": lambda value: _is_length(value.split(" ")[0]),
    "white-space": _any,
}


# -- what hides -------------------------------------------------------------------------------------------------


def hiding(style: Declarations, name: str = "", moving: frozenset[str] = frozenset()) -> tuple[int, int]:
    """The ways in which an element of that name is hidden, and those of an element around it that it takes back.

    `moving` are the names of animations that the page has: what one of them moves will be seen.
    """
    if (style.get("display") == "none" and not _opens(style)) or style.get("content-visibility") == "hidden":
        return GONE, 0
    hidden = GONE if _is_far(style) or _is_empty(style, name) else 0
    visibility = style.get("visibility")
    # An animation ends with what it moves in sight.
    if not moving or not any(part in moving for part in style.get("animation", "").split()):
        if _is_transparent(style) or _is_moved_away(style) or _is_clipped(style):
            hidden |= GONE
        if visibility in ("hidden", "collapse"):
            hidden |= VISIBILITY
    shown = VISIBILITY if visibility in ("visible", "initial") else 0
    for way, is_hidden in ((SIZE, _is_tiny(style)), (INDENT, _is_indented(style)), (INK, _has_no_ink(style))):
        if is_hidden is not None:
            hidden, shown = hidden | way * is_hidden, shown | way * (not is_hidden)
    return hidden, shown


def _is_tiny(style: Declarations) -> bool | None:
    """Whether the letters are too small to be read; None if that is for what is around them to say."""
    size = style.get("font-size", "")
    length, share = pixels(size), _share(size)
    if length is not None and (size.endswith("rem") or not size.endswith("em")):
        return length <= _TINY
    if length is not None or share is not None:  # of what is around, which may be tiny itself
        return (length if length is not None else (share or 0.0) * 0.16) <= _TINY_SHARE * 0.16 or None
    return False if size in _FONT_SIZES or size == "initial" else None


def _is_transparent(style: Declarations) -> bool:
    opacity = _alpha(style.get("opacity", "1"))
    if opacity is not None and opacity <= _FAINT:
        return True
    for name, inner in _CALL.findall(style.get("filter", "")):
        if name == "opacity" and (found := _alpha(inner.strip())) is not None and found <= _FAINT:
            return True
    return False


def _has_no_ink(style: Declarations) -> bool | None:
    """Whether the letters cannot be told from what is behind them; None if nothing is said of them."""
    value = style.get(_FILL) or style.get("color")
    if value is None:
        return None
    ink = colour(value)
    if ink is None or style.get("background-clip") == "text":
        return False
    return ink[1] <= _FAINT or style.get(_SAME) == "yes"


def _is_same_colour(style: Declarations) -> bool:
    """Whether one block gives letters and background the same colour. Of two blocks the other may not hold there."""
    value = style.get(_FILL) or style.get("color") or ""
    ink, ground = colour(value), colour(style.get("background-color", ""))
    if ink is None or ground is None or value == "currentcolor" or style.get("background-image", "none") != "none":
        return False
    return ink[0] == ground[0] and ground[1] > _FAINT


def _is_away(value: str, *, forward: bool = False) -> bool:
    """Whether a length leads out of the window: backwards, or in either direction."""
    length, share = pixels(value), _share(value)
    if length is not None:
        return length <= -_FAR or (forward and length >= _FAR)
    return share is not None and (share <= -_FAR_SHARE or (forward and share >= _FAR_SHARE))


def _is_far(style: Declarations) -> bool:
    if style.get("position") != "static" and (
        any(_is_away(style[side]) for side in _SIDES if side in style)
        # A page may be long, but is not that wide.
        or _is_away(style.get("left", ""), forward=True)
    ):
        return True
    return any(_is_away(style[side]) for side in ("margin-left", "margin-top") if side in style)


def _is_indented(style: Declarations) -> bool | None:
    """Whether the text begins out of sight; None if nothing is said of it."""
    indent = style.get("text-indent")
    if indent is None:
        return None
    first = indent.split(" ", maxsplit=1)[0]
    if _is_away(first, forward=True):
        return True
    share = _share(first)  # text moved out of a box that shows nothing outside itself
    return share is not None and abs(share) >= 100 and style.get("overflow-x") in _CLIPPING


#: Angles by which a box is seen from its edge.
_EDGEWISE: Final = ("90deg", "-90deg", "270deg", "-270deg", ".25turn", "0.25turn", "100grad")


def _is_moved_away(style: Declarations) -> bool:
    """By `transform`, and the properties that are parts of it: to somewhere else, or to nothing."""
    calls = [(name, inner.replace(",", " ").split()) for name, inner in _CALL.findall(style.get("transform", ""))]
    calls += [(name, style[name].split()) for name in ("translate", "scale") if name in style]
    if "rotate" in style:
        *axis, angle = style["rotate"].split() or [""]
        calls.append((f"rotate{axis[0]}" if len(axis) == 1 else "rotate", [angle]))
    for name, parts in calls:
        if name.startswith("translate") and any(_is_away(part, forward=True) for part in parts):
            return True
        if name.startswith("scale") and any(_alpha(part) == 0 for part in parts):
            return True
        if name in ("matrix", "matrix3d") and len(parts) in (6, 16):
            numbers = [_alpha(part) or 0.0 for part in parts]
            if len(parts) == 6 and numbers[0] * numbers[3] == numbers[1] * numbers[2]:
                return True
            if len(parts) == 16 and not (numbers[0] or numbers[1]):
                return True
        if name in ("rotatex", "rotatey") and parts[:1] in (
            ["90deg"],
            ["-90deg"],
            ["270deg"],
            [".25turn"],
            ["100grad"],
        ):
            return True
    return False


def _is_clipped(style: Declarations) -> bool:
    for name, inner in _CALL.findall(style.get("clip", "")):
        edges = [pixels(part) for part in inner.replace(",", " ").split()]
        if name == "rect" and len(edges) == 4:
            top, right, bottom, left = edges
            if any(end is not None and end - (begin or 0) <= 1 for begin, end in ((top, bottom), (left, right))):
                return True
    for name, inner in _CALL.findall(style.get("clip-path", "")):
        parts = inner.partition(" round ")[0].split()
        if name == "inset" and 0 < len(parts) <= 4:
            top, right, bottom, left = (parts * 4)[:4] if len(parts) in (1, 2, 4) else [*parts, parts[1]]
            if _is_cut(top, bottom) or _is_cut(left, right):
                return True
        elif name in ("circle", "ellipse") and parts and (pixels(parts[0]) == 0 or _share(parts[0]) == 0):
            return True
        elif name == "polygon":
            points = [tuple(point.split()) for point in inner.split(",")]
            places = [point for point in points if len(point) == 2]
            if len(set(places)) <= 2 or any(len({point[axis] for point in places}) == 1 for axis in (0, 1)):
                return True
    return False


def _is_cut(before: str, behind: str) -> bool:
    """Whether nothing is left between two edges of a box."""
    shares = [100.0 if (pixels(edge) or 0) >= _FAR else _share(edge) or 0.0 for edge in (before, behind)]
    return sum(shares) >= 100


_CELLS: Final = frozenset(("td", "th", "tr", "table", "tbody"))  # grow with what they hold


def _is_empty(style: Declarations, name: str) -> bool:
    """Whether it is a box of no size that shows nothing outside itself."""
    down, across = style.get("overflow-y") in _CLIPPING, style.get("overflow-x") in _CLIPPING
    if not (down or across) or style.get("flex", "none") not in ("none", "0", "auto", "initial"):
        return False
    if style.get("flex-grow", "0") != "0" or _is_padded(style):
        return False
    if _opens(style):
        return False
    if down and name not in _CELLS and not _is_some(style.get("min-height")):
        heights = (style.get("height"), style.get("max-height"))
        if any(map(_is_nothing, heights)) or _is_zero(style.get("line-height")):
            return True
    if across and name not in _CELLS and not _is_some(style.get("min-width")) and "text-overflow" not in style:
        return any(map(_is_nothing, (style.get("width"), style.get("max-width"))))
    return False


def _opens(style: Declarations) -> bool:
    """Whether it is a box of no height that opens: people click to see what is in it, as in a `details` element."""
    closed = _is_nothing(style.get("height")) or _is_nothing(style.get("max-height"))
    return closed and any(word in style.get("transition", "") for word in ("height", "all"))


def _is_nothing(length: str | None) -> bool:
    """At most one pixel."""
    if length is None:
        return False
    found = pixels(length)
    return found <= 1 if found is not None else _share(length) == 0


def _is_zero(length: str | None) -> bool:
    return length is not None and (pixels(length) == 0 or _share(length) == 0)


def _is_some(length: str | None) -> bool:
    return length is not None and not _is_nothing(length) and length not in ("auto", "none") and length not in _GLOBAL


def _is_padded(style: Declarations) -> bool:
    """Whether it has room beside its content, as boxes of a fixed ratio have."""
    return any(_is_some(style.get(f"padding-{side}")) for side in ("top", "bottom"))
