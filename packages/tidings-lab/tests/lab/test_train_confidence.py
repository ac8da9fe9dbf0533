"""Confidence is learned from what answers were worth, and measured on other sites."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.lab.made_samples import written_sample
from tidings.charts import chart_svg
from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings.extractors.learned.confidence import LOW, ConfidenceSignals, confidence, read_calibrations
from tidings.extractors.learned.model import Model, shipped
from tidings.page import Page
from tidings_lab.learners.default import Training
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.training.confidence import JudgedPage, bins, calibration_error, expected, learn, reliability, train
from tidings_lab.training.trainers import TrainingOrder


def _pages(count: int = 400) -> list[JudgedPage]:
    """Answers that are worth what the chances say less a half where the kind of page is unclear."""
    random = np.random.default_rng(1)
    pages = []
    for number in range(count):
        odds, sure = random.uniform(-2, 4), random.random()
        worth = 1 / (1 + np.exp(-(odds + 2 * (sure - 0.5))))
        signals = ConfidenceSignals(odds, sure, random.uniform(1, 3), random.random(), random.random())
        pages.append(JudgedPage(f"{number}.example", True, signals, float(random.random() < worth)))
    return pages


def test_what_is_learned_means_what_it_says_on_pages_that_it_was_not_learned_from() -> None:
    pages = _pages(4000)
    learned = learn(pages[:2000])
    f1 = np.array([page.f1 for page in pages[2000:]])
    assert calibration_error(expected(learned, pages[2000:]), f1) < 0.05
    assert learned["weights"]["expected"] == pytest.approx(1, abs=0.2)
    assert learned["weights"]["certainty"] == pytest.approx(2, abs=0.5)


def test_a_weight_of_the_wrong_sign_is_left_out() -> None:
    turned = [
        JudgedPage(one.site, True, ConfidenceSignals(*(one.signals.expected, 0.5, 3 - one.f1, 0.1, 0.1)), one.f1)
        for one in _pages()
    ]
    assert learn(turned)["weights"]["length"] == 0


def test_the_file_is_read_as_it_is_written() -> None:
    learned = learn(_pages())
    read = read_calibrations(json.dumps({"article": learned, "other": learned}))
    signals = _pages()[0].signals
    assert read[True].judge(signals)[0] == pytest.approx(float(expected(learned, _pages()[:1])[0]))


def test_bins_and_their_picture() -> None:
    told, got = np.array([0.05, 0.95, 0.97]), np.array([0.1, 1.0, 0.9])
    assert bins(told, got) == [pytest.approx((0, 1 / 3, 0.05, 0.1)), pytest.approx((9, 2 / 3, 0.96, 0.95))]
    assert calibration_error(told, got) == pytest.approx(0.05 / 3 + 0.01 * 2 / 3)
    assert "confidence" in chart_svg(reliability({"article": (told, got)}))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"expected": -6.0}, "unclear which blocks"),
        ({"expected": -1.0, "certainty": -5.0}, "unclear kind of page"),
        ({"expected": -1.0, "length": -9.0}, "short text"),
        ({"expected": -1.0, "rest": 30.0}, "much other text"),
    ],
)
def test_low_confidence_has_the_reason_that_is_oddest(changed: dict[str, float], reason: str) -> None:
    usual = {"expected": -1.0, "certainty": 0.9, "length": 2.7, "unclear": 0.1, "rest": 0.2}
    sure, why = confidence(ConfidenceSignals(**usual | changed), is_article=True)
    assert sure < LOW
    assert reason in why


def test_a_sure_answer_has_no_reason() -> None:
    assert confidence(ConfidenceSignals(5.0, 0.9, 2.7, 0.0, 0.1), is_article=True)[1] == ""


def test_a_folder_that_is_named_has_models_of_folds(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no models in"):
        train(TrainingOrder([], tmp_path / "confidence.json", settings={"models": str(tmp_path)}))


def test_one_command_trains_the_models_of_folds_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[Training] = []

    def run(training: Training, lessons: list[GoldPage], told: Callable[[str], None]) -> Model:
        trained.append(training)
        assert {fold_of(lesson.site, 3) for lesson in lessons} == {0, 1, 2} - {len(trained) - 1}
        told("trees")
        return shipped()

    monkeypatch.setattr(Training, "run", run)
    story = "The ferry came back to the harbour, and the whole town stood on the quay with flags and bread."
    html = f"<title>Ferry</title><article><h1>Ferry</h1>{f'<p>{story}</p>' * 12}</article>"
    samples = [written_sample(tmp_path, html, story * 12, f"site{number}.example") for number in range(12)]
    order = TrainingOrder(
        samples, tmp_path / "confidence.json", 3, settings={"boosting.trees": "8", "network.rate": "0.2"}
    )
    with pytest.raises(InputError, match="only 0 pages of the kind 'other'"):
        train(order)
    assert [one.name for one in sorted(order.folder.iterdir())] == [f"without-fold-{fold}.npz" for fold in range(3)]
    assert {(one.boosting.trees, one.network.rate) for one in trained} == {(8, 0.2)}
    with pytest.raises(InputError, match="only 0 pages"):
        train(order)
    assert len(trained) == 3  # those that are there are not trained again


def test_what_confidence_is_made_of_is_there_to_learn_from() -> None:
    story = "<p>The ferry came back to the harbour, and the whole town stood on the quay with flags and bread.</p>"
    found, signals = Learned().judged(Page(f"<title>Ferry</title><article><h1>Ferry</h1>{story * 12}</article>"))
    assert signals is not None
    assert found.confidence == confidence(signals, is_article=found.kind == "article")[0]
