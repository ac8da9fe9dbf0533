"""Article formats of the API, chosen by `format`, else by the Accept header (RFC 9110, 12.5.1), else JSON.

HTML is sanitised and sent with a sandbox policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Final

from starlette.requests import Request
from starlette.responses import Response

from tidings.article import FORMATS, Article, Options, csv_header, render
from tidings.text import fold_space
from tidings.urls import site_of
from tidings_portal.api.operations import JSON, tagged
from tidings_portal.responses import FieldDoc, as_json
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.headers import SANDBOX

_SHOWN: Final = Options(images=True)
#: As there: the first words of the text.
_EXCERPT: Final = 200


@dataclass(frozen=True, slots=True)
class Mercury:
    """An article in the JSON format of the Postlight parser."""

    title: str | None
    content: Annotated[str, FieldDoc("Text as sanitised HTML.")]
    author: str | None
    date_published: datetime | date | None
    lead_image_url: str | None
    dek: Annotated[str | None, FieldDoc("Summary that the page declares.")]
    next_page_url: str | None
    url: str
    domain: str
    excerpt: str
    word_count: int
    direction: str
    total_pages: int
    rendered_pages: int


def mercury(article: Article) -> Mercury:
    """Return an article in the JSON format of the Postlight parser."""
    return Mercury(
        title=article.title or None,
        content=render(article, "html", _SHOWN),
        author=", ".join(article.authors) or None,
        date_published=article.published_as_stated,
        lead_image_url=article.image.src if article.image is not None else None,
        dek=article.summary or None,
        next_page_url=article.next_page or None,
        url=article.url or article.canonical,
        domain=site_of(article.url or article.canonical),
        excerpt=_excerpt(article),
        word_count=len(article.words),
        direction=article.direction,
        total_pages=2 if article.next_page else 1,  # as far as this page tells
        rendered_pages=1,
    )


def _excerpt(article: Article) -> str:
    text = article.summary or fold_space(article.text[: 4 * _EXCERPT])
    if len(text) <= _EXCERPT:
        return text
    cut = text[:_EXCERPT]
    return (cut.rpartition(" ")[0] or cut) + "…"


_WITH_IMAGES: Final = Options(images=True)
_PREFERRED: Final = ("json", "markdown", "html", "text", "xml", "tei", "jsonld", "csv", "jsonl")


class ArticleFormat(StrEnum):
    """Article formats of the API."""

    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"
    TEXT = "text"
    XML = "xml"
    TEI = "tei"
    JSONLD = "jsonld"
    CSV = "csv"
    JSONL = "jsonl"


class Shape(StrEnum):
    """Layouts of an article in JSON."""

    ARTICLE = "article"  # everything that Tidings knows of an article
    MERCURY = "mercury"  # as readers of today have it


#: What is given, by media type; the first is what is given to those who do not mind.
GIVES: Final[Mapping[str, Any]] = {
    JSON: Article | Mercury,
    **{FORMATS[name].media_type: str for name in _PREFERRED if FORMATS[name].media_type != JSON},
    FORMATS["jsonld"].media_type: Mapping[str, object],
}


def negotiated_format(request: Request, form: ArticleFormat | None) -> ArticleFormat:
    """Return the format of a response, by `form` or content negotiation.

    Raises:
        HttpProblem: 406 if no format is acceptable.
    """
    if form is not None:
        return form
    accepted = request.headers.get("accept", "")[:2000]
    if not accepted.strip():
        return ArticleFormat.JSON
    liked = [(_liking(accepted, FORMATS[name].media_type), -place, name) for place, name in enumerate(_PREFERRED)]
    liking, _, name = max(liked)
    if not liking:
        raise HttpProblem(406, "request", f"an article is one of {', '.join(GIVES)}; say which with Accept or format")
    return ArticleFormat(name)


def _liking(accepted: str, media_type: str) -> float:
    """Return the quality value of a media type in an Accept header, from 0 to 1. The most specific media range
    counts.
    """
    best = (-1, 0.0)
    for choice in accepted.split(","):
        kind, *parameters = (part.strip().lower() for part in choice.split(";"))
        ranges = (media_type, media_type.partition("/")[0] + "/*", "*/*")
        if kind not in ranges:
            continue
        weight = next((one[2:] for one in parameters if one.startswith("q=")), "1")
        try:
            liking = min(max(float(weight), 0.0), 1.0)
        except ValueError:
            liking = 0.0
        best = max(best, (2 - ranges.index(kind), liking if liking == liking else 0.0))  # noqa: PLR0124  # not a number
    return best[1]


def written(article: Article, form: ArticleFormat, shape: Shape, own: object = None) -> bytes:
    """Return an article in a format.

    Args:
        article: the article.
        form: the format.
        shape: the JSON schema.
        own: the value to serialise instead of the article in our own JSON schema.
    """
    if form is ArticleFormat.JSON:
        return as_json(mercury(article) if shape is Shape.MERCURY else own if own is not None else article)
    text = render(article, form.value, _WITH_IMAGES)
    if form is ArticleFormat.CSV:
        text = f"{csv_header()}\n{text}"
    return f"{text}\n".encode()


def sent(request: Request, body: bytes, form: ArticleFormat) -> Response:
    """Return a response with an article that is already in the requested format."""
    media_type = FORMATS[form.value].media_type
    return (
        tagged(request, body, media_type)
        if form is ArticleFormat.JSON
        else tagged(request, body, media_type, policy=SANDBOX)
    )
