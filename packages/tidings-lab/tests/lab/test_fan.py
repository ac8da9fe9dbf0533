"""Fan's structural rules (DANA thesis 5.1), with type sizes from the tags."""

from __future__ import annotations

import pytest

from tidings.page import Page, Spans
from tidings_lab.studies.headlines import fan

STORY = "<p>After two years the harbour carries cars again.</p><p>Engineers had found cracks.</p>" * 10


def headline_of(body: str) -> str:
    page = Page(f"<body>{body}</body>")
    start = page.text.index("After two years")
    result = fan(page, Spans.of([(start, page.text.rindex("cracks.") + 7)], len(page.text)))
    return result.text if result else ""


@pytest.mark.parametrize(
    "line",
    [
        "<h1>Bridge reopens</h1>",
        "<h2>Bridge reopens</h2>",
        "<font size=5>Bridge reopens</font><br><br>",
        '<div style="font-size: 24px">Bridge reopens</div>',
        "<div><b>Bridge reopens</b></div>",
    ],
)
def test_the_largest_line_above_the_text(line: str) -> None:
    assert headline_of(f"<div>News</div>{line}{STORY}") == "Bridge reopens"


def test_smaller_type_is_no_candidate() -> None:
    """Thesis 5.1: the type of a candidate is not smaller than that of the main text."""
    assert headline_of(f"<small>Bridge reopens</small><br><br>{STORY}") != "Bridge reopens"


def test_below_the_first_quarter_is_no_candidate() -> None:
    """Thesis 5.1: a candidate stands no lower than the first quarter of the main text."""
    assert headline_of(f"<h3>Bridge reopens</h3>{STORY}<h1>Most read</h1>{STORY}") == "Bridge reopens"


def test_the_nearer_of_two_equals() -> None:
    assert headline_of(f"<h1>Gazette</h1><p>Menu</p><p>Sport</p><h1>Bridge reopens</h1>{STORY}") == "Bridge reopens"


def test_links_are_no_candidates() -> None:
    assert headline_of(f"<h1><a href=/>Harbour Gazette</a></h1><h2>Bridge reopens</h2>{STORY}") == "Bridge reopens"


def test_no_content_no_headline() -> None:
    page = Page("<h1>Bridge</h1>")
    assert fan(page, Spans.none(len(page.text))) is None
