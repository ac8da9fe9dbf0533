"""Block features for training, as the core computes them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings import core
from tidings.core import block_probabilities
from tidings.errors import BadModel
from tidings.extractors.learned import blocks
from tidings.extractors.learned.features import all_names, first_names
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.model import Expert
from tidings.extractors.learned.trees import Trees
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
    """Return the features of a page's blocks that the default extractor computes in its first pass."""
    computed, names = _computed(page, lexicon, len(first_names()), None), first_names()
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


def context_features(page: Page, probabilities: NDArray[np.float64]) -> Floats:
    """Return the features that the default extractor computes only in its second pass.

    They depend on the probabilities of neighbouring blocks.

    Args:
        page: the page.
        probabilities: the first pass's probability of each visible block.

    Raises:
        ExtractorError: there is not one probability per visible block.
    """
    lexicon = Lexicon(Weights.of({}), Weights.of({}))
    return _computed(page, lexicon, len(all_names()) - len(first_names()), probabilities).rows


def first_probabilities(page: Page, lexicon: Lexicon, trees: Trees) -> NDArray[np.float64]:
    """Return the probability of each visible block by the trees of the default extractor's first pass."""
    # The core runs two passes. The second one gets the same trees, so its results are those of the first pass.
    second = Trees(all_names(), trees.feature, trees.border, trees.leaf, trees.bias)
    return blocks.look(page, [Expert(lexicon, trees, second)])[1][0]


def _computed(
    page: Page, lexicon: Lexicon, count: int, first: NDArray[np.float64] | None
) -> block_probabilities.FeatureRows:
    size = len(page.blocks), len(page.elements), count
    declared, weights = blocks.declared_texts(page), _weights(lexicon)
    return blocks.looker().features(page.compiled.memory, size, declared, weights, first)


def _weights(lexicon: Lexicon) -> core.CoreMemory:
    """Return the weights of a block classifier without trees, for computing features only."""
    none = np.zeros(0, np.float32)
    trees: list[NDArray[Any]] = [np.zeros(0, np.uint16), none, none]
    arrays = [*blocks.word_weights(lexicon), *trees, *trees, *[none] * 9]
    expert = block_probabilities.expert(arrays, (1, 1), (0.0, 0.0))
    if expert is None:
        raise BadModel("the weights of words do not fit together")
    return expert
