"""A template made ready for use: its texts as bytes, its anchors as finders. Made once, kept while it is used."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

from tidings.sites.anchor import Anchor
from tidings.sites.rule import MAIN, SEVERAL, UNINFORMATIVE, Rule, Template, Way
from tidings.sites.search import Finder, finder

_KEPT: Final = 512
_BARE: Final = frozenset("html body table thead tbody tfoot tr td th".split())


class Cutter(NamedTuple):
    """A rule made ready."""

    rule: Rule
    way: Way
    find: Finder | None
    inside: Finder | None
    path: tuple[tuple[Finder, int], ...]  # to the element
    left: bytes
    right: bytes
    bare: bool  # its tags mean nothing outside a table or a page, or parts are cut off: what it holds is taken alone
    told: str  # where a field is from that it tells
    plain: bool  # as most: a field is what stands between two texts, once


class Compiled(NamedTuple):
    """A template made ready."""

    template: Template
    markers: tuple[bytes, ...]
    main: tuple[Cutter, ...]
    noise: tuple[Cutter, ...]
    fields: tuple[Cutter, ...]
    language: str
    bare: bool  # a container lost its own tags, so that the text needs others around it


def cutter(rule: Rule, encoding: str) -> Cutter:
    """A rule made ready for pages of an encoding."""
    return Cutter(
        rule,
        rule.way,
        Finder(rule.anchor, encoding, rule.starts) if rule.anchor else None,
        Finder(rule.inside, encoding) if rule.inside else None,
        tuple((finder(Anchor(step.tag), encoding), step.number) for step in rule.path),
        rule.left.encode(encoding, "replace"),
        rule.right.encode(encoding, "replace"),
        rule.field == MAIN and rule.anchor is not None and (rule.anchor.tag in _BARE or bool(rule.left or rule.right)),
        f"rule {rule.way}",
        bool(rule.left) and not rule.inside and not rule.each and rule.field not in SEVERAL and rule.syntax == "html",
    )


_ready: OrderedDict[int, Compiled] = OrderedDict()


def compiled(template: Template) -> Compiled:
    """A template made ready; by identity, for to compare two takes as long as to use one."""
    found = _ready.get(id(template))
    if found is not None and found.template is template:
        return found
    encoding = template.encoding
    cutters = [cutter(rule, encoding) for rule in template.rules]
    found = Compiled(
        template,
        tuple(marker.encode(encoding, "replace") for marker in template.expected.markers),
        tuple(one for one in cutters if one.rule.field == MAIN),
        tuple(one for one in cutters if one.rule.field == UNINFORMATIVE),
        tuple(one for one in cutters if one.rule.field not in (MAIN, UNINFORMATIVE)),
        next((rule.value or "" for rule in template.of("language") if rule.value), ""),
        any(one.bare for one in cutters),
    )
    _ready[id(template)] = found
    while len(_ready) > _KEPT:
        try:
            _ready.popitem(last=False)
        except KeyError:  # another thread was quicker
            break
    return found
