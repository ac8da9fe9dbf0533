"""A template made ready for use: its texts as bytes, its rules held by the core. Made once, kept while it is used."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from enum import IntEnum
from math import ceil
from typing import Final, NamedTuple

from tidings.core.rules import PageRules
from tidings.sites.anchor import HOWS, Anchor
from tidings.sites.rule import ADDRESSES, DATES, MAIN, SEVERAL, UNINFORMATIVE, Rule, Template, Way

_KEPT: Final = 512
MOST: Final = 1000  # elements that one rule tells
#: A page that has fewer of a template's markers is of another make. Some change from page to page, most do not.
SHARE_OF_MARKERS: Final = 0.6
_BARE: Final = frozenset("html body table thead tbody tfoot tr td th".split())


#: Where a piece begins in the bytes of a page, and the place behind it.
Range = tuple[int, int]


class FieldSort(IntEnum):
    """What a text of a field is read as."""

    TEXT = 0  # it is the value
    ADDRESS = 1
    PICTURE = 2
    DATE = 3
    OTHER = 4


_SORTS: Final = {
    **dict.fromkeys(("title", "summary", "section", "site", "language"), FieldSort.TEXT),
    **dict.fromkeys(ADDRESSES, FieldSort.ADDRESS),
    "image": FieldSort.PICTURE,
    **dict.fromkeys(DATES, FieldSort.DATE),
}


class Cutter(NamedTuple):
    """A rule made ready."""

    rule: Rule
    field: str
    sort: FieldSort
    way: Way
    left: bytes
    right: bytes
    bare: bool  # its tags mean nothing outside a table or a page, or parts are cut off: what it holds is taken alone
    told: str  # where a field is from that it tells
    plain: bool  # as most: a field is what stands between two texts, once

    @property
    def most(self) -> int:
        """How many pieces of a field are looked for."""
        rule = self.rule
        return MOST if rule.each or (rule.field in SEVERAL and not rule.attribute) else 1


class Compiled(NamedTuple):
    """A template made ready."""

    template: Template
    cutters: tuple[Cutter, ...]  # of all rules
    markers: tuple[bytes, ...]
    main: tuple[Cutter, ...]
    noise: tuple[Cutter, ...]
    fields: tuple[Cutter, ...]
    language: str
    rules: PageRules  # the same held by the core
    bare: bool  # a container lost its own tags, so that the text needs others around it


def cutter(rule: Rule, encoding: str) -> Cutter:
    """Return a rule made ready for pages of an encoding."""
    return Cutter(
        rule,
        rule.field,
        _SORTS.get(rule.field, FieldSort.OTHER),
        rule.way,
        rule.left.encode(encoding, "replace"),
        rule.right.encode(encoding, "replace"),
        rule.field == MAIN and rule.anchor is not None and (rule.anchor.tag in _BARE or bool(rule.left or rule.right)),
        f"rule {rule.way}",
        bool(rule.left) and not rule.inside and not rule.each and rule.field not in SEVERAL and rule.syntax == "html",
    )


_ready: OrderedDict[int, Compiled] = OrderedDict()


def compiled(template: Template) -> Compiled:
    """Return a template made ready; by identity, for to compare two takes as long as to use one."""
    found = _ready.get(id(template))
    if found is not None and found.template is template:
        return found
    encoding = template.encoding
    cutters = [cutter(rule, encoding) for rule in template.rules]
    found = Compiled(
        template,
        tuple(cutters),
        tuple(marker.encode(encoding, "replace") for marker in template.expected.markers),
        tuple(one for one in cutters if one.rule.field == MAIN),
        tuple(one for one in cutters if one.rule.field == UNINFORMATIVE),
        tuple(one for one in cutters if one.rule.field not in (MAIN, UNINFORMATIVE)),
        next((rule.value or "" for rule in template.of("language") if rule.value), ""),
        _held_template(template, cutters),
        any(one.bare for one in cutters),
    )
    _ready[id(template)] = found
    while len(_ready) > _KEPT:
        try:
            _ready.popitem(last=False)
        except KeyError:  # another thread was quicker
            break
    return found


# -- the same for the core --------------------------------------------------------------------------------------


class _Writing:
    """Rules written for the core: numbers, and texts whose lengths are among them (`core/src/cut.rs`)."""

    def __init__(self, encoding: str) -> None:
        self.numbers: list[int] = []
        self.texts: list[bytes] = []
        self._encoding = encoding

    def text(self, said: bytes) -> None:
        """A text."""
        self.numbers.append(len(said))
        self.texts.append(said)

    def anchors(self, *anchors: Anchor | None, starts: str = "") -> None:
        """Some elements; None is none."""
        found = [anchor for anchor in anchors if anchor is not None]
        self.numbers.append(len(found))
        for anchor in found:
            self.anchor(anchor, starts)

    def anchor(self, anchor: Anchor, starts: str = "") -> None:
        """An element."""
        self.text(anchor.tag.encode("ascii"))
        self.text(_needle(anchor, self._encoding, starts))
        conditions = [condition for condition in anchor.conditions if condition.value]
        self.numbers.append(len(conditions))
        for name, how, value in conditions:
            self.numbers.append(HOWS.index(how))
            self.text(name.encode("ascii"))
            self.text(value.encode(self._encoding, "replace"))

    def rules(self, several: Sequence[tuple[int, Cutter]]) -> None:
        """Rules with their numbers."""
        self.numbers.append(len(several))
        for number, one in several:
            rule = one.rule
            is_text = one.way is Way.DELIMITERS and rule.syntax == "html" and not rule.attribute
            self.numbers += [number, rule.field == MAIN, one.bare, rule.each, bool(rule.attribute), is_text]
            self.numbers += [one.most, rule.reach]
            self.text(one.left)
            self.text(one.right)
            self.anchors(rule.anchor, starts=rule.starts)
            self.anchors(rule.inside)
            self.numbers.append(len(rule.path))
            for step in rule.path:
                self.anchor(Anchor(step.tag))
                self.numbers.append(step.number)


def _needle(anchor: Anchor, encoding: str, starts: str) -> bytes:
    """Return what is searched for: the beginning of the start tag, if known, else the longest value of a condition."""
    values = (one.value.encode(encoding, "replace") for one in anchor.conditions if one.value)
    return starts.encode(encoding, "replace") or max(values, key=len, default=b"")


def _held_template(template: Template, cutters: Sequence[Cutter]) -> PageRules:
    """Return the rules of a template, held by the core."""
    writing = _Writing(template.encoding)
    expected = template.expected
    writing.numbers += [template.several, ceil(SHARE_OF_MARKERS * len(expected.markers)), expected.reach]
    writing.numbers.append(len(expected.markers))
    by_sort: dict[str, list[tuple[int, Cutter]]] = {MAIN: [], UNINFORMATIVE: [], "": []}
    for number, one in enumerate(cutters):
        by_sort.get(one.rule.field, by_sort[""]).append((number, one))
    for marker in expected.markers:
        writing.text(marker.encode(template.encoding, "replace"))
    for several in by_sort.values():
        writing.rules(several)
    noise = [text for text in template.noise if 0 <= text < 2**64]
    writing.numbers += [len(noise), *(text - 2**64 if text >= 2**63 else text for text in noise)]
    return PageRules(writing.numbers, b"".join(writing.texts))


def held(encoding: str, main: Sequence[Cutter] = (), fields: Sequence[Cutter] = ()) -> PageRules:
    """Return rules alone, held by the core: without markers and noise."""
    writing = _Writing(encoding)
    writing.numbers += [0, 0, 0, 0]
    for several in (main, (), fields):
        writing.rules(list(enumerate(several)))
    writing.numbers.append(0)
    return PageRules(writing.numbers, b"".join(writing.texts))
