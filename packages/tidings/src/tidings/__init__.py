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
    from collections.abc import Iterable, Iterator

    from tidings.article import Article
    from tidings.errors import TidingsError
    from tidings.extractors import Extractor
    from tidings.extractors.opinion import SecondOpinion
    from tidings.fetch import Fetcher
    from tidings.inputs import PageInput
    from tidings.options import ExtractOptions
    from tidings.page import Hints, Page, Spans
    from tidings.sites import Reader

__version__ = "0.3.0"
__all__ = [
    "Article",
    "ExtractOptions",
    "Hints",
    "Page",
    "Reader",
    "Spans",
    "__version__",
    "aread",
    "extract",
    "extract_many",
    "extract_text",
    "extractor",
    "read",
]

#: Where the classes are: loaded when somebody asks for them, so that the command line has a word before NumPy is.
_CLASSES: Final = {
    "Article": "tidings.article",
    "ExtractOptions": "tidings.options",
    "Hints": "tidings.page",
    "Page": "tidings.page",
    "Reader": "tidings.sites",
    "Spans": "tidings.page",
}


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
    data: PageInput,
    url: str | None = None,
    *,
    options: ExtractOptions | None = None,
    prefer: Literal["precision", "balanced", "recall"] | None = None,
    title: str | None = None,
    summary: str | None = None,
    second_opinion: SecondOpinion | None = None,
    details: bool | None = None,
    timeout: float | None = None,
) -> Article:
    """Return the article on a page: its text in blocks, headline, authors, dates and pictures.

        >>> import tidings
        >>> page = "<article><p>Seals are back in the estuary.</p></article>"
        >>> tidings.extract(page, options=tidings.ExtractOptions(languages=("tr",))).doubt
        'left out: in another language'

    Args:
        data: the page as bytes (the encoding is detected), str of HTML, path, open file, `Page`, or a node or tree of
            lxml, selectolax or BeautifulSoup.
        url: the URL of the page; makes links absolute.
        options: all options of an extraction. The other keywords are options too, and override it.
        prefer: what to do with uncertain blocks: leave out ("precision"), weigh ("balanced"), or keep ("recall").
        title: the title of the page in a feed or link; it selects one of several stories.
        summary: the description of the page in a feed.
        second_opinion: a function that is asked about doubtful pages, as `tidings.second_opinion.ChatOpinion` is.
        details: also extract prices, e-mail addresses, telephone numbers and products: `article.details`.
        timeout: seconds of processor time for this page. It works in any thread and needs no signals; it is checked
            between steps, so an extraction may take a little longer before it is ended.

    Raises:
        PageError: the input is empty, too large, or not HTML, such as a path or a URL in a str.
        BadArgument: an argument has a wrong type or value; `BadOption` names the option.
        InputError: the file cannot be read.
        ExtractionTimeout: the page takes more than `timeout`.
    """
    from tidings import budget, reading
    from tidings.errors import require_str
    from tidings.inputs import page_of

    require_str(url=url)
    chosen = _chosen(
        options,
        prefer=prefer,
        title=title,
        summary=summary,
        second_opinion=second_opinion,
        details=details,
        timeout=timeout,
    )
    with budget.limit(chosen.timeout if chosen is not None else None):
        return reading.extract(page_of(data, url, chosen), chosen)


def extract_text(
    data: PageInput,
    url: str | None = None,
    *,
    options: ExtractOptions | None = None,
    prefer: Literal["precision", "balanced", "recall"] | None = None,
    timeout: float | None = None,
) -> str:
    """Return the text of the article on a page, as `extract(data, url).text`, in four fifths of the time.

        >>> import tidings
        >>> tidings.extract_text("<html><body><p>Seals are back in the estuary.</p></body></html>")
        'Seals are back in the estuary.'

    Fields and pictures are not extracted, unless an option needs them.

    Args:
        data: the page, as in `extract`.
        url: the URL of the page. It helps to find out the kind of the page.
        options: all options of an extraction. The other keywords are options too, and override it.
        prefer: what to do with uncertain blocks, as in `extract`.
        timeout: seconds of processor time for this page, as in `extract`.

    Raises:
        PageError: the input is empty, too large, or not HTML, such as a path or a URL in a str.
        BadArgument: an argument has a wrong type or value; `BadOption` names the option.
        InputError: the file cannot be read.
        ExtractionTimeout: the page takes more than `timeout`.
    """
    from tidings import budget, reading
    from tidings.errors import require_str
    from tidings.inputs import page_of

    require_str(url=url)
    chosen = _chosen(options, prefer=prefer, timeout=timeout)
    with budget.limit(chosen.timeout if chosen is not None else None):
        return reading.extract_text(page_of(data, url, chosen), chosen)


def extract_many(
    pages: Iterable[PageInput | tuple[PageInput, str | None]],
    *,
    workers: int = 1,
    options: ExtractOptions | None = None,
) -> Iterator[Article | TidingsError]:
    """Yield the article of each page in order; a page that fails yields its error instead.

        >>> import tidings
        >>> pages = ["<p>Seals are back in the estuary.</p>", "", ("<p>Ferry delayed again.</p>", "https://a.example/2")]
        >>> [getattr(result, "text", type(result)) for result in tidings.extract_many(pages)]
        ['Seals are back in the estuary.', <class 'tidings.errors.EmptyPage'>, 'Ferry delayed again.']

    Pages are read from the iterable as workers become free. A worker process that dies costs only its page.

    Args:
        pages: pages as in `extract`, or tuples of a page and its URL.
        workers: number of worker processes; 1 for this process, 0 for one per core. In a script, several need
            `if __name__ == "__main__":`.
        options: the options of all extractions. With a function in `second_opinion`, it must be picklable.

    Raises:
        BadArgument: `workers` is not a number from 0, or `options` are no `ExtractOptions`.
    """
    from tidings.many import extract_many as many

    return many(pages, workers, _chosen(options))


def read(
    url: str,
    *,
    options: ExtractOptions | None = None,
    prefer: Literal["precision", "balanced", "recall"] | None = None,
) -> Article:
    """Fetch a URL and return its article. robots.txt and the guard against private networks are obeyed.

    Args:
        url: an http or https URL.
        options: all options of an extraction; `prefer` overrides it.
        prefer: what to do with uncertain blocks, as in `extract`.

    Raises:
        FetchError: the URL cannot be fetched; each reason has its own error.
        PageError: the response is not a page.
        BadArgument: an argument has a wrong type or value; `BadOption` names the option.
    """
    from tidings import read_url
    from tidings.errors import require_str

    require_str(url=url)
    return read_url.read(url, options=_chosen(options, prefer=prefer))


async def aread(
    url: str,
    *,
    options: ExtractOptions | None = None,
    prefer: Literal["precision", "balanced", "recall"] | None = None,
    fetcher: Fetcher | None = None,
    browser: Fetcher | None = None,
) -> Article:
    """Fetch a URL and return its article; asynchronous version of `read`.

    Args:
        url: an http or https URL.
        options: all options of an extraction; `prefer` overrides it.
        prefer: what to do with uncertain blocks, as in `extract`.
        fetcher: the HTTP client: one `tidings.fetch.Live` for many pages, or a replay.
        browser: a `tidings.fetch.Browser` that fetches the page again if it is empty without its scripts.

    Raises:
        FetchError: the URL cannot be fetched; each reason has its own error.
        PageError: the response is not a page.
        BadArgument: an argument has a wrong type or value; `BadOption` names the option.
    """
    from tidings import read_url
    from tidings.errors import require_str

    require_str(url=url)
    return await read_url.aread(url, options=_chosen(options, prefer=prefer), fetcher=fetcher, browser=browser)


def _chosen(options: object, **settings: Any) -> ExtractOptions | None:
    """Return the options with the keywords that are set; None if all have their default values."""
    changes = {name: value for name, value in settings.items() if value is not None}
    if options is None and not changes:  # the common case
        return None
    from tidings.options import DEFAULT, ExtractOptions

    options = DEFAULT if options is None else options
    if not isinstance(options, ExtractOptions):
        from tidings.errors import BadArgument

        raise BadArgument(f"options must be ExtractOptions, not {type(options).__name__}")
    options = options.replace(**changes) if changes else options
    return None if options.is_default else options


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module 'tidings' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(_CLASSES[name]), name)
    return value
