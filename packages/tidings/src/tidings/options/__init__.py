"""The options of an extraction: one record for every interface, its checks, and its application to a page.

>>> from tidings import ExtractOptions, extract
>>> options = ExtractOptions(tables=False, leave_out=("aside", ".promo"), languages=("en", "de"))
>>> extract("<article lang=en><p>Seals are back in the estuary.</p></article>", options=options).text
'Seals are back in the estuary.'
"""

from tidings.options.model import DEFAULT, ExtractOptions

__all__ = ["DEFAULT", "ExtractOptions"]
