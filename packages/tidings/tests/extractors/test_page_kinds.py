"""How the probabilities of the page kinds decide which expert reads a page, and which kind is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tidings
from tidings.extractors.learned import stages
from tidings.extractors.learned.model import shipped
from tidings.extractors.learned.stages import PageKind
from tidings.page import Page

STORY = "<p>" + "The ferry came back to the old harbour on Monday, and the whole town stood on the pier. " * 4 + "</p>"
GERMAN = "<p>" + "Die Fähre kam am Montag in den alten Hafen zurück, und die ganze Stadt stand am Kai. " * 4 + "</p>"
PAGE = f"<html lang=en><title>Ferry</title><h1>The ferry is back</h1>{STORY * 5}"


def kind_for(html: str, kind: PageKind) -> tuple[str, str]:
    """Return the kind of the expert that reads the page, and the kind that is reported."""
    probabilities = stages.block_probabilities(Page(html), shipped(), kind)
    return probabilities.kind, probabilities.label or probabilities.kind


def test_a_likely_article_is_read_as_one() -> None:
    assert kind_for(PAGE, PageKind(0.6, "forum", 0.3)) == ("article", "article")


def test_a_sure_forum_is_read_by_its_expert() -> None:
    assert kind_for(PAGE, PageKind(0.1, "forum", 0.8)) == ("forum", "forum")


def test_a_page_in_another_language_that_resembles_a_forum_is_read_as_an_article() -> None:
    german = f"<html lang=de><title>Fähre</title><h1>Die Fähre ist zurück</h1>{GERMAN * 5}"
    assert kind_for(german, PageKind(0.1, "forum", 0.9)) == ("article", "article")
    assert kind_for(german, PageKind(0.01, "forum", 0.97)) == ("forum", "forum")


def test_a_list_that_the_article_expert_selects_better_is_reported_as_a_list() -> None:
    kind = PageKind(0.2, "listing", 0.15, 0.3)
    assert kind_for(PAGE, kind) == ("article", "listing")
    assert kind_for(PAGE, kind._replace(list_probability=0.1)) == ("article", "article")
    assert kind_for(PAGE, kind._replace(article=0.42)) == ("article", "article")


def test_a_page_that_a_feed_names_is_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "page_kind", lambda *_: PageKind(0.2, "listing", 0.15, 0.3))
    assert tidings.extract(PAGE).kind == "listing"
    assert tidings.extract(PAGE, title="The ferry is back").kind == "article"


def test_the_model_without_a_forum_expert_reads_forums_with_the_expert_for_all_pages() -> None:
    model = shipped()._replace(forum=None)
    probabilities = stages.block_probabilities(Page(PAGE), model, PageKind(0.1, "forum", 0.8))
    assert probabilities.kind == "forum"
    assert len(probabilities.probability) == len(probabilities.blocks.blocks)


def test_kinds_whose_arrays_do_not_fit_are_refused() -> None:
    kinds = shipped().kinds
    with pytest.raises(tidings.errors.BadModel, match="do not fit"):
        replace(kinds, border=kinds.border[1:])
    with pytest.raises(tidings.errors.BadModel, match="do not fit"):
        replace(kinds, leaf=kinds.leaf[:, 1:])
