"""The metadata fields of an article: headline, authors, dates, language and more.

Each field has a module. `read` calls them in dependency order. To add a field, add a module here and a line in `read`,
`article.model` and `article.assemble` (CONTRIBUTING has the full list). Field modules do not import extractors, sites
or the web.
"""

from tidings.fields.access import Mark
from tidings.fields.comments import Remark, Remarks
from tidings.fields.read import Fields, read, read_for_text

__all__ = ["Fields", "Mark", "Remark", "Remarks", "read", "read_for_text"]
