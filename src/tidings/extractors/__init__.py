"""Extractors: one module a publication, each a function from a page to ranges of its text."""

from tidings.extractors import (  # each module registers its names
    bte,
    ccb,
    cetd,
    cetr,
    content_seeker,
    correlation_clustering,
    crunch,
    dana,
    density,
    dsc,
    everything,
    feature_extractor,
    gswce,
    headline_bounded,
    largest_block,
    lbnest,
    lqf,
    mantratzis,
    n_ext,
    shallow,
    similarity_based,
)
from tidings.extractors.registry import Entry, Extractor, entries, extractor, register

#: What `tidings.extract` and the command line use when nothing else is asked for.
DEFAULT = "addanag"

__all__ = [
    "DEFAULT",
    "Entry",
    "Extractor",
    "bte",
    "ccb",
    "cetd",
    "cetr",
    "content_seeker",
    "correlation_clustering",
    "crunch",
    "dana",
    "density",
    "dsc",
    "entries",
    "everything",
    "extractor",
    "feature_extractor",
    "gswce",
    "headline_bounded",
    "largest_block",
    "lbnest",
    "lqf",
    "mantratzis",
    "n_ext",
    "register",
    "shallow",
    "similarity_based",
]
