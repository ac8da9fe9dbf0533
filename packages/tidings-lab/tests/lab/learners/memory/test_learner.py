"""Labels from gold, the learner, its model file, the extractor made of it, and what a second level adds."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tidings import extractor, newspaper
from tidings.errors import BadModel, BadParameter, InputError
from tidings.extractors.published.memory_based import MemoryBased
from tidings.extractors.published.memory_based.extractor import CombinedModel, encode, load, shipped
from tidings.extractors.published.memory_based.features import rows
from tidings.page import Page
from tidings_lab.learners.element_classes import PAIRS, ElementClass
from tidings_lab.learners.element_labels import classes_of
from tidings_lab.learners.feature_weights import FeatureWeighting
from tidings_lab.learners.memory import Algorithm, ElementExample, MemoryLearner
from tidings_lab.learners.second_level import SecondLevel
from tidings_lab.learners.timbl_files import lines
from tidings_lab.metrics.texts import word_score

from .pages import newspaper_examples

STORY = """<html><head><title>Seals return | Gazette</title></head><body><nav><a href=/>Home page of the paper</a></nav>
<h1>Seals return</h1><p>By <a>A. Writer</a></p><p>The seals are <b>back in the bay</b> after many years.</p>
<h2>Why now</h2><p>The water is clean again, and there is fish.<br>Nobody hunts them.</p>
<aside><p>Seals return</p><p>More from the coast and the sea</p></aside></body></html>"""
GOLD = {
    "title": "Seals return",
    "text": "The seals are back in the bay after many years.\n\nWhy now\n\n"
    "The water is clean again, and there is fish. Nobody hunts them.",
    "headings": ["Why now"],
}


def marks(page: Page) -> dict[str, str]:
    found = classes_of(page, GOLD)
    names = [page.tag_names[tag] for tag in page.elements.tag.tolist()]
    return {f"{name} {at}": PAIRS[pair] for at, (name, pair) in enumerate(zip(names, found.pairs.tolist(), strict=True))
            if PAIRS[pair] != "g+g"}  # fmt: skip


def test_labels_from_gold() -> None:
    found = marks(Page(STORY))
    assert [(name.split()[0], pair) for name, pair in found.items()] == [
        ("h1", "t+g"), ("p", "b+g"), ("b", "b+b"), ("h2", "h+g"), ("p", "b+g"), ("br", "g+b"),
    ]  # fmt: skip


def test_a_title_element_with_the_name_of_the_site_is_known_by_its_part() -> None:
    page = Page("<h1>The bridge is open again</h1><p>The text of it is long enough here.</p>")
    gold = {"title": "The bridge is open again - The Gazette", "text": "The text of it is long enough here."}
    assert (classes_of(page, gold).text == ElementClass.TITLE).sum() == 1


def test_gold_without_title_or_headings() -> None:
    found = classes_of(Page(STORY), {"text": GOLD["text"]})
    assert set(np.unique(found.text)) == {0, 3}
    assert not classes_of(Page(STORY), {"text": ""}).text.any()


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_what_was_seen_is_told_again(algorithm: Algorithm) -> None:
    pages = newspaper_examples()
    model = MemoryLearner(algorithm, FeatureWeighting.GAIN_RATIO).fit(pages)
    for page in pages[:4]:
        said = model.answer(encode(page.rows, model.tags)).classes
        right = np.array(model.classes)[said] == np.array(PAIRS)[page.classes.pairs]
        assert right.mean() > 0.99


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_a_model_is_a_file(algorithm: Algorithm, tmp_path: Path) -> None:
    learner = MemoryLearner(algorithm, FeatureWeighting.CHI_SQUARE, card={"corpora": {"newspaper": 24}})
    pages = newspaper_examples()
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    learner.fit(pages).save(one)
    learner.fit(pages).save(two)
    assert one.read_bytes() == two.read_bytes()
    assert load(one).card["corpora"] == {"newspaper": 24}
    assert load(one).card["pages"] == len(pages)
    page = Page(next(newspaper.pages("gazette", page_type="article")).html)
    by_file, by_name = MemoryBased(model=str(one))(page), extractor(f'memory-based(model="{two}")')(page)
    assert by_file == by_name
    assert by_file


def test_damaged_and_hostile_files(tmp_path: Path) -> None:
    file = tmp_path / "model.npz"
    good = MemoryLearner().fit(newspaper_examples(2, 2))
    good.save(file)
    with np.load(file) as read:
        arrays = dict(read)
    bad: list[dict[str, np.ndarray[Any, Any]]] = [
        {"version": np.array(99)}, {"weights": np.full(41, np.nan)}, {"weights": np.ones(3)}, {"k": np.array(0)},
        {"k": np.array(10**9)}, {"order": np.zeros(41, np.int64)}, {"classes": np.array(["b"])},
        {"counts": arrays["counts"][:5]}, {"values": arrays["values"][:, :3]}, {"card": np.array("no JSON")},
    ]  # fmt: skip
    for change in bad:
        np.savez(file, **(arrays | change))
        with pytest.raises(BadModel, match=r"model file|version"):
            load(file)
    np.savez(file, **(arrays | {"tags": np.array([{"a": 1}], object)}))  # would be unpickled
    with pytest.raises(BadModel):
        load(file)
    file.write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(BadModel):
        load(file)
    with pytest.raises(BadModel):
        load(tmp_path / "none.npz")
    with zipfile.ZipFile(file, "w") as empty:
        empty.writestr("nothing.npy", b"")
    with pytest.raises(BadModel):
        load(file)


def test_a_tree_that_hangs_together_wrongly_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "model.npz"
    MemoryLearner(Algorithm.IGTREE).fit(newspaper_examples(2, 2)).save(file)
    with np.load(file) as read:
        arrays = dict(read)
    for change in ({"tree.above": arrays["tree.above"] + 10**6}, {"tree.chosen": arrays["tree.chosen"] + 500}):
        np.savez(file, **(arrays | change))
        with pytest.raises(BadModel):
            load(file)


def test_the_model_that_ships() -> None:
    model = shipped()
    assert set(model.card["corpora"]) == {"wcxb", "fundus", "voa-dari"}
    page = Page(next(newspaper.pages("gazette", page_type="article")).html)
    assert len(MemoryBased()(page).words(page)) > 50
    with_title = MemoryBased(title=True)(page)
    assert MemoryBased()(page) <= with_title
    assert MemoryBased(headings=False)(page) <= MemoryBased()(page)


def test_settings_out_of_range() -> None:
    with pytest.raises(BadParameter):
        MemoryLearner(k=0).fit(newspaper_examples(1, 1))
    with pytest.raises(InputError):
        MemoryLearner().fit([])


def test_a_second_level_over_one_classifier_for_each_class(tmp_path: Path) -> None:
    """Trained, saved, and used by name as an extractor."""
    # Pages of one outlet as if they were of many: what is learned from some then holds for the others.
    stories = [page for page in newspaper.pages("nahr") if page.page_type != "front"]
    pages = []
    for number, sample in enumerate(stories):
        page = Page(sample.html, sample.url)
        pages.append(ElementExample(sample.id, f"site {number}", rows(page), classes_of(page, sample.gold)))
    tree = MemoryLearner(Algorithm.IGTREE)
    first = {ElementClass.TITLE: tree, ElementClass.HEADING: tree, ElementClass.BODY: tree}
    model = SecondLevel(first).fit(pages[1:])
    said = model.answer(pages[0].rows).classes
    assert (said == pages[0].classes.pairs).mean() > 0.9
    assert {ElementClass.BODY, ElementClass.TITLE} <= set((said // 4).tolist())
    file = tmp_path / "two.npz"
    model.save(file)
    again = load(file)
    assert isinstance(again, CombinedModel)
    assert (again.answer(pages[0].rows).classes == said).all()
    held = Page(stories[0].html, stories[0].url)
    read = MemoryBased(model=str(file))(held).text(held)
    assert word_score(read, str(stories[0].gold["text"])).recall > 0.9
    assert again.doubt(held).shape == (len(held.elements),)
    again.save(tmp_path / "same.npz")
    assert (tmp_path / "same.npz").read_bytes() == file.read_bytes()
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(tmp_path / "less.npz", "w") as part:
        for name in [name for name in whole.namelist() if not name.startswith("first.b")]:
            part.writestr(name, whole.read(name))
    with pytest.raises(BadModel, match=r"less\.npz is no model file"):
        MemoryBased(model=str(tmp_path / "less.npz"))(held)
    with pytest.raises(InputError):
        SecondLevel(first).fit([ElementExample(one.id, "one site", one.rows, one.classes) for one in pages[:3]])


def test_tags_with_spaces_do_not_break_the_columns() -> None:
    page = newspaper_examples()[0]
    odd = ElementExample(
        "odd", "site", type(page.rows)(page.rows.values, (*page.rows.tags[:-1], "a b,c")), page.classes
    )
    assert {len(line.split()) for line in lines(odd.rows, ["g+g"] * len(odd.rows))} == {42}
