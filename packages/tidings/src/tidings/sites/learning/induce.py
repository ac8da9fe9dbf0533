"""Learning a site's rules from its pages (hybrid paper 4.7: from one page; here better from several).

What is equal on a site's pages is template, and what varies is content. Pages with the same layout get one template.
The pages that its rules do not fit are tried again on their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final, NamedTuple

from tidings.errors import BadRules
from tidings.sites.extraction.cut import Cutting, RuleMismatch, cut
from tidings.sites.extraction.fragment import latin_share
from tidings.sites.learning.containers import lone_rules, main_rules, placed_rules
from tidings.sites.learning.field_rules import value_rules
from tidings.sites.learning.lesson import Lesson
from tidings.sites.learning.markers import delimited, delimited_by_rows, markers
from tidings.sites.templates.rule import FIELDS, Expected, Rule, Template
from tidings.text import words

#: Least word F1 between the texts of rules and of the full extraction, for a page that counts as served.
SERVED: Final = 0.8
#: Largest surplus of a template's text over the full extraction, on the pages it was learned from.
_TOLERANCE: Final = 0.035
#: The same if no rules are within the tolerance: a box in the article that is noise on some pages.
_WIDE: Final = 0.1
#: A kind of rule that serves this share of the pages is preferred to a less durable one; the rest has another layout.
_ENOUGH: Final = 0.6
#: With a smaller surplus, trimming is not tried.
_LITTLE: Final = 0.005
#: From this many pages on, one may be an outlier.
_SOME: Final = 3
#: A text on this many pages, and on this share of them, is noise.
_REPEATED, _REPEATED_SHARE = 2, 0.4


def induce(
    lessons: Sequence[Lesson], *, today: date | None = None, by: str = "default", least: int = 2
) -> list[Template]:
    """Return templates for the pages of a site, the one for most pages first; empty if nothing can be learned.

    Args:
        lessons: pages of one site.
        today: the first day on which the rules are valid.
        by: the extractor's name, for `Template.learned`.
        least: least number of pages per template.
    """
    remaining = [lesson for lesson in lessons if lesson.total_chosen]
    templates: list[Template] = []
    while len(remaining) >= least:
        learned = _best(remaining, today, by, f"template-{len(templates) + 1}")
        if learned is None or len(learned.pages) < least:
            break
        templates.append(learned.template)
        remaining = [lesson for lesson in remaining if lesson not in learned.pages]
    return templates


#: Kinds of main text rules, the most durable first, without and with trimming.
_WAYS: Final[tuple[tuple[Callable[[Sequence[Lesson]], list[Rule]], ...], ...]] = (
    (main_rules, partial(main_rules, trim=True)),
    (lone_rules, partial(lone_rules, trim=True)),
    (delimited,),
    (placed_rules, partial(placed_rules, trim=True)),
    (delimited_by_rows,),
)


class _Learned(NamedTuple):
    """A learned template, the training pages that it fits, and the share of text that it extracts in excess of the full
    extraction.
    """

    template: Template
    pages: list[Lesson]
    beyond: float
    mostly: float  # surplus without the worst page, if there are enough pages

    @property
    def worth(self) -> float:
        """Return the rank of a template: the number of pages that it fits, reduced by up to half for excess text."""
        return len(self.pages) * (1 - min(self.beyond / (2 * _TOLERANCE), 1))


def _best(lessons: Sequence[Lesson], today: date | None, by: str, name: str) -> _Learned | None:
    """Return the template that fits most training pages. Kinds of rules are tried in order until a template fits enough
    pages.
    """
    best: _Learned | None = None
    wide: _Learned | None = None
    for ways in _WAYS:
        for find in ways:
            rules = find(lessons)
            learned = _template(lessons, rules, today, by, name) if rules else None
            if learned is not None and learned.mostly <= _TOLERANCE and (best is None or learned.worth > best.worth):
                best = learned
            elif learned is not None and learned.mostly <= _WIDE and (wide is None or learned.mostly < wide.mostly):
                wide = learned
            if learned is not None and learned.beyond <= _LITTLE:
                break
        if best is not None and len(best.pages) >= _ENOUGH * len(lessons):
            break
    return best or wide


def _template(lessons: Sequence[Lesson], rules: list[Rule], today: date | None, by: str, name: str) -> _Learned | None:
    if not all(map(_is_usable, rules)):
        return None
    encoding, _ = Counter(lesson.encoding for lesson in lessons).most_common(1)[0]
    bare = Template(name, rules=tuple(rules), encoding=encoding, valid_from=today)
    tried = [(lesson, cut_if_similar(bare, lesson)) for lesson in lessons]
    served = [(lesson, cutting) for lesson, cutting in tried if cutting is not None]
    if not served:
        return None
    pages = [lesson for lesson, _ in served]
    noise = _repeated([cutting for _, cutting in served])
    values = filter(_is_usable, value_rules(pages, FIELDS))
    shared, reach = markers(pages)
    expected = Expected(
        words=(min(cutting.words for _, cutting in served), max(cutting.words for _, cutting in served)),
        link_share=round(max(cutting.link_share for _, cutting in served), 3),
        latin=round(sum(latin_share(cutting.body.texts) for _, cutting in served) / len(served), 3),
        markers=shared,
        reach=reach,
    )
    template = Template(
        name,
        "",
        (*rules, *values),
        expected,
        noise,
        encoding,
        today,
        learned=f"{by}, {len(pages)} pages",
    )
    again = [(lesson, cutting) for lesson in pages if (cutting := cut_if_similar(template, lesson)) is not None]
    if not again:
        return None
    agreements = [_agreement(cutting, lesson, noise) for lesson, cutting in again]
    template = replace(template, agreement=round(sum(agreements) / len(agreements), 3))
    return _Learned(template, [lesson for lesson, _ in again], *_beyond(again, noise))


def _is_usable(rule: Rule) -> bool:
    """Return whether a template may have a rule: a page may have tags with names that no rule can have."""
    try:
        rule.checked()
    except BadRules:
        return False
    return True


def cut_if_similar(template: Template, lesson: Lesson) -> Cutting | None:
    """Apply a template to a page; None if the result differs too much from the full extraction."""
    try:
        cutting = cut(template, lesson.data, lesson.page.url or "")
    except RuleMismatch:
        return None
    return cutting if _agreement(cutting, lesson, template.noise) >= SERVED else None


def _beyond(served: Sequence[tuple[Lesson, Cutting]], noise: frozenset[int]) -> tuple[float, float]:
    """Return the share of a template's text that is missing from the full extraction, over all pages and without the
    worst page. The headline does not count. The second value tolerates a paragraph that the full extraction missed on
    one page; text after the article occurs on most pages.
    """
    pages = []
    for lesson, cutting in served:
        surplus = Counter(words(cutting.article.text)) - Counter(words(lesson.article.title))
        pages.append(min(((surplus - bag).total(), bag.total()) for bag in lesson.bags(noise)))
    pages.sort(key=lambda page: page[0] / max(page[1], 1))
    mostly = pages[:-1] if len(pages) >= _SOME else pages
    whole, part = (sum(more for more, _ in some) / max(sum(size for _, size in some), 1) for some in (pages, mostly))
    return whole, part


def _agreement(cutting: Cutting, lesson: Lesson, noise: frozenset[int]) -> float:
    """Return the word F1 between the text that rules extract and the text of the full extraction, with or without
    repeated texts.
    """
    mine = Counter(words(cutting.article.text))
    return max(_f1(mine, bag) for bag in lesson.bags(noise))


def word_f1(first: str, second: str) -> float:
    """Return the word F1 of two texts."""
    return _f1(Counter(words(first)), Counter(words(second)))


def _f1(mine: Counter[str], theirs: Counter[str]) -> float:
    both = sum((mine & theirs).values())
    return 2 * both / max(mine.total() + theirs.total(), 1)


def _repeated(cuttings: Sequence[Cutting]) -> frozenset[int]:
    """Return the hashes of texts that occur on several pages."""
    counted = Counter(text for cutting in cuttings for text in set(cutting.texts))
    least = max(_REPEATED, _REPEATED_SHARE * len(cuttings))
    return frozenset(text for text, count in counted.items() if count >= least)
