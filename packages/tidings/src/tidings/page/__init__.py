"""A page as columns, and chosen ranges of it.

Everything stands on this. Outside it only what `Page` and `Spans` show is used, never a name with an underscore; a
change of what is scanned is made here and in `core/src`, and both must give the same columns.
"""

from tidings.page.hints import Hints
from tidings.page.page import Page
from tidings.page.spans import Spans

__all__ = ["Hints", "Page", "Spans"]
