"""Fields of an article that are made when somebody asks for them.

Rules cut a story out of a page as a piece of its source. Its text is told quickly, and is all that many want; blocks
and pictures take longer, and are made from the piece when they are first asked for. Nobody can tell from outside:
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

    __slots__ = ("_body",)

    _body: Body | None  # None when all fields are made

    def with_late(self, body: Body, names: Iterable[str]) -> Self:
        """The same object, whose fields of these names are made from a body later; nobody may have seen it yet."""
        for name in names:
            object.__delattr__(self, name)
        object.__setattr__(self, "_body", body)
        return self

    if not TYPE_CHECKING:  # so that a name that is no field is still found

        def __getattr__(self, name: str) -> Any:
            """Asked for where a field has no value yet."""
            if name == "_body":  # was never late
                return None
            body = self._body
            if body is not None and name in type(self).__dataclass_fields__:
                # Two threads may both make the fields: they make the same.
                for made, value in body.fields().items():
                    object.__setattr__(self, made, value)
                object.__setattr__(self, "_body", None)
            return object.__getattribute__(self, name)
