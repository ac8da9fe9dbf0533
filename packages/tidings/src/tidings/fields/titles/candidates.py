"""Candidates for the headline of a page, each with its sources.

Candidates are the headings, the declared titles (JSON-LD, OpenGraph, Twitter, other meta elements), the title element,
and parts of those: a title without the site's name, a heading without the line above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.declared import declared, text
from tidings.fields.keys import plain
from tidings.fields.memo import memoized
from tidings.page import Page, tags
from tidings.page.tag_sets import among, tag_set
from tidings.text import fold_space

#: Headings that are checked: tag, name of the source, largest number.
_HEADINGS: Final = ((tags.NUMBERS["h1"], "h1", 5), (tags.NUMBERS["h2"], "h2", 4), (tags.NUMBERS["h3"], "h3", 2))
_LOOKED_AT: Final = tag_set(frozenset(tag for tag, _, _ in _HEADINGS))
#: Parts of a page outside its article.
_AROUND: Final = tags.numbers("nav aside footer header")
#: A heading of more runs is not split.
_MOST_PARTS: Final = 4
_META: Final = {"og:title": "og", "twitter:title": "twitter"} | dict.fromkeys(
    "parsely-title sailthru.title dc.title dcterms.title headline title cxenseparse:title hdl".split(), "meta"
)
_CUT: Final = frozenset({"title", "og", "twitter", "ld"})
#: Separators between headline and site name.
_SEPARATOR: Final = re.compile(
    r" (?:[-–—|·•«»:/~<>]|::|\|\|) |(?<=\S)[|｜»«](?=\S)|(?<=\S)[|:：] | \| ?|(?<=\S) ?_ ?(?=\S)"
)
#: Longest headline; the mean is near 70 characters.
_LONGEST: Final = 400
#: More pieces than these are a list, not a title with site names.
_MOST_CUTS: Final = 6


@dataclass(slots=True)
class Candidate:
    """A text that may be the headline."""

    text: str
    by: list[str] = field(default_factory=list)  # its distinct sources
    element: int = 0  # the first heading with this text
    rest: str = ""  # the text that was cut off


class Heading(NamedTuple):
    """A heading that holds text."""

    element: int
    first: int  # run
    last: int  # exclusive
    start: int  # text offset
    end: int
    unseen: int  # number of hidden runs
    is_linked: bool  # begins with a link
    is_around: bool  # in a part of the page outside the article


@memoized
def declared_titles(page: Page) -> tuple[tuple[str, str], ...]:
    """Return the titles that a page declares, with their sources, the title element last."""
    metadata = declared(page)
    thing = metadata.story or metadata.web_page
    named = page.signals.named
    titles = [
        (text(thing.get("headline")), "ld"),
        (text(thing.get("name")), "ld name"),
        (text(thing.get("alternativeHeadline")), "ld other"),
        *[(named[name][0], by) for name, by in _META.items() if name in named],
        (page.signals.title, "title"),
    ]
    return tuple([thing for thing in titles if thing[0]])


def gather(page: Page) -> list[Candidate]:
    """Return the headline candidates of a page, merged by their normalised text, in no order of merit."""
    by_text: dict[str, Candidate] = {}
    for words, by, element, rest in _sources(page):
        same = plain(words)
        if not same or len(same) > _LONGEST:
            continue
        if (candidate := by_text.get(same)) is None:
            candidate = by_text[same] = Candidate(words)
        if by not in candidate.by:
            candidate.by.append(by)
        if element and not candidate.element:
            candidate.element, candidate.text = element, words
        candidate.rest = candidate.rest or rest
    return list(by_text.values())


def _sources(page: Page) -> Iterator[tuple[str, str, int, str]]:
    """Yield each possible headline: its text, source, heading element and the text that was cut off."""
    for words, by, element in headings(page):
        yield words, by, element, ""
    titles = declared_titles(page)
    for words, by in titles:
        yield words, by, 0, ""
    for words, by in {words: by for words, by in titles if by in _CUT}.items():
        for piece, which, rest in cuts(words):
            yield piece, f"{'title' if by == 'title' else 'declared'} {which}", 0, rest


@lru_cache(16)
def cuts(title: str) -> list[tuple[str, str, str]]:
    """Return the parts of a title on either side of each separator, with their position and the text cut off."""
    places = [match.span() for match in _SEPARATOR.finditer(title)][:_MOST_CUTS]
    parts = []
    for at, (start, end) in enumerate(places):
        front, back = title[:start].strip(), title[end:].strip()
        if front and back:
            parts.append((front, "front" if at == len(places) - 1 else "short front", back))
            parts.append((back, "back" if at == 0 else "short back", front))
    return parts + [(title[start:end].strip(), "middle", "") for (_, start), (end, _) in pairwise(places)]


def headings(page: Page) -> Iterator[tuple[str, str, int]]:
    """Yield the headings with their sources, and the parts of headings that have several text runs."""
    runs, text = page.runs, page.text
    for tag, which, _ in _HEADINGS:
        for heading in heading_elements(page)[tag]:
            element, first, last = heading.element, heading.first, heading.last
            if heading.unseen == last - first:
                yield fold_space(text[heading.start : heading.end]), f"hidden {which}", element
            elif last - first == 1:
                yield fold_space(text[heading.start : heading.end]), which, element
            else:
                starts, ends = runs.text_start[first:last].tolist(), runs.text_end[first:last].tolist()
                if heading.unseen:
                    pairs = zip(starts, ends, runs.hidden[first:last].tolist(), strict=True)
                    visible = [text[start:end] for start, end, is_hidden in pairs if not is_hidden]
                    yield fold_space(" ".join(visible)), which, element
                    continue
                yield fold_space(page.line(first, last)), which, element
                if which == "h1" and len(starts) <= _MOST_PARTS:
                    for start, end in zip(starts, ends, strict=True):
                        yield text[start:end], "h1 part", element


def heading_of(page: Page, element: int) -> Heading:
    """Return the heading in an element."""
    return next(heading for some in heading_elements(page).values() for heading in some if heading.element == element)


@memoized
def heading_elements(page: Page) -> dict[int, list[Heading]]:
    """Return the first headings with text, by tag."""
    result: dict[int, list[Heading]] = {tag: [] for tag, _, _ in _HEADINGS}
    most = {tag: count for tag, _, count in _HEADINGS}
    elements, runs = page.elements, page.runs
    for element in among(elements.tag, _LOOKED_AT).nonzero()[0].tolist():
        tag, first, last = elements.tag.item(element), elements.first.item(element), elements.last.item(element)
        if first == last or len(result[tag]) == most[tag]:
            continue
        ancestor = elements.parent.item(element)
        while ancestor > 0 and elements.tag.item(ancestor) not in _AROUND:
            ancestor = elements.parent.item(ancestor)
        start, end = runs.text_start.item(first), runs.text_end.item(last - 1)
        unseen, is_linked = int(np.count_nonzero(runs.hidden[first:last])), bool(runs.in_link.item(first))
        result[tag].append(Heading(element, first, last, start, end, unseen, is_linked, ancestor > 0))
    return result
