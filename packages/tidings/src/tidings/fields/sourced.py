"""A field value with its provenance."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Sourced(NamedTuple, Generic[T]):
    """A value and its provenance: the declaration or the part of the page that it comes from."""

    value: T
    by: str
