"""The documents' experiments, repeated: all with the same form.

A study is a function from samples to figures; figures give tables and charts. `tidings lab study` runs them by name.
"""

from __future__ import annotations

from typing import Final

from tidings.errors import InputError, did_you_mean
from tidings.lab.studies import (
    combinations,
    dana,
    domains,
    headlines,
    hybrid_learners,
    hybrid_rules,
    inserted_sentences,
    layout,
    learned_sites,
    learners,
    memory_domains,
    memory_settings,
    n_ext,
    workers,
)
from tidings.lab.studies.study import Each, InTurn, Study, StudyFigures, some
from tidings.lab.tables import FORMATS, Table, write

#: Every study by its name.
STUDIES: Final[dict[str, Study]] = {
    study.name: study
    for study in (
        n_ext.BETA,
        n_ext.VARIANT_STUDY,
        dana.GAP,
        dana.FILTERS,
        dana.SMOOTHING,
        headlines.STUDY,
        inserted_sentences.STUDY,
        combinations.STUDY,
        workers.STUDY,
        domains.STUDY,
        learners.STUDY,
        memory_domains.DOMAINS,
        memory_settings.SETTINGS,
        memory_domains.CURVES,
        memory_settings.SECOND,
        hybrid_learners.LEARNER_STUDY,
        hybrid_learners.FEATURE_STUDY,
        hybrid_rules.STUDY,
        learned_sites.STUDY,
        layout.STUDY,
        layout.FRESH,
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


__all__ = ["FORMATS", "STUDIES", "Each", "InTurn", "Study", "StudyFigures", "Table", "some", "study", "write"]
