r"""Link filters: small rules with parameters, which a chain evaluates in order (LBNEST II.C.2.ii).

The paper has two: a link with fewer than four words rarely leads to an article, and text similar to the site's name
leads to the site's own pages. A link with too few words is not lost: the nearest text is used instead, and the target
page has to contain it. The other filters are what front pages need in addition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

from tidings.errors import BadFilter
from tidings.fields.keys import squashed
from tidings.sources.front.anchors import LinkTarget
from tidings.sources.front.linear_regex import Pattern
from tidings.sources.front.link_features import FILE, is_silent, names_a_service, owner, split, vocabulary, word_count
from tidings.text import content_words, letter_pair_similarity, letter_runs


class FilterVerdict(Enum):
    """The verdict of a filter on a link."""

    PASS = "pass"  # noqa: S105  # not a password
    DROP = "drop"
    ASK = "ask"  # keep it if it has a teaser


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """A link target with its features for filters."""

    target: LinkTarget
    text: str  # the most informative of its texts
    log_odds: float  # by the model, the position and the site's URL shapes
    address_odds: float  # by the URL and the site's URL shapes alone

    @property
    def address(self) -> str:
        """Return the URL of the target."""
        return self.target.address


@dataclass(frozen=True, slots=True)
class PageContext:
    """The front page that contains the links: its URL, its host, and the names of its site."""

    address: str
    host: str
    names: frozenset[str]  # squashed names of the site


class Filter(Protocol):
    """A rule that drops links."""

    def __call__(self, candidate: LinkCandidate, view: PageContext, /) -> FilterVerdict:
        """Return the verdict on a link."""
        ...


def _dropped(is_bad: bool, rescue: bool = False) -> FilterVerdict:
    return FilterVerdict.PASS if not is_bad else FilterVerdict.ASK if rescue else FilterVerdict.DROP


@dataclass(frozen=True, slots=True)
class WordsFilter:
    """Drops links with too few words (LBNEST: fewer than four)."""

    minimum: int = 4
    rescue: bool = True

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Drop the link, or ask for its teaser."""
        return _dropped(word_count(candidate.text) < self.minimum, self.rescue)


@dataclass(frozen=True, slots=True)
class SiteName:
    """Drops links whose text is similar to the site's name, or the name with words such as subscribe or download.

    The paper gives no threshold. At 0.6 half of a headline would have to be the name.
    """

    similarity: float = 0.6

    def __call__(self, candidate: LinkCandidate, view: PageContext, /) -> FilterVerdict:
        """Drop text that is similar to a name of the site."""
        text = squashed(candidate.text[:100])
        if text and any(self._is_similar(text, name) for name in view.names):
            return _dropped(True)
        return _dropped(bool(text) and _is_promotion(candidate.text[:100], text, view.names))

    def _is_similar(self, text: str, name: str) -> bool:
        shorter, both = min(len(text), len(name)) - 1, len(text) + len(name) - 2
        if both and 2 * shorter < self.similarity * both:  # impossible even if all pairs of the shorter text match
            return False
        return letter_pair_similarity(text, name) >= self.similarity


#: Words next to a site's name in its own promotion.
_PROMOTION: Final = frozenset(
    "a about abonnieren abonnez abone abonnement advertise all and app apps at aus bei book by contact de del der des "
    "die digital discover donate download das du e edition el en epaper follow for from get gratis home how in iniciar "
    "install join kontakt la le les lesen lire mit new news newsletter newspaper no of offers on online our over paper "
    "podcast podcasts print pour read register s sign shop store subscribe subscriber subscribers subscription "
    "subscriptions suscríbete support the this to today uygulaması us visit von watch welcome why with work your "
    "zeitung газета о подписка на приложение اشترك في اشتراک در روزنامه gazetesi gazete ol olun hakkında".split()
)
_SHORTEST_NAME: Final = 5


def _is_promotion(text: str, squeezed: str, names: Iterable[str]) -> bool:
    """Return whether a text consists only of a site's name and promotional words."""
    named = [name for name in names if len(name) >= _SHORTEST_NAME and name in squeezed]
    if not named:
        return False
    longest = max(named, key=len)
    return all(word in _PROMOTION or squashed(word) in longest for word in letter_runs(text.casefold()))


@dataclass(frozen=True, slots=True)
class SameSite:
    """Drops links to other sites. Sister hosts such as `sport.harbour.example` belong to the site.

    A link to another site passes if its probability of being an article is at least `probability`. With 0.999 hardly
    any passes.
    """

    sisters: bool = True
    probability: float = 0.8

    def __call__(self, candidate: LinkCandidate, view: PageContext, /) -> FilterVerdict:
        """Drop links to other sites, except probable articles."""
        host = split(candidate.address)[0]
        same = host.removeprefix("www.") == view.host.removeprefix("www.")
        if same or (self.sisters and owner(host) == owner(view.host)):
            return FilterVerdict.PASS
        return _dropped(candidate.log_odds < math.log(self.probability / (1 - self.probability)))


@dataclass(frozen=True, slots=True)
class HomePages:
    """Drops home pages, the page itself, and files."""

    def __call__(self, candidate: LinkCandidate, view: PageContext, /) -> FilterVerdict:
        """Drop home pages, the page itself, and files."""
        _, path, query = split(candidate.address)
        is_home = path == "/" and not query
        return _dropped(is_home or candidate.address == view.address or FILE.search(path) is not None)


@dataclass(frozen=True, slots=True)
class SectionsFilter:
    """Drops sections and services, by words in URL and text; `more` are further URL words."""

    more: tuple[str, ...] = ()

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Drop URLs that end in a section word, and short texts that name a service."""
        segments = [segment for segment in split(candidate.address)[1].split("/") if segment]
        words = vocabulary().section.union(self.more)
        if segments and (segments[-1] in words or (segments[0] in words and len(segments) < 3)):
            return FilterVerdict.DROP
        return _dropped(word_count(candidate.text) <= 5 and names_a_service(content_words(candidate.text)))


@dataclass(frozen=True, slots=True)
class _Patterns:
    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    _accept: tuple[Pattern, ...] = field(init=False, repr=False, compare=False)
    _reject: tuple[Pattern, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_accept", tuple(map(Pattern, self.accept)))
        object.__setattr__(self, "_reject", tuple(map(Pattern, self.reject)))

    def _verdict(self, text: str) -> FilterVerdict:
        if any(pattern.search(text) for pattern in self._reject):
            return FilterVerdict.DROP
        return _dropped(bool(self._accept) and not any(pattern.search(text) for pattern in self._accept))


@dataclass(frozen=True, slots=True)
class UrlFilter(_Patterns):
    """Drops URLs that match a pattern in `reject`, or no pattern in `accept` if it has any."""

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Drop or pass by the whole URL."""
        return self._verdict(candidate.address)


@dataclass(frozen=True, slots=True)
class Text(_Patterns):
    """Drops link texts that match a pattern in `reject`, or no pattern in `accept` if it has any."""

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Drop or pass by the text of the link."""
        return self._verdict(candidate.text)


@dataclass(frozen=True, slots=True)
class LearnedFilter:
    """Drops links that the learned model considers unlikely to lead to an article."""

    probability: float = 0.5
    rescue: bool = True

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Drop by the odds of the model. Ask for the teaser if the text is uninformative and the URL not unlikely."""
        if candidate.log_odds >= math.log(self.probability / (1 - self.probability)):
            return FilterVerdict.PASS
        return _dropped(True, self.rescue and is_silent(candidate.text) and candidate.address_odds > _NOT_AGAINST)


#: A URL with odds below this (1 to 8) is a section or a service, whatever its teaser.
_NOT_AGAINST: Final = -2.0

#: The filters by their names in a configuration.
FILTERS: Final[Mapping[str, Callable[..., Filter]]] = {
    "words": WordsFilter,
    "site-name": SiteName,
    "same-site": SameSite,
    "home-pages": HomePages,
    "sections": SectionsFilter,
    "url": UrlFilter,
    "text": Text,
    "learned": LearnedFilter,
}

#: Former names, for stored configurations.
FORMER_FILTERS: Final = {"address": "url"}
FORMER_PARAMETERS: Final = {"chance": "probability"}


def checked(name: str, link_filter: Filter) -> Filter:
    """Return a filter if its numbers are in range.

    Raises:
        BadFilter: a number is out of range.
    """
    for parameter, low, high in (("minimum", 0, 100), ("similarity", 0, 1), ("probability", 0.001, 0.999)):
        value = getattr(link_filter, parameter, None)
        if value is not None and not low <= value <= high:
            raise BadFilter(f"the filter {name!r}: {parameter} is {value}; it goes from {low} to {high}")
    return link_filter
