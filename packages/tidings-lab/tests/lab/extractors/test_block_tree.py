"""The block tree as an extractor, and its file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lab.learners.blocks.pages import page_and_gold, taught_pages
from tests.support import ROOT
from tidings import newspaper
from tidings.errors import BadModel
from tidings.extractors import extractor
from tidings.extractors.published.block_tree import BlockClass, BlockTree
from tidings.extractors.published.block_tree.features import FEATURES, TAGS
from tidings.extractors.published.block_tree.figure import branch, drawn, printed
from tidings.extractors.published.block_tree.tree import LEAF, BlockDecisionTree, load
from tidings.page import Page
from tidings.text import words
from tidings_lab.learners.blocks.c45 import C45
from tidings_lab.learners.blocks.labelled_tables import draw


@pytest.fixture(scope="module")
def tree() -> BlockDecisionTree:
    return C45().fit(draw(taught_pages(8, 1)))


def stored(tree: BlockDecisionTree, path: Path) -> Path:
    tree.save(path, {"features": FEATURES})
    return path


def by_hand() -> BlockDecisionTree:
    """WF ≤ 10 is uninformative; else a DIV is main, any other tag uninformative."""
    tags = len(TAGS)
    count = 3 + tags
    feature, border = np.full(count, LEAF), np.full(count, np.nan)
    first, ways = np.zeros(count, np.int64), np.zeros(count, np.int64)
    feature[0], border[0], first[0], ways[0] = FEATURES.index("wf"), 10.5, 1, 2
    feature[2], first[2], ways[2] = FEATURES.index("tn"), 3, tags
    counts = np.zeros((count, len(BlockClass)))
    counts[1, BlockClass.UNINFORMATIVE], counts[1, BlockClass.MAIN] = 40, 2
    counts[3, BlockClass.MAIN] = 7
    counts[4:, BlockClass.UNINFORMATIVE] = 1
    return BlockDecisionTree(feature, border, first, ways, counts)


def test_the_tree_printed_by_hand() -> None:
    """As Weka prints one; leaves of several tags that say the same are one line."""
    top = branch(by_hand(), 5)
    assert list(printed(top)) == [
        "WF ≤ 10.5: uninformative (42/2)",
        "WF > 10.5",
        "|   TN = DIV: main",
        f"|   TN = TD, H1, H2, H3 and {len(TAGS) - 5} more: uninformative",
    ]
    assert list(printed(branch(by_hand(), 1)))[1] == f"WF > 10.5: uninformative ({6 + len(TAGS)}/7) …"


def test_the_tree_drawn() -> None:
    """A row for each leaf, and every way is written."""
    top = branch(by_hand(), 5)
    svg = drawn(top, "The tree")
    assert svg.count("<path") == 4
    assert top.rows == 3
    for said in ("WF", "&gt; 10.5", "= DIV", "uninformative (42/2)"):
        assert said in svg
    assert "main" in drawn(branch(BlockTree().tree, 4), "The tree that ships")


def test_the_shipped_tree_finds_most_of_the_story_of_three_papers() -> None:
    """Not of all seven: one has no DIV, and so no block that could be main; the floors of the gate hold the mean."""
    for outlet in ("almanac", "kiyi", "migdal"):
        shares = []
        for sample in newspaper.pages(outlet):
            page = Page(sample.html)
            got, wanted = set(words(BlockTree()(page).text(page))), set(words(str(sample.gold.get("text", ""))))
            if wanted:
                shares.append(2 * len(got & wanted) / (len(got) + len(wanted)))
        assert len(shares) > 2
        assert np.mean(shares) > 0.6, outlet


def test_a_trained_tree_is_used_by_its_file(tree: BlockDecisionTree, tmp_path: Path) -> None:
    file = stored(tree, tmp_path / "tree.json")
    html, gold = page_and_gold(30)
    page = Page(html)
    for asked in (BlockTree(str(file)), extractor(f"block-tree(model={file})")):
        assert gold.text.split()[0] in asked(page).text(page)
        assert "Another" not in asked(page).text(page)
    found = BlockTree(str(file)).classified(page)
    named = {page.attributes(int(one)).get("class") for one in found.blocks.element[found.classes == BlockClass.MAIN]}
    assert named == {"text30"}
    score = BlockTree(str(file)).score(page)
    assert len(score) == len(page.blocks)
    assert score.max() > 0.5


def test_only_layout_elements_can_be_main(tree: BlockDecisionTree, tmp_path: Path) -> None:
    page = Page("<body><p>" + "words of a story " * 60 + "</p></body>")
    assert not BlockTree(str(stored(tree, tmp_path / "t.json")))(page)


def test_a_saved_tree_is_the_same_tree(tree: BlockDecisionTree, tmp_path: Path) -> None:
    file = stored(tree, tmp_path / "tree.json")
    again = load(file, FEATURES, len(BlockClass))
    rows = draw(taught_pages(3, 1), None).rows
    assert np.array_equal(again.classify(rows), tree.classify(rows))
    assert again.probabilities(rows).sum(axis=1) == pytest.approx(1)
    assert stored(again, tmp_path / "again.json").read_bytes() == file.read_bytes()


def test_the_shipped_file_says_where_it_comes_from() -> None:
    path = ROOT / "packages/tidings/src/tidings/extractors/published/block_tree/tree.json"
    card = json.loads(path.read_text("utf-8"))
    assert {name.split(" ")[0] for name in card["learned_from"]} == {"wcxb", "fundus", "voa-dari"}
    assert card["classes"] == [one.label for one in BlockClass]


BROKEN: dict[str, dict[str, object]] = {
    "empty": {},
    "another version": {"version": 99},
    "other features": {"features": ["a"]},
    "a way round": {"first": 0},
    "a way out": {"ways": 10_000},
    "a feature that is not there": {"feature": 99},
    "a negative feature": {"feature": -7},
    "too few counts": {"counts": [[1]]},
    "no numbers": {"border": "x"},
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_file_that_is_wrong_is_refused(what: str, tree: BlockDecisionTree, tmp_path: Path) -> None:
    file = stored(tree, tmp_path / "tree.json")
    whole = json.loads(file.read_text())
    for key, value in BROKEN[what].items():
        if key in whole["nodes"]:
            whole["nodes"][key] = value if isinstance(value, list) else [value, *whole["nodes"][key][1:]]
        else:
            whole[key] = value
    file.write_text(json.dumps(whole) if BROKEN[what] else "")
    with pytest.raises(BadModel, match=r"tree\.json"):
        BlockTree(str(file))(Page("<div>words</div>"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match="nowhere"):
        BlockTree(str(tmp_path / "nowhere.json"))(Page("<div>words</div>"))


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=len(FEATURES), max_size=len(FEATURES)))
def test_any_row_comes_to_a_leaf(tree: BlockDecisionTree, values: list[float]) -> None:
    rows = np.array([values])
    with np.errstate(invalid="ignore"):
        assert tree.feature[tree.leaf(rows)[0]] == LEAF
