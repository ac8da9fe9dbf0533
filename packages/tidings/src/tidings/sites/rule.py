"""Rules: what is known of where a site puts things, as frozen data.

A rule says how one field is cut out of the bytes of a page, in one of four ways: by an element, told by its start tag
and, where that is not enough, by the element it stands in (hybrid paper 4.7), or by the steps down from there, and
without what stands before or behind the story in it; by what stands left and right of it (the
LR wrappers of WIEN, memory-based thesis 3.1); by being always the same; or, for a date, by the address. A template is
the rules for pages of one make, with what such pages look like. Nothing in a rule is executed.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Final, Literal

from tidings.errors import BadRules, shown
from tidings.sites.anchor import Anchor, Step


class Way(StrEnum):
    """How a rule finds its piece."""

    ELEMENT = "element"
    DELIMITERS = "delimiters"
    CONSTANT = "constant"
    ADDRESS = "address"


#: How a piece is written: as text with tags, as a string of JSON, or as several of those.
Syntax = Literal["html", "json", "json list"]
SYNTAXES: Final[tuple[Syntax, ...]] = ("html", "json", "json list")

MAIN: Final = "main"
UNINFORMATIVE: Final = "uninformative"
#: What rules can cut besides main text and noise: fields of `Article` by their names there.
FIELDS: Final = tuple(
    "title authors published modified language site canonical summary section tags image next_page single_page".split()
)
#: What rules that somebody writes can cut for the `details` of an article; it is never learned.
DETAILS: Final = ("prices", "emails", "telephones")
#: Fields that are addresses, and those that are dates.
ADDRESSES: Final = frozenset(("canonical", "next_page", "single_page"))
DATES: Final = frozenset(("published", "modified"))
#: Fields of which a page can have several.
SEVERAL: Final = frozenset(("authors", "tags", *DETAILS))

#: Longer strings in a rule are a mistake or an attack.
LONGEST: Final = 400
#: More rules in one template, or templates on one site, are a mistake or an attack.
MOST_RULES: Final = 400
MOST_TEMPLATES: Final = 24
#: Conditions of one rule, and of all of a template: each becomes part of a pattern, which takes 0.4 ms to compile.
MOST_CONDITIONS: Final = 100
_MOST_CONDITIONS_IN_ALL: Final = 4_000
#: No page has more words or bytes.
_LARGEST: Final = 2**31 - 1
#: Python calls these encodings too; no page is in one.
_NO_PAGES: Final = frozenset("idna punycode unicode_escape raw_unicode_escape undefined mbcs oem utf-7".split())
#: So many steps, or an element of so high a number, are no place to find a story at.
MOST_STEPS: Final = 64


@dataclass(frozen=True, slots=True)
class Rule:
    """How one field is cut out. Of `anchor`, `left`, `value` and `address` just one is given.

    Only the main text may have an element and delimiters: what stands in the element up to `left`, and from `right` on,
    is then no part of it. Either may be missing, from the rule or from a page.
    """

    field: str  # MAIN, UNINFORMATIVE, or one of FIELDS and DETAILS
    anchor: Anchor | None = None
    inside: Anchor | None = None  # the element to look in; the whole page if there is none
    attribute: str = ""  # take this attribute of the start tag instead of what the element holds
    left: str = ""
    right: str = ""
    value: str | None = None
    address: bool = False  # the day in the page's own address
    syntax: Syntax = "html"
    each: bool = False  # take all that is found, not the first
    reach: int = 0  # look no further than so many bytes into the page; 0 for all of it
    starts: str = ""  # the start tag begins so: sooner found than a name alone
    path: tuple[Step, ...] = ()  # the steps to the element, from `inside` or from the beginning of the page

    @property
    def way(self) -> Way:
        """How it finds its piece."""
        if self.anchor is not None:
            return Way.ELEMENT
        if self.address:
            return Way.ADDRESS
        return Way.DELIMITERS if self.left else Way.CONSTANT

    @property
    def _is_trimmed(self) -> bool:
        """Whether it is an element without what stands before or behind the story in it."""
        return self.field == MAIN and self.anchor is not None

    def __str__(self) -> str:
        if self.anchor is not None:
            where = f" inside {self.inside}" if self.inside else ""
            what = f" @{self.attribute}" if self.attribute else ""
            cut = (f" behind {self.left!r}" if self.left else "") + (f" before {self.right!r}" if self.right else "")
            told = "/".join(map(str, self.path)) or str(self.anchor)
            return f"{self.field}: {told}{what}{where}{cut}"
        if self.left:
            return f"{self.field}: between {self.left!r} and {self.right!r}"
        return f"{self.field}: in the address" if self.address else f"{self.field}: always {self.value!r}"

    def texts(self) -> tuple[str, ...]:
        """Return all that is written in it."""
        anchors = [anchor for anchor in (self.anchor, self.inside) if anchor is not None]
        conditions = (text for anchor in anchors for one in anchor.conditions for text in one)
        named = (anchor.tag for anchor in anchors)
        return (self.field, self.attribute, self.left, self.right, self.value or "", self.starts, *named, *conditions)

    def count_conditions(self) -> int:
        """Return how many conditions its elements have to meet."""
        return sum(len(anchor.conditions) for anchor in (self.anchor, self.inside) if anchor is not None)

    def checked(self) -> Rule:
        """Return the rule itself, if it makes sense.

        Raises:
            BadRules: it does not; the message says why.
        """
        for wrong, reason in (
            (self.field not in (MAIN, UNINFORMATIVE, *FIELDS, *DETAILS), f"{self.field!r} is no field that rules cut"),
            (
                (self.anchor is not None)
                + (bool(self.left) and not self._is_trimmed)
                + (self.value is not None)
                + self.address
                != 1,
                "a rule has an element, delimiters, a value or the address, and just one of them",
            ),
            (self.value == "", "a value that is always the same is some text"),
            (self.address and self.field != "published", "only the date of publication stands in addresses"),
            (
                bool(self.left) != bool(self.right) and not self._is_trimmed,
                "delimiters come in pairs: left and right",
            ),
            (
                bool(self.path) and (self.anchor is None or self.anchor != Anchor(self.path[-1].tag)),
                "the last step of a path is the element, without conditions",
            ),
            (
                len(self.path) > MOST_STEPS or any(not 1 <= step.number <= MOST_STEPS for step in self.path),
                f"a path has at most {MOST_STEPS} steps, and none of a higher number",
            ),
            (not all(_is_sensible(Anchor(step.tag)) for step in self.path), "a step of its path is no element"),
            (not 0 <= self.reach <= _LARGEST, f"it looks {self.reach} bytes far"),
            (bool(self.starts) and not self.starts.startswith("<"), "a start tag begins with <"),
            (self.syntax not in SYNTAXES, f"{self.syntax!r} is no way to write a value"),
            (
                self.count_conditions() > MOST_CONDITIONS,
                f"its elements are told by {self.count_conditions():,} conditions; {MOST_CONDITIONS} are enough",
            ),
            (self.anchor is not None and not _is_sensible(self.anchor), f"{self.anchor} is no element"),
            (self.inside is not None and not _is_sensible(self.inside), f"{self.inside} is no element"),
            (
                any(
                    len(text) > LONGEST
                    for text in (self.left, self.right, self.attribute, self.value or "", self.starts)
                ),
                f"it has a text of more than {LONGEST} characters",
            ),
            (not is_sound(*self.texts()), "it has half a character in it, which no page has"),
        ):
            if wrong:
                raise BadRules(f"the rule for {self.field or 'nothing'} cannot be used: {reason}")
        return self


def is_sound(*texts: str) -> bool:
    """Return whether texts can be looked for in bytes: they are not, where they have half of a pair of surrogates."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_encoding(name: str) -> bool:
    """Return whether pages can be written so: an encoding of text that knows what HTML is made of."""
    try:
        return codecs.lookup(name).name not in _NO_PAGES and "<p>".encode(name).decode(name) == "<p>"
    except (LookupError, ValueError):  # there is none of that name, or it is for something else
        return False


def _is_sensible(anchor: Anchor) -> bool:
    if not anchor.tag and not anchor.conditions:
        return False
    if anchor.tag and not (anchor.tag.isascii() and anchor.tag[0].isalpha() and len(anchor.tag) <= 64):
        return False
    if any(char in anchor.tag for char in " \t\n\r<>\"'=/"):
        return False
    return all(name and value and len(name) <= 64 and len(value) <= LONGEST for name, _, value in anchor.conditions)


@dataclass(frozen=True, slots=True)
class Expected:
    """What the text of a template's pages looked like when it was learned; what is unlike it is doubted."""

    words: tuple[int, int] = (0, 1_000_000)  # fewest and most
    link_share: float = 1.0  # at most
    latin: float | None = None  # share of ASCII among the letters
    markers: tuple[str, ...] = ()  # pieces of source that pages of this make have
    reach: int = 0  # how far into the page the markers stand at most, in bytes; 0 for anywhere

    def faults(self) -> tuple[tuple[bool, str], ...]:
        """What may be wrong with it, and whether it is."""
        low, high = self.words
        return (
            (not 0 <= low <= high <= _LARGEST, f"words is {low} {high}; fewest and most, 0 or more"),
            (not 0 <= self.link_share <= _LARGEST, f"link_share is {self.link_share}; a share from 0 on"),
            (self.latin is not None and not 0 <= self.latin <= 1, f"latin is {self.latin}, not 0 to 1"),
            (not 0 <= self.reach <= _LARGEST, f"reach is {self.reach}; a number of bytes"),
        )

    def joined(self, other: Expected) -> Expected:
        """What both have seen."""
        low, high = min(self.words[0], other.words[0]), max(self.words[1], other.words[1])
        return replace(self, words=(low, high), link_share=max(self.link_share, other.link_share))


@dataclass(frozen=True, slots=True)
class Template:
    """The rules for pages of one make."""

    name: str = "article"
    pattern: str = ""  # of addresses: `*` stands for anything; empty for all
    rules: tuple[Rule, ...] = ()
    expected: Expected = field(default_factory=Expected)
    noise: frozenset[int] = frozenset()  # hashes of texts that the site repeats
    encoding: str = "utf-8"
    valid_from: date | None = None
    valid_until: date | None = None
    learned: str = ""  # how: from how many pages, by what; or by whom it was written
    agreement: float | None = None  # with the long way, on the pages it was learned from
    several: bool = False  # written by people: the first of several rules of a field that finds something counts
    test_urls: tuple[str, ...] = ()  # pages to try it on

    def of(self, name: str) -> tuple[Rule, ...]:
        """Return the rules for one field."""
        return tuple(rule for rule in self.rules if rule.field == name)

    def checked(self) -> Template:
        """Return the template itself, if it makes sense.

        Raises:
            BadRules: it does not.
        """
        if len(self.rules) > MOST_RULES:
            raise BadRules(f"the template {self.name!r} has {len(self.rules):,} rules; {MOST_RULES} are allowed")
        conditions = sum(rule.count_conditions() for rule in self.rules)
        if conditions > _MOST_CONDITIONS_IN_ALL:
            raise BadRules(
                f"the rules of the template {shown(self.name, 40)!r} have {conditions:,} conditions;"
                f" {_MOST_CONDITIONS_IN_ALL:,} are allowed"
            )
        if not any(rule.field == MAIN for rule in self.rules):
            raise BadRules(f"the template {self.name!r} has no rule for the main text; give it one")
        for wrong, reason in (
            (not _is_encoding(self.encoding), f"there is no encoding of pages called {shown(self.encoding, 40)!r}"),
            (not is_sound(self.name, self.pattern, self.learned, *self.test_urls, *self.expected.markers),
             "a text of it has half a character in it"),
            (self.agreement is not None and not 0 <= self.agreement <= 1, f"agreement is {self.agreement}, not 0 to 1"),
            (not all(abs(text) < 2**64 for text in self.noise), "noise is told by numbers of 64 bits"),
            *self.expected.faults(),
        ):  # fmt: skip
            if wrong:
                raise BadRules(f"the template {shown(self.name, 40)!r} cannot be used: {reason}")
        if len(self.pattern) > LONGEST:
            raise BadRules(f"the address pattern of {self.name!r} is longer than {LONGEST} characters")
        seen: set[Rule] = set()
        for rule in self.rules:
            rule.checked()
            if rule in seen:
                raise BadRules(f"the template {self.name!r} has this rule twice: {rule}")
            seen.add(rule)
        return self


def fits(pattern: str, address: str) -> bool:
    """Return whether an address fits a pattern, in which `*` stands for anything. Linear: each piece is found once."""
    if not pattern:
        return True
    first, *others = pattern.split("*")
    if not address.startswith(first):
        return False
    if not others:
        return address == first
    *middle, last = others
    place = len(first)
    for piece in middle:
        place = address.find(piece, place)
        if place < 0:
            return False
        place += len(piece)
    return address.endswith(last) and len(address) - len(last) >= place
