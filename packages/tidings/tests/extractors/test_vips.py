"""VIPS: blocks by visual cues, separators and their weights worked by hand, the tree, the block of the story."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadParameter
from tidings.extractors.published.layout.boxes import boxes_of
from tidings.extractors.published.layout.content_tree import ContentNode, coherence_of, leaves, nodes, part
from tidings.extractors.published.layout.separators import (
    Direction,
    Separator,
    SeparatorWeights,
    gaps,
    separators,
    weigh,
)
from tidings.extractors.published.layout.vips import VIPS
from tidings.extractors.published.layout.visual_blocks import MOST, VisualBlock, cues_of, visual_blocks
from tidings.page import Page

from .drawn import by_hand

H, V = Direction.HORIZONTAL, Direction.VERTICAL
WEIGHTS = SeparatorWeights(pixels=10, widest=16, line=5, background=4, type=2, larger_below=1, same_kind=-2)


def block(left: float, top: float, right: float, bottom: float, size: float = 16, back: str = "white") -> VisualBlock:
    area = (right - left) * (bottom - top)
    return VisualBlock(1, False, left, top, right, bottom, 10, area, area, size, 400, back, True)


# -- separators ----------------------------------------------------------------------------------------------


def test_gaps_are_what_no_block_crosses() -> None:
    """Cai et al. 2003, 4.2: a block inside a separator splits it, one across its edge trims it, one over it ends it."""
    assert gaps([(0, 10)]) == []
    assert gaps([(0, 10), (30, 40)]) == [(10, 30)]
    assert gaps([(30, 40), (0, 10), (15, 20)]) == [(10, 15), (20, 30)]  # split
    assert gaps([(0, 10), (30, 40), (5, 18)]) == [(18, 30)]  # trimmed
    assert gaps([(0, 10), (30, 40), (5, 35)]) == []  # covered
    assert gaps([(0, 100), (10, 20), (30, 40)]) == []
    assert gaps([(0, 10), (10, 20)]) == []  # they touch
    assert gaps([]) == []


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), min_size=1, max_size=12))
def test_gaps_by_the_pixel(intervals: list[tuple[int, int]]) -> None:
    extents = [(float(start), float(start + size)) for start, size in intervals]
    covered = {pixel for start, size in intervals for pixel in range(start, start + size)}
    inside = range(min(covered), max(covered) + 1)
    free = {pixel for start, end in gaps(extents) for pixel in range(int(start), int(end))}
    assert free == set(inside) - covered


def test_separators_of_a_page_worked_by_hand() -> None:
    """A headline in 32 px, 20 px below it two columns of text 40 px apart, of two paragraphs each, 10 px apart."""
    head = block(0, 0, 640, 40, size=32)
    left = [block(0, 60, 300, 160), block(0, 170, 300, 270)]
    right = [block(340, 60, 640, 160), block(340, 170, 640, 270)]
    found = separators([head, *left, *right], [], WEIGHTS)
    # no vertical one: the headline lies across the gap between the columns
    assert found == [
        Separator(H, 40, 60, 20 / 10 + 2),  # other type; it is not larger below
        Separator(H, 160, 170, 0),  # 10 / 10 - 2 for text of one kind: never less than 0
    ]
    assert separators([*left, *right], [], WEIGHTS) == [Separator(H, 160, 170, 0), Separator(V, 300, 340, 4)]


@pytest.mark.parametrize(
    ("direction", "width", "line", "below", "expected"),
    [
        (H, 30, False, {}, 3 - 2),
        (V, 30, False, {}, 3),  # type and likeness count only above each other
        (H, 30, True, {}, 3 + 5 - 2),
        (H, 30, False, {"background": "navy"}, 3 + 4),
        (H, 30, False, {"size": 12}, 3 + 2),
        (H, 30, False, {"size": 24}, 3 + 2 + 1),
        (V, 30, False, {"size": 24}, 3),
        (H, 30, False, {"weight": 700}, 3 + 2),
        (H, 30, False, {"is_text": False}, 3),
        (H, 900, False, {}, 16 - 2),
        (H, 1, False, {}, 0),
    ],
)
def test_each_cue_weighs(
    direction: Direction, width: float, line: bool, below: dict[str, object], expected: float
) -> None:
    one = block(0, 0, 100, 50)
    assert weigh(direction, width, line, one, replace(one, **below), WEIGHTS) == pytest.approx(expected)  # type: ignore[arg-type]


def test_a_line_drawn_between_blocks_parts_them() -> None:
    rule = block(0, 64, 100, 66)
    plain, ruled = (
        separators([block(0, 0, 100, 50), block(0, 80, 100, 130)], lines, WEIGHTS)[0] for lines in ([], [rule])
    )
    assert (plain.weight, ruled.weight) == (1, 6)


# -- the tree ------------------------------------------------------------------------------------------------


def test_the_tree_is_parted_at_the_heaviest_separator_first() -> None:
    head = block(0, 0, 640, 40, size=32)
    left = [block(0, 60, 300, 160), block(0, 170, 300, 270)]
    right = [block(340, 60, 640, 160), block(340, 170, 640, 270)]
    tree = ContentNode([], 1)
    part(tree, [head, *left, *right], [], WEIGHTS)
    assert [separator.weight for separator in tree.separators] == [4]
    assert tree.coherence == coherence_of(4) == 7
    assert [child.blocks for child in tree.children] == [[head], [*left, *right]]
    columns = tree.children[1]
    assert columns.separators == [Separator(V, 300, 340, 4)]
    assert [child.blocks for child in columns.children] == [left, right]
    assert [leaf.blocks for leaf in leaves(tree)] == [[head], [left[0]], [left[1]], [right[0]], [right[1]]]


def test_what_nothing_parts_is_one_leaf() -> None:
    tree = ContentNode([], 1)
    part(tree, [block(0, 0, 100, 100), block(50, 50, 150, 150)], [], WEIGHTS)
    assert not tree.children
    assert tree.coherence == 10


@pytest.mark.parametrize(("weight", "expected"), [(0, 9), (1.9, 9), (2, 8), (7.5, 6), (16, 1), (99, 1)])
def test_the_heavier_the_separator_the_less_coherent(weight: float, expected: int) -> None:
    assert coherence_of(weight) == expected


# -- the blocks ----------------------------------------------------------------------------------------------


def found_in(source: str, small: float = 0.0, tag: str = "body") -> list[tuple[str, int]]:
    """Tags and coherence of the blocks of the first round."""
    page = by_hand(source)
    root = next(one for one in range(len(page.elements)) if page.tag_names[page.elements.tag[one]] == tag)
    cues = cues_of(page, boxes_of(page), small)
    return [(page.tag_names[page.elements.tag[one.element]], one.coherence) for one in visual_blocks(cues, root)]


P = '<p box="0 100 500 40">Text</p>'
BOLD = '<b box="0 100 50 20" display="inline" type="16 700">bold</b>'
PLAIN = '<i box="0 100 50 20" display="inline">plain</i>'


@pytest.mark.parametrize(
    ("inside", "blocks"),
    [
        (f'<div box="0 0 9 9"><div box="0 0 9 9">{P}{P}</div></div>', [("p", 10), ("p", 10)]),  # rule 2, twice
        (f'<p box="0 100 500 40">Text {PLAIN}</p>{P}', [("p", 10), ("p", 10)]),  # rule 4, one kind of type
        (f'<p box="0 100 500 40">Text {BOLD}</p>{P}', [("p", 9), ("p", 10)]),  # rule 4, two kinds
        (f'<div box="0 0 600 90">{P}{P}</div>{P}', [("div", 3), ("p", 10)]),  # rule 12: for a later round
        ('<div box="0 0 600 90"></div>' + P + P, [("p", 10), ("p", 10)]),  # rule 1
        (f"Loose text {P}", [("body", 10), ("p", 10)]),  # text beside blocks is a block
        (f'<img box="0 0 90 90">{P}', [("img", 10), ("p", 10)]),
    ],
)
def test_rules_of_division(inside: str, blocks: list[tuple[str, int]]) -> None:
    assert found_in(f'<body box="0 0 1000 1000">{inside}</body>') == blocks


@pytest.mark.parametrize(
    ("inside", "coherence"),
    [
        (f'<div box="0 0 100 100">Text {P}</div>', 8),  # rule 9
        (f'<div box="0 0 900 900">Text {P}</div>', 3),  # the same, and large
        (f'<div box="0 0 100 100">Text <hr box="0 50 90 2">{P}</div>', 5),  # rule 6
        (f'<div box="0 0 100 100" back="white">Text <p box="0 0 9 9" back="navy">x</p>{P}</div>', 5),  # rule 8
        (f'<table box="0 0 100 100"><tr box="0 0 9 9"><td box="0 0 9 9">{P}{P}</td></tr></table>', 5),  # rule 7
    ],
)
def test_small_and_parted_blocks(inside: str, coherence: int) -> None:
    found = found_in(f'<body box="0 0 1000 1000">{P}{inside}</body>', small=0.1)
    assert found[1][1] == coherence


# -- the story -----------------------------------------------------------------------------------------------


def portal(paragraphs: int = 6) -> Page:
    """A headline over two columns, the story in the left one, links in the right one, a dark footer."""
    story = "".join(f'<p box="0 {200 + 60 * one} 600 50">Paragraph {one}.</p>' for one in range(paragraphs))
    side = "".join(
        f'<p box="650 {200 + 47 * one} 300 40"><a box="650 {200 + 47 * one} 300 40" display="inline">Link {one}</a></p>'
        for one in range(8)
    )
    return by_hand(
        '<body box="0 0 1000 1000" back="white"><h1 box="0 0 1000 60" type="40 700">The Gazette</h1>'
        f'<div box="0 100 1000 700"><div box="0 200 600 500">{story}</div><div box="650 200 300 500">{side}</div></div>'
        '<footer box="0 900 1000 90" back="navy"><p box="0 910 1000 30">All rights are reserved.</p>'
        '<p box="0 950 1000 30">Imprint</p></footer></body>'
    )


def test_columns_come_apart_and_the_story_is_found() -> None:
    page = portal()
    found = VIPS().choose(page)
    assert found.spans.text(page) == "\n".join(f"Paragraph {one}." for one in range(6))
    assert list(found.chosen) == [(0, 200, 600, 550)]
    assert "visual blocks" in found.reason


def test_the_tree_of_the_page() -> None:
    page = portal()
    tree = VIPS().tree(page, boxes_of(page))
    directions = [node.separators[0].direction for node in nodes(tree) if node.separators]
    assert V in directions  # the columns
    assert [leaf.blocks[0].background for leaf in leaves(tree)][-1] == "navy"
    coarse = VIPS(coherence=1).tree(page, boxes_of(page))
    assert len(leaves(coarse)) < len(leaves(tree))


@pytest.mark.parametrize(
    "wrong", [{"coherence": 0}, {"coherence": 11}, {"small": 2.0}, {"share": 0.0}, {"links": -1.0}]
)
def test_parameters_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(BadParameter, match="coherence is"):
        replace(VIPS(), **wrong)(portal())  # type: ignore[arg-type]  # all are numbers


def test_a_page_of_nothing() -> None:
    page = by_hand("<body><p>Nobody sees this.</p></body>")
    assert not VIPS()(page)


def test_many_blocks_with_all_different_gaps() -> None:
    """Each separator has a weight of its own, so that each part takes off one block: the worst for the tree."""
    top, rows = 0.0, []
    for one in range(2 * MOST):
        top += 21 + one / 100
        rows.append(f'<p box="0 {top} 900 20">x</p>')
    page = by_hand(f'<body box="0 0 1000 {top}">{"".join(rows)}</body>')
    found = VIPS().tree(page, boxes_of(page))
    assert len(leaves(found)) == MOST
