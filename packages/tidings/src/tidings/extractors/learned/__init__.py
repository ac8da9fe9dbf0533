"""The learned default: features of blocks, what words mean, trees, a second look, a choice. Inference only."""

from tidings.extractors.learned.choice import Preference
from tidings.extractors.learned.extractor import Learned

__all__ = ["Learned", "Preference"]
