"""What the core says that a fragment says is what its blocks say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import examples
from tests.sites import village
from tidings import Reader
from tidings.article import Block
from tidings.article.text import Line, plain
from tidings.lab.corpora import load
from tidings.lab.studies.learned_sites import address, groups
from tidings.page.style_sheet import NO_STYLES, StyleSheet, style_sheet
from tidings.sites import ArticleText
from tidings.sites.fragment import FragmentPage, read
from tidings.sites.fragment_text import text_of_fragment

BASE = "https://post.example/2026/story"


def told(lines: Sequence[Block | Line]) -> list[object]:
    return [(line.text, line.kind, line.item, line.depth) for line in lines]


def same(fragment: str, styles: StyleSheet = NO_STYLES) -> bool:
    """Whether the core tells, and then the same as the blocks."""
    found = text_of_fragment(fragment, styles)
    if found is None:
        return False
    blocks = read(fragment, BASE, styles).blocks
    assert told(found.lines) == told(blocks)
    assert found.text == plain(found.lines) == plain(blocks)
    page = FragmentPage(fragment, BASE, styles)
    assert " ".join(found.texts).split() == page.visible.text(page).split()
    linked = sum(len(inline.text) for block in blocks for inline in block.inlines if inline.href)
    assert found.linked >= linked
    return True


@pytest.mark.parametrize(
    "fragment",
    [
        "<p>One</p><p>two <b>three</b><br>four</p>",
        "<ul><li>one<li>two<ol><li>three<li>four</ol></ul>",
        "<h2>one</h2><blockquote>two<ul><li>three</ul></blockquote>",
        "<p>seen<span hidden>unseen</span>seen again</p><noscript>no</noscript>",
        "<table><tr><td><h2>for layout</h2><td>two</table>",
        "<p>a&nbsp; b\u00a0</p><p>\U0001f600 wide</p>",
        "<h2>never closed <p>one<p>two<p>three<p>four",
        "<h2>one</h2><p>two <button>three</button> #</p>",
    ],
)
def test_the_core_tells(fragment: str) -> None:
    assert same(fragment)


@pytest.mark.parametrize(
    "fragment",
    [
        "<pre> exact  text</pre>",
        "<table><tr><th>a<td>b<tr><td>c<td>d</table>",
        "<ol start=3><li>three</ol>",
        "<ol><li value=7>seven</ol>",
        "<p style='visibility:hidden'>no <b style='visibility:visible'>yes</b></p>",
        "<dialog open>seen</dialog>",
        "<h2>one <a href='#one'>#</a></h2>",
        "<h2><span>¶ </span>one</h2>",
        "<h2>one <button>#</button></h2>",
        "<p class=Footnote>one</p>",
        " ",
        "half \ud800 a character",
    ],
)
def test_other_fragments_are_asked_of_their_blocks(fragment: str) -> None:
    assert not same(fragment)


def test_style_sheets_hide() -> None:
    assert same("<p>seen<p class=x>unseen<p class='x y'>unseen", style_sheet(".x { display: none }"))


_INLINE = [
    "b",
    "i",
    "span",
    "button",
    "a href='/x'",
    "span hidden",
    "font style='display: none'",
    "nobr",
    "x-y",
    'a href="b>c"',
]
_BLOCKS = [*"p div h2 h3 ul ol li blockquote section figure figcaption".split(), "div aria-hidden='true'", "P", "LI"]
_TABLES = [*"table tr td td th tbody thead".split(), "table role='none'"]
_SPACED = ["a  b", "a\tb", "\u00a0c", "d\u3000e", "\x1f", "f\u00adg", "#"]
_REFERRING = ["&amp;", "&am", "p;", "5 &lt; 6", "&#8217;", "&#x41;h", "&nosuch;", "&#1;"]
_text = st.sampled_from(
    ["one", " two ", "three four", "\n", " ", "#", "ünï", "שלום", "，", ">", "<", *_SPACED, *_REFERRING]
)
_void = st.sampled_from(
    [
        "<br>",
        "<br/><br>",
        "<hr>",
        "<img src='/p.jpg'>",
        "<!-- c -->",
        "<?x?>",
        "</div>",
        "</p>",
        "</td>",
        "<script>b<a</script>",
    ]
)


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(
        st.sampled_from([*_INLINE, *_BLOCKS, *_TABLES]), st.lists(inner, max_size=4), st.integers(0, 5)
    ).map(lambda made: f"<{made[0]}>{''.join(made[1])}" + (f"</{made[0].split()[0]}>" if made[2] else ""))


def _table(cell: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    cells = st.lists(st.tuples(st.sampled_from(["td", "td", "th"]), cell), min_size=1, max_size=3)
    return st.lists(cells, min_size=1, max_size=3).map(
        lambda rows: (
            "<table>"
            + "".join("<tr>" + "".join(f"<{name}>{inner}</{name}>" for name, inner in row) + "</tr>" for row in rows)
            + "</table>"
        )
    )


_fragment = st.recursive(
    _text | _void,
    lambda inner: _element(inner) | _table(inner) | st.lists(inner, max_size=4).map("".join),
    max_leaves=25,
).map(lambda inside: f"<div>{inside}</div>")


@given(_fragment)
@examples(400)
def test_made_up_fragments_say_what_their_blocks_say(fragment: str) -> None:
    same(fragment)


def _as_text(reader: Reader, number: int) -> tuple[ArticleText, ArticleText]:
    data, url = village.page(number), village.address(number)
    article = reader.cut(data, url)
    assert article is not None
    return reader.text(data, url), ArticleText.of(article)


def test_text_and_fields_are_those_of_the_article() -> None:
    reader = Reader()
    for number in range(5):
        found = reader.text(village.page(number), village.address(number))
        assert not found.by.startswith("rule")
        assert found.title == village.story(number)["title"]
    for number in range(5, 15):
        found, whole = _as_text(reader, number)
        assert found == whole
        assert found.by.startswith("rule")


def test_pages_of_no_site_are_read_too() -> None:
    assert "estuary" in Reader().text("<html><body><p>Seals are back in the estuary.</p></body></html>").text


def test_text_alone_teaches_and_is_doubted_as_articles_are() -> None:
    by_text, by_article = Reader(audit_every=0), Reader(audit_every=0)
    for number in range(20):
        data, url = village.page(number), village.address(number)
        if number in (8, 11):
            data = "<title>Something else</title><p>short"
        by_text.text(data, url)
        by_article.extract(data, url)
    (one,), (other,) = (
        [reader.memory.site(name) for name in reader.memory.names()] for reader in (by_text, by_article)
    )
    assert one == other


@pytest.mark.shared
def test_real_pages_have_the_text_of_their_articles(shared_data: Path) -> None:
    served = 0
    for samples in list(groups(load(shared_data / "sites")).values())[::6]:
        reader = Reader(audit_every=0)
        for sample in samples[:5]:
            reader.extract(sample.html, address(sample))
        for sample in samples[5:]:
            article = reader.cut(sample.html, address(sample))
            if article is not None:
                served += 1
                found, whole = reader.text(sample.html, address(sample)), ArticleText.of(article)
                assert replace(found, image="") == replace(whole, image="")
    assert served > 30
