"""The fields of an article besides its text: headline, authors, dates, language and the like.

A module a field, asked by `read` in the order in which they need each other. A new field is a module here, a line in
`read`, in `article.model` and in `article.assemble` (CONTRIBUTING has the whole list); none of them knows of
extractors, sites or the web.
"""

from tidings.fields.access import Mark
from tidings.fields.comments import Remark, Remarks
from tidings.fields.read import Fields, read, read_for_text

__all__ = ["Fields", "Mark", "Remark", "Remarks", "read", "read_for_text"]
