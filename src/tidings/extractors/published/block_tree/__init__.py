"""The block classifier tree of the hybrid approach as an extractor: features, tree, choice of the main block."""

from tidings.extractors.published.block_tree.classes import BlockClass
from tidings.extractors.published.block_tree.extractor import BlockTree

__all__ = ["BlockClass", "BlockTree"]
