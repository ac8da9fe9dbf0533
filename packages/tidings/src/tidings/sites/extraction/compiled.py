"""Templates compiled for the core: rules as bytes in its memory. Compiled once and cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from enum import IntEnum
from math import ceil
from typing import Final, NamedTuple

from tidings.core.rules import PageRules
from tidings.sites.templates.anchor import HOWS, Anchor
from tidings.sites.templates.rule import ADDRESSES, DATES, MAIN, SEVERAL, UNINFORMATIVE, Rule, Template, Way

_CACHE_SIZE: Final = 512
MOST: Final = 1000  # elements per rule
#: A page with a smaller share of a template's markers has another layout. A few markers change from page to page.
SHARE_OF_MARKERS: Final = 0.6
_BARE: Final = frozenset("html body table thead tbody tfoot tr td th".split())


#: Start and end of a piece in the bytes of a page.
Range = tuple[int, int]


class FieldSort(IntEnum):
    """How the strings of a field are converted to its value."""

    TEXT = 0  # used as it is
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
    """A rule for one field, prepared for searching: its delimiters as bytes and how its matches are converted."""

    rule: Rule
    field: str
    sort: FieldSort
    way: Way
    left: bytes
    right: bytes
    bare: bool  # only the inner HTML is used: the tags need a table or page around them, or a part is cut off
    provenance: str  # provenance of the field
    plain: bool  # the common case: one text between two delimiters

    @property
    def most(self) -> int:
        """Return the maximum number of matches of this rule to search for on a page."""
        rule = self.rule
        return MOST if rule.each or (rule.field in SEVERAL and not rule.attribute) else 1


class Compiled(NamedTuple):
    """A compiled template."""

    template: Template
    cutters: tuple[Cutter, ...]  # for all rules
    markers: tuple[bytes, ...]
    main: tuple[Cutter, ...]
    noise: tuple[Cutter, ...]
    fields: tuple[Cutter, ...]
    language: str
    rules: PageRules  # the rules in the core's memory
    bare: bool  # a container is used without its own tags, so the text needs a new wrapper


def cutter(rule: Rule, encoding: str) -> Cutter:
    """Prepare a rule for pages in an encoding."""
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
    """Return the compiled template. The cache is keyed by identity, because comparing templates takes too long."""
    result = _ready.get(id(template))
    if result is not None and result.template is template:
        return result
    encoding = template.encoding
    cutters = [cutter(rule, encoding) for rule in template.rules]
    result = Compiled(
        template,
        tuple(cutters),
        tuple(marker.encode(encoding, "replace") for marker in template.expected.markers),
        tuple(compiled_rule for compiled_rule in cutters if compiled_rule.rule.field == MAIN),
        tuple(compiled_rule for compiled_rule in cutters if compiled_rule.rule.field == UNINFORMATIVE),
        tuple(compiled_rule for compiled_rule in cutters if compiled_rule.rule.field not in (MAIN, UNINFORMATIVE)),
        next((rule.value or "" for rule in template.of("language") if rule.value), ""),
        _template_in_core(template, cutters),
        any(compiled_rule.bare for compiled_rule in cutters),
    )
    _ready[id(template)] = result
    while len(_ready) > _CACHE_SIZE:
        try:
            _ready.popitem(last=False)
        except KeyError:  # another thread removed it first
            break
    return result


# -- encoding for the core --------------------------------------------------------------------------------------


class _Writing:
    """An encoder of rules for the compiled core: numbers, and texts whose lengths are among them
    (`core/src/cut.rs`).
    """

    def __init__(self, encoding: str) -> None:
        self.numbers: list[int] = []
        self.texts: list[bytes] = []
        self._encoding = encoding

    def text(self, text: bytes) -> None:
        """Encode a text."""
        self.numbers.append(len(text))
        self.texts.append(text)

    def anchors(self, *anchors: Anchor | None, starts: str = "") -> None:
        """Encode selectors for the core, preceded by their number; None is skipped. `starts` is the known beginning of
        the start tags.
        """
        selectors = [anchor for anchor in anchors if anchor is not None]
        self.numbers.append(len(selectors))
        for anchor in selectors:
            self.anchor(anchor, starts)

    def anchor(self, anchor: Anchor, starts: str = "") -> None:
        """Encode a selector for the core. `starts` is the known beginning of the start tags that it matches, for a
        faster search.
        """
        self.text(anchor.tag.encode(self._encoding, "replace"))
        self.text(_needle(anchor, self._encoding, starts))
        conditions = [condition for condition in anchor.conditions if condition.value]
        self.numbers.append(len(conditions))
        for name, how, value in conditions:
            self.numbers.append(HOWS.index(how))
            self.text(name.encode(self._encoding, "replace"))
            self.text(value.encode(self._encoding, "replace"))

    def rules(self, several: Sequence[tuple[int, Cutter]]) -> None:
        """Encode prepared rules for the core, each with its field number."""
        self.numbers.append(len(several))
        for number, compiled_rule in several:
            rule = compiled_rule.rule
            is_text = compiled_rule.way is Way.DELIMITERS and rule.syntax == "html" and not rule.attribute
            self.numbers += [number, rule.field == MAIN, compiled_rule.bare, rule.each, bool(rule.attribute), is_text]
            self.numbers += [compiled_rule.most, rule.reach]
            self.text(compiled_rule.left)
            self.text(compiled_rule.right)
            self.anchors(rule.anchor, starts=rule.starts)
            self.anchors(rule.inside)
            self.numbers.append(len(rule.path))
            for step in rule.path:
                self.anchor(Anchor(step.tag))
                self.numbers.append(step.number)


def _needle(anchor: Anchor, encoding: str, starts: str) -> bytes:
    """Return the bytes to search for: the beginning of the start tag, if known, else the longest condition value."""
    values = (condition.value.encode(encoding, "replace") for condition in anchor.conditions if condition.value)
    return starts.encode(encoding, "replace") or max(values, key=len, default=b"")


def _template_in_core(template: Template, cutters: Sequence[Cutter]) -> PageRules:
    """Load the rules of a template into the core."""
    writing = _Writing(template.encoding)
    expected = template.expected
    writing.numbers += [template.several, ceil(SHARE_OF_MARKERS * len(expected.markers)), expected.reach]
    writing.numbers.append(len(expected.markers))
    by_sort: dict[str, list[tuple[int, Cutter]]] = {MAIN: [], UNINFORMATIVE: [], "": []}
    for number, compiled_rule in enumerate(cutters):
        by_sort.get(compiled_rule.rule.field, by_sort[""]).append((number, compiled_rule))
    for marker in expected.markers:
        writing.text(marker.encode(template.encoding, "replace"))
    for several in by_sort.values():
        writing.rules(several)
    noise = [text for text in template.noise if 0 <= text < 2**64]
    writing.numbers += [len(noise), *(text - 2**64 if text >= 2**63 else text for text in noise)]
    return PageRules(writing.numbers, b"".join(writing.texts))


def rules_in_core(encoding: str, main: Sequence[Cutter] = (), fields: Sequence[Cutter] = ()) -> PageRules:
    """Load rules into the core without a template, and so without the texts that it expects."""
    writing = _Writing(encoding)
    writing.numbers += [0, 0, 0, 0]
    for several in (main, (), fields):
        writing.rules(list(enumerate(several)))
    writing.numbers.append(0)
    return PageRules(writing.numbers, b"".join(writing.texts))
