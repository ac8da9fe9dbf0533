"""Elements without a name, told by where they stand: the only one of its kind, or the steps to it.

A lone `<article>`, or the fourth cell of a layout table: the start tag says nothing that lasts. If the page has no
other of the kind, its kind is enough. Else the element is told by steps down from the nearest element around it that
can be told: at each step by its number among those of its kind that stand in no other of that kind. A search in the
bytes finds the same by counting tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from tidings.sites.anchor import Anchor, Step
from tidings.sites.lesson import Lesson
from tidings.sites.rule import MAIN, Rule

#: Elements that hold whole stories.
_HOLDERS: Final = frozenset("article main section div center table tr td form blockquote".split())
#: An element that is told by its place holds at least so much of the chosen text.
_LEAST_SHARE: Final = 0.6
_MOST_STEPS: Final = 12


def lone_elements(lesson: Lesson) -> Iterator[tuple[Rule, int]]:
    """The elements that hold most of the chosen text of a page and are the only ones of their kind."""
    kinds = _kinds(lesson)
    counted = Counter(kinds)
    for element in _holders(lesson, kinds):
        kind = kinds[element]
        if counted[kind] == 1:
            # Nothing but the name can be searched for, as this page writes it.
            yield Rule(MAIN, Anchor(kind), starts=lesson.start_tags[element][: len(kind) + 1]), element


def places(lesson: Lesson, known: dict[Anchor, list[int]]) -> Iterator[tuple[Rule, int]]:
    """The elements that hold most of the chosen text of a page, with the steps to each.

    Args:
        lesson: the page.
        known: its elements by the names they can be told by.
    """
    kinds = _kinds(lesson)
    alone = {elements[0]: anchor for anchor, elements in reversed(known.items()) if len(elements) == 1}
    parents = lesson.page.elements.parent
    for element in _holders(lesson, kinds):
        line = [element]
        around = int(parents[element])
        while around > 0 and around not in alone:
            if kinds[around] in _HOLDERS:
                line.append(around)
            around = int(parents[around])
        if len(line) <= _MOST_STEPS:
            outer = [max(around, 0), *reversed(line)]
            steps = [Step(kinds[one], _number(lesson, kinds, within, one)) for within, one in pairwise(outer)]
            yield Rule(MAIN, Anchor(kinds[element]), alone.get(around), path=tuple(steps)), element


def _kinds(lesson: Lesson) -> list[str]:
    names = lesson.page.tag_names
    return ["", *[names[tag] for tag in lesson.page.elements.tag.tolist()[1:]]]


def _holders(lesson: Lesson, kinds: Sequence[str]) -> list[int]:
    """The elements that hold most of the chosen text, and may be told by their places."""
    enough = max(_LEAST_SHARE * lesson.total_chosen, 1)
    chosen = lesson.inside[1].tolist()
    return [element for element, kind in enumerate(kinds) if kind in _HOLDERS and chosen[element] >= enough]


def _number(lesson: Lesson, kinds: Sequence[str], within: int, element: int) -> int:
    """The number of an element among those of its kind in another that stand in no other of that kind."""
    start, end = lesson.page.elements.start, lesson.page.elements.end
    number, behind = 0, -1
    for one in range(within + 1, element + 1):
        if kinds[one] == kinds[element] and start[one] >= behind:
            number += 1
            behind = int(end[one])
    return number
