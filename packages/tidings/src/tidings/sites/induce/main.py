"""The containers of the main text, and the noise in them, learned from several pages.

Of all elements that hold chosen text, those that can be told by a lasting name and stand on every page once are
candidates. The best is the one whose text, without the elements in it that are never chosen, is most like what was
chosen, over all pages. What one page alone got wrong (a paragraph passed over, a box taken along) is outvoted.

Elements without a name, told by where they stand: the only one of its kind, or the steps to it.

A lone `<article>`, or the fourth cell of a layout table: the start tag says nothing that lasts. If the page has no
other of the kind, its kind is enough. Else the element is told by steps down from the nearest element around it that
can be told: at each step by its number among those of its kind that stand in no other of that kind. A search in the
bytes finds the same by counting tags.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np

from tidings.page.columns import Bools
from tidings.sites.anchor import Anchor, Step
from tidings.sites.compiled import cutter
from tidings.sites.induce.markers import Container, anchors, behind, common_beginning, trimmed
from tidings.sites.lesson import Lesson
from tidings.sites.pieces import RuleMismatch, only_ranges
from tidings.sites.rule import MAIN, UNINFORMATIVE, Rule

#: Elements that hold whole stories.
_HOLDERS: Final = frozenset("article main section div center table tr td form blockquote".split())
#: An element that is told by its place holds at least so much of the chosen text.
_LEAST_SHARE_OF_PLACES: Final = 0.6
_MOST_STEPS: Final = 12


def lone_elements(lesson: Lesson) -> Iterator[tuple[Rule, int]]:
    """Yield the elements that hold most of the chosen text of a page and are the only ones of their kind."""
    kinds = _kinds(lesson)
    counted = Counter(kinds)
    for element in _holders(lesson, kinds):
        kind = kinds[element]
        if counted[kind] == 1:
            # Nothing but the name can be searched for, as this page writes it.
            yield Rule(MAIN, Anchor(kind), starts=lesson.start_tags[element][: len(kind) + 1]), element


def places(lesson: Lesson, known: dict[Anchor, list[int]]) -> Iterator[tuple[Rule, int]]:
    """Yield the elements that hold most of the chosen text of a page, with the steps to each.

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
    """Return the elements that hold most of the chosen text, and may be told by their places."""
    enough = max(_LEAST_SHARE_OF_PLACES * lesson.total_chosen, 1)
    chosen = lesson.inside[1].tolist()
    return [element for element, kind in enumerate(kinds) if kind in _HOLDERS and chosen[element] >= enough]


def _number(lesson: Lesson, kinds: Sequence[str], within: int, element: int) -> int:
    """Return the number of an element among those of its kind in another that stand in no other of that kind."""
    start, end = lesson.page.elements.start, lesson.page.elements.end
    number, behind = 0, -1
    for one in range(within + 1, element + 1):
        if kinds[one] == kinds[element] and start[one] >= behind:
            number += 1
            behind = int(end[one])
    return number


#: A container holds at least so much of the chosen text.
_LEAST_SHARE: Final = 0.08
#: It stands on so many of the pages.
_LEAST_PAGES: Final = 0.4
#: Word F1 from which on a rule is worth having.
_WORTH: Final = 0.7
#: A name is noise when so little of what it holds was chosen.
_CHOSEN_IN_NOISE: Final = 0.15
#: A further container is worth a rule when the text becomes so much more like the chosen.
_GAIN: Final = 0.01
_MOST_CONTAINERS: Final = 3
#: Tags that hold no story: without any name they are noise where they were never chosen.
_SHORT: Final = 6
_WORTH_A_RULE: Final = 0.003
_LONGEST_BEGINNING: Final = 120
_BY_TAG: Final = ("aside", "nav", "form", "footer", "button", "noscript")


@dataclass
class _MainCandidate:
    rule: Rule
    element: dict[int, int] = field(default_factory=dict)  # by lesson


def main_rules(lessons: Sequence[Lesson], *, trim: bool = False) -> list[Rule]:
    """Return rules for the main text and for the noise in it; none if no container can be told by a name.

    Trimmed, what stands before and behind the story in its container is cut off.
    """
    names = [names_on(lesson) for lesson in lessons]
    return _rules(lessons, names, _candidates(lessons, _named(lessons, names)), trim=trim)


def lone_rules(lessons: Sequence[Lesson], *, trim: bool = False) -> list[Rule]:
    """Return the same with a container that has no name but is the only one of its kind."""
    names = [names_on(lesson) for lesson in lessons]
    return _rules(lessons, names, _candidates(lessons, [list(lone_elements(lesson)) for lesson in lessons]), trim=trim)


def placed_rules(lessons: Sequence[Lesson], *, trim: bool = False) -> list[Rule]:
    """Return the same with a container that is told by the steps to it."""
    names = [names_on(lesson) for lesson in lessons]
    placed = [list(places(lesson, known)) for lesson, known in zip(lessons, names, strict=True)]
    return _rules(lessons, names, _candidates(lessons, placed), trim=trim)


def _rules(
    lessons: Sequence[Lesson],
    names: Sequence[dict[Anchor, list[int]]],
    candidates: Sequence[_MainCandidate],
    *,
    trim: bool,
) -> list[Rule]:
    if not candidates:
        return []
    noise = _noise(lessons, names)
    chosen: list[_MainCandidate] = []
    best = 0.0
    while len(chosen) < _MOST_CONTAINERS:
        scored = [
            (_score(lessons, [*chosen, one], noise), -_size(lessons, one), place, one)
            for place, one in enumerate(candidates)
            if one not in chosen
        ]
        if not scored:
            break
        # Nearly as good and smaller is better: less that can go wrong is inside.
        top = max(score for score, *_ in scored)
        score, _, _, one = max(
            (entry for entry in scored if entry[0] >= top - 0.002), key=lambda entry: (entry[1], -entry[2])
        )
        if score < best + (_GAIN if chosen else 0):
            break
        chosen.append(one)
        best = score
    chosen.sort(key=lambda one: -sum(_inside(lessons[at], element) for at, element in one.element.items()))
    ranges: list[list[tuple[int, int]]] = [[] for _ in lessons]
    for one in chosen:
        held = {
            at: Container(lessons[at], element, _noise_runs(lessons[at], noise)) for at, element in one.element.items()
        }
        if trim:
            one.rule = trimmed(one.rule, list(held.values()))
        for at, container in held.items():
            ranges[at].append(behind(one.rule, container))
    inside = _noise_inside(lessons, ranges, noise)
    return [one.rule for one in chosen] + [
        Rule(UNINFORMATIVE, anchor, starts=_beginning(lessons, anchor)) for anchor in inside
    ]


def _inside(lesson: Lesson, element: int) -> int:
    return int(lesson.inside[1][element])


def names_on(lesson: Lesson) -> dict[Anchor, list[int]]:
    """Return the elements of a page by what they can be told by; kept with the lesson."""
    kept: dict[Anchor, list[int]] | None = lesson.__dict__.get("_names")
    if kept is not None:
        return kept
    found: dict[Anchor, list[int]] = defaultdict(list)
    names = lesson.page.tag_names
    for element, (number, start_tag) in enumerate(
        zip(lesson.page.elements.tag.tolist(), lesson.start_tags, strict=True)
    ):
        if element:
            tag = names[number]
            for anchor in anchors(tag, start_tag):
                found[anchor].append(element)
            if tag in _BY_TAG:
                found[Anchor(tag)].append(element)
    lesson.__dict__["_names"] = found
    return found


def _named(lessons: Sequence[Lesson], names: Sequence[dict[Anchor, list[int]]]) -> list[list[tuple[Rule, int]]]:
    """Of each page the elements with a name that stands once and that hold a good part of the chosen text."""
    found = []
    for lesson, known in zip(lessons, names, strict=True):
        chosen = lesson.inside[1]
        enough = max(_LEAST_SHARE * lesson.total_chosen, 1)
        found.append(
            [
                (Rule(MAIN, anchor), elements[0])
                for anchor, elements in known.items()
                if len(elements) == 1 and anchor.conditions and chosen[elements[0]] >= enough
            ]
        )
    return found


def _candidates(lessons: Sequence[Lesson], told: Sequence[Sequence[tuple[Rule, int]]]) -> list[_MainCandidate]:
    """Return those of the elements told by rules that stand on most pages, and that a search in the bytes finds
    there.
    """
    holders: dict[Rule, _MainCandidate] = {}
    for at, elements in enumerate(told):
        for rule, element in elements:
            holders.setdefault(rule, _MainCandidate(rule)).element.setdefault(at, element)
    most = max((len(one.element) for one in holders.values()), default=0)
    wanted = max(most * 0.6, len(lessons) * _LEAST_PAGES)
    found = []
    for one in holders.values():
        if len(one.element) >= wanted:
            one.element = {at: element for at, element in one.element.items() if _is_found(lessons[at], one.rule)}
            if len(one.element) >= wanted:
                found.append(one)
    return found


def _is_found(lesson: Lesson, rule: Rule) -> bool:
    """Return whether a search in the bytes finds one such element, as the tree does."""
    try:
        return len(only_ranges(cutter(rule, lesson.encoding), lesson.encoding, lesson.data)) == 1
    except RuleMismatch:
        return False


def _noise(lessons: Sequence[Lesson], names: Sequence[dict[Anchor, list[int]]]) -> list[Anchor]:
    """Return names of elements that are hardly ever chosen."""
    words: Counter[Anchor] = Counter()
    chosen: Counter[Anchor] = Counter()
    for lesson, known in zip(lessons, names, strict=True):
        all_words, all_chosen = (column.tolist() for column in lesson.inside)
        for anchor, elements in known.items():
            words[anchor] += sum([all_words[element] for element in elements])
            chosen[anchor] += sum([all_chosen[element] for element in elements])
    return [
        anchor
        for anchor, count in words.items()
        if count > 0 and chosen[anchor] <= (_CHOSEN_IN_NOISE * count if count >= 20 else 0)
    ]


def _elements(lesson: Lesson, anchor: Anchor) -> list[int]:
    return names_on(lesson).get(anchor, [])


def _score(lessons: Sequence[Lesson], chosen: Sequence[_MainCandidate], noise: Iterable[Anchor]) -> float:
    """Return how like the chosen text the containers' text is, noise cut out: F1 above what is worth a rule, over the
    pages.

    So a container that fits four pages of five well is better than one that holds the text of all and more: the fifth
    page is of another make.
    """
    scores = []
    for at, lesson in enumerate(lessons):
        in_noise = _noise_runs(lesson, noise)
        runs = np.zeros(len(lesson.page.runs), np.bool_)
        for one in chosen:
            if at in one.element:
                element = one.element[at]
                runs[lesson.page.elements.first[element] : lesson.page.elements.last[element]] = True
        runs &= ~in_noise
        words = int(lesson.visible_words[runs].sum())
        right = int(lesson.visible_words[runs & lesson.chosen].sum())
        scores.append(max(0.0, 2 * right / max(words + lesson.total_chosen, 1) - _WORTH))
    return float(np.mean(scores))


def _noise_runs(lesson: Lesson, noise: Iterable[Anchor]) -> Bools:
    kept: Bools | None = lesson.__dict__.get("_noise_runs")
    if kept is None:
        kept = np.zeros(len(lesson.page.runs), np.bool_)
        first, last = lesson.page.elements.first, lesson.page.elements.last
        for anchor in noise:
            for element in _elements(lesson, anchor):
                kept[first[element] : last[element]] = True
        lesson.__dict__["_noise_runs"] = kept
    return kept


def _size(lessons: Sequence[Lesson], one: _MainCandidate) -> float:
    return float(np.mean([lessons[at].inside[0][element] for at, element in one.element.items()]))


def _noise_inside(
    lessons: Sequence[Lesson], containers: Sequence[Sequence[tuple[int, int]]], noise: Sequence[Anchor]
) -> list[Anchor]:
    """Return the names of noise that are needed: those of the outermost elements in the containers."""
    needed: Counter[Anchor] = Counter()
    removed: Counter[Anchor] = Counter()  # words
    for lesson, ranges in zip(lessons, containers, strict=True):
        for element, names in _outermost(lesson, ranges, noise):
            words = int(lesson.inside[0][element])
            if words > 0:
                needed.update(names)
                removed.update(dict.fromkeys(names, words))
    # A rule that takes out next to nothing costs more time than it is worth.
    least = _WORTH_A_RULE * sum(lesson.total_chosen for lesson in lessons)
    needed = Counter({anchor: count for anchor, count in needed.items() if removed[anchor] >= least})
    order = {anchor: place for place, anchor in enumerate(noise)}
    kept: list[Anchor] = []
    covered: set[tuple[int, int]] = set()
    # Of several names of an element the one that most pages have says most with one rule; a long one is found sooner.
    for anchor, _ in sorted(needed.items(), key=lambda entry: (-entry[1], _is_short(entry[0]), order[entry[0]])):
        elements = {(at, element) for at, lesson in enumerate(lessons) for element in _elements(lesson, anchor)}
        if not elements <= covered:
            kept.append(anchor)
            covered |= elements
    return kept


def _beginning(lessons: Sequence[Lesson], anchor: Anchor) -> str:
    """What all start tags of such elements begin with, if the name is in it: a search for that meets little else."""
    tags = [lesson.start_tags[element] for lesson in lessons for element in _elements(lesson, anchor)]
    shared = common_beginning(tags)[:_LONGEST_BEGINNING]
    named = all(one.value in shared for one in anchor.conditions)
    return shared if anchor.conditions and named and shared.isprintable() else ""


def _is_short(anchor: Anchor) -> bool:
    return max((len(one.value) for one in anchor.conditions), default=0) < _SHORT


def _outermost(
    lesson: Lesson, containers: Sequence[tuple[int, int]], noise: Sequence[Anchor]
) -> Iterator[tuple[int, list[Anchor]]]:
    """Yield the elements of noise in containers that stand in no other, with their names."""
    by_element: dict[int, list[Anchor]] = defaultdict(list)
    for anchor in noise:
        for element in _elements(lesson, anchor):
            by_element[element].append(anchor)
    start, end = lesson.page.elements.start, lesson.page.elements.end
    closed = -1
    for element in sorted(by_element):
        if start[element] >= closed and any(first <= start[element] < last for first, last in containers):
            closed = int(end[element])
            yield element, by_element[element]
