"""Stories in the data that pages bring for their scripts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tidings import extract
from tidings.page import Page
from tidings.page.application_state import story_in_state

TEXTS = [f"The ferry of the north shore came back on day {day}, and the people of the bay cheered." for day in range(9)]
HTML = "".join(f"<p>{text}</p>" for text in TEXTS)

DECLARED = json.dumps({"@type": "Article", "articleBody": "\n".join(TEXTS)})


def page(script: str, title: str = "The ferry came back") -> Page:
    return Page(f"<html><head><title>{title}</title></head><body><div id=root></div>{script}</body></html>")


def next_data(data: Any) -> str:
    return f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(data)}</script>'


def arc(data: Any) -> str:
    return f"<script>Fusion.arcSite='x';Fusion.globalContent={json.dumps(data)};Fusion.lastModified=1;</script>"


@pytest.mark.parametrize(
    "script",
    [
        next_data({"props": {"pageProps": {"story": {"headline": "x", "body": HTML}}}}),
        arc({"content_elements": [{"type": "text", "content": text} for text in TEXTS]}),
        f'<script>window["__STATE__"] = {json.dumps({"a": [{"text": text} for text in TEXTS]})}</script>',
        f"<script>window.__PRELOADED_STATE__={json.dumps({'story': TEXTS})};</script>",
        f"<script type='application/ld+json'>{DECLARED}</script>",
    ],
    ids=["next", "arc", "brackets", "strings", "declared"],
)
def test_a_page_that_shows_nothing_is_read_from_its_data(script: str) -> None:
    found = extract(page(script))
    assert [block.text for block in found.blocks] == TEXTS
    assert found.title == "The ferry came back"
    assert found.provenance["body"] in ("data of a script", "json-ld articleBody")
    assert found.confidence == 0.5


@pytest.mark.parametrize(
    "script",
    [
        "",
        next_data({"story": " ".join(TEXTS[:2])}),
        "<script>Fusion.globalContent={broken</script>",
        f"<script>var x = {json.dumps(TEXTS)}</script>",
        "<script>window.a=" + "[" * 5000 + "</script>",
    ],
    ids=["none", "short", "broken", "not of the page", "deep"],
)
def test_no_story_in_the_data(script: str) -> None:
    assert story_in_state(page(script)) is None
    assert not extract(page(script)).blocks


def test_data_of_another_story_is_not_the_story_of_the_page() -> None:
    assert story_in_state(page(next_data({"story": HTML}), "Lighthouse keeper wins literary prize")) is None


def test_a_page_that_shows_its_story_is_read_from_what_it_shows() -> None:
    shown = "".join(f"<p>{text.replace('ferry', 'lighthouse')}</p>" for text in TEXTS)
    found = extract(
        Page(f"<title>The lighthouse came back</title><h1>The lighthouse came back</h1>{shown}" + arc(HTML))
    )
    assert "ferry" not in found.text
    assert "lighthouse" in found.text
