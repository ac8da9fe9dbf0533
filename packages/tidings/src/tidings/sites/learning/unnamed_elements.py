"""Rules for main text containers without a distinctive start tag: the only element of its tag, or the steps to it.

Examples are a single `<article>`, or the fourth cell of a layout table. If the page has only one such element, its tag
is enough. Otherwise the rule has steps down from the nearest distinctive ancestor, each with the number of the element
among those of its tag that are not nested in each other. A search in the bytes counts tags in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from tidings.sites.learning.lesson import Lesson
from tidings.sites.templates.anchor import Anchor, Step
from tidings.sites.templates.rule import MAIN, Rule

#: Elements that may contain a whole article.
_HOLDERS: Final = frozenset("article main section div center table tr td form blockquote".split())
#: Least share of the selected text in such an element.
_LEAST_SHARE_OF_PLACES: Final = 0.6
_MOST_STEPS: Final = 12


def lone_elements(lesson: Lesson) -> Iterator[tuple[Rule, int]]:
    """Yield the elements that contain most of the selected text and are the only ones of their tag, each with a
    rule.
    """
    kinds = _kinds(lesson)
    counted = Counter(kinds)
    for element in _holders(lesson, kinds):
        kind = kinds[element]
        if counted[kind] == 1:
            # Only the tag name can be searched for, in the case of this page.
            yield Rule(MAIN, Anchor(kind), starts=lesson.start_tags[element][: len(kind) + 1]), element


def places(lesson: Lesson, by_selector: dict[Anchor, list[int]]) -> Iterator[tuple[Rule, int]]:
    """Yield the elements that contain most of the selected text, each with a rule of steps from an ancestor.

    Args:
        lesson: the page.
        by_selector: its elements by candidate selectors.
    """
    kinds = _kinds(lesson)
    alone = {elements[0]: anchor for anchor, elements in reversed(by_selector.items()) if len(elements) == 1}
    parents = lesson.page.elements.parent
    for element in _holders(lesson, kinds):
        line = [element]
        ancestor = int(parents[element])
        while ancestor > 0 and ancestor not in alone:
            if kinds[ancestor] in _HOLDERS:
                line.append(ancestor)
            ancestor = int(parents[ancestor])
        if len(line) <= _MOST_STEPS:
            outer = [max(ancestor, 0), *reversed(line)]
            steps = [Step(kinds[inner], _number(lesson, kinds, within, inner)) for within, inner in pairwise(outer)]
            yield Rule(MAIN, Anchor(kinds[element]), alone.get(ancestor), path=tuple(steps)), element


def _kinds(lesson: Lesson) -> list[str]:
    names = lesson.page.tag_names
    return ["", *[names[tag] for tag in lesson.page.elements.tag.tolist()[1:]]]


def _holders(lesson: Lesson, kinds: Sequence[str]) -> list[int]:
    """Return the elements that can be a container and contain most of the article's words. `kinds` are the tag names of
    all elements.
    """
    enough = max(_LEAST_SHARE_OF_PLACES * lesson.total_chosen, 1)
    chosen = lesson.inside[1].tolist()
    return [element for element, kind in enumerate(kinds) if kind in _HOLDERS and chosen[element] >= enough]


def _number(lesson: Lesson, kinds: Sequence[str], within: int, element: int) -> int:
    """Return the position of an element in an ancestor among elements of the same tag, nested ones not counted."""
    start, end = lesson.page.elements.start, lesson.page.elements.end
    number, behind = 0, -1
    for sibling in range(within + 1, element + 1):
        if kinds[sibling] == kinds[element] and start[sibling] >= behind:
            number += 1
            behind = int(end[sibling])
    return number
