"""Restricted top-down mapping (Reis et al. 2004), with distances worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tidings.extractors.published.rtdm import RTDM, LabelledTree, TopDownMapping, page_tree, tree_of
from tidings.page import Hints, Page

Node = tuple[str, list["Node"]] | str


def tree(node: Node) -> tuple[list[str], list[list[int]]]:
    """Labels and children of a tree written as (label, [subtrees])."""
    labels: list[str] = []
    children: list[list[int]] = []

    def add(subtree: Node) -> int:
        label, inside = (subtree, []) if isinstance(subtree, str) else subtree
        place = len(labels)
        labels.append(label)
        children.append([])
        children[place] += [add(child) for child in inside]
        return place

    add(node)
    return labels, children


def mapping(first: Node, second: Node) -> TopDownMapping:
    def labelled(node: Node) -> LabelledTree:
        labels, children = tree(node)
        return tree_of(labels, children, [""] * len(labels), [-1] * len(labels))

    return TopDownMapping(labelled(first), labelled(second))


@pytest.mark.parametrize(
    ("first", "second", "cost"),
    [
        (("r", ["a", "b", "c"]), ("r", ["a", "b", "c"]), 0),
        (("r", ["a", "b", "c"]), ("r", ["a", "c"]), 1),  # b removed
        (("r", ["a", "b", "c"]), ("r", ["a", "x", "c"]), 1),  # b replaced
        (("r", ["a", "b"]), ("r", ["b", "a"]), 2),  # ordered: one removed, one inserted, or two replaced
        # a(b, c) to x(b, c): the restricted mapping keeps no descendant of what is replaced: 1 + 2 + 2, or 3 and 3
        (("r", [("a", ["b", "c"])]), ("r", [("x", ["b", "c"])]), 5),
        # Top-down: a node inserted between parent and child costs the whole subtree, as the child loses its parent.
        (("r", [("a", ["b", "b", "b"])]), ("r", [("w", [("a", ["b", "b", "b"])])]), 8),
        (("r", [("a", ["b", "c"]), "d"]), ("r", [("a", ["b", "c", "e"]), "d"]), 1),
    ],
)
def test_distances_by_hand(first: Node, second: Node, cost: int) -> None:
    assert mapping(first, second).cost == cost
    assert mapping(second, first).cost == cost


def test_mapped_nodes_by_hand() -> None:
    """r(a, b(x, y), c) and r(b(x, z), c): a goes; r, b, x, c are mapped, y is replaced by z and has another label."""
    found = mapping(("r", ["a", ("b", ["x", "y"]), "c"]), ("r", [("b", ["x", "z"]), "c"]))
    assert found.cost == 2
    assert sorted(found.pairs()) == [(0, 0), (2, 1), (3, 2), (5, 4)]
    assert found.similarity == pytest.approx(1 - 2 / 11)


SENTENCE = "The wardens said on {day} that grey seals had come back to the {place} after years away. "


def page(day: str, place: str, paragraphs: int, siblings: tuple[Page, ...] = (), more: str = "") -> Page:
    story = f"<p>{SENTENCE.format(day=day, place=place) * 3}</p>" * paragraphs
    promise = "<p>" + "Our readers keep this newspaper independent, please think of a subscription. " * 12 + "</p>"
    return Page(
        f"<body><ul><li>Home<li>Sport</ul><div class=story><h1>Seals of {place}</h1>{story}</div>"
        f"<div class=promise>{promise}</div>{more}<p>All rights reserved.</p></body>",
        hints=Hints(siblings=siblings),
    )


def test_the_tree_of_a_page_has_what_is_shown() -> None:
    made = page_tree(Page("<body><div class='card-12'>One <b>two</b></div><p hidden>no</p><p></p></body>"))
    assert made.labels[-4:] == ["div card-", "#text", "b", "#text"]
    assert made.sizes[0] == len(made)


def test_a_template_is_what_is_the_same_in_its_place() -> None:
    siblings = (page("Monday", "bay", 2), page("Friday", "sound", 5))
    mine = page("Tuesday", "estuary", 4, siblings)
    found = RTDM()(mine).text(mine)
    assert found.count("estuary") == 13  # the headline is in the passage, and twelve sentences
    assert "independent" not in found
    assert "rights" not in found
    share = RTDM().template(mine)
    texts = [mine.text[start:end] for start, end in zip(mine.runs.text_start, mine.runs.text_end, strict=True)]
    assert {text for text, one in zip(texts, share.tolist(), strict=True) if one == 1} >= {"Home", "Sport"}
    assert all(share[np.array([text.startswith("The wardens") for text in texts])] == 0)


def test_the_longest_passage_where_none_is_long() -> None:
    siblings = (Page("<body><div><p>Ferries sail again.</p></div><footer>Imprint</footer>"),)
    mine = Page("<body><div><p>Seals are back.</p></div><footer>Imprint</footer>", hints=Hints(siblings=siblings))
    assert RTDM()(mine).text(mine) == "Seals are back."


def test_a_page_of_another_make_is_no_part_of_the_cluster() -> None:
    """A front page has the story's text nowhere; only the sibling that is alike tells the template."""
    front = Page("<body>" + "<section><h2>Headline</h2><a href=/x>More of it</a></section>" * 30)
    mine = page("Tuesday", "estuary", 4, (front, page("Monday", "bay", 3)))
    assert "independent" not in RTDM(share=0.6)(mine).text(mine)
    assert "independent" in RTDM(similarity=0.0, share=0.6)(mine).text(mine)  # with it, only half has the text
