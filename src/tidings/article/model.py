"""An article: what was taken out of a page. Immutable, hashable, equal by value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, get_type_hints

from tidings.article.blocks import (
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
    as_told,
    moment_of,
)
from tidings.article.text import plain
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
    """Where each field came from: a mapping that cannot change, so that it can be hashed."""

    __slots__ = ("_told",)

    def __init__(self, told: Mapping[str, str] | None = None) -> None:
        self._told = dict(told or {})

    def __getitem__(self, name: str) -> str:
        return self._told[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)

    def __hash__(self) -> int:
        return hash(frozenset(self._told.items()))

    def __repr__(self) -> str:
        return f"Provenance({self._told!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Provenance, (dict(self._told),)


@dataclass(frozen=True, slots=True)
class Comment(Dated):
    """What a reader wrote under an article, or one post of a forum or weblog."""

    blocks: tuple[Block, ...] = ()
    author: str = ""
    published: datetime | None = None  # a day is its first moment, without a zone
    number: int | None = None  # of a post, as the page shows it
    reply: int | None = None  # the number of the post that it answers
    published_precision: Precision = ""
    kind: str = ""  # of a comment: question, answer, thanks, objection, advert; empty: none of these

    @property
    def text(self) -> str:
        """The comment as plain text."""
        return plain(self.blocks)


@dataclass(frozen=True, slots=True)
class Article:
    """What was taken out of a page. An empty field is one the page does not tell; `provenance` tells of the others."""

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
    notes: tuple[Block, ...] = ()  # to which the text refers, and which stand outside it
    comments: tuple[Comment, ...] = ()
    posts: tuple[Comment, ...] = ()  # of a forum or weblog: parts of the text, one by one
    next_page: str = ""  # where the story goes on
    single_page: str = ""  # where all of it stands on one page
    marks: tuple[str, ...] = ()  # what stands between a reader and the story: "paywall", "login" …, sorted
    kind: str = "article"
    confidence: float | None = None  # the word F1 to be expected of the text
    doubt: str = ""  # why the confidence is low, where it is
    provenance: Mapping[str, str] = field(default_factory=Provenance)
    details: Details | None = None  # prices, addresses, numbers and products, for those who ask or have rules for them
    #: The whole text: blocks with an empty line between them, list items and table rows on lines of their own. Soft
    #: hyphens and the like, which only say where a line may break, are in the blocks and not here. It is made with the
    #: article, of its blocks.
    text: str = field(init=False, repr=False, compare=False)

    @classmethod
    def with_text(cls, text: str, values: dict[str, Any]) -> Article:
        """Return an article of which is known what its blocks say as a whole: to make that takes longer than all
        else.
        """
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
        """Dates, lines and provenance in one form."""
        # A plain dict would make an article that can change and has no hash.
        if not isinstance(self.provenance, Provenance):
            object.__setattr__(self, "provenance", Provenance(self.provenance))
        for name, exactly in (("published", "published_precision"), ("modified", "modified_precision")):
            if (told := getattr(self, name)) is not None or getattr(self, exactly):
                moment, precision = moment_of(told, getattr(self, exactly))
                object.__setattr__(self, name, moment)
                object.__setattr__(self, exactly, precision)
        for name in ("title", "summary"):
            if not (line := getattr(self, name)).isascii():
                object.__setattr__(self, name, without_breaks(line))

    @property
    def published_told(self) -> datetime | date | None:
        """When it was published, as the page tells it: a day where that is all that is known."""
        return as_told(self.published, self.published_precision)

    @property
    def modified_told(self) -> datetime | date | None:
        """When it was last changed, as the page tells it: a day where that is all that is known."""
        return as_told(self.modified, self.modified_precision)

    @property
    def address(self) -> str:
        """Where it is read: the address that the page calls its own, if it is of the same host, one above or below it.

        A page may name any other as its own; whoever is sent there is not where the text is from.
        """
        told, read = site_of(self.canonical), site_of(self.url)
        is_own = told == read or told.endswith(f".{read}") or ("." in told and read.endswith(f".{told}"))
        return self.canonical if told and (is_own or not read) else self.url or self.canonical

    def markdown(self, *, headline: bool = True, images: bool = True) -> str:
        """As Markdown, with the headline on top."""
        return self._written("markdown", headline=headline, images=images)

    def html(self, *, headline: bool = True, images: bool = True) -> str:
        """As clean HTML, with the headline on top."""
        return self._written("html", headline=headline, images=images)

    def tei(self) -> str:
        """As a TEI document."""
        return self._written("tei", images=True)

    def json(self) -> str:
        """As JSON, from which `tidings.article.article_from_json` makes it again."""
        return self._written("json")

    def about(self, question: str, *, tokens: int = 2000) -> Article:
        """Return the article with the blocks that answer a question, their headings, and no more than so many
        tokens.
        """
        found: Article = import_module("tidings.article.about").about(self, question, tokens)
        return found

    def _written(self, form: str, **options: bool) -> str:
        # By name: what writes articles knows them, and they do not know it.
        chosen = import_module("tidings.article.options").Options(**options)
        return str(import_module("tidings.article.render").render(self, form, chosen))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the page in the text, split at white space: no list markers, nothing between cells."""
        return tuple(word for block in self.blocks for word in block.words)


_DEFAULTS: Final = {
    one.name: Provenance() if one.name == "provenance" else one.default for one in fields(Article) if one.init
}


def field_types(part: type[Any]) -> dict[str, Any]:
    """Return the types that the fields of an article, or of another record, declare."""
    from tidings.fields.details import Details  # who reads a page without them does not load them

    return get_type_hints(part, localns={"Details": Details}, include_extras=True)
