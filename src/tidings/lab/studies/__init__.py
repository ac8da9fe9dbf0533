"""The documents' experiments, repeated: a file for each, all with the same form.

A study is a function from samples to figures; figures give tables and charts. `tidings lab study` runs them by name.
"""

from __future__ import annotations

from typing import Final

from tidings.errors import InputError, did_you_mean
from tidings.lab.studies import (
    combinations,
    dana_filters,
    dana_gap,
    dana_smoothing,
    domains,
    headlines,
    hybrid_features,
    hybrid_learners,
    hybrid_rules,
    inserted_sentences,
    layout,
    layout_fresh,
    learned_sites,
    learners,
    memory_curves,
    memory_domains,
    memory_second,
    memory_settings,
    n_ext_beta,
    n_ext_variants,
    workers,
)
from tidings.lab.studies.study import Each, Figures, InTurn, Study, some
from tidings.lab.studies.tables import FORMATS, Table, write

#: Every study by its name.
STUDIES: Final[dict[str, Study]] = {
    module.STUDY.name: module.STUDY
    for module in (
        n_ext_beta,
        n_ext_variants,
        dana_gap,
        dana_filters,
        dana_smoothing,
        headlines,
        inserted_sentences,
        combinations,
        workers,
        domains,
        learners,
        memory_domains,
        memory_settings,
        memory_curves,
        memory_second,
        hybrid_learners,
        hybrid_features,
        hybrid_rules,
        learned_sites,
        layout,
        layout_fresh,
    )
}


def study(name: str) -> Study:
    """The study of that name.

    Raises:
        InputError: there is none; the message lists the nearest ones.
    """
    if name not in STUDIES:
        raise InputError(f"there is no study called {name!r}; {did_you_mean(name, tuple(STUDIES))}")
    return STUDIES[name]


__all__ = ["FORMATS", "STUDIES", "Each", "Figures", "InTurn", "Study", "Table", "some", "study", "write"]
