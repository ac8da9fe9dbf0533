"""Pictures of articles, from here: nobody's browser asks another site, and what is sent can run nowhere.

The address of a picture is signed, so that this is no proxy for everything; it goes through the same guard as all that
is fetched. A URL may name several pictures: the first that can be loaded is sent. One that failed is left out of pages
for an hour.

HTML from elsewhere, made fit to be shown: cleaned once more, links and pictures led where they may go.

The HTML that comes in has been made from blocks and sanitised before; it is parsed and serialised again here, as a
parser would see it in the end (HOSTILE 23: mutations show up only on the second reading).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import nh3
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tidings.article import Article, Kind, Options, render
from tidings.article.formats.as_html import ATTRIBUTES, TAGS
from tidings.errors import FetchError
from tidings.fetch import Kind as FetchKind
from tidings.fetch import Request as Asked
from tidings.fields.addresses import safe as safe_link
from tidings.fields.addresses import safe_picture
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.headers import SANDBOX
from tidings.text import fold_space

#: How the kinds of pictures begin. What begins otherwise is none, whatever its header says.
_SIGNS: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb".{4}ftypavi[fs]", re.DOTALL), "image/avif"),
    (re.compile(rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,500}-->\s*)*<svg[\s>]"), "image/svg+xml"),
)
_DAY: Final = "private, max-age=86400, immutable"
_SOON: Final = "private, max-age=60"
#: Seconds that a picture, or that there is none, is remembered here.
_KEPT: Final = 3600.0
_MOST_PICTURES: Final = 4
_LONGEST_CODE: Final = 3000


def picture_at(app: App, *urls: str) -> str:
    """Return the portal's URL of the first of some pictures that can be loaded; empty if none may be loaded.

    Pictures that failed within the last hour are left out.
    """
    known = dict.fromkeys(url for url in map(safe_picture, urls) if url)
    left = [url for url in known if app.seen_pictures.peek(url, _KEPT) != b""][:_MOST_PICTURES]
    while left:
        joined = "\n".join(left)
        code = base64.urlsafe_b64encode(joined.encode("utf-8", "replace")).decode().rstrip("=")
        if len(code) < _LONGEST_CODE:
            return f"/picture/{app.sign('picture', joined)}/{code}"
        left.pop()
    return ""


async def picture(request: Request) -> Response:
    """A picture that a page of ours shows."""
    app = app_of(request)
    joined = _decoded(request.path_params["code"])
    if not app.is_signed("picture", joined, request.path_params["mark"]):
        raise HttpProblem(404, "missing_page")
    for url in joined.split("\n"):
        body: bytes | None = app.seen_pictures.peek(url, _KEPT)
        if body is None:
            body = await _fetched(app, url)
            app.seen_pictures.put(url, body)
        if body:
            headers = {"content-security-policy": SANDBOX, "cache-control": _DAY}
            return Response(body, media_type=media_type(body), headers=headers)
    return Response(status_code=404, headers={"content-security-policy": SANDBOX, "cache-control": _SOON})


async def _fetched(app: App, address: str) -> bytes:
    """Fetch a picture; empty if there is none."""
    outcome = await app.pictures.fetch(Asked(address, FetchKind.PICTURE))
    if isinstance(outcome, FetchError) or outcome.status != 200:
        return b""
    return outcome.body if media_type(outcome.body) else b""


def media_type(body: bytes) -> str:
    """What kind of picture it is; empty: none that is shown."""
    start = body[:1000]
    return next((kind for sign, kind in _SIGNS if sign.match(start)), "")


def _decoded(code: str) -> str:
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""


ROUTES: Final = [Route("/picture/{mark}/{code}", picture, name="picture")]


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
