"""Formulas as MathML, where latex2mathml is installed (the extra `math`): otherwise their LaTeX as a text.

What that library makes is written anew with these tags and attributes only: it takes addresses and styles out of LaTeX.
A formula with a command that it does not know, or that is very long or deep, stays a text.
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
#: Of any of the tags: how it is drawn, and never an address, a style or a name.
ATTRIBUTES: Final = frozenset(
    "accent accentunder columnalign columnlines columnspacing depth displaystyle fence form height largeop lspace "
    "linethickness mathsize mathvariant maxsize minsize movablelimits rowlines rowspacing rspace scriptlevel separator "
    "stretchy symmetric width".split()
)
_VALUE: Final = re.compile(r"[\w.%+ -]{1,60}\Z", re.ASCII)
#: What is longer is no formula that somebody wrote; what is deeper or larger is none that somebody reads.
_LONGEST: Final = 4000
_DEEPEST: Final = 60


def math(source: str, *, display: bool = False) -> str:
    """Return the element of a formula: its LaTeX is always the alternative text."""
    inside = _drawn(source) if len(source) <= _LONGEST else ""
    told = inside or element("mtext", text(source))
    return f"<math{attributes(alttext=source, display='block' if display else None)}>{told}</math>"


@cache
def _converter() -> Callable[..., Element] | None:
    try:
        found: Callable[..., Element] = import_module("latex2mathml.converter").convert_to_element
    except ImportError:
        return None
    return found


@lru_cache(maxsize=1024)
def _drawn(source: str) -> str:
    """Return the MathML of a formula; nothing where there is none."""
    convert = _converter()
    if convert is None or not source.strip():
        return ""
    try:
        return "".join(_written(child, 0) for child in convert(source))
    except Exception:  # a formula that nobody can read is shown as it was typed
        return ""


def _written(node: Element, depth: int) -> str:
    said = unescape(node.text or "").strip("\n")
    if depth > _DEEPEST or "\\" in said:
        raise ValueError("too deep, or a command that is not known")
    inside = text(said) + "".join(_written(child, depth + 1) for child in node)
    if node.tag not in TAGS:
        return inside
    shown = {name: value for name, value in node.attrib.items() if name in ATTRIBUTES and _VALUE.match(value)}
    return element(node.tag, inside, **shown)
