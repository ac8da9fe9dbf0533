"""Text nobody sees is in the page, marked, and not in what is visible (HOSTILE 19)."""

from __future__ import annotations

import pytest

from tidings.page import Page, Spans

SEEN, UNSEEN = "seen", "unseen"


def shows(html: str) -> bool:
    """Whether the word `unseen` is visible; the word `seen` must always be."""
    page = Page(html)
    words = page.visible.words(page)
    assert SEEN in words
    assert UNSEEN in page.text.split(), "hidden text stays in the text"
    assert page.runs.words[page.runs.hidden].sum() == (UNSEEN not in words), "and is counted"
    return UNSEEN in words


@pytest.mark.parametrize(
    "attribute",
    [
        "hidden",
        "HIDDEN",
        'hidden=""',
        "hidden=hidden",
        "aria-hidden=true",
        'aria-hidden=" TRUE "',
        'style="display:none"',
        'style="color:red; DISPLAY : None !important"',
        "style=display:none",
        'style="visibility:hidden"',
        'style="visibility: collapse"',
        'style="opacity:0"',
        'style="opacity: 0.00;"',
        'style="opacity:0%"',
        'style="font-size:0"',
        'style="font-size: 0px"',
        'style="position:absolute;left:-9999px"',
        'style="position:absolute; top: -1000em"',
        'style="text-indent:-9999px"',
        'style="margin-left:-99999px"',
        'style="position:absolute;clip: rect(0,0,0,0)"',
        'style="position:fixed;clip:rect(1px, 1px, 1px, 1px)"',
        'style="color:#fff"',
        "hidden=until-found",
        "popover",
        'style="clip-path: inset(50%)"',
        'style="color:white;background:white"',
        'style="color:#fff;background-color:#FFFFFF"',
        'style="background:#ffffff;color:white"',
        'style="color:rgb(255, 255, 255);background:#fff"',
        'style="color:#eee;background-color:#eee"',
        'class="sr-only"',
        'class="a SR-only b"',
        'class="visually-hidden"',
        'class="visuallyhidden"',
        'class="screen-reader-text"',
    ],
)
@pytest.mark.parametrize("name", ["p", "span", "td", "x-y"])
def test_hidden_by_its_tag(attribute: str, name: str) -> None:
    cell = f"<{name} {attribute}>{UNSEEN}</{name}>"
    inside = f"<table><tr>{cell}</table>" if name == "td" else cell
    assert not shows(f"<p>{SEEN}</p>{inside}")


@pytest.mark.parametrize(
    "attribute",
    [
        "aria-hidden=false",
        "data-hidden",
        'style="display:block"',
        'style="opacity:0.5"',
        'style="opacity:01"',
        'style="font-size:0.8em"',
        'style="visibility:visible"',
        'style="left:-5px"',
        'style="text-indent:-2em"',
        'style="margin-top:-10px"',
        'style="color:white;background:black"',
        'style="background:#fff"',
        'style="color:inherit;background:inherit"',
        'style="clip:auto"',
        'class="not-sr-only-at-all"',
        'class="hidden-gem"',
        'title="display:none hidden sr-only"',
    ],
)
def test_not_hidden_by_what_only_looks_like_it(attribute: str) -> None:
    assert shows(f"<p>{SEEN}</p><p {attribute}>{UNSEEN}</p>")


@pytest.mark.parametrize(
    "name", ["template", "noscript", "object", "applet", "audio", "video", "canvas", "dialog", "meter"]
)
def test_hidden_by_its_kind(name: str) -> None:
    assert not shows(f"<p>{SEEN}</p><{name}>{UNSEEN}</{name}>")


def test_options_are_hidden() -> None:
    assert not shows(f"{SEEN}<select><option>{UNSEEN}</select>")


def test_an_open_dialog_is_seen() -> None:
    assert shows(f"<p>{SEEN}</p><dialog open>{UNSEEN}</dialog>")


@pytest.mark.parametrize(
    "name", ["script", "style", "title", "textarea", "iframe", "noembed", "noframes", "svg", "datalist", "rt", "rp"]
)
def test_what_is_no_text_of_the_page_is_not_even_in_it(name: str) -> None:
    assert Page(f"<p>{SEEN}</p><{name}>{UNSEEN}</{name}>").text == SEEN


def test_what_is_inside_hidden_elements_is_hidden() -> None:
    assert not shows(f"<p>{SEEN}</p><div hidden><div><p><b>{UNSEEN}</b></div></div>")


def test_what_comes_behind_is_seen_again() -> None:
    assert not shows(f"<div hidden><p>{UNSEEN}</div><p>{SEEN}")


@pytest.mark.parametrize("name", ["html", "body"])
def test_a_page_hidden_as_a_whole_until_its_script_has_run_is_shown(name: str) -> None:
    assert shows(f'<{name} style="opacity:0">{SEEN} <b>{UNSEEN}</b>')


def test_shown_takes_the_hidden_text_out_of_spans_however_it_is_asked() -> None:
    html = "<p>a <b hidden>b</b> c</p><p hidden>d</p><p>e</p>"
    before, after = Page(html), Page(html)
    assert after.visible.words(after) == ["a", "c", "e"]
    everything = Spans.all(len(before.text))
    assert before.shown(everything).words(before) == ["a", "c", "e"]
    assert after.shown(everything) == before.shown(everything)


def test_a_block_is_hidden_when_all_of_it_is() -> None:
    page = Page("<p>a<b hidden>b</b></p><p hidden>c<b>d</b></p>")
    assert page.blocks.hidden.tolist() == [False, True]


@pytest.mark.parametrize("attribute", ["", "id=x", 'style=""', 'class=""', 'aria-hidden=""'])
def test_empty_attributes_hide_nothing(attribute: str) -> None:
    assert shows(f"<p>{SEEN}</p><p {attribute}>{UNSEEN}</p>")


def test_white_letters_are_visible_where_a_sheet_from_elsewhere_may_paint_the_ground() -> None:
    page = f"<p>{SEEN}</p><p style='color:#fff'>{UNSEEN}</p>"
    assert not shows(page)
    assert shows("<link rel=stylesheet href=/site.css>" + page)


@pytest.mark.parametrize("attribute", ['class="part"', 'class="part" style="display:none"'])
def test_parts_that_one_rule_hides_are_the_story_together_but_lists_to_choose_from_are_not(attribute: str) -> None:
    sheet = "<style>.part{visibility:hidden}</style>" if "style" not in attribute else ""
    part = f"<div {attribute}><p>{'told ' * 60}</p></div>"
    page = Page(f"{sheet}<p>menu</p>{part * 4}")
    assert page.visible.words(page).count("told") == 240
    assert len(page.revealed) > 0
    options = f"<select class=part>{'<option>told</option>' * 60}</select>"
    page = Page(f"<p>menu</p>{options * 4}")
    assert page.visible.words(page) == ["menu"]
    assert len(page.revealed) == 0
