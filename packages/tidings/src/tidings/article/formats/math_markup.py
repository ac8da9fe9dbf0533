"""Formulas as MathML if latex2mathml is installed (extra `math`), otherwise as LaTeX text.

The library copies URLs and styles from LaTeX, so its output is rewritten with an allow list of tags and attributes. A
formula with unknown commands, or a very long or deep one, stays text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from html import unescape
from importlib import import_module
from typing import Final
from xml.etree.ElementTree import Element

from tidings.article.formats.markup import attributes, element, text

TAGS: Final = frozenset(
    "mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup "
    "msup mtable mtd mtext mtr munder munderover".split()
)
#: Allowed attributes: presentation only, no URLs, styles or ids.
ATTRIBUTES: Final = frozenset(
    "accent accentunder columnalign columnlines columnspacing depth displaystyle fence form height largeop lspace "
    "linethickness mathsize mathvariant maxsize minsize movablelimits rowlines rowspacing rspace scriptlevel separator "
    "stretchy symmetric width".split()
)
_VALUE: Final = re.compile(r"[\w.%+ -]{1,60}\Z", re.ASCII)
#: Limits in characters and levels; real formulas stay far below them.
_LONGEST: Final = 4000
_DEEPEST: Final = 60


def math(source: str, *, display: bool = False) -> str:
    """Return the `math` element of a formula, with its LaTeX as alternative text."""
    inside = _drawn(source) if len(source) <= _LONGEST else ""
    content = inside or element("mtext", text(source))
    return f"<math{attributes(alttext=source, display='block' if display else None)}>{content}</math>"


@cache
def _converter() -> Callable[..., Element] | None:
    try:
        convert: Callable[..., Element] = import_module("latex2mathml.converter").convert_to_element
    except ImportError:
        return None
    return convert


@lru_cache(maxsize=1024)
def _drawn(source: str) -> str:
    """Return the MathML of a formula; empty if it cannot be converted."""
    convert = _converter()
    if convert is None or not source.strip():
        return ""
    try:
        return "".join(_written(child, 0) for child in convert(source))
    except Exception:  # an unreadable formula is shown as typed
        return ""


def _written(node: Element, depth: int) -> str:
    node_text = unescape(node.text or "").strip("\n")
    if depth > _DEEPEST or "\\" in node_text:
        raise ValueError("too deep, or a command that is not known")
    inside = text(node_text) + "".join(_written(child, depth + 1) for child in node)
    if node.tag not in TAGS:
        return inside
    attributes_kept = {name: value for name, value in node.attrib.items() if name in ATTRIBUTES and _VALUE.match(value)}
    return element(node.tag, inside, **attributes_kept)
