"""What of the structure of the written pages articles keep: unit by unit, with a floor for each kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import tidings
from tests.lab.structure import written, written_more
from tests.lab.structure.written import WrittenPage
from tidings import Page, Spans, fields
from tidings.article import Article, Block, Kind, article_from_json, assemble, render
from tidings.page import tags
from tidings_lab.metrics.units import edit_similarity, table_similarity

#: What share of the units has to be kept, by kind.
FLOORS = {
    "code": 0.98, "language": 0.95, "formula": 0.95, "display": 0.95, "note": 0.95, "table": 0.95, "heading": 0.97,
    "item": 0.97, "quote": 0.97, "callout": 0.97, "figure": 0.95, "link": 0.98, "embed": 0.95, "details": 0.97,
    "term": 0.97, "ruby": 1.0, "subscript": 1.0, "superscript": 1.0, "deleted": 1.0, "inserted": 1.0, "lines": 1.0,
    "inline code": 1.0, "gallery": 0.92,
}  # fmt: skip


@cache
def pages() -> tuple[WrittenPage, ...]:
    makers = (
        written.code_pages, written.formula_pages, written_more.note_pages, written_more.callout_pages,
        written_more.quote_pages, written_more.table_pages, written_more.figure_pages,
        written_more.gallery_pages, written_more.embed_pages,
        written_more.heading_pages, written_more.list_pages, written_more.line_pages,
    )  # fmt: skip
    return tuple(page for make in makers for page in make())


@cache
def read(html: str) -> Article:
    """Read the article of a page; its text is that of its article element, as selection is measured elsewhere."""
    page = Page(html, "https://example.org/story")
    chosen = Spans.of_elements(page, page.elements.tag == tags.NUMBERS["article"])
    return assemble(page, chosen, fields.read(page, chosen))


@cache
def read_by_default(html: str) -> Article:
    """The article that the default extractor finds, from end to end."""
    return tidings.extract(html, "https://example.org/story")


def inside(blocks: tuple[Block, ...], place: int) -> str:
    return " ".join(one.text for one in blocks[place + 1 : place + 1 + blocks[place].size])


def units(article: Article) -> dict[str, list[Any]]:  # noqa: C901, PLR0912  # one kind each
    """What an article has of each kind."""
    result: dict[str, list[Any]] = defaultdict(list)
    blocks = (*article.blocks, *article.notes)
    result["figure"] += [(image.src, image.caption) for image in article.images]  # with its credit, as the page has it
    for place, block in enumerate(blocks):
        inlines = block.inlines
        if block.kind is Kind.PREFORMATTED:
            result["code"].append((block.text, block.language))
        elif block.kind is Kind.FORMULA:
            result["display"].append(block.text)
        elif block.kind is Kind.NOTE:
            result["note"].append((block.label, block.text))
        elif block.kind is Kind.TABLE:
            result["table"].append([[" ".join(cell.text.split()) for cell in row] for row in block.rows])
        elif block.kind is Kind.HEADING:
            result["heading"].append(block.text)
        elif block.kind is Kind.CALLOUT:
            result["callout"].append(
                (block.label, " ".join(one.text for one in blocks[place + 1 : place + 1 + block.size]))
            )
        elif block.kind is Kind.DETAILS:
            result["details"].append(
                (block.text, " ".join(one.text for one in blocks[place + 1 : place + 1 + block.size]))
            )
        elif block.kind is Kind.CAPTION and block.image is not None:
            result["figure"].append((block.image.src, block.text))
        elif block.kind is Kind.GALLERY:
            shown = [one for one in blocks[place + 1 : place + 1 + block.size] if one.image is not None]
            said = tuple((one.image.src, one.text or one.image.caption) for one in shown if one.image is not None)
            result["gallery"].append((block.text, said))
        elif block.kind is Kind.EMBED and block.embed is not None:
            result["embed"].append((block.embed.provider, block.embed.url))
        if block.item is not None:
            result["item"].append(block.text)
            if block.item.term:
                result["term"].append((block.text, blocks[place + 1].text if place + 1 < len(blocks) else ""))
        if block.quote_depth and block.kind is Kind.QUOTE:
            near = [one.text for one in blocks[max(0, place - 1) : place + 2] if one.kind is Kind.ATTRIBUTION]
            result["quote"].append((block.text, near[0] if near else ""))
        result["lines"].append(block.text)
        for inline in inlines:
            for name in ("formula", "subscript", "superscript", "deleted", "inserted"):
                if getattr(inline, name):
                    result[name].append(inline.text)
            if inline.code:
                result["inline code"].append(inline.text)
            if inline.reading:
                result["ruby"].append((inline.text, inline.reading))
            if inline.href:
                result["link"].append((inline.text, inline.href))
    return result


def score(kind: str, gold: Any, units: list[Any]) -> float:
    """How well a unit was kept, 0 to 1."""
    if kind == "code":
        return float(any(gold[0] == text for text, _ in units))
    if kind in ("formula", "display"):
        return max((edit_similarity("".join(gold.split()), "".join(one.split())) for one in units), default=0.0)
    if kind == "table":
        return max((table_similarity(gold, one) for one in units), default=0.0)
    if kind == "quote":
        said, by = gold
        return float(any(said == text and by in name for text, name in units))
    return float(gold in units)


@cache
def scores(reader: Callable[[str], Article]) -> dict[str, list[tuple[str, float]]]:
    result: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for page in pages():
        have = units(reader(page.html))
        for kind, gold in page.units:
            result[kind].append((page.name, score(kind, gold, have[kind])))
            if kind == "code":
                result["language"].append(
                    (page.name, float(gold in have["code"] or gold[1] in [one[1] for one in have["code"]]))
                )
    return result


def test_there_are_many_pages_and_each_is_another() -> None:
    assert len(pages()) >= 240
    assert max(Counter(page.name for page in pages()).values()) == 1
    assert len({page.html for page in pages()}) > 230


@pytest.mark.parametrize("reader", [read, read_by_default], ids=["chosen by element", "end to end"])
@pytest.mark.parametrize("kind", FLOORS)
def test_units_are_kept(kind: str, reader: Callable[[str], Article]) -> None:
    found = scores(reader)[kind]
    lost = [f"{name} {value:.2f}" for name, value in found if value < 1]
    assert sum(value for _, value in found) / len(found) >= FLOORS[kind], lost


def test_a_table_that_only_lays_out_is_none() -> None:
    (page,) = (page for page in pages() if page.name == "table: layout")
    assert not units(read(page.html))["table"]


@pytest.mark.parametrize(
    "kind", ["code", "formula", "note", "callout", "quote", "table", "figure", "gallery", "embed", "heading", "list"]
)
def test_every_format_says_it_and_json_is_read_back(kind: str) -> None:
    for page in [one for one in pages() if one.name.startswith(kind)][::5]:
        article = read(page.html)
        assert article_from_json(render(article, "json")) == article
        for name in ("text", "markdown", "html", "xml", "tei"):
            assert "sandbanks" in render(article, name)
