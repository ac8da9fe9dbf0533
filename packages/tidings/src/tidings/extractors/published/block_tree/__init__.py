"""The block classifier tree of the hybrid approach as an extractor: features, tree, choice of the main block."""

from tidings.extractors.published.block_tree.extractor import BlockTree
from tidings.extractors.published.block_tree.features import BlockClass

__all__ = ["BlockClass", "BlockTree"]
