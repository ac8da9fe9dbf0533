"""Sequence labelling on pages: the observations, and how labels are chosen (DANA thesis 3.3.2.2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tidings.errors import BadModel
from tidings.extractors.model_files import read, save
from tidings.extractors.published.feature_ranges import Ranges
from tidings.extractors.published.sequence import CRF, MEMM, ChainForm, ChainWeights, Decoding, MaxEnt, observations
from tidings.extractors.published.shallow_learned import ShallowSVM, ShallowTree
from tidings.page import Page

LONG = "The council voted on Tuesday to reopen the harbour bridge, which had been closed since the storm. " * 3
MENU = "<ul>" + "<li><a href=x>Topic of the day</a></li>" * 15 + "</ul>"
PAGE = f"<title>Bridge reopens</title><nav>{MENU}</nav><main><h1>Bridge reopens</h1>{f'<p>{LONG}</p>' * 6}</main>{MENU}"


@pytest.mark.parametrize(
    "labeller", [CRF(), MaxEnt(), MEMM(), ShallowTree(), ShallowSVM()], ids=lambda labeller: type(labeller).__name__
)
def test_the_story_without_its_menus(labeller: CRF | ShallowTree) -> None:
    page = Page(PAGE)
    text = labeller(page).text(page)
    assert text.count("harbour") == 18
    assert "Topic" not in text
    scores = labeller.score(page)
    assert len(scores) == len(page.blocks)
    assert ((scores >= 0) & (scores <= 1)).all()


def test_observed_are_the_blocks_that_are_seen() -> None:
    page = Page("<p>one</p><p hidden>two</p><p>…</p><p>three</p>")
    seen, columns = observations(page)
    assert seen.tolist() == [0, 3]
    assert {len(column) for column in columns.values()} == {2}


def test_what_a_block_shares_with_the_title() -> None:
    _, columns = observations(Page("<title>Bridge reopens</title><h1>Bridge reopens</h1><p>The bridge is old</p>"))
    assert columns["title_share"].tolist() == [1.0, 0.25]
    assert observations(Page("<p>no title"))[1]["title_share"].tolist() == [0.0]


def test_where_a_block_stands() -> None:
    _, columns = observations(Page("<nav><ul><li>one<li>two</ul></nav><article><p>three</article>"))
    assert columns["around_navigation"].tolist() == [True, True, False]
    assert columns["around_list"].tolist() == [True, True, False]
    assert columns["around_article"].tolist() == [False, False, True]
    assert columns["same_element"].tolist() == [False, True, False]


def chain(form: ChainForm, transition: list[list[float]] | None = None) -> ChainWeights:
    """Content is what has more than 5 words."""
    classifiers = 2 if form is ChainForm.MARKOV else 1
    weight = np.zeros((1, 2, classifiers))
    weight[0, 0], weight[0, 1] = -1.0, 1.0
    borders = Ranges(np.array([[5.0]], np.float32))
    return ChainWeights(
        form, ("words",), borders, weight, np.zeros(classifiers), np.array(transition or [[0.0, 0], [0, 0]])
    )


def test_a_short_block_between_long_ones_goes_with_them(tmp_path: Path) -> None:
    page = Page(f"<p>{LONG}</p><p>short</p><p>{LONG}</p>")
    save(chain(ChainForm.FIELD), "crf", tmp_path / "free.npz")
    save(chain(ChainForm.FIELD, [[2, -2], [-2, 2]]), "crf", tmp_path / "bound.npz")
    for decoding in Decoding:
        assert "short" not in CRF(decoding, str(tmp_path / "free.npz"))(page).text(page)
        assert "short" in CRF(decoding, str(tmp_path / "bound.npz"))(page).text(page)


def test_each_block_by_itself_is_the_same_either_way() -> None:
    """Where labels do not depend on each other the best way to label a page is the best label of each block."""
    page = Page(PAGE)
    assert MaxEnt(Decoding.PATH)(page) == MaxEnt(Decoding.CHANCE)(page)


def test_weights_that_do_not_fit_are_refused() -> None:
    whole = chain(ChainForm.FIELD)
    with pytest.raises(BadModel, match="not fit together"):
        replace(whole, form=ChainForm.MARKOV)
    with pytest.raises(BadModel, match="not fit together"):
        replace(whole, features=("words", "link_density"))
    with pytest.raises(BadModel, match="not fit together"):
        replace(whole, ranges=Ranges(np.array([[5.0, 1.0]], np.float32)))


def test_weights_of_another_form_are_refused(tmp_path: Path) -> None:
    save(chain(ChainForm.ALONE), "crf", tmp_path / "m.npz")
    with pytest.raises(BadModel, match="weights of maxent, not of crf"):
        CRF(model=str(tmp_path / "m.npz"))(Page("<p>x"))


@pytest.mark.parametrize("form", ChainForm)
def test_shipped_weights_come_back_byte_for_byte(form: ChainForm, tmp_path: Path) -> None:
    for name in ("one.npz", "two.npz"):
        save(read(ChainWeights, form.value, ""), form.value, tmp_path / name)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert (tmp_path / "one.npz").stat().st_size < 200_000
