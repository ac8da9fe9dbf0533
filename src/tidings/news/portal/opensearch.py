"""The description that lets a browser search here from its address bar (OpenSearch 1.1)."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from starlette.requests import Request
from starlette.responses import Response

from tidings.article.characters import legal
from tidings.news.web.house import house_of
from tidings.news.web.showing import static
from tidings.news.web.visit import visit_of


def opensearch(request: Request) -> Response:
    """The description."""
    terms = house_of(request).terms
    words = visit_of(request).words
    here = terms.address or str(request.base_url).rstrip("/")
    name = legal(terms.name)
    document = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        f"<ShortName>{escape(name[:16])}</ShortName>"
        f"<Description>{escape(words('search.describe', name=name))}</Description>"
        "<InputEncoding>UTF-8</InputEncoding>"
        f'<Image width="16" height="16" type="image/svg+xml">{escape(here + static("icon.svg"))}</Image>'
        f'<Url type="text/html" template={quoteattr(here + "/search?q={searchTerms}")}/>'
        f'<Url type="application/rss+xml" template={quoteattr(here + "/feeds/search.rss?q={searchTerms}")}/>'
        "</OpenSearchDescription>\n"
    )
    headers = {"cache-control": "private, max-age=3600", "vary": "Accept-Language, Cookie"}
    return Response(document, headers=headers, media_type="application/opensearchdescription+xml")
