"""What is not shown: rules that are queries. They tell of whoever made them, so reading them takes a token."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from tidings.news.api.operations import JSON, Call, Operation
from tidings.news.api.schema import FieldDoc
from tidings.news.store.records_of_articles import Mute
from tidings.news.web.access import Access

_TAG: Final = "mutes"

Query = Annotated[str, FieldDoc("What is muted, as in search.", shortest=1, longest=1000, example="category:sport")]
Reason = Annotated[str, FieldDoc("Why, for those who wonder.", longest=500)]


@dataclass(frozen=True, slots=True)
class MuteRule:
    """A rule: what its query finds is not shown, until a time or for good."""

    query: Query
    reason: Reason = ""
    until: Annotated[datetime | None, FieldDoc("Until then; null: for good.")] = None


@dataclass(frozen=True, slots=True)
class MuteRules:
    """All rules there are to be."""

    rules: Annotated[tuple[MuteRule, ...], FieldDoc("They take the place of those there were.", most=200)]


@dataclass(frozen=True, slots=True)
class MuteItem:
    """A rule."""

    query: str
    reason: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Mutes:
    """The rules there are."""

    items: tuple[MuteItem, ...]


@dataclass(frozen=True, slots=True)
class Muted:
    """The rules there are now, and what they do."""

    items: tuple[MuteItem, ...]
    muted: Annotated[int, FieldDoc("Articles that a rule mutes now.")]


def list_mutes(call: Call) -> Mutes:
    """The rules by which articles are not shown."""
    return Mutes(_items(call))


def set_mutes(call: Call, body: MuteRules) -> Muted:
    """Replace all rules; every article is marked anew."""
    number = call.store.set_mutes([Mute(rule.query, rule.reason, rule.until) for rule in body.rules])
    call.app.shown.forget()
    return Muted(_items(call), number)


def _items(call: Call) -> tuple[MuteItem, ...]:
    return tuple(MuteItem(one.query, one.reason, one.until) for one in call.store.mutes())


OPERATIONS: Final = (
    Operation("GET", "/mutes", list_mutes, _TAG, gives={JSON: Mutes}, access=Access.TOKEN),
    Operation(
        "PUT",
        "/mutes",
        set_mutes,
        _TAG,
        body={JSON: MuteRules},
        gives={JSON: Muted},
        access=Access.HOUSE,
        problems=(415, 422),
    ),
)
