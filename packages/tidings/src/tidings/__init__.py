"""Extract articles from news pages, in any language, without templates for sites.

    >>> import tidings
    >>> article = tidings.extract("<html><body><p>Seals are back in the estuary.</p></body></html>")
    >>> article.text
    'Seals are back in the estuary.'

The names below are the public API; everything else may change between versions.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from tidings.article import Article
    from tidings.extractors import Extractor
    from tidings.extractors.opinion import SecondOpinion
    from tidings.fetch import Fetcher
    from tidings.page import Hints, Page, Spans
    from tidings.sites import Reader

__version__ = "0.3.0"
__all__ = [
    "Article",
    "Hints",
    "Page",
    "Reader",
    "Spans",
    "__version__",
    "aread",
    "extract",
    "extract_text",
    "extractor",
    "read",
]

#: Where the classes are: loaded when somebody asks for them, so that the command line has a word before NumPy is.
_CLASSES: Final = {
    "Article": "tidings.article",
    "Hints": "tidings.page",
    "Page": "tidings.page",
    "Reader": "tidings.sites",
    "Spans": "tidings.page",
}
_PREFERENCES: Final = ("precision", "balanced", "recall")


def extractor(name: str) -> Extractor:
    """Return the extractor registered under a name, with its published parameters.

    Args:
        name: any name that `tidings extractors` lists.

    Raises:
        UnknownExtractor: no extractor has that name; the message suggests the nearest.
        BadArgument: the name is not a str.
    """
    from tidings import extractors
    from tidings.errors import require_str

    require_str(name=name)
    return extractors.extractor(name)


def extract(
    data: bytes | str | Page,
    url: str | None = None,
    *,
    prefer: Literal["precision", "balanced", "recall"] = "balanced",
    title: str | None = None,
    summary: str | None = None,
    second_opinion: SecondOpinion | None = None,
    details: bool = False,
    timeout: float | None = None,
) -> Article:
    """Return the article on a page: its text in blocks, headline, authors, dates and pictures.

    Args:
        data: the page as bytes (the encoding is found out), as a str, or as a `Page`.
        url: where it came from; makes links absolute.
        prefer: what to do in doubt: leave out ("precision"), weigh ("balanced"), or keep ("recall").
        title: what the feed or the link that led here calls the story; tells which of several stories is meant.
        summary: what the feed says of it.
        second_opinion: asked which of the page's numbered blocks are the article, where the confidence is low: a
            function of an `OpinionQuestion`, as `tidings.second_opinion.ChatOpinion` is for a language model.
        details: also look for prices, e-mail addresses, telephone numbers and products: `article.details`.
        timeout: seconds of processor time for this page. It works in any thread and needs no signals; it is checked
            between steps, so an extraction may take a little longer before it is ended.

    Raises:
        PageError: the input is empty, too large, or no HTML at all, such as a path or a URL.
        BadArgument: an argument has a wrong type or value.
        ExtractionTimeout: the page takes more than `timeout`.
    """
    from tidings import budget, reading
    from tidings.page import Hints, Page

    _check(prefer, url=url, title=title, summary=summary)
    with budget.limit(timeout):
        page = data if isinstance(data, Page) else Page(data, url, Hints(title=title, description=summary))
        return reading.extract(page, prefer=prefer, second_opinion=second_opinion, details=details)


def extract_text(
    data: bytes | str | Page,
    url: str | None = None,
    *,
    prefer: Literal["precision", "balanced", "recall"] = "balanced",
    timeout: float | None = None,
) -> str:
    """Return the text of the article on a page, as `extract(data, url).text`, in four fifths of the time.

        >>> import tidings
        >>> tidings.extract_text("<html><body><p>Seals are back in the estuary.</p></body></html>")
        'Seals are back in the estuary.'

    Fields and pictures are not looked for.

    Args:
        data: the page as bytes (the encoding is detected), as a str, or as a `Page`.
        url: the URL of the page. It helps to find out the kind of the page.
        prefer: what to do in doubt: leave out ("precision"), weigh ("balanced"), or keep ("recall").
        timeout: seconds of processor time for this page, as in `extract`.

    Raises:
        PageError: the input is empty, too large, or no HTML at all, such as a path or a URL.
        BadArgument: an argument has a wrong type or value.
        ExtractionTimeout: the page takes more than `timeout`.
    """
    from tidings import budget, reading
    from tidings.page import Page

    _check(prefer, url=url)
    with budget.limit(timeout):
        return reading.extract_text(data if isinstance(data, Page) else Page(data, url), prefer=prefer)


def read(url: str, *, prefer: Literal["precision", "balanced", "recall"] = "balanced") -> Article:
    """Fetch a page and return its article. Obeys the site's robots.txt, and requests no private IP addresses.

    Args:
        url: where; http or https.
        prefer: what to do in doubt, as in `extract`.

    Raises:
        FetchError: it cannot be had; each reason has its own error.
        PageError: what is there is no page.
    """
    from tidings import read_url

    _check(prefer, url=url)
    return read_url.read(url, prefer=prefer)


async def aread(
    url: str,
    *,
    prefer: Literal["precision", "balanced", "recall"] = "balanced",
    fetcher: Fetcher | None = None,
    browser: Fetcher | None = None,
) -> Article:
    """Asynchronous version of `read`, with a choice of fetcher, for many pages.

    Args:
        url: where; http or https.
        prefer: what to do in doubt, as in `extract`.
        fetcher: who fetches: one `tidings.fetch.Live` for many pages, one with other settings, or a replay.
        browser: a `tidings.fetch.Browser`, asked again where a page is empty without its scripts.

    Raises:
        FetchError: it cannot be had; each reason has its own error.
        PageError: what is there is no page.
    """
    from tidings import read_url

    _check(prefer, url=url)
    return await read_url.aread(url, prefer=prefer, fetcher=fetcher, browser=browser)


def _check(prefer: str, **texts: object) -> None:
    if prefer not in _PREFERENCES:
        from tidings.errors import BadArgument

        raise BadArgument(f"prefer must be one of {', '.join(map(repr, _PREFERENCES))}, not {prefer!r}")
    from tidings.errors import require_str

    require_str(**texts)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module 'tidings' has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(_CLASSES[name]), name)
    return found
