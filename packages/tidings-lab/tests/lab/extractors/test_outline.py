"""Pages that look like articles and tell no story: topics, galleries, videos with a paragraph."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lab.made_samples import written_sample
from tidings.errors import InputError
from tidings.extractors.learned import Learned
from tidings.extractors.learned.model import Model, shipped
from tidings.extractors.learned.outline import (
    OUTLINE,
    OutlineSignals,
    StoryOdds,
    has_no_story,
    headline_words,
    read_story_odds,
)
from tidings.page import Page
from tidings_lab.learners.default import Training
from tidings_lab.training.outline import train_outline
from tidings_lab.training.trainers import TrainingOrder

LINK = "<div><h3><a href=/a/{n}>The harbour bridge number {n} reopens after two long years</a></h3>{teaser}</div>"
TEASER = "<p>Engineers had found cracks in the piers, and the ferry took over for the time being.</p>"
STORY = (
    "<p>After two years the harbour carries cars again, and the ferry has gone back to the islands, as the yard had "
    "said it would when the first of the new piers was built in the spring of the year.</p>"
)
LD = json.dumps({"@type": "Article", "headline": "Harbour"})
OF_ARTICLE = '<meta property="og:type" content="article">'


def page(teasers: int = 12, stories: int = 1, title: str = "Harbour", head: str = "") -> Page:
    others = "".join(LINK.format(n=n, teaser=TEASER) for n in range(teasers))
    body = f"<h1>{title}</h1>{STORY * stories}{others}"
    return Page(f"<html lang=en><head><title>{title}</title>{head}</head><body>{body}</body></html>")


def is_doubted(page: Page) -> bool:
    """Return the verdict if all paragraphs are chosen."""
    found = Learned().look(page).blocks
    chosen = (found.words >= 10) & (page.blocks.link_words[found.blocks] == 0)
    return has_no_story(page, found, chosen, page.visible)


def test_a_topic_with_teasers_is_no_story() -> None:
    assert is_doubted(page())


@pytest.mark.parametrize(
    "document",
    [
        page(title="Harbour bridge reopens after two years of work on its cracked old piers"),
        page(head=OF_ARTICLE),
        page(head='<meta name="publish-date" content="2026-03-14">'),
        page(head=f'<script type="application/ld+json">{LD}</script>'),
        page(teasers=0),
        page(teasers=4, stories=0),
        page(stories=12),
    ],
    ids=["headline", "declared", "dated", "json-ld", "nothing beside", "few others", "long"],
)
def test_what_speaks_for_a_story(document: Page) -> None:
    assert not is_doubted(document)


def test_the_signals_of_a_choice() -> None:
    told = page(teasers=3)
    found = Learned().look(told).blocks
    words, links = found.words, told.blocks.link_words[found.blocks]
    chosen = (words >= 10) & (links == 0)
    signals = OutlineSignals.of(told, found, chosen, "Harbour")
    assert signals.linked == 0
    assert signals.teasers == pytest.approx(3 / 4)
    assert signals.running == pytest.approx(np.log1p(words[(words >= 25)].sum()))
    assert signals.other_headlines == pytest.approx(np.log1p(links.sum()) - signals.running)
    assert signals.pieces == pytest.approx(np.log1p(4))
    assert signals.headline == 1


@pytest.mark.parametrize(
    ("headline", "count"),
    [("", 0), ("Harbour bridge", 2), ("word " * 40, 12), ("港の橋が二年ぶりに再開した", 6), ("항구 다리 재개통", 3)],
)
def test_words_of_a_headline(headline: str, count: int) -> None:
    assert headline_words(headline) == count


@given(st.text(max_size=60))
def test_words_of_any_headline_are_few(headline: str) -> None:
    assert 0 <= headline_words(headline) <= 12


def test_an_outline_without_blocks() -> None:
    told = Page("<br>")
    none = np.zeros(0, np.bool_)
    signals = OutlineSignals.of(told, Learned().look(told).blocks, none)
    assert (signals.linked, signals.teasers, signals.running) == (0, 0, 0)
    assert 0 < StoryOdds(-1e9, (0.0,) * len(OUTLINE)).against(signals) < 1e-9


def test_what_is_learned_tells_lists_from_articles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object) -> Model:
        return shipped()

    monkeypatch.setattr(Training, "run", run)
    story = "The ferry came back to the harbour, and the whole town stood on the quay with flags and bread."
    article = (
        f"<title>Ferry</title><article><h1>The ferry came back to the harbour</h1>{f'<p>{story}</p>' * 12}</article>"
    )
    samples = []
    for number in range(24):
        kind, html = ("article", article) if number % 2 else ("listing", page().source)
        samples.append(written_sample(tmp_path, html, story * 12, f"site{number}.example", page_type=kind))
    order = TrainingOrder(samples, tmp_path / "outline.json", 3)
    table = train_outline(order)
    assert table.rows[1] == (0.75, 12, 12, 0, 12)
    learned = read_story_odds(order.out.read_text("utf-8"))
    signals = [Learned().outlined(Page(one.html, one.url)) for one in samples]
    assert [one is not None and learned.against(one) > 0.5 for one in signals] == [True, False] * 12
    with pytest.raises(InputError, match="from articles and from lists"):
        train_outline(TrainingOrder(samples[::2], tmp_path / "lists.json", 3))
