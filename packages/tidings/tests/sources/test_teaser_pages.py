"""Pages of headline, teaser and "Full story" (LBNEST fig. 5), in five kinds of markup with four kinds of addresses."""

from __future__ import annotations

import pytest

from tidings.page import Page
from tidings.sources import BEST, LBNEST, Chain, front_page, shares_letter_pairs

STORIES = (
    (
        "Ferry line to the islands reopens after repairs",
        "The first boat left on Monday with forty passengers and a brass band on board.",
    ),
    (
        "Council votes to move the Saturday market",
        "From June the stalls will stand behind the old station, where there is more room for lorries.",
    ),
    (
        "Seals counted in the estuary for the first time",
        "Two wardens with a drone saw three hundred and twelve animals on the northern bank.",
    ),
    (
        "Rain closes the coast road for a second week",
        "Engineers say that the slope above the bends is still moving by a hand every day.",
    ),
    (
        "School choir wins the regional contest",
        "Thirty children from Anselm sang two songs that their teacher had written in winter.",
    ),
    (
        "Old lighthouse is for sale to whoever keeps it lit",
        "The port asks for one crown, a plan for the roof, and somebody who lives in the tower.",
    ),
)
MENU = "".join(
    f'<li><a href="/{one}/">{one.title()}</a></li>' for one in "home news sport culture about contact".split()
)
ADDRESSES = {
    "slugs": [f"/news/2026/03/{'-'.join(head.lower().split())}" for head, _ in STORIES],
    "queries": [f"/story.asp?id={4711 + at}" for at in range(len(STORIES))],
    "numbers": [f"/a/{17 + at}" for at in range(len(STORIES))],
    "pages": [f"/page{at + 1}.html" for at in range(len(STORIES))],
}


def _cards(inner: str) -> str:
    return f"<html lang=en><head><title>The Anselm Courier</title></head><body><ul>{MENU}</ul>{inner}</body></html>"


def _divs(stories: list[tuple[str, str, str]]) -> str:
    return (
        "<div id=main>"
        + "".join(
            f'<div class="card"><h2>{head}</h2><p>{teaser}</p><p><a href="{to}">Full story</a></p></div>'
            for head, teaser, to in stories
        )
        + "</div>"
    )


def _list(stories: list[tuple[str, str, str]]) -> str:
    return (
        "<ul>"
        + "".join(f'<li><b>{head}</b><br>{teaser} <a href="{to}">Read more</a></li>' for head, teaser, to in stories)
        + "</ul>"
    )


def _table(stories: list[tuple[str, str, str]]) -> str:
    return (
        "<table>"
        + "".join(
            f'<tr><td><img src="/i.jpg" width=90 height=60></td><td><font size=4><b>{head}</b></font><br>'
            f'<font size=2>{teaser}</font> <a href="{to}"><i>Full Story...</i></a></td></tr>'
            for head, teaser, to in stories
        )
        + "</table>"
    )


def _flat(stories: list[tuple[str, str, str]]) -> str:
    return (
        "<div>"
        + "".join(
            f'<h3>{head}</h3><p>{teaser}</p><p><a href="{to}">Continue reading</a></p>' for head, teaser, to in stories
        )
        + "</div>"
    )


def _definitions(stories: list[tuple[str, str, str]]) -> str:
    return (
        "<dl>"
        + "".join(f'<dt>{head}</dt><dd>{teaser} <a href="{to}">more »</a></dd>' for head, teaser, to in stories)
        + "</dl>"
    )


MARKUP = {"divs": _divs, "list": _list, "table": _table, "flat": _flat, "definitions": _definitions}


@pytest.mark.parametrize("chain", [BEST, LBNEST], ids=["default", "lbnest"])
@pytest.mark.parametrize("addresses", ADDRESSES)
@pytest.mark.parametrize("markup", MARKUP)
def test_every_card_is_a_link_with_its_own_headline_and_teaser(markup: str, addresses: str, chain: Chain) -> None:
    where = ADDRESSES[addresses]
    html = _cards(MARKUP[markup]([(head, teaser, to) for (head, teaser), to in zip(STORIES, where, strict=True)]))
    found = front_page(Page(html, "https://courier.example/"), chain)
    told = [(link.canonical_url, link.title, link.teaser) for link in found.links]
    assert told == [
        (f"https://courier.example{to}", head, teaser) for (head, teaser), to in zip(STORIES, where, strict=True)
    ]
    assert all(link.verify for link in found.links)


def test_a_story_shares_letter_pairs_with_its_own_teaser_only() -> None:
    stories = [
        f"{head}\n{teaser} More was said about it in the evening by those who had come." for head, teaser in STORIES
    ]
    for at, (_, teaser) in enumerate(STORIES):
        assert [shares_letter_pairs(teaser, text, "en") for text in stories] == [place == at for place in range(6)]
    assert not shares_letter_pairs("", stories[0], "en")
    assert not shares_letter_pairs(STORIES[0][1], "", "en")
