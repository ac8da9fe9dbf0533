"""Anchors that an element could be told by, the most lasting first: its id, then words of its class.

Names that a program makes up anew (numbers of posts, hashes of style sheets) are left out: tomorrow they are others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from tidings.page.attributes import attributes
from tidings.sites.anchor import Anchor, Condition

_MADE_UP: Final = re.compile(
    r"\d{3}|^(?:css|sc|jss|jsx|emotion|svelte|styled|astro|data-v|ng|ember|react|yui|ext-gen|__)[-_]?\w*\d|"
    r"^(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])[\w-]{5,}$|^(?=\w*\d\w*\d)[a-z0-9]{6,}$|_\w{5,}_\d+$|__\w+--?\w{5}$"
)
_LONGEST: Final = 80
#: Attributes that tell an element besides: of today's pages, and of the tables that older ones are laid out with.
_ALSO: Final = ("itemprop", "role", "property", "align", "width", "bgcolor")
_MOST_WORDS: Final = 8


def lasts(name: str) -> bool:
    """Whether a name looks like one that a person gave."""
    return 1 < len(name) <= _LONGEST and not _MADE_UP.search(name) and not any(char in name for char in "<>\"'&=")


@lru_cache(maxsize=20_000)
def anchors(tag: str, start_tag: str) -> tuple[Anchor, ...]:
    """What an element can be told by, from its start tag; the pages of a site have the same tags again and again."""
    return tuple(_anchors(tag, start_tag))


def _anchors(tag: str, start_tag: str) -> Iterator[Anchor]:
    if "=" not in start_tag:
        return
    said = attributes(start_tag)
    own = said.get("id", "").strip()
    if own and lasts(own) and not any(char.isspace() for char in own):
        yield Anchor.of(tag, id=own)
    words = [word for word in said.get("class", "").split()[:_MOST_WORDS] if lasts(word)]
    for word in words:
        yield Anchor.of(tag, classes=word)
    if 1 < len(words) <= 4:
        yield Anchor.of(tag, classes=" ".join(words))
    for name in _ALSO:
        if (value := said.get(name, "").strip()) and (lasts(value) or name in _ALSO[3:]) and " " not in value:
            yield Anchor(tag, (Condition(name, "is", value),))


def common_beginning(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    first, last = min(texts), max(texts)
    same = next(
        (place for place, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first)
    )
    return first[:same]
