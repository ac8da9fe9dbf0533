"""The rules of the hybrid paper on the pages of a site: do tag, id, class and parent name one block, the right one?

Hybrid rules 4.7 and 5. A rule is what is written of a block in the paper's XML: its tag, id and class, and the layout
block around it for where these are not enough. It is usable on a page if it names one element (section 3); the paper
counts that on the page that the rule is from. On the site's other pages it can also be wrong.

Author and date by keywords, for pages where the rules fail (hybrid rules 5.2).

The paper proposes words that mark an author or a date whatever tag they stand in, and warns that such words are hard to
choose and do not carry over to other languages. Authors are found as `fields.bylines` finds them by words; a date is
the first one in a line with such a word, or in the line behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from tidings.extractors.published.block_tree.classes import BlockClass
from tidings.extractors.published.block_tree.extractor import Classified
from tidings.extractors.published.block_tree.features import LAYOUT, TAGS
from tidings.extractors.published.block_tree.tree import BlockDecisionTree
from tidings.fields.bylines import by_words
from tidings.fields.headline_area import headline_places
from tidings.fields.moments import read
from tidings.lab.corpora import Sample
from tidings.lab.learners.blocks.labels import FIELDS, LabelledBlocks, PageGold, in_gold, label, same_to_a_reader
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.flow import among, tag_set

#: Words that stand beside a day of publication.
_DATED: Final = re.compile(
    r"\b(?:publi|posted|updated|created|dated?\b|veröffentlicht|erstellt|stand\b|aktualisiert|mis en ligne|fecha"
    r"|pubblicat|geplaatst|gepubliceerd|publikacji|publicerad|publisert|opublikowano|yayınlan|tarih)|опубликован|дата|تاریخ|منتشر|نشر"
    r"|פורסם|发布|發布|公開|게시|입력",
    re.IGNORECASE,
)
_LONGEST: Final = 160
_LINES: Final = 3000  # of a page; what is longer is a list


def authors(page: Page) -> tuple[str, ...]:
    """The names behind a word that marks an author."""
    places = headline_places(page)
    return by_words(page, None, places[0] if places else 0)


def day(page: Page, language: str) -> date | None:
    """The first date beside a word that marks one."""
    marked = False
    for line in page.text.split("\n", _LINES)[:_LINES]:
        if len(line) > _LONGEST:
            marked = False
            continue
        here = bool(_DATED.search(line))
        if (here or marked) and (found := read(line, language)) is not None:
            return found.date() if isinstance(found, datetime) else found
        marked = here
    return None


#: Other pages of the site that a rule is tried on.
OTHERS: Final = 5
#: A block whose F measure with gold is this near to that of the best one is main too.
_AS_GOOD: Final = 0.05

_TAGS: Final = tag_set(tags.numbers(" ".join(TAGS)))
_LAYOUT: Final = tag_set(tags.numbers(" ".join(LAYOUT)))


class Name(NamedTuple):
    """What tells an element."""

    tag: str
    id: str
    classes: str


class SiteRule(NamedTuple):
    """What is known of a block: its name, and that of the layout block around it."""

    name: Name
    inside: Name | None


@dataclass(frozen=True, slots=True)
class RuleTrial:
    """A rule that was made of a block of one page, tried on that page and on others of the site."""

    site: str
    page: str
    kind: str  # main, headline, or a field of article information
    tag: str
    named: bool  # whether it has an id or a class
    by_tree: bool  # whether a tree told the block, or gold did
    right_here: bool | None  # whether the block is of this kind by gold; None where gold does not tell
    single: bool  # one element on its own page
    others: int  # other pages that have such a block
    none_there: int  # of these: where it names none
    single_there: int  # where it names one element
    right_there: int  # and that is the right one


@dataclass(frozen=True)
class LabelledPage:
    """A page of a site with its labels and the names of its elements."""

    sample: Sample
    page: Page
    labelled: LabelledBlocks

    @classmethod
    def of(cls, sample: Sample) -> LabelledPage:
        """Read and label a sample."""
        page = Page(sample.html, sample.url)
        return cls(sample, page, label(page, PageGold.of(dict(sample.gold), sample.lang)))

    @cached_property
    def names(self) -> dict[Name, list[int]]:
        """The elements of each name."""
        found: dict[Name, list[int]] = {}
        for element in np.flatnonzero(among(self.page.elements.tag, _TAGS)).tolist():
            found.setdefault(self.name(element), []).append(element)
        return found

    @cached_property
    def around(self) -> Ints:
        """For each element the layout element around it, itself not counted; 0 for none."""
        nearest = self.page.nearest(_LAYOUT)
        return np.asarray(nearest[np.maximum(self.page.elements.parent, 0)])

    @cached_property
    def f1(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """For each element the F measure of its words with gold's."""
        counts = in_gold(self.page, str(self.sample.gold.get("text") or ""))
        return np.asarray(2 * counts.gold / np.maximum(counts.words + counts.wanted, 1))

    def name(self, element: int) -> Name:
        """What tells an element."""
        found = self.page.attributes(element)
        classes = " ".join(found.get("class", "").split())
        return Name(self.page.tag_names[self.page.elements.tag[element]], found.get("id", "").strip(), classes)

    def rule(self, element: int) -> SiteRule:
        """The rule for an element."""
        outer = int(self.around[element])
        return SiteRule(self.name(element), self.name(outer) if outer else None)

    def matches(self, rule: SiteRule) -> list[int]:
        """The elements that a rule names; where there are several, those in the right layout block."""
        found = self.names.get(rule.name, [])
        if len(found) > 1:
            found = [one for one in found if self.rule(one).inside == rule.inside]
        return found

    def blocks(self) -> Iterator[tuple[str, int]]:
        """The labelled blocks: their kinds, and their elements."""
        labelled = self.labelled
        for at in np.flatnonzero((labelled.label >= 0) & (labelled.label != BlockClass.UNINFORMATIVE)).tolist():
            kind = FIELDS[labelled.field[at]] or BlockClass(labelled.label[at]).label
            yield kind, int(labelled.blocks.element[at])

    def has(self, kind: str) -> bool:
        """Whether gold tells a block of a kind, or of a class."""
        return any(kind in (field, _class_of(field)) for field, _ in self.blocks())

    def is_right(self, kind: str, element: int) -> bool:
        """Whether an element is, to a reader, a labelled block of a kind."""
        if kind == BlockClass.MAIN.label:
            return bool(self.f1[element] >= self.labelled.main.f1 - _AS_GOOD)
        wanted = {one for field, one in self.blocks() if kind in (field, _class_of(field))}
        return any(same_to_a_reader(self.page, element, one) for one in wanted)

    def told(self, tree: BlockDecisionTree) -> Iterator[tuple[str, int]]:
        """The blocks that a tree tells: their classes, and their elements; of main and headline the likeliest."""
        found = Classified.of(self.page, tree)
        if found.main is not None:
            yield BlockClass.MAIN.label, int(found.blocks.element[found.main])
        classes = found.classes
        headlines = np.flatnonzero(classes == BlockClass.HEADLINE)
        if len(headlines):
            best = headlines[found.chances[headlines, BlockClass.HEADLINE].argmax()]
            yield BlockClass.HEADLINE.label, int(found.blocks.element[best])
        for at in np.flatnonzero(classes == BlockClass.INFORMATION).tolist():
            yield BlockClass.INFORMATION.label, int(found.blocks.element[at])


def _class_of(kind: str) -> str:
    return BlockClass.INFORMATION.label if kind in FIELDS[1:] else kind


def try_rules(samples: Sequence[Sample], tree: BlockDecisionTree | None) -> list[RuleTrial]:
    """Make rules of every page of a site, by gold and by a tree, and try each on that page and on some others."""
    pages = [LabelledPage.of(sample) for sample in samples]
    tried = []
    for place, page in enumerate(pages):
        others = (pages[place + 1 :] + pages[:place])[:OTHERS]
        tried += [_try(page, others, kind, element, by_tree=False) for kind, element in page.blocks()]
        if tree is not None:
            tried += [_try(page, others, kind, element, by_tree=True) for kind, element in page.told(tree)]
    return tried


def _try(page: LabelledPage, others: Sequence[LabelledPage], kind: str, element: int, *, by_tree: bool) -> RuleTrial:
    rule = page.rule(element)
    there = [(one, one.matches(rule)) for one in others if one.has(kind)]
    found = [(one, matches[0]) for one, matches in there if len(matches) == 1]
    return RuleTrial(
        page.sample.site,
        page.sample.id,
        kind,
        rule.name.tag,
        bool(rule.name.id or rule.name.classes),
        by_tree,
        page.is_right(kind, element) if page.has(kind) else None,
        len(page.matches(rule)) == 1,
        len(there),
        sum(not matches for _, matches in there),
        len(found),
        sum(one.is_right(kind, match) for one, match in found),
    )
