"""The `Article` record: what Tidings extracts from a page. Immutable, hashable and compared by value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, get_type_hints

from tidings.article.model.blocks import (
    Block,
    Cell,
    Dated,
    Embed,
    Image,
    Inline,
    Item,
    Kind,
    Post,
    Precision,
    as_stated,
    moment_of,
)
from tidings.article.model.plain_text import plain
from tidings.text import without_breaks
from tidings.urls import site_of

if TYPE_CHECKING:
    from tidings.fields.details import Details

__all__ = [
    "Article",
    "Block",
    "Cell",
    "Comment",
    "Direction",
    "Embed",
    "Image",
    "Inline",
    "Item",
    "Kind",
    "Post",
    "Precision",
    "Provenance",
]

Direction = Literal["ltr", "rtl"]


class Provenance(Mapping[str, str]):
    """The source of each field, as an immutable and hashable mapping from field name to source."""

    __slots__ = ("_sources",)

    def __init__(self, sources: Mapping[str, str] | None = None) -> None:
        self._sources = dict(sources or {})

    def __getitem__(self, name: str) -> str:
        return self._sources[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def __hash__(self) -> int:
        return hash(frozenset(self._sources.items()))

    def __repr__(self) -> str:
        return f"Provenance({self._sources!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Provenance, (dict(self._sources),)


@dataclass(frozen=True, slots=True)
class Comment(Dated):
    """A reader's comment on an article, or one post of a forum or weblog."""

    blocks: tuple[Block, ...] = ()
    author: str = ""
    published: datetime | None = None  # a day is its first moment, without a zone
    number: int | None = None  # of a post, as the page shows it
    reply: int | None = None  # the number of the post that it answers
    published_precision: Precision = ""
    kind: str = ""  # of a comment: question, answer, thanks, objection, advert; empty: none of these

    @property
    def text(self) -> str:
        """Return the comment as plain text."""
        return plain(self.blocks)


@dataclass(frozen=True, slots=True)
class Article:
    """The contents of a page.

    Fields that the page does not state are empty; `provenance` names the source of the others.

    Examples:
        >>> article = tidings.extract(html, url="https://example.org/story")
        >>> article.title, article.authors, article.published
        >>> print(article.text)
    """

    url: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    published: datetime | None = None  # a day is its first moment, without a zone
    published_precision: Precision = ""
    modified: datetime | None = None
    modified_precision: Precision = ""
    language: str = ""
    direction: Direction = "ltr"
    site: str = ""
    canonical: str = ""
    summary: str = ""
    section: str = ""
    tags: tuple[str, ...] = ()
    image: Image | None = None  # the lead
    images: tuple[Image, ...] = ()  # those in the text, in its order
    blocks: tuple[Block, ...] = ()
    notes: tuple[Block, ...] = ()  # notes outside the text that it refers to
    comments: tuple[Comment, ...] = ()
    posts: tuple[Comment, ...] = ()  # of a forum or weblog: parts of the text, one by one
    next_page: str = ""  # where the story goes on
    single_page: str = ""  # URL of the single-page version
    marks: tuple[str, ...] = ()  # access marks such as "paywall" and "login", sorted
    kind: str = "article"
    confidence: float | None = None  # the word F1 to be expected of the text
    doubt: str = ""  # reason for a low confidence
    provenance: Mapping[str, str] = field(default_factory=Provenance)
    details: Details | None = None  # prices, addresses, numbers and products, for those who ask or have rules for them
    #: The whole text: blocks with an empty line between them, list items and table rows on lines of their own. Soft
    #: hyphens and the like, which only say where a line may break, are in the blocks and not here. It is made with the
    #: article, of its blocks.
    text: str = field(init=False, repr=False, compare=False)

    @classmethod
    def with_text(cls, text: str, values: dict[str, Any]) -> Article:
        """Return an article whose plain text is already known; deriving the text takes longer than all other steps."""
        article = object.__new__(cls)
        for name, value in (_DEFAULTS | values).items():
            object.__setattr__(article, name, value)
        object.__setattr__(article, "text", text)
        article._mend()
        return article

    def __post_init__(self) -> None:
        self._mend()
        object.__setattr__(self, "text", without_breaks(plain(self.blocks)))

    def _mend(self) -> None:
        """Normalise dates, line breaks and provenance."""
        # A plain dict would make an article that can change and has no hash.
        if not isinstance(self.provenance, Provenance):
            object.__setattr__(self, "provenance", Provenance(self.provenance))
        for name, precision_name in (("published", "published_precision"), ("modified", "modified_precision")):
            if (value := getattr(self, name)) is not None or getattr(self, precision_name):
                moment, precision = moment_of(value, getattr(self, precision_name))
                object.__setattr__(self, name, moment)
                object.__setattr__(self, precision_name, precision)
        for name in ("title", "summary"):
            if not (line := getattr(self, name)).isascii():
                object.__setattr__(self, name, without_breaks(line))

    @property
    def published_as_stated(self) -> datetime | date | None:
        """The publication time in the precision of the page: a `date` if only the day is known."""
        return as_stated(self.published, self.published_precision)

    @property
    def modified_as_stated(self) -> datetime | date | None:
        """The modification time in the precision of the page: a `date` if only the day is known."""
        return as_stated(self.modified, self.modified_precision)

    @property
    def address(self) -> str:
        """The URL to send readers to: the canonical URL if it is on the same host, a subdomain or a parent domain, else
        `url`.

        A page can declare any URL as canonical, so a canonical URL on an unrelated host is ignored.
        """
        declared_site, page_site = site_of(self.canonical), site_of(self.url)
        is_own = (
            declared_site == page_site
            or declared_site.endswith(f".{page_site}")
            or ("." in declared_site and page_site.endswith(f".{declared_site}"))
        )
        return self.canonical if declared_site and (is_own or not page_site) else self.url or self.canonical

    def markdown(self, *, headline: bool = True, images: bool = True) -> str:
        """Return the article as Markdown, with the headline on top."""
        return self._render("markdown", headline=headline, images=images)

    def html(self, *, headline: bool = True, images: bool = True) -> str:
        """Return the article as sanitised HTML, with the headline on top."""
        return self._render("html", headline=headline, images=images)

    def tei(self) -> str:
        """Return the article as a TEI document."""
        return self._render("tei", images=True)

    def json(self) -> str:
        """Return the article as JSON; `tidings.article.article_from_json` reads it back."""
        return self._render("json")

    def about(self, question: str, *, tokens: int = 2000) -> Article:
        """Return the article reduced to the blocks that answer a question, with their headings.

        Args:
            question: the question, in the language of the article.
            tokens: the maximum size of the result in model tokens, estimated.
        """
        result: Article = import_module("tidings.article.about").about(self, question, tokens)
        return result

    def _render(self, form: str, **options: bool) -> str:
        # By name: what writes articles knows them, and they do not know it.
        chosen = import_module("tidings.article.formats.options").Options(**options)
        return str(import_module("tidings.article.formats.render").render(self, form, chosen))

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words of the text, split at white space, without list markers or cell separators."""
        return tuple(word for block in self.blocks for word in block.words)


_DEFAULTS: Final = {
    one.name: Provenance() if one.name == "provenance" else one.default for one in fields(Article) if one.init
}


def field_types(part: type[Any]) -> dict[str, Any]:
    """Return the declared types of the fields of an article or another record."""
    from tidings.fields.details import Details  # who reads a page without them does not load them

    return get_type_hints(part, localns={"Details": Details}, include_extras=True)
