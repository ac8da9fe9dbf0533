"""Block features for training, as the core computes them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings import core
from tidings.core import block_probabilities
from tidings.extractors.learned import blocks
from tidings.extractors.learned.features import feature_names
from tidings.extractors.learned.lexicon import Lexicon
from tidings.page import Page
from tidings.page.columns import Ints

Floats = NDArray[np.float32]


class BlockFeatures(NamedTuple):
    """The visible blocks of a page, and a row of numbers for each feature."""

    blocks: Ints  # indices into `page.blocks`
    names: tuple[str, ...]
    rows: Floats  # a row per feature, a column per block
    words: Ints  # of each block
    low: Ints  # element e contains the blocks low[e] … high[e] - 1
    high: Ints
    boxes: Ints  # levels × blocks: the layout boxes around each block, from the nearest outwards
    paths: Ints  # 2 × blocks: the number of the short and of the long path of tags


def features(page: Page, lexicon: Lexicon) -> BlockFeatures:
    """Return the features of a page's blocks, with the word weights of a lexicon."""
    names, declared = feature_names(), blocks.declared_texts(page)
    size = len(page.blocks), len(page.elements), len(names)
    computed = blocks.looker().features(page.compiled.memory, size, declared, _without_trees(lexicon))
    return BlockFeatures(
        computed.blocks,
        names,
        computed.rows,
        computed.words,
        computed.low,
        computed.high,
        computed.boxes,
        computed.paths,
    )


def _without_trees(lexicon: Lexicon) -> core.CoreMemory:
    """Return an expert of the core that has word weights only."""
    none = np.zeros(0, np.float32)
    trees: list[NDArray[Any]] = [np.zeros(0, np.uint16), none, none]
    return block_probabilities.expert([*blocks.word_weights(lexicon), *trees], 1, 0.0)
