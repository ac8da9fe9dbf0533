"""A page's source that asks for nothing and runs nothing, and keeps its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.soup import soup, tagged, words
from tests.support import Growth
from tidings import Page
from tidings.page.draw import inert


@pytest.mark.parametrize(
    ("source", "inside"),
    [
        ("<p>a</p><script>if (a</b) x()</script><p>b</p>", "<p>a</p> <p>b</p>"),
        ("<p>a</p><SCRIPT src=x>never closed", "<p>a</p> "),
        ("<scr<script></script>ipt src=x>", "<scr ipt src=x>"),
        ("<iframe src=x>y</IFRAME>", "<no-iframe src=x>y</no-IFRAME>"),
        ("<link rel=preconnect href=x><img src=x>", "<wbr rel=preconnect href=x><wbr src=x>"),
        ('<meta http-equiv=refresh content="0;url=x">', '<wbr http-equiv=refresh content="0;url=x">'),
        ("<style>@import 'x'; p{background:url( x )}</style>", "<style>@no-import 'x'; p{background:url(#x )}</style>"),
        ("<p style=\"background:URL('x')\">url(x)</p>", "<p style=\"background:url(#'x')\">url(x)</p>"),
        ("<style>p{background:url(data:image/png,x)}</style>", "<style>p{background:url(data:image/png,x)}</style>"),
        ("<header>images used</header>", "<header>images used</header>"),
    ],
)
def test_what_becomes_of_it(source: str, inside: str) -> None:
    assert inert(source) == inside


@given(st.lists(st.sampled_from(("<p>", "word ", "</p>", "<b>", "</b>", "<img>", "<link>", "<ul><li>")), max_size=30))
def test_the_text_stays(pieces: list[str]) -> None:
    source = "<p>first</p>" + "".join(pieces)
    assert Page(inert(source)).text.split() == Page(source).text.split()


@given(soup(*tagged(["script", "style", "iframe", "img", "p"]), words))
def test_once_is_enough(source: str) -> None:
    once = inert(source)
    assert inert(once) == once


@pytest.mark.parametrize("piece", ["<script ", "<style ", " style='", "<style>url( ", "<iframe", "<div style='url("])
def test_growth(growth: Growth, piece: str) -> None:
    assert growth(lambda: inert(piece * 50_000), lambda: inert(piece * 200_000)) < 8
