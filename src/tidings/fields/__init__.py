"""The fields of an article besides its text: headline, authors, dates, language and the like.

A module a field, asked by `read` in the order in which they need each other. A new field is a module here and a line in
`read` and in `article`; none of them knows of extractors, sites or the web.
"""

from tidings.fields.access import Mark
from tidings.fields.comments import Remark, Remarks
from tidings.fields.read import Fields, read

__all__ = ["Fields", "Mark", "Remark", "Remarks", "read"]
