"""API operations for the data of a user: saved and unread articles, followed stories, subscriptions, tokens, mutes.

Mute rules reveal the interests of their author, so reading them needs a token too.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from tidings_portal import responses
from tidings_portal.accounts.account import subscriptions_of
from tidings_portal.api.operations import Call, Operation
from tidings_portal.api.requests import refuse
from tidings_portal.api.schema import Cursor, Limit, Number, SourceNumber
from tidings_portal.responses import Articles, FieldDoc, SourceItem, StoryItem
from tidings_portal.store.records_of_articles import Mute
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.web.access import Access

_TAG: Final = "your own"
_MOST_UNREAD: Final = 10_000


@dataclass(frozen=True, slots=True)
class PageAsked:
    """The page of a list: its size and cursor."""

    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class UnreadAsked:
    """Parameters of the list of unread articles."""

    source: SourceNumber = None
    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class OneOwn:
    """Parameters that name an article, story or source."""

    id: Number


@dataclass(frozen=True, slots=True)
class Subscribing:
    """Settings of a subscription: title and folder."""

    folder: Annotated[str, FieldDoc("Folder of the user.", longest=200)] = ""
    title: Annotated[str, FieldDoc("Title of the user. Default: the declared title.", longest=500)] = ""


@dataclass(frozen=True, slots=True)
class OwnStories:
    """Stories that the user follows, the most recently updated first."""

    items: tuple[StoryItem, ...]


@dataclass(frozen=True, slots=True)
class OwnSource:
    """A source that the user subscribes to."""

    source: SourceItem
    folder: str
    title: str
    since: datetime
    unread: Annotated[int, FieldDoc(f"Articles of it that you have not read; counting stops at {_MOST_UNREAD:,}.")]


@dataclass(frozen=True, slots=True)
class OwnSources:
    """The user's sources, by folder and name."""

    items: tuple[OwnSource, ...]


def list_saved(call: Call, params: PageAsked) -> Articles:
    """List the user's saved articles, the latest first."""
    return responses.articles(call.store.saved(owner(call), limit=params.limit, after=params.cursor))


def save_article(call: Call, params: OneOwn) -> None:
    """Save an article. It stays in the store as long as a user has saved it."""
    require_found(call.store.save(params.id, owner(call), call.now), f"there is no article {params.id}")


def unsave_article(call: Call, params: OneOwn) -> None:
    """Remove an article from the user's saved articles."""
    require_found(call.store.unsave(params.id, owner(call)), f"you have not saved an article {params.id}")


def list_unread(call: Call, params: UnreadAsked) -> Articles:
    """List unread articles of the user's sources, the latest first."""
    sources = call.store.sources_read(owner(call)) if params.source is None else (params.source,)
    return responses.articles(call.store.unread(owner(call), sources, limit=params.limit, after=params.cursor))


def mark_read(call: Call, params: OneOwn) -> None:
    """Mark an article as read. Read counts of the portal do not change."""
    require_found(bool(call.store.mark_read(owner(call), (params.id,))), f"there is no article {params.id}")


def mark_unread(call: Call, params: OneOwn) -> None:
    """Mark an article as unread."""
    require_found(bool(call.store.mark_read(owner(call), (params.id,), read=False)), f"there is no article {params.id}")


def list_followed(call: Call) -> OwnStories:
    """List the stories that the user follows."""
    return OwnStories(tuple(map(responses.story, call.store.followed(owner(call)))))


def follow_story(call: Call, params: OneOwn) -> None:
    """Follow a story."""
    require_found(call.store.follow(params.id, owner(call), call.now), f"there is no story {params.id}")


def unfollow_story(call: Call, params: OneOwn) -> None:
    """Unfollow a story."""
    require_found(call.store.unfollow(params.id, owner(call)), f"you do not follow a story {params.id}")


def list_own_sources(call: Call) -> OwnSources:
    """List the user's sources with the number of unread articles of each.

    Without subscriptions these are all sources.
    """
    counts = call.store.item_counts()
    return OwnSources(
        tuple(
            OwnSource(
                responses.source(one.source, counts.get(one.source.id)),
                one.folder,
                one.title,
                one.since,
                one.unread,
            )
            for one in subscriptions_of(call.store, owner(call), most_unread=_MOST_UNREAD)
        )
    )


def subscribe(call: Call, params: OneOwn, body: Subscribing) -> None:
    """Subscribe to a source, or change folder and title of a subscription."""
    done = call.store.subscribe(params.id, owner(call), call.now, folder=body.folder, title=body.title)
    require_found(done, f"there is no source {params.id}, or you have too many")


def unsubscribe(call: Call, params: OneOwn) -> None:
    """Unsubscribe from a source. The source stays in the store."""
    require_found(call.store.unsubscribe(params.id, owner(call)), f"the source {params.id} is not your own")


def owner(call: Call) -> str:
    """Return the key of the user whose data is requested."""
    return call.caller.token.person if call.caller.token is not None else LOCAL


def require_found(done: bool, otherwise: str) -> None:
    """Raise a 404 error unless `done`."""
    if not done:
        refuse(404, otherwise)


OPERATIONS: Final = (
    Operation("GET", "/own/saved", list_saved, _TAG, access=Access.TOKEN),
    Operation("PUT", "/own/saved/{id}", save_article, _TAG, access=Access.OWN, problems=(404,)),
    Operation("DELETE", "/own/saved/{id}", unsave_article, _TAG, access=Access.OWN, problems=(404,)),
    Operation("GET", "/own/unread", list_unread, _TAG, access=Access.TOKEN),
    Operation("PUT", "/own/read/{id}", mark_read, _TAG, access=Access.OWN, problems=(404,)),
    Operation("DELETE", "/own/read/{id}", mark_unread, _TAG, access=Access.OWN, problems=(404,)),
    Operation("GET", "/own/stories", list_followed, _TAG, access=Access.TOKEN),
    Operation("PUT", "/own/stories/{id}", follow_story, _TAG, access=Access.OWN, problems=(404,)),
    Operation("DELETE", "/own/stories/{id}", unfollow_story, _TAG, access=Access.OWN, problems=(404,)),
    Operation("GET", "/own/sources", list_own_sources, _TAG, access=Access.TOKEN),
    Operation("PUT", "/own/sources/{id}", subscribe, _TAG, access=Access.OWN, problems=(404,)),
    Operation("DELETE", "/own/sources/{id}", unsubscribe, _TAG, access=Access.OWN, problems=(404,)),
)


_TOKENS: Final = "tokens"


@dataclass(frozen=True, slots=True)
class OneToken:
    """Parameters that name an access token."""

    id: Number


@dataclass(frozen=True, slots=True)
class TokenItem:
    """An access token, without its secret."""

    id: int
    beginning: Annotated[str, FieldDoc("First characters of the token.")]
    name: str
    scopes: tuple[Scope, ...]
    created: datetime
    expires: datetime | None
    used: datetime | None
    revoked: datetime | None
    is_this: Annotated[bool, FieldDoc("Whether this request uses the token.")]


@dataclass(frozen=True, slots=True)
class TokenItems:
    """A list of access tokens, the latest first."""

    items: tuple[TokenItem, ...]


def list_tokens(call: Call) -> TokenItems:
    """List the user's access tokens, including expired and revoked ones."""
    this = call.caller.token
    return TokenItems(
        tuple(
            TokenItem(
                one.id,
                one.settings.beginning,
                one.settings.name,
                tuple(sorted(one.settings.scopes)),
                one.created,
                one.settings.expires,
                one.used,
                one.revoked,
                this is not None and one.id == this.id,
            )
            for one in call.store.tokens(owner(call))
        )
    )


def revoke_token(call: Call, params: OneToken) -> None:
    """Revoke an access token of the user, which may be the token of this request."""
    if not call.store.revoke_token(params.id, owner(call), call.now):
        refuse(404, f"you have no token {params.id}, or not any more")


TOKEN_OPERATIONS: Final = (
    Operation("GET", "/tokens", list_tokens, _TOKENS, access=Access.TOKEN),
    Operation("DELETE", "/tokens/{id}", revoke_token, _TOKENS, access=Access.OWN, problems=(404,)),
)


_MUTE_TAG: Final = "mutes"

Query = Annotated[
    str, FieldDoc("Search query for the articles to hide.", shortest=1, longest=1000, example="category:sport")
]
Reason = Annotated[str, FieldDoc("Reason, as a note to yourself.", longest=500)]


@dataclass(frozen=True, slots=True)
class MuteRule:
    """A mute rule: articles that its query matches are hidden, forever or until a time."""

    query: Query
    reason: Reason = ""
    until: Annotated[datetime | None, FieldDoc("When the rule ends; null: never.")] = None


@dataclass(frozen=True, slots=True)
class MuteRules:
    """A list of mute rules that replaces all existing ones."""

    rules: Annotated[tuple[MuteRule, ...], FieldDoc("The new rules; existing ones are replaced.", most=200)]


@dataclass(frozen=True, slots=True)
class MuteItem:
    """A mute rule with the number of articles that it hides."""

    query: str
    reason: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Mutes:
    """A list of mute rules."""

    items: tuple[MuteItem, ...]


@dataclass(frozen=True, slots=True)
class Muted:
    """The mutes and the number of articles that they hide."""

    items: tuple[MuteItem, ...]
    muted: Annotated[int, FieldDoc("Number of articles that rules hide now.")]


def list_mutes(call: Call) -> Mutes:
    """List the mute rules."""
    return Mutes(_items(call))


def set_mutes(call: Call, body: MuteRules) -> Muted:
    """Replace all mute rules, and apply them to all articles."""
    number = call.store.set_mutes([Mute(rule.query, rule.reason, rule.until) for rule in body.rules])
    call.app.cache.forget()
    return Muted(_items(call), number)


def _items(call: Call) -> tuple[MuteItem, ...]:
    return tuple(MuteItem(one.query, one.reason, one.until) for one in call.store.mutes())


MUTE_OPERATIONS: Final = (
    Operation("GET", "/mutes", list_mutes, _MUTE_TAG, access=Access.TOKEN),
    Operation("PUT", "/mutes", set_mutes, _MUTE_TAG, access=Access.HOUSE),
)
