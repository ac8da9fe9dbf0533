"""The block classifier of the hybrid approach: features, decision tree, and selection of the main block."""

from tidings.extractors.published.block_tree.extractor import BlockTree
from tidings.extractors.published.block_tree.features import BlockClass

__all__ = ["BlockClass", "BlockTree"]
