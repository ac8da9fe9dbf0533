"""The authors of an article: declared names, checked against bylines."""

from tidings.fields.authors.choice import find

__all__ = ["find"]
