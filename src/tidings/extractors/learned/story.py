"""How a block stands to the story of the page: to its headline, its description, and the run of paragraphs it is in.

Where a block stands on the page says little of a long text: its last paragraph is far from everything. So places are
told of the box that a block stands in, not of the block, and distances end somewhere (`_FAR`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.hashed_words import Hashes, KnownWords, hashes_of
from tidings.page import Page, tags
from tidings.page.columns import Ints, distinct
from tidings.page.flow import among, tag_set

if TYPE_CHECKING:
    from tidings.extractors.learned.seen_blocks import SeenBlocks

Floats = NDArray[np.float32]

#: The features, in their order.
NAMES: Final = tuple(
    "headline_found headline_level own_article headline_article articles "
    "up story_long child_long child_links child_paragraphs child_gap child_far "
    "h1s_since peers_since dates_since headings_since "
    "told_share told_cover told_found told_gap "
    "run_before run_behind run_rank run_rank_end run_first run_last run_long run_paragraphs".split()
)
_ARTICLE: Final = tag_set(tags.numbers("article"))
_H1: Final = tags.NUMBERS["h1"]
_LEVELS: Final = np.full(len(tags.NAMES) + 1, 6)
_LEVELS[[tags.NUMBERS[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6")]] = range(6)
#: How much likelier a block of each level is the headline than one that is no heading.
_WORTH: Final = np.array((0.3, 0.15, 0.1, 0.05, 0.05, 0.05, 0.0))
_LIKE: Final = 0.4  # the F1 of a block's words and the declared headline's that makes it the headline
_LONGEST: Final = 40  # words of a headline
_HELD: Final = 0.5  # share of the description's words in the block that repeats it
_LEAST: Final = 5  # different words of a description that is looked for
_RUN: Final = 3  # paragraphs that make a box a run of them
_FAR: Final = 64  # blocks
_FAR_WORDS: Final = 2000
_NEAR: Final = 8
_NONE: Final = -100.0  # where there is no headline or no description


def declared_headline(page: Page) -> str:
    """The headline that a page tells, else its title; what a feed or a link told only where the page tells none.

    What was learned was learned from headlines as pages tell them. Where the hinted one stands is told by `ending`.
    """
    found = page.signals.first("og:title", "twitter:title")
    declared = found[1] if found else page.signals.title
    return declared or page.hints.title or page.hints.anchor or ""


def declared_summary(page: Page) -> str:
    """The description that a feed or a page tells."""
    found = page.signals.first("og:description", "description", "twitter:description")
    hint = page.hints.description or page.hints.teaser
    return hint or (found[1] if found else "")


def _sums(values: NDArray[np.generic]) -> Ints:
    out = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=out[1:])
    return out


class StoryPlace:
    """Which visible block is the headline and which the description, and what stands since."""

    def __init__(self, seen: SeenBlocks) -> None:
        self._seen = seen
        page, elements = seen.page, seen.page.elements
        self._level = _LEVELS.take(elements.tag[seen.element], mode="clip")
        size = seen.last_word - seen.first_word
        headline = distinct(hashes_of(declared_headline(page)))
        alike = 2 * self._held(headline) / np.maximum(size + len(headline), 1)
        alike[size > _LONGEST] = 0
        self.headline = -1
        self._found = 0
        if seen.count and float(alike.max()) >= _LIKE:
            self.headline = int(np.argmax(np.where(alike >= _LIKE, alike + _WORTH[self._level], 0)))
            self._found = 2
        elif seen.h1 is not None:
            self.headline, self._found = seen.h1, 1
        told = distinct(hashes_of(declared_summary(page)))
        held = self._held(told)
        self._told_share: Floats = (held / np.maximum(size, 1)).astype(np.float32)
        cover = held / max(len(told), 1)
        self._told_cover: Floats = np.minimum(cover, 1).astype(np.float32)
        self._told = -1
        if seen.count and len(told) >= _LEAST and float(cover.max()) >= _HELD:
            self._told = int(np.argmax(cover >= _HELD))
        article = page.nearest(_ARTICLE)
        is_article = among(elements.tag, _ARTICLE)
        self._article = article[seen.element]
        self._in_article = is_article[self._article]
        self._articles = min(int(np.count_nonzero(is_article & (seen.high > seen.low))), _FAR)
        self._h1s = _sums(self._level == 0)
        self._headings = _sums(self._level < 6)
        over = int(self._level[self.headline]) if self.headline >= 0 else 6
        self._headline_level = over
        self._peers = _sums((self._level <= over) & (self._level < 6))
        counts = seen.long_count[seen.high] - seen.long_count[seen.low]
        of_boxes = counts[seen.boxes]
        level = np.argmax(of_boxes >= _RUN, axis=0)  # 0 too where there is none
        self._run = seen.boxes[level, np.arange(seen.count)]

    def _held(self, words: Hashes) -> NDArray[np.float64]:
        """How many words of each block are among some words."""
        seen = self._seen
        told = np.zeros(len(seen.hashed.number), np.bool_)
        if len(words):
            told[KnownWords(words).find(seen.hashed.number)[0]] = True
        counts = _sums(told)
        return np.asarray(counts[seen.last_word] - counts[seen.first_word], np.float64)

    def rows(self, first: int, last: int) -> Floats:
        """The features of the blocks first … last - 1."""
        rank = np.arange(first, last)
        rows = np.empty((len(NAMES), last - first), np.float32)
        rows[0], rows[1], rows[4] = self._found, self._headline_level, self._articles
        rows[2], rows[3] = self._articles_around(rank)
        child_low = self._boxes_around(rank, rows[5:10])
        self._since(rank, child_low, rows[10:16])
        rows[16], rows[17] = self._told_share[first:last], self._told_cover[first:last]
        rows[18] = self._told >= 0
        self._run_around(rank, rows[19:])
        return rows

    def _articles_around(self, rank: Ints) -> tuple[Ints | int, Ints | int]:
        """Whether the nearest article holds the headline, and whether the headline's article holds the block."""
        seen, head = self._seen, self.headline
        is_in = self._in_article[rank]
        if head < 0:
            return np.where(is_in, -2, 0), -2
        article, around = self._article[rank], int(self._article[head])
        with_headline = (seen.low[article] <= head) & (head < seen.high[article])
        inside = (rank >= seen.low[around]) & (rank < seen.high[around])
        own = np.where(is_in, np.where(with_headline, 1, -1), 0)
        return own, inside.astype(np.int64) if self._in_article[head] else -1

    def _boxes_around(self, rank: Ints, rows: Floats) -> Ints:
        """The box that the block shares with the headline, and the largest one without it: where that one begins."""
        seen, head = self._seen, self.headline
        boxes = seen.boxes[:, rank]
        low, high = seen.low[boxes], seen.high[boxes]
        holds = (low <= head) & (head < high)
        up = np.where(holds.any(axis=0), np.argmax(holds, axis=0), len(boxes))
        column, below, around = np.arange(len(rank)), np.maximum(up - 1, 0), np.minimum(up, len(boxes) - 1)
        child_low = np.where(up == 0, rank, low[below, column])  # without a box between them, the block itself
        child_high = np.where(up == 0, rank + 1, high[below, column])
        words = seen.word_sum[child_high] - seen.word_sum[child_low]
        rows[0] = up
        rows[1] = (seen.long_sum[high[around, column]] - seen.long_sum[low[around, column]]) / seen.total_long
        rows[2] = (seen.long_sum[child_high] - seen.long_sum[child_low]) / seen.total_long
        rows[3] = (seen.link_sum[child_high] - seen.link_sum[child_low]) / np.maximum(words, 1)
        rows[4] = np.minimum(seen.long_count[child_high] - seen.long_count[child_low], _FAR)
        return np.asarray(child_low)

    def _since(self, rank: Ints, child_low: Ints, rows: Floats) -> None:
        """What stands between the headline and the block, or the largest box around it without the headline."""
        seen, head = self._seen, self.headline
        if head < 0:
            rows[:] = _NONE
            return
        begin = np.maximum(child_low, head + 1)
        rows[0] = np.clip(child_low - head, -_FAR, _FAR)
        rows[1] = np.clip(seen.long_sum[child_low] - seen.long_sum[head], -_FAR_WORDS, _FAR_WORDS)
        rows[2] = np.clip(self._h1s[rank + 1] - self._h1s[head + 1], -_NEAR, _NEAR)
        rows[3] = np.clip(self._peers[rank + 1] - self._peers[head + 1], -_NEAR, _NEAR)
        rows[4] = np.minimum(seen.dates[begin] - seen.dates[head + 1], _NEAR)
        rows[5] = np.minimum(self._headings[begin] - self._headings[head + 1], _NEAR)

    def _run_around(self, rank: Ints, rows: Floats) -> None:
        """Where the run of paragraphs stands that the block is one of: to the description, on the page."""
        seen, told, run = self._seen, self._told, self._run[rank]
        low, high = seen.low[run], seen.high[run]
        inside = (low <= told) & (told < high)
        rows[0] = np.where(inside, 0, np.clip(low - told, -_FAR, _FAR)) if told >= 0 else _NONE
        rows[1] = seen.long_sum[low] / seen.total_long
        rows[2] = (seen.total_long - seen.long_sum[high]) / seen.total_long
        rows[3] = np.minimum(low, _FAR)
        rows[4] = np.minimum(seen.count - high, _FAR)
        rows[5] = np.minimum(rank - low, _NEAR)
        rows[6] = np.minimum(high - 1 - rank, _NEAR)
        rows[7] = (seen.long_sum[high] - seen.long_sum[low]) / seen.total_long
        rows[8] = np.minimum(seen.long_count[high] - seen.long_count[low], _FAR)
