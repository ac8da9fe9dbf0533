"""VIPS, first step: elements that a person sees as one block, by tag, colour, size and font.

Source: Cai, Yu, Wen and Ma 2003 (MSR-TR-2003-79), 4.1. From the root down, in rounds, each element is either divided
into its children or becomes a block, by rules on visual cues. A block has a degree of coherence from 1 to 10; a block
that is less coherent than required is divided in a later round. The rules, with the report's usual numbering:

1  nothing visible in it: dropped                      2  one visible child and no text of its own: divided
3  the root of a round: divided                        4  only text and inline children: block, 10, or 9 in mixed type
5  (inline, P) a child breaks the line: divided        6  a horizontal line among its children: divided
7  a table or a part of it, except cells: divided      8  a child on another background: divided
9  text of its own, and small: block, 8 (7 for a cell) 10 (cells) no large child: block, 8
12 otherwise: divided

Rule 11 (a block because the previous element was one) is left out: the result would depend on unrelated siblings. An
element that is to be divided becomes a block of low coherence for the round: 5, or 3 if it is large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.published.layout.boxes import Boxes
from tidings.extractors.published.layout.correlation import backgrounds
from tidings.page import Page, tags
from tidings.page.columns import Bools, Ints
from tidings.page.layout import Pixels
from tidings.page.tag_sets import among, tag_set

_PICTURES: Final = tag_set(tags.numbers("img picture video svg iframe object canvas embed"))
_LINES: Final = tag_set(tags.numbers("hr"))
_TABLES: Final = tags.numbers("table tbody thead tfoot tr")
_CELLS: Final = tags.numbers("td th")
_P: Final = tags.NUMBERS["p"]
_SMALL: Final = 5  # coherence of a small block that a later round divides
_LARGE: Final = 3  # the same for a large block
#: The maximal number of blocks of a page; more are an attack, and only the first ones count.
MOST: Final = 4_000


@dataclass(frozen=True, slots=True)
class VisualBlock:
    """A unit that a person perceives: an element, or the text directly in an element."""

    element: int
    only_text: bool  # the own text of an element whose children are separate blocks
    left: float
    top: float
    right: float
    bottom: float
    coherence: int  # 1 to 10
    ink: float  # area of the lines of text
    plain: float  # area of the lines outside links
    size: float  # font size of most of its text
    weight: int
    background: str
    is_text: bool


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """The properties of all elements by which the page is divided into visual blocks."""

    boxes: Boxes
    tag: Ints
    children: list[list[int]]  # the visible ones
    inline: Bools
    flat: Bools  # inline, without pictures and elements that break the line
    lines: Bools  # horizontal rules
    behind: list[str]  # background colours
    area: Pixels
    small: float  # area below which a block is not divided


def cues_of(page: Page, boxes: Boxes, small: float) -> Cues:
    """Compute the properties by which a rendered page is divided into visual blocks.

    Args:
        page: the page.
        boxes: its boxes.
        small: the area, as a share of the page, below which a block is not divided.
    """
    elements = page.elements
    inline = boxes.inline
    area = np.where(boxes.drawn, boxes.area, 0.0)
    pictures = among(elements.tag, _PICTURES) & (area > 0)
    lines = among(elements.tag, _LINES) & boxes.drawn
    visible = boxes.inside(boxes.ink + pictures + lines) > 0
    breaking = ((~inline | pictures) & visible).astype(np.float64)
    breaks = boxes.inside(breaking) - breaking
    children: list[list[int]] = [[] for _ in range(len(elements))]
    for element in np.flatnonzero(visible).tolist():
        if element:
            children[elements.parent[element]].append(element)
    return Cues(
        boxes=boxes,
        tag=elements.tag,
        children=children,
        inline=inline,
        flat=inline & ~pictures & (breaks <= 0),
        lines=lines,
        behind=backgrounds(page, boxes),
        area=area,
        small=small * float(area.max(initial=0.0)),
    )


def visual_blocks(cues: Cues, root: int) -> list[VisualBlock]:
    """Divide an element into visual blocks; return them in document order.

    Elements with a single visible child are skipped: the first one with several parts is divided.
    """
    element = root
    while len(cues.children[element]) == 1 and not cues.boxes.ink[element] and not _coherence(cues, element):  # rule 2
        element = cues.children[element][0]
    root_coherence = _coherence(cues, element)
    if root_coherence or not cues.children[element]:
        return [_block(cues, element, root_coherence or 10, only_text=False)]
    blocks = [_block(cues, element, 10, only_text=True)] if cues.boxes.ink[element] > 0 else []
    for child in cues.children[element][:MOST]:
        coherence = _coherence(cues, child) or (_SMALL if cues.area[child] < cues.small else _LARGE)
        blocks.append(_block(cues, child, coherence, only_text=False))
    return blocks


def _coherence(cues: Cues, element: int) -> int:
    """Return the degree of coherence of an element that becomes a block; 0 for an element to divide."""
    children, own = cues.children[element], cues.boxes.ink[element] > 0
    if all(cues.flat[child] for child in children):  # rule 4; a picture or a line has no children at all
        return 10 if _one_type(cues, element) else 9
    if (len(children) == 1 and not own) or _is_separated(cues, element):  # rules 2, 5 to 8
        return 0
    is_cell = int(cues.tag[element]) in _CELLS
    if cues.area[element] < cues.small and (own or any(cues.flat[child] for child in children)):  # rule 9
        return 7 if is_cell else 8
    if is_cell and max(cues.area[child] for child in children) < cues.small / 4:  # rule 10
        return 8
    return 0  # rule 12


def _is_separated(cues: Cues, element: int) -> bool:
    """Return whether a rule, a background, a table or a broken line separates the children of an element."""
    children, tag = cues.children[element], int(cues.tag[element])
    if tag in _TABLES or any(cues.lines[child] or _has_other_background(cues, element, child) for child in children):
        return True
    return (bool(cues.inline[element]) or tag == _P) and not all(cues.inline[child] for child in children)


def _has_other_background(cues: Cues, element: int, child: int) -> bool:
    """Return whether a child element has another background than its parent."""
    return not cues.flat[child] and cues.behind[child] != cues.behind[element]


def _one_type(cues: Cues, element: int) -> bool:
    boxes = cues.boxes
    inside = slice(element, int(boxes.last[element]))
    used = np.unique(boxes.style[inside][boxes.ink[inside] > 0])
    return len({(boxes.styles[style].size, boxes.styles[style].weight) for style in used.tolist()}) <= 1


def _block(cues: Cues, element: int, coherence: int, *, only_text: bool) -> VisualBlock:
    boxes = cues.boxes
    inside = slice(element, element + 1 if only_text else int(boxes.last[element]))
    style_areas = np.bincount(boxes.style[inside], boxes.ink[inside], minlength=1)
    style = boxes.styles[int(np.argmax(style_areas)) if style_areas.any() else int(boxes.style[element])]
    edges = boxes.text if only_text else (boxes.left, boxes.top, boxes.right, boxes.bottom)
    left, top, right, bottom = (float(edge[element]) for edge in edges)
    return VisualBlock(
        element=element,
        only_text=only_text,
        left=left,
        top=top,
        right=right,
        bottom=bottom,
        coherence=coherence,
        ink=float(boxes.ink[inside].sum()),
        plain=float(boxes.plain[inside].sum()),
        size=style.size,
        weight=style.weight,
        background=cues.behind[element],
        is_text=bool(style_areas.any()),
    )
