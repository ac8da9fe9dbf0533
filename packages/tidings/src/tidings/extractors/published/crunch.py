"""Crunch: a page put through a row of filters, each of which can be switched off.

Gupta, Kaiser, Neistadt and Grimm 2003 ("DOM-based content extraction of HTML documents"); DANA thesis 3.2.1,
Algorithm 1, and 3.4.1. A filter takes elements out of the tree: links into advertisement servers, table cells that
are lists of links, text links, and at the end tables with nothing of substance left in them. A caller can add further
filters, as Crunch's plug-ins did.

"The removed links will be saved at the end of the HTML file in order to keep their navigation in web pages possible"
(3.2.1). Ranges in the order of the page cannot say that something has moved: with `text_links=to_bottom` the links are
not in the ranges, `moved` names them, and an article that is read with Crunch has them as a list behind its text. In a
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
    """What is done with links that are text (Algorithm 1: `ignoreTextLink`, `addLinksToBottom`)."""

    KEEP = "links stay"
    TO_BOTTOM = "links move below the page"  # out of the ranges, and into `Crunch.moved`
    REMOVE = "links go, with their text"


@cache
def advertisement_hosts() -> frozenset[str]:
    """Return the bundled list of hosts that serve advertisements."""
    listed = (
        (files("tidings.extractors.published") / "advertisement_hosts.txt").read_text(encoding="utf-8").splitlines()
    )
    return frozenset(line for line in listed if line and not line.startswith("#"))


def is_advertisement(address: str, hosts: frozenset[str]) -> bool:
    """Return whether an address is on one of the hosts, or on a host under one of them."""
    found = _HOST.match(address)
    if found is None:
        return False
    host = found[1].lower().rstrip(".")
    while host not in hosts:
        _, _, host = host.partition(".")
        if not host:
            return False
    return True


def _outside(page: Page, gone: Bools) -> Bools:
    """Return the runs that stand in none of some elements."""
    elements, size = page.elements, len(page.runs) + 1
    borders = np.bincount(elements.first[gone], minlength=size) - np.bincount(elements.last[gone], minlength=size)
    return np.asarray(np.cumsum(borders[:-1]) == 0)


@checked
@dataclass(frozen=True, slots=True)
class Crunch:
    """What is left when advertisements, link cells, text links and empty tables are taken out.

    `ratio` and `word_length` are the original's. It leaves the switches and the substance of a table to the user. Text
    links go: so the thesis tells of the first filter, and on half of the sites of wcxb-dev it brings 0.06 of
    word F1 (0.873 against 0.808). There, any substance from 1 to 50 characters gives the same.
    """

    advertisements: bool = True
    hosts: frozenset[str] | None = None  # None: the bundled list
    link_cells: bool = True
    cells: str = "td"  # Algorithm 1; few pages of today have their link lists there, "td li div nav" finds more
    ratio: float = 0.25  # links for each word outside links, above which a cell goes (Gupta et al. 2003)
    word_length: int = 5  # characters that make a word (Gupta et al. 2003)
    text_links: TextLinks = TextLinks.REMOVE
    empty_tables: bool = True
    substance: int = 1  # characters that a table needs
    styles: bool = True  # styles are gone first, so that text they hide counts (the result never has it)
    further: tuple[Callable[[Page], Spans], ...] = ()  # each says what else is taken out

    def __call__(self, page: Page, /) -> Spans:
        """What all the filters leave, in the order of the page."""
        self._check()
        runs, elements = page.runs, page.elements
        gone = self._filtered(page)
        if self.text_links is not TextLinks.KEEP:
            gone |= elements.tag == _LINK
        left = _outside(page, gone)
        if self.empty_tables:
            # Looked at last: the other filters may have emptied them.
            substance = sums(runs.chars * (left & self._counted(page)))
            held = substance[elements.last] - substance[elements.first]
            empty = (elements.tag == _TABLE) & (held < self.substance)
            kept = Spans.of_runs(page, left) - Spans.of_elements(page, empty)
        else:
            kept = Spans.of_runs(page, left)
        for extra in self.further:
            kept -= extra(page)
        return page.shown(kept) & page.scope

    def moved(self, page: Page, /) -> tuple[int, ...]:
        """Return the text links that go below the page, in its order: not those that another filter takes out."""
        if self.text_links is not TextLinks.TO_BOTTOM:
            return ()
        self._check()
        elements = page.elements
        shown = page.shown(Spans.of_runs(page, _outside(page, self._filtered(page)))) & page.scope
        for extra in self.further:
            shown -= extra(page)
        seen = sums(shown.runs(page))
        links = np.flatnonzero((elements.tag == _LINK) & (seen[elements.last] > seen[elements.first]))
        return tuple(links.tolist())

    def _check(self) -> None:
        if self.ratio < 0 or self.word_length < 1 or self.substance < 0:
            raise BadParameter(
                f"ratio is {self.ratio}, word_length {self.word_length}, substance {self.substance}; "
                "none of them can be negative, and a word has at least one character"
            )

    def _filtered(self, page: Page) -> Bools:
        """Return the elements that go for what they are, whatever becomes of text links."""
        gone = np.zeros(len(page.elements), np.bool_)
        if self.advertisements:
            gone |= self._advertisements(page)
        if self.link_cells:
            gone |= self._link_cells(page)
        return gone

    def _counted(self, page: Page) -> Bools:
        """Return the runs that filters count."""
        return np.ones(len(page.runs), np.bool_) if self.styles else ~page.runs.hidden

    def _advertisements(self, page: Page) -> Bools:
        """Return links into advertisement servers. What has a `src` there (pictures, frames) has no text on the
        page.
        """
        hosts = advertisement_hosts() if self.hosts is None else self.hosts
        elements = page.elements
        found = np.zeros(len(elements), np.bool_)
        for link in np.flatnonzero((elements.tag == _LINK) & (elements.first < elements.last)).tolist():
            found[link] = is_advertisement(page.attributes(link).get("href", ""), hosts)
        return found

    def _link_cells(self, page: Page) -> Bools:
        """Return cells with too many links for their words."""
        elements, runs = page.elements, page.runs
        counted = self._counted(page)
        texts = np.zeros(len(runs) + 1, np.int64)
        # A link is counted where its text begins.
        links = (elements.tag == _LINK) & (elements.first < elements.last)
        texts += np.bincount(elements.first[links], minlength=len(runs) + 1)
        texts[:-1] *= counted
        before, letters = sums(texts), sums(runs.chars * (~runs.in_link & counted))
        links_held = before[elements.last] - before[elements.first]
        words = (letters[elements.last] - letters[elements.first]) / self.word_length
        unknown = [name for name in self.cells.split() if name not in tags.NUMBERS]
        if unknown:
            raise BadParameter(f"cells names {unknown[0]!r}, which is no HTML element")
        cell = among(elements.tag, tag_set(tags.numbers(self.cells)))
        return cell & (links_held > self.ratio * words)
