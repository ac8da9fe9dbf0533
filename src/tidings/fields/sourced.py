"""A value of a field together with where it was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sourced(Generic[T]):
    """A value and its provenance: which declaration or which part of the page told it."""

    value: T
    by: str
