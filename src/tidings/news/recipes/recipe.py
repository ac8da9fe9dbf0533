"""A recipe as data: which links are taken, how a page is read, which pictures are its story's, how stories are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Final

from tidings import extractors
from tidings.extractors import Extractor
from tidings.sources import BEST, Chain

#: The recipe of sources that name none.
DEFAULT_RECIPE: Final = "default"


class Verification(StrEnum):
    """How the page that a teaser led to has to bear it out (LBNEST II.C.2.ii)."""

    TERMS = "terms"  # half of the teaser's terms stand in the story
    LETTER_PAIRS = "letter-pairs"  # a sentence of the story has enough letter pairs of the teaser (LBNEST III.A)
    NONE = "none"


class PictureRule(StrEnum):
    """Which pictures of a page are its story's."""

    BOX = "box"  # by the box that they stand in (`tidings.article.pictures`)
    NEAREST_TEXT = "nearest-text"  # the nearest text below is in the story (LBNEST II.C.2.v)
    NONE = "none"


class GroupingMethod(StrEnum):
    """How articles become stories."""

    TRACKER = "tracker"  # as they come, by rare words (`tidings.news.stories.tracker`)
    SINGLE_LINK = "single-link"  # LBNEST V.A
    COMPLETE_LINK = "complete-link"


class CategoryRule(StrEnum):
    """What tells the topic of an article (`tidings.news.stories.topics`)."""

    LEARNED = "learned"  # its feed, section or address, else its words
    DECLARED = "declared"  # its feed, section or address alone
    NONE = "none"  # nothing: the outlet's own word stands alone


@dataclass(frozen=True, slots=True)
class StoryGrouping:
    """How articles become stories, and for the links: where the tree is cut, over the articles of so many days."""

    method: GroupingMethod = GroupingMethod.TRACKER
    cut: float = 0.38
    days: int = 7


@dataclass(frozen=True, slots=True)
class HomePageEntry:
    """A source that a recipe names: its address, what it is ("auto" looks), what it is called and where it stands."""

    address: str
    kind: str = "auto"
    title: str = ""
    folder: str = ""
    line: int = 0  # of the recipe's file


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the sources that carry it are read."""

    name: str
    summary: str = ""
    chain: Chain = BEST
    links: str = "learned"  # the name of the chain; "own" where the recipe declares its filters
    verify: Verification = Verification.TERMS
    extractor: str = extractors.DEFAULT  # a name or an expression
    model: str = ""  # a file of one's own, for extractors that take one
    pictures: PictureRule = PictureRule.BOX
    is_teacher: bool = True  # whether what the extractor reads teaches the rules of its site
    grouping: StoryGrouping = StoryGrouping()
    categories: CategoryRule = CategoryRule.LEARNED
    languages: tuple[str, ...] = ()  # pages of others are read by the default; none: all
    poll: timedelta | None = None  # None: as often as a source has news
    home: tuple[HomePageEntry, ...] = ()
    made: Extractor | None = field(default=None, repr=False, compare=False)  # the extractor, ready

    @property
    def is_default(self) -> bool:
        """Whether pages are read as without a recipe: by the default, with the rules that it taught."""
        is_usual = self.extractor == extractors.DEFAULT and not self.model and not self.languages
        return is_usual and self.is_teacher and self.pictures is PictureRule.BOX
