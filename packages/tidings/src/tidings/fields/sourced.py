"""A value of a field together with where it was found."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Sourced(NamedTuple, Generic[T]):
    """A value and its provenance: which declaration or which part of the page told it."""

    value: T
    by: str
