"""The methods of the DANA family by language, for studies."""

from __future__ import annotations

from typing import Any, Final

from tidings.extractors.published.dana import DANA, R2L, AdDANAg, DANAg
from tidings.text import base_language
from tidings_lab.studies.page_groups import large_groups
from tidings_lab.studies.trials import Trials

_RIGHT_TO_LEFT: Final = frozenset({"ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"})
Method = R2L | DANA | DANAg | AdDANAg
ANY_LANGUAGE: Final[dict[str, Method]] = {"danag": DANAg(), "addanag": AdDANAg()}
BY_SCRIPT: Final[dict[str, Method]] = {"r2l": R2L(), "dana": DANA()}


def methods_for(language: str) -> dict[str, Method]:
    """Return the DANA methods for a language; R2L and DANA only for languages written from right to left."""
    return BY_SCRIPT | ANY_LANGUAGE if base_language(language) in _RIGHT_TO_LEFT else ANY_LANGUAGE


def group_keys(trials: Trials[Any]) -> list[tuple[str, str]]:
    """Return the measured pairs of group and method, for groups with enough pages."""
    present = set(zip(trials.column("group"), trials.column("method"), strict=True))
    groups = large_groups(trials.where(method="danag").column("group"))
    return [(name, method) for name in groups for method in BY_SCRIPT | ANY_LANGUAGE if (name, method) in present]
