"""Extraction rules of a site, as immutable data.

A rule says how a field is cut out of the bytes of a page, in one of four ways. By element: its tag and attributes and,
if necessary, the element around it (hybrid paper 4.7) or the steps down from there, without what comes before or after
the article inside. By delimiters left and right of it (the LR wrappers of WIEN, memory-based thesis 3.1). As a
constant. Or, for a date, from the URL. A template contains the rules for pages with one layout, and what such pages
look like. Nothing in a rule is executed.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Final, Literal

from tidings.errors import BadRules, printable
from tidings.sites.templates.anchor import Anchor, Step


class Way(StrEnum):
    """The method by which a rule locates a value: an element, delimiters, a constant, or the page's URL."""

    ELEMENT = "element"
    DELIMITERS = "delimiters"
    CONSTANT = "constant"
    ADDRESS = "address"


#: The syntax of a piece: HTML, a JSON string, or a list of JSON strings.
Syntax = Literal["html", "json", "json list"]
SYNTAXES: Final[tuple[Syntax, ...]] = ("html", "json", "json list")

MAIN: Final = "main"
UNINFORMATIVE: Final = "uninformative"
#: Fields of `Article` that rules can extract besides main text and noise.
FIELDS: Final = tuple(
    "title authors published modified language site canonical summary section tags image next_page single_page".split()
)
#: Fields of `Article.details` that hand-written rules can extract. They are never learned.
DETAILS: Final = ("prices", "emails", "telephones")
#: Fields that are URLs, and fields that are dates.
ADDRESSES: Final = frozenset(("canonical", "next_page", "single_page"))
DATES: Final = frozenset(("published", "modified"))
#: Fields with several values.
SEVERAL: Final = frozenset(("authors", "tags", *DETAILS))

#: A longer string in a rule is a mistake or an attack.
LONGEST: Final = 400
#: More rules in one template, or templates on one site, are a mistake or an attack.
MOST_RULES: Final = 400
MOST_TEMPLATES: Final = 24
#: Limits on the conditions of a rule and of a template: each becomes part of a pattern, which takes 0.4 ms to compile.
MOST_CONDITIONS: Final = 100
_MOST_CONDITIONS_IN_ALL: Final = 4_000
#: Limit on numbers of words and bytes.
_LARGEST: Final = 2**31 - 1
#: Python codecs that are not encodings of web pages.
_NO_PAGES: Final = frozenset("idna punycode unicode_escape raw_unicode_escape undefined mbcs oem utf-7".split())
#: Limit on the steps to an element, and on their numbers.
MOST_STEPS: Final = 64


@dataclass(frozen=True, slots=True)
class Rule:
    """How a field is extracted. Exactly one of `anchor`, `left`, `value` and `address` is set.

    Only the main text may have an element and delimiters. Then the text up to `left` and from `right` on is cut off.
    Either may be missing, in the rule or in a page.
    """

    field: str  # MAIN, UNINFORMATIVE, or one of FIELDS and DETAILS
    anchor: Anchor | None = None
    inside: Anchor | None = None  # the element to search in; None for the whole page
    attribute: str = ""  # select this attribute of the start tag instead of the content
    left: str = ""
    right: str = ""
    value: str | None = None
    address: bool = False  # the day in the page's URL
    syntax: Syntax = "html"
    each: bool = False  # select all matches, not only the first
    reach: int = 0  # search only this many bytes of the page; 0 for all
    starts: str = ""  # prefix of the start tag, for a faster search
    path: tuple[Step, ...] = ()  # steps to the element, from `inside` or the root

    @property
    def way(self) -> Way:
        """Return the method by which the rule locates a value."""
        if self.anchor is not None:
            return Way.ELEMENT
        if self.address:
            return Way.ADDRESS
        return Way.DELIMITERS if self.left else Way.CONSTANT

    @property
    def _is_trimmed(self) -> bool:
        """Return whether the rule selects an element and may cut off its beginning or end."""
        return self.field == MAIN and self.anchor is not None

    def __str__(self) -> str:
        if self.anchor is not None:
            inside_part = f" inside {self.inside}" if self.inside else ""
            attribute_part = f" @{self.attribute}" if self.attribute else ""
            delimiter_part = (f" behind {self.left!r}" if self.left else "") + (
                f" before {self.right!r}" if self.right else ""
            )
            selector = "/".join(map(str, self.path)) or str(self.anchor)
            return f"{self.field}: {selector}{attribute_part}{inside_part}{delimiter_part}"
        if self.left:
            return f"{self.field}: between {self.left!r} and {self.right!r}"
        return f"{self.field}: in the address" if self.address else f"{self.field}: always {self.value!r}"

    def texts(self) -> tuple[str, ...]:
        """Return all strings of the rule."""
        anchors = [anchor for anchor in (self.anchor, self.inside) if anchor is not None]
        conditions = (text for anchor in anchors for condition in anchor.conditions for text in condition)
        named = (anchor.tag for anchor in anchors)
        return (self.field, self.attribute, self.left, self.right, self.value or "", self.starts, *named, *conditions)

    def count_conditions(self) -> int:
        """Return the number of attribute conditions in the rule's selectors."""
        return sum(len(anchor.conditions) for anchor in (self.anchor, self.inside) if anchor is not None)

    def checked(self) -> Rule:
        """Return the rule if it is valid.

        Raises:
            BadRules: the rule is invalid; the message says why.
        """
        for wrong, reason in (
            (
                self.field not in (MAIN, UNINFORMATIVE, *FIELDS, *DETAILS),
                f"{self.field!r} is not a field that rules can extract",
            ),
            (
                (self.anchor is not None)
                + (bool(self.left) and not self._is_trimmed)
                + (self.value is not None)
                + self.address
                != 1,
                "a rule has exactly one of element, delimiters, value and address",
            ),
            (self.value == "", "a constant value must not be empty"),
            (self.address and self.field != "published", "only the publication date can come from the URL"),
            (
                bool(self.left) != bool(self.right) and not self._is_trimmed,
                "delimiters come in pairs: left and right",
            ),
            (
                bool(self.path) and (self.anchor is None or self.anchor != Anchor(self.path[-1].tag)),
                "the last step of a path must be the element, without conditions",
            ),
            (
                len(self.path) > MOST_STEPS or any(not 1 <= step.number <= MOST_STEPS for step in self.path),
                f"a path has at most {MOST_STEPS} steps, each with a number up to {MOST_STEPS}",
            ),
            (
                not all(_is_sensible(Anchor(step.tag)) for step in self.path),
                "a step of its path is not a valid element",
            ),
            (not 0 <= self.reach <= _LARGEST, f"reach is {self.reach} bytes"),
            (bool(self.starts) and not self.starts.startswith("<"), "`starts` must begin with <"),
            (self.syntax not in SYNTAXES, f"{self.syntax!r} is not a syntax"),
            (
                self.count_conditions() > MOST_CONDITIONS,
                f"its elements have {self.count_conditions():,} conditions; {MOST_CONDITIONS} are allowed",
            ),
            (self.anchor is not None and not _is_sensible(self.anchor), f"{self.anchor} is not a valid element"),
            (self.inside is not None and not _is_sensible(self.inside), f"{self.inside} is not a valid element"),
            (
                any(
                    len(text) > LONGEST
                    for text in (self.left, self.right, self.attribute, self.value or "", self.starts)
                ),
                f"it has a text of more than {LONGEST} characters",
            ),
            (not is_sound(*self.texts()), "it contains half of a surrogate pair, which no page has"),
        ):
            if wrong:
                raise BadRules(f"the rule for {self.field or 'nothing'} cannot be used: {reason}")
        return self


def is_sound(*texts: str) -> bool:
    """Return whether all texts can be encoded as UTF-8. Texts with lone surrogates cannot."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_encoding(name: str) -> bool:
    """Return whether a codec is an encoding of web pages."""
    try:
        return codecs.lookup(name).name not in _NO_PAGES and "<p>".encode(name).decode(name) == "<p>"
    except (LookupError, ValueError):  # unknown, or not a text encoding
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
    """Properties of the texts that a template was learned from, to check its later results."""

    words: tuple[int, int] = (0, 1_000_000)  # fewest and most
    link_share: float = 1.0  # at most
    latin: float | None = None  # share of ASCII among the letters
    markers: tuple[str, ...] = ()  # pieces of source that all pages with this layout have
    reach: int = 0  # the markers are within this many bytes; 0 for anywhere

    def faults(self) -> tuple[tuple[bool, str], ...]:
        """Return validity checks as pairs: whether a value is invalid, and the error message."""
        low, high = self.words
        return (
            (not 0 <= low <= high <= _LARGEST, f"words is {low} {high}; fewest and most, 0 or more"),
            (not 0 <= self.link_share <= _LARGEST, f"link_share is {self.link_share}; a share from 0 on"),
            (self.latin is not None and not 0 <= self.latin <= 1, f"latin is {self.latin}, not 0 to 1"),
            (not 0 <= self.reach <= _LARGEST, f"reach is {self.reach}; a number of bytes"),
        )

    def merged_with(self, other: Expected) -> Expected:
        """Return expected values that cover both objects."""
        low, high = min(self.words[0], other.words[0]), max(self.words[1], other.words[1])
        return replace(self, words=(low, high), link_share=max(self.link_share, other.link_share))


@dataclass(frozen=True, slots=True)
class Template:
    """The rules for pages with one layout."""

    name: str = "article"
    pattern: str = ""  # URL pattern with `*` as wildcard; empty for all URLs
    rules: tuple[Rule, ...] = ()
    expected: Expected = field(default_factory=Expected)
    noise: frozenset[int] = frozenset()  # hashes of repeated texts of the site
    encoding: str = "utf-8"
    valid_from: date | None = None
    valid_until: date | None = None
    learned: str = ""  # the extractor and the number of pages; or the author
    agreement: float | None = None  # with the full extraction, on the pages it was learned from
    several: bool = False  # hand-written: the first rule of a field with a match counts
    test_urls: tuple[str, ...] = ()  # pages for testing

    @property
    def teacher(self) -> str:
        """Return the name of the extractor that the template was learned from, or of its author."""
        return self.learned.rpartition(", ")[0] or self.learned

    def of(self, name: str) -> tuple[Rule, ...]:
        """Return the rules for one field."""
        return tuple(rule for rule in self.rules if rule.field == name)

    def checked(self) -> Template:
        """Return the template if it is valid.

        Raises:
            BadRules: the template is invalid.
        """
        if len(self.rules) > MOST_RULES:
            raise BadRules(f"the template {self.name!r} has {len(self.rules):,} rules; {MOST_RULES} are allowed")
        conditions = sum(rule.count_conditions() for rule in self.rules)
        if conditions > _MOST_CONDITIONS_IN_ALL:
            raise BadRules(
                f"the rules of the template {printable(self.name, 40)!r} have {conditions:,} conditions;"
                f" {_MOST_CONDITIONS_IN_ALL:,} are allowed"
            )
        if not any(rule.field == MAIN for rule in self.rules):
            raise BadRules(f"the template {self.name!r} has no rule for the main text; give it one")
        for wrong, reason in (
            (not _is_encoding(self.encoding), f"{printable(self.encoding, 40)!r} is not an encoding of web pages"),
            (not is_sound(self.name, self.pattern, self.learned, *self.test_urls, *self.expected.markers),
             "one of its texts contains half of a surrogate pair"),
            (self.agreement is not None and not 0 <= self.agreement <= 1, f"agreement is {self.agreement}, not 0 to 1"),
            (not all(abs(text) < 2**64 for text in self.noise), "noise consists of 64-bit numbers"),
            *self.expected.faults(),
        ):  # fmt: skip
            if wrong:
                raise BadRules(f"the template {printable(self.name, 40)!r} cannot be used: {reason}")
        if len(self.pattern) > LONGEST:
            raise BadRules(f"the address pattern of {self.name!r} is longer than {LONGEST} characters")
        distinct: set[Rule] = set()
        for rule in self.rules:
            rule.checked()
            if rule in distinct:
                raise BadRules(f"the template {self.name!r} has this rule twice: {rule}")
            distinct.add(rule)
        return self


def fits(pattern: str, address: str) -> bool:
    """Return whether a URL matches a pattern with `*` as wildcard, in linear time."""
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
