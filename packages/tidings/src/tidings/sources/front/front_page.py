"""Front pages: the links to articles and to sections, and the dropped links with reasons (LBNEST II.C.2).

Every link target gets odds from its URL, its best text, its position, and the learned URL shapes of the site. A chain
of filters decides. A link with an uninformative text ("Read more") gets the text next to it. If that looks like an
article, the link is kept and marked: the target page must contain the teaser.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from tidings.fields.keys import squashed
from tidings.fields.titles.site_names import site_names
from tidings.fields.urls.sanitise import base_of
from tidings.page import Page
from tidings.sources.addresses import canonical
from tidings.sources.front.anchors import LinkElement, LinkTarget, anchors, targets
from tidings.sources.front.cards import Card, Cards
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
from tidings.text import content_words

#: Position features that count only if all links to a target have them: an article may be in the menu too.
_ALL: Final = frozenset({"menu", "list of short links", "hidden"})
#: Weight of the mean odds of links with the same URL shape, and the least number of such links.
_PULL, _ALIKE = 0.3, 5
_NO_SHAPES: Final = Shapes()
#: Least number of cards without usable URLs, and the log-odds of such a card: 3 to 1.
_FEWEST_CARDS: Final = 3
_LIKELY: Final = 1.1


@dataclass(frozen=True, slots=True)
class DroppedLink:
    """A dropped link, with the name of the filter that dropped it."""

    url: str
    text: str
    reason: str
    probability: float  # of being an article


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The links of a front page."""

    links: tuple[Link, ...]  # to articles, in page order
    sections: tuple[Link, ...] = ()  # pages that may contain more links
    dropped: tuple[DroppedLink, ...] = ()


def front_page(page: Page, chain: Chain = BEST, shapes: Shapes = _NO_SHAPES, by: LinkModel | None = None) -> FrontPage:
    """Return the articles and sections that a front page links to.

    Args:
        page: the front page, with its URL.
        chain: the filters to run; the default is the learned one.
        shapes: the learned URL shapes of the site.
        by: the link model; the bundled one if None.
    """
    links_on_page = anchors(page)
    own_url = canonical(page.url, "") or canonical("/", base_of(page)) or ""
    view = PageContext(own_url, split(own_url)[0] if own_url else "", _names(page))
    candidates = _smoothed_by_shape(_candidates(targets(links_on_page), view, shapes, by or judge()))
    stories = {one.address for one in candidates if one.log_odds > 0 or _says_more(one, view)}
    cards = _LateCards(page, links_on_page, stories)
    links, sections, dropped = [], [], []
    silent: list[LinkCandidate] = []  # dropped candidates whose links only say "Full story"
    for candidate in candidates:
        verdict, reason = chain.judge(candidate, view)
        if verdict is not FilterVerdict.DROP:
            card = cards.card(candidate)
            if verdict is FilterVerdict.PASS and not is_silent(candidate.text):
                links.append(_link(candidate, card))
                continue
            rescued = _rescued(candidate, card, view, by or judge(), chain)
            if rescued is None and verdict is FilterVerdict.PASS:
                rescued = replace(_link(candidate, card), title="")  # only the URL is evidence
            if rescued is not None:
                links.append(rescued)
                continue
        if _says_more(candidate, view):
            silent.append(candidate)
        if _is_section(candidate, view):
            sections.append(_section(candidate))
        dropped.append(DroppedLink(candidate.address, candidate.text, reason, _probability(candidate.log_odds)))
    result = FrontPage(tuple(links), tuple(sections), tuple(dropped))
    if len(silent) < _FEWEST_CARDS or any(link.verify for link in links):
        return result
    order = {one.address: place for place, one in enumerate(candidates)}
    return _with_links(result, _restored_cards(silent, cards, view, by or judge(), chain), order)


class _LateCards:
    """The teaser cards of a page, computed on first use, because most pages need none."""

    def __init__(self, page: Page, links: list[LinkElement], stories: set[str]) -> None:
        self._arguments = page, links, stories
        self._cards: Cards | None = None

    def card(self, candidate: LinkCandidate) -> Card:
        if self._cards is None:
            self._cards = Cards(*self._arguments)
        return self._cards.card(candidate.target)


def _with_links(front: FrontPage, more: list[Link], order: Mapping[str, int]) -> FrontPage:
    """Return a front page with some dropped links restored, in page order."""
    saved = {link.canonical_url for link in more}
    return FrontPage(
        tuple(sorted((*front.links, *more), key=lambda link: order[link.canonical_url])),
        tuple(other for other in front.sections if other.canonical_url not in saved),
        tuple(other for other in front.dropped if other.url not in saved),
    )


def _says_more(candidate: LinkCandidate, view: PageContext) -> bool:
    """Return whether a link leads to a page of this site and all its texts are like "Read more"."""
    is_own_site = owner(split(candidate.address)[0]) == owner(view.host)
    return is_own_site and all(says_more(anchor.text) for anchor in candidate.target.anchors)


def _restored_cards(
    silent: list[LinkCandidate], cards: _LateCards, view: PageContext, by: LinkModel, chain: Chain
) -> list[Link]:
    """Return links of cards that were dropped because of their URLs, if the page has several such cards.

    URLs alone must not empty a page of cards: the text counts, and the target page must contain the teaser.
    """
    with_cards = [(candidate, cards.card(candidate)) for candidate in silent]
    complete = [(candidate, card) for candidate, card in with_cards if card.teaser and card.headline]
    if len(complete) < _FEWEST_CARDS:
        return []
    unbiased = (
        (replace(candidate, address_odds=max(candidate.address_odds, 0.0)), card) for candidate, card in complete
    )
    found = (_rescued(candidate, card, view, by, chain, least=_LIKELY) for candidate, card in unbiased)
    return [link for link in found if link is not None]


def _names(page: Page) -> frozenset[str]:
    title_names = {squashed(part) for part in (page.signals.title,) if len(part) < 60}
    return frozenset(name for name in site_names(page) | title_names if len(name) > 2)


def _candidates(
    targets_on_page: Iterable[LinkTarget], view: PageContext, shapes: Shapes, by: LinkModel
) -> list[LinkCandidate]:
    result = []
    for target in targets_on_page:
        address_odds, slug = by.of_address(target.address, view.host)
        address_odds = shapes.log_odds(target.address, address_odds)
        texts = dict.fromkeys(anchor.text for anchor in target.anchors)
        odds, text = max(((by.of_text(label, slug), label) for label in texts), key=lambda pair: pair[0])
        result.append(LinkCandidate(target, text, address_odds + odds + _place(target.anchors), address_odds))
    return result


def _place(links: tuple[LinkElement, ...]) -> float:
    if len(links) == 1:
        marks = links[0].place
    else:
        places = [anchor.place for anchor in links]
        marks = (frozenset().union(*places) - _ALL) | frozenset.intersection(*places)
    total = sum([PLACE[mark] for mark in marks])
    return total + PLACE["repeated"] if len(links) > 1 and "menu" not in marks else total


def _smoothed_by_shape(candidates: list[LinkCandidate]) -> list[LinkCandidate]:
    """Move the odds of links towards the mean of those with the same URL shape, because a site's articles share
    shapes.
    """
    shapes = [shape(candidate.address) for candidate in candidates]
    times = Counter(shapes)
    sums = dict.fromkeys(shapes, 0.0)
    for candidate, url_shape in zip(candidates, shapes, strict=True):
        sums[url_shape] += max(-4.0, min(4.0, candidate.log_odds))
    return [
        replace(candidate, log_odds=(1 - _PULL) * candidate.log_odds + _PULL * sums[url_shape] / times[url_shape])
        if times[url_shape] >= _ALIKE
        else candidate
        for candidate, url_shape in zip(candidates, shapes, strict=True)
    ]


def _link(candidate: LinkCandidate, card: Card) -> Link:
    """Return the link for a candidate. Its title is the link text, or the card's heading if the link contains a whole
    teaser.
    """
    text = candidate.text
    title = card.headline if card.headline and card.headline in text else text
    return Link(
        canonical_url=candidate.address,
        origin=Origin.FRONT_PAGE,
        title=title,
        declared_url=candidate.target.anchors[0].href,
        anchor=text,
        teaser=card.teaser,
        probability=_probability(candidate.log_odds),
    )


def _rescued(
    candidate: LinkCandidate, card: Card, view: PageContext, by: LinkModel, chain: Chain, least: float = -math.inf
) -> Link | None:
    """Judge a link that the filters dropped by the headline or teaser of its card instead of its own text. Return the
    link, or None if it is dropped again. `least` is a lower bound of its log-odds to be an article.
    """
    text = card.headline if word_count(card.headline) >= word_count(candidate.text) else ""
    text = text or card.teaser
    if not card.teaser and not card.headline:
        return None
    _, slug = by.of_address(candidate.address, view.host)
    odds = max(candidate.address_odds + by.of_text(text, slug) + _place(candidate.target.anchors), least)
    relabelled = replace(candidate, text=text, log_odds=odds)
    if chain.judge(relabelled, view)[0] is not FilterVerdict.PASS:
        return None
    link = _link(relabelled, card)
    return replace(link, title=card.headline, anchor=candidate.text, teaser=card.teaser or card.headline, verify=True)


def _is_section(candidate: LinkCandidate, view: PageContext) -> bool:
    """Return whether a target may contain more links: on the site, near its root, with a short non-service name."""
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
    href = candidate.target.anchors[0].href
    return Link(
        candidate.address,
        Origin.FRONT_PAGE,
        title=candidate.text,
        declared_url=href,
        anchor=candidate.text,
        probability=_probability(candidate.log_odds),
    )


def _probability(log_odds: float) -> float:
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds)))), 4)
