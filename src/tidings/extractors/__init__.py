"""Extractors: one module a publication, each a function from a page to ranges of its text."""

from tidings.extractors import dana, everything  # each module registers its names
from tidings.extractors.registry import Entry, Extractor, entries, extractor, register

__all__ = ["Entry", "Extractor", "dana", "entries", "everything", "extractor", "register"]
