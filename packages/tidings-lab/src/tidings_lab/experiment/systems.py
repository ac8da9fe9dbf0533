"""Systems that are measured: what one is, and the extractors of others.

Other projects' readers, each under its name, as systems that can be measured beside ours.

Each is imported only when it runs, is kept quiet, and gets no network: what it would download, it does without.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from inspect import getsource
from typing import Any, Final, Protocol

from tidings.errors import MissingExtra
from tidings.page import Hints, Page
from tidings.page.decode import decode


@dataclass(frozen=True, slots=True)
class Reading:
    """What a system took out of a page. An empty field is one it does not tell."""

    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""  # ISO 8601
    markdown: str = ""  # where the document asks for it


class Document:
    """The bytes of a page, and the `Page` made of them, which all Tidings extractors of a run share.

    Speed is measured with a new document for each system: then the `Page` is part of everybody's time.
    """

    __slots__ = ("_page", "data", "siblings", "site", "url", "wants_markdown")

    def __init__(
        self,
        data: bytes,
        url: str = "",
        siblings: tuple[Page, ...] = (),
        *,
        site: str = "",
        wants_markdown: bool = False,
    ) -> None:
        self.data = data
        self.site = site  # as the corpus names it
        self.wants_markdown = wants_markdown  # gold tells what structure the page has
        self.url = url or None
        self.siblings = siblings
        self._page: Page | None = None

    @property
    def page(self) -> Page:
        """The page, built when first asked for.

        Raises:
            PageError: the bytes are no page.
        """
        if self._page is None:
            self._page = Page(self.data, self.url, Hints(siblings=self.siblings))
        return self._page


class System(Protocol):
    """Something that reads pages."""

    @property
    def name(self) -> str:
        """What it is called in tables; no two systems of a run share one."""
        ...

    @property
    def identity(self) -> str:
        """Name, parameters and the version of all code behind its result: while it is the same, so is the result."""
        ...

    @property
    def shares_page(self) -> bool:
        """Whether it works on the document's `Page`, so that building it is not part of its own time."""
        ...

    def __call__(self, document: Document, /) -> Reading:
        """The text and fields of a page."""
        ...


def iso(moment: datetime | date | str | None) -> str:
    """A date as ISO 8601 text; what is text already stays as it is."""
    if moment is None:
        return ""
    return moment if isinstance(moment, str) else moment.isoformat()


@dataclass(frozen=True, slots=True)
class Function:
    """A system made of a plain function, for what is neither an extractor of ours nor a known peer."""

    name: str
    identity: str
    read: Callable[[Document], Reading]  # at the top of a module, so that workers can import it
    shares_page: bool = False

    def __call__(self, document: Document, /) -> Reading:
        """As the function reads it."""
        return self.read(document)


@dataclass(frozen=True, slots=True)
class Peer:
    """Another project's reader."""

    name: str
    distribution: str  # the package that must be installed
    read: Callable[..., Reading]  # of bytes, url and the options
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def identity(self) -> str:
        """The version of the package, the options and the adapter's own code.

        Raises:
            MissingExtra: the package is not installed.
        """
        try:
            found = version(self.distribution)
        except PackageNotFoundError:
            raise MissingExtra(f"measuring {self.name}", "peers") from None
        adapter = sha256(getsource(self.read).encode()).hexdigest()
        return f"{self.name} {self.distribution}=={found} {self.options!r} {adapter}"

    @property
    def shares_page(self) -> bool:
        """It parses the page itself."""
        return False

    def __call__(self, document: Document, /) -> Reading:
        """What the peer takes out of a page; it raises whatever the peer raises.

        Raises:
            MissingExtra: the package is not installed.
        """
        with quiet():
            try:
                return self.read(document.data, document.url, **dict(self.options))
            except ModuleNotFoundError:
                _ = self.identity  # where the peer itself is missing, this says so
                raise


@contextmanager
def quiet() -> Iterator[None]:
    """Without log lines and warnings: what a peer thinks of a page is not what the lab has to say."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def read_trafilatura(data: bytes, url: str | None, **options: Any) -> Reading:
    """Trafilatura: its own rules, with readability and jusText to fall back on.

    What `trafilatura.extract` gives as text, comments included unless an option says otherwise, and its metadata.
    """
    from trafilatura import bare_extraction
    from trafilatura.settings import Document

    found = bare_extraction(data, url=url, with_metadata=True, **options)
    if not isinstance(found, Document):  # nothing found; a dict only when asked for
        return Reading("")
    text = "\n".join(part for part in (found.text, found.comments) if part)
    authors = tuple(name.strip() for name in (found.author or "").split(";") if name.strip())
    return Reading(text, found.title or "", authors, iso(found.date))


def read_trafilatura_markdown(data: bytes, url: str | None) -> Reading:
    """Trafilatura's Markdown, with links, pictures, tables and formatting.

    The same text as its Markdown.
    """
    from trafilatura import extract

    found = extract(
        data, url=url, output_format="markdown", include_links=True, include_images=True, include_formatting=True
    )
    return Reading(found or "", markdown=found or "")


def read_html_to_markdown(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """html-to-markdown: all of the page as Markdown, no choice made.

    The same text as its Markdown.
    """
    convert = import_module("html_to_markdown").convert
    made = convert(decode(data, None).text)
    found = str(getattr(made, "content", None) or made)
    return Reading(found, markdown=found)


def read_newspaper4k(data: bytes, url: str | None) -> Reading:
    """newspaper4k, with the page given to it, so that it fetches neither page nor pictures.

    Text and fields of its `Article`.
    """
    newspaper = import_module("newspaper")  # by name: the newspaper of our own tests is called the same

    article = newspaper.Article(url or "", fetch_images=False)
    article.download(input_html=decode(data, None).text, ignore_read_more=True)
    article.parse()
    return Reading(article.text, article.title or "", tuple(article.authors), iso(article.publish_date))


def read_readability(data: bytes, url: str | None) -> Reading:
    """readability-lxml: it gives HTML, whose text is taken block by block.

    The text of its summary, its short title, and the author where this version tells one.
    """
    from readability import Document

    document = Document(data, url=url)
    title = document.short_title() or ""
    author = document.author() if hasattr(document, "author") else ""
    summary = document.summary(html_partial=True)
    text = Page(summary).text if summary.strip() else ""
    return Reading(text, title, () if author in ("", "[no-author]") else (author,))


def read_resiliparse(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """Resiliparse: fast rules on its own parser (Lexbor).

    The main content as plain text, and the title element.
    """
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(data, detect_encoding(data) or "utf-8")
    text = extract_plain_text(tree, main_content=True, alt_texts=False, links=False)
    return Reading(text, tree.title or "")


_LANGUAGE: Final = re.compile(rb"<html[^>]{0,500}?\slang\s*=\s*[\"']?([A-Za-z]{2,3})")
#: Its stop lists by the codes that pages declare.
_STOP_LISTS: Final = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "es": "Spanish",
    "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ko": "Korean", "lt": "Lithuanian",
    "lv": "Latvian", "nb": "Norwegian_Bokmal", "nl": "Dutch", "no": "Norwegian_Bokmal", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
}  # fmt: skip


def read_justext(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """jusText: blocks by length, links and stop words. It must be told the language; the page's own word is taken.

    The paragraphs that are no boilerplate, by the stop list of the declared language, English if none is told.
    """
    import justext

    told = _LANGUAGE.search(data[:5000])
    language = _STOP_LISTS.get(told[1].decode().lower() if told else "", "English")
    paragraphs = justext.justext(data, justext.get_stoplist(language))
    return Reading("\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate))


def read_boilerpy3(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """boilerpy3, the Python edition of boilerpipe (Kohlschütter et al. 2010): its ArticleExtractor.

    Content and title of its document.
    """
    from boilerpy3.extractors import ArticleExtractor

    document = ArticleExtractor().get_doc(decode(data, None).text)
    return Reading(document.content, document.title or "")


_ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def read_goose3(data: bytes, url: str | None) -> Reading:
    """Goose3: scores paragraphs by stop words. Pictures are not fetched.

    Text and fields of its article.
    """
    from goose3 import Goose

    with Goose({"enable_image_fetching": False}) as goose:
        article = goose.extract(url=url, raw_html=decode(data, None).text)
    told = article.publish_date or ""  # as the page writes it, in any form; the other is in universal time
    day = told if _ISO_DAY.match(told) else iso(article.publish_datetime_utc)
    return Reading(article.cleaned_text or "", article.title or "", tuple(article.authors or ()), day)


def read_news_please(data: bytes, url: str | None) -> Reading:
    """news-please: newspaper4k, readability and others, compared with each other. Pictures are not fetched.

    Text and fields of its article.
    """
    from newsplease import NewsPlease

    article = NewsPlease.from_html(decode(data, None).text, url=url, fetch_images=False)
    return Reading(article.maintext or "", article.title or "", tuple(article.authors or ()), iso(article.date_publish))


# The floor: everything on the page as text, no choice made. Who is below it does harm.


def read_html2text(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """The page as Markdown, without links, pictures and emphasis."""
    from html2text import HTML2Text

    writer = HTML2Text(bodywidth=0)
    writer.ignore_links = writer.ignore_images = writer.ignore_emphasis = True
    return Reading(writer.handle(decode(data, None).text))


def read_inscriptis(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """The page as a browser would lay out its text."""
    from inscriptis import get_text

    return Reading(get_text(decode(data, None).text))


#: All peers, the floor last.
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
#: Those that write Markdown, for pages whose gold names units of structure.
MARKDOWN_PEERS: Final[dict[str, Peer]] = {
    peer.name: peer
    for peer in (
        Peer("trafilatura-markdown", "trafilatura", read_trafilatura_markdown),
        Peer("html-to-markdown", "html-to-markdown", read_html_to_markdown),
    )
}
