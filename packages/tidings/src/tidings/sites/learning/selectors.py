"""Candidate selectors for an element, the most durable first: its id, then words of its class.

Generated names (numbers of posts, hashes of style sheets) are excluded, because they change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from tidings.page.attributes import attributes
from tidings.sites.templates.anchor import Anchor, Condition

_MADE_UP: Final = re.compile(
    r"\d{3}|^(?:css|sc|jss|jsx|emotion|svelte|styled|astro|data-v|ng|ember|react|yui|ext-gen|__)[-_]?\w*\d|"
    r"^(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])[\w-]{5,}$|^(?=\w*\d\w*\d)[a-z0-9]{6,}$|_\w{5,}_\d+$|__\w+--?\w{5}$"
)
_LONGEST: Final = 80
#: Further distinctive attributes: of current pages, and of the layout tables of older ones.
_ALSO: Final = ("itemprop", "role", "property", "align", "width", "bgcolor")
_MOST_CLASS_WORDS: Final = 8


def lasts(name: str) -> bool:
    """Return whether an id or class name looks chosen by a person. Generated names change with every build of a site,
    so rules cannot use them.
    """
    return 1 < len(name) <= _LONGEST and not _MADE_UP.search(name) and not any(char in name for char in "<>\"'&=")


@lru_cache(maxsize=20_000)
def anchors(tag: str, start_tag: str) -> tuple[Anchor, ...]:
    """Return the candidate selectors of an element. Cached, because the pages of a site repeat their tags."""
    return tuple(_anchors(tag, start_tag))


def _anchors(tag: str, start_tag: str) -> Iterator[Anchor]:
    if "=" not in start_tag:
        return
    said = attributes(start_tag)
    own = said.get("id", "").strip()
    if own and lasts(own) and not any(char.isspace() for char in own):
        yield Anchor.of(tag, id=own)
    words = [word for word in said.get("class", "").split()[:_MOST_CLASS_WORDS] if lasts(word)]
    for word in words:
        yield Anchor.of(tag, classes=word)
    if 1 < len(words) <= 4:
        yield Anchor.of(tag, classes=" ".join(words))
    for name in _ALSO:
        if (value := said.get(name, "").strip()) and (lasts(value) or name in _ALSO[3:]) and " " not in value:
            yield Anchor(tag, (Condition(name, "is", value),))


def common_beginning(texts: Sequence[str]) -> str:
    """Return the common prefix of texts."""
    first, last = min(texts), max(texts)
    same = next(
        (place for place, (char, other_char) in enumerate(zip(first, last, strict=False)) if char != other_char),
        len(first),
    )
    return first[:same]
