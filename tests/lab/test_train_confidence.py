"""Confidence is learned from what answers were worth, and measured on other sites."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tidings.charts import chart_svg
from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings.extractors.learned.confidence import LOW, SIGNALS, ConfidenceSignals, confidence, read_calibrations
from tidings.lab.train_confidence import JudgedPage, bins, calibration_error, expected, learn, reliability, train
from tidings.lab.trainers import TrainingOrder
from tidings.page import Page


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
    ("changed", "said"),
    [
        ({"expected": -6.0}, "unclear which blocks"),
        ({"expected": -1.0, "certainty": -5.0}, "unclear kind of page"),
        ({"expected": -1.0, "length": -9.0}, "short text"),
        ({"expected": -1.0, "rest": 30.0}, "much other text"),
    ],
)
def test_low_confidence_has_the_reason_that_is_oddest(changed: dict[str, float], said: str) -> None:
    usual = {"expected": -1.0, "certainty": 0.9, "length": 2.7, "unclear": 0.1, "rest": 0.2}
    sure, why = confidence(ConfidenceSignals(**usual | changed), is_article=True)
    assert sure < LOW
    assert said in why


def test_a_sure_answer_has_no_reason() -> None:
    assert confidence(ConfidenceSignals(5.0, 0.9, 2.7, 0.0, 0.1), is_article=True)[1] == ""
    assert tuple(ConfidenceSignals.__slots__) == SIGNALS


def test_training_needs_models_of_folds(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--set models=DIR"):
        train(TrainingOrder([], tmp_path / "confidence.json"))


def test_what_confidence_is_made_of_is_there_to_learn_from() -> None:
    story = "<p>The ferry came back to the harbour, and the whole town stood on the quay with flags and bread.</p>"
    found, signals = Learned().judged(Page(f"<title>Ferry</title><article><h1>Ferry</h1>{story * 12}</article>"))
    assert signals is not None
    assert found.confidence == confidence(signals, is_article=found.kind == "article")[0]
