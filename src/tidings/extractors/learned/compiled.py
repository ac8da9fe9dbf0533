"""Block probabilities of the default extractor, computed by the core.

What the core must know of tags and marks comes from there, so that it is said once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings import core
from tidings.core import looks
from tidings.errors import BadModel, ExtractorError
from tidings.extractors.learned import choice, context, features, seen_blocks, story
from tidings.extractors.learned.core_columns import core_columns, hidden_runs
from tidings.extractors.learned.model import Expert
from tidings.extractors.learned.network import PARTS, BlockNetwork
from tidings.page import Page, tags
from tidings.page.compiled import required_scanner

#: The features that the core works out, in its order.
_FIRST: Final = features.NAMES
_SECOND: Final = features.NAMES + context.NAMES

Looked = tuple[seen_blocks.VisibleBlocks, list[tuple[NDArray[np.float64], looks.ExpertChoice]]]


@cache
def _looker() -> looks.Looker:
    return looks.Looker(
        required_scanner(),
        seen_blocks.mark_kinds(),
        seen_blocks.LAYOUT.astype(np.uint8),
        seen_blocks.SORT.astype(np.uint8),
        _bits(features.OWN).astype(np.uint16),
        _bits(features.INLINE).astype(np.uint8),
        features.ORDER.astype(np.uint8),
        tags.NUMBERS["h1"],
    )


def _bits(sets: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each tag the sets it is in, a bit each."""
    return np.asarray((sets.astype(np.int64) << np.arange(len(sets))[:, None]).sum(axis=0))


def _compiled(expert: Expert) -> core.CoreMemory:
    """Return the expert as the core holds it.

    Raises:
        BadModel: its trees ask for other features, or its arrays do not fit together.
    """
    if expert.first.features != _FIRST or expert.second.features != _SECOND:
        raise BadModel("the trees ask for features of another version: train the model again")
    lexicon = expert.lexicon
    arrays: list[NDArray[Any]] = [
        one for words in (lexicon.names, lexicon.cues) for one in (words.words.number, words.weight)
    ]
    for trees in (expert.first, expert.second):
        arrays += [trees.feature.astype(np.uint16), trees.border, trees.leaf]
    arrays += _network(expert.network)
    first, second = expert.first, expert.second
    handle = looks.expert(arrays, (first.depth, second.depth), (first.bias, second.bias))
    if handle is None:
        raise BadModel("the arrays of the model do not fit together: train the model again")
    return handle


def _network(network: BlockNetwork | None) -> list[NDArray[Any]]:
    """The arrays of a network as the core takes them, those of its layers one behind the other; empty ones for none."""
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
    """Return the visible blocks of a page, and the probabilities and the selection of each expert.

    Raises:
        BadModel: the core cannot use an expert.
        CoreMissing: there is no core.
        ExtractorError: the core failed on this page.
    """
    declared = (page.signals.title, story.declared_headline(page), story.declared_summary(page))
    memory, blocks = core_columns(page), len(page.blocks) if page.compiled is None else page.compiled.blocks_size
    looked = _looker().look(memory, blocks, hidden_runs(page), declared, list(map(_held, experts)), choice.BALANCED)
    if looked is None:
        raise ExtractorError("the compiled core failed on this page; please report it")
    return seen_blocks.VisibleBlocks(looked.blocks, looked.words, looked.dates), looked.looks
