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
from typing import Final

from tidings.page.lengths import CALL, FONT_SIZES, GLOBAL, NUMBER, alpha, colour, is_length, is_size, percentage, pixels

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
_VARIABLE: Final = re.compile(r"var\(\s*(--(?:[\w-]|[^\x00-\x7f])+)\s*(?:,([^()]*))?\)", re.ASCII)
_CALCULATED: Final = re.compile(r"calc\(([^()]*)\)")
_PART: Final = re.compile(r"(?:[^\s(]|\([^()]*+\))++")

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
_CLIPPING: Final = frozenset("hidden clip auto scroll".split())
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
        if name == "all" and value in GLOBAL:
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
        match = NUMBER.match(factor.strip())
        if match is None:
            return ""
        result *= float(match[1])
        unit = match[2] or unit
    return f"{result:f}{unit}"


def _longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "font":
        yield "font-size", next((size for part in value.split() if (size := part.split("/")[0]) and is_size(size)), "")
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


def _is_box(value: str) -> bool:
    return is_length(value) or value.endswith("-content") or "(" in value


def _is_colour(value: str) -> bool:
    return value in GLOBAL or colour(value) is not None


def _any(_: str) -> bool:
    return True


_VALID: Final[dict[str, Callable[[str], bool]]] = {
    "display": lambda value: value == "none" or (bool(value) and all(part in _DISPLAYS for part in value.split())),
    "visibility": lambda value: value in ("visible", "hidden", "collapse") or value in GLOBAL,
    "content-visibility": lambda value: value in ("visible", "hidden", "auto") or value in GLOBAL,
    "opacity": lambda value: alpha(value) is not None or value in GLOBAL,
    "font-size": is_size,
    "position": lambda value: value in ("static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"),
    "text-overflow": _any,
    "line-height": lambda value: is_length(value) or value == "normal",
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
    **dict.fromkeys(("overflow-x", "overflow-y"), lambda value: value in _CLIPPING or value in ("visible", *GLOBAL)),
    **dict.fromkeys(("height", "width", "max-height", "max-width", "min-height", "min-width"), _is_box),
    **dict.fromkeys(_SIDES, is_length),
    **dict.fromkeys((f"{name}-{side}" for name in ("margin", "padding") for side in _SIDES), is_length),
    "text-indent": lambda value: is_length(value.split(" ")[0]),
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
    length, share = pixels(size), percentage(size)
    if length is not None and (size.endswith("rem") or not size.endswith("em")):
        return length <= _TINY
    if length is not None or share is not None:  # of what is around, which may be tiny itself
        return (length if length is not None else (share or 0.0) * 0.16) <= _TINY_SHARE * 0.16 or None
    return False if size in FONT_SIZES or size == "initial" else None


def _is_transparent(style: Declarations) -> bool:
    opacity = alpha(style.get("opacity", "1"))
    if opacity is not None and opacity <= _FAINT:
        return True
    for name, inner in CALL.findall(style.get("filter", "")):
        if name == "opacity" and (found := alpha(inner.strip())) is not None and found <= _FAINT:
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
    length, share = pixels(value), percentage(value)
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
    share = percentage(first)  # text moved out of a box that shows nothing outside itself
    return share is not None and abs(share) >= 100 and style.get("overflow-x") in _CLIPPING


#: Angles by which a box is seen from its edge.
_EDGEWISE: Final = ("90deg", "-90deg", "270deg", "-270deg", ".25turn", "0.25turn", "100grad")


def _is_moved_away(style: Declarations) -> bool:
    """By `transform`, and the properties that are parts of it: to somewhere else, or to nothing."""
    calls = [(name, inner.replace(",", " ").split()) for name, inner in CALL.findall(style.get("transform", ""))]
    calls += [(name, style[name].split()) for name in ("translate", "scale") if name in style]
    if "rotate" in style:
        *axis, angle = style["rotate"].split() or [""]
        calls.append((f"rotate{axis[0]}" if len(axis) == 1 else "rotate", [angle]))
    for name, parts in calls:
        if name.startswith("translate") and any(_is_away(part, forward=True) for part in parts):
            return True
        if name.startswith("scale") and any(alpha(part) == 0 for part in parts):
            return True
        if name in ("matrix", "matrix3d") and len(parts) in (6, 16):
            numbers = [alpha(part) or 0.0 for part in parts]
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
    for name, inner in CALL.findall(style.get("clip", "")):
        edges = [pixels(part) for part in inner.replace(",", " ").split()]
        if name == "rect" and len(edges) == 4:
            top, right, bottom, left = edges
            if any(end is not None and end - (begin or 0) <= 1 for begin, end in ((top, bottom), (left, right))):
                return True
    for name, inner in CALL.findall(style.get("clip-path", "")):
        parts = inner.partition(" round ")[0].split()
        if name == "inset" and 0 < len(parts) <= 4:
            top, right, bottom, left = (parts * 4)[:4] if len(parts) in (1, 2, 4) else [*parts, parts[1]]
            if _is_cut(top, bottom) or _is_cut(left, right):
                return True
        elif name in ("circle", "ellipse") and parts and (pixels(parts[0]) == 0 or percentage(parts[0]) == 0):
            return True
        elif name == "polygon":
            points = [tuple(point.split()) for point in inner.split(",")]
            places = [point for point in points if len(point) == 2]
            if len(set(places)) <= 2 or any(len({point[axis] for point in places}) == 1 for axis in (0, 1)):
                return True
    return False


def _is_cut(before: str, behind: str) -> bool:
    """Whether nothing is left between two edges of a box."""
    shares = [100.0 if (pixels(edge) or 0) >= _FAR else percentage(edge) or 0.0 for edge in (before, behind)]
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
    return found <= 1 if found is not None else percentage(length) == 0


def _is_zero(length: str | None) -> bool:
    return length is not None and (pixels(length) == 0 or percentage(length) == 0)


def _is_some(length: str | None) -> bool:
    return length is not None and not _is_nothing(length) and length not in ("auto", "none") and length not in GLOBAL


def _is_padded(style: Declarations) -> bool:
    """Whether it has room beside its content, as boxes of a fixed ratio have."""
    return any(_is_some(style.get(f"padding-{side}")) for side in ("top", "bottom"))
