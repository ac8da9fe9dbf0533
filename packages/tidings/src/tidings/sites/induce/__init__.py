"""Learning a site's rules from its pages (hybrid paper 4.7, from one page; here better from several).

What stays the same across a site's pages is template, what varies is content. Pages of one make get one template;
those that its rules do not serve are tried again among themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Final, NamedTuple

from tidings.sites.cut import Cutting, RuleMismatch, cut
from tidings.sites.fragment import latin_share
from tidings.sites.induce.main import lone_rules, main_rules, placed_rules
from tidings.sites.induce.markers import delimited, delimited_by_rows, markers
from tidings.sites.induce.values import value_rules
from tidings.sites.lesson import Lesson
from tidings.sites.rule import FIELDS, Expected, Rule, Template
from tidings.text import words

#: Word F1 between what rules cut and what the long way gave, for a page to count as served by them.
SERVED: Final = 0.8
#: A template that keeps so much more than the long way is not worth having, on the pages it was learned from.
_TOLERANCE: Final = 0.035
#: A way that serves so many of the pages is taken before one that lasts less; the others are of another make.
_ENOUGH: Final = 0.6
#: So little more is not worth cutting anything off.
_LITTLE: Final = 0.005
#: Of so many pages one may be otherwise.
_SOME: Final = 3
#: A text on so many pages, and on so large a share of them, is noise.
_REPEATED, _REPEATED_SHARE = 2, 0.4


def induce(
    lessons: Sequence[Lesson], *, today: date | None = None, by: str = "default", least: int = 2
) -> list[Template]:
    """Return templates that serve the pages of a site, the one of most pages first; none if nothing can be learned.

    Args:
        lessons: pages of one site.
        today: from when the rules are valid.
        by: what read the pages, for `learned`.
        least: of how many pages a template is made.
    """
    left = [lesson for lesson in lessons if lesson.total_chosen]
    made: list[Template] = []
    while len(left) >= least:
        found = _best(left, today, by, f"template-{len(made) + 1}")
        if found is None or len(found.pages) < least:
            break
        made.append(found.template)
        left = [lesson for lesson in left if lesson not in found.pages]
    return made


#: How a main text is found, the most lasting way first. What is in an element too much can be cut off.
_WAYS: Final[tuple[tuple[Callable[[Sequence[Lesson]], list[Rule]], ...], ...]] = (
    (main_rules, partial(main_rules, trim=True)),
    (lone_rules, partial(lone_rules, trim=True)),
    (delimited,),
    (placed_rules, partial(placed_rules, trim=True)),
    (delimited_by_rows,),
)


class _Learned(NamedTuple):
    """A template, the pages that it serves, and how much more than the long way it keeps, as a share of that."""

    template: Template
    pages: list[Lesson]
    beyond: float
    mostly: float  # without the page on which it is most, if there are some

    @property
    def worth(self) -> float:
        """The pages that it serves; half as much where it keeps as much more as is tolerated."""
        return len(self.pages) * (1 - min(self.beyond / (2 * _TOLERANCE), 1))


def _best(lessons: Sequence[Lesson], today: date | None, by: str, name: str) -> _Learned | None:
    """Return the first template that serves enough of the pages, or the one that serves most."""
    best: _Learned | None = None
    for ways in _WAYS:
        for find in ways:
            rules = find(lessons)
            found = _template(lessons, rules, today, by, name) if rules else None
            if found is not None and found.mostly <= _TOLERANCE and (best is None or found.worth > best.worth):
                best = found
            if found is not None and found.beyond <= _LITTLE:
                break
        if best is not None and len(best.pages) >= _ENOUGH * len(lessons):
            break
    return best


def _template(lessons: Sequence[Lesson], rules: list[Rule], today: date | None, by: str, name: str) -> _Learned | None:
    encoding, _ = Counter(lesson.encoding for lesson in lessons).most_common(1)[0]
    bare = Template(name, rules=tuple(rules), encoding=encoding, valid_from=today)
    tried = [(lesson, _tried(bare, lesson)) for lesson in lessons]
    served = [(lesson, found) for lesson, found in tried if found is not None]
    if not served:
        return None
    pages = [lesson for lesson, _ in served]
    noise = _repeated([found for _, found in served])
    values = value_rules(pages, FIELDS)
    shared, reach = markers(pages)
    expected = Expected(
        words=(min(found.words for _, found in served), max(found.words for _, found in served)),
        link_share=round(max(found.link_share for _, found in served), 3),
        latin=round(sum(latin_share(found.body.texts) for _, found in served) / len(served), 3),
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
    again = [(lesson, found) for lesson in pages if (found := _tried(template, lesson)) is not None]
    if not again:
        return None
    alike = [_likeness(found, lesson, noise) for lesson, found in again]
    template = replace(template, agreement=round(sum(alike) / len(alike), 3))
    return _Learned(template, [lesson for lesson, _ in again], *_beyond(again, noise))


def _tried(template: Template, lesson: Lesson) -> Cutting | None:
    """What a template cuts out of a page, if it is like what the long way gave."""
    try:
        found = cut(template, lesson.data, lesson.page.url or "")
    except RuleMismatch:
        return None
    return found if _likeness(found, lesson, template.noise) >= SERVED else None


def _beyond(served: Sequence[tuple[Lesson, Cutting]], noise: frozenset[int]) -> tuple[float, float]:
    """Return how much more than the long way a template keeps, as a share of that, over the pages it serves.

    The headline does not count. The second is the same without the page on which it is most, if there are some: a
    paragraph that the long way passed over on one page is outvoted, what follows a story stands on most.
    """
    pages = []
    for lesson, found in served:
        kept = Counter(words(found.article.text)) - Counter(words(lesson.article.title))
        pages.append(min(((kept - bag).total(), bag.total()) for bag in lesson.bags(noise)))
    pages.sort(key=lambda page: page[0] / max(page[1], 1))
    mostly = pages[:-1] if len(pages) >= _SOME else pages
    whole, part = (sum(more for more, _ in some) / max(sum(size for _, size in some), 1) for some in (pages, mostly))
    return whole, part


def _likeness(found: Cutting, lesson: Lesson, noise: frozenset[int]) -> float:
    """Return word F1 of what was cut out of a page and what the long way gave, with or without what the site
    repeats.
    """
    mine = Counter(words(found.article.text))
    return max(_f1(mine, bag) for bag in lesson.bags(noise))


def likeness(one: str, other: str) -> float:
    """Return word F1 of two texts."""
    return _f1(Counter(words(one)), Counter(words(other)))


def _f1(mine: Counter[str], theirs: Counter[str]) -> float:
    both = sum((mine & theirs).values())
    return 2 * both / max(mine.total() + theirs.total(), 1)


def _repeated(found: Sequence[Cutting]) -> frozenset[int]:
    """Return texts that stand on several pages."""
    counted = Counter(text for one in found for text in set(one.texts))
    least = max(_REPEATED, _REPEATED_SHARE * len(found))
    return frozenset(text for text, count in counted.items() if count >= least)
