"""What gets into a choice and is no part of it (`extractors.learned.boilerplate`)."""

from __future__ import annotations

import numpy as np
import pytest

import tidings
from tidings.extractors.learned.blocks import VisibleBlocks, visible_blocks
from tidings.extractors.learned.boilerplate import cards, consent_dialogues, is_repeated, script_data
from tidings.page import Page, Spans
from tidings.page.columns import Bools

POST = "Has anybody tried to mend the pump of the old ferry with parts of the new one?"
THANKS = "Thank you for the answer."
ANSWER = "I did, and it ran for two winters before the seal gave way again."


def _all_selected(page: Page) -> tuple[VisibleBlocks, Bools]:
    visible = visible_blocks(page)
    return visible, np.ones(len(visible.blocks), np.bool_)


@pytest.mark.parametrize(
    ("kind", "expected"), [("forum", [0, 1, 2]), ("product", [0, 1, 2]), ("documentation", [0, 1, 2, 3, 4, 5])]
)
def test_what_was_said_before_is_left_out_on_some_kinds_of_pages(kind: str, expected: list[int]) -> None:
    post = f"<p>{POST}</p><p>{ANSWER}</p><p>{THANKS}</p>"
    page = Page(f"{post}<blockquote><p>{POST.upper()}</p></blockquote><p>{ANSWER}\n</p><p>{THANKS}</p>")
    visible, chosen = _all_selected(page)
    assert np.flatnonzero(~is_repeated(page, kind, visible, chosen)).tolist() == expected


def test_short_lines_and_what_was_not_chosen_may_be_said_again() -> None:
    page = Page(f"<p>{POST}</p><p>Thank you all.</p><p>{POST}</p><p>Thank you all.</p>")
    found, chosen = _all_selected(page)
    chosen[0] = False
    assert not is_repeated(page, "forum", found, chosen).any()


def test_a_story_that_the_page_shows_twice_is_read_once() -> None:
    lines = [
        f"The {word} boat came back to the harbour before the storm broke over it." for word in "red old new".split()
    ]
    lines += [line.replace("before", "after") for line in lines]
    story = "".join(f"<p>{line}</p>" for line in lines)
    page = Page(f"<div class=desk>{story}</div><div class=phone>{story}</div>")
    found, chosen = _all_selected(page)
    assert np.flatnonzero(~is_repeated(page, "article", found, chosen)).tolist() == [0, 1, 2, 3, 4, 5]


def test_a_line_that_comes_back_in_a_story_stays() -> None:
    others = "".join(
        f"<p>Wardens counted {n} pups on the shore, which is more than ever before.</p>" for n in range(40)
    )
    page = Page(f"<p>{POST}</p>{others}<p>{POST}</p>")
    found, chosen = _all_selected(page)
    assert not is_repeated(page, "article", found, chosen).any()


@pytest.mark.parametrize(
    "card",
    [
        '<span role="tooltip">{}</span>',
        "<div class='note tooltip-content'>{}</div>",
        "<span class=hovercard__body>{}</span>",
        '<div class="c-Tool-Tip_Text">{}</div>',
    ],
)
def test_a_card_that_a_pointer_opens_is_no_text(card: str) -> None:
    note = "A sandbank is a ridge that the tide uncovers."
    story = "".join(
        f"<p>Wardens counted {n} pups on the shore at dawn, more than ever before.</p>" for n in range(20, 30)
    )
    line = f"<p>They lay on the <a class=tooltip-trigger>sandbank</a>{card.format(note)} until the tide came in.</p>"
    found = tidings.extract(f"<title>Seals return</title><article><h1>Seals return</h1>{story}{line}{story}</article>")
    assert "the sandbank" in found.text
    assert "until the tide came in." in found.text
    assert "ridge" not in found.text


@pytest.mark.parametrize(
    "box",
    ['<body class="has-tooltips">{}', '<div class="tooltip">{}</div>', f'<div role="tooltip">{{}}{POST * 10}</div>'],
)
def test_what_merely_has_cards_is_none(box: str) -> None:
    assert not cards(Page(box.format(f"<p>{POST}</p>")))


DIALOGUE = "".join(
    f"<h3>Cookies of group {n}</h3><p>We and our partners store cookies of this group on your device to measure how"
    f" many people read our pages, and share what we learn with {n} companies that we work with.</p>"
    for n in range(12, 20)
)


@pytest.mark.parametrize(
    "box",
    [
        '<div id="onetrust-consent-sdk"><div class="ot-sdk-row">{}</div></div>',
        "<section class='site cookie-consent-dialog'>{}</section>",
        '<div class="CookiePreferences_Popup_content">{}</div>',
        '<div role=dialog aria-label="Cookie banner">{}</div>',
        "<aside id=gdpr-modal>{}</aside>",
        '<div class="modal" role="dialog">{}</div>',
        "<dialog open>{}</dialog>",
        '<div class="l-modal_content">{}</div>',
    ],
)
def test_a_consent_dialogue_is_no_part_of_the_article(box: str) -> None:
    story = "".join(f"<p>The seals return: wardens counted {n} pups on the shore at dawn.</p>" for n in range(20, 30))
    article = f"<article><h1>Seals return</h1>{story}{box.format(DIALOGUE)}</article>"
    found = tidings.extract(f"<title>Seals return</title>{article}")
    assert "29 pups" in found.text
    assert "cookies" not in found.text


@pytest.mark.parametrize(
    "box",
    [
        "<body class=cookie-banner-open>{}",
        '<div class="cookie-notice-shown"><h1>Seals return</h1>{}</div>',
        '<div class="recipe-cookie">{}</div>',
        '<section class="informed-consent">{}</section>',
        '<p class="cookie-notice">{}</p>',
        '<div class="modal" role="dialog">{}</div>',
    ],
)
def test_what_merely_names_consent_is_no_dialogue(box: str) -> None:
    page = Page(box.format(f"<p>{POST} It sells cookies.</p>"))
    assert not consent_dialogues(page, Spans.all(len(page.text)))


def test_data_of_a_script_that_ended_early_is_no_text() -> None:
    data = ", ".join(f'"key{n}": "value {n}"' for n in range(12))
    page = Page(f"<p>{POST}</p><div>{{{data}}}</div><pre>{{{data}}}</pre>")
    found, chosen = _all_selected(page)
    blocks, ends = script_data(page, found, chosen)
    assert blocks.tolist() == [False, True, False]
    assert not ends
