"""A caller's own tokens: which there are, and taking one back. They are made on the command line or in the account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from tidings.news.api.about import About, Number
from tidings.news.api.given import refuse
from tidings.news.api.operation import JSON, Call, Operation
from tidings.news.api.own import owner
from tidings.news.store.records_of_people import Scope
from tidings.news.web.access import Access

_TAG: Final = "tokens"


@dataclass(frozen=True, slots=True)
class OneToken:
    """A token."""

    id: Number


@dataclass(frozen=True, slots=True)
class TokenItem:
    """A token: all but the secret, which nobody knows but its owner."""

    id: int
    beginning: Annotated[str, About("Its first letters.")]
    name: str
    scopes: tuple[Scope, ...]
    created: datetime
    expires: datetime | None
    used: datetime | None
    revoked: datetime | None
    is_this: Annotated[bool, About("Whether it is the one you call with.")]


@dataclass(frozen=True, slots=True)
class TokenItems:
    """Tokens, the latest first."""

    items: tuple[TokenItem, ...]


def list_tokens(call: Call) -> TokenItems:
    """Your own tokens, those that are over included."""
    this = call.caller.token
    return TokenItems(
        tuple(
            TokenItem(
                one.id,
                one.told.beginning,
                one.told.name,
                tuple(sorted(one.told.scopes)),
                one.created,
                one.told.expires,
                one.used,
                one.revoked,
                this is not None and one.id == this.id,
            )
            for one in call.store.tokens(owner(call))
        )
    )


def revoke_token(call: Call, asked: OneToken) -> None:
    """Take back one of your own tokens; the one you call with as well, if you like."""
    if not call.store.revoke_token(asked.id, owner(call), call.now):
        refuse(404, f"you have no token {asked.id}, or not any more")


OPERATIONS: Final = (
    Operation("GET", "/tokens", list_tokens, _TAG, gives={JSON: TokenItems}, access=Access.TOKEN),
    Operation("DELETE", "/tokens/{id}", revoke_token, _TAG, OneToken, status=204, access=Access.OWN, problems=(404,)),
)
