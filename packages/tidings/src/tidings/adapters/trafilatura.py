"""The calls of trafilatura, answered by Tidings.

from tidings.adapters.trafilatura import extract, fetch_url

Options that mean the same here are taken; those that change the result and have no counterpart raise an error that says
what to do instead, when they are set to something else than their default.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from typing import Any, Final

import tidings
from tidings import ExtractOptions, Page
from tidings.article import Article, Options, render
from tidings.errors import BadParameter, FetchError, PageError, UnknownFormat
from tidings.inputs import page_data
from tidings.urls import site_of

__all__ = ["Document", "bare_extraction", "extract", "extract_metadata", "fetch_url"]

#: Trafilatura's names of formats, and ours.
_FORMATS: Final = {
    "txt": "text",
    "text": "text",
    "markdown": "markdown",
    "html": "html",
    "json": "json",
    "csv": "csv",
    "xml": "xml",
    "xmltei": "tei",
}
#: Options without effect here.
_IDLE: Final = frozenset(
    ("fast", "no_fallback", "config", "settingsfile", "max_tree_size", "record_id", "tei_validation")
)
_INSTEAD: Final = {
    "date_extraction_params": "`Article.published` keeps time and zone; there is nothing to set",
    "prune_xpath": "rules of a site say what is noise: `tidings sites show`",
}


@dataclass(slots=True)
class Document:
    """The result of `bare_extraction`: trafilatura's fields, as far as Tidings has them."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    body: Any = None
    comments: str | None = None
    commentsbody: Any = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)

    @classmethod
    def of(cls, article: Article) -> Document:
        """Create a document from an article."""
        return cls(
            title=article.title or None,
            author="; ".join(article.authors) or None,
            url=article.address or None,
            hostname=site_of(article.address) or None,
            description=article.summary or None,
            sitename=article.site or None,
            date=_day(article.published_as_stated),
            categories=[article.section] if article.section else [],
            tags=list(article.tags),
            language=article.language.partition("-")[0] or None,
            image=article.image.src if article.image else None,
            pagetype=article.kind,
            filedate=datetime.now().astimezone().date().isoformat(),
        )


def extract(filecontent: Any, url: str | None = None, *, output_format: str = "txt", **options: Any) -> str | None:
    """Return the text of a page in one of trafilatura's formats; None if it has no text.

    Args:
        filecontent: the page, as in `tidings.extract`, or a response of urllib3.
        url: where it came from.
        output_format: txt, markdown, html, json, csv, xml or xmltei.
        options: those of trafilatura that mean something here.

    Raises:
        BadParameter: an option that has no counterpart.
        UnknownFormat: no such format.
    """
    if output_format not in _FORMATS:
        raise UnknownFormat(output_format, _FORMATS)
    article = _article(filecontent, url, options)
    if article is None:
        return None
    shown = Options(
        links=options.get("include_links", False),
        images=options.get("include_images", False),
        tables=options.get("include_tables", True),
        comments=options.get("include_comments", True),
        formatting=options.get("include_formatting") or output_format == "markdown",
    )
    return render(article, _FORMATS[output_format], shown)


def bare_extraction(
    filecontent: Any, url: str | None = None, *, as_dict: bool = False, **options: Any
) -> Document | dict[str, Any] | None:
    """Return text and fields of a page; None if it has no text.

    Raises:
        BadParameter: an option that has no counterpart.
    """
    options.pop("output_format", None)
    article = _article(filecontent, url, options)
    if article is None:
        return None
    made = Document.of(article)
    made.text = made.raw_text = article.text
    if options.get("include_comments", True):
        made.comments = "\n".join(comment.text for comment in article.comments) or None
    return made.as_dict() if as_dict else made


def extract_metadata(filecontent: Any, default_url: str | None = None, **options: Any) -> Document:
    """Return the fields of a page.

    Raises:
        BadParameter: an option that has no counterpart.
    """
    options.pop("extensive", None)
    if options.pop("date_config", None) is not None:
        raise _no("date_config", _INSTEAD["date_extraction_params"])
    _check(options)
    try:
        return Document.of(tidings.extract(_page(filecontent), default_url))
    except PageError:
        return Document()


def fetch_url(url: str, no_ssl: bool = False, config: Any = None, options: Any = None) -> str | None:  # noqa: ARG001
    """Fetch a page, obeying robots.txt and the guard; None on failure.

    Raises:
        BadParameter: certificates were to be left unchecked.
    """
    if no_ssl:
        raise _no("no_ssl", "certificates are always checked")
    from tidings.fetch import get
    from tidings.read_url import page_of

    try:
        return page_of(get(url)).source
    except (FetchError, PageError):
        return None


def _article(filecontent: Any, url: str | None, options: dict[str, Any]) -> Article | None:
    _check(options)
    try:
        article = tidings.extract(_page(filecontent), url, options=_options(options))
    except PageError:
        return None
    return article if article.text else None


def _options(options: dict[str, Any]) -> ExtractOptions:
    """Return the options with those of trafilatura's names."""
    chosen = options.get("options")
    if chosen is not None and not isinstance(chosen, ExtractOptions):
        raise _no("options", "pass `tidings.ExtractOptions`, or trafilatura's options by name")
    changes: dict[str, Any] = {}
    if options.get("favor_recall"):  # as in trafilatura, the second wins
        changes["prefer"] = "recall"
    elif options.get("favor_precision"):
        changes["prefer"] = "precision"
    if options.get("target_language"):
        changes["languages"] = options["target_language"]
    for name in ("deduplicate", "url_blacklist", "author_blacklist"):
        if options.get(name):
            changes[name] = tuple(options[name]) if name != "deduplicate" else True
    if options.get("only_with_metadata") or options.get("with_metadata_only"):
        changes["with_metadata_only"] = True
    return (chosen or ExtractOptions()).replace(**changes)


_KNOWN: Final = frozenset(
    (
        *(
            "favor_precision",
            "favor_recall",
            "include_comments",
            "include_tables",
            "include_images",
            "include_formatting",
        ),
        *("include_links", "target_language", "with_metadata", "only_with_metadata"),
        *("deduplicate", "url_blacklist", "author_blacklist", "options"),
    )
)


def _check(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if name in _INSTEAD:
            if value:
                raise _no(name, _INSTEAD[name])
        elif name not in _KNOWN and name not in _IDLE:
            raise BadParameter(f"trafilatura has no option {name!r} that is known here")


def _no(name: str, instead: str) -> BadParameter:
    return BadParameter(f"the option {name} of trafilatura has no counterpart: {instead}")


def _page(filecontent: Any) -> bytes | str | Page:
    data = getattr(filecontent, "data", None)  # a response of urllib3 or trafilatura
    return data if isinstance(data, bytes) else page_data(filecontent)


def _day(value: date | datetime | None) -> str | None:
    return None if value is None else value.strftime("%Y-%m-%d") if value.year >= 1000 else value.isoformat()[:10]
