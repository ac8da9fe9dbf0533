"""Explanations of extractors: a verdict for each block, and the name of an extractor instance."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from tidings.extractors.registry import Extractor, entries
from tidings.page import Page, Spans


class Verdict(NamedTuple):
    """Whether an extractor selected a block of a page, and the reason."""

    block: int
    selected_share: float  # share of its characters
    path: str  # the tags around it, outermost first
    words: int
    link_share: float
    text: str
    reason: str


#: The module of combined extractors, imported only if one is used.
_COMBINED: Final = "tidings.extractors.combine"


def name_of(extractor: Extractor) -> str:
    """Return an expression for an extractor; `parse` creates an equal extractor from it."""
    return _combined_name(extractor) if type(extractor).__module__ == _COMBINED else _registered_name(extractor)


def _combined_name(extractor: Extractor) -> str:
    from tidings.extractors import combine  # noqa: PLC0415  # see `_COMBINED`

    match extractor:
        case combine.Vote(members, quorum, weights):
            votes = weights or (1.0,) * len(members)
            named = ", ".join(
                name_of(member) if vote == 1 else f"{vote:g}*{name_of(member)}"
                for member, vote in zip(members, votes, strict=True)
            )
            return f"vote({named})" if quorum is None else f"vote({named}; {quorum:g})"
        case combine.Serial(members) | combine.Union(members) | combine.Intersection(members):
            return f"{type(extractor).__name__.lower()}({', '.join(map(name_of, members))})"
        case combine.Fallback(members, words):
            return f"fallback({', '.join(map(name_of, members))}; {words})"
        case combine.Difference(included, excluded):
            return f"({name_of(included)} - {name_of(excluded)})"
    return _registered_name(extractor)


@cache
def _default_instance(make: Callable[[], Extractor]) -> Extractor:
    return make()


#: Names of frozen extractors by identity: a run uses the same instance for every page.
_names: dict[int, tuple[Extractor, str]] = {}
_CACHE_SIZE: Final = 8


def _registered_name(extractor: Extractor) -> str:
    cached = _names.get(id(extractor))
    if cached is not None and cached[0] is extractor:
        return cached[1]
    name = _find_name(extractor)
    if getattr(getattr(type(extractor), "__dataclass_params__", None), "frozen", False):
        if len(_names) >= _CACHE_SIZE:
            _names.clear()
        _names[id(extractor)] = extractor, name
    return name


def _find_name(extractor: Extractor) -> str:
    candidates = [entry for entry in entries(laid_out=True) if entry.may_make(type(extractor))]
    instances = [(entry.name, _default_instance(entry.make)) for entry in candidates]
    same_kind = [(name, default) for name, default in instances if type(default) is type(extractor)]
    for name, default in same_kind:
        if default == extractor:
            return name
    if not same_kind:
        return type(extractor).__name__
    name, default = same_kind[0]
    inner = getattr(extractor, "inner", None)
    if inner is not None:
        return f"{name}({name_of(inner)})"
    changes = ", ".join(
        f"{field.name}={_value(getattr(extractor, field.name))}"
        for field in dataclasses.fields(extractor)  # type: ignore[arg-type]  # every extractor is a dataclass
        if getattr(extractor, field.name) != getattr(default, field.name)
    )
    return f"{name}({changes})"


def _value(value: Any) -> str:
    return (
        value.name.lower() if isinstance(value, Enum) else str(value).lower() if isinstance(value, bool) else str(value)
    )


def explain(extractor: Extractor, page: Page) -> list[Verdict]:
    """Return a verdict for every block of the page, in reading order."""
    spans = extractor(page)
    blocks = page.blocks
    shares = _selected_shares(spans, page)
    reasons = _reasons(extractor, page, shares)
    link_share = blocks.link_words / np.maximum(blocks.words, 1)
    return [
        Verdict(
            block=block,
            selected_share=float(shares[block]),
            path=path(page, int(blocks.element[block])),
            words=int(blocks.words[block]),
            link_share=float(link_share[block]),
            text=page.text[blocks.text_start[block] : blocks.text_end[block]],
            reason="hidden: not visible to readers" if blocks.hidden[block] else reasons[block],
        )
        for block in range(len(blocks))
    ]


def path(page: Page, element: int, depth: int = 4) -> str:
    """Return an element's ancestors and the element as tag names, outermost first, with the id or first class
    of each.
    """
    steps: list[str] = []
    while element > 0 and len(steps) < depth:
        attributes = page.attributes(element)
        label = (
            f"#{attributes['id']}"
            if attributes.get("id")
            else "".join(f".{name}" for name in attributes.get("class", "").split()[:1])
        )
        steps.append(page.tag_names[page.elements.tag[element]] + label)
        element = int(page.elements.parent[element])
    return " > ".join(reversed(steps))


def _selected_shares(spans: Spans, page: Page) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return for each block the share of its characters that is in the selected text."""
    before = np.concatenate(([0], np.cumsum(spans.mask())))
    blocks = page.blocks
    return np.asarray((before[blocks.text_end] - before[blocks.text_start]) / np.maximum(blocks.chars, 1))


def _reasons(extractor: Extractor, page: Page, selected: np.ndarray[Any, np.dtype[np.float64]]) -> list[str]:
    from tidings.extractors import combine  # noqa: PLC0415  # see `_COMBINED`

    made_of_several = combine.Vote | combine.Union | combine.Intersection | combine.Fallback | combine.Serial
    if isinstance(extractor, made_of_several):
        shares = {name_of(member): _selected_shares(member(page), page) for member in extractor.members}
        return [_ballot(shares, block) for block in range(len(selected))]
    if isinstance(extractor, combine.Difference):
        shares = {name_of(extractor.included): _selected_shares(extractor.included(page), page)}
        excluded = _selected_shares(extractor.excluded(page), page)
        return [
            _ballot(shares, block) + (" but dropped by the second" if excluded[block] > 0.5 else "")
            for block in range(len(selected))
        ]
    reasons: Callable[[Page], list[str]] | None = getattr(extractor, "reasons", None)
    if reasons is not None:
        return reasons(page)
    score = getattr(extractor, "score", None)
    if score is not None:
        return [f"score {value:.3g}" for value in score(page)]
    return [
        "inside the chosen region" if share > 0.5 else "partly" if share else "outside the chosen region"
        for share in selected
    ]


def _ballot(shares: dict[str, np.ndarray[Any, np.dtype[np.float64]]], block: int) -> str:
    """Return in words which extractors select most of a block, such as "2 of 3 select it: bte, dsc"."""
    supporters = [name for name, selected in shares.items() if selected[block] > 0.5]
    return f"{len(supporters)} of {len(shares)} select it" + (f": {', '.join(supporters)}" if supporters else "")
