"""The publication and modification dates of an article."""

from tidings.fields.dates.choice import day_in_address, find

__all__ = ["day_in_address", "find"]
