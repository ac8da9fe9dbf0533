"""Extractors: one module a publication, each a function from a page to ranges of its text."""

from tidings.extractors.registry import Entry, Extractor, entries, extractor, register

#: What `tidings.extract` and the command line use when nothing else is asked for.
DEFAULT = "learned"

__all__ = ["DEFAULT", "Entry", "Extractor", "entries", "extractor", "register"]
