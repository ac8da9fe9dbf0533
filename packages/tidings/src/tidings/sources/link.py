"""Links: what a source declares about a page before the page is fetched.

Feeds say the most, front pages the least; the format is the same for all. All values are untrusted: titles and
summaries are plain text, and `content` is the feed's HTML, which must go through `Page` or a sanitiser before display.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tidings.page.hints import Hints
from tidings.sources.dates import SourceDate


class Origin(Enum):
    """The kind of source of a link."""

    FEED = "feed"
    SITEMAP = "sitemap"
    FRONT_PAGE = "front page"


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A media file of an article or episode: audio, image or video."""

    address: str
    media_type: str = ""  # declared, or from the file extension: image/jpeg, audio/mpeg
    size: int | None = None  # in bytes, as declared
    seconds: int | None = None

    @property
    def plays(self) -> bool:
        """Return whether the file is audio or video."""
        return self.media_type.startswith(("audio/", "video/"))


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a source to a page, with the metadata that the source has."""

    canonical_url: str  # empty if the source has no valid one
    origin: Origin
    title: str = ""
    summary: str = ""  # plain text
    content: str = ""  # HTML as in the feed, not sanitised
    declared_url: str = ""  # as written in the source
    url: str = ""  # absolute URL to fetch, with tracking parameters
    guid: str = ""
    has_own_url: bool = True  # False if the URL is a home page, or shared by entries
    published: SourceDate | None = None
    updated: SourceDate | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    language: str = ""
    publisher: str = ""  # the source of an aggregated entry, or the publication
    comments: str = ""  # URL of the discussion
    anchor: str = ""  # link text on a front page
    teaser: str = ""  # text next to the link
    probability: float | None = None  # of being an article; None if the source says so
    verify: bool = False  # whether the page must contain the teaser (LBNEST II.C.2.ii)

    @property
    def hints(self) -> Hints:
        """Return hints for reading the page: the feed's title and summary, or anchor text and teaser."""
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
    kind: str = ""  # rss, atom, json; empty if unknown
    guess: bool = False  # a well-known URL that the page does not link to
    provenance: str = ""
