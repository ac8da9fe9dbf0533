"""VIPS: the page as a tree of visual blocks, and the block of the story in it.

Cai, Yu, Wen and Ma 2003 (MSR-TR-2003-79); DANA thesis 3.2.5. Blocks by visual cues (`visual_blocks`), the separators
between them (`separators`), the tree that they make (`content_tree`). The thesis notes that VIPS does not say which
block is the content. Decided here: the part of the tree with most text, the area of its links taken off twice; then
down into a part of it, as long as one holds nearly all of the text. The numbers were chosen on other pages than those
of the study.

VIPS, third step: the tree of blocks that the separators make.

Cai et al. 2003, 4.3: blocks on the two sides of the lightest separator are joined first, and so on up to the heaviest;
a joined block is the more coherent the lighter the separators in it are. Joining the lightest first and parting at the
heaviest first give the same tree; here it is parted, for each part then has separators of its own, and two columns
under a headline come apart. A leaf less coherent than asked for is divided once more, in a round of its own.

VIPS, first step: the elements that a person sees as one block, by tag, colour, size and type.

Cai, Yu, Wen and Ma 2003 (MSR-TR-2003-79), 4.1: from the root down, in rounds, an element is divided into its children
or kept as a block, as rules on visual cues say; a block has a degree of coherence from 1 to 10, and one that is less
coherent than asked for is divided in a later round. The rules here, with the numbers by which the report's are
commonly known:

1  nothing visible in it: dropped                      2  one visible child and no text of its own: divided
3  the root of a round: divided                        4  only text and inline children: kept; 10, or 9 in mixed type
5  (inline, P) a child breaks the line: divided        6  a horizontal line among its children: divided
7  a table or a part of it, but for cells: divided     8  a child on another background: divided
9  text of its own, and small: kept, 8 (7 for a cell)  10 (cells) no child of any size: kept, 8
12 else: divided

Rule 11 (kept because the element before it was) is left out: it makes the answer hang on siblings that say nothing of
the element. What is to be divided is a block of low coherence for the round: 5, or 3 if it is large.

VIPS, second step: the white lines between blocks, and how much each of them parts.

Cai et al. 2003, 4.2: a separator is a horizontal or vertical stripe that no block crosses. The report starts with one
stripe as large as the pool and, block by block, splits, trims or removes what the block touches; stripes at the border
of the pool are dropped. What remains are the gaps in the projections of the blocks, so they are found by sorting.

A separator weighs more the wider it is, if a line is drawn in it, if the backgrounds on its two sides differ, and, if
it is horizontal, if the type on its two sides differs, still more if the type below is larger; it weighs less if
both sides are text of the same kind. The report gives no numbers; these were chosen on other pages than those of the
study.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.layout.boxes import Box, BoxChoice, Boxes, boxes_of, drawn_text
from tidings.extractors.published.layout.correlation import backgrounds
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.layout import Pixels
from tidings.page.tag_sets import among, tag_set

_PICTURES: Final = tag_set(tags.numbers("img picture video svg iframe object canvas embed"))
_LINES: Final = tag_set(tags.numbers("hr"))
_TABLES: Final = tags.numbers("table tbody thead tfoot tr")
_CELLS: Final = tags.numbers("td th")
_P: Final = tags.NUMBERS["p"]
_SMALL: Final = 5  # coherence of what a later round is to divide
_LARGE: Final = 3  # and if it is not small
#: Blocks of one page; more are no design but an attack. Those that come first count.
MOST: Final = 4_000


@dataclass(frozen=True, slots=True)
class VisualBlock:
    """What a person sees as one: an element, or the text that stands directly in one."""

    element: int
    only_text: bool  # of an element whose children are blocks of their own
    left: float
    top: float
    right: float
    bottom: float
    coherence: int  # 1 to 10
    ink: float  # area of the lines of text
    plain: float  # and without links
    size: float  # of most of its type
    weight: int
    background: str
    is_text: bool


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """What the rules ask of each element, worked out at once."""

    boxes: Boxes
    tag: Ints
    children: list[list[int]]  # the visible ones
    inline: Bools
    flat: Bools  # inline, and nothing in it breaks the line or is a picture
    lines: Bools  # horizontal ones
    behind: list[str]
    area: Pixels
    small: float  # area below which a block is not worth dividing


def cues_of(page: Page, boxes: Boxes, small: float) -> Cues:
    """Return the cues of a page; `small` is a share of its area."""
    elements = page.elements
    inline = boxes.inline
    area = np.where(boxes.drawn, boxes.area, 0.0)
    pictures = among(elements.tag, _PICTURES) & (area > 0)
    lines = among(elements.tag, _LINES) & boxes.drawn
    seen = boxes.inside(boxes.ink + pictures + lines) > 0
    breaking = ((~inline | pictures) & seen).astype(np.float64)
    breaks = boxes.inside(breaking) - breaking
    children: list[list[int]] = [[] for _ in range(len(elements))]
    for element in np.flatnonzero(seen).tolist():
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
    """Return the blocks of one round in document order: what the first element with several visible parts is divided
    into.
    """
    element = root
    while len(cues.children[element]) == 1 and not cues.boxes.ink[element] and not _coherence(cues, element):  # rule 2
        element = cues.children[element][0]
    kept = _coherence(cues, element)
    if kept or not cues.children[element]:
        return [_block(cues, element, kept or 10, only_text=False)]
    found = [_block(cues, element, 10, only_text=True)] if cues.boxes.ink[element] > 0 else []
    for child in cues.children[element][:MOST]:
        coherence = _coherence(cues, child) or (_SMALL if cues.area[child] < cues.small else _LARGE)
        found.append(_block(cues, child, coherence, only_text=False))
    return found


def _coherence(cues: Cues, element: int) -> int:
    """Return the degree of coherence of an element that is not to be divided; 0 for one that is."""
    children, own = cues.children[element], cues.boxes.ink[element] > 0
    if all(cues.flat[child] for child in children):  # rule 4; a picture or a line has no children at all
        return 10 if _one_type(cues, element) else 9
    if (len(children) == 1 and not own) or _is_parted(cues, element):  # rules 2, 5 to 8
        return 0
    is_cell = int(cues.tag[element]) in _CELLS
    if cues.area[element] < cues.small and (own or any(cues.flat[child] for child in children)):  # rule 9
        return 7 if is_cell else 8
    if is_cell and max(cues.area[child] for child in children) < cues.small / 4:  # rule 10
        return 8
    return 0  # rule 12


def _is_parted(cues: Cues, element: int) -> bool:
    """Return whether a line, a background, a table or a broken line of text parts the children of an element."""
    children, tag = cues.children[element], int(cues.tag[element])
    if tag in _TABLES or any(cues.lines[child] or _stands_out(cues, element, child) for child in children):
        return True
    return (bool(cues.inline[element]) or tag == _P) and not all(cues.inline[child] for child in children)


def _stands_out(cues: Cues, element: int, child: int) -> bool:
    """Return whether a child has another background."""
    return not cues.flat[child] and cues.behind[child] != cues.behind[element]


def _one_type(cues: Cues, element: int) -> bool:
    boxes = cues.boxes
    inside = slice(element, int(boxes.last[element]))
    used = np.unique(boxes.style[inside][boxes.ink[inside] > 0])
    return len({(boxes.styles[one].size, boxes.styles[one].weight) for one in used.tolist()}) <= 1


def _block(cues: Cues, element: int, coherence: int, *, only_text: bool) -> VisualBlock:
    boxes = cues.boxes
    inside = slice(element, element + 1 if only_text else int(boxes.last[element]))
    looks = np.bincount(boxes.style[inside], boxes.ink[inside], minlength=1)
    style = boxes.styles[int(np.argmax(looks)) if looks.any() else int(boxes.style[element])]
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
        is_text=bool(looks.any()),
    )


class Direction(Enum):
    """Which way a separator runs."""

    HORIZONTAL = "horizontal"  # it parts what is above from what is below
    VERTICAL = "vertical"


@dataclass(frozen=True, slots=True)
class Separator:
    """A stripe that no block crosses."""

    direction: Direction
    start: float
    end: float
    weight: float


@dataclass(frozen=True, slots=True)
class Parting:
    """How much each cue weighs."""

    pixels: float = 10.0  # of width for each point
    widest: float = 16.0  # points for width, at most
    line: float = 5.0
    background: float = 4.0
    type: float = 2.0
    larger_below: float = 1.0
    alike: float = -2.0  # text of the same kind on both sides


def separators(blocks: Sequence[VisualBlock], lines: Sequence[VisualBlock], parting: Parting) -> list[Separator]:
    """Return all separators of a pool of blocks, with their weights; `lines` are those that the page draws."""
    found = []
    for direction in Direction:
        extents = [_extent(block, direction) for block in blocks]
        between = gaps(extents)
        if not between:
            continue
        drawn = [sum(_extent(line, direction)) / 2 for line in lines]
        before: dict[float, VisualBlock] = {}  # by where it ends; of several the one with most text
        behind: dict[float, VisualBlock] = {}
        for block, (first, last) in zip(blocks, extents, strict=True):
            before[last] = max(before.get(last, block), block, key=_box_text)
            behind[first] = max(behind.get(first, block), block, key=_box_text)
        for start, end in between:
            has_line = any(start <= at <= end for at in drawn)
            weight = weigh(direction, end - start, has_line, before[start], behind[end], parting)
            found.append(Separator(direction, start, end, weight))
    return found


def gaps(extents: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return where nothing is, between the first and the last of some stretches."""
    if not extents:
        return []
    begin, end = np.array(sorted(extents)).T
    reach = np.maximum.accumulate(end)
    between = np.flatnonzero(begin[1:] > reach[:-1])
    return list(zip(reach[between].tolist(), begin[between + 1].tolist(), strict=True))


def _extent(block: VisualBlock, direction: Direction) -> tuple[float, float]:
    return (block.top, block.bottom) if direction is Direction.HORIZONTAL else (block.left, block.right)


def weigh(
    direction: Direction, width: float, has_line: bool, before: VisualBlock, behind: VisualBlock, parting: Parting
) -> float:
    """What the cues say of a separator and of the blocks on its two sides; never less than 0."""
    weight = min(width / parting.pixels, parting.widest) + (parting.line if has_line else 0.0)
    same = before.background == behind.background
    if not same:
        weight += parting.background
    if direction is Direction.HORIZONTAL and before.is_text and behind.is_text:
        if (before.size, before.weight) != (behind.size, behind.weight):
            weight += parting.type + (parting.larger_below if behind.size > before.size else 0.0)
        elif same:
            weight += parting.alike
    return max(weight, 0.0)


def _box_text(block: VisualBlock) -> float:
    return block.plain


#: Deeper than this, a pool is parted at all its separators at once: no page is designed so, and work stays linear.
_LEVELS: Final = 32


@dataclass(slots=True)
class ContentNode:
    """A part of the page: a block, or several with separators between them."""

    blocks: list[VisualBlock]
    coherence: int
    separators: list[Separator] = field(default_factory=list)
    children: list[ContentNode] = field(default_factory=list)

    @property
    def plain(self) -> float:
        """The area of its lines of text, without links."""
        return sum(block.plain for block in self.blocks)

    @property
    def linked(self) -> float:
        """The area of its lines of text in links."""
        return sum(block.ink - block.plain for block in self.blocks)


def content_tree(cues: Cues, root: int, parting: Parting, coherence: int) -> ContentNode:
    """Return the tree of a page, divided round by round until every leaf is as coherent as asked for."""
    top = ContentNode(visual_blocks(cues, root), 1)
    count = len(top.blocks)
    left = [top]
    while left:
        node = left.pop()
        lines = [block for block in node.blocks if cues.lines[block.element]]
        part(node, [block for block in node.blocks if not cues.lines[block.element]], lines, parting)
        for leaf in leaves(node):
            divided = [block.coherence < coherence and _can_be_divided(cues, block) for block in leaf.blocks]
            if any(divided) and count < MOST:
                both = zip(leaf.blocks, divided, strict=True)
                leaf.blocks = [inner for block, again in both for inner in _inside(cues, block, again)]
                count += len(leaf.blocks)
                left.append(leaf)
    return top


def _can_be_divided(cues: Cues, block: VisualBlock) -> bool:
    return not block.only_text and len(cues.children[block.element]) > 0


def _inside(cues: Cues, block: VisualBlock, divided: bool) -> list[VisualBlock]:
    return visual_blocks(cues, block.element) if divided else [block]


def part(node: ContentNode, blocks: list[VisualBlock], lines: Sequence[VisualBlock], parting: Parting) -> None:
    """Fill a node with the tree of some blocks: parted at the heaviest separators, and each part again."""
    node.blocks, node.children = blocks, []
    left = [(node, 0)]
    while left:
        one, level = left.pop()
        if len(one.blocks) < 2:
            one.coherence = one.blocks[0].coherence if one.blocks else 10
            continue
        found = separators(one.blocks, lines, parting)
        if not found:
            one.coherence = min(block.coherence for block in one.blocks)
            continue
        heaviest = max(found, key=lambda separator: separator.weight)
        one.separators = [
            separator
            for separator in found
            if separator.direction is heaviest.direction and (separator.weight == heaviest.weight or level >= _LEVELS)
        ]
        one.coherence = coherence_of(heaviest.weight)
        one.children = [ContentNode(members, 10) for members in _parts(one.blocks, one.separators)]
        left += [(child, level + 1) for child in one.children]


def coherence_of(weight: float) -> int:
    """Return how coherent a part is whose heaviest separator has that weight."""
    return max(1, 9 - int(weight // 2))


def nodes(tree: ContentNode) -> list[ContentNode]:
    """Return all nodes of a tree, each before those inside it."""
    found, left = [], [tree]
    while left:
        found.append(left.pop())
        left += reversed(found[-1].children)
    return found


def leaves(tree: ContentNode) -> list[ContentNode]:
    """Return the nodes of a tree that have no children, in order."""
    return [node for node in nodes(tree) if not node.children]


def _parts(blocks: Sequence[VisualBlock], parted_by: Sequence[Separator]) -> list[list[VisualBlock]]:
    """Return blocks by the stretch between separators of one direction that they are in."""
    horizontal = parted_by[0].direction is Direction.HORIZONTAL
    ends = sorted(separator.end for separator in parted_by)
    parts: list[list[VisualBlock]] = [[] for _ in range(len(ends) + 1)]
    for block in blocks:
        start = block.top if horizontal else block.left
        parts[bisect_right(ends, start)].append(block)
    return [members for members in parts if members]


_SHOWN: Final = 60


@checked
@dataclass(frozen=True, slots=True)
class VIPS:
    """The visual block with most of the page's text: blocks by tag, colour, size and type, and what parts them."""

    coherence: int = 6  # asked of every leaf ("permitted degree of coherence"), 1 to 10
    small: float = 0.05  # share of the page's area below which a block with text is not divided
    links: float = 2.0  # how often the area of links is taken off that of the other text
    share: float = 0.8  # of a part's text that the next part must hold, for the way down to go on
    parting: Parting = field(default_factory=Parting)

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the block."""
        return self.choose(page).spans

    def tree(self, page: Page, boxes: Boxes) -> ContentNode:
        """Return the content structure of the page."""
        if not 1 <= self.coherence <= 10 or not 0 <= self.small <= 1 or not 0 < self.share <= 1 or self.links < 0:
            raise BadParameter(
                f"coherence is {self.coherence} (1 to 10), small {self.small} (0 to 1), share {self.share} (0 to 1), "
                f"links {self.links} (from 0 on)"
            )
        drawn = np.flatnonzero(boxes.drawn)
        root = int(drawn[0]) if len(drawn) else 0
        return content_tree(cues_of(page, boxes, self.small), root, self.parting, self.coherence)

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the block, and the other leaves of the tree."""
        boxes = boxes_of(page)
        tree = self.tree(page, boxes)
        node = max(nodes(tree), key=lambda one: one.plain - self.links * one.linked)  # of equal ones the outermost
        while node.children:
            largest = max(node.children, key=lambda child: child.plain)
            if not largest.plain or largest.plain < self.share * node.plain:
                break
            node = largest
        mine = leaves(node)
        others = [leaf for leaf in leaves(tree) if all(leaf is not one for one in mine)]
        inside = len(mine)
        said = f"{inside} of {inside + len(others)} visual blocks, coherence {node.coherence}"
        return BoxChoice(_text(page, boxes, node), _around([node]), _around(others)[:_SHOWN], said)


def _text(page: Page, boxes: Boxes, node: ContentNode) -> Spans:
    """Return the text of the blocks of a node; of a divided element only what stands directly in it."""
    whole = [block.element for block in node.blocks if not block.only_text]
    direct = np.zeros(len(boxes.drawn), np.bool_)
    direct[[block.element for block in node.blocks if block.only_text]] = True
    spans = Spans.of_elements(page, whole) | Spans.of_runs(page, direct[page.runs.element])
    return spans & drawn_text(page, boxes)


def _around(nodes: list[ContentNode]) -> tuple[Box, ...]:
    """Return the box around the blocks of each node."""
    return tuple(
        (
            min(block.left for block in node.blocks),
            min(block.top for block in node.blocks),
            max(block.right for block in node.blocks),
            max(block.bottom for block in node.blocks),
        )
        for node in nodes
        if node.blocks
    )
