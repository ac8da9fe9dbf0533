"""Correlation clustering: the printed weights, the pivots and their cost, the neighbourhood, the cap."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tidings import newspaper
from tidings.errors import BadModel, BadParameter, InputError
from tidings.extractors.combine import Everything
from tidings.extractors.model_files import load, save
from tidings.extractors.published.correlation_clustering import (
    ClusterNodes,
    CorrelationClustering,
    NodeNeighbours,
    nested_pivot,
    objective,
    pivot,
    screen_distance,
    tree_distance,
)
from tidings.extractors.published.estimated_layout import estimated
from tidings.extractors.published.node_similarity import LookWeights, NodeBoxes, similarity
from tidings.page import Page
from tidings_lab.corpora import load as load_corpus
from tidings_lab.learners.correlation_clustering import Pairing
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.metrics.texts import word_score
from tidings_lab.training.trainers import TrainingOrder, trainer

STORY = [f"Paragraph {place} tells of the harbour bridge and of the cars that cross it." for place in range(6)]
MENU = ["News", "Sport", "Weather"]


def boxes(*sizes: tuple[float, float], styles: Sequence[Mapping[str, str]] | None = None) -> NodeBoxes:
    """Boxes of these heights and widths, below each other."""
    height, width = (np.array(column, np.float64) for column in zip(*sizes, strict=True))
    return NodeBoxes(np.zeros(len(sizes)), np.cumsum(height) - height, width, height, styles or [{} for _ in sizes])


def roots(first: tuple[float, float], second: tuple[float, float]) -> float:
    """LBNEST II.B.1, as printed."""
    return math.sqrt(math.sqrt(math.sqrt(sum(first)) * math.sqrt(sum(second))))


# -- nested nodes and the rendering constraint ------------------------------------------------------------------

#: A(B, C) and D: B looks like D, A like nothing; nodes in document order are A 0, B 1, C 2, D 3.
ENDS = np.array([3, 2, 3, 4])


def nested_weights() -> NDArray[np.float64]:
    weight = np.zeros((4, 4))
    weight[1, 3] = weight[3, 1] = 0.9
    return weight


def test_who_takes_a_node_takes_all_inside_it() -> None:
    """Without the constraint A is alone; with it, B and C go with A though nothing says that they are alike."""
    order = np.array([0, 1, 2, 3])
    assert pivot(nested_weights(), order).tolist() == [0, 1, 2, 1]
    assert nested_pivot(nested_weights(), order, ENDS).tolist() == [0, 0, 0, 3]


def test_a_node_whose_parts_are_of_different_clusters_is_of_none() -> None:
    """B takes D first; C is alone; A, around both, can be in neither cluster."""
    assert nested_pivot(nested_weights(), np.array([1, 2, 0, 3]), ENDS).tolist() == [-1, 1, 2, 1]
    assert nested_pivot(nested_weights(), np.array([1, 0, 2, 3]), ENDS).tolist() == [-1, 1, 2, 1]


def test_a_node_that_is_partly_taken_is_not_taken_with_its_subtree() -> None:
    """D is like A too: but B, inside A, is another's already."""
    weight = np.zeros((4, 4))
    weight[0, 3] = weight[3, 0] = 0.9
    assert nested_pivot(weight, np.array([1, 3, 2, 0]), ENDS).tolist() == [-1, 1, 2, 3]
    assert nested_pivot(weight, np.array([3, 1, 2, 0]), ENDS).tolist() == [3, 3, 3, 3]  # D takes A, and so B and C


def test_a_node_around_parts_of_one_cluster_is_of_it() -> None:
    weight = np.zeros((4, 4))
    weight[1, 2] = weight[2, 1] = 0.9
    assert nested_pivot(weight, np.array([1, 0, 2, 3]), ENDS).tolist() == [1, 1, 1, 3]


def test_the_cost_of_nodes_that_are_in_no_cluster() -> None:
    """Cut edges cost their weight, kept ones the rest; two nodes in no cluster are not together."""
    near = ~np.eye(4, dtype=np.bool_)
    cost = objective(nested_weights(), near, np.array([-1, 1, -1, 1]))
    assert cost == pytest.approx(1 - 0.9)  # B and D are kept together; all other edges weigh nothing


@given(st.integers(0, 2**32 - 1))
def test_the_constraint_holds_on_any_tree(seed: int) -> None:
    """A node in a cluster has all that is inside it in the same one."""
    generator = np.random.default_rng(seed)
    parent = [-1, *(int(generator.integers(max(0, node - 4), node)) for node in range(1, 14))]
    kept = list(range(14))
    ends = np.array([max([node, *_inside(parent, node)]) + 1 for node in kept])
    if any(set(_inside(parent, node)) != set(range(node + 1, ends[node])) for node in kept):
        return  # not in document order
    weight = generator.random((14, 14))
    label = nested_pivot((weight + weight.T) / 2, generator.permutation(14), ends)
    for node in kept:
        if label[node] >= 0:
            assert set(label[node : ends[node]].tolist()) == {label[node]}


def _inside(parent: Sequence[int], node: int) -> list[int]:
    found = [node]
    for other in range(node + 1, len(parent)):
        if parent[other] in found:
            found.append(other)
    return found[1:]


def test_a_page_with_nested_nodes() -> None:
    """The box of the story is one vertex with its paragraphs in it; menus stay out."""
    menu = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in MENU)
    page = Page(f"<body><ul>{menu}</ul><div class=story>{''.join(f'<p>{one}</p>' for one in STORY)}</div></body>")
    method = CorrelationClustering(nodes=ClusterNodes.ELEMENTS)
    assert method(page).text(page).splitlines() == STORY
    found = method.nested(page)
    ends = np.searchsorted(page.elements.start, page.elements.end)[found.blocks]
    for place, end in enumerate(np.searchsorted(found.blocks, ends).tolist()):
        if found.label[place] >= 0:
            assert set(found.label[place:end].tolist()) == {found.label[place]}


# -- the weight -------------------------------------------------------------------------------------------------


def test_same_height_and_width() -> None:
    """LBNEST II.B.1: 1.7 for the height, 5.0 for the width, over the roots of heights and widths."""
    found = similarity(boxes((100, 600), (100, 600)), LookWeights())
    assert found[0, 1] == pytest.approx((1.7 + 5.0) / roots((100, 600), (100, 600)))


def test_difference_of_heights() -> None:
    """LBNEST II.B.1: "deducting 0.07 … in each iteration" from 0 to the difference; other widths add nothing."""
    found = similarity(boxes((100, 600), (110, 300)), LookWeights())
    assert found[0, 1] == pytest.approx((1.7 - 10 * 0.07) / roots((100, 600), (110, 300)))
    assert found[1, 0] == pytest.approx(found[0, 1])


def test_style_rules() -> None:
    """LBNEST II.B.1: 0.2 for each same rule, -9.0 for each with a different value; a rule of one node says nothing."""
    styles = [
        {"color": "black", "font-size": "16px", "float": "left"},
        {"color": "black", "font-size": "12px", "margin": "0"},
    ]
    found = similarity(boxes((100, 600), (100, 600), styles=styles), LookWeights())
    assert found[0, 1] == pytest.approx((1.7 + 5.0 + 0.2 - 9.0) / roots((100, 600), (100, 600)))


def test_weights_can_be_learned_ones() -> None:
    """LBNEST II.B.1: "a learning algorithm can be used" to assign them."""
    weights = LookWeights(height=1, height_step=0.5, same_width=2, same_rule=3, other_value=-4)
    styles = [{"a": "1", "b": "1"}, {"a": "1", "b": "2"}]
    found = similarity(boxes((10, 60), (12, 60), styles=styles), weights)
    assert found[0, 1] == pytest.approx((1 - 2 * 0.5 + 2 + 3 - 4) / roots((10, 60), (12, 60)))


@given(st.floats(1, 500), st.floats(1, 500))
def test_nearer_heights_are_more_alike(first: float, second: float) -> None:
    """LBNEST II.B.1: "nodes having the same height have a higher chance to be in the same cluster"."""
    near, far = sorted((first, second))
    found = similarity(boxes((600, 600), (600 - near, 600 + near), (600 - far, 600 + far)), LookWeights())
    assert found[0, 1] >= found[0, 2] - 1e-9


# -- clusters ---------------------------------------------------------------------------------------------------

#: Three nodes: 0 and 1 alike, 1 and 2 less so, 0 and 2 not at all.
WEIGHT = np.array([[0, 0.9, 0.1], [0.9, 0, 0.6], [0.1, 0.6, 0]])
EDGES = ~np.eye(3, dtype=np.bool_)


@pytest.mark.parametrize(
    ("order", "expected"),
    [([0, 1, 2], [0, 0, 2]), ([1, 0, 2], [1, 1, 1]), ([2, 0, 1], [0, 2, 2]), ([2, 1, 0], [0, 2, 2])],
)
def test_pivot_takes_neighbours_over_a_half(order: list[int], expected: list[int]) -> None:
    """LBNEST II.B.1: "all the nodes q such that V_pq > 1/2 are removed from the graph, and placed in the cluster"."""
    assert pivot(WEIGHT, np.array(order)).tolist() == expected


def test_a_half_is_not_over_a_half() -> None:
    assert pivot(np.array([[0, 0.5], [0.5, 0]]), np.array([0, 1])).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("label", "cost"),
    [([0, 0, 0], 0.1 + 0.9 + 0.4), ([0, 0, 2], 0.1 + 0.1 + 0.6), ([0, 1, 2], 0.9 + 0.1 + 0.6)],
)
def test_cost_of_a_clustering(label: list[int], cost: float) -> None:
    """LBNEST II.B.1: V for ends in different clusters, 1 - V for ends in the same."""
    assert objective(WEIGHT, EDGES, np.array(label)) == pytest.approx(cost)


def test_no_edge_costs_nothing() -> None:
    assert objective(WEIGHT, np.zeros((3, 3), np.bool_), np.array([0, 0, 0])) == 0


@given(st.integers(1, 9), st.integers(0, 99))
def test_every_node_is_in_the_cluster_of_one_pivot(count: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    weight = generator.random((count, count))
    weight = (weight + weight.T) / 2
    label = pivot(weight, generator.permutation(count))
    assert (label[label] == label).all()
    assert all(weight[node, label[node]] > 0.5 for node in range(count) if label[node] != node)


def page(menu: Sequence[str], story: Sequence[str]) -> Page:
    items = "".join(f'<li><a href="/{place}">{text}</a></li>' for place, text in enumerate(menu))
    return Page(f"<ul>{items}</ul><div>" + "".join(f"<p>{text}</p>" for text in story) + "</div><h2>More</h2>")


def test_story_is_the_cluster_with_most_text() -> None:
    """LBNEST II.B removes "site specific statements"; IV: the story is the largest block of text."""
    document = page(MENU, STORY)
    assert CorrelationClustering()(document).text(document) == "\n".join(STORY)


def test_cheapest_of_several_trials() -> None:
    """LBNEST II.B.1: "the solution with the least objective value is output"."""
    document = page(MENU * 3, [text * (1 + 2 * place) for place, text in enumerate(STORY)])
    costs = [CorrelationClustering(trials=1, seed=seed).clusters(document).cost for seed in range(9)]
    assert min(costs) < max(costs)  # chance has a part in it
    several = CorrelationClustering(trials=50).clusters(document).cost
    assert several == pytest.approx(min(costs))


def test_same_seed_same_clusters() -> None:
    document = page(MENU * 3, [text * (1 + 2 * place) for place, text in enumerate(STORY)])
    one, other = (CorrelationClustering(trials=1, seed=7).clusters(document) for _ in range(2))
    assert one.label.tolist() == other.label.tolist()


def test_subtree_stays_together() -> None:
    """LBNEST II.B.2: the nodes of a subtree are in the cluster of its root, links and emphasis included."""
    document = page(MENU, [f"{text} <a href=x>A <b>link</b> in it</a> and more." for text in STORY])
    found = CorrelationClustering()(document)
    blocks = found.blocks(document)
    whole = [
        found.runs(document)[first:last].all()
        for first, last in zip(document.blocks.first[blocks], document.blocks.last[blocks], strict=True)
    ]
    assert len(whole) == len(STORY)
    assert all(whole)


def test_node_cap_is_reported() -> None:
    document = page(MENU, STORY)
    every = CorrelationClustering().clusters(document)
    assert (len(every.blocks), every.left_out) == (10, 0)
    few = CorrelationClustering(node_cap=4).clusters(document)
    assert (len(few.blocks), few.left_out) == (4, 6)
    assert few.blocks.tolist() == [3, 4, 5, 6]  # the ones with most text, in reading order


@pytest.mark.parametrize("method", [CorrelationClustering(trials=0), CorrelationClustering(node_cap=0)])
def test_parameters_out_of_range(method: CorrelationClustering) -> None:
    with pytest.raises(BadParameter, match="1 or more"):
        method(page(MENU, STORY))


def test_hidden_blocks_are_no_nodes() -> None:
    document = Page("<p hidden>" + "unseen " * 99 + "</p><p>seen</p>")
    assert CorrelationClustering().clusters(document).blocks.tolist() == [1]


# -- neighbours -------------------------------------------------------------------------------------------------


def naive_distance(document: Page, first: int, second: int) -> int:
    parent = document.elements.parent

    def path(element: int) -> list[int]:
        return [element, *(path(int(parent[element])) if element > 0 else [])]

    left, right = path(first), path(second)
    return len(set(left) ^ set(right))


@given(st.lists(st.sampled_from(["<div>", "</div>", "<p>x", "</p>", "<ul><li>x", "</ul>", "x"]), max_size=25))
def test_tree_distance_counts_steps(parts: list[str]) -> None:
    """LBNEST II.B.1: neighbours "can be determined by the DOM tree distance"."""
    document = Page("x" + "".join(parts))
    element = document.blocks.element
    found = tree_distance(document, element)
    expected = [[naive_distance(document, one, other) for other in element.tolist()] for one in element.tolist()]
    assert found.tolist() == expected


def test_screen_distance_is_the_gap_between_boxes() -> None:
    """LBNEST II.B.1: "or visual distance when rendering on the screen"."""
    left, top = np.array([0.0, 13.0, 5.0]), np.array([0.0, 14.0, 5.0])
    found = screen_distance(NodeBoxes(left, top, np.full(3, 10.0), np.full(3, 10.0), [{}, {}, {}]))
    assert found.tolist() == [[0, 5, 0], [5, 0, 0], [0, 0, 0]]


def test_far_nodes_are_no_neighbours() -> None:
    document = Page(
        "<div><div><div><p>One two three.</p></div></div></div><div><div><div><p>Four five six.</p></div></div></div>"
    )
    assert len(set(CorrelationClustering(steps=8).clusters(document).label)) == 1
    assert len(set(CorrelationClustering(steps=7).clusters(document).label)) == 2
    beside = CorrelationClustering(neighbours=NodeNeighbours.DISTANCE, pixels=0)
    assert len(set(beside.clusters(document).label)) == 1


# -- boxes ------------------------------------------------------------------------------------------------------


def test_boxes_of_a_browser_replace_the_estimate() -> None:
    document = Page("<p>One two three.</p><p>Four five six.</p><p>Seven eight.</p>")
    elements = len(document.elements)
    width = np.array([1000.0, 600.0, 600.0, 300.0])
    drawn = NodeBoxes(np.zeros(elements), np.linspace(0, 60, elements), width, np.full(elements, 20.0), [{}] * elements)
    assert len(set(CorrelationClustering().clusters(document).label)) == 1
    label = CorrelationClustering(boxes=drawn).clusters(document).label
    assert label[0] == label[1] != label[2]


def test_estimated_boxes() -> None:
    """Blocks fill their parent, lists and quotations are set in, cells share a row, a line has 128 letters."""
    document = Page(
        "<p>" + "x" * 129 + "</p><ul><li>y</ul><blockquote>z</blockquote><table><tr><td>a<td>b</table><h1>c</h1>"
    )
    found = estimated(document, np.arange(len(document.blocks)))
    assert found.width.tolist() == [1024, 984, 944, 512, 512, 1024]
    assert found.height.tolist() == [40, 20, 20, 20, 20, 40]
    assert found.top.tolist() == [0, 40, 60, 80, 100, 120]


def test_estimated_styles() -> None:
    lead = '<p class="lead big" style="Color: RED; margin:0; font-size: 12px">x</p>'
    document = Page(lead + "<h2>y</h2><ul><li><a href=z>z</a></ul><table><th>t</table>")
    first, heading, item, cell = estimated(document, np.arange(4)).styles
    plain = {"font-size": "1.0", "font-weight": "normal", "display": "block"}
    assert first == plain | {"color": "red", "margin": "0", ".lead": "", ".big": ""}
    assert (heading["font-size"], heading["font-weight"]) == ("1.5", "bold")
    assert (item["display"], item["color"]) == ("list-item", "link")
    assert (cell["display"], cell["font-weight"]) == ("table-cell", "bold")


def test_node_has_no_end_of_rules() -> None:
    many = " ".join(f"c{place}" for place in range(5000))
    document = Page(f'<p class="{many}" style="{"; ".join(f"p{place}: 0" for place in range(5000))}">x</p>')
    assert len(estimated(document, np.arange(1)).styles[0]) == 4 + 2 * 32


def test_newspaper() -> None:
    """Mean word F1 on the articles 0.66; all visible text 0.52. LBNEST reports "about 65 %" for its pages."""
    clustered, everything = [], []
    for sample in newspaper.pages(page_type="article"):
        document = Page(sample.html, sample.url)
        clustered.append(word_score(CorrelationClustering()(document).text(document), sample.gold["text"]).f1)
        everything.append(word_score(Everything()(document).text(document), sample.gold["text"]).f1)
    assert np.mean(clustered) > np.mean(everything) + 0.1


# -- learned weights ------------------------------------------------------------------------------------------------


def taught(number: int, count: int = 5) -> GoldPage:
    """A page whose story is one column of paragraphs and whose menu stands between them, drawn in another style."""
    story = [f"Paragraph {at} of page {number} tells of the bridge and of cars that cross it." for at in range(count)]
    noise = "<li style='font-weight:bold;color:red'>Buy now</li>"
    body = "".join(f"<p style='color:black;font-weight:normal'>{line}</p>{noise}" for line in story)
    return GoldPage(f"<div>{body}</div>".encode(), "", f"site{number}", "\n\n".join(story))


def test_weights_are_learned_from_labels() -> None:
    """What looks like the story is over one half, what looks otherwise is under it, on a page that was not learned."""
    learner = Pairing()
    items = [item for item in map(learner.prepare, map(taught, range(6))) if item is not None]
    weights = learner.fit(items)
    assert weights != LookWeights()
    page = Page(taught(9).html)
    graph = CorrelationClustering().graph(page)
    is_story = np.array([page.text[page.blocks.text_start[one] :].startswith("Paragraph") for one in graph.blocks])
    weight = similarity(graph.boxes, weights).clip(0, 1)
    inside = weight[np.ix_(is_story, is_story)][~np.eye(5, dtype=np.bool_)]
    assert inside.min() > 0.5
    assert weight[np.ix_(is_story, ~is_story)].max() < 0.5
    found = CorrelationClustering(weights=weights)(page).text(page)
    assert found.count("Paragraph") == 5
    assert "Buy" not in found


def test_each_page_weighs_as_much_as_another() -> None:
    """A page of ten times as many blocks is no ten times better teacher."""
    small, large = (Pairing().prepare(taught(0, count)) for count in (5, 50))
    assert small is not None
    assert large is not None
    assert large.products[0, 0] == pytest.approx(small.products[0, 0], rel=0.1)


def test_learned_weights_are_a_file(tmp_path: Path) -> None:
    path, weights = tmp_path / "weights.npz", LookWeights(1.0, 0.5, 2.0, 3.0, -4.0)
    save(weights, "correlation-clustering", path)
    assert load(LookWeights, "correlation-clustering", path) == weights
    made = CorrelationClustering(model=str(path))
    page = Page(newspaper_page())
    assert made(page) == CorrelationClustering(weights=weights)(page)
    for wrong in (np.ones(4), np.array([1.0, np.inf, 1, 1, 1]), np.array(["a"] * 5)):
        save(_Wrong(wrong), "correlation-clustering", path)
        with pytest.raises(BadModel, match="weights"):
            load(LookWeights, "correlation-clustering", path)


@dataclass(frozen=True)
class _Wrong:
    """Weights that are none."""

    stored: NDArray[Any]

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"weights": self.stored}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> _Wrong:
        return cls(arrays["weights"])


def newspaper_page() -> bytes:
    return next(newspaper.pages("gazette", page_type="article")).html


def test_pages_without_both_sorts_teach_nothing() -> None:
    text = "The ferry came back on Monday after nine years of repairs."
    item = Pairing().prepare(GoldPage(f"<p>{text}".encode(), "", "a", text))
    assert item is not None
    with pytest.raises(InputError, match="learning needs pages"):
        Pairing().fit([item])
    assert Pairing().prepare(GoldPage(b"<p>Something else entirely.", "", "a", text)) is None


def test_it_can_be_trained_from_the_command_line(tmp_path: Path) -> None:
    kept = [sample for sample in load_corpus(newspaper.path()) if sample.gold.get("text")][::6]
    found = trainer("correlation-clustering")(TrainingOrder(kept, tmp_path / "weights.npz", 2, 1, {"steps": "6"}))
    assert found is not None
    page = Page(kept[0].html)
    assert CorrelationClustering(model=str(tmp_path / "weights.npz"))(page)
