"""The default extractor, a trained model: block features, boosted trees, a network and a selection (inference only)."""

from tidings.extractors.learned.choice import Preference
from tidings.extractors.learned.extractor import Learned

__all__ = ["Learned", "Preference"]
