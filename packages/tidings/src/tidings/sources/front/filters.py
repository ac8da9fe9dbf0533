r"""Filters of links, each a small rule with its parameters; a chain runs them in order (LBNEST II.C.2.ii).

The paper's are two: a link of fewer than four words is rarely one to a story, and text like the site's name leads to
the site's own pages. A link that falls for its few words is not lost: the nearest text is looked up, and the target
page has to bear it out later. The others are what front pages need beyond that.

Regular expressions that cannot run away: matched in time linear in the text, whatever the pattern (HOSTILE 20).

Python's `re` tries one way after another and takes exponential time on patterns such as `(a+)+$`. Patterns of people
who write filters are not ours, so RE2 matches them. What it cannot match in linear time (references back, looking
around) is refused when the pattern is read. `\d`, `\w` and `\s` are those of all scripts, as in `re`; case does not
count; a pattern is found anywhere in a text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

import re2

from tidings.errors import BadFilter, BadPattern
from tidings.fields.keys import squashed
from tidings.sources.front.anchors import LinkTarget
from tidings.sources.front.link_features import FILE, is_silent, names_a_service, owner, split, vocabulary, word_count
from tidings.text import content_words, letter_pair_similarity, letter_runs

_LONGEST: Final = 500
_MEMORY: Final = 1 << 20  # of a compiled pattern
_SHORTHAND: Final = {"d": r"\p{Nd}", "w": r"\pL\pN_", "s": r"\s\x0b\x1c-\x1f\x{85}\pZ"}
_HALF: Final = re.compile("[\ud800-\udfff]")
_PART: Final = re.compile(r"\\.?|\[\^?\]?|\]|[^\\\[\]]+", re.DOTALL)
_REASONS: Final = {
    "missing )": "a group is not closed",
    "unexpected )": "a group is closed that was not opened",
    "missing ]": "a class is not closed",
    "no argument for repetition operator": "there is nothing to repeat",
    "bad repetition operator": "a repetition is repeated",
    "invalid repetition size": "it is repeated too often, or fewer times than the least",
    "invalid escape sequence": "an escape that is not known",
    "trailing \\": "an escape that is not known",
    "invalid perl operator": "a group that looks around, or of a kind that is not known",
    "pattern too large": "it is too large; repeat less",
}


class Pattern:
    """A pattern, read once.

    Raises:
        BadPattern: it cannot be read, or not be matched in linear time.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        if len(pattern) > _LONGEST:
            raise BadPattern(pattern[:60] + "…", 0, f"it has {len(pattern)} characters; {_LONGEST} are enough")
        options = re2.Options()
        options.case_sensitive = False
        options.dot_nl = True
        options.max_mem = _MEMORY
        options.log_errors = False
        try:
            self._compiled = re2.compile(_of_all_scripts(_whole(pattern)), options)
        except re2.error as error:
            raise _refused(pattern, error.args[0]) from None

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r})"

    def search(self, text: str) -> bool:
        """Return whether the pattern stands anywhere in a text."""
        return self._compiled.search(_whole(text)) is not None


def _whole(text: str) -> str:
    """Return a text without halves of characters, which UTF-8 cannot hold."""
    return _HALF.sub("\ufffd", text)


def _of_all_scripts(pattern: str) -> str:
    """Return a pattern whose shorthands are those of all scripts: RE2's own know ASCII only."""
    written, inside = "", False
    for part in _PART.findall(pattern):
        negated = part[0] == "\\" and part[1:].isupper()
        known = _SHORTHAND.get(part[1:].lower()) if part[0] == "\\" else None
        if known and not (inside and negated):
            written += known if inside else f"[{'^' * negated}{known}]"
        else:
            written += part
        inside = (not inside and part[0] == "[") or (inside and part != "]")
    return written


def _refused(pattern: str, told: bytes | str) -> BadPattern:
    said = told.decode(errors="replace") if isinstance(told, bytes) else told
    kind, _, place = said.partition(": ")
    reason = next((ours for theirs, ours in _REASONS.items() if kind.startswith(theirs)), kind)
    return BadPattern(pattern, max(0, pattern.find(place)) if place else 0, reason)


class FilterVerdict(Enum):
    """What a filter says of a link."""

    PASS = "pass"  # noqa: S105  # no password
    DROP = "drop"
    ASK = "ask"  # keep it if there is a teaser beside it


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """A target as the filters see it."""

    target: LinkTarget
    text: str  # the most telling of its texts
    log_odds: float  # by the learned judge, its place and the site's experience
    address_odds: float  # by the address and the site's experience alone

    @property
    def address(self) -> str:
        """Where it leads."""
        return self.target.address


@dataclass(frozen=True, slots=True)
class PageContext:
    """What is known of the page the links stand on."""

    address: str
    host: str
    names: frozenset[str]  # what the site calls itself, letters and digits only


class Filter(Protocol):
    """A rule; what it drops, it drops under its name."""

    def __call__(self, candidate: LinkCandidate, view: PageContext, /) -> FilterVerdict:
        """What it says of a link."""
        ...


def _dropped(is_so: bool, rescue: bool = False) -> FilterVerdict:
    return FilterVerdict.PASS if not is_so else FilterVerdict.ASK if rescue else FilterVerdict.DROP


@dataclass(frozen=True, slots=True)
class WordsFilter:
    """Text of too few words (LBNEST: fewer than four)."""

    minimum: int = 4
    rescue: bool = True

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Drop, or ask for the teaser."""
        return _dropped(word_count(candidate.text) < self.minimum, self.rescue)


@dataclass(frozen=True, slots=True)
class SiteName:
    """Text like the site's name, or the name with words that ask for something: subscribe, download, newspaper.

    The paper gives no figure; at 0.6 half of a headline would have to be the name.
    """

    similarity: float = 0.6

    def __call__(self, candidate: LinkCandidate, view: PageContext, /) -> FilterVerdict:
        """Drop what is like one of the names."""
        text = squashed(candidate.text[:100])
        if text and any(self._alike(text, name) for name in view.names):
            return _dropped(True)
        return _dropped(bool(text) and _is_promotion(candidate.text[:100], text, view.names))

    def _alike(self, text: str, name: str) -> bool:
        shorter, both = min(len(text), len(name)) - 1, len(text) + len(name) - 2
        if both and 2 * shorter < self.similarity * both:  # not even if every pair of the shorter one is in the longer
            return False
        return letter_pair_similarity(text, name) >= self.similarity


#: What stands beside a site's name where it speaks of itself.
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
    """Return whether a text is a site's name among words by which sites speak of themselves, and no other."""
    named = [name for name in names if len(name) >= _SHORTEST_NAME and name in squeezed]
    if not named:
        return False
    longest = max(named, key=len)
    return all(word in _PROMOTION or squashed(word) in longest for word in letter_runs(text.casefold()))


@dataclass(frozen=True, slots=True)
class SameSite:
    """Links to others. Sister hosts, as `sport.harbour.example`, belong to the site.

    A story elsewhere is one all the same when there is little doubt of it: `chance` is what the learned judge has to
    give it. 0.999 keeps to the site.
    """

    sisters: bool = True
    chance: float = 0.8

    def __call__(self, candidate: LinkCandidate, view: PageContext, /) -> FilterVerdict:
        """Drop what leads away, unless it surely leads to a story."""
        host = split(candidate.address)[0]
        same = host.removeprefix("www.") == view.host.removeprefix("www.")
        if same or (self.sisters and owner(host) == owner(view.host)):
            return FilterVerdict.PASS
        return _dropped(candidate.log_odds < math.log(self.chance / (1 - self.chance)))


@dataclass(frozen=True, slots=True)
class HomePages:
    """Home pages, this page itself, and files that are no pages."""

    def __call__(self, candidate: LinkCandidate, view: PageContext, /) -> FilterVerdict:
        """Drop them."""
        _, path, query = split(candidate.address)
        is_home = path == "/" and not query
        return _dropped(is_home or candidate.address == view.address or FILE.search(path) is not None)


@dataclass(frozen=True, slots=True)
class SectionsFilter:
    """Sections and services, by the words of address and text; `more` are further words of addresses."""

    more: tuple[str, ...] = ()

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Drop an address that ends in such a word, and short texts that name a service."""
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

    def _says(self, text: str) -> FilterVerdict:
        if any(one.search(text) for one in self._reject):
            return FilterVerdict.DROP
        return _dropped(bool(self._accept) and not any(one.search(text) for one in self._accept))


@dataclass(frozen=True, slots=True)
class AddressFilter(_Patterns):
    """Addresses that match a rejected pattern, or none of the accepted ones where there are any."""

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Match the whole address."""
        return self._says(candidate.address)


@dataclass(frozen=True, slots=True)
class Text(_Patterns):
    """Texts that match a rejected pattern, or none of the accepted ones where there are any."""

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Match the text of the link."""
        return self._says(candidate.text)


@dataclass(frozen=True, slots=True)
class LearnedFilter:
    """Links that the learned judge takes for none to a story."""

    chance: float = 0.5
    rescue: bool = True

    def __call__(self, candidate: LinkCandidate, _view: PageContext, /) -> FilterVerdict:
        """Drop by the odds; ask for the teaser where the text says nothing and the address nothing against it."""
        if candidate.log_odds >= math.log(self.chance / (1 - self.chance)):
            return FilterVerdict.PASS
        return _dropped(True, self.rescue and is_silent(candidate.text) and candidate.address_odds > _NOT_AGAINST)


#: An address whose own odds are below this (1 to 8) is a section or a service, whatever stands beside it.
_NOT_AGAINST: Final = -2.0

#: The filters by the names under which a chain declares them.
FILTERS: Final[Mapping[str, Callable[..., Filter]]] = {
    "words": WordsFilter,
    "site-name": SiteName,
    "same-site": SameSite,
    "home-pages": HomePages,
    "sections": SectionsFilter,
    "address": AddressFilter,
    "text": Text,
    "learned": LearnedFilter,
}


def checked(name: str, made: Filter) -> Filter:
    """Return a filter whose numbers are in their range.

    Raises:
        BadFilter: one is not.
    """
    for parameter, low, high in (("minimum", 0, 100), ("similarity", 0, 1), ("chance", 0.001, 0.999)):
        value = getattr(made, parameter, None)
        if value is not None and not low <= value <= high:
            raise BadFilter(f"the filter {name!r}: {parameter} is {value}; it goes from {low} to {high}")
    return made
