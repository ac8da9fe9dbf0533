"""NewsIR (Parapar and Barreiro): rows of paragraphs, by hand."""

from __future__ import annotations

from tidings.extractors.published.newsir import NewsIR
from tidings.page import Page

TEN = "Wardens counted forty pups on the sandbanks near here today."  # ten words
STORY = f"<p>{TEN}</p>" * 3


def text(source: str, method: NewsIR | None = None) -> str:
    page = Page(source)
    return (method or NewsIR())(page).text(page)


def test_the_longest_row_is_the_story() -> None:
    """Two rows, of three paragraphs and of two, three blocks apart."""
    others = "<p>More</p><p>More</p><p>More</p>"
    found = text(f"<body>{STORY}{others}<p>{TEN} Twice.</p><p>{TEN} Twice.</p></body>")
    assert found.splitlines() == [TEN] * 3
    page = Page(f"<body>{STORY}{others}<p>{TEN} Twice.</p><p>{TEN} Twice.</p></body>")
    assert NewsIR().score(page).tolist() == [30, 30, 30, 0, 0, 0, 22, 22]


def test_what_may_stand_between_two_paragraphs() -> None:
    """A heading is kept, a caption is not; with no room between, the row ends there."""
    page = f"<body>{STORY}<h3>Further off</h3><p>A seal</p>{STORY}</body>"
    assert text(page).splitlines() == [*[TEN] * 3, "Further off", *[TEN] * 3]
    assert text(page, NewsIR(between=1)).splitlines() == [TEN] * 3


def test_what_is_no_paragraph() -> None:
    """Nine words; many links; a field of a form inside. Styles and a link are allowed."""
    assert text(f"<body>{STORY}<p>{' '.join(TEN.split()[:9])}</p></body>").splitlines() == [TEN] * 3
    assert text(f"<body>{STORY}<p><a href=/x>{TEN}</a></p></body>").splitlines() == [TEN] * 3
    assert text(f"<body>{STORY}<p>{TEN} <input> {TEN}</p></body>").splitlines() == [TEN] * 3
    styled = f"<p>{TEN} <em>Again</em> <a href=/x>here</a>.</p>"
    assert text(f"<body>{STORY}{styled}</body>").splitlines()[-1] == f"{TEN} Again here."


def test_a_page_without_news() -> None:
    assert text(f"<body><p>{TEN}</p></body>") == ""
    assert text("<body><p>Home</p></body>") == ""
    assert text(f"<body><p>{(TEN + chr(32)) * 4}</p></body>")  # one paragraph, of forty words
