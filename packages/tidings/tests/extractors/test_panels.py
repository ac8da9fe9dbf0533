"""Closed tabs and accordions of product pages belong to the text; hidden boxes that are something else do not."""

from __future__ import annotations

import pytest

from tidings.extractors.learned.panels import closed_panels
from tidings.page import Page, Spans

CARE = "Wash the harbour coat at thirty degrees, dry it in the shade, and wax the seams before each winter at sea. " * 2
INTRO = "A waxed coat for people who stand on piers in November, cut long and lined with wool from the island. " * 3


def panel_text(panel: str, intro: str = INTRO) -> str:
    """Return the panel text that is added when everything visible is selected."""
    page = Page(f"<body><main><h1>Harbour coat</h1><p>{intro}</p>{panel}</main></body>")
    panels = closed_panels(page, page.visible)
    return "" if panels is None else panels.text(page)


@pytest.mark.parametrize(
    "panel",
    [
        f'<h3>Care</h3><div class="accordion-content" style="display:none"><p>{CARE}</p></div>',
        f"<button role=tab aria-controls=c>Care</button><div role=tabpanel id=c hidden><p>{CARE}</p></div>",
        f'<div class="faq"><h3>Care</h3><div style="display:none">{CARE}</div></div>',
        f'<div class="swiper-slide" hidden><p>{CARE}</p></div>',
    ],
)
def test_closed_panels_are_added(panel: str) -> None:
    assert panel_text(panel).split() == CARE.split()


@pytest.mark.parametrize(
    "panel",
    [
        f'<div style="display:none"><p>{CARE}</p></div>',
        f'<div class="modal tab-content" style="display:none"><p>{CARE}</p></div>',
        f'<div class="cookie-consent" hidden><div class="accordion"><p>{CARE}</p></div></div>',
        f'<nav><div class="accordion" hidden><p>{CARE}</p></div></nav>',
        '<div class="accordion" hidden><p>Wash at thirty degrees.</p></div>',
        f'<div class="accordion" hidden><p><a href=/care>{CARE}</a></p></div>',
        f'<div class="accordion" hidden><p>{INTRO}</p></div>',
    ],
    ids=["no name", "dialog", "consent", "navigation", "short", "links", "copy of the visible text"],
)
def test_other_hidden_boxes_are_not_added(panel: str) -> None:
    assert panel_text(panel) == ""


def test_a_panel_beside_text_that_is_not_selected_is_not_added() -> None:
    page = Page(f'<p>{INTRO}</p><div><p>{INTRO}</p><div class="accordion" hidden>{CARE}</div></div>')
    first = Spans.of_blocks(page, [0])
    assert closed_panels(page, first) is None


@pytest.mark.parametrize("html", ["<p>words", "<div hidden class=tab>a</div>", f"<div hidden class=tab>{CARE}</div>"])
def test_pages_without_visible_text_or_panels(html: str) -> None:
    page = Page(html)
    assert closed_panels(page, page.visible) is None
