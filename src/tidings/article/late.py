"""Fields of an article that are made when somebody asks for them.

The text of a story is told quickly, and is all that many want; blocks and pictures take longer, and are made when they
are first asked for, from the piece of source that rules cut out or from the page. Nobody can tell from outside:
such an article is as equal, hashed, copied, pickled and written as one that was made whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self


class Body(Protocol):
    """What late fields are made of."""

    @property
    def text(self) -> str:
        """The text of the blocks."""

    def fields(self) -> Mapping[str, Any]:
        """The late fields; the same whenever it is called."""


class Late:
    """Something some of whose fields may be late."""

    __slots__ = ("__weakref__", "_body")

    _body: Body | None  # None when all fields are made

    def with_late(self, body: Body, names: Iterable[str]) -> Self:
        """The same object, whose fields of these names are made from a body later; nobody may have seen it yet."""
        for name in names:
            object.__delattr__(self, name)
        object.__setattr__(self, "_body", body)
        return self

    def _make(self) -> None:
        """Make the late fields now, and let go of what they are made of."""
        body = self._body
        if body is not None:
            # Two threads may both make the fields: they make the same.
            for made, value in body.fields().items():
                object.__setattr__(self, made, value)
            object.__setattr__(self, "_body", None)

    if not TYPE_CHECKING:  # so that a name that is no field is still found

        def __getattr__(self, name: str) -> Any:
            """Asked for where a field has no value yet."""
            if name == "_body":  # was never late
                return None
            if name in type(self).__dataclass_fields__:
                self._make()
            return object.__getattribute__(self, name)
