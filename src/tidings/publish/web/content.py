"""HTML from elsewhere, made fit to be shown: cleaned once more, links and pictures led where they may go.

The HTML that comes in has been made from blocks and sanitised before; it is parsed and serialised again here, as a
parser would see it in the end (HOSTILE 23: mutations show up only on the second reading).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import nh3

from tidings.article import Article, Kind
from tidings.article.formats.as_html import ATTRIBUTES, TAGS
from tidings.text import fold_space


def safe(html: str, *, link: Callable[[str], str | None], picture: Callable[[str], str | None]) -> str:
    """A fragment that can be put into a page.

    Args:
        html: what an article was rendered as.
        link: where a link leads instead; None drops it.
        picture: where a picture comes from instead; None drops it.
    """

    def lead(tag: str, attribute: str, value: str) -> str | None:
        if (tag, attribute) == ("a", "href"):
            return link(value)
        return picture(value) if (tag, attribute) == ("img", "src") else value

    return nh3.clean(
        nh3.clean(html, tags=set(TAGS), attributes=_attributes(), url_schemes={"http", "https", "mailto"}),
        tags=set(TAGS),
        attributes=_attributes(),
        url_schemes={"http", "https", "mailto"},
        attribute_filter=lead,
        link_rel="noopener noreferrer nofollow",
    )


def below_title(article: Article) -> Article:
    """As it stands below its title: without the headline at its beginning, and with no other heading of that rank."""
    blocks, images = article.blocks, article.images
    if blocks and blocks[0].kind is Kind.HEADING and fold_space(blocks[0].text) == fold_space(article.title):
        blocks = blocks[1:]
        images = tuple(replace(one, place=one.place - 1) if one.place else one for one in images)
    lower = (replace(one, level=2) if one.kind is Kind.HEADING and (one.level or 1) < 2 else one for one in blocks)
    return replace(article, blocks=tuple(lower), images=images)


def _attributes() -> dict[str, set[str]]:
    return {name: set(allowed) for name, allowed in ATTRIBUTES.items()}
