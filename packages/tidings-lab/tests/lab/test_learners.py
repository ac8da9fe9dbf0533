"""The comparison of learners on a few made sites."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.lab.made_samples import written_sample
from tests.support import needs
from tidings.errors import InputError, MissingExtra
from tidings_lab.corpora import Sample
from tidings_lab.learners.boosting import Boosting
from tidings_lab.learners.default import Training
from tidings_lab.learners.rival_learners import Linear
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.studies import InTurn, learners, study

needs("catboost")
needs("pycrfsuite")
needs("sklearn")


def body(site: int) -> tuple[str, str]:
    """A story of a few lines in a box of its own, between a menu and a footer."""
    lines = [f"Line {line} of the story of site {site}, with words enough to be one, and a stop." for line in range(8)]
    story = "".join(f"<p>{line}</p>" for line in lines)
    menu = "".join(f"<li><a href=/{entry}>entry {entry}</a></li>" for entry in range(10))
    parts = f'<ul class="menu">{menu}</ul><div class="story">{story}</div><div class="footer"><p>Legal notes</p></div>'
    return f"<html lang=en><title>A story</title><body>{parts}</body></html>", "\n\n".join(lines)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    folder = tmp_path_factory.mktemp("pages")
    return [written_sample(folder, *body(site), f"site{site}") for site in range(25)]


def test_learners_are_measured_on_sites_they_have_not_seen(
    samples: list[Sample], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Boosting(trees=8, depth=3)
    monkeypatch.setattr(learners, "_TRAINING", Training(boosting=few))
    kept = replace(samples[0], id="kept", site="kept", more={"licence": "local evaluation only"})
    without_gold = replace(samples[0], id="none", gold={"text": "nothing of this stands there"})
    found = learners.run([*samples, kept, without_gold], rivals={"logistic regression": Linear()})
    outside = sorted(one.site for one in samples if fold_of(one.site, learners.FOLDS) == learners.MEASURED)
    (table,) = found.tables()
    assert [row[0] for row in table.rows] == ["logistic regression", learners.BOOSTED]
    for name in found.size:
        trials = [one for one in found.trials if one.learner == name]
        assert set(outside) == {one.site for one in trials}
        assert all(one.word_f1 > 0.95 for one in trials if one.site != without_gold.site)
        assert found.size[name] > 0
    assert found.learned_from == len(samples) - len(outside)
    (chart,) = found.charts()
    assert [one.name for one in chart.series] == ["articles", "all pages"]


def test_one_site_is_not_enough(samples: list[Sample]) -> None:
    with pytest.raises(InputError, match="many sites"):
        learners.run(samples[:1])


def test_what_is_missing_is_named(samples: list[Sample], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="lab"):
        study("learners").run(samples, InTurn())
