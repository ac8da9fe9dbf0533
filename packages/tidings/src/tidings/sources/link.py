"""A link: what a source tells of one page before the page is read.

Feeds tell the most, front pages the least; the form is one, so that what comes after need not ask where it came from.
Whatever a source says is hostile: titles and summaries are plain text, `content` is HTML as it stood in the feed and
has to go through `Page` or a sanitiser before anybody sees it.

Whether two links are one article (HOSTILE 21). What feeds do: GUIDs are missing, repeated for different entries, or
change with every poll; titles are edited; one article stands in five feeds with five sets of tracking parameters. What
stays is the address: so the address, spelled in its one way, is the identity, and neither GUID nor title can make one
article two or two articles one. Two cases are left. An address that several entries share (a podcast whose entries all
link to the show, a home page) is no identity: then the GUID is, then the enclosure, then title and date. And an address
that was edited (`…/1234-new-slug`) looks like a new article: `aliases` gives the GUID of the site as a second key under
which the old one is found, and `same` confirms it only if title or date agree too, for repeated GUIDs exist.

What is wrong with a source is a value: a feed is never refused by an exception, for the next poll may be well.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from tidings.fields.keys import squashed
from tidings.page.hints import Hints
from tidings.sources.addresses import key
from tidings.sources.dates import SourceDate
from tidings.text import letter_pair_similarity
from tidings.urls import outlet_of


class Origin(Enum):
    """The kind of source a link was found in."""

    FEED = "feed"
    SITEMAP = "sitemap"
    FRONT_PAGE = "front page"


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file that belongs to a story: a sound, a picture, a film."""

    address: str
    media_type: str = ""  # as declared, or by the ending of the address: image/jpeg, audio/mpeg
    size: int | None = None  # in bytes, as declared
    seconds: int | None = None

    @property
    def plays(self) -> bool:
        """Return whether it is a sound or a film."""
        return self.media_type.startswith(("audio/", "video/"))


@dataclass(frozen=True, slots=True)
class Link:
    """One page to be read, and what is known of it beforehand."""

    address: str  # canonical; empty where the source gave none that can be fetched
    origin: Origin
    title: str = ""
    summary: str = ""  # plain text
    content: str = ""  # HTML as in the feed, not sanitised
    said: str = ""  # the address as the source wrote it
    url: str = ""  # the same as an absolute URL, with its tracking parameters: what is fetched
    guid: str = ""
    own_address: bool = True  # False where the address names a whole site, or several entries share it
    published: SourceDate | None = None
    updated: SourceDate | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    language: str = ""
    publisher: str = ""  # the outlet a collected entry was taken from, or a news sitemap's publication
    comments: str = ""  # the address of its discussion
    anchor: str = ""  # on a front page: the text of the link
    teaser: str = ""  # and the text beside it
    chance: float | None = None  # how likely it leads to an article; None where the source says so itself
    verify: bool = False  # whether the teaser has to be looked for on the page (LBNEST II.C.2.ii)

    @property
    def hints(self) -> Hints:
        """What a reader of the page gets to know: the feed's words, or the anchor's and the teaser's."""
        return Hints(
            title=self.title or None,
            description=self.summary or None,
            anchor=self.anchor or None,
            teaser=self.teaser or None,
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """A feed that a page offers."""

    address: str
    title: str = ""
    kind: str = ""  # rss, atom, json; empty where nothing tells
    guess: bool = False  # an address that many sites have; nothing on the page names it
    told_by: str = ""


class ProblemKind(Enum):
    """The kinds of trouble; the value is what a health table says."""

    EMPTY = "empty"
    BINARY = "not text"
    TOO_LARGE = "too large"
    CUT_SHORT = "cut short"
    NOT_WELL_FORMED = "not well-formed"
    DECLARES_ENTITIES = "declares entities"  # none is expanded
    WEB_PAGE = "a web page, not a feed"
    UNKNOWN_FORMAT = "unknown format"
    TOO_MANY = "too many entries"
    NO_ADDRESS = "entries without an address"
    SHARED_ADDRESS = "entries with one address"
    BAD_DATE = "dates that say nothing"
    BAD_ENTRY = "damaged in some entries"  # reading them raised; the others were read


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """One trouble with one source, and what there is to know of it."""

    trouble: ProblemKind
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.trouble.value}: {self.detail}" if self.detail else self.trouble.value


#: How alike an edited title must be to the title before: LBNEST's 0.20 (III.B) is for related sentences; an edited
#: headline keeps most of its words.
_ALIKE: Final = 0.5
_LONGEST: Final = 500


def identity(link: Link) -> str:
    """Return the key of an article: equal for equal articles, in whatever feed they stand; never empty."""
    if link.address and link.own_address:
        return "address:" + key(link.address)
    site = outlet_of(link.address)
    if link.guid:
        return f"guid:{site}:{link.guid[:_LONGEST]}"
    if link.enclosures:
        return "enclosure:" + key(link.enclosures[0].address)
    day = link.published.said if link.published else ""
    return f"title:{site}:{squashed(link.title or link.summary)[:_LONGEST]}:{day}"


def aliases(link: Link) -> tuple[str, ...]:
    """Keys under which the article may be known from before; a match counts only if `same` says so."""
    if link.guid and link.address and link.own_address:
        return (f"guid:{outlet_of(link.address)}:{link.guid[:_LONGEST]}",)
    return ()


def same(first: Link, second: Link) -> bool:
    """Return whether two links lead to one article."""
    if identity(first) == identity(second):
        return True
    if not set(aliases(first)) & set(aliases(second)):
        return False
    return (
        _same_moment(first, second) or letter_pair_similarity(first.title[:_LONGEST], second.title[:_LONGEST]) >= _ALIKE
    )


def _same_moment(first: Link, second: Link) -> bool:
    if first.published is None or second.published is None or first.published.moment is None:
        return False
    one, other = first.published.instant, second.published.instant
    return one == other if one and other else first.published.said == second.published.said
