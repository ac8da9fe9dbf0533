"""Whether a page that was taken for an article tells a story at all, by its outline.

Topics, galleries and pages of a video have the address and the looks of an article, and a paragraph or two. What they
show besides is other stories: many linked headlines for the little text that was chosen, the choice in pieces under
such headlines and with links in it, and a headline of a word or two. A logistic regression over these, learned from
articles on one side and lists and collections of all kinds on the other, each read by a model that had not seen its
site (`tidings lab train outline`). A page that declares an article or a day of publication is believed.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tidings.fields import title_choice
from tidings.fields.declared import declared
from tidings.page import Page, Spans
from tidings.text.patterns import late_pattern

if TYPE_CHECKING:
    from tidings.extractors.learned.blocks import VisibleBlocks
    from tidings.page.columns import Bools, Ints

#: Why the confidence is low on such a page.
NO_STORY: Final = "more like a list, a gallery or a video than a story"
#: From this chance on a page is doubted. By folds of sites 6 of 1,035 articles have it; none of these was taken for an
#: article without declaring to be one.
_DOUBTED: Final = 0.75
#: A linked headline has so many words, nearly all of them in the link.
_HEADLINE, _LINKED = 4, 0.7
#: A page with fewer of them has no other stories to show.
_OTHERS: Final = 5
#: A paragraph has so many words, hardly any of them in links; what stands under a headline may be shorter.
_PARAGRAPH, _PLAIN = 25, 0.3
_TEASER, _MOSTLY_PLAIN = 12, 0.5
#: A headline of so many words is that of a story, and one of more no more so.
_LONG: Final = 12
#: A text of so many words, hardly any of them in links, is a story.
_LONG_TEXT, _FEW_LINKED = 300, 0.05
#: Two characters of scripts without spaces are a word.
_WITHOUT_SPACES: Final = late_pattern("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


class OutlineSignals(NamedTuple):
    """What speaks for or against a story."""

    linked: float  # share of the chosen words that are in links
    teasers: float  # share of the chosen paragraphs that stand under a linked headline
    beside: float  # words of linked headlines for each chosen one in a paragraph, as a logarithm
    running: float  # chosen words in paragraphs, as a logarithm
    pieces: float  # pieces of the choice, as a logarithm
    headline: float  # words of the headline

    @classmethod
    def of(cls, page: Page, found: VisibleBlocks, chosen: Bools, headline: str = "") -> OutlineSignals:
        """Return the signals of a choice among the visible blocks."""
        words, links = found.words, page.blocks.link_words[found.blocks]
        is_headline = _linked_headlines(words, links)
        under = np.zeros(len(words) + 2, np.bool_)
        under[1:-1] = is_headline
        under[2:] |= is_headline
        teasers = chosen & (words >= _TEASER) & (links < _MOSTLY_PLAIN * words)
        own, own_links = words[chosen], links[chosen]
        running = math.log1p(int(own[(own >= _PARAGRAPH) & (own_links < _PLAIN * own)].sum()))
        places = chosen.nonzero()[0]
        return cls(
            int(own_links.sum()) / max(int(own.sum()), 1),
            int(np.count_nonzero(teasers & under[: len(words)])) / max(int(np.count_nonzero(teasers)), 1),
            math.log1p(int(words[is_headline].sum())) - running,
            running,
            math.log1p(int(np.count_nonzero(places[1:] - places[:-1] > 1)) + 1),
            float(headline_words(headline)),
        )


def _linked_headlines(words: Ints, links: Ints) -> Bools:
    return (words >= _HEADLINE) & (links >= _LINKED * words)


OUTLINE: Final = OutlineSignals._fields


def headline_words(headline: str) -> int:
    """Return the words of a headline, up to those of a long one."""
    dense = 0 if headline.isascii() else len(_WITHOUT_SPACES.findall(headline)) // 2
    return min(max(len(headline.split()), dense), _LONG)


class StoryOdds(NamedTuple):
    """What the signals weigh, in the order of `OUTLINE`, and what is left where all are zero."""

    bias: float
    weights: tuple[float, ...]

    def against(self, signals: OutlineSignals) -> float:
        """Return the chance that there is no story."""
        odds = self.bias + sum([weight * one for weight, one in zip(self.weights, signals, strict=True)])
        return 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))


def read_story_odds(text: str) -> StoryOdds:
    """From a file of weights."""
    told = json.loads(text)
    return StoryOdds(float(told["bias"]), tuple(float(told["weights"][signal]) for signal in OUTLINE))


@cache
def _shipped() -> StoryOdds:
    return read_story_odds(Path(__file__).with_name("outline.json").read_text(encoding="utf-8"))


def outline(page: Page, found: VisibleBlocks, chosen: Bools, spans: Spans) -> OutlineSignals:
    """Return the signals of a choice, with the headline."""
    headline = title_choice.find(page, spans)
    return OutlineSignals.of(page, found, chosen, headline.value if headline else "")


def tells_no_story(page: Page, found: VisibleBlocks, chosen: Bools, spans: Spans) -> bool:
    """Return whether what was chosen as an article is hardly one."""
    if declares_story(page) or _is_long_and_plain(page, found, chosen):
        return False
    odds = _shipped()
    if odds.against(OutlineSignals.of(page, found, chosen)) < _DOUBTED:  # whatever the headline, as mostly
        return False
    others = np.count_nonzero(_linked_headlines(found.words, page.blocks.link_words[found.blocks]))
    return bool(others >= _OTHERS) and odds.against(outline(page, found, chosen, spans)) >= _DOUBTED


def _is_long_and_plain(page: Page, found: VisibleBlocks, chosen: Bools) -> bool:
    """Return whether the choice is a long text with hardly a link, which needs no closer look."""
    words = int(found.words.dot(chosen))
    if words < _LONG_TEXT:
        return False
    return int(page.compiled.block_link_words[found.blocks].dot(chosen)) < _FEW_LINKED * words


def declares_story(page: Page) -> bool:
    """Return whether a page says that it is an article, or when it was published."""
    named = page.signals.named
    kinds = named.get("og:type")
    if (kinds and kinds[0].lower() == "article") or any("publish" in name for name in named):
        return True
    return bool(declared(page).story)  # which takes longer to be told
