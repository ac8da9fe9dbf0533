"""A cut piece of a page as blocks, without what its site repeats."""

from __future__ import annotations

from itertools import accumulate

import pytest

from tidings.article.blocks.body import Body
from tidings.page.style_sheet import style_sheet
from tidings.sites.extraction.body import CutBody
from tidings.sites.extraction.fragment import read
from tidings.sites.extraction.repeated_texts import hash_of

BASE = "https://post.example/2026/story"
STORY = (
    "<div><p>Subscribe now!</p><p>A story of some length, long enough to be kept.</p><img src=/quay.jpg>"
    "<ul><li>one<li>two<li><a href=/3>three</a></ul>"
    "<table><tr><td>a<td>b<tr><td>c</table><p>The end of the story, and it was a good one.</p></div>"
)


@pytest.mark.parametrize("out", [(0,), (2, 3), (5,), (0, 3, 5)])
def test_noise_is_left_out_and_pictures_move_up(out: tuple[int, ...]) -> None:
    whole = read(STORY, BASE)
    assert len(whole.blocks) == 7
    body = CutBody.of(STORY, BASE, frozenset(hash_of(whole.blocks[place].text) for place in out))
    left = [block for place, block in enumerate(whole.blocks) if place not in out]
    assert list(body.blocks) == left
    assert len(body.hashes) == 7
    (before,), (image,) = whole.images, body.images
    kept_before = [0, *accumulate(place not in out for place in range(7))]
    assert (before.place, image.place) == (2, kept_before[2])


def test_what_is_mostly_noise_is_the_same_story_again() -> None:
    whole = read(STORY, BASE)
    body = CutBody.of(STORY, BASE, frozenset(hash_of(block.text) for block in whole.blocks))
    assert body.blocks == whole.blocks


def test_characters_and_those_in_links_are_counted() -> None:
    body = CutBody.of("<p>four <a href=/x>five5</a></p><table><tr><th>a<td>bc</table>", BASE, frozenset())
    assert (body.size, body.linked) == (13, 5)
    assert body.link_share == 5 / 13


def test_what_the_page_hides_is_no_text_though_it_be_most_of_the_piece() -> None:
    piece = f"<p>seen</p><p class=x>{'unseen ' * 200}</p>"
    assert len(read(piece, BASE).blocks) == 2
    (block,) = read(piece, BASE, style_sheet(".x { display: none }")).blocks
    assert block.text == "seen"


def test_blank_pieces_have_no_blocks() -> None:
    assert read("", BASE) == read(" \n", BASE) == Body((), ())
