"""Every published extractor that learns: taught with the newspaper it reads the newspaper, twice the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support import needs
from tidings import newspaper
from tidings.errors import BadModel, InputError
from tidings.extractors import extractor
from tidings.extractors.model_files import save
from tidings.extractors.published.sequence import ChainForm
from tidings.page import Page
from tidings.text import words
from tidings_lab.corpora import load
from tidings_lab.learners.content_seeker import Seeking
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.sequence_labelling import Labelling
from tidings_lab.learners.shallow_blocks import FeatureChoice, ShallowBlocks
from tidings_lab.learners.sklearn_classifiers import ClassifierKind
from tidings_lab.learners.trigrams import Scoring
from tidings_lab.training.trainers import TRAINERS, TrainingOrder, trainer

needs("sklearn")
needs("pycrfsuite")

LEARNERS: dict[str, Any] = {
    "mss": Scoring(word_sites=2, trigram_sites=2),
    "shallow-tree": ShallowBlocks(ClassifierKind.TREE),
    "shallow-svm": ShallowBlocks(ClassifierKind.SVM),
    "crf": Labelling(ChainForm.FIELD),
    "maxent": Labelling(ChainForm.ALONE),
    "memm": Labelling(ChainForm.MARKOV),
    "content-seeker-learned": Seeking(),
}


@cache
def lessons() -> tuple[GoldPage, ...]:
    """Some articles of every outlet, each as a site of its own."""
    pages = [page for outlet in newspaper.outlets() for page in [*newspaper.pages(outlet)][:6]]
    return tuple(
        GoldPage(page.html, page.url, f"site{number}", page.gold["text"], "article")
        for number, page in enumerate(pages)
        if page.gold.get("text")
    )


def f1(words: Sequence[str], gold: Sequence[str]) -> float:
    ours, theirs = Counter(words), Counter(gold)
    return 2 * (ours & theirs).total() / max(ours.total() + theirs.total(), 1)


@pytest.mark.parametrize("name", LEARNERS)
def test_taught_on_even_pages_it_reads_odd_ones(name: str, tmp_path: Path) -> None:
    learner, path = LEARNERS[name], tmp_path / "model.npz"
    items = [item for item in map(learner.prepare, lessons()[::2]) if item is not None]
    save(learner.fit(items), name, path)
    trained: Any = replace(extractor(name), model=str(path))  # type: ignore[type-var]  # every extractor is a dataclass
    everything = extractor("everything")
    gains = []
    for lesson in lessons()[1::2]:
        page = Page(lesson.html, lesson.url)
        ours, floor = (f1(words(one(page).text(page)), words(lesson.gold)) for one in (trained, everything))
        gains.append(ours - floor)
        assert trained.score(page).shape == (len(page.blocks),)
    assert np.mean(gains) > 0.05  # menus that a style sheet hides are not in `everything`, which leaves less to gain


@pytest.mark.parametrize("name", LEARNERS)
def test_the_same_pages_make_the_same_file(name: str, tmp_path: Path) -> None:
    learner = LEARNERS[name]
    for file in ("one.npz", "two.npz"):
        items = [item for item in map(learner.prepare, lessons()[:20]) if item is not None]
        save(learner.fit(items), name, tmp_path / file)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


@pytest.mark.parametrize("name", LEARNERS)
def test_a_page_without_its_gold_teaches_nothing(name: str) -> None:
    assert LEARNERS[name].prepare(GoldPage(b"<p>Something else entirely.</p>", "", "a", "The ferry came back.")) is None


@pytest.mark.parametrize("name", LEARNERS)
def test_pages_of_content_alone_teach_nothing(name: str) -> None:
    text = "The ferry came back on Monday after nine years of repairs."
    item = LEARNERS[name].prepare(GoldPage(text.encode(), "", "a", text))
    assert item is not None
    with pytest.raises(InputError, match="learning needs pages"):
        LEARNERS[name].fit([item])


def test_the_two_features_of_the_rule_are_enough_to_learn() -> None:
    """Thesis 3.3.2.1: number of words and link density lead to "a simple classification model"."""
    learner = ShallowBlocks(choice=FeatureChoice.TWO)
    items = [item for item in map(learner.prepare, lessons()[:12]) if item is not None]
    assert set(learner.fit(items).features) == {
        place + name for place in ("", "prev_", "next_") for name in ("words", "link_density")
    }


def test_a_model_taught_with_features_that_there_are_not_is_refused(tmp_path: Path) -> None:
    learner = ShallowBlocks()
    items = [item for item in map(learner.prepare, lessons()[:12]) if item is not None]
    weights = learner.fit(items)
    save(replace(weights, features=("colour", *weights.features[1:])), "shallow-tree", tmp_path / "m.npz")
    trained: Any = replace(extractor("shallow-tree"), model=str(tmp_path / "m.npz"))  # type: ignore[type-var]
    with pytest.raises(BadModel, match="'colour'"):
        trained(Page("<p>one"))


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_a_trainer(name: str) -> None:
    assert name in TRAINERS
    assert callable(trainer(name))


def test_training_with_folds_measures_on_other_sites(tmp_path: Path) -> None:
    samples = [sample for sample in load(newspaper.path()) if sample.gold.get("text")][::4]
    steps: list[str] = []
    order = TrainingOrder(samples, tmp_path / "mss.npz", 2, 1, {"word-sites": "2", "trigram_sites": "2"}, steps.append)
    table = trainer("mss")(order)
    assert table is not None
    assert sum(int(str(row[2])) for row in table.rows if row[1] == "all") == len(samples)
    assert steps[0].startswith("reading")
    page = Page(samples[0].html)
    trained: Any = replace(extractor("mss"), model=str(tmp_path / "mss.npz"))  # type: ignore[type-var]
    assert trained(page)
