"""Settings of learners from the command line (`--set NAME=VALUE`)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, TypeVar, cast

from tidings.errors import InputError, did_you_mean

Learner = TypeVar("Learner")


def with_settings(learner: Learner, settings: Mapping[str, str]) -> Learner:
    """Return a learner (a dataclass) with other settings: numbers, words, true or false, members of enums.

    The setting of a nested dataclass is written with a dot, like `first.trees`.

    Raises:
        InputError: there is no such setting, or the value is invalid.
    """
    current: dict[str, Any] = {
        field.name: getattr(learner, field.name) for field in dataclasses.fields(cast("Any", learner))
    }
    changes: dict[str, Any] = {}
    for name, value in settings.items():
        key, _, inner = name.replace("-", "_").partition(".")
        if key not in current or dataclasses.is_dataclass(current[key]) != bool(inner):
            raise InputError(f"there is no setting {name!r}; {did_you_mean(name, tuple(_named(learner)))}")
        part = changes.get(key, current[key])
        changes[key] = with_settings(part, {inner: value}) if inner else _read(name, value, part)
    return dataclasses.replace(cast("Any", learner), **changes)  # type: ignore[no-any-return]  # of the same class


def _named(learner: object) -> Iterator[str]:
    """Yield the names of the settings of a learner and of its parts."""
    for field in dataclasses.fields(cast("Any", learner)):
        part = getattr(learner, field.name)
        yield from (
            (f"{field.name}.{inner}" for inner in _named(part)) if dataclasses.is_dataclass(part) else (field.name,)
        )


def _read(name: str, value: str, current: object) -> object:
    if isinstance(current, Enum):
        choices = {member.name.lower().replace("_", "-"): member for member in type(current)}
        if value.lower() not in choices:
            raise InputError(f"{name} is one of {', '.join(choices)}, not {value!r}")
        return choices[value.lower()]
    if isinstance(current, bool):
        if value.lower() not in ("true", "false"):
            raise InputError(f"{name} is true or false, not {value!r}")
        return value.lower() == "true"
    try:
        return type(current)(value) if isinstance(current, int | float) else value
    except ValueError:
        raise InputError(f"{name} is a number, not {value!r}") from None
