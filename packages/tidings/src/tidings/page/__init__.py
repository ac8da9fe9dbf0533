"""A page as columns, and selected ranges of it.

All other packages build on this one and use only the public interface of `Page` and `Spans`. What is scanned changes
here and in `core/src`, and both must produce the same columns.
"""

from tidings.page.hints import Hints
from tidings.page.page import Page
from tidings.page.spans import Spans

__all__ = ["Hints", "Page", "Spans"]
