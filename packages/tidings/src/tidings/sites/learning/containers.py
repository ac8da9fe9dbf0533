"""Rules for the containers of the main text and for noise inside them, learned from several pages.

Candidates are the elements that contain selected text, have a durable name, and occur exactly once on each page. The
best candidate is the one whose text, without the elements in it that are never selected, is most similar to the
selected text over all pages. Errors of the full extraction on a single page are outvoted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tidings.page.columns import Bools
from tidings.sites.extraction.compiled import cutter
from tidings.sites.extraction.pieces import RuleMismatch, only_ranges
from tidings.sites.learning.lesson import Lesson
from tidings.sites.learning.selectors import anchors, common_beginning
from tidings.sites.learning.trimming import Container, trimmed, trimmed_range
from tidings.sites.learning.unnamed_elements import lone_elements, places
from tidings.sites.templates.anchor import Anchor
from tidings.sites.templates.rule import MAIN, UNINFORMATIVE, Rule

#: Least share of the selected text in a container.
_LEAST_SHARE: Final = 0.08
#: Least share of pages with the container.
_LEAST_PAGES: Final = 0.4
#: Least word F1 of a useful rule.
_WORTH: Final = 0.7
#: A selector is noise if at most this share of its text was selected.
_CHOSEN_IN_NOISE: Final = 0.15
#: Least gain in similarity for a further container.
_GAIN: Final = 0.01
_MOST_CONTAINERS: Final = 3
#: Shorter values are slower to search for.
_SHORT: Final = 6
_WORTH_A_RULE: Final = 0.003
_LONGEST_BEGINNING: Final = 120
#: Tags that are noise even without a name, if they were never selected.
_BY_TAG: Final = ("aside", "nav", "form", "footer", "button", "noscript")


@dataclass
class _MainCandidate:
    rule: Rule
    element: dict[int, int] = field(default_factory=dict)  # by lesson


def main_rules(lessons: Sequence[Lesson], *, trim: bool = False) -> list[Rule]:
    """Return rules for the main text and the noise in it; empty if no container has a durable name.

    With `trim`, what comes before and after the article in its container is cut off.
    """
    names = [names_on(lesson) for lesson in lessons]
    return _rules(lessons, names, _candidates(lessons, _named(lessons, names)), trim=trim)


def lone_rules(lessons: Sequence[Lesson], *, trim: bool = False) -> list[Rule]:
    """Return rules like `main_rules`, for a container that is the only element of its tag."""
    names = [names_on(lesson) for lesson in lessons]
    return _rules(lessons, names, _candidates(lessons, [list(lone_elements(lesson)) for lesson in lessons]), trim=trim)


def placed_rules(lessons: Sequence[Lesson], *, trim: bool = False) -> list[Rule]:
    """Return rules like `main_rules`, for a container at the end of a path of steps."""
    names = [names_on(lesson) for lesson in lessons]
    placed = [list(places(lesson, by_selector)) for lesson, by_selector in zip(lessons, names, strict=True)]
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
            (_score(lessons, [*chosen, candidate], noise), -_size(lessons, candidate), place, candidate)
            for place, candidate in enumerate(candidates)
            if candidate not in chosen
        ]
        if not scored:
            break
        # Of nearly equal candidates the smaller one is safer.
        top = max(score for score, *_ in scored)
        score, _, _, candidate = max(
            (entry for entry in scored if entry[0] >= top - 0.002), key=lambda entry: (entry[1], -entry[2])
        )
        if score < best + (_GAIN if chosen else 0):
            break
        chosen.append(candidate)
        best = score
    chosen.sort(key=lambda candidate: -sum(_inside(lessons[at], element) for at, element in candidate.element.items()))
    ranges: list[list[tuple[int, int]]] = [[] for _ in lessons]
    for candidate in chosen:
        containers = {
            at: Container(lessons[at], element, _noise_runs(lessons[at], noise))
            for at, element in candidate.element.items()
        }
        if trim:
            candidate.rule = trimmed(candidate.rule, list(containers.values()))
        for at, container in containers.items():
            ranges[at].append(trimmed_range(candidate.rule, container))
    inside = _noise_inside(lessons, ranges, noise)
    return [candidate.rule for candidate in chosen] + [
        Rule(UNINFORMATIVE, anchor, starts=_beginning(lessons, anchor)) for anchor in inside
    ]


def _inside(lesson: Lesson, element: int) -> int:
    return int(lesson.inside[1][element])


def names_on(lesson: Lesson) -> dict[Anchor, list[int]]:
    """Return the elements of a page by their candidate selectors. Cached in the lesson."""
    cached: dict[Anchor, list[int]] | None = lesson.__dict__.get("_names")
    if cached is not None:
        return cached
    result: dict[Anchor, list[int]] = defaultdict(list)
    names = lesson.page.tag_names
    for element, (number, start_tag) in enumerate(
        zip(lesson.page.elements.tag.tolist(), lesson.start_tags, strict=True)
    ):
        if element:
            tag = names[number]
            for anchor in anchors(tag, start_tag):
                result[anchor].append(element)
            if tag in _BY_TAG:
                result[Anchor(tag)].append(element)
    lesson.__dict__["_names"] = result
    return result


def _named(lessons: Sequence[Lesson], names: Sequence[dict[Anchor, list[int]]]) -> list[list[tuple[Rule, int]]]:
    """Return for each page the elements with a unique id or class name that contain enough of the article's words, each
    with a rule that selects it.
    """
    result = []
    for lesson, by_selector in zip(lessons, names, strict=True):
        chosen = lesson.inside[1]
        enough = max(_LEAST_SHARE * lesson.total_chosen, 1)
        result.append(
            [
                (Rule(MAIN, anchor), elements[0])
                for anchor, elements in by_selector.items()
                if len(elements) == 1 and anchor.conditions and chosen[elements[0]] >= enough
            ]
        )
    return result


def _candidates(
    lessons: Sequence[Lesson], elements_by_page: Sequence[Sequence[tuple[Rule, int]]]
) -> list[_MainCandidate]:
    """Return rules that match on most pages, both in the element tree and by a search in the bytes of the page."""
    holders: dict[Rule, _MainCandidate] = {}
    for at, elements in enumerate(elements_by_page):
        for rule, element in elements:
            holders.setdefault(rule, _MainCandidate(rule)).element.setdefault(at, element)
    most = max((len(candidate.element) for candidate in holders.values()), default=0)
    least = max(most * 0.6, len(lessons) * _LEAST_PAGES)
    result = []
    for candidate in holders.values():
        if len(candidate.element) >= least:
            candidate.element = {
                at: element for at, element in candidate.element.items() if _is_found(lessons[at], candidate.rule)
            }
            if len(candidate.element) >= least:
                result.append(candidate)
    return result


def _is_found(lesson: Lesson, rule: Rule) -> bool:
    """Return whether a search in the bytes of a page finds exactly one matching element, as a search in its tree
    does.
    """
    try:
        return len(only_ranges(cutter(rule, lesson.encoding), lesson.encoding, lesson.data)) == 1
    except RuleMismatch:
        return False


def _noise(lessons: Sequence[Lesson], names: Sequence[dict[Anchor, list[int]]]) -> list[Anchor]:
    """Return the selectors of elements that rarely contain article text, such as share buttons."""
    words: Counter[Anchor] = Counter()
    chosen: Counter[Anchor] = Counter()
    for lesson, by_selector in zip(lessons, names, strict=True):
        all_words, all_chosen = (column.tolist() for column in lesson.inside)
        for anchor, elements in by_selector.items():
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
    """Return how similar the containers' text without noise is to the selected text, averaged over the pages.

    The similarity is the F1 above `_WORTH`. So a container that fits four pages of five is better than one that
    contains the text of all and more: the fifth page has another layout.
    """
    scores = []
    for at, lesson in enumerate(lessons):
        in_noise = _noise_runs(lesson, noise)
        runs = np.zeros(len(lesson.page.runs), np.bool_)
        for candidate in chosen:
            if at in candidate.element:
                element = candidate.element[at]
                runs[lesson.page.elements.first[element] : lesson.page.elements.last[element]] = True
        runs &= ~in_noise
        words = int(lesson.visible_words[runs].sum())
        right = int(lesson.visible_words[runs & lesson.chosen].sum())
        scores.append(max(0.0, 2 * right / max(words + lesson.total_chosen, 1) - _WORTH))
    return float(np.mean(scores))


def _noise_runs(lesson: Lesson, noise: Iterable[Anchor]) -> Bools:
    cached: Bools | None = lesson.__dict__.get("_noise_runs")
    if cached is None:
        cached = np.zeros(len(lesson.page.runs), np.bool_)
        first, last = lesson.page.elements.first, lesson.page.elements.last
        for anchor in noise:
            for element in _elements(lesson, anchor):
                cached[first[element] : last[element]] = True
        lesson.__dict__["_noise_runs"] = cached
    return cached


def _size(lessons: Sequence[Lesson], candidate: _MainCandidate) -> float:
    return float(np.mean([lessons[at].inside[0][element] for at, element in candidate.element.items()]))


def _noise_inside(
    lessons: Sequence[Lesson], containers: Sequence[Sequence[tuple[int, int]]], noise: Sequence[Anchor]
) -> list[Anchor]:
    """Return the selectors for noise that a main text rule needs: those of elements inside the article's container that
    are not inside other noise. `containers` has the source ranges of the containers of each page.
    """
    needed: Counter[Anchor] = Counter()
    removed: Counter[Anchor] = Counter()  # words
    for lesson, ranges in zip(lessons, containers, strict=True):
        for element, names in _outermost(lesson, ranges, noise):
            words = int(lesson.inside[0][element])
            if words > 0:
                needed.update(names)
                removed.update(dict.fromkeys(names, words))
    # A rule that removes next to nothing costs more time than it is worth.
    least = _WORTH_A_RULE * sum(lesson.total_chosen for lesson in lessons)
    needed = Counter({anchor: count for anchor, count in needed.items() if removed[anchor] >= least})
    order = {anchor: place for place, anchor in enumerate(noise)}
    result: list[Anchor] = []
    covered: set[tuple[int, int]] = set()
    # Of several selectors of an element prefer the one on most pages, then a long one, which is faster to search for.
    for anchor, _ in sorted(needed.items(), key=lambda entry: (-entry[1], _is_short(entry[0]), order[entry[0]])):
        elements = {(at, element) for at, lesson in enumerate(lessons) for element in _elements(lesson, anchor)}
        if not elements <= covered:
            result.append(anchor)
            covered |= elements
    return result


def _beginning(lessons: Sequence[Lesson], anchor: Anchor) -> str:
    """Return the common prefix of all start tags that match a selector, for a faster search; empty if the prefix does
    not include the attribute values of the selector.
    """
    tags = [lesson.start_tags[element] for lesson in lessons for element in _elements(lesson, anchor)]
    shared = common_beginning(tags)[:_LONGEST_BEGINNING]
    has_names = all(condition.value in shared for condition in anchor.conditions)
    return shared if anchor.conditions and has_names and shared.isprintable() else ""


def _is_short(anchor: Anchor) -> bool:
    return max((len(condition.value) for condition in anchor.conditions), default=0) < _SHORT


def _outermost(
    lesson: Lesson, containers: Sequence[tuple[int, int]], noise: Sequence[Anchor]
) -> Iterator[tuple[int, list[Anchor]]]:
    """Yield noise elements inside the containers that are not inside other noise elements, each with the selectors that
    match it.
    """
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
