"""Every output format on one article, written down; what the formats have in common."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

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
    csv_header,
    render,
)
from tidings.errors import InputError, UnknownFormat

PICTURE = Image("https://example.org/x.png", "A seal", "", 2)
CAPTIONED = Image("https://example.org/y.png", "A boat", "The boat.", 3)
ARTICLE = Article(
    url="https://example.org/story",
    title="Seals & boats",
    authors=("Mara Ellison", "Jo <Lee>"),
    published=datetime(2026, 3, 14, 8, 30, tzinfo=UTC),
    modified=datetime(2026, 3, 15),
    modified_precision="day",
    language="en",
    site="The Gazette",
    canonical="https://example.org/c",
    summary="Short.",
    section="City",
    tags=("seals", "boats"),
    image=PICTURE,
    images=(PICTURE, CAPTIONED),
    blocks=(
        Block(Kind.HEADING, (Inline("Back in the "), Inline("estuary", emphasis=True)), 2),
        Block(
            Kind.PARAGRAPH,
            (
                Inline("See the "),
                Inline("report", "https://example.org/r?a=1&b=2", strong=True),
                Inline(": 5 < 6 & H"),
                Inline("2", subscript=True),
                Inline("O.\nNext line."),
            ),
        ),
        Block(Kind.LIST_ITEM, (Inline("one"),), None, 1, Item(True, 3)),
        Block(Kind.CAPTION, (Inline("The boat."),), image=CAPTIONED),
        Block(Kind.LIST_ITEM, (Inline("two"),), None, 1, Item()),
        Block(Kind.LIST_ITEM, (Inline("deep"),), None, 2, Item(True, 1)),
        Block(Kind.PARAGRAPH, (Inline("more of two"),), None, 1),
        Block(Kind.QUOTE, (Inline("Quoted."),), quote_depth=1),
        Block(Kind.PREFORMATTED, (Inline("\n  a ```b\n\n c", code=True),)),
        Block(Kind.CAPTION, (Inline("Fares"),)),
        Block(
            Kind.TABLE,
            rows=(
                (Cell((Inline("Line"),), True), Cell((Inline("Price"),), True, 2)),
                (Cell((Inline("North"),), False, 1, 2), Cell((Inline("a|b"),)), Cell((Inline("2\n3"),))),
                (Cell((Inline("night"),)), Cell()),
            ),
        ),
    ),
    comments=(
        Comment((Block(Kind.PARAGRAPH, (Inline("First!"),)),), "Ann", datetime(2026, 3, 16), published_precision="day"),
    ),
    provenance={"title": "h1"},
)
ALL = Options(images=True, comments=True)


def parsed(written: str) -> ET.Element:
    return ET.fromstring(written)  # we wrote it


def test_text() -> None:
    assert render(ARTICLE, "text") == ARTICLE.text
    assert render(ARTICLE, "text", ALL) == ARTICLE.text + "\n\nAnn, 2026-03-16\nFirst!"
    assert render(ARTICLE, "text", Options(tables=False)) == ARTICLE.text.partition("\n\nLine | ")[0]


def test_markdown() -> None:
    assert render(ARTICLE, "markdown", ALL) == (
        "## Back in the *estuary*\n\n"
        "See the [**report**](https://example.org/r?a=1&b=2): 5 \\< 6 & H<sub>2</sub>O.\\\nNext line.\n\n"
        "![A seal](https://example.org/x.png)\n\n"
        "3. one\n\n"
        "![A boat](https://example.org/y.png)\n\nThe boat.\n\n"
        "- two\n\n  1. deep\n\n  more of two\n\n"
        "> Quoted.\n\n"
        "````\n\n  a ```b\n\n c\n````\n\n"
        "Fares\n\n"
        "| Line | Price |  |\n| --- | --- | --- |\n| North | a\\|b | 2<br>3 |\n|  | night |  |\n\n"
        "---\n\nAnn, 2026-03-16\n\nFirst!"
    )
    plain = render(ARTICLE, "markdown", Options(links=False, formatting=False, tables=False))
    assert "See the report: 5 \\< 6 & H2O.\\\n" in plain
    assert "Line" not in plain
    assert "![" not in plain


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("# no heading", "\\# no heading"),
        ("#tag", "#tag"),
        ("> no quote", "\\> no quote"),
        ("- no item", "\\- no item"),
        ("-5 degrees", "-5 degrees"),
        ("1. no item", "1\\. no item"),
        ("1.5 km", "1.5 km"),
        ("2026. a year", "2026\\. a year"),
        ("---", "\\---"),
        ("a * b_c [d] `e` <f> ~g", "a \\* b\\_c \\[d\\] \\`e\\` \\<f> \\~g"),
        ("&amp; & AT&T", "\\&amp; & AT&T"),
        ("back\\slash", "back\\\\slash"),
        ("| a |", "| a |"),
        ("|---|", "\\|---|"),
    ],
)
def test_markdown_escapes_what_would_be_markup_and_nothing_else(text: str, markdown: str) -> None:
    assert render(Article(blocks=(Block(Kind.PARAGRAPH, (Inline(text),)),)), "markdown") == markdown


@pytest.mark.parametrize(
    ("inlines", "markdown"),
    [
        ((Inline("a"), Inline("b", strong=True), Inline("c")), "a**b**c"),
        ((Inline("a"), Inline("“b”", strong=True), Inline("c")), "a<strong>“b”</strong>c"),
        ((Inline("a", strong=True), Inline("b", emphasis=True)), "<strong>a</strong>*b*"),
        ((Inline("a", strong=True, emphasis=True),), "***a***"),
        ((Inline(" a ", strong=True), Inline("b")), "**a** b"),
        ((Inline("a `b`", code=True),), "`` a `b` ``"),
        ((Inline("look!"), Inline("x", "https://example.org/")), "look\\![x](https://example.org/)"),
        ((Inline("x", "https://example.org/(a)"),), "[x](https://example.org/\\(a\\))"),
        ((Inline("x", "javascript:alert(1)"),), "x"),
    ],
)
def test_markdown_of_inlines(inlines: tuple[Inline, ...], markdown: str) -> None:
    assert render(Article(blocks=(Block(Kind.PARAGRAPH, inlines),)), "markdown") == markdown


def test_markdown_heading_keeps_its_number_signs() -> None:
    assert render(Article(blocks=(Block(Kind.HEADING, (Inline("C #"),), 1),)), "markdown") == "# C \\#"


def test_html() -> None:
    assert render(ARTICLE, "html", ALL) == (
        '<article lang="en" dir="ltr">\n<h2>Back in the <em>estuary</em></h2>\n'
        '<p>See the <a href="https://example.org/r?a=1&amp;b=2" rel="noopener noreferrer"><strong>report</strong></a>'
        ": 5 &lt; 6 &amp; H<sub>2</sub>O.<br>Next line.</p>\n"
        '<figure><img src="https://example.org/x.png" alt="A seal"></figure>\n'
        '<ol>\n<li value="3">one</li>\n</ol>\n'
        '<figure><img src="https://example.org/y.png" alt="A boat"><figcaption>The boat.</figcaption></figure>\n'
        '<ul>\n<li>two\n<ol>\n<li value="1">deep</li>\n</ol>\n<p>more of two</p></li>\n</ul>\n'
        "<blockquote>\n<p>Quoted.</p>\n</blockquote>\n"
        "<pre>\n\n<code>\n  a ```b\n\n c</code></pre>\n".replace("<pre>\n\n<code>", "<pre><code>")
        + "<table>\n<caption>Fares</caption>\n<tbody>\n"
        '<tr>\n<th>Line</th>\n<th colspan="2">Price</th>\n</tr>\n'
        '<tr>\n<td rowspan="2">North</td>\n<td>a|b</td>\n<td>2<br>3</td>\n</tr>\n'
        "<tr>\n<td>night</td>\n<td></td>\n</tr>\n</tbody>\n</table>\n"
        '<section>\n<header>Ann <time datetime="2026-03-16">2026-03-16</time></header>\n<p>First!</p>\n</section>\n'
        "</article>"
    )
    plain = render(ARTICLE, "html", Options(links=False, formatting=False, tables=False))
    assert "<a " not in plain
    assert "<strong>" not in plain
    assert "<table>" not in plain
    assert "<img" not in plain


def test_html_keeps_an_empty_first_line_of_preformatted_text() -> None:
    from selectolax.lexbor import LexborHTMLParser

    article = Article(blocks=(Block(Kind.PREFORMATTED, (Inline("\n  a\n b"),)),))
    pre = LexborHTMLParser(render(article, "html")).css_first("pre")
    assert pre is not None
    assert pre.text() == "\n  a\n b"


def test_json_holds_everything_whatever_the_options() -> None:
    found = json.loads(render(ARTICLE, "json", Options(links=False, tables=False, formatting=False)))
    assert found["title"] == "Seals & boats"
    assert found["published"] == "2026-03-14T08:30:00+00:00"
    assert (found["modified"], found["modified_precision"]) == ("2026-03-15T00:00:00", "day")
    assert found["text"] == ARTICLE.text
    assert found["blocks"][0] == {
        "kind": "heading",
        "inlines": [{"text": "Back in the "}, {"text": "estuary", "emphasis": True}],
        "level": 2,
    }
    assert found["provenance"] == {"title": "h1"}
    assert set(Article.__slots__) <= set(found)
    for name in ("json", "jsonl"):
        assert article_from_json(render(ARTICLE, name)) == ARTICLE


def test_jsonl_is_one_line_for_everybody() -> None:
    article = Article(title="a\u2028b\x85c\nd\x1ee", blocks=(Block(Kind.PARAGRAPH, (Inline("x\ud800y"),)),))
    written = render(article, "jsonl")
    assert len(written.splitlines()) == 1
    written.encode()
    assert article_from_json(written) == article


def test_numbers_that_json_does_not_have() -> None:
    assert json.loads(render(Article(confidence=float("nan")), "json"))["confidence"] is None


@pytest.mark.parametrize(
    "text", ["", "[]", "3", "{", '{"blocks": [{"kind": "no"}]}', '{"blocks": [{"text": "x"}]}', "null"]
)
def test_reading_what_is_no_article(text: str) -> None:
    with pytest.raises(InputError, match="no article in JSON"):
        article_from_json(text)


#: A value of each type that JSON has, for each place in an article.
OF_ALL_TYPES: tuple[Any, ...] = (
    None, True, -1, 1.5, 1e999, float("nan"), 10**30, 10**5000, "", "x", "2026-02-31", [], ["x"], [1], [[]], [{}], {},
    {"x": 1}, {"kind": "paragraph"}, {"src": 1},
)  # fmt: skip


def places(found: Any, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value in JSON."""
    yield way
    inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    for name, value in inner:
        yield from places(value, (*way, name))


def changed(found: Any, way: tuple[str | int, ...], value: Any) -> Any:
    if not way:
        return value
    made: Any = dict(found) if isinstance(found, dict) else list(found)
    made[way[0]] = changed(made[way[0]], way[1:], value)
    return made


def test_what_is_of_another_type_is_refused_by_the_name_of_its_field() -> None:
    """HOSTILE 38: an article comes out that every format can write, or a typed error that names the field."""
    whole = json.loads(render(ARTICLE, "json"))
    refused = 0
    for way in places(whole):
        for value in OF_ALL_TYPES:
            text = json.dumps(changed(whole, way, value)) if value != 10**5000 else ""
            if value == 10**5000:  # which Python does not write
                text = json.dumps(changed(whole, way, "#")).replace('"#"', "1" + "0" * 5000)
            try:
                article = article_from_json(text)
            except InputError as error:
                refused += 1
                named = [step for step in way if isinstance(step, str)]
                assert not named or named[0] in str(error) or "digits" in str(error), (way, value, error)  # noqa: PT017
            else:
                assert hash(article) is not None
                for name in FORMATS:
                    render(article, name)
    assert refused > 1000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"title": 3}', "title is 3; it is a text"),
        ('{"authors": "Ann"}', 'authors is "Ann"; it is a list'),
        ('{"authors": ["Ann", null]}', r"authors\[1\] is null; it is a text"),
        ('{"published": "yesterday"}', 'published is "yesterday"; it is a date as 2026-03-14'),
        ('{"direction": "up"}', 'direction is "up"; it is one of ltr, rtl'),
        ('{"confidence": 1e999}', "confidence is Infinity; it is from 0 to 1"),
        ('{"blocks": [{"kind": "table", "rows": [[{"colspan": 1e9}]]}]}', r"blocks\[0\].rows\[0\]\[0\].colspan is"),
        ('{"blocks": [{"kind": "heading", "level": 2.5}]}', r"blocks\[0\].level is 2.5; it is a whole number"),
        ('{"blocks": [{"inlines": []}]}', r"blocks\[0\].kind is missing"),
        ('{"image": {"src": "x", "width": 3}}', "image.width is no part of it"),
        ('{"provenance": {"title": 3}}', "provenance.title is 3"),
        ('{"comments": [{"blocks": "x"}]}', r"comments\[0\].blocks is"),
    ],
)
def test_what_is_wrong_with_an_article_is_said(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        article_from_json(text)


def test_csv() -> None:
    (header, row) = csv.reader(io.StringIO(csv_header() + "\n" + render(ARTICLE, "csv")))
    found = dict(zip(header, row, strict=True))
    assert found["title"] == "Seals & boats"
    assert found["authors"] == "Mara Ellison; Jo <Lee>"
    assert found["published"] == "2026-03-14T08:30:00+00:00"
    assert found["image"] == "https://example.org/x.png"
    assert found["text"] == ARTICLE.text


@pytest.mark.parametrize("sign", list("=+-@\t＝＋－＠"))
def test_csv_runs_nothing(sign: str) -> None:
    article = Article(title=sign + "HYPERLINK(1)", blocks=(Block(Kind.PARAGRAPH, (Inline(sign + "1"),)),))
    for guard, before in ((True, "'"), (False, "")):
        (row,) = csv.reader(io.StringIO(render(article, "csv", Options(guard_formulas=guard))))
        assert row[2] == before + sign + "HYPERLINK(1)"
        assert row[-1] == before + sign + "1"


def test_xml() -> None:
    root = parsed(render(ARTICLE, "xml", ALL))
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    assert [author.text for author in root.findall("author")] == ["Mara Ellison", "Jo <Lee>"]
    body = root.find("body")
    assert body is not None
    assert [child.tag for child in body] == (
        "heading paragraph image list_item caption list_item list_item paragraph quote preformatted caption table"
    ).split()
    assert body[3].attrib == {"depth": "1", "item": "ordered", "number": "3"}
    assert body[4][0].get("src") == CAPTIONED.src
    assert "".join(body[9].itertext()) == "\n  a ```b\n\n c"
    link = body[1].find("link")
    assert link is not None
    assert link.get("href") == "https://example.org/r?a=1&b=2"
    assert [cell.attrib for cell in body[11][0]] == [
        {"header": "true"},
        {"header": "true", "colspan": "2"},
    ]
    assert root.find("comment/paragraph") is not None
    assert parsed(render(ARTICLE, "xml")).find("comment") is None


def test_tei() -> None:
    space = {"t": "http://www.tei-c.org/ns/1.0"}
    root = parsed(render(ARTICLE, "tei", ALL))
    statement = root.find("t:teiHeader/t:fileDesc/t:titleStmt", space)
    assert statement is not None
    assert [child.text for child in statement] == ["Seals & boats", "Mara Ellison", "Jo <Lee>"]
    pointer = root.find(".//t:sourceDesc/t:bibl/t:ptr", space)
    assert pointer is not None
    assert pointer.get("target") == "https://example.org/c"
    dates = [found.get("when") for found in root.findall(".//t:publicationStmt/t:date", space)]
    assert dates == ["2026-03-14T08:30:00+00:00", "2026-03-15"]
    assert [found.text for found in root.findall(".//t:keywords/t:term", space)] == ["City", "seals", "boats"]
    divisions = root.findall(".//t:body/t:div", space)
    assert [found.get("type") for found in divisions] == [None, "comment"]
    names = [child.tag.rpartition("}")[2] for child in divisions[0]]
    assert names == ["head", "p", "figure", "list", "figure", "list", "quote", "ab", "table"]
    item = divisions[0].find("t:list/t:item", space)
    assert item is not None
    assert item.get("n") == "3"
    table = divisions[0].find("t:table", space)
    assert table is not None
    assert table[0].text == "Fares"
    assert table[1].get("role") == "label"
    assert table[1][1].get("cols") == "2"


def test_jsonld() -> None:
    found = json.loads(render(ARTICLE, "jsonld", ALL))
    assert found["@type"] == "NewsArticle"
    assert found["headline"] == "Seals & boats"
    assert found["author"][1] == {"@type": "Person", "name": "Jo <Lee>"}
    assert found["datePublished"] == "2026-03-14T08:30:00+00:00"
    assert found["image"] == [PICTURE.src, CAPTIONED.src]
    assert found["articleBody"] == ARTICLE.text
    assert found["comment"][0]["text"] == "First!"
    assert "comment" not in json.loads(render(ARTICLE, "jsonld"))


def test_right_to_left() -> None:
    text = "می\u200cخواهم\u200f نسيج\u200d"
    article = Article(title=text, language="fa", direction="rtl", blocks=(Block(Kind.PARAGRAPH, (Inline(text),)),))
    for name in FORMATS:
        written = render(article, name)
        found = (
            json.loads(written)["blocks"][0]["inlines"][0]["text"]
            if name.startswith("json") and name != "jsonld"
            else written
        )
        assert text in found, name
    assert '<article lang="fa" dir="rtl">' in render(article, "html")
    assert 'dir="rtl"' in render(article, "xml")
    assert '<text xml:lang="fa" style="direction: rtl">' in render(article, "tei")


def test_an_empty_article_in_every_format() -> None:
    for name in FORMATS:
        render(Article(), name)
    parsed(render(Article(), "tei"))
    assert render(Article(), "text") == render(Article(), "markdown") == ""


def test_unknown_format() -> None:
    with pytest.raises(UnknownFormat, match="did you mean markdown"):
        render(ARTICLE, "markdwon")


def test_the_formats_there_are() -> None:
    assert list(FORMATS) == ["text", "markdown", "html", "json", "jsonl", "csv", "xml", "tei", "jsonld"]
    for name in FORMATS:
        assert not render(ARTICLE, name).endswith("\n")


def test_a_moment_is_always_a_datetime_with_its_precision() -> None:
    # As older files have it.
    day = article_from_json('{"published": "2026-03-14", "modified": "2026-03-15T08:30:00+01:00"}')
    assert (day.published, day.published_precision) == (datetime(2026, 3, 14), "day")
    assert day.modified_precision == "second"
    assert article_from_json(render(day, "json")) == day
    assert day.published_as_stated == date(2026, 3, 14)
    assert render(day, "xml").count("2026-03-14<") == 1
    assert replace(day, published=None).published_precision == ""
    assert (Article().published, Article().published_precision, Article().published_as_stated) == (None, "", None)
