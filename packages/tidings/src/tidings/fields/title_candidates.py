"""Everything on a page that may be its headline, each with the places that say so.

Candidates are the headings, the declared titles (JSON-LD, OpenGraph, Twitter, other meta elements), the title element,
and pieces of those: a title without the name of the site, a heading without the line above it.
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

#: Headings that are looked at: tag, what they are called here, how many at most.
_HEADINGS: Final = ((tags.NUMBERS["h1"], "h1", 5), (tags.NUMBERS["h2"], "h2", 4), (tags.NUMBERS["h3"], "h3", 2))
_LOOKED_AT: Final = tag_set(frozenset(tag for tag, _, _ in _HEADINGS))
#: Parts of a page beside its story.
_AROUND: Final = tags.numbers("nav aside footer header")
#: A heading of more runs has no parts.
_MOST_PARTS: Final = 4
_META: Final = {"og:title": "og", "twitter:title": "twitter"} | dict.fromkeys(
    "parsely-title sailthru.title dc.title dcterms.title headline title cxenseparse:title hdl".split(), "meta"
)
_CUT: Final = frozenset({"title", "og", "twitter", "ld"})
#: What stands between a headline and the name of a site.
_SEPARATOR: Final = re.compile(
    r" (?:[-–—|·•«»:/~<>]|::|\|\|) |(?<=\S)[|｜»«](?=\S)|(?<=\S)[|:：] | \| ?|(?<=\S) ?_ ?(?=\S)"
)
#: No headline is longer; the mean is near 70.
_LONGEST: Final = 400
#: More pieces than these are a list, not a title with names around it.
_MOST_CUTS: Final = 6


@dataclass(slots=True)
class Candidate:
    """A text that may be the headline."""

    text: str
    by: list[str] = field(default_factory=list)  # who says so, each once
    element: int = 0  # the first heading that reads so
    rest: str = ""  # what was cut off


class Heading(NamedTuple):
    """A heading that holds text."""

    element: int
    first: int  # run
    last: int  # behind it
    start: int  # of its text
    end: int
    unseen: int  # runs that nobody sees
    is_linked: bool  # it begins with a link
    is_around: bool  # it stands in a part of the page beside the story


@memoized
def declared_titles(page: Page) -> tuple[tuple[str, str], ...]:
    """Return the titles a page declares, with their sources, the title element last."""
    known = declared(page)
    told = known.story or known.web_page
    named = page.signals.named
    titles = [
        (text(told.get("headline")), "ld"),
        (text(told.get("name")), "ld name"),
        (text(told.get("alternativeHeadline")), "ld other"),
        *[(named[name][0], by) for name, by in _META.items() if name in named],
        (page.signals.title, "title"),
    ]
    return tuple([told for told in titles if told[0]])


def gather(page: Page) -> list[Candidate]:
    """Return the candidates of a page, those of the same plain text as one, in no order of merit."""
    found: dict[str, Candidate] = {}
    for words, by, element, rest in _said(page):
        same = plain(words)
        if not same or len(same) > _LONGEST:
            continue
        if (one := found.get(same)) is None:
            one = found[same] = Candidate(words)
        if by not in one.by:
            one.by.append(by)
        if element and not one.element:
            one.element, one.text = element, words
        one.rest = one.rest or rest
    return list(found.values())


def _said(page: Page) -> Iterator[tuple[str, str, int, str]]:
    """Everything that may be the headline: the words, who says so, the heading, and what was cut off."""
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
    """Return the pieces of a title on either side of a separator: the piece, which it is, and what was cut off."""
    places = [match.span() for match in _SEPARATOR.finditer(title)][:_MOST_CUTS]
    found = []
    for at, (start, end) in enumerate(places):
        front, back = title[:start].strip(), title[end:].strip()
        if front and back:
            found.append((front, "front" if at == len(places) - 1 else "short front", back))
            found.append((back, "back" if at == 0 else "short back", front))
    return found + [(title[start:end].strip(), "middle", "") for (_, start), (end, _) in pairwise(places)]


def headings(page: Page) -> Iterator[tuple[str, str, int]]:
    """Yield headings with what they are, and the parts of a heading that has parts. Those nobody asks for are not
    read.
    """
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
                    shown = [text[start:end] for start, end, is_hidden in pairs if not is_hidden]
                    yield fold_space(" ".join(shown)), which, element
                    continue
                yield fold_space(page.line(first, last)), which, element
                if which == "h1" and len(starts) <= _MOST_PARTS:
                    for start, end in zip(starts, ends, strict=True):
                        yield text[start:end], "h1 part", element


def heading_of(page: Page, element: int) -> Heading:
    """What is known of a heading that a candidate stands in."""
    return next(one for some in heading_elements(page).values() for one in some if one.element == element)


@memoized
def heading_elements(page: Page) -> dict[int, list[Heading]]:
    """Return the first headings of the first orders that hold text, by tag."""
    found: dict[int, list[Heading]] = {tag: [] for tag, _, _ in _HEADINGS}
    most = {tag: count for tag, _, count in _HEADINGS}
    elements, runs = page.elements, page.runs
    for element in among(elements.tag, _LOOKED_AT).nonzero()[0].tolist():
        tag, first, last = elements.tag.item(element), elements.first.item(element), elements.last.item(element)
        if first == last or len(found[tag]) == most[tag]:
            continue
        around = elements.parent.item(element)
        while around > 0 and elements.tag.item(around) not in _AROUND:
            around = elements.parent.item(around)
        start, end = runs.text_start.item(first), runs.text_end.item(last - 1)
        unseen, is_linked = int(np.count_nonzero(runs.hidden[first:last])), bool(runs.in_link.item(first))
        found[tag].append(Heading(element, first, last, start, end, unseen, is_linked, around > 0))
    return found
