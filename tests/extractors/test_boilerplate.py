"""What gets into a choice and is no part of it (`extractors.learned.boilerplate`)."""

from __future__ import annotations

import numpy as np
import pytest

import tidings
from tidings.extractors.learned.boilerplate import cards, is_data, is_said_before
from tidings.extractors.learned.seen_blocks import SeenBlocks, VisibleBlocks
from tidings.page import Page
from tidings.page.columns import Bools

POST = "Has anybody tried to mend the pump of the old ferry with parts of the new one?"
ANSWER = "I did, and it ran for two winters before the seal gave way again."


def _found(page: Page) -> tuple[VisibleBlocks, Bools]:
    seen = SeenBlocks(page)
    return VisibleBlocks(seen.blocks, seen.words, seen.dates), np.ones(seen.count, np.bool_)


@pytest.mark.parametrize(("kind", "kept"), [("forum", [0, 1]), ("product", [0, 1]), ("documentation", [0, 1, 2, 3])])
def test_what_was_said_before_is_left_out_on_some_kinds_of_pages(kind: str, kept: list[int]) -> None:
    page = Page(f"<p>{POST}</p><p>{ANSWER}</p><blockquote><p>{POST.upper()}</p></blockquote><p>{ANSWER}\n</p>")
    found, chosen = _found(page)
    assert np.flatnonzero(~is_said_before(page, kind, found, chosen)).tolist() == kept


def test_short_lines_and_what_was_not_chosen_may_be_said_again() -> None:
    page = Page(f"<p>{POST}</p><p>Thank you all.</p><p>{POST}</p><p>Thank you all.</p>")
    found, chosen = _found(page)
    chosen[0] = False
    assert not is_said_before(page, "forum", found, chosen).any()


def test_a_story_that_the_page_shows_twice_is_read_once() -> None:
    lines = [
        f"The {word} boat came back to the harbour before the storm broke over it." for word in "red old new".split()
    ]
    story = "".join(f"<p>{line}</p>" for line in lines * 2)
    page = Page(f"<div class=desk>{story}</div><div class=phone>{story}</div>")
    found, chosen = _found(page)
    assert np.flatnonzero(~is_said_before(page, "article", found, chosen)).tolist() == [0, 1, 2]


def test_a_line_that_comes_back_in_a_story_stays() -> None:
    others = "".join(
        f"<p>Wardens counted {n} pups on the shore, which is more than ever before.</p>" for n in range(40)
    )
    page = Page(f"<p>{POST}</p>{others}<p>{POST}</p>")
    found, chosen = _found(page)
    assert not is_said_before(page, "article", found, chosen).any()


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


def test_data_of_a_script_that_ended_early_is_no_text() -> None:
    data = ", ".join(f'"key{n}": "value {n}"' for n in range(12))
    page = Page(f"<p>{POST}</p><div>{{{data}}}</div><pre>{{{data}}}</pre>")
    found, chosen = _found(page)
    assert is_data(page, found, chosen).tolist() == [False, True, False]
