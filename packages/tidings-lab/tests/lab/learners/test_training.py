"""Training data: labels by alignment with gold, weights of words, and a small training as a whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tidings import Page, newspaper
from tidings.cli.app import app
from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings_lab.learners.boosting import Boosting
from tidings_lab.learners.default import Training
from tidings_lab.learners.gold_words import shares
from tidings_lab.learners.labelled_pages import GoldPage, label
from tidings_lab.learners.network import NetworkTraining
from tidings_lab.learners.site_folds import fold_of, folds_of
from tidings_lab.learners.word_weights import weigh


def _of(source: str, gold: str) -> list[float]:
    return list(shares(Page(source), gold).round(2).tolist())


def test_blocks_of_gold_are_found() -> None:
    source = "<p>Home</p><p>The ferry came back on Monday.</p><p>Read more stories</p>"
    assert _of(source, "The ferry came back on Monday.") == [0, 1, 0]


def test_a_passage_that_stands_twice_is_right_once() -> None:
    passage = "The ferry came back to the harbour on Monday after nine years."
    found = _of(
        f"<p>{passage}</p><p>{passage}</p><p>It left again on Tuesday at noon.</p>",
        passage + " It left again on Tuesday at noon.",
    )
    assert sorted(found[:2]) == [0, 1]
    assert found[2] == 1


def test_single_words_of_gold_elsewhere_are_no_gold() -> None:
    found = _of("<p>Monday the ferry</p><p>The ferry came back on Monday.</p>", "The ferry came back on Monday.")
    assert found == [0, 1]


def test_short_blocks_count_whole() -> None:
    assert _of("<p>Weather</p><p>It rained all day long.</p>", "Weather\n\nIt rained all day long.") == [1, 1]


def test_scripts_without_spaces() -> None:
    assert _of("<p>首页</p><p>渡轮星期一回到旧港口。</p>", "渡轮星期一回到旧港口。") == [0, 1]


def test_hidden_text_is_no_gold() -> None:
    source = "<p hidden>The ferry came back on Monday.</p><p>The ferry came back on Monday.</p>"
    assert _of(source, "The ferry came back on Monday.") == [0, 1]


def test_nothing_of_gold_on_the_page_is_no_lesson() -> None:
    assert label(GoldPage(b"<p>Something else entirely is here.</p>", "", "a", "The ferry came back.")) is None


def test_words_weigh_what_they_tell() -> None:
    sites = [f"site{number}" for number in range(6)]
    bags = [[("story",), ("ads", "wide"), ("wide", "story")]] * 6
    content = [np.array([1.0, 0.0, 1.0])] * 6
    weights = weigh(sites, bags, content, [np.full(3, 1.0)] * 6, 4)
    assert weights["story"] > 0.5
    assert weights["ads"] < -0.5


def test_words_of_few_sites_are_not_learned() -> None:
    bags = [[("own",), ("other",)], [("story",), ("ads",)], [("story",), ("ads",)]]
    weights = weigh(["a", "b", "c"], bags, [np.array([1.0, 0.0])] * 3, [np.ones(2)] * 3, 2)
    assert set(weights) == {"story", "ads"}


def test_folds_hold_whole_sites() -> None:
    assert {fold_of("example.org", 5) for _ in range(3)} == {fold_of("example.org", 5)}
    assert {fold_of(f"site{number}", 5) for number in range(100)} == set(range(5))


def _lessons() -> list[GoldPage]:
    """The newspaper's articles, each as a site of its own, and front pages to tell kinds apart."""
    pages = [page for page in newspaper.pages() if page.gold.get("text")]
    taught = [
        GoldPage(page.html, page.url, f"site{number}", page.gold["text"], "article")
        for number, page in enumerate(pages)
    ]
    lists = "".join(f"<li><a href='/{number}'>Link {number} to a story</a></li>" for number in range(40))
    front = f"<ul class='list'>{lists}</ul>".encode()
    return taught + [
        GoldPage(front, "https://example.org/", f"front{number}", "Link 3 to a story", "listing") for number in range(8)
    ]


@pytest.mark.gate  # it trains twice, for a quarter of a minute
def test_training_twice_makes_the_same_model_and_it_reads(tmp_path: Path) -> None:
    training = Training(
        folds=2,
        boosting=Boosting(trees=12),
        network=NetworkTraining(rounds=3),
        name_sites=2,
        cue_sites=2,
        jobs=1,
    )
    lessons = _lessons()
    steps: list[str] = []
    training.run(lessons, steps.append).save(tmp_path / "one.npz")
    training.run(lessons).save(tmp_path / "two.npz")
    assert steps
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    page = Page(lessons[0].html, lessons[0].url)
    kept = set(Learned(model=str(tmp_path / "one.npz"))(page).text(page).split())
    gold = set(lessons[0].gold.split())
    assert len(kept & gold) > 0.6 * len(gold)


def test_few_pages_are_too_little() -> None:
    lesson = GoldPage(b"<p>The ferry came back.</p><p>Menu</p>", "", "a", "The ferry came back.", "article")
    with pytest.raises(InputError, match="at least 10 pages"):
        Training(jobs=1).run([lesson] * 3)


def test_folds_of_one_site_are_dealt_by_page() -> None:
    assert folds_of(["one.example"] * 5, 2) == [0, 1, 0, 1, 0]


def test_no_words_are_learned_where_none_is_on_enough_sites() -> None:
    assert weigh(["a", "b"], [[("own",)], [("other",)]], [np.ones(1), np.zeros(1)], [np.ones(1)] * 2, 2) == {}


@pytest.mark.gate  # three trainings
def test_a_small_corpus_of_one_kind_on_one_site_is_learned_and_its_gain_reported(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number, page in enumerate(lesson for lesson in _lessons() if lesson.kind == "article"):
        if number < 24:
            (folder / f"{number}.html").write_bytes(page.html)
            (folder / f"{number}.txt").write_text(page.gold, encoding="utf-8")
    small = [f"--set={name}" for name in ("boosting.trees=10", "forum-trees=5", "network.rounds=2", "folds=2")]
    model = tmp_path / "model.npz"
    words = ["lab", "train", "default", "-c", str(folder), "-o", str(model), "--folds", "2", "-j", "1", *small]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0
    assert model.is_file()
    assert "gain" in result.output
    assert "shipped model" in result.output


@pytest.mark.gate
def test_the_bundled_newspaper_is_a_corpus_by_name_for_training(tmp_path: Path) -> None:
    words = ["lab", "train", "block-tree", "--corpus", "newspaper", "-o", str(tmp_path / "tree.npz"), "-j", "1"]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
