"""Learning a site's rules from its pages (hybrid paper 4.7, from one page; here better from several).

What stays the same across a site's pages is template, what varies is content. Pages of one make get one template;
those that its rules do not serve are tried again among themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from tidings.sites.cut import Cutting, Doubt, cut, latin_share
from tidings.sites.induce.main import main_rules
from tidings.sites.induce.markers import delimited, markers
from tidings.sites.induce.values import value_rules
from tidings.sites.lesson import Lesson
from tidings.sites.rule import FIELDS, Expected, Rule, Template
from tidings.text import words

#: Word F1 between what rules cut and what the long way gave, for a page to count as served by them.
SERVED: Final = 0.8
#: A text on so many pages, and on so large a share of them, is noise.
_REPEATED, _REPEATED_SHARE = 2, 0.4


def induce(
    lessons: Sequence[Lesson], *, today: date | None = None, by: str = "default", least: int = 2
) -> list[Template]:
    """Templates that serve the pages of a site, the one of most pages first; none if nothing can be learned.

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
        if found is None or len(found[1]) < least:
            break
        made.append(found[0])
        left = [lesson for lesson in left if lesson not in found[1]]
    return made


def _best(lessons: Sequence[Lesson], today: date | None, by: str, name: str) -> tuple[Template, list[Lesson]] | None:
    """The template that serves most of the pages, and those pages."""
    best: tuple[Template, list[Lesson]] | None = None
    for find in (main_rules, _as_delimited):
        rules = find(lessons)
        found = _template(lessons, rules, today, by, name) if rules else None
        if found is not None and (best is None or len(found[1]) > len(best[1])):
            best = found
        if best is not None and len(best[1]) == len(lessons):
            break
    return best


def _as_delimited(lessons: Sequence[Lesson]) -> list[Rule]:
    rule = delimited(lessons)
    return [rule] if rule is not None else []


def _template(
    lessons: Sequence[Lesson], rules: list[Rule], today: date | None, by: str, name: str
) -> tuple[Template, list[Lesson]] | None:
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
        link_share=round(_most_linked([found for _, found in served]), 3),
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
    alike = [_likeness(found, lesson) for lesson, found in again]
    return replace(template, agreement=round(sum(alike) / len(alike), 3)), [lesson for lesson, _ in again]


def _tried(template: Template, lesson: Lesson) -> Cutting | None:
    """What a template cuts out of a page, if it is like what the long way gave."""
    try:
        found = cut(template, lesson.data, lesson.page.url or "")
    except Doubt:
        return None
    return found if _likeness(found, lesson) >= SERVED else None


def _likeness(found: Cutting, lesson: Lesson) -> float:
    """Word F1 of what was cut out of a page and what the long way gave."""
    return _f1(Counter(words(found.article.text)), lesson.bag)


def likeness(one: str, other: str) -> float:
    """Word F1 of two texts."""
    return _f1(Counter(words(one)), Counter(words(other)))


def _f1(mine: Counter[str], theirs: Counter[str]) -> float:
    both = sum((mine & theirs).values())
    return 2 * both / max(mine.total() + theirs.total(), 1)


def _most_linked(found: Sequence[Cutting]) -> float:
    """The largest share of a text in links. Blocks tell it; none are made of texts that cannot have the largest."""
    most = 0.0
    for one in sorted(found, key=lambda one: -one.body.linked / max(one.body.size, 1)):
        if one.body.linked <= most * one.body.size:
            break
        most = max(most, one.link_share)
    return most


def _repeated(found: Sequence[Cutting]) -> frozenset[int]:
    """Texts that stand on several pages."""
    counted = Counter(text for one in found for text in set(one.texts))
    least = max(_REPEATED, _REPEATED_SHARE * len(found))
    return frozenset(text for text, count in counted.items() if count >= least)
