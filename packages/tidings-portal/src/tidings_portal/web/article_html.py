"""Article text as safe HTML: sanitised with nh3, with pictures through the proxy and links restricted.

The HTML was rendered from blocks and sanitised before. Parsing and serialising it once more exposes markup that only
becomes dangerous on a second parse (mutation XSS, HOSTILE 23).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import nh3
from markupsafe import Markup

from tidings.article import Article, Kind, Options, render
from tidings.article.formats.as_html import ATTRIBUTES, TAGS
from tidings.fields.urls.sanitise import safe as safe_link
from tidings.text import fold_space
from tidings_portal.web.app_state import App
from tidings_portal.web.pictures import picture_at

_WITH_PICTURES: Final = Options(images=True)
#: Where to look for the headline: in the first blocks, below at most `_ABOVE` characters, in a block that has at most
#: `_BYLINE` more.
_HEAD_BLOCKS: Final = 6
_ABOVE: Final = 160
_BYLINE: Final = 90


def safe(html: str, *, link: Callable[[str], str | None], picture: Callable[[str], str | None]) -> str:
    """Sanitise HTML and return it with rewritten links and pictures.

    Args:
        html: the rendered article.
        link: returns the new URL of a link; None drops it.
        picture: returns the new URL of a picture; None drops it.
    """

    def rewrite(tag: str, attribute: str, value: str) -> str | None:
        if (tag, attribute) == ("a", "href"):
            return link(value)
        return picture(value) if (tag, attribute) == ("img", "src") else value

    return nh3.clean(
        nh3.clean(html, tags=set(TAGS), attributes=_attributes(), url_schemes={"http", "https", "mailto"}),
        tags=set(TAGS),
        attributes=_attributes(),
        url_schemes={"http", "https", "mailto"},
        attribute_filter=rewrite,
        link_rel="noopener noreferrer nofollow",
    )


def below_title(article: Article) -> Article:
    """Return an article without the headline in its text, and with headings of level 2 at most.

    A breadcrumb above the headline and a byline below it are removed too: the page shows both in its header.
    """
    above = _headline_blocks(article)
    images = tuple(replace(one, place=max(0, one.place - above)) if one.place else one for one in article.images)
    lower = (
        replace(one, level=2) if one.kind is Kind.HEADING and (one.level or 1) < 2 else one for one in article.blocks
    )
    return replace(article, blocks=tuple(lower)[above:], images=images)


def _headline_blocks(article: Article) -> int:
    """Return the number of blocks up to and including the headline, or 0 if the text has none."""
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


def body(app: App, article: Article) -> Markup:
    """Return the text of an article as safe HTML."""

    def picture(address: str) -> str | None:
        return picture_at(app, address) or None

    return Markup(safe(render(below_title(article), "html", _WITH_PICTURES), link=safe_link, picture=picture))  # noqa: S704  # nh3


def lead(app: App, article: Article) -> str:
    """Return the URL of the picture above the text, or an empty string if the text contains it."""
    if article.image is None:
        return ""
    inside = {image.src for image in article.images}
    inside |= {block.image.src for block in article.blocks if block.image is not None}
    return "" if article.image.src in inside else picture_at(app, article.image.src)
