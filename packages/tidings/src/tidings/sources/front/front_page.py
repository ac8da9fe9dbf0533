"""Front pages: the links that lead to stories, to sections, and what was dropped and why (LBNEST II.C.2).

Every target of the page's links gets odds: what its address says, what the best of its texts says, where it stands, and
what was learned of the site. A chain of filters decides. A link whose text says nothing ("Read more") is given the text
beside it; if that speaks for a story, the link is kept and marked: the page it leads to has to bear the teaser out.

The card a link stands in: its headline and its teaser (LBNEST II.C.2.ii, fig. 5 and 6).

Some sites print a headline and the beginning of a story, and link only "Full story". The text that belongs to such a
link is the nearest in the tree: neighbours are looked at level by level, a level being the number of steps from the
link to the element with the text, up and down (fig. 6). The paper takes the first text met; here it must have four
words of its own, as a link must, or dates and names of sections would be taken, and among texts as near the one before
the link goes first.

A card ends where the links to other stories begin: the largest element around a link that holds no link to another.
A link that only says "Full story" is such a link, whatever its address looks like. Where cards have no element of their
own (a heading, a paragraph and a link, one after the other), a card is what stands between the link before it and its
own; and a line break ends a headline as the end of a paragraph does.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tidings.fields.addresses import base_of
from tidings.fields.keys import squashed
from tidings.fields.site_names import site_names
from tidings.page import Page, tags
from tidings.page.tag_sets import tag_set
from tidings.sources.addresses import canonical
from tidings.sources.front.anchors import LinkElement, LinkTarget, anchors, targets
from tidings.sources.front.filter_config import BEST, Chain
from tidings.sources.front.filters import FilterVerdict, LinkCandidate, PageContext
from tidings.sources.front.link_features import (
    is_silent,
    names_a_service,
    owner,
    says_more,
    split,
    vocabulary,
    word_count,
)
from tidings.sources.front.link_model import PLACE, LinkModel, judge
from tidings.sources.front.url_shapes import Shapes, shape
from tidings.sources.link import Link, Origin
from tidings.text import content_words, letter_pair_similarities, sentences, terms

_HEADINGS: Final = tag_set(tags.HEADINGS)
_LEVELS: Final = np.zeros(len(tags.NAMES) + 1, np.int64)
for _level in range(1, 7):
    _LEVELS[tags.NUMBERS[f"h{_level}"]] = _level
#: Steps up from a link; cards are not deeper.
_HIGHEST: Final = 8
#: Steps from a link to its teaser: up to the card and down to a paragraph of it.
_FARTHEST: Final = 5
#: Links to a story that are looked at for its card.
_MOST_ANCHORS: Final = 6
#: An element with more runs than this is no card.
_MOST_RUNS: Final = 80
#: Words of a text that may be a teaser or a headline (LBNEST: four, as for links).
_WORDS: Final = 4
_LONGEST: Final = 1000
_LINE_BREAK: Final = 10


@dataclass(frozen=True, slots=True)
class Card:
    """What stands around a link."""

    headline: str = ""
    teaser: str = ""
    steps: int = 0  # from the link to the teaser


class Cards:
    """The cards of a page. Made once a page; asked for each link that needs one."""

    def __init__(self, page: Page, anchors: Collection[LinkElement], stories: Collection[str]) -> None:
        columns, runs = page.elements, page.runs
        self._page = page
        self._parent, self._depth = columns.parent.tolist(), columns.depth.tolist()
        self._first, self._last = columns.first.tolist(), columns.last.tolist()
        self._start, self._end = columns.start.tolist(), columns.end.tolist()
        wanted = sorted(
            (self._start[one.element], one.address, one.element) for one in anchors if one.address in stories
        )
        self._story_starts = [start for start, _, _ in wanted]
        self._story_addresses = [address for _, address, _ in wanted]
        self._story_elements = [element for _, _, element in wanted]
        free = ~runs.in_link & ~runs.hidden
        words = np.bincount(runs.block, runs.words * free, minlength=len(page.blocks))[runs.block]
        self._free = (free & (words >= _WORDS)).tolist()
        self._shown = free.tolist()
        # The level of the heading around each run; 0 for none.
        self._heading = _LEVELS.take(columns.tag[page.nearest(_HEADINGS)[runs.element]], mode="clip").tolist()
        self._run_depth = columns.depth[runs.element].tolist()
        self._block = runs.block.tolist()
        breaks = page.text_codes[np.maximum(runs.text_start - 1, 0)] == _LINE_BREAK
        self._line = np.cumsum(breaks).tolist()
        self._block_first, self._block_last = page.blocks.first.tolist(), page.blocks.last.tolist()
        self._text_start, self._text_end = runs.text_start.tolist(), runs.text_end.tolist()
        self._linked = runs.in_link.tolist()

    def around(self, anchor: int, address: str) -> int:
        """Return the largest element around a link that holds no link to another story."""
        card = at = anchor
        for _ in range(_HIGHEST):
            at = self._parent[at]
            if at <= 0 or self._last[at] - self._first[at] > _MOST_RUNS:
                break
            low = bisect_left(self._story_starts, self._start[at])
            high = bisect_left(self._story_starts, self._end[at])
            if any(other != address for other in self._story_addresses[low:high]):
                break
            card = at
        return card

    def card(self, target: LinkTarget) -> Card:
        """Return the headline and the nearest text of a target, by that of its links which stands nearest to a text."""
        found = [self._card(anchor, target.address) for anchor in target.anchors[:_MOST_ANCHORS]]
        return min(found, key=lambda card: (not card.teaser, not card.headline, card.steps))

    def _card(self, anchor: LinkElement, address: str) -> Card:
        around = self.around(anchor.element, address)
        run, steps = self._nearest(anchor.element, around)
        inside = range(self._first[around], self._last[around])
        headline = self._headline(inside)
        if headline < 0 and run >= 0:  # no heading: the first text that is not the teaser, and before it
            headline = next((one for one in inside if self._free[one] and self._line[one] < self._line[run]), -1)
        if says_more(anchor.text) and (headline < 0 or run < 0):
            headline, run, steps = self._in_a_row(self._before(anchor.element, around, address), headline, run, steps)
        teaser = self._text(run, self._line[headline] if headline >= 0 else -1) if run >= 0 else ""
        found = self._whole(headline) if headline >= 0 else ""
        return Card("" if found == teaser else found, teaser, steps)

    def _headline(self, inside: range) -> int:
        """Return the first run of the heading that is the headline of a card; -1 if it has none.

        Of several headings the highest level is the headline, if it has the words of one: a kicker stands above it.
        """
        first_of: dict[int, int] = {}
        for run in inside:
            if self._heading[run]:
                first_of.setdefault(self._block[run], run)
        if len(first_of) < 2:
            return next(iter(first_of.values()), -1)
        words = {run: word_count(self._whole(run)) for run in first_of.values()}
        long = [run for run in words if words[run] >= _WORDS]
        if not long:
            return max(words, key=words.__getitem__)
        return min(long, key=lambda run: self._heading[run])

    def _before(self, anchor: int, around: int, address: str) -> range:
        """Return the runs between the link to another story before a card and the card, inside the element around
        it.
        """
        parent = self._parent[around]
        if parent < 0 or self._first[around] - self._first[parent] <= 0:
            return range(0)
        place = bisect_left(self._story_starts, self._start[anchor])
        while place > 0 and self._story_addresses[place - 1] == address:
            place -= 1
        begin = self._first[parent]
        if place > 0:
            begin = max(begin, self._last[self._story_elements[place - 1]])
        end = self._first[around]
        return range(max(begin, end - _MOST_RUNS), end) if begin < end else range(0)

    def _in_a_row(self, before: range, headline: int, run: int, steps: int) -> tuple[int, int, int]:
        """Return headline and teaser of a card that has no element of its own, as far as they are not known."""
        texts = [one for one in before if self._free[one]]
        if headline < 0:
            headings = (one for one in reversed(before) if self._heading[one] and self._shown[one])
            last = self._line[texts[-1]] if texts else -1
            nearest = (one for one in reversed(texts) if run >= 0 or self._line[one] < last)
            headline = next(headings, next(nearest, -1))
        if run < 0:
            line = self._line[headline] if headline >= 0 else -1
            run = next((one for one in reversed(texts) if self._line[one] > line), -1)
            steps = _FARTHEST if run >= 0 else 0
        return headline, run, steps

    def _nearest(self, anchor: int, around: int) -> tuple[int, int]:
        """Return the run of free text with the fewest steps to a link inside its card, and how many; -1 if there is
        none.
        """
        best, fewest, away = -1, 1 << 30, 1 << 30
        up = 0
        at = anchor
        own = self._first[anchor]
        done_first, done_last = own, self._last[anchor]
        while at != around and at > 0 and up < fewest:
            at = self._parent[at]
            up += 1
            first, last = self._first[at], self._last[at]
            for run in (*range(first, done_first), *range(done_last, last)):
                if self._free[run]:
                    steps = up + self._run_depth[run] - self._depth[at]
                    if steps > _FARTHEST:
                        continue
                    distance = own - run if run < own else 10_000 + run - own  # text before the link goes first
                    if (steps, distance) < (fewest, away):
                        best, fewest, away = run, steps, distance
            done_first, done_last = first, last
        return best, fewest if best >= 0 else 0

    def _text(self, run: int, headline: int) -> str:
        """Return the free text of a run's block, without the line of the headline."""
        return self._joined(run, lambda one: not self._linked[one] and self._line[one] != headline)

    def _whole(self, run: int) -> str:
        """Return all text of a run's line; in a heading, of its block."""
        is_heading = self._heading[run] > 0
        return self._joined(run, lambda one: is_heading or self._line[one] == self._line[run])

    def _joined(self, run: int, wanted: Callable[[int], bool]) -> str:
        block, text = self._block[run], self._page.text
        runs = range(self._block_first[block], self._block_last[block])
        parts = [text[self._text_start[one] : self._text_end[one]] for one in runs if wanted(one)]
        return " ".join(" ".join(parts).split())[:_LONGEST]


#: Places that count only if all links to a target stand so: a story may be in the menu too.
_ALL: Final = frozenset({"menu", "list of short links", "hidden"})
#: How far the odds of links with one shape of address draw each other, on a page that has at least so many of them.
_PULL, _ALIKE = 0.3, 5
_NO_SHAPES: Final = Shapes()
#: Fewer cards than this are an accident; and the odds of one whose address is not asked: 3 to 1.
_FEWEST_CARDS: Final = 3
_LIKELY: Final = 1.1


@dataclass(frozen=True, slots=True)
class DroppedLink:
    """A link that was not kept, and the filter that dropped it."""

    address: str
    text: str
    reason: str
    chance: float


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What a front page leads to."""

    links: tuple[Link, ...]  # to stories, in the order of the page
    sections: tuple[Link, ...] = ()  # where more links may stand
    dropped: tuple[DroppedLink, ...] = ()


def front_page(page: Page, chain: Chain = BEST, shapes: Shapes = _NO_SHAPES, by: LinkModel | None = None) -> FrontPage:
    """Return the stories and sections a front page links to.

    Args:
        page: the front page, with its address.
        chain: the filters to run; the default is the learned one.
        shapes: what was learned of the site's addresses.
        by: another judge than the one that comes with Tidings.
    """
    found = anchors(page)
    here = canonical(page.url, "") or canonical("/", base_of(page)) or ""
    view = PageContext(here, split(here)[0] if here else "", _names(page))
    candidates = _drawn(_candidates(targets(found), view, shapes, by or judge()))
    stories = {one.address for one in candidates if one.log_odds > 0 or _says_more(one, view)}
    cards = _LateCards(page, found, stories)
    links, sections, dropped = [], [], []
    silent: list[LinkCandidate] = []  # those whose links say "Full story", and whose addresses are barred
    for candidate in candidates:
        verdict, reason = chain.judge(candidate, view)
        if verdict is not FilterVerdict.DROP:
            card = cards.card(candidate)
            if verdict is FilterVerdict.PASS and not is_silent(candidate.text):
                links.append(_link(candidate, card))
                continue
            rescued = _rescued(candidate, card, view, by or judge(), chain)
            if rescued is None and verdict is FilterVerdict.PASS:
                rescued = replace(_link(candidate, card), title="")  # the address alone speaks for it
            if rescued is not None:
                links.append(rescued)
                continue
        if _says_more(candidate, view):
            silent.append(candidate)
        if _is_section(candidate, view):
            sections.append(_section(candidate))
        dropped.append(DroppedLink(candidate.address, candidate.text, reason, _chance(candidate.log_odds)))
    seen = FrontPage(tuple(links), tuple(sections), tuple(dropped))
    if len(silent) < _FEWEST_CARDS or any(link.verify for link in links):
        return seen
    order = {one.address: place for place, one in enumerate(candidates)}
    return _with_links(seen, _unbarred(silent, cards, view, by or judge(), chain), order)


class _LateCards:
    """The cards of a page, made when the first is asked for: most pages need none of a chain that drops."""

    def __init__(self, page: Page, found: list[LinkElement], stories: set[str]) -> None:
        self._told = page, found, stories
        self._cards: Cards | None = None

    def card(self, candidate: LinkCandidate) -> Card:
        if self._cards is None:
            self._cards = Cards(*self._told)
        return self._cards.card(candidate.target)


def _with_links(seen: FrontPage, more: list[Link], order: Mapping[str, int]) -> FrontPage:
    """Return a front page with links that had been dropped, each in its place."""
    saved = {link.address for link in more}
    return FrontPage(
        tuple(sorted((*seen.links, *more), key=lambda link: order[link.address])),
        tuple(one for one in seen.sections if one.address not in saved),
        tuple(one for one in seen.dropped if one.address not in saved),
    )


def _says_more(candidate: LinkCandidate, view: PageContext) -> bool:
    """Return whether all links to a target of the site say no more than that there is more."""
    here = owner(split(candidate.address)[0]) == owner(view.host)
    return here and all(says_more(anchor.text) for anchor in candidate.target.anchors)


def _unbarred(
    silent: list[LinkCandidate], cards: _LateCards, view: PageContext, by: LinkModel, chain: Chain
) -> list[Link]:
    """Return links of cards that were dropped for what their addresses look like, on a page that has several such
    cards.

    A bar on addresses never empties a page of cards: what the page says of a story counts, and the target has to bear
    the teaser out.
    """
    several = [(candidate, cards.card(candidate)) for candidate in silent]
    told = [(candidate, card) for candidate, card in several if card.teaser and card.headline]
    if len(told) < _FEWEST_CARDS:
        return []
    unbiased = ((replace(candidate, address_odds=max(candidate.address_odds, 0.0)), card) for candidate, card in told)
    found = (_rescued(candidate, card, view, by, chain, least=_LIKELY) for candidate, card in unbiased)
    return [link for link in found if link is not None]


def bears_out(teaser: str, text: str, language: str = "") -> bool:
    """Return whether the text of a page is the story that a teaser speaks of (LBNEST II.C.2.ii).

    The paper asks for a reasonable similarity and gives no figure. A teaser is short and a story long, so what counts
    is the share of the teaser's terms, stop words left out and the rest stemmed, that the story has: half of them.

    Args:
        teaser: the text beside the link.
        text: the story with its headline and summary; the teaser is mostly cut from these.
        language: the story's.
    """
    asked = set(terms(teaser, language))
    return bool(asked) and 2 * len(asked & set(terms(text, language))) >= len(asked)


def shares_letter_pairs(teaser: str, text: str, language: str = "", similarity: float = 0.5) -> bool:
    """Return the same by letter pairs (LBNEST III.A), stop words out and words stemmed: of all the lines and sentences
    of the story, the one most like a sentence of the teaser.

    The paper names no figure here; from 0.20 on two sentences are related, but a teaser is cut from its story. At 0.5
    all of 41 teasers of the bundled newspaper (the first two sentences) are borne out by their stories, and one of 146
    by another story of the same language.
    """
    asked = [" ".join(terms(one, language)) for one in sentences(teaser, language)]
    told = [found for one in sentences(text, language) if (found := " ".join(terms(one, language)))]
    if not told:
        return False
    return any(float(letter_pair_similarities(one, told).max()) >= similarity for one in asked if one)


def _names(page: Page) -> frozenset[str]:
    told = {squashed(part) for part in (page.signals.title,) if len(part) < 60}
    return frozenset(name for name in site_names(page) | told if len(name) > 2)


def _candidates(found: Iterable[LinkTarget], view: PageContext, shapes: Shapes, by: LinkModel) -> list[LinkCandidate]:
    result = []
    for target in found:
        address_odds, slug = by.of_address(target.address, view.host)
        address_odds = shapes.log_odds(target.address, address_odds)
        texts = dict.fromkeys(anchor.text for anchor in target.anchors)
        odds, text = max(((by.of_text(one, slug), one) for one in texts), key=lambda pair: pair[0])
        result.append(LinkCandidate(target, text, address_odds + odds + _place(target.anchors), address_odds))
    return result


def _place(found: tuple[LinkElement, ...]) -> float:
    if len(found) == 1:
        marks = found[0].place
    else:
        places = [anchor.place for anchor in found]
        marks = (frozenset().union(*places) - _ALL) | frozenset.intersection(*places)
    total = sum([PLACE[mark] for mark in marks])
    return total + PLACE["repeated"] if len(found) > 1 and "menu" not in marks else total


def _drawn(candidates: list[LinkCandidate]) -> list[LinkCandidate]:
    """Return odds drawn towards those of links with the same shape of address: the stories of a site look alike."""
    shapes = [shape(one.address) for one in candidates]
    times = Counter(shapes)
    sums = dict.fromkeys(shapes, 0.0)
    for one, its in zip(candidates, shapes, strict=True):
        sums[its] += max(-4.0, min(4.0, one.log_odds))
    return [
        replace(one, log_odds=(1 - _PULL) * one.log_odds + _PULL * sums[its] / times[its])
        if times[its] >= _ALIKE
        else one
        for one, its in zip(candidates, shapes, strict=True)
    ]


def _link(candidate: LinkCandidate, card: Card) -> Link:
    """Return a link whose own text is the headline; in a link around a whole teaser the heading is."""
    text = candidate.text
    title = card.headline if card.headline and card.headline in text else text
    return Link(
        address=candidate.address,
        origin=Origin.FRONT_PAGE,
        title=title,
        said=candidate.target.anchors[0].said,
        anchor=text,
        teaser=card.teaser,
        chance=_chance(candidate.log_odds),
    )


def _rescued(
    candidate: LinkCandidate, card: Card, view: PageContext, by: LinkModel, chain: Chain, least: float = -math.inf
) -> Link | None:
    """Return a link judged by the text beside it: headline or teaser in place of its own."""
    text = card.headline if word_count(card.headline) >= word_count(candidate.text) else ""
    text = text or card.teaser
    if not card.teaser and not card.headline:
        return None
    _, slug = by.of_address(candidate.address, view.host)
    odds = max(candidate.address_odds + by.of_text(text, slug) + _place(candidate.target.anchors), least)
    told = replace(candidate, text=text, log_odds=odds)
    if chain.judge(told, view)[0] is not FilterVerdict.PASS:
        return None
    link = _link(told, card)
    return replace(link, title=card.headline, anchor=candidate.text, teaser=card.teaser or card.headline, verify=True)


def _is_section(candidate: LinkCandidate, view: PageContext) -> bool:
    """Return whether a page with more links: of the site, near its top, named by a word or two that name no service."""
    host, path, query = split(candidate.address)
    if query or owner(host) != owner(view.host) or candidate.address == view.address:
        return False
    segments = [segment for segment in path.split("/") if segment]
    if not 1 <= len(segments) <= 2 or any(any(sign.isdigit() for sign in segment) for segment in segments):
        return False
    if segments[0] in vocabulary().section or not 1 <= word_count(candidate.text) <= 4:
        return False
    return not names_a_service(content_words(candidate.text)) and not says_more(candidate.text)


def _section(candidate: LinkCandidate) -> Link:
    said = candidate.target.anchors[0].said
    return Link(
        candidate.address,
        Origin.FRONT_PAGE,
        title=candidate.text,
        said=said,
        anchor=candidate.text,
        chance=_chance(candidate.log_odds),
    )


def _chance(log_odds: float) -> float:
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds)))), 4)
