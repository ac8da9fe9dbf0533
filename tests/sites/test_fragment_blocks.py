"""The blocks that the core tells with a cut are those that a page of the fragment has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import examples
from tidings import core
from tidings.article import Article
from tidings.sites.anchor import Anchor
from tidings.sites.cut import TOLERANCE, CutBody, PageCut, told_body
from tidings.sites.noise import hash_of
from tidings.sites.rule import Rule, Template

pytestmark = pytest.mark.skipif(not core.state().is_compiled, reason="no compiled core")

_NOISE = frozenset({hash_of("Read more"), hash_of("two")})
_TEMPLATE = Template(rules=(Rule("main", anchor=Anchor("main")),), noise=_NOISE)


def same(fragment: str, url: str = "https://post.example/2026/story.html") -> CutBody | None:
    """What the core tells, which is the same as the page of the fragment has; None if it is left to that."""
    page = PageCut.of(_TEMPLATE, f"<p>x</p><main>{fragment}</main>".encode(), url, TOLERANCE, with_blocks=True)
    told = told_body(page)
    if told is None:
        return None
    spec = CutBody.of(page.html, page.base, _NOISE, page.styles())
    for name in ("blocks", "images", "hashes", "size", "linked", "texts"):
        assert getattr(told, name) == getattr(spec, name), name
    assert told.text is None or told.text == Article(blocks=spec.blocks).text
    return told


_PLAIN = [
    "<p>One</p><p>two <b>three</b><br>four <a href=\"/x\">five</a> <a href=\"/x\">six</a><a href=\"/y\">seven</a></p>",
    "<p><a href=\"https://post.example/x\">one</a><a href=\"/x\"> two</a> <a name=\"n\">three</a></p>",
    "<p>one <a href=\"javascript:void(0)\">two</a> three <a class=\"c\" href=\"mailto:a@b.example\">four</a></p>",
    "<ul><li>one<li>two<ol><li>three<li>four<p>more</ol></ul><p>Read more</p>",
    "<h2>one</h2><h3>two<b> bold</b></h3><p>three</p>",
    "<table><tr><td><h2>for layout</h2><td>two</table><p>end",
    "<script>var a = '<p>no</p>'</script><p>seen<span hidden>unseen</span></p>",
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
        "<div class=\"gallery\"><img src=\"/a.jpg\"><img src=\"/b.jpg\"></div><p>one</p>",
    ],
)  # fmt: skip
def test_pictures_are_put_among_the_blocks(fragment: str) -> None:
    told = same(fragment)
    assert told is not None
    assert told.text is None


@pytest.mark.parametrize(
    "fragment",
    [
        "<blockquote>one</blockquote>two",
        "<p>one <a href=\"?a&amp;b\">two</a></p>",
        "<p>one <a href=\"b.html\">two</a></p>",
        "<p>one <abbr title=\"United Nations\">UN</abbr></p>",
        "<p>one</p><h2 class=\"deck\">two</h2><p>three</p>",
        "<p>one</p><h2>at the end</h2>",
        "<p>one <a href=\"/a.mp3\">two</a></p>",
        "<p>one</p><iframe src=\"https://www.youtube.com/embed/x\"></iframe>",
        "<p>one</p><script type=\"application/ld+json\">{}</script>",
        "<pre>one</pre>",
    ],
)  # fmt: skip
def test_others_are_asked_of_their_page(fragment: str) -> None:
    assert same(fragment) is None


def test_addresses_are_seen_from_the_base_of_the_page() -> None:
    data = b'<base href="https://other.example/a/"><main><p>one <a href="/x">two</a></main>'
    page = PageCut.of(_TEMPLATE, data, "https://post.example/", TOLERANCE, with_blocks=True)
    told = told_body(page)
    assert told is not None
    assert told.blocks == CutBody.of(page.html, page.base, _NOISE).blocks
    assert told.blocks[0].inlines[1].href == "https://other.example/x"


def test_addresses_are_seen_from_usual_ones_alone() -> None:
    fragment = '<p>one <a href="/x">two</a>'
    assert same(fragment) is not None
    assert same(fragment, "") is None
    assert same(fragment, "https://post.example:80/") is None
    assert same("<p>one") is not None


_inline = st.sampled_from(
    ["b", "i", "span", "code", "span hidden", 'a href="/x"', 'a href="https://post.example/x"', 'a href="#"', "a",
     'a href="javascript:x"', 'a class="b" href="/y"', "a href='/z'", "sub", "x-y"]
)  # fmt: skip
_block = st.sampled_from(
    ["p", "div", "h2", "h3", 'h2 class="subtitle"', "ul", "ol", "li", "section", "figure", "figcaption", "table", "tr",
     "td", "blockquote", "div class=warning"]
)  # fmt: skip
_leaf = st.sampled_from(
    ["one", " two ", "two", "Read more", "\n", "ünï", "שלום", "#", "&amp;", "f\u00adg", "<br>", "<br><br>",
     "<img src=\"/p.jpg\">", "<!-- c -->", "</p>", "</div>", "<script>b<a</script>", "\r\n", "\x00"]
)  # fmt: skip


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(_inline | _block, st.lists(inner, max_size=4), st.integers(0, 5)).map(
        lambda made: f"<{made[0]}>{''.join(made[1])}" + (f"</{made[0].split()[0]}>" if made[2] else "")
    )


@given(st.recursive(_leaf, lambda inner: _element(inner) | st.lists(inner, max_size=4).map("".join), max_leaves=25))
@examples(400)
def test_made_up_fragments_have_the_same_blocks(fragment: str) -> None:
    same(fragment)
