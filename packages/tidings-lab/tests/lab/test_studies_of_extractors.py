"""The experiments on single extractors, on the bundled newspaper and on pages whose answers are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.lab.made_samples import written_sample
from tidings.errors import InputError
from tidings.extractors.published.dana import DANAg, LinkFilter
from tidings.extractors.published.largest_block import DIV, TABLE, BlockKind, owners
from tidings.extractors.published.lbnest import LBNEST, SentenceNeighbours
from tidings.extractors.published.n_ext import NEXT
from tidings.newspaper import path
from tidings.page import Hints, Page
from tidings.text import base_language
from tidings_lab.corpora import Sample, load
from tidings_lab.metrics.texts import units_for, word_set_score
from tidings_lab.studies import (
    dana_filters,
    dana_gap,
    dana_methods,
    dana_smoothing,
    inserted_sentences,
    n_ext_beta,
    n_ext_blocks,
    n_ext_feeds,
    n_ext_sentences,
    n_ext_variants,
)
from tidings_lab.studies.page_groups import scored


@pytest.fixture(scope="module")
def newspaper() -> list[Sample]:
    return load(path())


# -- N-EXT ---------------------------------------------------------------------------------------------------

STORY = " ".join(f"Grey seals return word{number}a word{number}b." for number in range(20))  # 100 words
PAGE = (
    "<html lang=en><head><title>Grey seals return</title></head><body><h1>Grey seals return</h1>"
    "<div>Grey seals return</div><div>{story}</div><div>{menu}</div></body></html>"
)


def test_the_ends_of_the_sweep_are_likeness_alone_and_size_alone(tmp_path: Path) -> None:
    """Eq. 4.1: at beta 0 the block that repeats the title wins, at 1 the longest one, and between them the story."""
    html = PAGE.format(story=STORY, menu="weather sport markets letters " * 30)  # 120 words
    found = n_ext_beta.run_beta(
        [written_sample(tmp_path, html, STORY, name=str(number), site=str(number)) for number in range(3)]
    )
    leaves = found.curves[0]
    assert leaves.blocks is BlockKind.LEAVES
    assert leaves.accuracy[0] == 0.0
    assert leaves.accuracy[-1] == 0.0
    assert leaves.accuracy[6] == 1.0
    assert leaves.chosen(leaves.right)[1] == 1.0
    page = Page(html)
    owner = owners(page, frozenset({DIV, TABLE}))
    divs = np.unique(owner)[-3:].tolist()
    picked = [n_ext_blocks.news_block(page, owner, NEXT(beta=beta), {}) for beta in (0.0, 1.0)]
    assert picked == [divs[0], divs[2]]
    assert n_ext_blocks.gold_block(page, owner, STORY, "en", BlockKind.LEAVES) == divs[1]


def test_feeds_ask_for_the_pages_that_they_name(newspaper: list[Sample]) -> None:
    """Of the bundled newspaper each story with its feed's own words; a page that no feed names is not asked for."""
    asked = {one.sample.id: one for one in n_ext_feeds.feed_pages(newspaper)}
    assert {base_language(one.sample.lang) for one in asked.values()} >= {"tr", "en", "fa", "de"}
    assert all(one.title and one.sample.page_type != "front" for one in asked.values())
    some = [one.sample for one in asked.values() if one.sample.lang in ("tr", "en")][:6]
    found = n_ext_feeds.run_feeds(some)
    assert found.pages == len(some)
    assert found.languages()[0] == n_ext_feeds.ALL
    row = found.tables()[0].rows[0]
    assert row[:3] == ("all", "feed's title", "blocks by own text")
    curve = found.curve("all", "feed's title", BlockKind.OWN_TEXT, "right")
    assert row[4] == max(curve)
    assert row[5] == curve[6]
    by_hand = NEXT()(Page(some[0].html, hints=Hints(title=asked[some[0].id].title)))
    assert found.trials[0].text.scores[6] == pytest.approx(
        word_set_score(by_hand.text(Page(some[0].html)), str(some[0].gold["text"]), units_for("", some[0].lang)).f1
    )
    with pytest.raises(InputError, match="no feed names"):
        n_ext_feeds.run_feeds([])


def test_the_sweep_scores_what_the_extractor_itself_returns(newspaper: list[Sample]) -> None:
    settings = tuple(NEXT(beta=beta, blocks=blocks) for blocks in BlockKind for beta in n_ext_beta.BETAS[::2])
    for sample in newspaper[:3]:
        page = Page(sample.html)
        found = n_ext_blocks.detect(sample, page, settings)
        expected = [word_set_score(one(page).text(page), sample.gold["text"]).f1 for one in settings]
        assert [one.text for one in found] == pytest.approx(expected)


def test_a_page_without_text_has_no_news_block(tmp_path: Path) -> None:
    sample = written_sample(tmp_path, "<html><body><div></div></body></html>", "gold there is")
    assert n_ext_blocks.detect(sample, Page(sample.html), (NEXT(),)) == [n_ext_blocks.Detection(True, 0.0)]


def test_variants_are_compared_fold_by_fold(newspaper: list[Sample]) -> None:
    pages = newspaper[:12:4]
    found = n_ext_variants.run_variants(pages)
    assert len(n_ext_variants.VARIANTS) == 2 * 2 * 2 * 4
    variant = NEXT()
    by_folds = found.folds(variant, "text")
    assert len(by_folds) == len({one.site for one in pages}) > 1
    page = Page(pages[0].html)
    expected = word_set_score(variant(page).text(page), pages[0].gold["text"]).f1
    assert found.values(variant, "text")[0] == pytest.approx(expected)
    titles = [table.title for table in found.tables()]
    assert sum("Scheffé" in title for title in titles) == 4
    assert len(found.charts()) == 2


def test_ablation_compares_filters_on_the_same_pages(tmp_path: Path) -> None:
    """Stage 5 drops the advertisement and a sentence unlike the rest; without it the block is whole."""
    story = "The harbour bridge is open again. The harbour bridge was closed in spring. Ferries sailed instead."
    html = f"<html lang=en><h1>Harbour bridge open</h1><div><p>{story}</p></div><div>Weather: rain.</div></html>"
    samples = [written_sample(tmp_path, html, story, name=str(number), site=str(number)) for number in range(3)]
    table = n_ext_sentences.run_sentences(samples).tables()[0]
    recall = {row[2]: float(row[table.columns.index("recall")]) for row in table.rows}
    assert recall["without stage 5"] == recall["without stages 5 and 6"] == 1.0
    assert recall["all stages"] < 0.9


# -- DANA ----------------------------------------------------------------------------------------------------


def test_gaps_are_scored_as_the_extractor_would_be(newspaper: list[Sample]) -> None:
    arabic = [one for one in newspaper if one.lang in {"fa", "he"}][:3]
    found = dana_gap.run_gap(arabic)
    assert {trial.method for trial in found.trials} == {"r2l", "dana", "danag", "addanag"}
    trial = next(one for one in found.trials if one.method == "danag")
    page = Page(arabic[0].html)
    expected = scored(arabic[0], page, DANAg(gap=3)(page), "lcs").f1
    assert trial.row.scores[dana_gap.GAPS.index(3)] == pytest.approx(expected)


def test_methods_by_script_read_right_to_left_languages_only() -> None:
    assert set(dana_methods.methods_for("fa-IR")) == {"r2l", "dana", "danag", "addanag"}
    assert set(dana_methods.methods_for("tr")) == {"danag", "addanag"}


def test_filter_1_loses_the_link_text_of_the_story(tmp_path: Path) -> None:
    """DANA thesis 4.6.1.1: the anchor texts of the story are gone, and with them recall."""
    words = " ".join(f"word{number}" for number in range(120))
    html = f"<html lang=en><body><p>{words} <a href='x'>linked words here</a> {words}</p></body></html>"
    samples = [
        written_sample(tmp_path, html, f"{words} linked words here {words}", name=str(number)) for number in range(3)
    ]
    found = dana_filters.run_filters(samples)
    (name,) = found.groups()
    recall = dict(zip(LinkFilter, found.means(name, "recall"), strict=True))
    assert recall[LinkFilter.FILTER_1] < recall[LinkFilter.FILTER_3] == 1.0
    assert found.wins()[LinkFilter.FILTER_1] == 0


def test_smoothing_has_a_row_for_each_method(newspaper: list[Sample]) -> None:
    found = dana_smoothing.run_smoothing([one for one in newspaper if one.lang == "fa"])
    (table,) = found.tables()
    assert [row[2] for row in table.rows] == ["r2l", "dana", "danag", "addanag"]
    for row in table.rows:
        smoothed, plain, difference = (float(row[place]) for place in (3, 4, 5))
        assert difference == pytest.approx(plain - smoothed)


# -- LBNEST --------------------------------------------------------------------------------------------------


def test_foreign_sentences_come_from_other_sites_and_own_ones_stay(newspaper: list[Sample]) -> None:
    stories = inserted_sentences.insert(newspaper)
    assert stories == inserted_sentences.insert(newspaper)
    own_text = {sample.id: sample for sample in newspaper}
    for story in stories:
        text = own_text[story.id].gold["text"]
        pairs = list(zip(story.sentences, story.foreign, strict=True))
        assert all(sentence in text for sentence, foreign in pairs if not foreign)
        assert any(foreign for _, foreign in pairs)
        count = sum(story.foreign)
        assert count == max(1, (len(pairs) - count) // inserted_sentences.OWN_FOR_EACH_FOREIGN)


def test_the_counts_are_those_of_the_extractor_itself(newspaper: list[Sample]) -> None:
    for story in inserted_sentences.insert(newspaper)[:6]:
        page = story.page
        assert len(page.blocks) == len(story.sentences)
        for neighbours in SentenceNeighbours:
            spans = LBNEST(neighbours=neighbours)(page)
            kept = spans.covers(page.blocks.text_start)
            foreign = np.array(story.foreign)
            counts = inserted_sentences.read(story).counts[True, neighbours][10]
            assert inserted_sentences.THRESHOLDS[10] == 0.2
            assert counts.own_accepted == pytest.approx(kept[~foreign].mean())
            assert counts.foreign_rejected == pytest.approx((~kept[foreign]).mean())


def test_a_threshold_of_nothing_accepts_everything(newspaper: list[Sample]) -> None:
    found = inserted_sentences.run(newspaper)
    for filtered in (False, True):
        assert found.mean(filtered, SentenceNeighbours.NONE, "own_accepted")[0] == 1.0
        assert found.mean(filtered, SentenceNeighbours.NONE, "foreign_rejected")[0] == 0.0
        rejected = found.mean(filtered, SentenceNeighbours.NONE, "foreign_rejected")
        assert list(rejected) == sorted(rejected)
