"""HTML from elsewhere, made fit to be shown: cleaned once more, links and pictures led where they may go.

The HTML that comes in has been made from blocks and sanitised before; it is parsed and serialised again here, as a
parser would see it in the end (HOSTILE 23: mutations show up only on the second reading).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import nh3
from markupsafe import Markup

from tidings.article import Article, Kind, Options, render
from tidings.article.formats.as_html import ATTRIBUTES, TAGS
from tidings.fields.addresses import safe as safe_link
from tidings.news.web.app_state import App
from tidings.news.web.pictures import picture_at
from tidings.text import fold_space

_WITH_PICTURES: Final = Options(images=True)
#: The headline is looked for among so many blocks, with so many characters above it, and so many beside it.
_HEAD_BLOCKS: Final = 6
_ABOVE: Final = 160
_BYLINE: Final = 90


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
    """As it stands below its title: without the headline at its beginning, and with no other heading of that rank.

    What a page shows above its headline, such as the way to its section, and the line below it that names who wrote
    it and when, stand in the head of the article already.
    """
    above = _above_text(article)
    images = tuple(replace(one, place=max(0, one.place - above)) if one.place else one for one in article.images)
    lower = (
        replace(one, level=2) if one.kind is Kind.HEADING and (one.level or 1) < 2 else one for one in article.blocks
    )
    return replace(article, blocks=tuple(lower)[above:], images=images)


def _above_text(article: Article) -> int:
    """How many blocks at the beginning are the headline and what stands around it."""
    title = fold_space(article.title)
    before = 0
    for place, block in enumerate(article.blocks[:_HEAD_BLOCKS]):
        first, _, byline = block.text.strip().partition("\n")
        if title and fold_space(first) == title and len(byline) <= _BYLINE:
            return place + 1
        before += len(block.text)
        if before > _ABOVE or block.image is not None:
            break
    return 0


def _attributes() -> dict[str, set[str]]:
    return {name: set(allowed) for name, allowed in ATTRIBUTES.items()}


def body(app: App, found: Article) -> Markup:
    """The text of an article as HTML that can be put into a page."""

    def picture(address: str) -> str | None:
        return picture_at(app, address) or None

    return Markup(safe(render(below_title(found), "html", _WITH_PICTURES), link=safe_link, picture=picture))  # noqa: S704  # nh3


def lead(app: App, found: Article) -> str:
    """Where the picture above the text comes from; empty where the text shows it anyway."""
    if found.image is None:
        return ""
    inside = {one.src for one in found.images} | {one.image.src for one in found.blocks if one.image is not None}
    return "" if found.image.src in inside else picture_at(app, found.image.src)
