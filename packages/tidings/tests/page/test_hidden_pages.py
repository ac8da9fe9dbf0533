"""Hidden text of made-up pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page.properties import check_columns
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


declarations = st.lists(st.sampled_from(CSS), max_size=8).map(";".join) | st.lists(st.sampled_from(CSS)).map("".join)
rules = st.builds("{}{{{}}}".format, st.sampled_from(SELECTORS), declarations)
sheets = st.lists(rules | declarations, max_size=8).map("".join)
starts = st.builds(
    str.format, st.sampled_from(TAGS), declarations.map(lambda said: said.replace("'", "").replace('"', ""))
)


@given(sheets, st.lists(starts | st.just("</p>") | st.just("</span>") | st.just("words "), max_size=12))
def test_columns_of_pages_with_style_sheets_fit_together(css: str, pieces: list[str]) -> None:
    check_columns(Page(f"<style>{css}</style>" + "text".join(pieces) + "the end"))


@pytest.mark.parametrize(
    ("attribute", "opener", "seen", "is_revealed"),
    [
        ("class=a", "", 30, True),
        ("class=a", "", 3000, False),
        ("class='sr-only'", "", 30, True),
        ("class='sr-only'", "", 3000, False),
        ("class=a", "<b aria-expanded=false>", 3000, True),
        ("class='sr-only'", "<b aria-expanded=false>", 3000, True),
        ("hidden", "", 30, False),
        ("hidden", "<b aria-expanded=false>", 3000, False),
        ("style='font-size:0'", "", 30, False),
        ("style='font-size:0'", "<b aria-expanded=false>", 3000, False),
    ],
)
def test_hidden_boxes_are_revealed_if_a_script_shows_them(
    attribute: str, opener: str, seen: int, is_revealed: bool
) -> None:
    boxes = "".join(f"{opener}<div {attribute}>{'words ' * 90}<a href=x>link</a></div>" for _ in range(4))
    page = Page(f"<style>.a{{display:none}}</style>{boxes}<p>{'seen ' * seen}")
    assert bool(page.revealed) == is_revealed


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
def test_what_the_page_says_it_shows_is_seen(source: str, is_seen: bool) -> None:
    around = "<p>before</p>{}<p>behind</p>" + "<p>long</p>" * 1000  # what is hidden is not most of it
    page = Page(around.format(source))
    assert ("inside" in page.visible.words(page)) == is_seen


def test_an_end_tag_does_not_end_a_hidden_element_through_a_paragraph() -> None:
    page = Page("<div><span class=sr-only><p>hidden</span>hidden too</p>more</div><p>seen")
    assert page.visible.words(page) == ["seen"]
