"""Crunch: a sequence of filters that remove elements from a page; each filter can be switched off.

Source: Gupta, Kaiser, Neistadt and Grimm 2003 ("DOM-based content extraction of HTML documents"); DANA thesis 3.2.1,
Algorithm 1, and 3.4.1. The filters remove links to advertisement servers, table cells that are lists of links, text
links, and finally tables without substance. Further filters can be added, like Crunch's plug-ins.

"The removed links will be saved at the end of the HTML file in order to keep their navigation in web pages possible"
(3.2.1). Ranges in page order cannot express that text has moved. With `text_links=to_bottom` the links are not in the
ranges; `moved` returns them, and an article that is extracted with Crunch has them as a list after its text. In a
combination with other extractors only the ranges count.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, sums
from tidings.page.tag_sets import among, tag_set

_LINK: Final = tags.NUMBERS["a"]
_TABLE: Final = tags.NUMBERS["table"]
_HOST: Final = re.compile(r"\s*+(?:https?:)?//(?:[^/?#@\s]*@)?([^/:?#\s]++)", re.IGNORECASE)


class TextLinks(Enum):
    """How links with text are handled (Algorithm 1: ignoreTextLink, addLinksToBottom)."""

    KEEP = "links stay"
    TO_BOTTOM = "links move below the page"  # from the ranges to `Crunch.moved`
    REMOVE = "links are removed with their text"


@cache
def advertisement_hosts() -> frozenset[str]:
    """Return the built-in list of advertisement hosts."""
    lines = (files("tidings.extractors.published") / "advertisement_hosts.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def is_advertisement(url: str, hosts: frozenset[str]) -> bool:
    """Return whether a URL is on one of the hosts, or on a subdomain of one."""
    match = _HOST.match(url)
    if match is None:
        return False
    host = match[1].lower().rstrip(".")
    while host not in hosts:
        _, _, host = host.partition(".")
        if not host:
            return False
    return True


def _outside(page: Page, removed: Bools) -> Bools:
    """Return the runs of text outside of all removed elements."""
    elements, size = page.elements, len(page.runs) + 1
    borders = np.bincount(elements.first[removed], minlength=size) - np.bincount(elements.last[removed], minlength=size)
    return np.asarray(np.cumsum(borders[:-1]) == 0)


@checked
@dataclass(frozen=True, slots=True)
class Crunch:
    """Text that remains without advertisements, link cells, text links and empty tables.

    `ratio` and `word_length` are the original's. The original leaves the switches and the substance of a table to the
    user. Text links are removed, because the thesis describes the first filter like this, and because it gains 0.06 of
    word F1 on half of the sites of wcxb-dev (0.873 against 0.808). Any substance from 1 to 50 characters gives the same
    result there.
    """

    advertisements: bool = True
    hosts: frozenset[str] | None = None  # None: the built-in list
    link_cells: bool = True
    cells: str = "td"  # Algorithm 1; current pages have link lists elsewhere, "td li div nav" finds more
    ratio: float = 0.25  # links per word outside links, above which a cell is removed (Gupta et al. 2003)
    word_length: int = 5  # characters per word (Gupta et al. 2003)
    text_links: TextLinks = TextLinks.REMOVE
    empty_tables: bool = True
    substance: int = 1  # characters that a table needs
    styles: bool = True  # styles are removed first, so that hidden text counts (it is never in the result)
    extra_filters: tuple[Callable[[Page], Spans], ...] = ()  # each returns further text to remove

    def __call__(self, page: Page, /) -> Spans:
        """Return the text that remains after all filters, in page order."""
        self._check()
        runs, elements = page.runs, page.elements
        removed = self._filtered(page)
        if self.text_links is not TextLinks.KEEP:
            removed |= elements.tag == _LINK
        remaining = _outside(page, removed)
        if self.empty_tables:
            # Last, because the other filters may have emptied the table.
            substance = sums(runs.chars * (remaining & self._counted(page)))
            inside = substance[elements.last] - substance[elements.first]
            empty = (elements.tag == _TABLE) & (inside < self.substance)
            spans = Spans.of_runs(page, remaining) - Spans.of_elements(page, empty)
        else:
            spans = Spans.of_runs(page, remaining)
        for extra in self.extra_filters:
            spans -= extra(page)
        return page.shown(spans) & page.scope

    def moved(self, page: Page, /) -> tuple[int, ...]:
        """Return the text links to move below the page, in page order, without those that another filter removes."""
        if self.text_links is not TextLinks.TO_BOTTOM:
            return ()
        self._check()
        elements = page.elements
        spans = page.shown(Spans.of_runs(page, _outside(page, self._filtered(page)))) & page.scope
        for extra in self.extra_filters:
            spans -= extra(page)
        visible_before = sums(spans.runs(page))
        links = np.flatnonzero(
            (elements.tag == _LINK) & (visible_before[elements.last] > visible_before[elements.first])
        )
        return tuple(links.tolist())

    def _check(self) -> None:
        if self.ratio < 0 or self.word_length < 1 or self.substance < 0:
            raise BadParameter(
                f"ratio is {self.ratio}, word_length {self.word_length}, substance {self.substance}; "
                "none of them can be negative, and a word has at least one character"
            )

    def _filtered(self, page: Page) -> Bools:
        """Return the elements that filters remove, apart from the filter of text links."""
        removed = np.zeros(len(page.elements), np.bool_)
        if self.advertisements:
            removed |= self._advertisements(page)
        if self.link_cells:
            removed |= self._link_cells(page)
        return removed

    def _counted(self, page: Page) -> Bools:
        """Return which text runs the filters count: all of them if `styles` is set, otherwise the visible ones."""
        return np.ones(len(page.runs), np.bool_) if self.styles else ~page.runs.hidden

    def _advertisements(self, page: Page) -> Bools:
        """Return which elements are links to advertisement servers. Elements with a `src` there (pictures, frames) have
        no text on the page.
        """
        hosts = advertisement_hosts() if self.hosts is None else self.hosts
        elements = page.elements
        is_removed = np.zeros(len(elements), np.bool_)
        for link in np.flatnonzero((elements.tag == _LINK) & (elements.first < elements.last)).tolist():
            is_removed[link] = is_advertisement(page.attributes(link).get("href", ""), hosts)
        return is_removed

    def _link_cells(self, page: Page) -> Bools:
        """Return which table cells have too many links for their words."""
        elements, runs = page.elements, page.runs
        counted = self._counted(page)
        texts = np.zeros(len(runs) + 1, np.int64)
        # A link is counted where its text begins.
        links = (elements.tag == _LINK) & (elements.first < elements.last)
        texts += np.bincount(elements.first[links], minlength=len(runs) + 1)
        texts[:-1] *= counted
        before, letters = sums(texts), sums(runs.chars * (~runs.in_link & counted))
        link_counts = before[elements.last] - before[elements.first]
        words = (letters[elements.last] - letters[elements.first]) / self.word_length
        unknown = [name for name in self.cells.split() if name not in tags.NUMBERS]
        if unknown:
            raise BadParameter(f"cells names {unknown[0]!r}, which is no HTML element")
        cell = among(elements.tag, tag_set(tags.numbers(self.cells)))
        return cell & (link_counts > self.ratio * words)
