"""The blocks that answer a question; Markdown read back by a parser; what strangers send."""

from __future__ import annotations

from functools import cache
from time import process_time

import pytest
from markdown_it import MarkdownIt

import tidings
from tests.lab.structure import written
from tests.lab.structure.test_structure import pages, read
from tidings import Page
from tidings.article import Article, Block, Kind, assemble, render
from tidings.article.about import tokens_of
from tidings.errors import BadArgument

FOOD = "Seals eat herring and cod, mostly at night, and digest them on the sandbanks."
BOATS = "The boats are painted blue and carry four wardens each."


@cache
def story() -> Article:
    inside = f"<h2>Boats of the office</h2><p>{BOATS}</p><h2>Food of seals</h2><p>{FOOD}</p>"
    return tidings.extract(written.page(inside))


def whole(html: str) -> Article:
    page = Page(html, "https://example.org/a")
    return assemble(page, page.visible)


def test_a_question_is_answered_by_the_blocks_about_it_below_their_headings() -> None:
    found = story().about("What do seals eat at night?", tokens=40)
    assert [block.text for block in found.blocks] == ["Food of seals", FOOD]
    assert found.title == story().title


def test_an_answer_is_never_longer_than_the_budget() -> None:
    for tokens in (1, 20, 60, 200, 5000):
        assert sum(map(tokens_of, story().about("boats", tokens=tokens).blocks)) <= tokens


def test_a_question_that_matches_nothing_says_so() -> None:
    result = story().about("Quarks", tokens=200)
    assert (result.blocks, result.doubt) == ((), "nothing in the article matches the question")
    too_small = story().about("What do seals eat at night?", tokens=2)
    assert (too_small.blocks, too_small.doubt) == ((), "no matching block fits into 2 tokens")


@pytest.mark.parametrize(("question", "tokens"), [("seals", 0), ("seals", -3), ("", 100), ("  ", 100)])
def test_an_empty_question_or_budget_is_an_error(question: str, tokens: int) -> None:
    with pytest.raises(BadArgument):
        story().about(question, tokens=tokens)


def test_one_call_to_a_format_with_the_headline_on_top() -> None:
    article = Article(title="Seals", blocks=(Block(Kind.PARAGRAPH, tuple(story().blocks[1].inlines)),))
    assert article.markdown().startswith("# Seals\n\n")
    assert not article.markdown(headline=False).startswith("# Seals")
    assert "<h1>Seals</h1>" in article.html()
    assert "<title>Seals</title>" in article.tei()
    assert '"title": "Seals"' in article.json()
    assert story().markdown().count("# Counting seals") == 1


def structure(article: Article) -> list[tuple[str, str]]:
    """What a parser of CommonMark makes of the Markdown of an article, as far as blocks go."""
    tokens = MarkdownIt("commonmark").enable("table").parse(render(article, "markdown"))
    return [(token.type, token.info.strip() or token.tag) for token in tokens]


@pytest.mark.parametrize("place", range(0, len(pages()), 2))
def test_markdown_is_read_back_with_the_same_structure(place: int) -> None:
    article = read(pages()[place].html)
    found = structure(article)
    blocks = article.blocks
    headings = [f"h{block.level}" for block in blocks if block.kind is Kind.HEADING]
    assert [tag for kind, tag in found if kind == "heading_open"] == headings
    code = [block for block in blocks if block.kind is Kind.PREFORMATTED]
    assert [info for kind, info in found if kind == "fence"] == [block.language or "code" for block in code]
    assert sum(kind == "table_open" for kind, _ in found) == sum(block.kind is Kind.TABLE for block in blocks)
    items = sum(block.item is not None for block in blocks)
    for at, block in enumerate(blocks):  # the captions of a gallery are a list
        if block.kind is Kind.GALLERY:
            items += sum(bool(one.text) for one in blocks[at + 1 : at + 1 + block.size])
    assert sum(kind == "list_item_open" for kind, _ in found) == items


def test_code_is_read_back_to_the_letter() -> None:
    for page in [one for one in pages() if one.name.startswith("code")][::7]:
        article = read(page.html)
        fences = [one for one in MarkdownIt("commonmark").parse(render(article, "markdown")) if one.type == "fence"]
        code = [block.text for block in article.blocks if block.kind is Kind.PREFORMATTED]
        assert [one.content.rstrip("\n") for one in fences] == code


def test_tables_a_thousand_deep_end() -> None:
    article = whole("<p>a</p>" + "<table><tr><td>" * 1000 + "<p>the seals</p>")
    assert "the seals" in article.text


def test_a_formula_of_a_megabyte_says_what_its_text_says() -> None:
    tex = "x" * 1_000_000
    article = whole(f"<p>Here: <math><semantics><mi>y</mi><annotation encoding='application/x-tex'>{tex}</annotation></semantics></math> end</p>")  # fmt: skip  # noqa: E501
    assert article.text.startswith("Here:")
    assert not any(inline.formula for block in article.blocks for inline in block.inlines)


@pytest.mark.parametrize(
    "html",
    [
        '<a href="#fn:r">2</a> e vl<li id=fn:r>><details>>Y',
        '<p>Words<sup><a href="#fn1">1</a></sup> of it.</p><ol><li id="fn1"><details><p>The paper.</p></details></ol>',
    ],
)
def test_a_note_that_begins_with_a_box_keeps_its_text(html: str) -> None:
    article = whole(html)
    assert ("Y" if "vl" in html else "The paper.") in article.text


def test_the_time_of_nested_details_grows_with_the_page_alone() -> None:
    def seconds(levels: int) -> float:
        page = "<details><summary>a</summary>" * levels + "<p>ab cd</p>" * 3000
        began = process_time()
        article = tidings.extract(page)
        assert article.text.count("ab cd") == 3000
        return process_time() - began

    seconds(4)
    assert seconds(500) < 6 * seconds(8) + 0.5


def test_notes_that_point_at_themselves_are_text() -> None:
    html = '<p>One <sup><a href="#n1" id="n1">1</a></sup> two.</p><ol><li id="n2">A <a href="#n2">2</a></li></ol>'
    article = whole(html)
    assert not any(block.kind is Kind.NOTE for block in article.blocks)
    assert "One" in article.text


def test_a_cell_over_a_million_rows_is_cut_to_those_there_are() -> None:
    article = whole("<table><tr><th rowspan=1000000 colspan=1000000>a<th>b<tr><td>c<td>d</table>")
    (table,) = article.blocks
    assert table.rows[0][0].rowspan == 2
    assert len(render(article, "markdown")) < 10_000


def test_code_that_is_never_closed_keeps_its_text() -> None:
    article = whole("<p>a</p><pre><code>x = 1\n  y = 2\n<p>and the rest of the page, which is in it")
    assert "y = 2" in article.text
    assert "rest of the page" in article.text


def test_a_thousand_notes_and_ten_thousand_lines_end() -> None:
    refs = "".join(f'<sup><a href="#fn{n}" id="r{n}">{n}</a></sup> word ' for n in range(1, 1001))
    notes = "".join(f'<li id="fn{n}">Note {n}. <a href="#r{n}">↩</a></li>' for n in range(1, 1001))
    lines = "".join(f'<div class="line">line {n}</div>' for n in range(10_000))
    article = whole(f'<p>{refs}</p><div class="code-block">{lines}</div><ol>{notes}</ol>')
    assert sum(block.kind is Kind.NOTE for block in article.blocks) == 1000
    (code,) = (block for block in article.blocks if block.kind is Kind.PREFORMATTED)
    assert code.text.count("\n") == 9999


def test_thousands_of_lines_with_numbers_end() -> None:
    lines = "".join(f'<span class="lineno">{n}</span><span class="line">line {n}</span>\n' for n in range(8000))
    (code,) = whole(f"<pre>{lines}</pre>").blocks
    assert code.text.split("\n")[-1] == "line 7999"
