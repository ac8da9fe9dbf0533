"""The text run that TitleFinder selects, as a rival of the chosen candidate.

TitleFinder (DANA thesis, chapter 5) needs no heading: on some sites `h1` holds the site's name, a slogan or the name of
a section, and the headline is in a `span`. Its run replaces a choice that no declared title confirms and that is not
about the article. Both must hold:

- The run is a whole part of the title element, outside links and menus, and not after the start of the content.
- The choice is a heading before the run whose words are neither in the run nor in the content and that has no subtitle
  in the run, or a declared title that also names something else.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from tidings.fields.keys import key, squashed
from tidings.fields.titles.candidates import Candidate, cuts, heading_of
from tidings.fields.titles.headline_area import line_at
from tidings.fields.titles.site_names import site_names
from tidings.fields.titles.title_finder import Headline, headline
from tidings.page import Page, Spans, tags
from tidings.page.tag_sets import tag_set
from tidings.text import terms

#: Not `header`: articles have headers too.
_AROUND: Final = tag_set(tags.numbers("nav aside footer"))
_HEADINGS: Final = tag_set(tags.HEADINGS)
_WORD: Final = re.compile(r"\w+")
#: Least TitleFinder similarity: half of the words.
LEAST_SIMILARITY: Final = 0.5
_FEWEST_WORDS: Final = 3
#: Characters of content before a headline inside it: a byline, a standfirst.
_NEAR: Final = 500
_STATED: Final = frozenset({"og", "twitter", "ld", "meta", "ld name", "ld other", "title"})
_HALF: Final = 0.5


def better_run(page: Page, chosen: Candidate, content: Spans | None) -> str:
    """Return the text of TitleFinder's run if it is a better headline than the chosen candidate, else nothing."""
    if not _may_be_wrong(page, chosen):
        return ""
    is_better = _heading_is_unrelated if chosen.element else _declares_more
    for text in (content, None):  # headings count as content, so a short name there can outweigh the headline
        run = headline(page, content=text)
        if run is None or run.score < LEAST_SIMILARITY:
            return ""
        if _can_be_headline(page, run, content) and is_better(page, chosen, run, content):
            return run.text
    return ""


def _may_be_wrong(page: Page, chosen: Candidate) -> bool:
    """Return whether no declared title confirms a chosen heading, or a chosen title has several parts; and whether
    another part of the title element is a line of the page. TitleFinder takes a tenth of the time of a page.
    """
    if chosen.element:
        is_doubtful = _STATED.isdisjoint(chosen.by) or squashed(chosen.text) in site_names(page)
    else:
        is_doubtful = bool(cuts(chosen.text))
    return is_doubtful and any(
        len(_WORD.findall(part)) >= _FEWEST_WORDS and key(part) != key(chosen.text) and line_at(page, part) >= 0
        for part in _parts(page)
    )


def _parts(page: Page) -> set[str]:
    """Return the title element and the parts of it between separators."""
    title = page.signals.title
    return {title, *(piece for piece, _, _ in cuts(title))}


def _can_be_headline(page: Page, run: Headline, content: Spans | None) -> bool:
    """Return whether a run is a part of the title element in the place of a headline."""
    same = key(run.text)
    if (
        same not in map(key, _parts(page))
        or len(_WORD.findall(same)) < _FEWEST_WORDS
        or squashed(run.text) in site_names(page)
    ):
        return False
    if page.runs.in_link.item(run.first) or page.nearest(_AROUND).item(page.runs.element.item(run.first)):
        return False
    return not content or page.runs.text_start.item(run.first) <= content.starts.item(0) + _NEAR


def _heading_is_unrelated(page: Page, chosen: Candidate, run: Headline, content: Spans | None) -> bool:
    """Return whether a heading is before the run and not about the article."""
    place = heading_of(page, chosen.element)
    if place.start > page.runs.text_start.item(run.first) or run.first < place.last:
        return False
    if squashed(chosen.text) in site_names(page) or (place.is_linked and place.is_around):
        return True
    words = set(_WORD.findall(key(chosen.text)))
    if len(words & set(_WORD.findall(key(run.text)))) >= _HALF * len(words):
        return False
    if not content or _is_subtitle(page, run, place.last) or _are_in_one_box(page, chosen.element, run, content):
        return False
    language = page.signals.language
    heading_terms = set(terms(chosen.text, language))
    without_heading = content - Spans.of([(place.start, place.end)], len(page.text))
    return len(heading_terms & set(terms(without_heading.text(page), language))) < _HALF * len(heading_terms)


def _is_subtitle(page: Page, run: Headline, after: int) -> bool:
    """Return whether a run is a heading that directly follows another one."""
    return run.first == after and bool(page.nearest(_HEADINGS).item(page.runs.element.item(run.first)))


def _are_in_one_box(page: Page, heading: int, run: Headline, content: Spans) -> bool:
    """Return whether an element contains a heading and a run, but not the end of the content."""
    elements, last = page.elements, page.runs.element.item(run.first)
    while heading > 0 and not (elements.start.item(heading) <= elements.start.item(last) < elements.end.item(heading)):
        heading = elements.parent.item(heading)
    end = int(np.searchsorted(page.runs.text_start, content.ends.item(-1)) - 1)
    return elements.last.item(heading) <= end


def _declares_more(page: Page, chosen: Candidate, run: Headline, content: Spans | None) -> bool:  # noqa: ARG001
    """Return whether a run is at least two thirds of a declared title."""
    same = key(run.text)
    return any(
        key(piece) == same and 2 * len(_WORD.findall(rest)) <= len(_WORD.findall(piece))
        for piece, _, rest in cuts(chosen.text)
    )
