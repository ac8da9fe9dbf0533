"""Hidden text of pages that the core scans, and of pages that Python scans and hands over: the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import needs_core
from tests.hidden_ways import HIDDEN, SHOWN, HidingWay
from tests.page.both_ways import assert_same
from tidings import Page

#: What style sheets and `style` attributes are made of, in any order.
CSS = (
    *"{ } ( ) ; : , . # * > ~ + [ ] \" ' \\ / ! @ % & - -- <!-- --> /* */ \n".split(" "),
    *"p .a .b #c p.a .a.b .\\61 .é h1 html body .fade-in .wow .aos-x .A P".split(),
    *"@media @supports @layer @container @import @keyframes @-webkit-keyframes rise screen print not only and".split(),
    *"(min-width:600px) (max-width:1px) (width>=300px) (prefers-color-scheme:dark) url(a;b)".split(),
    *"var(--x) var(--y,none)".split(),
    *"--x:none display:none display:block display:flex visibility:hidden visibility:visible".split(),
    *"opacity:0 opacity:.01".split(),
    *"font-size:0 font-size:1px font-size:.01em font-size:2em font:0/0 color:#fff color:red color:transparent".split(),
    *"background:white background:#fff background-color:rgb(255,255,255) background:url(x)".split(),
    *"-webkit-text-fill-color:red".split(),
    *"position:absolute left:-9999px left:-70em top:5px margin:-2000px inset:0 clip:rect(0,0,0,0)".split(),
    *"clip-path:inset(50%)".split(),
    *"transform:scale(0) translate:-9999px rotate:x scale:0 overflow:hidden height:0 max-height:0 width:1px".split(),
    *"padding-top:56% transition:all flex:1 text-indent:-9999px text-indent:100% animation:rise all:initial".split(),
    *"!important calc(0*1px) calc(-1*9999px) 1e999px content:'}' \u2003 \u00a0 \u0130 \u212a".split(),
)
SELECTORS = (
    "p",
    ".a",
    ".b",
    "#c",
    "p.a",
    ".a.b",
    ".a,.b",
    ".x .a",
    ".a:hover",
    "p > .a",
    ".a + p",
    "[class]",
    "p:has(.a)",
    "@media print",
    "@media screen",
    "",
)
TAGS = (
    "<p>", "<p class=a>", "<p class='a b'>", '<p class="b" id="c">', "<p id=c style='{}'>",
    '<div class="a" style="{}">',
    "<p hidden>", "<p hidden style='{}'>", "<p aria-hidden=true>", "<span class='sr-only'>",
    "<span class='x_sronly--y'>",
    "<b class='hidden md:block'>", "<b class='d-none d-lg-flex'>", "<b class='no-display'>", "<dialog open class=a>",
    "<template shadowrootmode=open>", "<noscript>", "<td class=a>", "<p class='&#97;'>", "<p class=\u0410>",
    "<x-y style='{}'>",
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _has_core() -> None:
    needs_core()


declarations = st.lists(st.sampled_from(CSS), max_size=8).map(";".join) | st.lists(st.sampled_from(CSS)).map("".join)
rules = st.builds("{}{{{}}}".format, st.sampled_from(SELECTORS), declarations)
sheets = st.lists(rules | declarations, max_size=8).map("".join)
starts = st.builds(
    str.format, st.sampled_from(TAGS), declarations.map(lambda said: said.replace("'", "").replace('"', ""))
)


@given(sheets, st.lists(starts | st.just("</p>") | st.just("</span>") | st.just("words "), max_size=12))
def test_made_up_pages_hide_the_same(css: str, pieces: list[str]) -> None:
    assert_same(f"<style>{css}</style>" + "text".join(pieces) + "the end")


@pytest.mark.parametrize("way", [*HIDDEN, *SHOWN], ids=lambda way: way.name)
def test_each_way_to_hide_is_seen_the_same(way: HidingWay) -> None:
    assert_same(f"{way.head}<p>before</p>{way.body.replace('{}', 'the sentence')}<p>behind</p>")


@pytest.mark.parametrize("attribute", ["hidden", "class=a", "class='sr-only'", "style='font-size:0'"])
@pytest.mark.parametrize("opener", ["", "<b aria-expanded=false>", "<i data-toggle=x>"])
def test_main_parts_are_revealed_the_same(attribute: str, opener: str) -> None:
    boxes = "".join(f"{opener}<div {attribute}>{'words ' * 90}<a href=x>link</a></div>" for _ in range(4))
    assert_same(f"<style>.a{{display:none}}</style>{boxes}<p>{'seen ' * 30}")
    assert_same(f"<style>.a{{display:none}}</style>{boxes}<p>{'seen ' * 3000}")


TAB = '<p><a role="tab" id="t" aria-controls="p">Tab</a></p>'
PANEL = '<div role="tabpanel" {} hidden>inside<pre>code</pre></div>'
STREAMED = "inside" + "<p>" + "words " * 30 + "</p>"


@pytest.mark.parametrize(
    ("source", "is_seen"),
    [
        (TAB + PANEL.format('id="p"'), True),
        (TAB + PANEL.format('aria-labelledby="x t"'), True),
        (TAB + "<div hidden><div role='tabpanel' id=p aria-hidden='true'>inside<pre>code</pre></div></div>", False),
        (TAB + PANEL.format('id="p"').replace("pre", "p"), False),
        (TAB + PANEL.format('id="q" aria-labelledby="q"'), False),
        (TAB + PANEL.format('id="p"').replace("tabpanel", "region"), False),
        (PANEL.format('id="p" aria-labelledby="t"'), False),
        (f"<div hidden>{TAB}</div>" + PANEL.format('id="p"'), False),
        (TAB.replace(">Tab<", "><") + PANEL.format('id="p"'), False),
        (f'<template id="B:1f"></template><div hidden id="S:1f">{STREAMED * 10}</div>', True),
        (f'<template id="B:1f"></template><div hidden id="S:1f">{STREAMED * 9}</div>', False),
        (f'<template id="B:1"></template><div hidden id="S:2">{STREAMED * 10}</div>', False),
        (f'<template id="B:x"></template><div hidden id="S:x">{STREAMED * 10}</div>', False),
        (f'<div hidden id="S:1">{STREAMED * 10}</div>', False),
    ],
)
def test_what_the_page_says_it_shows_is_seen_by_both(source: str, is_seen: bool) -> None:
    around = "<p>before</p>{}<p>behind</p>" + "<p>long</p>" * 1000  # what is hidden is not most of it
    assert_same(around.format(source))
    page = Page(around.format(source))
    assert ("inside" in page.visible.words(page)) == is_seen


def test_what_is_gone_is_so_between_its_tags() -> None:
    """An element may be left open inside a hidden one that ends: what follows belongs to it, and is seen."""
    assert_same("<div><span class=sr-only><p>hidden</span>seen</p>more</div>")
