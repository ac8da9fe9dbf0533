"""Which shapes of addresses lead to articles on a site, learned from the pages that were read.

The shape of an address is what is left when its words and numbers are taken out: `/sport/2026/03/cup-final-1234.html`
is `/sport/#/#/slug-#.html`. A site has few shapes, and each leads to stories nearly always or hardly ever, so a handful
of pages tells more than any general rule. What was learned is a value: it can be kept as JSON, and what two machines
learned can be added.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from tidings.errors import BadModel
from tidings.sources.front.link_features import split

_ENDING: Final = re.compile(r"\.[a-z]{1,5}\Z")
_CODE: Final = re.compile(r"(?=[a-z]*\d)[0-9a-z]{8,}|\d+")
_WORDS: Final = re.compile(r"[-_,+~. ]+")
#: General rules are never surer than this, as a logarithm of odds: 50 to 1.
_SURE: Final = math.log(50)
#: A site has a few dozen shapes; what is seen of hundreds more is noise.
MOST_SHAPES: Final = 500


@lru_cache(maxsize=8192)
def shape(address: str) -> str:
    """Return the shape of a canonical address."""
    host, path, query = split(address)
    segments = [segment for segment in path.split("/") if segment]
    parts = [_part(segment, at == len(segments) - 1) for at, segment in enumerate(segments[:8])]
    names = sorted({pair.partition("=")[0].lower()[:20] for pair in query.split("&") if pair})
    return f"{host}/{'/'.join(parts)}" + (f"?{','.join(names[:5])}" if names else "")


def _part(segment: str, is_last: bool) -> str:
    ending = _ENDING.search(segment)
    stem = segment[: ending.start()] if ending else segment
    words = [word for word in _WORDS.split(stem) if word]
    plain = [word for word in words if not _CODE.fullmatch(word)]
    behind = ending[0] if ending else ""
    if not plain:
        return ("#" if words else "") + behind
    number = "-#" if len(plain) < len(words) else ""
    if len(plain) >= 3 or (is_last and (number or ending)):
        return "slug" + number + behind
    if is_last or len(stem) > 20:
        return "word" + number + behind
    return stem + behind  # the name of a section


@dataclass(frozen=True, slots=True)
class Shapes:
    """For each shape how many pages were articles, and how many were not."""

    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def learn(self, seen: Iterable[tuple[str, bool]]) -> Shapes:
        """With further pages: canonical address, and whether it was an article."""
        counts = dict(self.counts)
        for address, is_article in seen:
            one = shape(address)
            articles, others = counts.get(one, (0, 0))
            counts[one] = (articles + is_article, others + (not is_article))
        return Shapes(_most_seen(counts))

    def __add__(self, other: Shapes) -> Shapes:
        """What both have learned."""
        counts = dict(self.counts)
        for one, (articles, others) in other.counts.items():
            mine = counts.get(one, (0, 0))
            counts[one] = (mine[0] + articles, mine[1] + others)
        return Shapes(_most_seen(counts))

    def log_odds(self, address: str, before: float = 0.0) -> float:
        """Return the logarithm of the odds that an address leads to an article, after what was seen of its shape.

        Args:
            address: canonical.
            before: the same without any experience; it counts as one page that was seen.
        """
        articles, others = self.counts.get(shape(address), (0, 0))
        if not articles and not others:
            return before
        chance = 1 / (1 + math.exp(-max(-_SURE, min(_SURE, before))))
        return math.log((articles + chance) / (others + 1 - chance))

    def to_json(self) -> str:
        """As text to be kept; equal shapes give equal texts."""
        return json.dumps({one: list(self.counts[one]) for one in sorted(self.counts)}, ensure_ascii=False)

    @classmethod
    def of_json(cls, text: str) -> Shapes:
        """From text that was kept.

        Raises:
            BadModel: it is something else.
        """
        try:
            told = json.loads(text)
            counts = {str(one): (int(pair[0]), int(pair[1])) for one, pair in told.items() if len(pair) == 2}
        except (ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError) as error:
            raise BadModel(
                f"these are no shapes of addresses ({error}); forget them and the site is learned anew"
            ) from error
        if any(articles < 0 or others < 0 for articles, others in counts.values()):
            raise BadModel("shapes of addresses were seen fewer than 0 times; forget them and the site is learned anew")
        return cls(_most_seen(counts))


def _most_seen(counts: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    if len(counts) <= MOST_SHAPES:
        return counts
    kept = sorted(counts, key=lambda one: (-sum(counts[one]), one))[:MOST_SHAPES]
    return {one: counts[one] for one in kept}
