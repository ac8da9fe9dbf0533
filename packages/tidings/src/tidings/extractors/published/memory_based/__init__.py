"""Memory-based learning over the elements of a page: features, memory, IB1, IGTREE, model file (inference only)."""

from tidings.extractors.published.memory_based.extractor import MemoryBased

__all__ = ["MemoryBased"]
