"""The visible blocks of a page and their content probabilities, computed by the compiled core."""

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
    """The visible blocks of a page, with their word counts and the number of dated blocks before each."""

    blocks: Ints  # indices into `page.blocks`
    words: Ints
    dates: NDArray[np.float64]  # number of dated blocks before each block, and in total


Looked = tuple[VisibleBlocks, list[NDArray[np.float64]]]


@cache
def looker() -> block_probabilities.Looker:
    """Return the function of the core that computes block features, with its tables of tags and characters. Cached.

    Raises:
        CoreMissing: the compiled core is not installed.
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
    """Return the declared headline of a page, else its title, else the title of the feed or link that led to it.

    The model was trained on declared headlines. `ending` finds the block of a hinted title.
    """
    meta = page.signals.first("og:title", "twitter:title")
    declared = meta[1] if meta else page.signals.title
    return declared or page.hints.title or page.hints.anchor or ""


def declared_summary(page: Page) -> str:
    """Return the description from the feed, or else from the page's metadata."""
    meta = page.signals.first("og:description", "description", "twitter:description")
    hint = page.hints.description or page.hints.teaser
    return hint or (meta[1] if meta else "")


def declared_texts(page: Page) -> tuple[str, str, str]:
    """Return title, headline and description of a page, in the order of the core's arguments."""
    return page.signals.title, declared_headline(page), declared_summary(page)


def _compiled(expert: Expert) -> core.CoreMemory:
    """Load the weights of a block classifier ("expert") into the core's memory.

    Raises:
        BadModel: its trees use other features, or its arrays do not fit together.
    """
    trees = expert.trees
    if trees.features != features.feature_names():
        raise BadModel("the trees ask for features of another version: train the model again")
    arrays = word_weights(expert.lexicon)
    arrays += [trees.feature.astype(np.uint16), trees.border, trees.leaf]
    for network in expert.networks:
        arrays += _network(network)
    try:
        return block_probabilities.expert(arrays, trees.depth, trees.bias)
    except ValueError:
        raise BadModel("the arrays of the model do not fit together: train the model again") from None


def word_weights(lexicon: Lexicon) -> list[NDArray[Any]]:
    """Return the arrays of a lexicon for the core: hashes and weights of names, then hashes and weights of
    cue words.
    """
    return [array for words in lexicon for array in (words.words.number, words.weight)]


def _network(network: BlockNetwork) -> list[NDArray[Any]]:
    """Return the arrays of a network for the core, with those of all layers concatenated."""
    layers = [np.concatenate([getattr(layer, part).ravel() for layer in network.layers]) for part in PARTS]
    last = np.append(network.last, network.last_bias)
    return [network.border, network.bounds, network.first, network.bias, *layers, last]


_experts: dict[int, tuple[Expert, core.CoreMemory]] = {}
_CACHE_SIZE: Final = 8  # the experts of four models


def _load_expert(expert: Expert) -> core.CoreMemory:
    cached = _experts.get(id(expert))
    if cached is None:
        if len(_experts) >= _CACHE_SIZE:
            _experts.clear()
        cached = _experts[id(expert)] = (expert, _compiled(expert))
    return cached[1]


def look(page: Page, experts: Sequence[Expert]) -> Looked:
    """Return the visible blocks of a page, and each expert's (block classifier's) probabilities for them.

    Raises:
        BadModel: the core cannot use an expert.
        CoreMissing: the compiled core is not installed.
        CoreError: the core failed on this page.
    """
    count = page.compiled.blocks_size
    handles = list(map(_load_expert, experts))
    result = looker().look(page.compiled.memory, count, declared_texts(page), handles)
    return VisibleBlocks(result.blocks, result.words, result.dates), result.probabilities


def visible_blocks(page: Page) -> VisibleBlocks:
    """Return the visible blocks of a page."""
    return look(page, ())[0]
