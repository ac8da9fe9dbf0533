"""Headline, picture and teaser by nearness on the screen, with boxes written by hand (LBNEST I, II.A)."""

from __future__ import annotations

import pytest

from tidings.errors import BadParameter, NoLayout
from tidings.extractors.published.layout.relations import relations
from tidings.extractors.published.layout.text_box import BoxSize, LargestTextBox
from tidings.page import Page

from .drawn import by_hand

#: Two columns of two cards. The source has all pictures first, then all headlines, then all teasers, each in another
#: order: only the boxes tell what belongs together.
FRONT = """<body>
<img src=/bridge.jpg box="500 100 300 200"><img src=/seals.jpg box="0 100 300 200">
<img src=/ferry.jpg box="0 600 300 200">
<img src=/dot.gif box="310 100 10 10">
<h2><a href=/seals box="0 310 300 40">Grey seals return to the estuary</a></h2>
<h2><a href=/ferry box="0 810 300 40">The ferry sails again on Monday</a></h2>
<h2><a href=/bridge box="500 310 300 40">Council votes to reopen the bridge</a></h2>
<h2><a href=/tide box="500 600 300 40">A spring tide floods the lower quay</a></h2>
<a href=/sport box="0 0 60 20">Sport</a>
<p box="500 360 300 60">Cars may cross the harbour again from the first of May.</p>
<p box="0 860 300 60">Two boats will run between the islands every hour.</p>
<p box="0 360 300 60">Wardens counted forty pups on the sandbanks this week.</p>
<p box="0 1900 300 60">All rights are reserved by the publishers of this paper.</p>
</body>"""


def test_what_is_drawn_together_belongs_together() -> None:
    found = {one.address: one for one in relations(by_hand(FRONT))}
    assert list(found) == ["/seals", "/ferry", "/bridge", "/tide"]  # one word is no headline
    assert {address: one.picture for address, one in found.items()} == {
        "/seals": "/seals.jpg", "/ferry": "/ferry.jpg", "/bridge": "/bridge.jpg", "/tide": "",
    }  # fmt: skip
    assert found["/seals"].teaser.startswith("Wardens")
    assert found["/bridge"].teaser.startswith("Cars")
    assert found["/ferry"].teaser.startswith("Two boats")
    assert found["/tide"].teaser == ""  # the nearest teaser is another headline's, the rights are too far
    assert (found["/seals"].picture_distance, found["/seals"].teaser_distance) == (10, 10)


def test_what_is_far_belongs_to_nobody() -> None:
    assert all(not one.picture and not one.teaser for one in relations(by_hand(FRONT), farthest=5))
    assert relations(by_hand("<p box='0 0 10 10'>No headline is here</p>")) == ()
    with pytest.raises(BadParameter):
        relations(by_hand(FRONT), farthest=-1)
    with pytest.raises(NoLayout):
        relations(Page(FRONT))


def test_large_type_is_no_large_box() -> None:
    """A headline of 800 × 300 pixels, four paragraphs of 500 × 50: by ink it wins, by area the story."""
    paragraph = "The wardens counted forty pups this week. "
    story = "".join(f'<p box="100 {500 + 100 * at} 500 50">{paragraph}{at}</p>' for at in range(4))
    page = by_hand(
        f'<body><header box="100 100 800 300"><h1 box="100 100 800 300" type="90 700">Seals</h1></header>'
        f'<div box="100 450 600 500">{story}</div></body>'
    )
    assert LargestTextBox(size=BoxSize.INK)(page).text(page) == "Seals"
    assert LargestTextBox(size=BoxSize.AREA)(page).text(page).count("wardens") == 4
