"""The blocks an article is made of, and the pieces inside them.

White space is part of the text: the texts of a block's inlines, one behind the other, are what a reader sees, no word
glued to the next and none split. A line feed in an inline is a line break, in every kind of block; only
preformatted blocks hold other white space than single spaces.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Literal

#: How exactly a moment is known: to the day, to the second (or the minute), or there is none.
Precision = Literal["", "day", "second"]


def moment_of(told: datetime | date | None, precision: Precision = "") -> tuple[datetime | None, Precision]:
    """Return a moment and its precision, of what is told; a day, as older files have it too, becomes its first
    moment.
    """
    if told is None:
        return None, ""
    if isinstance(told, datetime):
        return told, precision or "second"
    return datetime(told.year, told.month, told.day), "day"


def as_told(moment: datetime | None, precision: Precision) -> datetime | date | None:
    """Return a moment as the page tells it: a day where that is all that is known."""
    return moment.date() if moment is not None and precision == "day" else moment


class Kind(StrEnum):
    """What a block is. Of several that are true of it, the first of: table, caption, preformatted, heading; then
    quote or list item, whichever is nearer to the text.

    A callout or details begins with a block of that kind, which holds its title; what is in it stands in a quote of the
    same depth. An attribution ends a quote. Notes that belong together have the same label. A post of a thread
    begins with a block of that kind, which says nothing itself. A gallery begins with a block of that kind, which
    holds its title; a caption with a picture follows for each of its pictures, some without a word.
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
    expansion: str = ""  # what an abbreviation stands for, as the page says it


@dataclass(frozen=True, slots=True)
class Item:
    """A list item, told by the block that begins it."""

    ordered: bool = False
    number: int | None = None  # as the page shows it; None in a list without numbers
    term: bool = False  # of a list of definitions: what is defined; the definitions follow in the item


@dataclass(slots=True, unsafe_hash=True)
class Cell:
    """A cell of a table. An empty one keeps its place."""

    inlines: tuple[Inline, ...] = ()
    header: bool = False
    colspan: int = 1
    rowspan: int = 1

    @property
    def text(self) -> str:
        """What the cell says."""
        return "".join(inline.text for inline in self.inlines)


@dataclass(slots=True, unsafe_hash=True)
class Image:
    """A picture. `place` is the index of the block it stands before, None if it stands outside the text."""

    src: str
    alt: str = ""
    caption: str = ""
    place: int | None = None
    credit: str = ""


@dataclass(frozen=True, slots=True)
class Embed:
    """A film, a recording or a post of a network, shown by another site; or the file of an episode."""

    provider: str  # the site; `audio` or `video` of a file
    url: str
    author: str = ""
    title: str = ""
    media_type: str = ""  # as `audio/mpeg`
    seconds: int | None = None  # how long it plays
    size: int | None = None  # bytes


class Dated:
    """What has a time of writing: a moment, and how exactly the page tells it."""

    __slots__ = ()
    published: datetime | None
    published_precision: Precision

    def __post_init__(self) -> None:
        moment, precision = moment_of(self.published, self.published_precision)
        object.__setattr__(self, "published", moment)
        object.__setattr__(self, "published_precision", precision)

    @property
    def published_told(self) -> datetime | date | None:
        """When it was written, as the page tells it: a day where that is all that is known."""
        return as_told(self.published, self.published_precision)


@dataclass(frozen=True, slots=True)
class Post(Dated):
    """What is known of a post of a forum, a question site or a live page."""

    author: str = ""
    published: datetime | None = None  # a day is its first moment, without a zone
    number: int | None = None  # as the page shows it, otherwise its place among the posts
    reply: int | None = None  # the number of the post that it answers or quotes
    published_precision: Precision = ""


@dataclass(slots=True, unsafe_hash=True)
class Block:
    """What a reader sees as a paragraph, a heading, a list item.

    Lists are flat: `depth` says in how many lists a block stands. The block that begins an item has `item`; those
    that follow in the same item have the depth without it. A quote in a list item is a `QUOTE` with a depth; a list
    in a quote is made of `LIST_ITEM`s with a quote depth.
    """

    kind: Kind
    inlines: tuple[Inline, ...] = ()
    level: int | None = None  # of a heading, 1 to 6
    depth: int = 0
    item: Item | None = None
    quote_depth: int = 0
    rows: tuple[tuple[Cell, ...], ...] = ()  # of a table
    image: Image | None = None  # what a caption is about
    language: str = ""  # of code, as the page names it
    label: str = ""  # of a note; what sort of callout
    embed: Embed | None = None
    size: int = 0  # of a callout, details, a post, a gallery: how many of the blocks behind it are in it
    post: Post | None = None

    @property
    def text(self) -> str:
        """What the block says. A table is its rows on lines of their own, with ` | ` between cells."""
        if self.kind is Kind.TABLE:
            return "\n".join(" | ".join(" ".join(cell.text.split()) for cell in row) for row in self.rows)
        inlines = self.inlines
        return inlines[0].text if len(inlines) == 1 else "".join([inline.text for inline in inlines])

    @property
    def words(self) -> tuple[str, ...]:
        """The block's own words, split at white space: nothing that was put between them."""
        if self.kind is Kind.TABLE:
            return tuple(word for row in self.rows for cell in row for word in cell.text.split())
        return tuple(self.text.split())
