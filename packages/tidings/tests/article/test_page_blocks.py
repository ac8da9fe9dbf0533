"""The blocks of chosen text: of hand-written documents as recorded, of made-up pages by what is true of all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page import soup
from tests.page.soup import PIECES
from tidings import Article, Page, Spans
from tidings.article import assemble
from tidings.article.blocks.page_blocks import MadeBlocks, page_blocks
from tidings.article.model.blocks import Block, Inline, Kind
from tidings.article.model.inlines import Style
from tidings.article.model.plain_text import plain
from tidings.article.units.places import story_places
from tidings.article.units.units import FoundUnits, Special
from tidings.text import without_breaks

BASE: Final = "https://example.org/a/b"
#: Documents and their blocks, in the notation of `outline`.
DOCUMENTS: Final[dict[str, dict[str, Any]]] = json.loads(
    Path(__file__).with_name("blocks.json").read_text(encoding="utf-8")
)
STRUCTURE: Final = (
    "<ol start=4><li>", "<ul><li>", "<dl><dt>a<dd>b", "<dd>", "<li value=9>", "<blockquote>", "</blockquote>", "</ul>",
    "<figure><img src=a.png><figcaption>b", "<h2>", "</h2>", "<h3>a<p>b<p>c<p>d<p>e", "<pre> a\n  b </pre>", "<br>",
    "<table><tr><th>a<th>b<tr><td>c<td>d", "</table>", "<td>", "<textarea> a  b\n</textarea>", " ", "word",
    "two words ", "<a href=/x>", "<a href='javascript:x'>", "<a name=y>", "</a>", "<b>", "<i>", "</b>", "</i>", "<sup>",
    "<code>", "<caption>", "<span hidden>no</span>", "&nbsp;", "<p>", "שלום", "😀", "<a class=z href='/x'>", "<sub>",
    '<a id="i" href="/x">',
)  # fmt: skip
#: In tables of data some cells go, and bars come.
_UNTABLED: Final = [piece for piece in STRUCTURE if "<t" not in piece]
_STYLE: Final = Style._fields


def _inline(inline: Inline) -> str:
    values = ((name, getattr(inline, name)) for name in _STYLE)
    told = (f" {name}" if value is True else f" {name}={value}" for name, value in values if value)
    return repr(inline.text) + "".join(told)


def outline(article: Article) -> list[str]:
    """Return the blocks of an article, a line each, and the rows of its tables."""
    lines = []
    for block in article.blocks:
        names = ("level", "depth", "quote_depth", "label", "size")
        head = block.kind + "".join(f" {name}={getattr(block, name)}" for name in names if getattr(block, name))
        if block.item:
            head += " item" + (f"={block.item.number}" if block.item.ordered else "-term" if block.item.term else "")
        lines.append(f"{head}: " + "; ".join(map(_inline, block.inlines)))
        for row in block.rows:
            cells = []
            for cell in row:
                size = "" if (cell.colspan, cell.rowspan) == (1, 1) else f"{cell.colspan}x{cell.rowspan} "
                cells.append(("th " if cell.header else "") + size + "; ".join(map(_inline, cell.inlines)))
            lines.append("  row: " + " | ".join(cells))
    return lines


@pytest.mark.parametrize("name", DOCUMENTS)
def test_blocks_of_documents_are_as_recorded(name: str) -> None:
    page = Page(DOCUMENTS[name]["html"], BASE)
    assert outline(assemble(page, page.visible)) == DOCUMENTS[name]["blocks"]


def build_blocks(page: Page, shown: Spans, units: FoundUnits | None = None, roots: tuple[int, ...] = ()) -> MadeBlocks:
    return page_blocks(page, BASE, shown, roots, units, story_places(page, shown))


def words(blocks: list[Block]) -> list[str]:
    return [word for block in blocks for word in block.words]


def assert_sound(page: Page, shown: Spans) -> None:
    """Assert that blocks hold the chosen words in order, white space folded, and have the text that Python writes."""
    found = build_blocks(page, shown)
    said = "\n".join(page.text[start:end] for start, end in shown)
    assert "".join(words(found.blocks)) == "".join(said.split())
    assert list(found.runs) == sorted(found.runs)
    assert found.text == without_breaks(plain(found.blocks))
    for block in found.blocks:
        if block.kind is not Kind.PREFORMATTED:
            assert block.kind is Kind.TABLE or block.text == block.text.strip()
            assert "  " not in block.text
        assert all(inline.text for inline in block.inlines)


@given(
    soup.soup(st.sampled_from(_UNTABLED), size=30),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5),
)
def test_blocks_hold_the_chosen_words(html: str, ranges: list[tuple[int, int]]) -> None:
    page = Page("<p>a" + html, BASE)
    assert_sound(page, page.visible)
    assert_sound(page, Spans.of(ranges, len(page.text)) & page.visible)


@given(
    soup.soup(*PIECES, st.sampled_from(STRUCTURE), size=40),
    st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), max_size=4),
    st.lists(st.integers(1, 12), max_size=2),
)
def test_the_text_of_made_up_pages_is_that_of_their_blocks(
    html: str, ranges: list[tuple[int, int]], roots: list[int]
) -> None:
    page = Page("<p>a" + html, BASE)
    inside = tuple(root for root in roots if root < len(page.elements))
    for shown in (page.visible, Spans.of(ranges, len(page.text)) & page.visible):
        found = build_blocks(page, shown, roots=inside)
        assert found.text == without_breaks(plain(found.blocks))


@given(
    soup.soup(st.sampled_from(_UNTABLED), size=30),
    st.dictionaries(st.integers(0, 12), st.sampled_from((None, "x", " y\n", " ")), min_size=1, max_size=4),
)
def test_runs_say_what_stands_for_them(html: str, specials: dict[int, str | None]) -> None:
    page = Page("<p>a" + html, BASE)
    chosen = page.visible.runs(page)
    units = FoundUnits(page, BASE, page.visible, story_places(page, page.visible), chosen)
    units.specials |= {run: Special(text, Style(formula=True)) for run, text in specials.items() if run < len(chosen)}
    found = build_blocks(page, page.visible, units)
    runs = zip(page.runs.text_start.tolist(), page.runs.text_end.tolist(), strict=True)
    texts = [page.text[start:end] for start, end in runs]
    texts = [text if specials.get(run) is None else str(specials[run]) for run, text in enumerate(texts)]
    said = "".join(text for text, is_chosen in zip(texts, chosen.tolist(), strict=True) if is_chosen)
    assert "".join(words(found.blocks)) == "".join(said.split())
    assert found.text == without_breaks(plain(found.blocks))
