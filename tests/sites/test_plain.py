"""The quick way through a fragment gives what the long way gives, or says that it cannot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidings import Page
from tidings.news import newspaper
from tidings.sites.fragment import thoroughly
from tidings.sites.plain import NotPlain, plainly

BASE = "https://post.example/2026/story"


def same(fragment: str) -> bool:
    """Whether the quick way goes; if it does, it must give the same."""
    try:
        quick = plainly(fragment, BASE)
    except NotPlain:
        return False
    assert quick == thoroughly(fragment, BASE)
    return True


@pytest.mark.parametrize(
    "fragment",
    [
        "<div><p>One two.</p><p>Three <b>four</b> five.</p></div>",
        "<div><p>A<br>b</p><p>A<br><br>b</p><p>A <br/> b</p></div>",
        "<div><p>A <a href='/x'>link</a>, and <a href=\"https://y.example/?a=1&amp;b=2\">more</a>.</p></div>",
        "<div><h2>Head</h2><ul><li>a<li>b<ul><li>c</ul><li>d</ul><ol><li>one<li>two</ol></div>",
        "<div><blockquote><p>Said.</p><p>More.</p></blockquote><p>End.</p></div>",
        "<div><p>A &amp; b &#8217;c&nbsp;d</p>loose <i>text</i> here<p>e</div>",
        "<div><figure><img src='/a.jpg' alt='A'><figcaption>Said <b>so</b>.</figcaption></figure><p>Text.</p></div>",
        "<div><p>Text.</p><img src='/a.jpg'><p>More.</p><img src='/behind.jpg'></div>",
        "<div><p>Text.</p><div><img src='/a.jpg'><p class='caption'>What it shows</p></div><p>More.</p></div>",
        "<div><p>a<span style='display:none'>hidden</span>b</p><p hidden>no</p><p>c</p></div>",
        "<div><script>if (a<b) {}</script><p>a</p><!-- no --><noscript><img src='/n.jpg'></noscript><p>b</p></div>",
        "<DIV><P>Upper case.</P><P>So</DIV>",
        "<div><table align=right><tr><td><img src='/a.jpg'><p>Beside.</p></td></tr></table><p>Text.</p></div>",
        "<div><table><tbody><tr><td>A <b>cell</b>.</td></tr><tr><td><p>B.</p></td></tr></tbody></table>Text.</div>",
        "<div><p>x</p></b></span><p>y</p></div>",
        "<div><a href='/t'><div>block in a link</div></a><p>z</p></div>",
        "<div><picture><source srcset='/big.jpg 900w, /s.jpg 100w'><img src=''></picture><p>t</p></div>",
    ],
)
def test_plain_html_goes_the_quick_way(fragment: str) -> None:
    assert same(fragment)


@pytest.mark.parametrize(
    "fragment",
    [
        "<div><table><tr><th>a</th><td>b</td></tr></table></div>",
        "<div><pre>a\n  b</pre></div>",
        "<div><p><b>over</p><p>lap</b></p></div>",
        "<div><p title='a>b' data-x=\"1\">c</p><ruby>a<rt>b</rt></ruby></div>",
        "<div>never closed <section>",
        "<div>3 < 4</div>",
    ],
)
def test_other_html_goes_the_long_way(fragment: str) -> None:
    assert not same(fragment)


_INLINE = ["b", "i", "em", "strong", "span", "a href='/x'", "sup", "code", "u"]
_BLOCKS = [
    "p",
    "div",
    "h2",
    "h3",
    "ul",
    "ol",
    "li",
    "blockquote",
    "section",
    "figure",
    "figcaption",
    "p class='caption'",
]
_text = st.sampled_from(["one", " two ", "three four", "&amp;", "&nbsp;", "\n", " ", "5 &lt; 6", "ünï", "שלום", "“q”"])
_void = st.sampled_from(
    ["<br>", "<br/><br>", "<hr>", "<img src='/p.jpg' alt='x'>", "<img src=/q.png width=1>", "<!-- c -->"]
)


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(_INLINE + _BLOCKS), st.lists(inner, max_size=4), st.booleans()).map(
        lambda made: (
            f"<{made[0]}>{''.join(made[1])}"
            + ("" if made[2] and made[0] in ("p", "li") else f"</{made[0].split()[0]}>")
        )
    )


_fragment = st.recursive(_text | _void, _element, max_leaves=30).map(lambda inside: f"<div>{inside}</div>")


@given(_fragment)
@settings(max_examples=400, deadline=None)
def test_both_ways_give_the_same(fragment: str) -> None:
    same(fragment)


def _pages() -> list[Path]:
    return sorted((newspaper.path() / "html").rglob("*.html"))


def test_every_part_of_the_newspaper_reads_the_same_both_ways() -> None:
    quick = tried = 0
    for file in _pages():
        page = Page(file.read_bytes())
        elements = page.elements
        held = np.flatnonzero((elements.last - elements.first >= 3) & (elements.depth > 2))
        for element in held[:: max(1, len(held) // 8)].tolist():
            tried += 1
            quick += same(page.source[int(elements.start[element]) : int(elements.end[element])])
    assert tried > 200
    assert quick > 0.4 * tried  # else the quick way would not be worth having
