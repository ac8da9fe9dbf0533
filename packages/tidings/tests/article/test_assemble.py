"""From chosen text to blocks: small pages whose blocks are written down here."""

from __future__ import annotations

import pytest

from tidings.article import Article, Block, Cell, Inline, Item, Kind, assemble
from tidings.page import Page, Spans

URL = "https://example.org/news/story.html"


def whole(html: str, url: str | None = URL) -> Article:
    page = Page(html, url)
    return assemble(page, Spans.all(len(page.text)))


def shape(html: str) -> list[tuple[str, str]]:
    """Kind and text of the blocks of a page."""
    return [(block.kind.value, block.text) for block in whole(html).blocks]


def only(html: str) -> Block:
    (block,) = whole(html).blocks
    return block


def test_paragraphs_and_headings() -> None:
    assert shape("<h1>One</h1><p>Two<h3>Three</h3>four") == [
        ("heading", "One"),
        ("paragraph", "Two"),
        ("heading", "Three"),
        ("paragraph", "four"),
    ]
    assert [block.level for block in whole("<h1>a</h1><p>b</p><h6>c</h6>").blocks] == [1, None, 6]


def test_a_heading_never_closed_is_only_its_first_block() -> None:
    html = "<h2>Head<div>one</div><div>two</div><div>three</div><div>four</div>"
    assert [kind for kind, _ in shape(html)] == ["heading", *["paragraph"] * 4]
    assert shape("<h1><div>Kicker</div><div>Headline</div></h1>") == [("heading", "Kicker"), ("heading", "Headline")]


def test_formatting_inside_a_block() -> None:
    block = only("<p>A <b>strong <i>and</i></b> <code>x</code><sup>2</sup>H<sub>2</sub>O<em>!</em></p>")
    assert block.inlines == (
        Inline("A "),
        Inline("strong ", strong=True),
        Inline("and", strong=True, emphasis=True),
        Inline(" "),
        Inline("x", code=True),
        Inline("2", superscript=True),
        Inline("H"),
        Inline("2", subscript=True),
        Inline("O"),
        Inline("!", emphasis=True),
    )
    assert block.text == "A strong and x2H2O!"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>un<b>believ</b>able</p>", "unbelievable"),
        ("<p>one <b>two</b> three</p>", "one two three"),
        ("<p>one<b> two </b>three</p>", "one two three"),
        ("<p>one\n\n  <span> two</span></p>", "one two"),
        ("<p>one&nbsp;two</p>", "one two"),
        ("<p> <a href=x>one</a> <a href=y>two</a>. </p>", "one two."),
        ("<p>one<br>two<br />three</p>", "one\ntwo\nthree"),
        ("<p>one <br> <b>two</b></p>", "one\ntwo"),
        ("<p><br>one<br></p>", "one"),
        ("<p>می\u200cخواهم\u200f</p>", "می\u200cخواهم\u200f"),
    ],
)
def test_white_space_is_what_a_reader_sees(html: str, text: str) -> None:
    assert only(html).text == text


def test_a_space_belongs_to_what_both_sides_have_in_common() -> None:
    block = only('<p>see <a href="/x">the <b>report</b></a> <i>now</i></p>')
    href = "https://example.org/x"
    assert [(inline.text, inline.href, inline.strong) for inline in block.inlines] == [
        ("see ", None, False),
        ("the ", href, False),
        ("report", href, True),
        (" ", None, False),
        ("now", None, False),
    ]


@pytest.mark.parametrize(
    ("href", "url", "found"),
    [
        ("/a", URL, "https://example.org/a"),
        ("b.html?x=1&amp;y=2#z", URL, "https://example.org/news/b.html?x=1&y=2#z"),
        ("//other.example/c", URL, "https://other.example/c"),
        ("#note", URL, URL + "#note"),
        ("a b", URL, "https://example.org/news/a%20b"),
        ("MAILTO:desk@example.org", URL, "MAILTO:desk@example.org"),
        ("http://example.org/(d)", None, "http://example.org/(d)"),
        ("/a", None, None),
        ("http://[", URL, None),
        ("tel:123", URL, None),
        ("ftp://example.org/x", URL, None),
    ],
)
def test_links_are_absolute(href: str, url: str | None, found: str | None) -> None:
    (block,) = whole(f'<p><a href="{href}">x</a></p>', url).blocks
    assert block.inlines == (Inline("x", found),)


def test_links_follow_the_base_element() -> None:
    html = '<base href="/archive/"><base href="/second/"><p><a href="x">x</a><a name=y>y</a></p>'
    (block,) = whole(html).blocks
    assert block.inlines == (Inline("x", "https://example.org/archive/x"), Inline("y"))


def test_nested_lists() -> None:
    blocks = whole("<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>").blocks
    assert [(block.text, block.depth, block.item) for block in blocks] == [
        ("a", 1, Item()),
        ("b", 2, Item()),
        ("c", 3, Item(True, 1)),
        ("d", 1, Item()),
    ]
    assert {block.kind for block in blocks} == {Kind.LIST_ITEM}


def test_a_list_inside_a_list_without_an_item_is_deeper_too() -> None:
    blocks = whole("<ul><li>a</li><ul><li>b</li></ul></ul>").blocks
    assert [(block.text, block.depth) for block in blocks] == [("a", 1), ("b", 2)]


@pytest.mark.parametrize(
    ("html", "numbers"),
    [
        ("<ol><li>a<li>b<li>c</ol>", [1, 2, 3]),
        ("<ol start=5><li>a<li>b</ol>", [5, 6]),
        ("<ol start=5><li>a<li value=9>b<li>c</ol>", [5, 9, 10]),
        ("<ol reversed><li>a<li>b<li>c</ol>", [3, 2, 1]),
        ("<ol reversed start=7><li>a<li>b</ol>", [7, 6]),
        ("<ol start=-1><li>a<li>b</ol>", [-1, 0]),
        ("<ol start=x><li value=99999999999>a<li>b</ol>", [1, 2]),
        ("<ol><li>a<ol><li>b<li>c</ol><li>d</ol>", [1, 1, 2, 2]),
        ("<ol><li><br><li>b</ol>", [2]),
    ],
)
def test_numbers_of_items(html: str, numbers: list[int]) -> None:
    blocks = whole(html).blocks
    assert [block.item.number for block in blocks if block.item] == numbers
    assert all(block.item and block.item.ordered for block in blocks)


def test_numbers_count_items_that_were_not_chosen() -> None:
    page = Page("<ol><li>one<li>two<li>three</ol>")
    start = page.text.index("three")
    article = assemble(page, Spans.of([(start, start + 5)], len(page.text)))
    assert [(block.text, block.item) for block in article.blocks] == [("three", Item(True, 3))]


def test_an_item_with_several_blocks_begins_once() -> None:
    blocks = whole("<ol><li><p>a</p><p>b</p><ul><li>c</ul>d<li><h3>e</h3><p>f</p></ol>").blocks
    assert [(block.kind.value, block.text, block.depth, block.item) for block in blocks] == [
        ("list_item", "a", 1, Item(True, 1)),
        ("paragraph", "b", 1, None),
        ("list_item", "c", 2, Item()),
        ("paragraph", "d", 1, None),
        ("heading", "e", 1, Item(True, 2)),
        ("paragraph", "f", 1, None),
    ]


def test_a_definition_goes_on_with_the_item_of_its_term() -> None:
    blocks = whole("<dl><dt>Term<dd>Meaning<dd>Other<dt>Next<dd>One</dl><dl><dd>Indented</dl>").blocks
    assert [(block.text, block.item) for block in blocks] == [
        ("Term", Item(term=True)),
        ("Meaning", None),
        ("Other", None),
        ("Next", Item(term=True)),
        ("One", None),
        ("Indented", Item()),
    ]


def test_quotes() -> None:
    blocks = whole("<blockquote><p>a<p>b<blockquote>c</blockquote><ul><li>d</ul></blockquote>e").blocks
    assert [(block.kind.value, block.text, block.quote_depth, block.depth) for block in blocks] == [
        ("quote", "a", 1, 0),
        ("quote", "b", 1, 0),
        ("quote", "c", 2, 0),
        ("list_item", "d", 1, 1),
        ("paragraph", "e", 0, 0),
    ]


def test_a_quote_in_an_item_is_a_quote() -> None:
    blocks = whole("<ul><li>a<blockquote>b</blockquote><li><blockquote>c</blockquote></ul>").blocks
    assert [(block.kind.value, block.depth, block.item) for block in blocks] == [
        ("list_item", 1, Item()),
        ("quote", 1, None),
        ("quote", 1, Item()),
    ]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<pre>\n  a\tb &lt;c&gt; &amp;\n\n    d  \n</pre>", "  a\tb <c> &\n\n    d"),
        ("<pre><span>def</span> <b>f</b>():\n    <i>pass</i></pre>", "def f():\n    pass"),
        ("<pre>a<br>b<br><br><br>c</pre>", "a\nb\n\n\nc"),
        ("<pre>a<br>  <b>b</b></pre>", "a\n  b"),
        ("<pre><p>a</p><p>b</p></pre>", "a\nb"),
        ("<pre>a <script>no()</script>b</pre>", "a b"),
        ("<pre>\n\n   \n x</pre>", " x"),
    ],
)
def test_preformatted_text_keeps_its_white_space(html: str, text: str) -> None:
    block = only(html)
    assert block.kind is Kind.PREFORMATTED
    assert block.text == text


def test_formatting_inside_preformatted_text() -> None:
    block = only("<pre><code>x = <b>1</b>\n</code></pre>")
    assert block.inlines == (Inline("x = 1"),)


def test_a_table_with_headers_and_spans() -> None:
    html = (
        "<table><caption>Fares</caption><thead><tr><th>Line<th colspan=2>Price</thead>"
        "<tr><th rowspan=2>North<td>day<td><b>2.40</b><tr><td>night<td></table>"
    )
    caption, table = whole(html).blocks
    assert (caption.kind, caption.text) == (Kind.CAPTION, "Fares")
    assert table.kind is Kind.TABLE
    assert table.rows == (
        (Cell((Inline("Line"),), True), Cell((Inline("Price"),), True, 2)),
        (Cell((Inline("North"),), True, 1, 2), Cell((Inline("day"),)), Cell((Inline("2.40", strong=True),))),
        (Cell((Inline("night"),)), Cell()),
    )
    assert table.text == "Line | Price\nNorth | day | 2.40\nnight | "


def test_a_table_is_in_with_all_its_cells_or_not_at_all() -> None:
    page = Page("<table><tr><th rowspan=3>one word<td>b<tr><td>c<tr><td>d<td>e</table>")
    most = assemble(page, Spans.of([(0, 8)], len(page.text)))
    (table,) = most.blocks
    assert [[cell.text for cell in row] for row in table.rows] == [["one word", "b"], ["c"], ["d", "e"]]
    at = page.text.index("c")
    few = assemble(page, Spans.of([(at, at + 1)], len(page.text)))
    assert few.blocks == ()


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table><tr><th>a<th>b</table>",
        "<table><tr><td><p>a</p><td><div><span>b</span></div><tr><td>c<td>d</table>",
        "<table><tr><th>x<td><p>a</p><p>b</p></table>",
        "<table><td>a</td><td>b</td><tbody><td>c</td><td>d</td></table>",
        "<table><td>a<td>b<tbody><td>c<td>d</table>",
    ],
)
def test_tables_of_data(html: str) -> None:
    assert [block.kind for block in whole(html).blocks] == [Kind.TABLE]


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>a</table>",
        "<table><tr><td>a<td>b</table>",
        "<table><tr><td>a<tr><td>b</table>",
        "<table><tr><td>menu<td><p>a</p><p>b</p><tr><td>c<td>d</table>",
        "<table><tr><td>menu<td>a<br><br>b<tr><td>c<td>d</table>",
        "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>x</table></table>",
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table>stray<tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table><caption>a</caption><caption>b</caption><tr><td>a<td>b<tr><td>c<td>d</table>",
    ],
)
def test_tables_for_layout_are_read_through(html: str) -> None:
    assert Kind.TABLE not in {block.kind for block in whole(html).blocks}


def test_structure_inside_a_layout_table_is_kept() -> None:
    html = "<table><tr><td><ul><li>a</ul><td><h2>b</h2><tr><td>c<td><table><tr><th>d<th>e</table></table>"
    assert shape(html) == [("list_item", "a"), ("heading", "b"), ("paragraph", "c"), ("table", "d | e")]


def test_two_lines_in_one_cell() -> None:
    (table,) = whole("<table><tr><th>a<td>b<br>c</table>").blocks
    assert table.rows[0][1].text == "b\nc"
    assert table.text == "a | b c"


def test_only_the_chosen_part_of_a_block() -> None:
    page = Page("<p>One <b>two three</b> four five</p><p>six seven</p>")
    ranges = [(page.text.index(word), page.text.index(word) + len(word)) for word in ("wo thr", "five", "ix")]
    article = assemble(page, Spans.of(ranges, len(page.text)))
    assert [block.inlines for block in article.blocks] == [
        (Inline("wo thr", strong=True), Inline(" five")),
        (Inline("ix"),),
    ]


def test_white_space_alone_is_nothing() -> None:
    page = Page("<ul><li>a b</ul><p>c")
    article = assemble(page, Spans.of([(1, 2), (4, 5)], len(page.text)))
    assert [(block.kind.value, block.text) for block in article.blocks] == [("paragraph", "c")]
    assert assemble(page, Spans.none(len(page.text))).blocks == ()


def test_inside_a_part_of_a_page() -> None:
    page = Page("<p>one <b>two</b> three</p><p>four</p>", URL)
    part = page.within(Spans.of([(0, 3), (8, 13)], len(page.text)))
    article = assemble(part, Spans.all(len(page.text)))
    assert [block.text for block in article.blocks] == ["one three"]


def test_the_headline_is_a_block_only_if_chosen() -> None:
    from tidings import fields

    page = Page("<title>News</title><h1>Headline</h1><p>Text.</p>", URL)
    start = page.text.index("Text")
    known = fields.read(page)
    with_it = assemble(page, Spans.all(len(page.text)), known)
    without = assemble(page, Spans.of([(start, len(page.text))], len(page.text)), known)
    assert with_it.title == without.title == "Headline"
    assert [block.text for block in with_it.blocks] == ["Headline", "Text."]
    assert [block.text for block in without.blocks] == ["Text."]


def test_plain_text() -> None:
    html = (
        "<h1>Head</h1><p>One<br>two</p><ol start=3><li>a<ul><li>b</ul><li>c<br>d</ol><blockquote>q</blockquote>"
        "<pre>  x\n y</pre><table><tr><th>e<th>f<tr><td>g<td>h</table>"
    )
    assert whole(html).text == ("Head\n\nOne\ntwo\n\n3. a\n  - b\n4. c\n   d\n\nq\n\n  x\n y\n\ne | f\ng | h")


def test_words_are_those_of_the_page() -> None:
    assert whole("<ol><li>a b<li>c</ol><table><tr><th>d<th>e</table>").words == ("a", "b", "c", "d", "e")
