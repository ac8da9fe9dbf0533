"""Pages that want to break out, and pages that want to take forever."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from time import perf_counter

import pytest

from tests.article.test_properties import sanitised
from tidings import extract
from tidings.article import FORMATS, Article, Block, Image, Inline, Kind, Options, assemble, render
from tidings.fields.urls.sanitise import absolute, safe, safe_picture
from tidings.page import Page, Spans

ALL = Options(images=True, comments=True)

BAD_ADDRESSES = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript:alert(1)",
    "\x01javascript:alert(1)",
    "\x00javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://example.org/x",
    "file:///etc/passwd",
    "about:blank",
    "view-source:https://example.org",
    "http:",
    "http://",
    "https:///",
    "mailto:",
    "",
]


def parsed(written: str) -> ET.Element:
    return ET.fromstring(written)  # we wrote it


@pytest.mark.parametrize("address", BAD_ADDRESSES)
def test_addresses_that_are_dropped(address: str) -> None:
    assert safe(address) is None
    assert safe_picture(address) is None
    assert not (absolute(address, "") or "").startswith("java")


@pytest.mark.parametrize("address", BAD_ADDRESSES[:11])
def test_no_format_shows_them(address: str) -> None:
    picture = Image(address, "alt", "", 0)
    blocks = (
        Block(Kind.PARAGRAPH, (Inline("word", address),)),
        Block(Kind.CAPTION, (Inline("caption"),), image=picture),
    )
    article = Article(url=address, canonical=address, image=picture, images=(picture,), blocks=blocks)
    for name in FORMATS:
        if name not in ("json", "jsonl", "csv"):  # those hold what the article holds, as text
            written = render(article, name, ALL).lower()
            assert "script:" not in written, name
            assert "data:" not in written, name
            assert "word" in written, name


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        "&#106;avascript:alert(1)",
        "java&#10;script:alert(1)",
        "java&Tab;script:alert(1)",
        "&#1;javascript:alert(1)",
        "data:text/html,x",
    ],
)
def test_tricks_on_a_page(href: str) -> None:
    page = Page(f'<p><a href="{href}">word</a></p>', "https://example.org/")
    (block,) = assemble(page, Spans.all(len(page.text))).blocks
    assert block.inlines == (Inline("word"),)


def test_addresses_are_read_as_browsers_read_them() -> None:
    assert safe(" https://exam\nple.org/x\t") == "https://example.org/x"
    assert safe_picture("mailto:a@example.org") is None
    assert safe("mailto:a@example.org") == "mailto:a@example.org"


def test_an_address_cannot_break_out_of_its_attribute() -> None:
    href = safe('https://example.org/"><script>x</script>`(\n)|\u202e')
    assert href is not None
    assert not set('"<>`|\n\u202e') & set(href)
    assert safe(href) == href
    assert safe("https://example.org\\@evil.example/") == "https://example.org/@evil.example/"


EVIL = "</script></p></article>]]><script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt;--><!--"


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.TABLE])
def test_text_is_never_markup(kind: Kind) -> None:
    article = Article(
        title=EVIL,
        authors=(EVIL,),
        site=EVIL,
        language='en" onload="x',
        kind=EVIL,
        summary=EVIL,
        tags=(EVIL,),
        image=Image("https://example.org/a.png", EVIL),
        images=(Image("https://example.org/b.png", EVIL, EVIL, 0),),
        blocks=(Block(kind, (Inline(EVIL, "https://example.org/" + EVIL), Inline(EVIL, code=True)), 1),),
    )
    for name in ("html", "xml", "tei", "jsonld"):
        assert "<script" not in render(article, name, ALL), name
        assert "onerror" not in render(article, name, ALL).replace("&lt;img src=x onerror", "").replace(
            "\\u003cimg src=x onerror", ""
        ).replace("%20onerror", ""), name
    assert sanitised(render(article, "html", ALL)) == render(article, "html", ALL)
    for name in ("xml", "tei"):
        found = "".join(parsed(render(article, name, ALL)).itertext())
        assert EVIL in found
    assert json.loads(render(article, "jsonld"))["articleBody"] == article.text
    if kind is Kind.FORMULA:
        assert "<script>" not in render(article, "markdown")
    elif kind is not Kind.PREFORMATTED:  # a fence shows everything as it is
        assert "\\<script>" in render(article, "markdown")
        assert "<script" not in render(article, "markdown").replace("\\<script", "").replace(f"`{EVIL}`", "")


def test_control_characters_are_left_out() -> None:
    text = "a\x00b\x07c\x1b[31md\x0be\x1ff\x7fg\ufffeh\ud800i"
    article = Article(title=text, blocks=(Block(Kind.PARAGRAPH, (Inline(text, "https://example.org/\x00"),)),))
    for name in FORMATS:
        written = render(article, name, ALL)
        written.encode()
        assert not {"\x00", "\x07", "\x1b", "\x0b"} & set(written), name
    assert "abc[31md e fgh\ufffdi" in render(article, "text")
    for name in ("xml", "tei"):
        parsed(render(article, name, ALL))


def test_a_fence_survives_backticks() -> None:
    article = Article(blocks=(Block(Kind.PREFORMATTED, (Inline("```\n````\n~~~"),)),))
    assert render(article, "markdown") == "`````\n```\n````\n~~~\n`````"


def large(size: int) -> dict[str, str]:
    """Pages with very many of something."""
    return {
        "paragraphs": "<p>word <b>strong</b> <a href=/x>link</a></p>" * size,
        "items": "<ol>" + "<li>word" * size + "</ol>",
        "rows": "<table>" + "<tr><td>a<td>b" * size + "</table>",
        "row": "<table><tr><th>x" + "<td>a" * size + "</table>",
        "tables": "<table><tr><th>a<td>b</table>" * (size // 5),
        "spans": "<table>" + "<tr><td colspan=1000 rowspan=1000>a<td>b" * (size // 20) + "</table>",
        "one paragraph": "<p>" + "a <i>b</i> " * size,
        "breaks": "<pre>" + "a<br><b>b</b><br><br>" * (size // 5) + "</pre>",
        "nested": "<div><b>a" * size,
        "lists in lists": "<ul><li>a" * size,
        "quotes in quotes": "<blockquote>a" * size,
        "pictures": "<p>a</p><img src=x.png>" * size,
        "figures": "<figure><img src=x><figcaption>a</figcaption></figure>" * (size // 5),
        "one figure": "<figure>" + "<img src=x>" * size + "<figcaption>" + "a " * size + "</figcaption></figure>",
        "terms": "<dl>" + "<dt>a<dd>b" * (size // 2) + "</dl>",
        "a long set": f"<p>a</p><img srcset='{'x 1w,' * size}'><img srcset='x {'1' * size}'><p>b</p>",
    }


LARGE = large(50_000)


@pytest.mark.soak
@pytest.mark.parametrize("name", LARGE)
def test_large_pages_take_seconds(name: str) -> None:
    page = Page(LARGE[name], "https://example.org/")
    words = Spans.all(len(page.text)).words(page)
    begun = perf_counter()
    article = assemble(page, Spans.all(len(page.text)))
    assert perf_counter() - begun < 15  # two seconds where this was written
    assert list(article.words) == words


@pytest.mark.soak
@pytest.mark.parametrize("name", LARGE)
def test_large_articles_take_seconds(name: str) -> None:
    page = Page(large(5_000)[name], "https://example.org/")
    article = assemble(page, Spans.all(len(page.text)))
    for form in FORMATS:
        begun = perf_counter()
        written = render(article, form, ALL)
        assert perf_counter() - begun < 5, form  # half a second where this was written
        assert len(written) < 6_000_000, form


LONG = "x" * 50_000


@pytest.mark.parametrize(
    "base",
    [
        f"http://gazette.example/{LONG}/",
        f"http://gazette.example/a?{LONG}",
        f"//{LONG}.example/",
        f"{LONG}/",
        "http://gazette.example/a b/" + LONG,
    ],
)
@pytest.mark.parametrize("href", ["{}.html", "/{}", "#{}", "?page={}"])
def test_links_do_not_repeat_a_long_base(base: str, href: str) -> None:
    links = "".join(f"<p>Seal {n} is <a href='{href.format(n)}'>back</a> in the bay.</p>" for n in range(500))
    page = f"<base href='{base}'><title>Seals</title><h1>Seals</h1>{links}"
    found = extract(page, url="https://gazette.example/seals")
    hrefs = [inline.href for block in found.blocks for inline in block.inlines if inline.href]
    assert len(hrefs) == 500
    assert max(map(len, hrefs)) < 100
    assert len(found.html()) < 3 * len(page)


@pytest.mark.parametrize("url", [f"https://gazette.example/seals?{LONG}", f"https://gazette.example/seals#{LONG}"])
def test_links_do_not_repeat_the_long_query_of_the_page(url: str) -> None:
    links = "".join(f"<p>Seal {n} is <a href='#{n}'>back</a> in the bay.</p>" for n in range(50))
    found = extract(f"<title>Seals</title><h1>Seals</h1>{links}", url=url)
    assert "https://gazette.example/seals#49" in found.html()
    assert len(found.html()) < 2 * len(LONG)
