"""Features of blocks: the paper's figure 4 counted by hand, and the sums against a tree of nodes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.extractors.published.block_tree.features import COUNTED, FEATURES, TAGS, features
from tidings.page import Page

PAGE = """<body><div id=content class=holder>one two <a href=/x>three</a>
<div id=article_body>four five six seven <p>eight nine</p></div>
<ul><li><a href=/y>ten eleven</a><div class=menu><a href=/z>twelve</a> thirteen</div></li></ul>
<script>var not = "text at all";</script></div></body>"""


def rows() -> dict[str, dict[str, float]]:
    page = Page(PAGE)
    found = features(page)
    named: dict[str, dict[str, float]] = {}
    for element, row in zip(found.element.tolist(), found.rows, strict=True):
        told = page.attributes(element)
        key = told.get("id") or told.get("class") or TAGS[int(row[FEATURES.index("tn")])]
        named.setdefault(key, dict(zip(FEATURES, row.tolist(), strict=True)))
    return named


def test_the_outer_block_has_all_words_but_few_of_its_own() -> None:
    outer = rows()["content"]
    assert (outer["wf"], outer["lf"], outer["wf_l"]) == (13, 3, 4)
    assert outer["a_wf_l"] == pytest.approx(4 / 3)
    assert outer["r_wf_l_aw"] == pytest.approx(4 / 13)
    # After extraction: without article_body and without menu, which stands in a list.
    assert (outer["wf_ae"], outer["lf_ae"], outer["wf_l_ae"]) == (5, 2, 3)
    assert outer["r_wf_l_aw_ae"] == pytest.approx(3 / 5)
    assert (outer["id"], outer["class"]) == (1, 1)


def test_other_tags_have_layout_blocks_taken_out_too() -> None:
    found = rows()
    assert (found["ul"]["wf"], found["ul"]["wf_ae"]) == (4, 2)
    assert (found["li"]["lf"], found["li"]["lf_ae"]) == (2, 1)
    assert (found["p"]["wf"], found["p"]["wf_ae"]) == (2, 2)
    assert (found["a"]["lf"], found["a"]["wf_l"]) == (1, 1)  # a link is one link to itself


def test_density_leaves_scripts_out() -> None:
    body = "<div id=article_body>four five six seven <p>eight nine</p></div>"
    found = rows()
    assert found["article_body"]["d_html"] == pytest.approx(len("four five six seveneight nine") / len(body))
    start, end = PAGE.index("<div id=content"), PAGE.index("</body>")
    source = PAGE[start:end]
    script = source[source.index("<script>") : source.index("</script>") + len("</script>")]
    text = "".join("one two three four five six seven eight nine ten eleven twelve thirteen".split())
    seen = found["content"]["d_html"] * (len(source) - len(script))
    assert len(text) < seen < len(text) + 13  # the spaces inside runs count too


def test_hidden_text_is_nobody_s() -> None:
    found = features(Page("<div id=a>seen <div hidden>unseen words</div></div>"))
    assert found.rows[:, 0].tolist() == [1]


def test_a_page_without_blocks() -> None:
    found = features(Page("plain words"))
    assert found.rows.shape == (0, len(FEATURES))
    assert not len(found.layout)


def _nodes(depth: int) -> st.SearchStrategy[str]:
    leaf = st.sampled_from(["word ", "two words ", "<a href=/>link</a> ", "<br>"])
    if not depth:
        return leaf
    inner = st.lists(_nodes(depth - 1), max_size=4).map("".join)
    tags = st.sampled_from(["div", "td", "span", "ul", "section", "p"])
    return st.one_of(leaf, st.builds(lambda tag, held: f"<{tag}>{held}</{tag}>", tags, inner))


@given(st.lists(_nodes(4), max_size=5).map("".join))
def test_after_extraction_is_what_no_layout_element_inside_holds(source: str) -> None:
    page = Page(f"<body>{source}</body>")
    elements, runs, found = page.elements, page.runs, features(page)
    layout = [page.tag_names[tag] in ("div", "td") for tag in elements.tag]

    def own(element: int) -> int:
        total = 0
        for run in range(elements.first[element], elements.last[element]):
            at = int(runs.element[run])
            while at != element and not layout[at]:
                at = int(elements.parent[at])
            total += int(runs.words[run]) if at == element else 0
        return total

    after = FEATURES.index("wf_ae")
    assert [own(element) for element in found.element.tolist()] == found.rows[:, after].astype(int).tolist()
    whole, taken = found.rows[:, : len(COUNTED)], found.rows[:, len(COUNTED) : 2 * len(COUNTED)]
    assert (taken[:, :3] <= whole[:, :3]).all()
    assert np.isfinite(found.rows).all()
