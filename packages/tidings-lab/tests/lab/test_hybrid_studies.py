"""The studies of the hybrid approach on made sites, and its trainer."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tests.lab.learners.blocks.pages import page_and_gold
from tests.sites import village
from tests.support import needs
from tidings.errors import InputError
from tidings.extractors.published.block_tree import BlockTree
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.learners.blocks.c45 import C45, Pruning
from tidings_lab.learners.blocks.instances import BlockLearner
from tidings_lab.learners.blocks.labelled_tables import draw, taught
from tidings_lab.learners.blocks.naive_bayes import NaiveBayes
from tidings_lab.studies import InTurn, hybrid_learners, hybrid_rules, learned_sites, study
from tidings_lab.studies.hybrid_pages import TREE, Folding, folds
from tidings_lab.studies.hybrid_rules import LabelledPage, try_rules
from tidings_lab.training.trainers import TrainingOrder, trainer

needs("pgmpy")
needs("sklearn")


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    folder = tmp_path_factory.mktemp("pages")
    found = []
    for site in range(12):
        for number in range(3):
            html, gold = page_and_gold(site, number)
            file = folder / f"{site}-{number}.html"
            file.write_text(html, encoding="utf-8")
            told = {"text": gold.text, "title": gold.title, "authors": list(gold.authors), "date": str(gold.day)}
            found.append(Sample(f"{site}/{number}", f"site{site}", "en", "article", file, told))
    return found


FEW: dict[str, BlockLearner] = {
    TREE: C45(),
    "tree, unpruned": C45(Pruning.UNPRUNED),
    "naive Bayes, normal": NaiveBayes(),
}


def test_learners_are_measured_by_site_and_by_block(samples: list[Sample]) -> None:
    kept = replace(samples[0], id="kept", site="kept", more={"licence": "local evaluation only"})
    found = hybrid_learners.run_learners([*samples, kept], learners=FEW, compare={TREE: C45(Pruning.UNPRUNED)})
    assert found.pages == len(samples)  # not the one that may not be learned from
    assert set(found.trials) == {(name, folding) for name in FEW for folding in Folding}
    for trial in found.trials.values():
        assert trial.confusion.cells.sum() == sum(found.counts)
    tree = found.trials[TREE, Folding.BY_SITE]
    assert tree.confusion.accuracy > 0.95
    assert tree.kappa > 0.9
    assert tree.weighted("recall") == pytest.approx(tree.confusion.accuracy)
    first, *_ = found.tables()
    assert [row[0] for row in first.rows] == list(FEW)
    assert [one.learner for one in found.weka] == [TREE]
    assert {chart.name for chart in found.charts()} == {"hybrid-learners", "hybrid-learners-kappa"}
    drawn, without, every, _ = found.readings.values()
    sizes = [int(trial.confusion.cells.sum()) for trial in (drawn, without, every)]
    assert sizes[0] < sizes[1] < sizes[2]


def test_no_site_is_on_both_sides(samples: list[Sample]) -> None:
    table = draw(
        [taught(html.encode(), "", f"s{site}", gold) for site in range(11) for html, gold in [page_and_gold(site)]]
    )
    for inside, outside in folds(table, Folding.BY_SITE):
        assert not set(table.site[inside].tolist()) & set(table.site[outside].tolist())
        assert len(inside) + len(outside) == len(table)
    mixed = folds(table, Folding.BY_BLOCK)
    assert any(set(table.site[inside].tolist()) & set(table.site[outside].tolist()) for inside, outside in mixed)
    assert sorted(np.concatenate([outside for _, outside in mixed]).tolist()) == list(range(len(table)))


def test_features_are_weighed_with_and_without(samples: list[Sample]) -> None:
    found = hybrid_learners.run_features(samples, learners=FEW)
    assert len(found.gains) == 15
    assert found.gains["tn"] > found.gains["id"]
    sets = [name for learner, name in found.trials if learner == TREE]
    assert sets == list(hybrid_learners.SETS)
    assert "lf" not in hybrid_learners.SETS["without links"]
    assert "wf_l_ae" not in hybrid_learners.SETS["without links"]
    assert "wf_ae" in hybrid_learners.SETS["without links"]
    gains, after, groups, tags = found.tables()
    assert len(gains.rows) == 15
    assert {row[0] for row in after.rows} == set(FEW)
    assert len(groups.rows) == len(sets)
    assert dict(zip(tags.columns, next(row for row in tags.rows if row[0] == "H1"), strict=True))["headline"] == 36
    assert len(found.charts()) == 2


def test_rules_of_one_page_are_tried_on_the_others(samples: list[Sample]) -> None:
    found = hybrid_rules.run(samples)
    by_gold = [one for one in found.tried if not one.by_tree]
    main = [one for one in by_gold if one.kind == "main"]
    assert len(main) == len(samples)
    assert all(one.single and one.named and one.right_there == one.other_pages == 2 for one in main)
    learned = {sample.site for sample in samples if sample.half == 0}
    assert {one.site for one in found.tried if one.by_tree} == {sample.site for sample in samples} - learned
    titles = [table.title for table in found.tables()]
    assert len(titles) == 5
    assert found.charts()[0].places[:2] == ("main", "headline")
    assert {one.field for one in found.fallbacks} == {"author", "date"}
    assert all(one.rule for one in found.fallbacks)


def test_a_rule_that_names_two_elements_is_not_used_but_its_parent_may_help(tmp_path: Path) -> None:
    """Figure 9: the block `article` is there twice; a heading without attributes is one of several."""
    text = "Words of the story that are many enough to be found again on the page, with more behind."

    def page(name: str, html: str) -> Sample:
        file = tmp_path / name
        file.write_text(html, encoding="utf-8")
        return Sample(name, "site", "en", "article", file, {"text": text, "title": "Storm over the harbour"})

    twice = page("twice", f"<div id=article>{text}</div><div id=article><a href=/>menu</a></div>")
    heads = "<div class=top><h3>Storm over the harbour</h3></div><div class=side><h3>Other news</h3></div>"
    parent = page("parent", f"{heads}<div id=article>{text}</div>")
    tried = {(one.page, one.kind): one for one in try_rules([twice, parent], None)}
    assert not tried["twice", "main"].single
    assert tried["parent", "main"].single
    assert tried["parent", "main"].single_there == 0
    assert tried["twice", "main"].right_there == 1
    assert tried["parent", "headline"].single
    found = LabelledPage.of(parent)
    rule = next(found.rule(element) for kind, element in found.blocks() if kind == "headline")
    assert rule.inside is not None
    assert rule.inside.classes == "top"


def test_keywords_find_author_and_day() -> None:
    page = Page("<h1>A storm</h1><p>By Ada Byron</p><p>Published</p><p>3 March 2026</p><p>Born on 4 May 1990</p>")
    assert hybrid_rules.authors(page) == ("Ada Byron",)
    assert hybrid_rules.day(page, "en") == date(2026, 3, 3)
    assert hybrid_rules.day(Page("<p>A day: 4 May 1990</p>"), "en") is None


def test_too_little_is_said_so(samples: list[Sample]) -> None:
    for name in ("hybrid-learners", "hybrid-features"):
        with pytest.raises(InputError, match="several sites"):
            study(name).run(samples[:1], InTurn())
    with pytest.raises(InputError, match="none of these pages"):
        hybrid_rules.run([replace(samples[0], gold={"text": "nothing of this"})])


def test_parts_that_are_for_measuring_are_not_learned_from(samples: list[Sample]) -> None:
    assert samples[0].may_teach
    assert not replace(samples[0], corpus="eadys-tr").may_teach


def test_the_trainer_writes_a_tree_that_reads_other_sites(samples: list[Sample], tmp_path: Path) -> None:
    out = tmp_path / "tree.json"
    forum = replace(samples[0], id="forum", page_type="forum")
    table = trainer("block-tree")(TrainingOrder([*samples, forum], out, folds=3, settings={"least": "2"}))
    assert table is not None
    assert table.rows[-1][1] == len(samples)
    assert float(table.rows[-1][3]) > 0.9
    html, gold = page_and_gold(40)
    page = Page(html)
    assert gold.text.split()[0] in BlockTree(str(out))(page).text(page)
    again = tmp_path / "again.json"
    assert trainer("block-tree")(TrainingOrder([*samples, forum], again, settings={"least": "2"})) is None
    assert again.read_bytes() == out.read_bytes()
    with pytest.raises(InputError, match="no setting"):
        trainer("block-tree")(TrainingOrder(samples, out, settings={"leaves": "2"}))


def test_times_of_the_steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Table 9 with a clock that counts how often it is asked: each step takes one tick, and all are in the table."""
    clock = iter(range(10_000))
    monkeypatch.setattr(learned_sites, "process_time", lambda: float(next(clock)))
    samples = []
    for number in range(8):
        file = tmp_path / f"{number}.html"
        file.write_text(village.page(number), "utf-8")
        samples.append(Sample(str(number), "post.example", "en", "article", file, {"text": "x"}))
    found = learned_sites.run_times(samples)
    assert found.tried == 3
    assert len(found.pages) == 3
    rows = found.tables()[0].rows
    assert [row[0] for row in rows][:2] == ["rules, text and fields alone", "rules"]
    assert {row[1] for row in rows} == {1000.0}
    assert {row[4] for row in rows} == {1.0}
    assert len(found.charts()[0].series[0].values) == len(rows)
    with pytest.raises(InputError, match="no page here is served by rules"):
        learned_sites.run_times(samples[:3])
