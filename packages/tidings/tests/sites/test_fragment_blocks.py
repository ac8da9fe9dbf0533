"""The blocks that the core tells with a cut are those that a page of the fragment has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import examples
from tidings.article import Article
from tidings.sites.extraction.body import CutBody
from tidings.sites.extraction.cut import TOLERANCE, PageCut, body_from_core
from tidings.sites.extraction.repeated_texts import hash_of
from tidings.sites.templates.anchor import Anchor
from tidings.sites.templates.rule import Rule, Template

_NOISE = frozenset({hash_of("Read more"), hash_of("two")})
_TEMPLATE = Template(rules=(Rule("main", anchor=Anchor("main")),), noise=_NOISE)


def same(fragment: str, url: str = "https://post.example/2026/story.html") -> CutBody | None:
    """What the core tells, which is the same as the page of the fragment has; None if it is left to that."""
    page = PageCut.of(_TEMPLATE, f"<p>x</p><main>{fragment}</main>".encode(), url, TOLERANCE, with_blocks=True)
    told = body_from_core(page)
    if told is None:
        return None
    spec = CutBody.of(page.html, page.base, _NOISE, page.styles())
    for name in ("blocks", "images", "hashes", "size", "linked", "texts"):
        assert getattr(told, name) == getattr(spec, name), name
    assert told.text is None or told.text == Article(blocks=spec.blocks).text
    return told


_PLAIN = [
    '<p>One</p><p>two <b>three</b><br>four <a href="/x">five</a> <a href="/x">six</a><a href="/y">seven</a></p>',
    '<p><a href="https://post.example/x">one</a><a href="/x"> two</a> <a name="n">three</a></p>',
    '<p>one <a href="javascript:void(0)">two</a> three <a class="c" href="mailto:a@b.example">four</a></p>',
    "<ul><li>one<li>two<ol><li>three<li>four<p>more</ol></ul><p>Read more</p>",
    "<h2>one</h2><h3>two<b> bold</b></h3><p>three</p>",
    "<table><tr><td><h2>for layout</h2><td>two</table><p>end",
    "<p>one <a href=\"?a&amp;b\">two</a> <a href='d.html'>three</a> <a href=\"b.html\">four</a></p>",
    '<p>one <a href="b.html">two</a> <a href="c.html">two</a> <a href=" #d">three</a> <a href="">four</a></p>',
    '<table><tr><th>A<th>B<tr><td>one<td> two<br>lines <a href="/x">x</a><tr><td><td><tr><td>three<td></table>',
    "<ol><li><table><caption>C</caption><tr><td>one<td>two<tr><td><b>three</b><td>four</table>five<li>six</ol>",
    "<table><tr><td>one<td>Read more<tr><td hidden>three<td>four</table><p>two<table><tr><td>1<td>2<tr><td>3</table>",
    "<table><tr><td>Read more<td><tr><td>Read more<td></table><p>Read more</p><p>and the whole story behind it</p>",
    "<script>var a = '<p>no</p>'</script><p>seen<span hidden>unseen</span></p>",
    '<p class="unquoted alerts">one</p><iframe src="https://ads.example/x?y>z"></iframe><a href=//youtube.com>two</a>',
    "<p>1</p><blockquote>two<p class=first>3 <i>4</i></blockquote><div hidden><blockquote>5</blockquote></div>6",
    '<p>one <a href="/permalink/x">two</a> <A class="anchored" href="/x">three</A></p>',
    '<p>one<sup>st</sup> <a href="/x">two</a><sup hidden>3</sup></p>',
    "<table><tr><td colspan=2>one<td>two<tr><td rowspan=2>three<td>four<tr><td>five</table>",
    '<table role="presentation"><tr><td>one<td>two<tr><td>three<td>four</table>',
    "<ol start=4><li>one<li value=9>two<li>three</ol><ol reversed><li>four<li>five</ol>",
]  # fmt: skip


@pytest.mark.parametrize("fragment", _PLAIN)
def test_plain_fragments_need_no_page(fragment: str) -> None:
    told = same(fragment)
    assert told is not None
    assert told.text is not None
    assert not told.images


@pytest.mark.parametrize(
    "fragment",
    [
        "<p>one</p><p><img src=\"/a.jpg\" width=\"600\" alt=\"A\"> two</p><p>Read more</p><p>three",
        "<p>one<figure><img src=\"/a.jpg\"><figcaption>A caption</figcaption></figure><p>three",
        "<p>one<figure><img src=/a.jpg><img src='b.jpg?c&amp;d' srcset='/c.jpg 2x'><figcaption>By (AP)</figure>e",
        '<p>one</p><img src="/a.jpg" style="margin: 0"><p>Read more</p><p>two</p><img src="/a.jpg"><p>three',
        '<p>one</p><img data-src=/a.jpg src="data:image/gif;x"><noscript><img src="/b.jpg"></noscript><p>two</p>',
        '<p>one</p><div hidden><img src=/a.jpg></div><img src=/b.jpg width=1><img src=/c.jpg hidden><p>two</p>',
        "<p>one</p><img src=\"/a.jpg\"><p class=\"caption\">A caption</p><p>two</p>",
        f'<p>one</p><div><img src="/a.jpg"><b id=Captioned>{"long " * 200}</b></div><p>two</p>',
        "<p>one<figure><img src=/a.jpg><img src=/b.jpg><figcaption>A</figcaption><i class=caption>c</i></figure>d",
        '<p>one</p><div><img src=/a.jpg><i title="a caption">A</i><b class=caption>B</b></div><p>two</p>',
        "<p>one</p><picture><source srcset=\"/b.jpg 2x\"><img src=\"/a.jpg\"></picture><p>two</p>",
        "<p>one</p><img data-src=\"/a.jpg\" style=\"opacity: 0\"><p>two</p>",
    ],
)  # fmt: skip
def test_pictures_are_put_among_the_blocks(fragment: str) -> None:
    told = same(fragment)
    assert told is not None
    assert told.text is not None


@pytest.mark.parametrize(
    "fragment",
    [
        "<div class=\"gallery\"><img src=\"/a.jpg\"><img src=\"/b.jpg\"></div><p>one</p>",
        '<p>one</p><figure><figure><img src=/a.jpg></figure><figure><img src=/b.jpg></figure></figure><p>two</p>',
        "<p>one</p><img src=/a.jpg><p class=caption>A <i hidden>b</i> caption</p><p>two</p>",
        '<p>one<figure><img src="/a.jpg"><i class=credit>AP</i><figcaption>A caption</figcaption></figure><p>three',
        "<p>one<figure><img src=/a.jpg><figcaption>A <i hidden>b</i> caption</figcaption></figure><p>three",
    ],
)  # fmt: skip
def test_other_pictures_are_asked_of_their_page(fragment: str) -> None:
    told = same(fragment)
    assert told is not None
    assert told.text is None


@pytest.mark.parametrize(
    "fragment",
    [
        "<blockquote>one <cite>two</cite></blockquote>three",
        "<blockquote>one<p>- two</p></blockquote>three",
        '<blockquote>one<p class="auth&#111;r">two</p></blockquote>three',
        '<blockquote><p class="quote-title">one</p>two</blockquote>three',
        "<blockquote>one<p>two (@three) May 1, 2024</p></blockquote>four",
        "<blockquote>one<footer>two</footer></blockquote>three",
        "<figure><blockquote>one</blockquote><figcaption>two</figcaption></figure>three",
        '<div class="quoteblock"><blockquote>one</blockquote><div class="attribution">two</div></div>three',
        "<blockquote class=twitter-video>one</blockquote>two",
        '<p>one</p><div class="alert info">two</div><p>three</p>',
        '<p>one</p><div class="quote">two</div><p>three</p>',
        "<p>one</p><details>two</details><p>three</p>",
        '<h2>one <a class="permalink" href="/x#two">#</a></h2><p>three</p>',
        '<h2>one <a class="permalink" href="&num;two">link</a></h2><p>three</p>',
        '<h2>one <span class="anchor">link</span></h2><p>three</p>',
        '<p>one<sup><a href="#n">1</a></sup></p><p id="n">1. two</p>',
        '<p>one <a href="/x">two</a> <a href="../x">three</a> <a href="https://post.example/x">four</a></p>',
        "<p>one <a data-href=\"x\">two</a></p>",
        "<p>one <a href=\"http:\">two</a></p>",
        "<table><tr><td>one<td>two<tr><td>three<td><ins>four</ins></table>",
        "<p>one <abbr title=\"United Nations\">UN</abbr></p>",
        "<p>one</p><h2 class=\"deck\">two</h2><p>three</p>",
        "<p>one</p><h2>at the end</h2>",
        "<p>one <a href=\"/a.mp3\">two</a></p>",
        "<p>one</p><iframe src=\"https://www.youtube.com/embed/x\"></iframe>",
        "<p>one</p><script type=\"application/ld+json\">{}</script>",
        "<pre>one</pre>",
        '<a href="/x"><p><a href="/x"></a>one',
    ],
)  # fmt: skip
def test_others_are_asked_of_their_page(fragment: str) -> None:
    assert same(fragment) is None


def test_addresses_are_seen_from_the_base_of_the_page() -> None:
    data = b'<base href="https://other.example/a/"><main><p>one <a href="/x">two</a></main>'
    page = PageCut.of(_TEMPLATE, data, "https://post.example/", TOLERANCE, with_blocks=True)
    told = body_from_core(page)
    assert told is not None
    assert told.blocks == CutBody.of(page.html, page.base, _NOISE).blocks
    assert told.blocks[0].inlines[1].href == "https://other.example/x"


def test_addresses_are_seen_from_any_address() -> None:
    fragment = '<p>one <a href="/x">two</a>'
    assert same(fragment) is not None
    assert same(fragment, "") is None
    assert same(fragment, "https://post.example:80/") is not None
    assert same("<p>one") is not None


_inline = st.sampled_from(
    ["b", "i", "span", "code", "span hidden", 'a href="/x"', 'a href="https://post.example/x"', 'a href="#"', "a",
     'a href="javascript:x"', 'a class="b" href="/y"', "a href='/z'", "sub", "x-y", "sup", "cite", "i class=author",
     'a class=anchor href="/x"', 'a class=anchor href="/x#y"', "span class=anchor",
     "b id=caption",
     'a href="z"', 'a href="../z"', 'a href="/z?a&amp;b"', "a data-href=q"]
)  # fmt: skip
_block = st.sampled_from(
    ["p", "div", "h2", "h3", 'h2 class="subtitle"', "ul", "ol", "li", "section", "figure", "figcaption", "table", "tr",
     "td", "th", "caption", "table", "tr", "td", "blockquote", "div class=warning", "blockquote", "footer",
     "div class=quote",
     "div class=quoteblock", "div class=attribution", "p class=misquoted", "iframe src=/x", "section class=alerted",
     "figure", "figcaption", "div class=caption", "div hidden", "section class=slider", "picture", "noscript", "svg",
     "dialog"]
)  # fmt: skip
_leaf = st.sampled_from(
    ["one", " two ", "two", "Read more", "\n", "ünï", "שלום", "#", "&amp;", "- one", "— ", "A (@b) May 1, 2024",
     "f\u00adg", "<br>", "<br><br>",
     '<img src="/p.jpg">", "<img src="/q.jpg" alt=" A &amp; b">", "<img hidden src=r.jpg>", "<img width=1 src=s.jpg>',
     "<noscript><img src=/t.jpg></noscript>", "<!-- c -->", "</p>", "</div>", "<script>b<a</script>", "\r\n", "\x00"]
)  # fmt: skip


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(_inline | _block, st.lists(inner, max_size=4), st.integers(0, 5)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}" + (f"</{made[0].split()[0]}>" if made[2] else "")
    )


@given(st.recursive(_leaf, lambda inner: _element(inner) | st.lists(inner, max_size=4).map("".join), max_leaves=25))
@examples(400)
def test_made_up_fragments_have_the_same_blocks(fragment: str) -> None:
    same(fragment)


_cell = st.sampled_from(
    ["<td>", "<td>", "<th>", "</td>", "<tr>", "</tr><tr>", "<tr><td>", "<tr><td>", "<caption>", "</caption>", "<tbody>"]
)


@given(st.lists(_cell | _leaf, max_size=25).map("".join), st.sampled_from(["<ul><li>", "<p>a</p>", "", "<blockquote>"]))
@examples(400)
def test_made_up_tables_are_the_same(inner: str, before: str) -> None:
    same(f"{before}<table>{inner}</table><p>two</p>")
