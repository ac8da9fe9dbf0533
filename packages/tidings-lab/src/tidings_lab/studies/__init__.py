"""Studies: experiments of publications, repeated with one interface.

A study is a function from samples to figures; figures return tables and charts. `tidings lab study` runs studies by
name, importing each on first use. A new study is a module here with a `Study`, and a line in `STUDIES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, cast

from tidings.errors import InputError, did_you_mean
from tidings_lab.studies.study import Each, InTurn, Study, StudyFigures, sample_subset
from tidings_lab.tables import FORMATS, Table, write

#: All studies: name, module and the name of the `Study` in it.
STUDIES: Final[Mapping[str, str]] = {
    "n-ext-beta": "n_ext_beta:BETA",
    "n-ext-feeds": "n_ext_feeds:FEEDS",
    "n-ext-variants": "n_ext_variants:VARIANT_STUDY",
    "n-ext-sentences": "n_ext_sentences:SENTENCES",
    "dana-gap": "dana_gap:GAP",
    "dana-filters": "dana_filters:FILTERS",
    "dana-smoothing": "dana_smoothing:SMOOTHING",
    "headlines": "headlines:STUDY",
    "inserted-sentences": "inserted_sentences:STUDY",
    "combinations": "combinations:STUDY",
    "workers": "workers:STUDY",
    "domains": "domains:STUDY",
    "learners": "learners:STUDY",
    "hints": "lengthened:HINTS",
    "lengthened": "lengthened:STUDY",
    "memory-domains": "memory_domains:DOMAINS",
    "memory-settings": "memory_settings:SETTINGS",
    "memory-curves": "memory_curves:CURVES",
    "memory-second": "memory_settings:SECOND",
    "hybrid-learners": "hybrid_learners:LEARNER_STUDY",
    "hybrid-features": "hybrid_learners:FEATURE_STUDY",
    "hybrid-times": "learned_sites:TIMES",
    "hybrid-rules": "hybrid_rules:STUDY",
    "learned-sites": "learned_sites:STUDY",
    "layout": "layout:STUDY",
    "layout-fresh": "layout:FRESH",
}


def study(name: str) -> Study:
    """Return the study with this name.

    Raises:
        InputError: there is none; the message lists the nearest ones.
    """
    if name not in STUDIES:
        raise InputError(f"there is no study called {name!r}; {did_you_mean(name, tuple(STUDIES))}")
    module, _, constant = STUDIES[name].partition(":")
    return cast("Study", getattr(import_module(f"{__name__}.{module}"), constant))


__all__ = ["FORMATS", "STUDIES", "Each", "InTurn", "Study", "StudyFigures", "Table", "sample_subset", "study", "write"]
