"""A link: what a source tells of one page before the page is read.

Feeds tell the most, front pages the least; the form is one, so that what comes after need not ask where it came from.
Whatever a source says is hostile: titles and summaries are plain text, `content` is HTML as it stood in the feed and
has to go through `Page` or a sanitiser before anybody sees it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tidings.page.hints import Hints
from tidings.sources.when import SourceDate


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


@dataclass(frozen=True, slots=True)
class Link:
    """One page to be read, and what is known of it beforehand."""

    address: str  # canonical; empty where the source gave none that can be fetched
    origin: Origin
    title: str = ""
    summary: str = ""  # plain text
    content: str = ""  # HTML as in the feed, not sanitised
    said: str = ""  # the address as the source wrote it
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
