"""A page as columns, and chosen ranges of it."""

from tidings.page.hints import Hints
from tidings.page.page import Page
from tidings.page.spans import Spans

__all__ = ["Hints", "Page", "Spans"]
