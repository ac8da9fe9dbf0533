"""The fields of an article besides its text: headline, authors, dates, language and the like."""

from tidings.fields.comments import Remark, Remarks
from tidings.fields.read import Fields, read
from tidings.fields.walls import Mark

__all__ = ["Fields", "Mark", "Remark", "Remarks", "read"]
