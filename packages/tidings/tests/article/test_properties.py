"""What is true of every article and of every page, tried on random ones."""

from __future__ import annotations

import csv
import io
import json
import pickle
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise, product
from typing import Any, NamedTuple

import nh3
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt
from markdown_it.token import Token
from selectolax.lexbor import LexborHTMLParser

from tidings.article import (
    FORMATS,
    Article,
    Block,
    Cell,
    Comment,
    Image,
    Inline,
    Item,
    Kind,
    Options,
    article_from_json,
    assemble,
    render,
)
from tidings.article.formats.as_html import ATTRIBUTES, TAGS
from tidings.article.model.plain_text import plain
from tidings.page import Page, Spans

#: No deadline: the machine may be busy. The random pages and articles are what takes the time.
TRY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
Draw = Callable[[st.SearchStrategy[Any]], Any]

# -- articles -----------------------------------------------------------------------------------------------

#: Letters of several scripts and directions, joiners and marks of direction, and what some markup gives a meaning to.
SIGNS = "aZ9éשمخ本\u200c\u200d\u200f\u202b“”—.,:;!?*_`~#<>&|\\/[](){}+-='\"$^@😀"
ODD_WORDS = (
    "<script>alert(1)</script> &amp; &#60; - + 1. 2) # --- === | :-- ``` ~~~ ]]> <!-- --> ![x](y) [a]: ** __ =1+1 "
    "https://example.org/ می\u200cخواهم"
).split()
TEXTS = st.lists(st.one_of(st.text(SIGNS, min_size=1, max_size=6), st.sampled_from(ODD_WORDS)), min_size=1, max_size=4)
SENTENCES = TEXTS.map(" ".join)
HREFS = st.sampled_from((*[None] * 3, "https://example.org/a?b=1&c=2", "http://example.org/(a)_b*c", "mailto:a@b.org"))
IMAGES = st.builds(
    Image,
    st.sampled_from(("https://example.org/a.png", "http://example.org/b(1).jpg")),
    SENTENCES,
    SENTENCES,
    st.one_of(st.none(), st.integers(0, 5)),
)


@st.composite
def inline_tuples(draw: Draw) -> tuple[Inline, ...]:
    """Inlines as `assemble` makes them: single spaces, none at the ends, no two neighbours of one style."""
    found: list[Inline] = []
    for place in range(draw(st.integers(1, 5))):
        gap = draw(st.sampled_from(["", " ", " ", " ", "\n"]))
        style = (draw(HREFS), *(draw(st.integers(0, 3)) == 0 for _ in range(5)))
        text = draw(SENTENCES)
        if place and gap:
            found.append(Inline(gap))
        if found and found[-1] == Inline(found[-1].text, *style):
            text = found.pop().text + text
        found.append(Inline(text, *style))
    return tuple(found)


@st.composite
def blocks(draw: Draw) -> Block:
    kind = draw(st.sampled_from(list(Kind)))
    depth, quote_depth = draw(st.integers(0, 3)), draw(st.integers(0, 2))
    inlines: tuple[Inline, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    item = None
    if kind is Kind.LIST_ITEM:
        ordered = draw(st.booleans())
        depth, item = max(depth, 1), Item(ordered, draw(st.integers(-3, 12)) if ordered else None)
    if kind is Kind.TABLE:
        spans = st.integers(1, 3)
        cells = st.builds(Cell, st.one_of(st.just(()), inline_tuples()), st.booleans(), spans, spans)
        first = st.builds(Cell, inline_tuples(), st.booleans())
        row = st.builds(lambda one, more: (one, *more), first, st.lists(cells, max_size=3))
        rows = tuple(draw(st.lists(row, min_size=1, max_size=3)))
    else:
        inlines = draw(inline_tuples())
    level = draw(st.integers(1, 6)) if kind is Kind.HEADING else None
    image = draw(st.one_of(st.none(), IMAGES)) if kind is Kind.CAPTION else None
    quote_depth = max(quote_depth, 1) if kind is Kind.QUOTE else quote_depth
    return Block(kind, inlines, level, depth, item, quote_depth, rows, image)


ZONES = st.sampled_from([None, UTC, timezone(timedelta(hours=3, minutes=30)), timezone(timedelta(hours=-7))])
MOMENTS = st.one_of(st.none(), st.dates(), st.builds(datetime.replace, st.datetimes(), tzinfo=ZONES))
BLOCKS = st.lists(blocks(), max_size=5).map(tuple)
ARTICLES = st.builds(
    Article,
    url=st.sampled_from(("", "https://example.org/story")),
    title=SENTENCES,
    authors=st.lists(SENTENCES, max_size=2).map(tuple),
    published=MOMENTS,
    modified=MOMENTS,
    language=st.sampled_from(("", "en", "fa", "zh-Hant")),
    direction=st.sampled_from(("ltr", "rtl")),
    summary=SENTENCES,
    tags=st.lists(SENTENCES, max_size=2).map(tuple),
    image=st.one_of(st.none(), IMAGES),
    images=st.lists(IMAGES, max_size=2).map(tuple),
    blocks=BLOCKS,
    comments=st.lists(st.builds(Comment, BLOCKS, SENTENCES, MOMENTS), max_size=1).map(tuple),
    confidence=st.one_of(st.none(), st.floats(0, 1)),
    provenance=st.dictionaries(st.sampled_from(("title", "blocks")), SENTENCES, max_size=2),
)
#: Only switches that leave the words alone.
SWITCHES = [
    Options(links, images, True, False, formatting) for links, images, formatting in product((True, False), repeat=3)
]
OPTIONS = st.sampled_from(SWITCHES)


@TRY
@given(ARTICLES)
def test_json_can_be_read_back(article: Article) -> None:
    assert article_from_json(render(article, "json")) == article
    assert article_from_json(render(article, "jsonl")) == article
    assert pickle.loads(pickle.dumps(article)) == article  # noqa: S301  # our own
    assert hash(article_from_json(render(article, "json"))) == hash(article)


@TRY
@given(
    st.builds(
        Article, title=st.text(), blocks=st.builds(lambda text: (Block(Kind.PARAGRAPH, (Inline(text),)),), st.text())
    )
)
def test_any_text_survives_json(article: Article) -> None:
    assert article_from_json(render(article, "jsonl")) == article
    assert len(render(article, "jsonl").splitlines()) == 1


@TRY
@given(ARTICLES, OPTIONS)
def test_text_never_depends_on_links_pictures_and_formatting(article: Article, options: Options) -> None:
    assert render(article, "text", options) == article.text
    (row,) = csv.reader(io.StringIO(render(article, "csv", options)))
    assert row[-1].removeprefix("'") in (article.text, article.text.removeprefix("'"))
    assert json.loads(render(article, "jsonld", options)).get("articleBody", "") == article.text


@TRY
@given(ARTICLES, OPTIONS)
def test_html_says_the_same_words(article: Article, options: Options) -> None:
    tree = LexborHTMLParser(render(article, "html", options))
    (root,) = tree.css("article")
    assert root.attributes.get("dir") == article.direction
    assert not tree.css("script, style, iframe, [onclick]")
    for line_break in tree.css("br"):
        line_break.replace_with(" ")
    for formula in tree.css("math"):  # signs, which read as the LaTeX that they were made of
        formula.replace_with(formula.attributes["alttext"] or "")
    assert root.text().split() == list(article.words)


@TRY
@given(ARTICLES, OPTIONS, st.text(SIGNS + "\xa0\r\t\n\f\0", max_size=8))
def test_a_sanitiser_finds_nothing_to_do_in_html(article: Article, options: Options, odd: str) -> None:
    one = replace(article, language=odd, blocks=(*article.blocks, Block(Kind.PARAGRAPH, (Inline(odd or "x", odd),))))
    written = render(one, "html", options)
    assert sanitised(written) == written


def sanitised(html: str) -> str:
    """As a parser reads and writes it again, with what clean HTML may have and nothing else."""
    return nh3.clean(
        html,
        tags=set(TAGS),
        attributes={name: set(allowed) for name, allowed in ATTRIBUTES.items()},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )


@TRY
@given(ARTICLES, OPTIONS)
def test_xml_and_tei_are_well_formed_and_say_the_same_words(article: Article, options: Options) -> None:
    for name, body in (("xml", "body"), ("tei", ".//{*}body")):
        written = render(article, name, options)
        assert etree.fromstring(written.encode()) is not None
        found = ET.fromstring(written).find(body)  # we wrote it
        assert found is not None
        assert "".join(_text(found)).split() == list(article.words), name


def _text(element: ET.Element) -> Iterator[str]:
    """The text of an element; line breaks, cells and what holds blocks stand apart, descriptions are left out."""
    name = element.tag.rpartition("}")[2]
    inline = name in ("hi", "ref", "code", "strong", "emphasis", "link", "superscript", "subscript")
    if name != "figDesc":
        yield "" if inline else " "
        yield element.text or ""
        for child in element:
            yield from _text(child)
            yield child.tail or ""
        yield "" if inline else " "


@TRY
@given(ARTICLES)
def test_everything_can_be_written(article: Article) -> None:
    for name, comments in product(FORMATS, (True, False)):
        render(article, name, Options(images=True, comments=comments)).encode()


# -- Markdown, read back by a parser that is not ours ----------------------------------------------------------


class Character(NamedTuple):
    """A character that is seen, and how."""

    sign: str
    link: bool = False
    strong: bool = False
    emphasis: bool = False
    code: bool = False
    superscript: bool = False
    subscript: bool = False


#: What is no CommonMark, or says more in Markdown than its words: tests of structure read it.
MORE_THAN_WORDS = {Kind.FORMULA, Kind.NOTE, Kind.DETAILS, Kind.CALLOUT, Kind.ATTRIBUTION, Kind.EMBED}
PLAIN_ARTICLES = ARTICLES.map(
    lambda article: replace(article, blocks=tuple(one for one in article.blocks if one.kind not in MORE_THAN_WORDS))
)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
NAMES = {"strong": "strong", "em": "emphasis", "sup": "superscript", "sub": "subscript", "link": "link"}


def read_markdown(written: str) -> Iterator[Character]:
    for token in MARKDOWN.parse(written):
        if token.type == "inline":
            yield from _read_inline(token.children or [])
        elif token.type == "fence":
            yield from (Character(sign) for sign in token.content if not sign.isspace())
        else:
            assert token.type not in ("code_block", "html_block"), token


def _read_inline(tokens: list[Token]) -> Iterator[Character]:
    style = dict.fromkeys(NAMES.values(), False)
    for token in tokens:
        name, _, border = token.type.rpartition("_")
        if token.type in ("text", "code_inline"):
            code = token.type == "code_inline"
            yield from (Character(sign, code=code, **style) for sign in token.content if not sign.isspace())
        elif token.type == "html_inline":
            if token.content != "<br>":
                style[NAMES[token.content.strip("</>")]] = token.content[1] != "/"
        elif border in ("open", "close"):
            style[NAMES[name]] = border == "open"
        else:
            assert token.type in ("softbreak", "hardbreak"), token


def characters(article: Article) -> Iterator[Character]:
    for block in article.blocks:
        cells = [cell.inlines for row in block.rows for cell in row] or [block.inlines]
        for inline in (inline for inlines in cells for inline in inlines):
            marks = (inline.href is not None, inline.strong, inline.emphasis, inline.code)
            style = (*marks, inline.superscript, inline.subscript) if block.kind is not Kind.PREFORMATTED else ()
            yield from (Character(sign, *style) for sign in inline.text if not sign.isspace())


@TRY
@given(PLAIN_ARTICLES)
def test_markdown_is_read_as_it_was_meant(article: Article) -> None:
    assert list(read_markdown(render(article, "markdown"))) == list(characters(article))


@TRY
@given(inline_tuples())
def test_one_paragraph_of_markdown(inlines: tuple[Inline, ...]) -> None:
    article = Article(blocks=(Block(Kind.PARAGRAPH, inlines),))
    assert list(read_markdown(render(article, "markdown"))) == list(characters(article))


@TRY
@given(SENTENCES)
def test_a_formula_in_markdown_holds_no_html(text: str) -> None:
    article = Article(
        blocks=(Block(Kind.FORMULA, (Inline(text),)), Block(Kind.PARAGRAPH, (Inline(text, formula=True),)))
    )
    for token in MARKDOWN.parse(render(article, "markdown")):
        assert token.type != "html_block"
        assert "html_inline" not in [one.type for one in token.children or []]


@TRY
@given(PLAIN_ARTICLES, OPTIONS)
def test_markdown_says_the_same_words(article: Article, options: Options) -> None:
    written = render(article, "markdown", replace(options, images=False))
    assert [character.sign for character in read_markdown(written)] == [found.sign for found in characters(article)]


# -- pages ----------------------------------------------------------------------------------------------------

INLINE = "b i em strong a code sup sub span font cite q".split()
OUTER = "p div h1 h2 h6 ul ol li dl dt dd blockquote pre table tr td th caption figure figcaption section br hr".split()
WORDS = st.sampled_from(
    [
        "word",
        "two words",
        " lead",
        "trail ",
        "x",
        "&amp;",
        "&lt;b&gt;",
        "a&nbsp;b",
        "می\u200cخواهم",
        "\n",
        " ",
        "  in\n\tner ",
    ]
)


@st.composite
def pages(draw: Draw) -> str:
    """HTML as it comes: tags of all sorts, some never closed, some closed that were never opened."""
    parts: list[str] = []
    opened: list[str] = []
    for _ in range(draw(st.integers(1, 30))):
        move = draw(st.integers(0, 9))
        if move < 4:
            parts.append(draw(WORDS))
        elif move < 8:
            name = draw(st.sampled_from(INLINE if move == 4 else OUTER))
            extra = ' href="/x"' if name == "a" else ' start="3"' if name == "ol" else ""
            parts.append(f"<{name}{extra}>")
            opened.append(name)
        elif opened and move == 8:
            parts.append(f"</{opened.pop()}>")
        else:
            parts.append(
                draw(st.sampled_from(["<br>", "</p>", "</div>", "<img src=/x.png>", "<!-- c -->", "</table>"]))
            )
    return "".join(parts) + "end"


@st.composite
def pages_with_spans(draw: Draw) -> tuple[Page, Spans]:
    page = Page(draw(pages()), "https://example.org/")
    place = st.integers(0, len(page.text))
    ranges = draw(st.one_of(st.just([(0, len(page.text))]), st.lists(st.tuples(place, place), max_size=4)))
    return page, Spans.of(ranges, len(page.text))


@TRY
@given(pages_with_spans())
def test_the_words_of_an_article_are_the_chosen_words(chosen: tuple[Page, Spans]) -> None:
    page, spans = chosen
    article = assemble(page, spans)
    assert list(article.words) == spans.words(page)
    shown = [word for block in article.blocks for word in block.text.replace(" | ", " ").split()]
    assert [word for word in shown if word != "|"] == [word for word in spans.words(page) if word != "|"]


@TRY
@given(pages_with_spans())
def test_any_page_in_any_format(chosen: tuple[Page, Spans]) -> None:
    article = assemble(*chosen)
    assert article_from_json(render(article, "json")) == article
    assert [found.sign for found in read_markdown(render(article, "markdown"))] == list("".join(article.words))
    for block in article.blocks:
        if block.kind not in (Kind.PREFORMATTED, Kind.TABLE):
            assert block.text == "\n".join(" ".join(line.split()) for line in block.text.split("\n"))
            assert "" not in block.text.split("\n")
        styles = [(found.href, found.strong, found.emphasis, found.code) for found in block.inlines]
        sub = [(found.superscript, found.subscript) for found in block.inlines]
        pairs = list(zip(styles, sub, strict=True))
        assert all(one != other for one, other in pairwise(pairs))


@TRY
@given(pages_with_spans())
def test_the_same_answer_on_a_part_of_the_page(chosen: tuple[Page, Spans]) -> None:
    page, spans = chosen
    assert assemble(page.within(spans), Spans.all(len(page.text))).words == assemble(page, spans).words


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_a_function(name: str) -> None:
    told = (Block(Kind.PARAGRAPH, (Inline("a"),)),)
    article = Article(published=datetime(2026, 3, 1), published_precision="day", blocks=told)
    assert render(article, name) == render(article, name)


@TRY
@given(pages_with_spans())
def test_the_text_is_the_same_before_and_after_the_blocks_are_made(chosen: tuple[Page, Spans]) -> None:
    late, made = assemble(*chosen), assemble(*chosen)
    assert late.text == plain(made.blocks)
    assert late.direction == made.direction
    assert late == made
    assert late.text == made.text
    assert list(late.provenance.items()) == list(made.provenance.items())
