"""The visible blocks of a page and the probability of each to be content, as the core computes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings import core
from tidings.core import block_probabilities
from tidings.errors import BadModel
from tidings.extractors.learned import features, look_tables
from tidings.extractors.learned.lexicon import Lexicon
from tidings.extractors.learned.model import Expert
from tidings.extractors.learned.network import PARTS, BlockNetwork
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.compiled import scanner


class VisibleBlocks(NamedTuple):
    """The visible blocks of a page, as decisions over the page need them."""

    blocks: Ints  # indices into `page.blocks`
    words: Ints
    dates: NDArray[np.float64]  # how many blocks with a date stand before each, and in all


Looked = tuple[VisibleBlocks, list[NDArray[np.float64]]]


@cache
def looker() -> block_probabilities.Looker:
    """Return the entry of the core that looks at blocks.

    Raises:
        CoreMissing: there is no core.
    """
    return block_probabilities.Looker(
        scanner(),
        look_tables.mark_kinds(),
        look_tables.is_layout(),
        look_tables.tags_around(),
        look_tables.own_tags(),
        look_tables.inline_tags(),
        look_tables.heading_levels(),
        tags.NUMBERS["h1"],
    )


def declared_headline(page: Page) -> str:
    """Return the headline that a page declares, else its title, else the title of the feed or link that led to it.

    The model was trained on headlines as pages declare them. `ending` finds the block of a hinted title.
    """
    found = page.signals.first("og:title", "twitter:title")
    declared = found[1] if found else page.signals.title
    return declared or page.hints.title or page.hints.anchor or ""


def declared_summary(page: Page) -> str:
    """Return the description that a feed or a page declares."""
    found = page.signals.first("og:description", "description", "twitter:description")
    hint = page.hints.description or page.hints.teaser
    return hint or (found[1] if found else "")


def declared_texts(page: Page) -> tuple[str, str, str]:
    """Return the title, the headline and the description of a page, as the core takes them."""
    return page.signals.title, declared_headline(page), declared_summary(page)


def _compiled(expert: Expert) -> core.CoreMemory:
    """Return the expert as the core holds it.

    Raises:
        BadModel: its trees ask for other features, or its arrays do not fit together.
    """
    first, second = expert.first, expert.second
    if first.features != features.first_names() or second.features != features.all_names():
        raise BadModel("the trees ask for features of another version: train the model again")
    arrays = word_weights(expert.lexicon)
    for trees in (first, second):
        arrays += [trees.feature.astype(np.uint16), trees.border, trees.leaf]
    arrays += _network(expert.network)
    try:
        return block_probabilities.expert(arrays, (first.depth, second.depth), (first.bias, second.bias))
    except ValueError:
        raise BadModel("the arrays of the model do not fit together: train the model again") from None


def word_weights(lexicon: Lexicon) -> list[NDArray[Any]]:
    """Return the numbers and weights of names and of cue words."""
    return [array for words in lexicon for array in (words.words.number, words.weight)]


def _network(network: BlockNetwork | None) -> list[NDArray[Any]]:
    """Return the arrays of a network as the core takes them, those of its layers one behind the other; empty ones for
    none.
    """
    if network is None:
        return [np.zeros(0, np.float32)] * 9
    layers = [np.concatenate([getattr(layer, part).ravel() for layer in network.layers]) for part in PARTS]
    last = np.append(network.last, network.last_bias)
    return [network.border, network.bounds, network.first, network.bias, *layers, last]


_experts: dict[int, tuple[Expert, core.CoreMemory]] = {}
_MOST: Final = 8  # experts that are held at the same time: those of four models


def _held(expert: Expert) -> core.CoreMemory:
    held = _experts.get(id(expert))
    if held is None:
        if len(_experts) >= _MOST:
            _experts.clear()
        held = _experts[id(expert)] = (expert, _compiled(expert))
    return held[1]


def look(page: Page, experts: Sequence[Expert]) -> Looked:
    """Return the visible blocks of a page, and the probabilities that each expert gives them.

    Raises:
        BadModel: the core cannot use an expert.
        CoreMissing: there is no core.
        CoreError: the core failed on this page.
    """
    count = page.compiled.blocks_size
    handles = list(map(_held, experts))
    looked = looker().look(page.compiled.memory, count, declared_texts(page), handles)
    return VisibleBlocks(looked.blocks, looked.words, looked.dates), looked.probabilities


def visible_blocks(page: Page) -> VisibleBlocks:
    """Return the visible blocks of a page."""
    return look(page, ())[0]
