"""Site rules of the hybrid paper: how often they are usable, and right (tables 10 and 11, and the keywords of 5.2).

Source: hybrid rules 4.7 and 5. A rule is the description of a block in the paper's XML: its tag, id and class, and the
layout block around it if these are not enough. It is usable on a page if it matches one element (section 3); the paper
counts this on the page from which the rule comes. On other pages of the site it can also match a wrong element.

Rules are made from every page, once from the blocks of the ground truth and once from those of a tree that was not
trained on the site; each is tested on its own page, like in the paper, and on others of the site. The paper: 83.7 % of
the rules for main and 75.5 % of those for headlines match one element, 93.7 % for main with class and id, and 71.9 % of
pages can be extracted by rules.

For pages where the rules fail the paper proposes words that mark an author or a date in any tag (5.2), and warns that
such words are hard to choose and do not carry over to other languages. Authors are found like in `by_words`; a date is
the first one in a line with such a word, or in the next line.
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
from tidings.fields.authors.bylines import by_words
from tidings.fields.date_parsing.parsing import read
from tidings.fields.titles.headline_area import headline_places
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

#: Words next to a day of publication.
_DATED: Final = re.compile(
    r"\b(?:publi|posted|updated|created|dated?\b|veröffentlicht|erstellt|stand\b|aktualisiert|mis en ligne|fecha"
    r"|pubblicat|geplaatst|gepubliceerd|publikacji|publicerad|publisert|opublikowano|yayınlan|tarih)|опубликован|дата|تاریخ|منتشر|نشر"
    r"|פורסם|发布|發布|公開|게시|입력",
    re.IGNORECASE,
)
_LONGEST: Final = 160
_LINES: Final = 3000  # of a page: longer ones are lists


def authors(page: Page) -> tuple[str, ...]:
    """Return the names after a word that marks an author."""
    places = headline_places(page)
    return by_words(page, None, places[0] if places else 0)


def day(page: Page, language: str) -> date | None:
    """Return the first date next to a word that marks a date."""
    previous_has_word = False
    for line in page.text.split("\n", _LINES)[:_LINES]:
        if len(line) > _LONGEST:
            previous_has_word = False
            continue
        has_word = bool(_DATED.search(line))
        if (has_word or previous_has_word) and (moment := read(line, language)) is not None:
            return moment.date() if isinstance(moment, datetime) else moment
        previous_has_word = has_word
    return None


#: The number of other pages of the site on which a rule is tested.
OTHERS: Final = 5
#: A block whose F measure is at most this much below the best one is main too.
_AS_GOOD: Final = 0.05

_TAGS: Final = tag_set(tags.numbers(" ".join(TAGS)))
_LAYOUT: Final = tag_set(tags.numbers(" ".join(LAYOUT)))


class Name(NamedTuple):
    """An element's tag, id and classes, by which a rule locates it on other pages."""

    tag: str
    id: str
    classes: str


class SiteRule(NamedTuple):
    """A rule that locates a block on other pages of a site: the block's tag, id and classes, and those of the layout
    element around it.
    """

    name: Name
    inside: Name | None


@dataclass(frozen=True, slots=True)
class RuleTrial:
    """The test of a rule that was made from a block of a page, on that page and on other pages of its site."""

    site: str
    page: str
    kind: str  # main, headline, or a field of article information
    tag: str
    named: bool  # whether it has an id or a class
    by_tree: bool  # whether the block comes from a tree or from the ground truth
    right_here: bool | None  # whether the block is right on its own page; None without ground truth
    single: bool  # matches one element on its own page
    other_pages: int  # number of other pages with a block of this kind
    none_there: int  # of these: pages without a match
    single_there: int  # pages with one match
    right_there: int  # pages with one right match


@dataclass(frozen=True)
class LabelledPage:
    """A page of a site, parsed, with the labels of its blocks."""

    sample: Sample
    page: Page
    labelled: LabelledBlocks

    @classmethod
    def of(cls, sample: Sample) -> LabelledPage:
        """Parse and label a sample."""
        page = Page(sample.html, sample.url)
        return cls(sample, page, label(page, PageGold.of(dict(sample.gold), sample.lang)))

    @cached_property
    def names(self) -> dict[Name, list[int]]:
        """Return the elements of the page, grouped by tag, id and classes."""
        result: dict[Name, list[int]] = {}
        for element in np.flatnonzero(among(self.page.elements.tag, _TAGS)).tolist():
            result.setdefault(self.name(element), []).append(element)
        return result

    @cached_property
    def layout_parent(self) -> Ints:
        """Return the nearest layout element around each element, excluding itself; 0 for none."""
        nearest = self.page.nearest(_LAYOUT)
        return np.asarray(nearest[np.maximum(self.page.elements.parent, 0)])

    @cached_property
    def f1(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return the F measure of each element's words against the ground truth."""
        counts = in_gold(self.page, str(self.sample.gold.get("text") or ""))
        return np.asarray(2 * counts.gold / np.maximum(counts.words + counts.total, 1))

    def name(self, element: int) -> Name:
        """Return tag, id and classes of an element."""
        attributes = self.page.attributes(element)
        classes = " ".join(attributes.get("class", "").split())
        return Name(self.page.tag_names[self.page.elements.tag[element]], attributes.get("id", "").strip(), classes)

    def rule(self, element: int) -> SiteRule:
        """Return a rule that locates an element on other pages."""
        outer = int(self.layout_parent[element])
        return SiteRule(self.name(element), self.name(outer) if outer else None)

    def matches(self, rule: SiteRule) -> list[int]:
        """Return the elements that a rule matches; if there are several, those in the right layout block."""
        elements = self.names.get(rule.name, [])
        if len(elements) > 1:
            elements = [element for element in elements if self.rule(element).inside == rule.inside]
        return elements

    def blocks(self) -> Iterator[tuple[str, int]]:
        """Yield the kinds and elements of the labelled blocks."""
        labelled = self.labelled
        for at in np.flatnonzero((labelled.label >= 0) & (labelled.label != BlockClass.UNINFORMATIVE)).tolist():
            kind = FIELDS[labelled.field[at]] or BlockClass(labelled.label[at]).label
            yield kind, int(labelled.blocks.element[at])

    def has(self, kind: str) -> bool:
        """Return whether the ground truth has a block of a kind, or of a class."""
        return any(kind in (field, _class_of(field)) for field, _ in self.blocks())

    def is_right(self, kind: str, element: int) -> bool:
        """Return whether an element has the same visible text as the block of a kind in the ground truth."""
        if kind == BlockClass.MAIN.label:
            return bool(self.f1[element] >= self.labelled.main.f1 - _AS_GOOD)
        elements = {labelled for field, labelled in self.blocks() if kind in (field, _class_of(field))}
        return any(same_to_a_reader(self.page, element, labelled) for labelled in elements)

    def predicted(self, tree: BlockDecisionTree) -> Iterator[tuple[str, int]]:
        """Yield the kind and element of each block that a decision tree classifies as relevant.

        Only the most probable main block and headline are included.
        """
        classified = Classified.of(self.page, tree)
        if classified.main is not None:
            yield BlockClass.MAIN.label, int(classified.blocks.element[classified.main])
        classes = classified.classes
        headlines = np.flatnonzero(classes == BlockClass.HEADLINE)
        if len(headlines):
            best = headlines[classified.probabilities[headlines, BlockClass.HEADLINE].argmax()]
            yield BlockClass.HEADLINE.label, int(classified.blocks.element[best])
        for at in np.flatnonzero(classes == BlockClass.INFORMATION).tolist():
            yield BlockClass.INFORMATION.label, int(classified.blocks.element[at])


def _class_of(kind: str) -> str:
    return BlockClass.INFORMATION.label if kind in FIELDS[1:] else kind


def try_rules(samples: Sequence[Sample], tree: BlockDecisionTree | None) -> list[RuleTrial]:
    """Make rules from every page of a site, by ground truth and by a tree, and test each on that page and some
    others.
    """
    pages = [LabelledPage.of(sample) for sample in samples]
    trials = []
    for place, page in enumerate(pages):
        other_pages = (pages[place + 1 :] + pages[:place])[:OTHERS]
        trials += [_try_rule(page, other_pages, kind, element, by_tree=False) for kind, element in page.blocks()]
        if tree is not None:
            trials += [
                _try_rule(page, other_pages, kind, element, by_tree=True) for kind, element in page.predicted(tree)
            ]
    return trials


def _try_rule(
    page: LabelledPage, other_pages: Sequence[LabelledPage], kind: str, element: int, *, by_tree: bool
) -> RuleTrial:
    rule = page.rule(element)
    matched = [(page_, page_.matches(rule)) for page_ in other_pages if page_.has(kind)]
    single_matches = [(page_, matches[0]) for page_, matches in matched if len(matches) == 1]
    return RuleTrial(
        page.sample.site,
        page.sample.id,
        kind,
        rule.name.tag,
        bool(rule.name.id or rule.name.classes),
        by_tree,
        page.is_right(kind, element) if page.has(kind) else None,
        len(page.matches(rule)) == 1,
        len(matched),
        sum(not matches for _, matches in matched),
        len(single_matches),
        sum(page_.is_right(kind, match) for page_, match in single_matches),
    )


#: Shares of rules that name one element in the paper's table 10, by class.
PUBLISHED: Final[Mapping[str, float]] = {"main": 0.8374, "headline": 0.7554, "all": 0.7192}
_FEWEST: Final = 10  # rules of a tag that has a row in table 11
_ENGLISH: Final = "en"


@dataclass(frozen=True, slots=True)
class FieldFallback:
    """A field in the ground truth of a page: whether the rule of another page extracts its value, and whether keywords
    do.
    """

    field: str
    language: str
    rule: bool
    keyword: bool


@dataclass(frozen=True, slots=True)
class HybridRules:
    """The results of all tested rules."""

    tried: tuple[RuleTrial, ...]
    fallbacks: tuple[FieldFallback, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return table 10 by ground truth and by the tree, table 11, and tables of pages and of keywords."""
        by_gold = [trial for trial in self.tried if not trial.by_tree]
        by_tree = [trial for trial in self.tried if trial.by_tree]
        tables = [self._classes("blocks told by gold (table 10)", by_gold)]
        if by_tree:
            tables.append(self._classes("blocks told by a tree that has not seen the site", by_tree))
        tables += [self._tags(by_gold), self._pages(by_gold, by_tree)]
        if self.fallbacks:
            tables.append(self._keywords())
        return tuple(tables)

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart of the shares of rules by class: usable on their own page, usable on other pages, right on
        those.
        """
        by_gold = [trial for trial in self.tried if not trial.by_tree]
        kinds = tuple(kind for kind in _kinds(by_gold) if sum(trial.other_pages for trial in _of(by_gold, kind)))
        if not kinds:
            return ()
        parts: tuple[tuple[str, Callable[[Sequence[RuleTrial]], float]], ...] = (
            ("one element on its own page", _single),
            ("one element on other pages", partial(_share_there, what="single_there")),
            ("the right one there", partial(_share_there, what="right_there")),
        )
        series = tuple(Series(name, tuple(share(_of(by_gold, kind)) for kind in kinds)) for name, share in parts)
        title = "Rules of tag, id, class and parent, by what they name"
        return (Chart("hybrid-rules", title, "", "share of rules", kinds, series, ChartKind.BARS),)

    def _classes(self, title: str, tried: Sequence[RuleTrial]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for kind in _kinds(tried):
            members = _of(tried, kind)
            named = [trial for trial in members if trial.named]
            rows.append(
                (
                    kind,
                    len(members),
                    _right_here(members),
                    _single(members),
                    PUBLISHED.get(kind, "–"),
                    _share(len(named), len(members)),
                    _share(sum(trial.single for trial in named), len(named)),
                    sum(trial.other_pages for trial in members),
                    _share_there(members, "none_there"),
                    _share_there(members, "single_there"),
                    _share_there(members, "right_there"),
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
            tags = Counter(trial.tag for trial in _of(tried, kind))
            for tag, count in tags.most_common():
                members = [trial for trial in _of(tried, kind) if trial.tag == tag]
                if count >= _FEWEST:
                    figures = (_share_there(members, "single_there"), _share_there(members, "right_there"))
                    rows.append(
                        (
                            kind,
                            tag.upper(),
                            count,
                            _single(members),
                            sum(trial.other_pages for trial in members),
                            *figures,
                        )
                    )
        columns = ("class", "tag", "rules", "one element", "tried on other pages", "one element there", "right there")
        return Table("Rules by tag (table 11)", columns, tuple(rows))

    def _pages(self, *sides: Sequence[RuleTrial]) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for name, tried in zip(("gold", "the tree"), sides, strict=True):
            pages: dict[str, list[RuleTrial]] = {}
            for trial in tried:
                pages.setdefault(trial.page, []).append(trial)
            main = [trial for trial in tried if trial.kind == BlockClass.MAIN.label]
            all_usable = [all(trial.single for trial in page_trials) for page_trials in pages.values()]
            story = [
                all(trial.single for trial in page_trials if trial.kind in ("main", "headline"))
                for page_trials in pages.values()
            ]
            if pages:
                shares = [_share(sum(page_trials), len(page_trials)) for page_trials in (story, all_usable)]
                rows.append((name, len(pages), _single(main), *shares))
        columns = ("blocks told by", "pages", "main by rule", "main and headline", "everything")
        return Table("Pages that rules can be used on: each names one element (the paper: 0.719)", columns, tuple(rows))

    def _keywords(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for field in ("author", "date"):
            for name, english in (("English", True), ("other languages", False)):
                members = [
                    fallback
                    for fallback in self.fallbacks
                    if fallback.field == field and (fallback.language == _ENGLISH) == english
                ]
                if members:
                    failed = [fallback for fallback in members if not fallback.rule]
                    rows.append(
                        (
                            field,
                            name,
                            len(members),
                            _share(sum(fallback.rule for fallback in members), len(members)),
                            _share(sum(fallback.keyword for fallback in members), len(members)),
                            _share(sum(fallback.keyword for fallback in failed), len(failed)),
                            _share(sum(fallback.rule or fallback.keyword for fallback in members), len(members)),
                        )
                    )
        columns = ("field", "pages in", "pages", "by rule", "by keywords", "keywords where the rule fails", "together")
        return Table(
            "Author and date by a rule of another page of the site, and by keywords (5.2)", columns, tuple(rows)
        )


def run(samples: Sequence[Sample], each: Each = in_turn) -> HybridRules:
    """Make rules from every page and test them.

    Raises:
        InputError: no page has a labelled block.
    """
    learned = [sample for sample in samples if sample.may_teach and sample.half == 0]
    pages = list(each(taught_sample, learned, "labelling"))
    table = draw(pages)
    tree = C45().fit(table) if len(table) else None
    trained_sites = {sample.site for sample in learned}
    sites = [(members, None if members[0].site in trained_sites else tree) for members in _by_site_and_year(samples)]
    trials = [result for results in each(_try, sites, "trying rules") for result in results]
    if not trials:
        raise InputError("rules are made of blocks that gold tells, and none of these pages has one")
    large = [members for members, _ in sites if len(members) > 1]
    fallbacks = [result for results in each(_fall_back, large, "keywords") for result in results]
    return HybridRules(tuple(trials), tuple(fallbacks))


def _by_site_and_year(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Group the pages by site, and by year if the corpus has years, because a site changes over the years."""
    result: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        result.setdefault((sample.site, str(sample.more.get("year", ""))), []).append(sample)
    return list(result.values())


def _try(task: tuple[Sequence[Sample], BlockDecisionTree | None]) -> list[RuleTrial]:
    return try_rules(*task)


def _fall_back(samples: Sequence[Sample]) -> list[FieldFallback]:
    """Extract author and date of every page by a rule of the next page that has them, and by keywords."""
    pages = [LabelledPage.of(sample) for sample in samples]
    result = []
    for place, page in enumerate(pages):
        sample = page.sample
        gold = PageGold.of(dict(sample.gold), sample.lang)
        other_pages = pages[place + 1 :] + pages[:place]
        for field, has_field, keyword in (
            ("author", bool(gold.authors), partial(_has_author, page.page, gold)),
            ("date", gold.day is not None, partial(_has_day, page.page, gold)),
        ):
            rules = [page_.rule(element) for page_ in other_pages for kind, element in page_.blocks() if kind == field]
            if has_field and rules:
                matches = page.matches(rules[0])
                right = len(matches) == 1 and page.is_right(field, matches[0])
                result.append(FieldFallback(field, sample.lang, right, keyword()))
    return result


def _has_author(page: Page, gold: PageGold) -> bool:
    gold_names = {tuple(words(name)) for name in gold.authors}
    return any(tuple(words(name)) in gold_names for name in authors(page))


def _has_day(page: Page, gold: PageGold) -> bool:
    return day(page, gold.language) == gold.day


def _kinds(tried: Sequence[RuleTrial]) -> list[str]:
    present = {one.kind for one in tried}
    fields = [field for field in FIELDS[1:] if field in present]
    information = [BlockClass.INFORMATION.label] if present - {"main", "headline"} else []
    return [*(kind for kind in ("main", "headline") if kind in present), *fields, *information, "all"]


def _of(tried: Sequence[RuleTrial], kind: str) -> list[RuleTrial]:
    if kind == "all":
        return list(tried)
    if kind == BlockClass.INFORMATION.label:
        return [trial for trial in tried if trial.kind not in ("main", "headline")]
    return [trial for trial in tried if trial.kind == kind]


def _single(tried: Sequence[RuleTrial]) -> float:
    return _share(sum(trial.single for trial in tried), len(tried))


def _right_here(tried: Sequence[RuleTrial]) -> float:
    known = [trial.right_here for trial in tried if trial.right_here is not None]
    return _share(sum(known), len(known))


def _share_there(tried: Sequence[RuleTrial], what: str) -> float:
    return _share(sum(getattr(trial, what) for trial in tried), sum(trial.other_pages for trial in tried))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


STUDY: Final = Study(
    "hybrid-rules",
    "Rules of tag, id, class and parent: usable and right, by class and tag; keywords",
    "hybrid rules 4.7, 5.2, tables 10, 11",
    run,
)
