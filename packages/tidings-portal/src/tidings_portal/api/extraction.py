"""API operations that extract an article from posted HTML or from a URL."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final

from starlette.responses import Response

from tidings.extractors import entries
from tidings.extractors.registry import Extractor
from tidings.fetch import Request as Asked
from tidings.fetch import require
from tidings.options import DEFAULT, ExtractOptions
from tidings_portal.api import formats
from tidings_portal.api.formats import GIVES, ArticleFormat, Shape
from tidings_portal.api.operations import JSON, Call, Operation, RequestBody
from tidings_portal.api.option_fields import option_fields, preference_of
from tidings_portal.api.requests import refuse
from tidings_portal.responses import FieldDoc
from tidings_portal.web.reading_pool import (
    LONGEST_EXPRESSION,
    SentPage,
    asked_extractor,
    hints_of,
    read_with_options,
)

_TAG: Final = "reading pages"
#: Seconds that a site may take to answer.
PATIENCE: Final = 20.0
_FAILURES: Final = (406, 413, 415, 422, 501, 502, 503, 504)

Url = Annotated[
    str, FieldDoc("URL of the page; http or https.", shortest=1, longest=4000, example="https://a.example/1")
]
Base = Annotated[str | None, FieldDoc("URL of the HTML, to make links absolute.", longest=4000)]
With = Annotated[
    str | None,
    FieldDoc(
        "Another extractor or combination: `bte`, `union(dana, bte)` …", longest=LONGEST_EXPRESSION, example="dana"
    ),
]
Format = Annotated[ArticleFormat | None, FieldDoc("Default: by the Accept header, else json.")]
About = Annotated[
    str | None, FieldDoc("A question: return only the blocks that answer it, with their headings.", longest=2000)
]
Tokens = Annotated[int | None, FieldDoc("Maximum length of the result for `about`, in tokens. Default: 2000.", least=1)]
_TOKENS: Final = 2000
Laid = Annotated[Shape, FieldDoc("Layout of the JSON: the full article, or that of the Postlight parser.")]


if TYPE_CHECKING:
    from tidings_portal.api.option_fields import OptionFields as _OptionFields
else:
    _OptionFields = option_fields()


@dataclass(frozen=True, slots=True)
class ExtractAsked(_OptionFields):
    """Options for HTML sent as the request body."""

    url: Base = None
    with_: With = None
    format: Format = None
    shape: Laid = Shape.ARTICLE
    about: About = None
    tokens: Tokens = None


@dataclass(frozen=True, slots=True)
class ReadAsked(ExtractAsked):
    """Parameters of an extraction from a URL."""

    url: Url


@dataclass(frozen=True, slots=True)
class ToExtract(_OptionFields):
    """A page as JSON: its HTML, its URL, or both (then nothing is fetched)."""

    html: Annotated[str | None, FieldDoc("HTML of the page.", longest=5_000_000)] = None
    url: Base = None
    with_: With = None
    format: Format = None
    shape: Annotated[Shape | None, FieldDoc("Same as the query parameter.")] = None
    about: About = None
    tokens: Tokens = None


@dataclass(frozen=True, slots=True)
class WantedArticle:
    """Options of the output: format, JSON layout, and a question that selects parts of the text."""

    form: ArticleFormat
    shape: Shape
    about: str
    tokens: int
    options: ExtractOptions = DEFAULT


@dataclass(frozen=True, slots=True)
class ExtractorItem:
    """An extractor that the parameter `with` can name."""

    name: str
    summary: str
    citation: str


@dataclass(frozen=True, slots=True)
class Extractors:
    """The registered extractors."""

    items: tuple[ExtractorItem, ...]


async def read(call: Call, params: ReadAsked) -> Response:
    """Extract the article at a URL.

    The page is requested once, within rate limits and robots.txt; private IP addresses are refused.
    """
    options = params.options()
    extractor = asked_extractor(params.with_ or "", preference_of(options, params))
    form = formats.negotiated_format(call.request, params.format)
    output = WantedArticle(form, params.shape, params.about or "", params.tokens or _TOKENS, options)
    return await _fetch_and_read(call, params.url, extractor, output)


async def extract(call: Call, params: ExtractAsked, body: ToExtract | RequestBody) -> Response:
    """Extract the article from HTML in the body, or from a URL.

    Send HTML with `Content-Type: text/html`, or JSON with `html` or `url`. Fields of the JSON override query parameters
    of the same name.
    """
    request_fields = body if isinstance(body, ToExtract) else ToExtract()
    url = request_fields.url or params.url or ""
    options = request_fields.options(params.options())
    preference = preference_of(options, params, request_fields)
    extractor = asked_extractor(request_fields.with_ or params.with_ or "", preference)
    form = formats.negotiated_format(call.request, request_fields.format or params.format)
    question, tokens = request_fields.about or params.about or "", request_fields.tokens or params.tokens or _TOKENS
    output = WantedArticle(form, request_fields.shape or params.shape, question, tokens, options)
    if isinstance(body, RequestBody):
        page = SentPage(body.data, url or None, hints_of(options, body.content_type))
    elif request_fields.html is not None:
        page = SentPage(request_fields.html, url or None, hints_of(options))
    elif url:
        return await _fetch_and_read(call, url, extractor, output)
    else:
        refuse(422, "there is nothing to read: give html, or url")
    return await _read_response(call, page, extractor, output)


async def _fetch_and_read(call: Call, url: str, extractor: Extractor, output: WantedArticle) -> Response:
    call.app.reading.prepare()
    response = require(await call.app.fetcher.fetch(Asked(url, seconds=PATIENCE)))
    hints = replace(hints_of(output.options, response.content_type), is_cut=response.truncated)
    return await _read_response(call, SentPage(response.body, response.url, hints), extractor, output)


async def _read_response(call: Call, page: SentPage, extractor: Extractor, output: WantedArticle) -> Response:
    body = await call.app.reading.run(written, page, extractor, output)
    return formats.sent(call.request, body, output.form)


def written(page: SentPage, extractor: Extractor, output: WantedArticle) -> bytes:
    """Return the extracted article in the requested format.

    Raises:
        PageError: the input is not a page.
    """
    article = read_with_options(page, extractor, output.options)
    if output.about.strip():
        article = article.about(output.about, tokens=output.tokens)
    return formats.written(article, output.form, output.shape)


def list_extractors(call: Call) -> Extractors:  # noqa: ARG001  # all handlers are called alike
    """List the extractors."""
    return Extractors(tuple(ExtractorItem(one.name, one.summary, one.citation) for one in entries()))


_BODIES: Final = {JSON: ToExtract, "text/html": bytes, "application/xhtml+xml": bytes}
OPERATIONS: Final = (
    Operation("GET", "/read", read, _TAG, gives=GIVES, costs=True, problems=_FAILURES),
    Operation("POST", "/extract", extract, _TAG, _BODIES, GIVES, costs=True, problems=_FAILURES),
    Operation("GET", "/extractors", list_extractors, _TAG),
)
