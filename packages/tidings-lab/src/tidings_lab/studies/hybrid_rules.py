"""How often the rules of the hybrid paper can be used, and are right: tables 10 and 11, and the keywords of 5.2.

Hybrid rules 4.7 and 5. A rule is what is written of a block in the paper's XML: its tag, id and class, and the layout
block around it for where these are not enough. It is usable on a page if it names one element (section 3); the paper
counts that on the page that the rule is from. On the site's other pages it can also be wrong.

Rules are made of every page, once of the blocks that gold tells and once of those that a tree tells which has not seen
the site; each is tried on its own page, as the paper has it, and on others of the site. The paper: 83.7 % of the rules
for main and 75.5 % of those for headlines name one element, 93.7 % for main if it has a class and an id, and 71.9 % of
pages can be extracted by rules.

For pages where the rules fail the paper proposes words that mark an author or a date whatever tag they stand in (5.2),
and warns that such words are hard to choose and do not carry over to other languages. Authors are found as
`fields.bylines` finds them by words; a date is the first one in a line with such a word, or in the line behind it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, partial
from typing import Final, NamedTuple

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.errors import InputError
from tidings.extractors.published.block_tree.extractor import Classified
from tidings.extractors.published.block_tree.features import LAYOUT, TAGS, BlockClass
from tidings.extractors.published.block_tree.tree import BlockDecisionTree
from tidings.fields.bylines import by_words
from tidings.fields.headline_area import headline_places
from tidings.fields.moments import read
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.tag_sets import among, tag_set
from tidings.text import words
from tidings_lab.corpora import Sample
from tidings_lab.learners.blocks.c45 import C45
from tidings_lab.learners.blocks.labelled_tables import draw
from tidings_lab.learners.blocks.labels import FIELDS, LabelledBlocks, label, same_to_a_reader
from tidings_lab.learners.blocks.main_blocks import in_gold
from tidings_lab.learners.blocks.page_gold import PageGold
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Cell, Table
from tidings_lab.training.block_tree import taught_sample

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
        return np.asarray(2 * counts.gold / np.maximum(counts.words + counts.total, 1))

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
            best = headlines[found.probabilities[headlines, BlockClass.HEADLINE].argmax()]
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
        tried += [_try_rule(page, others, kind, element, by_tree=False) for kind, element in page.blocks()]
        if tree is not None:
            tried += [_try_rule(page, others, kind, element, by_tree=True) for kind, element in page.told(tree)]
    return tried


def _try_rule(
    page: LabelledPage, others: Sequence[LabelledPage], kind: str, element: int, *, by_tree: bool
) -> RuleTrial:
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


#: Shares of rules that name one element in the paper's table 10, by class.
PUBLISHED: Final[Mapping[str, float]] = {"main": 0.8374, "headline": 0.7554, "all": 0.7192}
_FEWEST: Final = 10  # rules of a tag that has a row in table 11
_ENGLISH: Final = "en"


@dataclass(frozen=True, slots=True)
class FieldFallback:
    """A field of a page that gold has: whether a rule of another page of the site finds it, and whether keywords do."""

    field: str
    language: str
    rule: bool
    keyword: bool


@dataclass(frozen=True, slots=True)
class HybridRules:
    """What was tried."""

    tried: tuple[RuleTrial, ...]
    fallbacks: tuple[FieldFallback, ...]

    def tables(self) -> tuple[Table, ...]:
        """Table 10 by gold and by the tree, table 11, pages, and the keywords."""
        by_gold = [one for one in self.tried if not one.by_tree]
        by_tree = [one for one in self.tried if one.by_tree]
        found = [self._classes("blocks told by gold (table 10)", by_gold)]
        if by_tree:
            found.append(self._classes("blocks told by a tree that has not seen the site", by_tree))
        found += [self._tags(by_gold), self._pages(by_gold, by_tree)]
        if self.fallbacks:
            found.append(self._keywords())
        return tuple(found)

    def charts(self) -> tuple[Chart, ...]:
        """Shares of rules by class: usable at home, usable on other pages, right there."""
        by_gold = [one for one in self.tried if not one.by_tree]
        kinds = tuple(kind for kind in _kinds(by_gold) if sum(one.others for one in _of(by_gold, kind)))
        if not kinds:
            return ()
        parts: tuple[tuple[str, Callable[[Sequence[RuleTrial]], float]], ...] = (
            ("one element on its own page", _single),
            ("one element on other pages", partial(_there, what="single_there")),
            ("the right one there", partial(_there, what="right_there")),
        )
        series = tuple(Series(name, tuple(share(_of(by_gold, kind)) for kind in kinds)) for name, share in parts)
        title = "Rules of tag, id, class and parent, by what they name"
        return (Chart("hybrid-rules", title, "", "share of rules", kinds, series, ChartKind.BARS),)

    def _classes(self, title: str, tried: Sequence[RuleTrial]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for kind in _kinds(tried):
            some = _of(tried, kind)
            named = [one for one in some if one.named]
            rows.append(
                (
                    kind,
                    len(some),
                    _right_here(some),
                    _single(some),
                    PUBLISHED.get(kind, "–"),
                    _share(len(named), len(some)),
                    _share(sum(one.single for one in named), len(named)),
                    sum(one.others for one in some),
                    _there(some, "none_there"),
                    _there(some, "single_there"),
                    _there(some, "right_there"),
                )
            )
        columns = (
            "class", "rules", "block right", "one element", "the paper", "with id or class", "one element of those",
            "tried on other pages", "none there", "one element there", "right there",
        )  # fmt: skip
        return Table(f"Rules: {title}; each tried on up to {OTHERS} other pages of its site", columns, tuple(rows))

    def _tags(self, tried: Sequence[RuleTrial]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for kind in _kinds(tried)[:-1]:
            tags = Counter(one.tag for one in _of(tried, kind))
            for tag, count in tags.most_common():
                some = [one for one in _of(tried, kind) if one.tag == tag]
                if count >= _FEWEST:
                    there = (_there(some, "single_there"), _there(some, "right_there"))
                    rows.append((kind, tag.upper(), count, _single(some), sum(one.others for one in some), *there))
        columns = ("class", "tag", "rules", "one element", "tried on other pages", "one element there", "right there")
        return Table("Rules by tag (table 11)", columns, tuple(rows))

    def _pages(self, *sides: Sequence[RuleTrial]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for name, tried in zip(("gold", "the tree"), sides, strict=True):
            pages: dict[str, list[RuleTrial]] = {}
            for one in tried:
                pages.setdefault(one.page, []).append(one)
            main = [one for one in tried if one.kind == BlockClass.MAIN.label]
            whole = [all(one.single for one in some) for some in pages.values()]
            story = [all(one.single for one in some if one.kind in ("main", "headline")) for some in pages.values()]
            if pages:
                shares = [_share(sum(some), len(some)) for some in (story, whole)]
                rows.append((name, len(pages), _single(main), *shares))
        columns = ("blocks told by", "pages", "main by rule", "main and headline", "everything")
        return Table("Pages that rules can be used on: each names one element (the paper: 0.719)", columns, tuple(rows))

    def _keywords(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for field in ("author", "date"):
            for name, english in (("English", True), ("other languages", False)):
                some = [one for one in self.fallbacks if one.field == field and (one.language == _ENGLISH) == english]
                if some:
                    failed = [one for one in some if not one.rule]
                    rows.append(
                        (
                            field,
                            name,
                            len(some),
                            _share(sum(one.rule for one in some), len(some)),
                            _share(sum(one.keyword for one in some), len(some)),
                            _share(sum(one.keyword for one in failed), len(failed)),
                            _share(sum(one.rule or one.keyword for one in some), len(some)),
                        )
                    )
        columns = ("field", "pages in", "pages", "by rule", "by keywords", "keywords where the rule fails", "together")
        return Table(
            "Author and date by a rule of another page of the site, and by keywords (5.2)", columns, tuple(rows)
        )


def run(samples: Sequence[Sample], each: Each = in_turn) -> HybridRules:
    """Make rules of every page and try them.

    Raises:
        InputError: no page has a labelled block.
    """
    learned = [sample for sample in samples if sample.may_teach and sample.half == 0]
    pages = list(each(taught_sample, learned, "labelling"))
    table = draw(pages)
    tree = C45().fit(table) if len(table) else None
    known = {sample.site for sample in learned}
    sites = [(some, None if some[0].site in known else tree) for some in _by_site_and_year(samples)]
    tried = [one for found in each(_try, sites, "trying rules") for one in found]
    if not tried:
        raise InputError("rules are made of blocks that gold tells, and none of these pages has one")
    several = [some for some, _ in sites if len(some) > 1]
    fallbacks = [one for found in each(_fall_back, several, "keywords") for one in found]
    return HybridRules(tuple(tried), tuple(fallbacks))


def _by_site_and_year(samples: Sequence[Sample]) -> list[list[Sample]]:
    """The pages of each site; where the corpus tells years, of each year, as a site of other years has other pages."""
    found: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        found.setdefault((sample.site, str(sample.more.get("year", ""))), []).append(sample)
    return list(found.values())


def _try(task: tuple[Sequence[Sample], BlockDecisionTree | None]) -> list[RuleTrial]:
    return try_rules(*task)


def _fall_back(samples: Sequence[Sample]) -> list[FieldFallback]:
    """For every page of a site its author and date by a rule of the next page that has them, and by keywords."""
    pages = [LabelledPage.of(sample) for sample in samples]
    found = []
    for place, page in enumerate(pages):
        sample = page.sample
        gold = PageGold.of(dict(sample.gold), sample.lang)
        others = pages[place + 1 :] + pages[:place]
        for field, there, keyword in (
            ("author", bool(gold.authors), partial(_has_author, page.page, gold)),
            ("date", gold.day is not None, partial(_has_day, page.page, gold)),
        ):
            rules = [one.rule(element) for one in others for kind, element in one.blocks() if kind == field]
            if there and rules:
                matches = page.matches(rules[0])
                right = len(matches) == 1 and page.is_right(field, matches[0])
                found.append(FieldFallback(field, sample.lang, right, keyword()))
    return found


def _has_author(page: Page, gold: PageGold) -> bool:
    wanted = {tuple(words(name)) for name in gold.authors}
    return any(tuple(words(name)) in wanted for name in authors(page))


def _has_day(page: Page, gold: PageGold) -> bool:
    return day(page, gold.language) == gold.day


def _kinds(tried: Sequence[RuleTrial]) -> list[str]:
    there = {one.kind for one in tried}
    fields = [field for field in FIELDS[1:] if field in there]
    information = [BlockClass.INFORMATION.label] if there - {"main", "headline"} else []
    return [*(kind for kind in ("main", "headline") if kind in there), *fields, *information, "all"]


def _of(tried: Sequence[RuleTrial], kind: str) -> list[RuleTrial]:
    if kind == "all":
        return list(tried)
    if kind == BlockClass.INFORMATION.label:
        return [one for one in tried if one.kind not in ("main", "headline")]
    return [one for one in tried if one.kind == kind]


def _single(tried: Sequence[RuleTrial]) -> float:
    return _share(sum(one.single for one in tried), len(tried))


def _right_here(tried: Sequence[RuleTrial]) -> float:
    told = [one.right_here for one in tried if one.right_here is not None]
    return _share(sum(told), len(told))


def _there(tried: Sequence[RuleTrial], what: str) -> float:
    return _share(sum(getattr(one, what) for one in tried), sum(one.others for one in tried))


def _share(some: int, of: int) -> float:
    return some / of if of else 0.0


STUDY: Final = Study(
    "hybrid-rules",
    "Rules of tag, id, class and parent: usable and right, by class and tag; keywords",
    "hybrid rules 4.7, 5.2, tables 10, 11",
    run,
)
