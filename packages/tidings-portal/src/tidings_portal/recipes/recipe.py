"""The data model of a recipe: link filters, extractor, picture rule and story grouping."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Final

from tidings import extractors
from tidings.extractors import Extractor
from tidings.options import DEFAULT as DEFAULT_OPTIONS
from tidings.options import ExtractOptions
from tidings.sources import BEST, Chain

#: The recipe of sources without one.
DEFAULT_RECIPE: Final = "default"


class Verification(StrEnum):
    """How pages are checked against the teaser that linked to them (LBNEST II.C.2.ii)."""

    TERMS = "terms"  # half of the teaser's terms are in the story
    LETTER_PAIRS = "letter-pairs"  # a sentence of the story has enough letter pairs of the teaser (LBNEST III.A)
    NONE = "none"


class PictureRule(StrEnum):
    """The rule that selects the pictures of a story."""

    BOX = "box"  # by their box (`tidings.article.pictures.select`)
    NEAREST_TEXT = "nearest-text"  # the nearest text below is in the story (LBNEST II.C.2.v)
    NONE = "none"


class GroupingMethod(StrEnum):
    """The method of grouping articles into stories."""

    TRACKER = "tracker"  # incrementally, by rare words (`tidings_portal.stories.tracker`)
    SINGLE_LINK = "single-link"  # LBNEST V.A
    COMPLETE_LINK = "complete-link"


class CategoryRule(StrEnum):
    """The source of an article's topic (`tidings_portal.stories.topics`)."""

    LEARNED = "learned"  # its feed, section or address, else its words
    DECLARED = "declared"  # its feed, section or address alone
    NONE = "none"  # no classification: only the outlet's section


@dataclass(frozen=True, slots=True)
class StoryGrouping:
    """The settings of story grouping: the method and, for linkage, the distance cut, the number of days, and whether
    words are stemmed. LBNEST does not stem.
    """

    method: GroupingMethod = GroupingMethod.TRACKER
    cut: float = 0.38
    days: int = 7
    stemmed: bool = False


@dataclass(frozen=True, slots=True)
class HomePageEntry:
    """A source of a recipe: its URL, kind ("auto" detects it), title and folder."""

    address: str
    kind: str = "auto"
    title: str = ""
    folder: str = ""
    line: int = 0  # in the recipe's file


@dataclass(frozen=True, slots=True)
class Recipe:
    """Named settings for links, extraction, pictures and grouping, which sources can use."""

    name: str
    summary: str = ""
    chain: Chain = BEST
    links: str = "learned"  # the name of the chain; "own" if the recipe declares filters
    verify: Verification = Verification.TERMS
    extractor: str = extractors.DEFAULT  # a name or an expression
    model: str = ""  # a model file, for extractors that take one
    pictures: PictureRule = PictureRule.BOX
    is_teacher: bool = True  # whether its results teach the rules of a site
    grouping: StoryGrouping = StoryGrouping()
    categories: CategoryRule = CategoryRule.LEARNED
    languages: tuple[str, ...] = ()  # pages in other languages are read by the default; empty: all languages
    poll: timedelta | None = None  # None: adapt to the news
    home: tuple[HomePageEntry, ...] = ()
    options: ExtractOptions = DEFAULT_OPTIONS
    built: Extractor | None = field(default=None, repr=False, compare=False)  # the extractor instance

    @property
    def is_default(self) -> bool:
        """Return whether the recipe uses the default extractor with learned site rules."""
        is_usual = self.extractor == extractors.DEFAULT and not self.model and not self.languages
        return is_usual and self.is_teacher and self.pictures is PictureRule.BOX and self.options.is_default
