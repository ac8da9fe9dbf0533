"""Estimated sizes and styles of page nodes, for pages that no browser has rendered.

The estimate follows the rendering of an unstyled page: a block is as wide as its parent without the margin of lists and
quotations; a row shares its width among its cells; text runs in lines of 16 px type. Styles are those of the HTML
standard's own style sheet (15.3), the colour of links, the classes, and the `style` attribute.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tidings.extractors.published.node_similarity import NodeBoxes
from tidings.page import Page, tags
from tidings.page.columns import Ints

_SCREEN: Final = 1024.0  # px: the common screen when LBNEST was written (2009)
_LETTER, _LINE = 8.0, 20.0  # px: half the size of 16 px type; 1.25 lines
_INDENTS: Final = {"ul": 40.0, "ol": 40.0, "menu": 40.0, "dd": 40.0, "blockquote": 80.0, "figure": 80.0}
_INDENT: Final = {tags.NUMBERS[name]: pixels for name, pixels in _INDENTS.items()}
_CELLS: Final = tags.numbers("td th")
_SIZES: Final = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67}
_BOLD: Final = frozenset((*_SIZES, "th"))
_RULES: Final = 32  # classes and declarations that are compared; more are an attack
_DISPLAYS: Final = {"li": "list-item", "td": "table-cell", "th": "table-cell"}


def estimated(page: Page, blocks: Ints) -> NodeBoxes:
    """Return the estimated boxes of blocks on an unstyled page: one below the other, sized by their text."""
    elements, columns = page.elements, page.blocks
    cells = np.bincount(elements.parent[np.isin(elements.tag, list(_CELLS))], minlength=len(elements))
    widths = {0: _SCREEN}

    def width_of(element: int) -> float:
        path = []
        while element not in widths:
            path.append(element)
            element = int(elements.parent[element])
        for inner in reversed(path):
            outer, tag = int(elements.parent[inner]), int(elements.tag[inner])
            share = max(int(cells[outer]), 1) if tag in _CELLS else 1
            widths[inner] = max(widths[outer] / share - _INDENT.get(tag, 0.0), _LETTER)
        return widths[path[0]] if path else widths[element]

    width = np.array([width_of(element) for element in columns.element[blocks].tolist()])
    styles = [_style(page, block) for block in blocks.tolist()]
    size = np.array([float(style["font-size"]) for style in styles])
    height = np.ceil(columns.chars[blocks] * _LETTER * size / width) * _LINE * size
    return NodeBoxes(np.zeros(len(blocks)), np.cumsum(height) - height, width, height, styles)


def _style(page: Page, block: int) -> dict[str, str]:
    """Return the style rules of a block, estimated from its tags."""
    columns = page.blocks
    return _style_of(page, int(columns.element[block]), columns.link_words[block] * 2 > columns.words[block])


def _style_of(page: Page, element: int, linked: bool) -> dict[str, str]:
    """Return the style rules of an element, estimated from its tags."""
    name = page.tag_names[page.elements.tag[element]]
    attributes = page.attributes(element)
    style = {
        "font-size": str(_SIZES.get(name, 1.0)),
        "font-weight": "bold" if name in _BOLD else "normal",
        "display": _DISPLAYS.get(name, "block"),
        "color": "link" if linked else "text",
    }
    style |= {f".{word}": "" for word in attributes.get("class", "").split(None, _RULES)[:_RULES]}
    for declaration in attributes.get("style", "").split(";", _RULES)[:_RULES]:
        rule, colon, value = declaration.partition(":")
        if colon and rule.strip().lower() != "font-size":
            style[rule.strip().lower()] = value.strip().lower()
    return style


def estimated_elements(page: Page, nodes: Ints) -> NodeBoxes:
    """Return the estimated boxes of elements: as high as the blocks inside, as wide as the widest block."""
    visible = np.flatnonzero(~page.blocks.hidden)
    rows = estimated(page, visible)
    first, last = (
        np.searchsorted(page.blocks.first[visible], edge[nodes]) for edge in (page.elements.first, page.elements.last)
    )
    below = np.append(rows.top, rows.top[-1:] + rows.height[-1:])
    width = np.array([rows.width[start:end].max(initial=0.0) for start, end in zip(first, last, strict=True)])
    styles = [_style_of(page, element, linked=False) for element in nodes.tolist()]
    return NodeBoxes(np.zeros(len(nodes)), below[first], width, below[last] - below[first], styles)
