"""The blocks of an article and the inlines inside them.

Inlines carry their own white space: joined without a separator, the texts of a block's inlines are what a reader sees.
A line feed in an inline is a line break, in every kind of block. Only preformatted blocks hold other white space than
single spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Literal

#: How exactly a moment is known: to the day, to the second (or the minute), or there is none.
Precision = Literal["", "day", "second"]


def moment_of(value: datetime | date | None, precision: Precision = "") -> tuple[datetime | None, Precision]:
    """Return a datetime and its precision.

    A date becomes midnight of that day, with precision "day". (Older files store dates this way, too.)
    """
    if value is None:
        return None, ""
    if isinstance(value, datetime):
        return value, precision or "second"
    return datetime(value.year, value.month, value.day), "day"


def as_stated(moment: datetime | None, precision: Precision) -> datetime | date | None:
    """Return a moment in the precision of the page: a `date` if only the day is known."""
    return moment.date() if moment is not None and precision == "day" else moment


class Kind(StrEnum):
    """The kind of a block.

    If several kinds apply, the first of this order wins: table, caption, preformatted, heading; then quote or list
    item, whichever is nearer to the text.

    - A callout or details starts with a block of that kind, which holds its title; its contents follow as blocks with a
      quote depth.
    - An attribution ends a quote.
    - All blocks of a note have the same label.
    - A post of a thread starts with an empty block of kind `POST`.
    - A gallery starts with a block of kind `GALLERY`, which holds its title; a caption with a picture follows for each
      of its pictures, possibly without text.
    """

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    QUOTE = "quote"
    PREFORMATTED = "preformatted"
    TABLE = "table"
    CAPTION = "caption"
    FORMULA = "formula"
    NOTE = "note"
    CALLOUT = "callout"
    DETAILS = "details"
    ATTRIBUTION = "attribution"
    EMBED = "embed"
    POST = "post"
    GALLERY = "gallery"


# Blocks and what is in them are not to be changed: an article is frozen. Python does not check it: that would take the
# constructor seven times as long, and an article has hundreds of them.


@dataclass(slots=True, unsafe_hash=True)
class Inline:
    """A piece of text of one formatting."""

    text: str
    href: str | None = None  # absolute; http, https or mailto
    strong: bool = False
    emphasis: bool = False
    code: bool = False
    superscript: bool = False
    subscript: bool = False
    formula: bool = False  # the text is LaTeX
    inserted: bool = False
    deleted: bool = False
    note: str = ""  # it refers to the note of this label
    reading: str = ""  # how the text is read aloud (ruby)
    expansion: str = ""  # expansion of an abbreviation, as declared on the page


@dataclass(frozen=True, slots=True)
class Item:
    """A list item; set on the block that starts it."""

    ordered: bool = False
    number: int | None = None  # as the page shows it; None in a list without numbers
    term: bool = False  # in a definition list: the term, whose definitions follow in the item


@dataclass(slots=True, unsafe_hash=True)
class Cell:
    """A table cell. Empty cells are kept, so that columns line up."""

    inlines: tuple[Inline, ...] = ()
    header: bool = False
    colspan: int = 1
    rowspan: int = 1

    @property
    def text(self) -> str:
        """Return the text of the cell."""
        return "".join(inline.text for inline in self.inlines)


@dataclass(slots=True, unsafe_hash=True)
class Image:
    """A picture. `place` is the index of the block that follows it; None if the picture is outside the text."""

    src: str
    alt: str = ""
    caption: str = ""
    place: int | None = None
    credit: str = ""


@dataclass(frozen=True, slots=True)
class Embed:
    """A video, recording or post embedded from another site, or the enclosure of an episode."""

    provider: str  # the site; `audio` or `video` of a file
    url: str
    author: str = ""
    title: str = ""
    media_type: str = ""  # as `audio/mpeg`
    seconds: int | None = None  # how long it plays
    size: int | None = None  # bytes


class Dated:
    """Mixin for records with a publication time and the precision of that time."""

    __slots__ = ()
    published: datetime | None
    published_precision: Precision

    def __post_init__(self) -> None:
        moment, precision = moment_of(self.published, self.published_precision)
        object.__setattr__(self, "published", moment)
        object.__setattr__(self, "published_precision", precision)

    @property
    def published_as_stated(self) -> datetime | date | None:
        """The publication time in the precision of the page: a `date` if only the day is known."""
        return as_stated(self.published, self.published_precision)


@dataclass(frozen=True, slots=True)
class Post(Dated):
    """The metadata of a post in a forum, question site or live page."""

    author: str = ""
    published: datetime | None = None  # a day is its first moment, without a zone
    number: int | None = None  # as the page shows it, otherwise its place among the posts
    reply: int | None = None  # the number of the post that it answers or quotes
    published_precision: Precision = ""


@dataclass(slots=True, unsafe_hash=True)
class Block:
    """A paragraph, heading, list item or other block, as a reader sees it.

    Lists are flat: `depth` is the number of lists around a block. The block that starts an item has `item`; further
    blocks of the same item have the depth only. A quote in a list item is a `QUOTE` with a depth; a list in a quote is
    a series of `LIST_ITEM`s with a quote depth.
    """

    kind: Kind
    inlines: tuple[Inline, ...] = ()
    level: int | None = None  # of a heading, 1 to 6
    depth: int = 0
    item: Item | None = None
    quote_depth: int = 0
    rows: tuple[tuple[Cell, ...], ...] = ()  # of a table
    image: Image | None = None  # the picture of a caption
    language: str = ""  # of code, as the page names it
    label: str = ""  # of a note; what sort of callout
    embed: Embed | None = None
    size: int = 0  # number of following blocks in a callout, details, post or gallery
    post: Post | None = None

    @property
    def text(self) -> str:
        """Return the text of the block. Each table row has its own line, with cells separated by " | "."""
        if self.kind is Kind.TABLE:
            return "\n".join(" | ".join(" ".join(cell.text.split()) for cell in row) for row in self.rows)
        inlines = self.inlines
        return inlines[0].text if len(inlines) == 1 else "".join([inline.text for inline in inlines])

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the block, split at white space, without list markers or cell separators."""
        if self.kind is Kind.TABLE:
            return tuple(word for row in self.rows for cell in row for word in cell.text.split())
        return tuple(self.text.split())
