"""The outline of a page as evidence that an apparent article contains no story.

Topic pages, galleries and video pages have the URL and look of an article, and a paragraph or two. They also have many
linked headlines for little selected text, a selection in pieces below such headlines and with links in it, and a
headline of a word or two. A logistic regression over these signals was trained on articles against lists and
collections, each read by a model that had not seen its site (`tidings lab train outline`). A page that declares an
article or a publication date is trusted.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tidings.fields.declared import declared
from tidings.fields.titles import choice as title_choice
from tidings.page import Page, Spans
from tidings.text.patterns import late_pattern

if TYPE_CHECKING:
    from tidings.extractors.learned.blocks import VisibleBlocks
    from tidings.page.columns import Bools, Ints

#: The reason for a low confidence on such a page.
NO_STORY: Final = "more like a list, a gallery or a video than a story"
#: A page with at least this probability is doubted. In cross-validation by site 6 of 1,035 articles reach it; all of
#: them declare an article.
_DOUBTED: Final = 0.75
#: Words of a linked headline, and the share of them in the link.
_HEADLINE, _LINKED = 4, 0.7
#: Linked headlines of a page with other stories, at least.
_OTHERS: Final = 5
#: Words of a paragraph and the largest share of them in links; the same for a teaser.
_PARAGRAPH, _PLAIN = 25, 0.3
_TEASER, _MOSTLY_PLAIN = 12, 0.5
#: Words of a headline beyond this number do not count.
_LONG: Final = 12
#: A text with this many words and a smaller share of them in links is a story.
_LONG_TEXT, _FEW_LINKED = 300, 0.05
#: Scripts without spaces: two characters count as a word.
_WITHOUT_SPACES: Final = late_pattern("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


class OutlineSignals(NamedTuple):
    """Figures of a selection that distinguish a list of links from a story."""

    linked: float  # share of the selected words that are in links
    teasers: float  # share of the selected paragraphs that are next to a linked headline
    other_headlines: float  # logarithm of the words of linked headlines per selected word in paragraphs
    running: float  # logarithm of the selected words in paragraphs
    pieces: float  # logarithm of the contiguous pieces of the selection
    headline: float  # words of the headline

    @classmethod
    def of(cls, page: Page, visible: VisibleBlocks, selected: Bools, headline: str = "") -> OutlineSignals:
        """Compute the figures of a selection among the visible blocks."""
        words, links = visible.words, page.blocks.link_words[visible.blocks]
        is_headline = _linked_headlines(words, links)
        near_headline = np.zeros(len(words) + 2, np.bool_)
        near_headline[1:-1] = is_headline
        near_headline[2:] |= is_headline
        teasers = selected & (words >= _TEASER) & (links < _MOSTLY_PLAIN * words)
        own, own_links = words[selected], links[selected]
        running = math.log1p(int(own[(own >= _PARAGRAPH) & (own_links < _PLAIN * own)].sum()))
        places = selected.nonzero()[0]
        return cls(
            int(own_links.sum()) / max(int(own.sum()), 1),
            int(np.count_nonzero(teasers & near_headline[: len(words)])) / max(int(np.count_nonzero(teasers)), 1),
            math.log1p(int(words[is_headline].sum())) - running,
            running,
            math.log1p(int(np.count_nonzero(places[1:] - places[:-1] > 1)) + 1),
            float(headline_words(headline)),
        )


def _linked_headlines(words: Ints, links: Ints) -> Bools:
    return (words >= _HEADLINE) & (links >= _LINKED * words)


OUTLINE: Final = OutlineSignals._fields


def headline_words(headline: str) -> int:
    """Return the number of words of a headline, at most `_LONG`."""
    dense = 0 if headline.isascii() else len(_WITHOUT_SPACES.findall(headline)) // 2
    return min(max(len(headline.split()), dense), _LONG)


class StoryOdds(NamedTuple):
    """A logistic model of the probability that a selection is no story: a weight for each signal of `OUTLINE`, and a
    bias.
    """

    bias: float
    weights: tuple[float, ...]

    def against(self, signals: OutlineSignals) -> float:
        """Return the probability that a selection with these signals is no story."""
        odds = self.bias + sum([weight * value for weight, value in zip(self.weights, signals, strict=True)])
        return 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))


def read_story_odds(text: str) -> StoryOdds:
    """Read the weights of a logistic model from a JSON text."""
    stored = json.loads(text)
    return StoryOdds(float(stored["bias"]), tuple(float(stored["weights"][signal]) for signal in OUTLINE))


@cache
def _shipped() -> StoryOdds:
    return read_story_odds(Path(__file__).with_name("outline.json").read_text(encoding="utf-8"))


def outline(page: Page, visible: VisibleBlocks, selected: Bools, spans: Spans) -> OutlineSignals:
    """Return the signals of a selection, including its headline."""
    headline = title_choice.find(page, spans)
    return OutlineSignals.of(page, visible, selected, headline.value if headline else "")


def has_no_story(page: Page, visible: VisibleBlocks, selected: Bools, spans: Spans) -> bool:
    """Return whether an apparent article contains no story."""
    if declares_story(page) or _is_long_and_plain(page, visible, selected):
        return False
    odds = _shipped()
    if odds.against(OutlineSignals.of(page, visible, selected)) < _DOUBTED:  # on most pages, whatever the headline is
        return False
    others = np.count_nonzero(_linked_headlines(visible.words, page.blocks.link_words[visible.blocks]))
    return bool(others >= _OTHERS) and odds.against(outline(page, visible, selected, spans)) >= _DOUBTED


def _is_long_and_plain(page: Page, visible: VisibleBlocks, selected: Bools) -> bool:
    """Return whether the selection is a long text with few links, which is certainly a story."""
    words = int(visible.words.dot(selected))
    if words < _LONG_TEXT:
        return False
    return int(page.compiled.block_link_words[visible.blocks].dot(selected)) < _FEW_LINKED * words


def declares_story(page: Page) -> bool:
    """Return whether a page declares itself an article or declares a publication date."""
    named = page.signals.named
    kinds = named.get("og:type")
    if (kinds and kinds[0].lower() == "article") or any("publish" in name for name in named):
        return True
    return bool(declared(page).story)  # slower, so checked last
