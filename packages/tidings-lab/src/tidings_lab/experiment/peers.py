"""Extractors of other projects as systems.

Each is imported only when it runs, is silenced, and has no network access, so it works without anything that it would
download.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from inspect import getsource
from typing import Any, Final

from tidings.errors import MissingExtra
from tidings.page import Page
from tidings.page.decode import decode
from tidings_lab.experiment.systems import Document, Reading, iso


@dataclass(frozen=True, slots=True)
class Peer:
    """An extractor of another project."""

    name: str
    distribution: str  # the package that must be installed
    read: Callable[..., Reading]  # called with bytes, URL and the options
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def identity(self) -> str:
        """Return the version of the extractor's package, its options, and the code of this adapter.

        Raises:
            MissingExtra: the package is not installed.
        """
        try:
            installed = version(self.distribution)
        except PackageNotFoundError:
            raise MissingExtra(f"measuring {self.name}", "peers") from None
        adapter = sha256(getsource(self.read).encode()).hexdigest()
        return f"{self.name} {self.distribution}=={installed} {self.options!r} {adapter}"

    @property
    def shares_page(self) -> bool:
        """Return False, because the extractor parses the page itself."""
        return False

    def __call__(self, document: Document, /) -> Reading:
        """Run the extractor on a page; its errors are raised unchanged.

        Raises:
            MissingExtra: the package is not installed.
        """
        with quiet():
            try:
                return self.read(document.data, document.url, **dict(self.options))
            except ModuleNotFoundError:
                _ = self.identity  # raises MissingExtra if the package itself is missing
                raise


@contextmanager
def quiet() -> Iterator[None]:
    """Suppress log messages and warnings."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def read_trafilatura(data: bytes, url: str | None, **options: Any) -> Reading:
    """Run trafilatura: its own rules, with readability and jusText as fallbacks.

    Returns the text of `trafilatura.extract`, including comments unless an option excludes them, and its metadata.
    """
    from trafilatura import bare_extraction
    from trafilatura.settings import Document

    document = bare_extraction(data, url=url, with_metadata=True, **options)
    if not isinstance(document, Document):  # no result; a dict only on request
        return Reading("")
    text = "\n".join(part for part in (document.text, document.comments) if part)
    authors = tuple(name.strip() for name in (document.author or "").split(";") if name.strip())
    return Reading(text, document.title or "", authors, iso(document.date))


def read_trafilatura_markdown(data: bytes, url: str | None) -> Reading:
    """Run trafilatura with Markdown output, including links, pictures, tables and formatting."""
    from trafilatura import extract

    markdown = extract(
        data, url=url, output_format="markdown", include_links=True, include_images=True, include_formatting=True
    )
    return Reading(markdown or "", markdown=markdown or "")


def read_html_to_markdown(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """Run html-to-markdown: the whole page as Markdown."""
    convert = import_module("html_to_markdown").convert
    converted = convert(decode(data, None).text)
    markdown = str(getattr(converted, "content", None) or converted)
    return Reading(markdown, markdown=markdown)


def read_newspaper4k(data: bytes, url: str | None) -> Reading:
    """Run newspaper4k on the given HTML, so that it fetches neither page nor pictures."""
    newspaper = import_module("newspaper")  # by name, because the sample newspaper's folder has the same name

    article = newspaper.Article(url or "", fetch_images=False)
    article.download(input_html=decode(data, None).text, ignore_read_more=True)
    article.parse()
    return Reading(article.text, article.title or "", tuple(article.authors), iso(article.publish_date))


def read_readability(data: bytes, url: str | None) -> Reading:
    """Run readability-lxml: the text of its HTML summary, its short title, and the author if this version returns
    one.
    """
    from readability import Document

    document = Document(data, url=url)
    title = document.short_title() or ""
    author = document.author() if hasattr(document, "author") else ""
    summary = document.summary(html_partial=True)
    text = Page(summary).text if summary.strip() else ""
    return Reading(text, title, () if author in ("", "[no-author]") else (author,))


def read_resiliparse(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """Run Resiliparse, fast rules on its own parser (Lexbor): the main content as plain text, and the title element."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(data, detect_encoding(data) or "utf-8")
    text = extract_plain_text(tree, main_content=True, alt_texts=False, links=False)
    return Reading(text, tree.title or "")


_LANGUAGE: Final = re.compile(rb"<html[^>]{0,500}?\slang\s*=\s*[\"']?([A-Za-z]{2,3})")
#: Names of jusText's stop lists by language code.
_STOP_LISTS: Final = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "es": "Spanish",
    "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ko": "Korean", "lt": "Lithuanian",
    "lv": "Latvian", "nb": "Norwegian_Bokmal", "nl": "Dutch", "no": "Norwegian_Bokmal", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
}  # fmt: skip


def read_justext(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """Run jusText, which classifies blocks by length, links and stop words of the declared language (default:
    English).
    """
    import justext

    declared = _LANGUAGE.search(data[:5000])
    language = _STOP_LISTS.get(declared[1].decode().lower() if declared else "", "English")
    paragraphs = justext.justext(data, justext.get_stoplist(language))
    return Reading("\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate))


def read_boilerpy3(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """Run boilerpy3's ArticleExtractor, the Python port of boilerpipe (Kohlschütter et al. 2010)."""
    from boilerpy3.extractors import ArticleExtractor

    document = ArticleExtractor().get_doc(decode(data, None).text)
    return Reading(document.content, document.title or "")


_ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def read_goose3(data: bytes, url: str | None) -> Reading:
    """Run Goose3, which scores paragraphs by stop words. Pictures are not fetched."""
    from goose3 import Goose

    with Goose({"enable_image_fetching": False}) as goose:
        article = goose.extract(url=url, raw_html=decode(data, None).text)
    written = article.publish_date or ""  # as written on the page, in any format; the other date is in UTC
    day = written if _ISO_DAY.match(written) else iso(article.publish_datetime_utc)
    return Reading(article.cleaned_text or "", article.title or "", tuple(article.authors or ()), day)


def read_news_please(data: bytes, url: str | None) -> Reading:
    """Run news-please, which compares newspaper4k, readability and others. Pictures are not fetched."""
    from newsplease import NewsPlease

    article = NewsPlease.from_html(decode(data, None).text, url=url, fetch_images=False)
    return Reading(article.maintext or "", article.title or "", tuple(article.authors or ()), iso(article.date_publish))


# The baseline: all text of the page. A system below it does harm.


def read_html2text(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """Run html2text: the page as Markdown, without links, pictures and emphasis."""
    from html2text import HTML2Text

    writer = HTML2Text(bodywidth=0)
    writer.ignore_links = writer.ignore_images = writer.ignore_emphasis = True
    return Reading(writer.handle(decode(data, None).text))


def read_inscriptis(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """Run inscriptis: the page as a browser would lay out its text."""
    from inscriptis import get_text

    return Reading(get_text(decode(data, None).text))


#: All extractors of other projects, the baseline last.
PEERS: Final[dict[str, Peer]] = {
    peer.name: peer
    for peer in (
        Peer("trafilatura", "trafilatura", read_trafilatura),
        Peer("trafilatura-fast", "trafilatura", read_trafilatura, (("fast", True),)),
        Peer("trafilatura-precision", "trafilatura", read_trafilatura, (("favor_precision", True),)),
        Peer("trafilatura-recall", "trafilatura", read_trafilatura, (("favor_recall", True),)),
        Peer("trafilatura-no-comments", "trafilatura", read_trafilatura, (("include_comments", False),)),
        Peer("newspaper4k", "newspaper4k", read_newspaper4k),
        Peer("readability-lxml", "readability-lxml", read_readability),
        Peer("resiliparse", "resiliparse", read_resiliparse),
        Peer("justext", "jusText", read_justext),
        Peer("boilerpy3", "boilerpy3", read_boilerpy3),
        Peer("goose3", "goose3", read_goose3),
        Peer("news-please", "news-please", read_news_please),
        Peer("html2text", "html2text", read_html2text),
        Peer("inscriptis", "inscriptis", read_inscriptis),
    )
}
#: Extractors with Markdown output, for pages with structural ground truth.
MARKDOWN_PEERS: Final[dict[str, Peer]] = {
    peer.name: peer
    for peer in (
        Peer("trafilatura-markdown", "trafilatura", read_trafilatura_markdown),
        Peer("html-to-markdown", "html-to-markdown", read_html_to_markdown),
    )
}
