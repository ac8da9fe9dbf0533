"""The memory-based thesis's experiments on the bundled newspaper, the trainer, the queue and the error files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tidings.cli.app import app
from tidings.errors import InputError
from tidings.extractors.published.memory_based import MemoryBased
from tidings.extractors.published.memory_based.extractor import load as load_model
from tidings.extractors.published.memory_based.extractor import shipped
from tidings.extractors.published.memory_based.features import rows
from tidings.newspaper import path
from tidings.page import Page
from tidings_lab.annotation.error_files import error_file
from tidings_lab.corpora import Sample, load
from tidings_lab.learners.active_learning import Worth, ordered, worth
from tidings_lab.learners.default import Training
from tidings_lab.learners.element_classes import PAIRS, ElementClass, ElementClasses
from tidings_lab.learners.feature_weights import FeatureWeighting
from tidings_lab.learners.memory import Algorithm, ElementExample, MemoryLearner
from tidings_lab.learners.second_level import SecondLevel
from tidings_lab.learners.structure_check import FaultKind
from tidings_lab.memory_pages import ARTICLE, by_characters, example, macro_f1, of_known_sites, summed, tally
from tidings_lab.studies import memory_curves, memory_domains, memory_settings
from tidings_lab.training.memory_based import memory_based as train
from tidings_lab.training.settings import with_settings
from tidings_lab.training.trainers import TRAINERS, TrainingOrder, trainer
from tidings_lab.validation import Mode

TREE = MemoryLearner(Algorithm.IGTREE, FeatureWeighting.CHI_SQUARE)


@pytest.fixture(scope="module")
def newspaper() -> list[Sample]:
    """A few short pages of each outlet."""
    by_site: dict[str, list[Sample]] = {}
    for sample in sorted(load(path()), key=lambda one: len(one.html)):
        by_site.setdefault(sample.site, []).append(sample)
    return [sample for pages in by_site.values() for sample in pages[:4]]


# -- counting ------------------------------------------------------------------------------------------------


def test_counts_are_the_thesiss() -> None:
    """6.1: the counts of title are those of all pairs with a title, each against all others."""
    pairs = {pair: number for number, pair in enumerate(PAIRS)}
    gold = np.array([pairs[one] for one in ("t+g", "b+g", "b+b", "g+g", "g+b", "h+g")])
    said = np.array([pairs[one] for one in ("t+g", "b+g", "b+g", "b+g", "g+g", "g+g")])
    found = tally(gold, said)
    title, heading, body = (found[kind] for kind in ARTICLE)
    assert (title.tp, title.fp, title.fn, title.tn) == (1, 0, 0, 5)
    assert (heading.tp, heading.fp, heading.fn) == (0, 0, 1)
    assert (body.tp, body.fp, body.fn) == (1, 2, 2)  # b+b taken for b+g is wrong for both
    assert body.tn == 3 * 6 - 5
    assert summed([found, found])[ElementClass.BODY].tp == 2
    assert macro_f1([found]) == pytest.approx((1 + 0 + 2 * 1 / (2 * 1 + 2 + 2)) / 3)


def test_characters_count_what_a_reader_gets() -> None:
    page = Page("<div><p>Ten chars.</p><p>And <b>four</b> more.</p></div>")
    names = [page.tag_names[tag] for tag in page.elements.tag.tolist()]
    body = np.array([3 if name == "p" else 0 for name in names], np.int8)
    tail = np.array([3 if name == "b" else 0 for name in names], np.int8)
    one = ElementExample("p", "s", rows(page), ElementClasses(body, tail))
    found = ElementClasses(np.array([3 if name in ("p", "b") else 0 for name in names], np.int8), np.zeros_like(tail))
    counts = by_characters(one, found.pairs)[ElementClass.BODY]
    assert (counts.tp, counts.fp, counts.fn) == (len("Ten chars.And"), len("four"), len("more."))


def test_pages_of_sites_with_several(newspaper: list[Sample]) -> None:
    pages = [example(sample) for sample in newspaper[:9]]
    assert all(len(one.rows) <= 5000 for one in of_known_sites(pages, 2, 2, 5000))
    with pytest.raises(InputError, match="two sites"):
        of_known_sites(pages[:1], 2, 2, 5000)


# -- studies -------------------------------------------------------------------------------------------------


def test_the_three_modes(newspaper: list[Sample]) -> None:
    name = "IGTREE, no weights"
    found = memory_domains.run_domains(newspaper, learners={name: MemoryLearner(Algorithm.IGTREE)})
    table, weights, *by_source = found.tables()
    assert len(by_source) == 3 * 3  # modes and classes, tables 6.1 to 6.9
    assert by_source[0].columns[:5] == ("source", "TP", "FP", "TN", "FN")
    assert {row[0] for row in by_source[0].rows} == {row[0] for row in by_source[8].rows}
    assert len(table.rows) == len(Mode) * len(ARTICLE)
    assert len(weights.rows) == 41
    assert {chart.name for chart in found.charts()} >= {"memory-domains-body", "memory-weights"}
    body = {row[0]: row[5] for row in table.rows if row[2] == "body"}
    assert body["all sites"] > body["other sites"]  # type: ignore[operator]  # both are numbers


def test_settings(newspaper: list[Sample], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_settings, "KS", (1, 3))
    monkeypatch.setattr(memory_settings, "FOLDS", 2)
    found = memory_settings.run_settings(newspaper[:8])
    table, chosen = found.tables()
    assert len(table.rows) == 2 * len(FeatureWeighting)
    assert all(0 <= float(cell) <= 1 for row in table.rows for cell in row[2:5])
    assert all("k " in str(row[2]) for row in chosen.rows)
    assert len(found.charts()) == 4


def test_curves(newspaper: list[Sample], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_curves, "ORDERS", 2)
    found = memory_curves.run_curves(newspaper, learners={"IGTREE": TREE})
    merged = found.curves[Mode.MERGED, "IGTREE"]
    assert merged[0].size == 2
    assert all(len(point.scores) == 2 for point in merged)
    assert merged[-1].mean > merged[0].mean
    names = ["memory-curve-pages", "memory-curve-sites", "memory-curve-every-site"]
    assert [chart.name for chart in found.charts()] == names


def test_the_second_level_and_the_structure_check(newspaper: list[Sample]) -> None:
    first = dict.fromkeys(ARTICLE, TREE)
    found = memory_settings.run_second(newspaper, learners={"one": TREE, "two levels": SecondLevel(first)})
    scores, shapes = found.tables()
    assert [row[0] for row in scores.rows] == ["one", "two levels"]
    assert all(row[1] == shapes.rows[0][1] for row in shapes.rows)


# -- training ------------------------------------------------------------------------------------------------


def test_training_writes_a_model_a_table_and_error_files(newspaper: list[Sample], tmp_path: Path) -> None:
    steps: list[str] = []
    settings = {"algorithm": "igtree", "weights": "shared-variance", "page-type": "article"}
    table = train(TrainingOrder(newspaper, tmp_path / "m.npz", 2, 1, settings, steps.append))
    card = load_model(tmp_path / "m.npz").card
    assert (card["algorithm"], card["weights"]) == ("IGTREE", "sv")
    assert card["pages"] == sum(sample.page_type == "article" for sample in newspaper)
    assert table is not None
    assert [row[0] for row in table.rows] == ["title", "heading", "body"]
    files = sorted((tmp_path / "m.errors").iterdir())
    assert files
    assert "taken for" in files[0].read_text("utf-8")
    assert "fold 2 of 2" in steps


def test_training_a_second_level(newspaper: list[Sample], tmp_path: Path) -> None:
    """A classifier for each class and one above them, in one file that the extractor reads."""
    some = [sample for sample in newspaper if sample.page_type == "article"][::4]
    train(TrainingOrder(some, tmp_path / "two.npz", 0, 1, {"levels": "2"}))
    page = Page(some[0].html)
    assert load_model(tmp_path / "two.npz").card["corpora"]
    assert MemoryBased(model=str(tmp_path / "two.npz"))(page)
    for settings in ({"levels": "3"}, {"levels": "2", "k": "7"}):
        with pytest.raises(InputError, match="levels is 1 or 2"):
            train(TrainingOrder(some, tmp_path / "no.npz", 0, 1, settings))


def test_every_trainer_can_be_found() -> None:
    for name in TRAINERS:
        assert callable(trainer(name))
    with pytest.raises(InputError, match="did you mean memory-based"):
        trainer("memory-base")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kk": "3"}, "no setting 'kk'"),
        ({"k": "three"}, "k is a number"),
        ({"weights": "heavy"}, "weights is one of none, gain-ratio"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_settings(MemoryLearner(), settings)
    assert with_settings(MemoryLearner(), {"k": "7"}).k == 7


def test_settings_of_a_part_are_named_with_a_dot() -> None:
    training = with_settings(Training(), {"boosting.trees": "80", "network.rate": "0.2", "bags": "4"})
    assert (training.boosting.trees, training.network.rate, training.kinds.trees, training.bags) == (80, 0.2, 150, 4)
    for wrong in ("boosting", "boosting.tree", "bags.boosting"):
        with pytest.raises(InputError, match="no setting"):
            with_settings(Training(), {wrong: "80"})


def test_error_file_of_a_page() -> None:
    page = Page("<div><a>Delicious</a><p>Body text.</p></div>")
    gold = ElementClasses.none(len(page.elements))
    text = np.zeros(len(page.elements), np.int8)
    text[[page.tag_names[tag] == "a" for tag in page.elements.tag]] = ElementClass.BODY
    wrong = error_file(page, gold, ElementClasses(text, np.zeros_like(text)))
    assert wrong.startswith("Delicious\n\n#")
    assert wrong.rstrip().endswith("<a> text g, taken for b")
    assert error_file(page, gold, gold) == ""


# -- what to label next --------------------------------------------------------------------------------------


def test_ill_formed_pages_come_first_then_doubtful_ones() -> None:
    pages = [
        Worth("sure", (), 0.1),
        Worth("doubtful", (), 0.6),
        Worth("one fault", (FaultKind.NO_TITLE,), 0.0),
        Worth("two faults", (FaultKind.TWO_TITLES, FaultKind.HEADINGS_TOGETHER), 0.0),
    ]
    assert [page.name for page in ordered(pages)] == ["two faults", "one fault", "doubtful", "sure"]


def test_a_page_with_no_title_is_worth_labelling() -> None:
    found = worth("p", Page("<p>Just some text.</p>"), shipped())
    assert FaultKind.NO_TITLE in found.faults
    assert 0 <= found.doubt <= 1


def test_the_command(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.html").write_text(f"<h1>Page {number}</h1><p>Some text stands here, {number}.</p>")
    (tmp_path / "bad.html").write_bytes(b"%PDF-1.4 no page")
    runner = CliRunner()
    done = runner.invoke(app, ["lab", "queue", str(tmp_path), "--limit", "2", "-j", "1"])
    assert done.exit_code == 0, done.output
    assert "no title" in done.output
    assert "bad.html is left out" in " ".join(done.output.split())
    names = runner.invoke(app, ["lab", "queue", str(tmp_path), "--names", "-j", "1"]).stdout.split()
    assert {Path(name).name for name in names} >= {"0.html", "1.html", "2.html"}
    corpus = tmp_path / "corpus"
    (corpus / "html").mkdir(parents=True)
    (corpus / "html/a.html").write_text("<p>Text of the page.</p>")
    record = {"id": "a", "site": "s", "html_file": "html/a.html", "gold": {"text": "Text of the page."}}
    (corpus / "pages.jsonl").write_text(json.dumps(record) + "\n")
    assert "a.html" in runner.invoke(app, ["lab", "queue", str(corpus), "--names", "-j", "1"]).stdout
    wrong = runner.invoke(app, ["lab", "queue", str(tmp_path), "--model", str(tmp_path / "none.npz")])
    assert wrong.exit_code != 0
