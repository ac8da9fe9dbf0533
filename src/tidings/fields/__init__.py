"""The fields of an article besides its text: headline, authors, dates, language and the like."""

from tidings.fields.read import Fields, read

__all__ = ["Fields", "read"]
