"""Extractors: each a function from a page to ranges of its text.

`published` has one module a publication, which changes only where it departs from its paper; `learned` is the default
and changes with its model; `registry` has the names, `combine` and `expression` what is made of several. Whatever
changes here is held by the contract suite and by the floors of the gate.
"""

from tidings.extractors.registry import Entry, Extractor, entries, extractor, register

#: What `tidings.extract` and the command line use when nothing else is asked for.
DEFAULT = "learned"

__all__ = ["DEFAULT", "Entry", "Extractor", "entries", "extractor", "register"]
