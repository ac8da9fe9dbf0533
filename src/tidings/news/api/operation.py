"""One operation of the API, as data: where it is, what it takes, what it gives, who may."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from starlette.requests import Request

from tidings.news.store import Store
from tidings.news.web.access import Access, Caller
from tidings.news.web.house import House

BASE: Final = "/api/v1"
JSON: Final = "application/json"

#: What a handler gets: the call, then its parameters, then its body, where it has them; what it gives is sent.
Handler: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Call:
    """Somebody asks for something."""

    request: Request
    house: House
    caller: Caller

    @property
    def store(self) -> Store:
        """Where everything is."""
        return self.house.store

    @property
    def now(self) -> datetime:
        """What time it is."""
        return self.house.now()


@dataclass(frozen=True, slots=True)
class Given:
    """A body that came in: bytes, and what they are said to be."""

    data: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class Operation:
    """What can be done at an address.

    Args:
        method: of HTTP.
        path: below /api/v1; names in braces are fields of `takes`.
        does: the handler. What it says first is the summary.
        tag: the chapter it stands in.
        takes: the record of its parameters.
        body: by media type, the record of a body in JSON, or `bytes` for one that comes as it is.
        gives: by media type, the record that is answered, or a schema of its own; empty: nothing is.
        status: of a good answer.
        access: who may.
        costs: it fetches or reads a page, or counts a lot; one visitor may ask for so many in a minute.
        problems: statuses of what can go wrong, besides those that always can.
    """

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    does: Handler
    tag: str
    takes: type[Any] | None = None
    body: Mapping[str, Any] = field(default_factory=dict)
    gives: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    access: Access = Access.READING
    costs: bool = False
    problems: tuple[int, ...] = ()

    @property
    def address(self) -> str:
        """The whole path."""
        return BASE + self.path

    @property
    def name(self) -> str:
        """The same for ever: what generated clients call it."""
        return self.does.__name__.rstrip("_")

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return (self.does.__doc__ or "").strip().partition("\n")[0]

    @property
    def description(self) -> str:
        """What else there is to know of it."""
        rest = (self.does.__doc__ or "").strip().partition("\n")[2]
        return "\n".join(line.strip() for line in rest.strip().splitlines())
