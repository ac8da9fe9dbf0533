"""URL shapes: which forms of URLs lead to articles on a site, learned from fetched pages.

The shape of a URL is the URL without its words and numbers: `/sport/2026/03/cup-final-1234.html` becomes
`/sport/#/#/slug-#.html`. A site has few shapes, and each leads to articles nearly always or hardly ever, so a handful
of pages is more informative than a general rule. Shapes can be stored as JSON, and those of two machines can be added.
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
#: Limit on the prior log-odds: 50 to 1.
_SURE: Final = math.log(50)
#: A site has a few dozen shapes; hundreds more are noise.
MOST_SHAPES: Final = 500


@lru_cache(maxsize=8192)
def shape(address: str) -> str:
    """Return the shape of a canonical URL."""
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
    return stem + behind  # a section name


@dataclass(frozen=True, slots=True)
class Shapes:
    """For each shape the number of pages that were articles, and that were not."""

    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def learn(self, pages: Iterable[tuple[str, bool]]) -> Shapes:
        """Add pages: pairs of a canonical URL and whether it is an article."""
        counts = dict(self.counts)
        for address, is_article in pages:
            url_shape = shape(address)
            articles, others = counts.get(url_shape, (0, 0))
            counts[url_shape] = (articles + is_article, others + (not is_article))
        return Shapes(_most_seen(counts))

    def __add__(self, other: Shapes) -> Shapes:
        """Merge the counts of two instances."""
        counts = dict(self.counts)
        for url_shape, (articles, others) in other.counts.items():
            mine = counts.get(url_shape, (0, 0))
            counts[url_shape] = (mine[0] + articles, mine[1] + others)
        return Shapes(_most_seen(counts))

    def log_odds(self, address: str, before: float = 0.0) -> float:
        """Return the log-odds that a URL leads to an article, given the counts of its shape.

        Args:
            address: a canonical URL.
            before: the prior log-odds; they count as one page.
        """
        articles, others = self.counts.get(shape(address), (0, 0))
        if not articles and not others:
            return before
        prior = 1 / (1 + math.exp(-max(-_SURE, min(_SURE, before))))
        return math.log((articles + prior) / (others + 1 - prior))

    def to_json(self) -> str:
        """Serialise to JSON. Equal shapes produce equal texts."""
        return json.dumps(
            {url_shape: list(self.counts[url_shape]) for url_shape in sorted(self.counts)}, ensure_ascii=False
        )

    @classmethod
    def of_json(cls, text: str) -> Shapes:
        """Load from JSON.

        Raises:
            BadModel: the text is something else.
        """
        try:
            document = json.loads(text)
            counts = {
                str(url_shape): (int(pair[0]), int(pair[1])) for url_shape, pair in document.items() if len(pair) == 2
            }
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
    frequent = sorted(counts, key=lambda url_shape: (-sum(counts[url_shape]), url_shape))[:MOST_SHAPES]
    return {url_shape: counts[url_shape] for url_shape in frequent}
