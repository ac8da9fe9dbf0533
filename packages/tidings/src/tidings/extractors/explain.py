"""Why an extractor kept or dropped each block, and what an extractor is called."""

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
    """One block and what was decided about it."""

    block: int
    kept: float  # the share of its characters that was kept
    path: str  # the tags around it, outermost first
    words: int
    link_share: float
    text: str
    reason: str


#: Where extractors are that are made of others: it is not loaded for pages that one alone reads.
_COMBINED: Final = "tidings.extractors.combine"


def name_of(extractor: Extractor) -> str:
    """Return an expression for an extractor; `parse` makes the same one of it."""
    return _combined_name(extractor) if type(extractor).__module__ == _COMBINED else _registered_name(extractor)


def _combined_name(extractor: Extractor) -> str:
    from tidings.extractors import combine  # noqa: PLC0415  # as said there

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
        case combine.Difference(kept, dropped):
            return f"({name_of(kept)} - {name_of(dropped)})"
    return _registered_name(extractor)


@cache
def _made(make: Callable[[], Extractor]) -> Extractor:
    return make()


#: The extractors named last that nobody can change, by identity: one reads page after page.
_names: dict[int, tuple[Extractor, str]] = {}
_REMEMBERED: Final = 8


def _registered_name(extractor: Extractor) -> str:
    known = _names.get(id(extractor))
    if known is not None and known[0] is extractor:
        return known[1]
    name = _looked_up_name(extractor)
    if getattr(getattr(type(extractor), "__dataclass_params__", None), "frozen", False):
        if len(_names) >= _REMEMBERED:
            _names.clear()
        _names[id(extractor)] = extractor, name
    return name


def _looked_up_name(extractor: Extractor) -> str:
    likely = [entry for entry in entries(laid_out=True) if entry.may_make(type(extractor))]
    every = [(entry.name, _made(entry.make)) for entry in likely]
    same_kind = [(name, made) for name, made in every if type(made) is type(extractor)]
    for name, made in same_kind:
        if made == extractor:
            return name
    if not same_kind:
        return type(extractor).__name__
    name, made = same_kind[0]
    inner = getattr(extractor, "inner", None)
    if inner is not None:
        return f"{name}({name_of(inner)})"
    changes = ", ".join(
        f"{field.name}={_value(getattr(extractor, field.name))}"
        for field in dataclasses.fields(extractor)  # type: ignore[arg-type]  # every extractor is a dataclass
        if getattr(extractor, field.name) != getattr(made, field.name)
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
    kept = _kept(spans, page)
    reasons = _reasons(extractor, page, kept)
    share = blocks.link_words / np.maximum(blocks.words, 1)
    return [
        Verdict(
            block=block,
            kept=float(kept[block]),
            path=path(page, int(blocks.element[block])),
            words=int(blocks.words[block]),
            link_share=float(share[block]),
            text=page.text[blocks.text_start[block] : blocks.text_end[block]],
            reason="hidden: no reader sees it" if blocks.hidden[block] else reasons[block],
        )
        for block in range(len(blocks))
    ]


def path(page: Page, element: int, depth: int = 4) -> str:
    """Return the tags around an element, outermost first, with the id or first class of each."""
    steps: list[str] = []
    while element > 0 and len(steps) < depth:
        found = page.attributes(element)
        label = (
            f"#{found['id']}" if found.get("id") else "".join(f".{name}" for name in found.get("class", "").split()[:1])
        )
        steps.append(page.tag_names[page.elements.tag[element]] + label)
        element = int(page.elements.parent[element])
    return " > ".join(reversed(steps))


def _kept(spans: Spans, page: Page) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the share of each block's characters that is in the spans."""
    before = np.concatenate(([0], np.cumsum(spans.mask())))
    blocks = page.blocks
    return np.asarray((before[blocks.text_end] - before[blocks.text_start]) / np.maximum(blocks.chars, 1))


def _reasons(extractor: Extractor, page: Page, kept: np.ndarray[Any, np.dtype[np.float64]]) -> list[str]:
    from tidings.extractors import combine  # noqa: PLC0415  # as said there

    made_of_several = combine.Vote | combine.Union | combine.Intersection | combine.Fallback | combine.Serial
    if isinstance(extractor, made_of_several):
        shares = {name_of(member): _kept(member(page), page) for member in extractor.members}
        return [_ballot(shares, block) for block in range(len(kept))]
    if isinstance(extractor, combine.Difference):
        shares = {name_of(extractor.kept): _kept(extractor.kept(page), page)}
        minus = _kept(extractor.dropped(page), page)
        return [
            _ballot(shares, block) + (" but dropped by the second" if minus[block] > 0.5 else "")
            for block in range(len(kept))
        ]
    reasons: Callable[[Page], list[str]] | None = getattr(extractor, "reasons", None)
    if reasons is not None:
        return reasons(page)
    score = getattr(extractor, "score", None)
    if score is not None:
        return [f"score {value:.3g}" for value in score(page)]
    return [
        "inside the chosen region" if share > 0.5 else "partly" if share else "outside the chosen region"
        for share in kept
    ]


def _ballot(shares: dict[str, np.ndarray[Any, np.dtype[np.float64]]], block: int) -> str:
    """Who kept most of a block."""
    for_it = [name for name, kept in shares.items() if kept[block] > 0.5]
    return f"{len(for_it)} of {len(shares)} keep it" + (f": {', '.join(for_it)}" if for_it else "")
