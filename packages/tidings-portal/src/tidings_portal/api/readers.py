"""API operations for labels, notes, hidden articles, rules and delivery targets of a user. They need a token."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from tidings.errors import BadQuery, FetchError, InputError
from tidings.urls import URL
from tidings_portal import responses
from tidings_portal.accounts import mail_confirmation
from tidings_portal.api.operations import Call, Operation
from tidings_portal.api.personal import OneOwn, PageAsked, owner, require_found
from tidings_portal.api.requests import refuse
from tidings_portal.api.schema import LARGEST, Cursor, Limit
from tidings_portal.responses import ArticleItem, Articles, FieldDoc
from tidings_portal.store.query import Is, Property, parse
from tidings_portal.store.records_of_articles import Listed, Only
from tidings_portal.store.verbs.sending import (
    NewTarget,
    ReaderRule,
    RuleEffect,
    SendingEvent,
    SendingTarget,
    TargetKind,
    new_secret,
)
from tidings_portal.store.verbs.streams import StreamQuery
from tidings_portal.web.access import Access
from tidings_portal.web.translations import words

_TAG: Final = "your own"
_MOST_LABELS: Final = 50

LabelName = Annotated[str, FieldDoc("Name of the label.", shortest=1, longest=200, example="Sea")]
ArticleQuery = Annotated[str, FieldDoc("Search query that articles must match; empty: all articles.", longest=500)]


@dataclass(frozen=True, slots=True)
class LabelAsked:
    """Parameters of the articles with a label: the label, and the page of the list."""

    name: LabelName
    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class OneLabel:
    """Parameters that name a label."""

    name: LabelName


@dataclass(frozen=True, slots=True)
class LabelItem:
    """A label of the user."""

    name: str
    unread: Annotated[int, FieldDoc("Number of unread articles with the label.")]


@dataclass(frozen=True, slots=True)
class LabelItems:
    """The user's labels, by name."""

    items: tuple[LabelItem, ...]


@dataclass(frozen=True, slots=True)
class LabelRename:
    """The new name of a label."""

    new: LabelName


@dataclass(frozen=True, slots=True)
class LabelChoice:
    """The labels of an article, which replace existing ones."""

    labels: Annotated[tuple[str, ...], FieldDoc("The new labels; existing ones are replaced.", most=_MOST_LABELS)]


@dataclass(frozen=True, slots=True)
class NoteText:
    """The text of a note."""

    text: Annotated[str, FieldDoc("Text of the note.", shortest=1, longest=20_000)]


@dataclass(frozen=True, slots=True)
class NoteItem:
    """A note with its article."""

    article: ArticleItem
    text: str


@dataclass(frozen=True, slots=True)
class NoteItems:
    """The user's notes, ordered by article, the latest first."""

    items: tuple[NoteItem, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class RuleBody:
    """A rule for new articles, as sent by a client."""

    effect: Annotated[RuleEffect, FieldDoc("Action on the articles.")]
    query: ArticleQuery = ""
    label: Annotated[str, FieldDoc("Label to add, if the action is to label.", longest=200)] = ""
    source: Annotated[int | None, FieldDoc("Only articles of this source; null: of all.", least=1, most=LARGEST)] = None


@dataclass(frozen=True, slots=True)
class ReaderRuleItem:
    """A rule for new articles."""

    id: int
    effect: RuleEffect
    query: str
    label: str
    source: int | None


@dataclass(frozen=True, slots=True)
class ReaderRuleItems:
    """The user's rules for new articles, the oldest first."""

    items: tuple[ReaderRuleItem, ...]


@dataclass(frozen=True, slots=True)
class TargetBody:
    """A new delivery target: a webhook, an e-mail address or a file."""

    kind: Annotated[TargetKind, FieldDoc("Kind of target; the portal may not offer all kinds.")]
    name: Annotated[str, FieldDoc("Display name.", longest=200)] = ""
    address: Annotated[str, FieldDoc("URL of the webhook or e-mail address; empty for files.", longest=2000)] = ""
    events: Annotated[tuple[SendingEvent, ...], FieldDoc("Events that are sent automatically.", most=3)] = ()
    query: ArticleQuery = ""


@dataclass(frozen=True, slots=True)
class TargetChange:
    """A change of a delivery target: whether it is paused."""

    is_active: Annotated[bool, FieldDoc("False pauses the target: messages wait.")]


@dataclass(frozen=True, slots=True)
class TargetItem:
    """A delivery target. Its address and secret are not included, because they may give access to other services."""

    id: int
    kind: TargetKind
    name: str
    events: tuple[SendingEvent, ...]
    query: str
    is_active: bool
    sent: int
    last_sent: datetime | None
    waiting: int
    aside: Annotated[int, FieldDoc("Number of quarantined messages, which failed too often.")]
    problem: str
    is_confirmed: Annotated[
        bool, FieldDoc("Mail: whether the recipient has confirmed the address. Nothing is sent before.")
    ]


@dataclass(frozen=True, slots=True)
class NewTargetItem:
    """A new delivery target with the secret that signs its messages, which is returned only once."""

    target: TargetItem
    secret: str


@dataclass(frozen=True, slots=True)
class TargetItems:
    """The user's delivery targets."""

    items: tuple[TargetItem, ...]


def list_labels(call: Call) -> LabelItems:
    """List the user's labels with the number of unread articles of each."""
    return LabelItems(tuple(LabelItem(name, unread) for name, unread in call.store.labels(owner(call)).items()))


def list_labelled(call: Call, params: LabelAsked) -> Articles:
    """List the articles with a label, the latest first."""
    return _stream(call, StreamQuery(label=params.name), params.limit, params.cursor)


def rename_label(call: Call, params: OneLabel, body: LabelRename) -> None:
    """Rename a label. If a label with the new name exists, both are merged."""
    require_found(params.name in call.store.labels(owner(call)), f"you have no label {params.name}")
    call.store.rename_label(params.name, body.new, owner(call))


def remove_label(call: Call, params: OneLabel) -> None:
    """Remove a label from all articles."""
    require_found(params.name in call.store.labels(owner(call)), f"you have no label {params.name}")
    call.store.rename_label(params.name, "", owner(call))


def set_labels(call: Call, params: OneOwn, body: LabelChoice) -> None:
    """Replace the labels of an article."""
    require_found(bool(call.store.headlines_of([params.id])), f"there is no article {params.id}")
    had = call.store.reader_marks(owner(call), [params.id])[params.id].labels
    for name in set(had) - set(body.labels):
        call.store.unlabel(name, [params.id], owner(call))
    for name in filter(str.strip, body.labels):
        if not call.store.label(name, [params.id], owner(call)):
            refuse(409, "you have too many labels; remove one")


def list_notes(call: Call, params: PageAsked) -> NoteItems:
    """List the user's notes."""
    listed = call.store.stream(owner(call), StreamQuery(noted=True), limit=params.limit, after=params.cursor)
    found = call.store.headlines_of(listed.items)
    items = (NoteItem(responses.article(one), call.store.note(one.id, owner(call))) for one in found)
    return NoteItems(tuple(items), listed.after)


def set_note(call: Call, params: OneOwn, body: NoteText) -> None:
    """Write a note on an article. It replaces an existing note."""
    done = call.store.set_note(params.id, owner(call), body.text, call.now)
    require_found(done, f"there is no article {params.id}")


def remove_note(call: Call, params: OneOwn) -> None:
    """Delete a note."""
    require_found(bool(call.store.note(params.id, owner(call))), f"you have no note beside an article {params.id}")
    call.store.set_note(params.id, owner(call), "", call.now)


def list_hidden(call: Call, params: PageAsked) -> Articles:
    """List the articles that the user's rules hide, the latest first."""
    only = Only(query=Is(Property.IS, "hidden"), muted=True, reader=owner(call))
    return responses.articles(call.store.articles(only, limit=params.limit, after=params.cursor))


def show_hidden(call: Call, params: OneOwn) -> None:
    """Show an article again that a rule has hidden."""
    require_found(bool(call.store.unhide(owner(call), [params.id])), f"your rules hide no article {params.id}")


def list_rules(call: Call) -> ReaderRuleItems:
    """List the user's rules for new articles."""
    return ReaderRuleItems(tuple(map(_rule, call.store.rules(owner(call)))))


def add_rule(call: Call, body: RuleBody) -> ReaderRuleItem:
    """Add a rule, which applies to articles from now on."""
    rule = _checked(call, body)
    number = call.store.add_rule(rule, call.now)
    if number is None:
        refuse(409, "there is no such source, or you have too many rules")
    return ReaderRuleItem(number, rule.effect, rule.query, rule.value, rule.source)


def change_rule(call: Call, params: OneOwn, body: RuleBody) -> None:
    """Change a rule; articles that it has changed stay as they are."""
    require_found(call.store.change_rule(params.id, _checked(call, body)), f"you have no rule {params.id}")


def remove_rule(call: Call, params: OneOwn) -> None:
    """Delete a rule. Articles that it hides are shown again."""
    require_found(call.store.remove_rule(params.id, owner(call)), f"you have no rule {params.id}")


def list_targets(call: Call) -> TargetItems:
    """List the user's delivery targets with their state."""
    return TargetItems(tuple(map(_target, call.store.targets(owner(call)))))


def add_target(call: Call, body: TargetBody) -> NewTargetItem:
    """Add a delivery target. The response has the secret that signs a webhook."""
    if body.kind.value not in call.app.settings.sends:
        refuse(422, f"this portal sends nothing by {body.kind.value}; it offers {', '.join(call.app.settings.sends)}")
    if body.kind is TargetKind.FILE and not call.caller.runs_the_house:
        refuse(403, "files are written by those who run the house")
    _check_query(body.query)
    if body.kind is TargetKind.WEBHOOK:
        try:
            URL.parse(body.address)
        except FetchError as error:
            refuse(422, f"the address cannot be used: {error.reason}")
    if body.kind is TargetKind.MAIL:
        _check_mail(call, body.address)
    events, name = frozenset(body.events), body.name.strip() or body.kind.value
    told = NewTarget(body.kind, name, body.address, new_secret(), events, body.query)
    number = call.store.add_target(told, owner(call), call.now)
    if number is None:
        refuse(409, "you have too many targets; remove one")
    target = next(target for target in call.store.targets(owner(call)) if target.id == number)
    mail_confirmation.ask(call.app, words(call.app.settings.language or "en"), target)
    return NewTargetItem(_target(target), told.secret)


def _check_mail(call: Call, address: str) -> None:
    if not mail_confirmation.may_send_mail(call.app):
        refuse(422, "mail to accounts needs the address of the portal: serve --address")
    try:
        mail_confirmation.address_checked(address)
    except InputError as error:
        refuse(422, str(error))


def change_target(call: Call, params: OneOwn, body: TargetChange) -> None:
    """Pause or resume a delivery target."""
    require_found(
        call.store.set_target_active(params.id, owner(call), body.is_active), f"you have no target {params.id}"
    )


def remove_target(call: Call, params: OneOwn) -> None:
    """Delete a delivery target. Queued deliveries are dropped."""
    require_found(call.store.remove_target(params.id, owner(call)), f"you have no target {params.id}")


def _stream(call: Call, params: StreamQuery, limit: int, cursor: str | None) -> Articles:
    listed = call.store.stream(owner(call), params, limit=limit, after=cursor)
    return responses.articles(Listed(tuple(call.store.headlines_of(listed.items)), listed.after))


def _checked(call: Call, body: RuleBody) -> ReaderRule:
    _check_query(body.query)
    if body.effect is RuleEffect.LABEL and not body.label.strip():
        refuse(422, "a rule that gives a label says which: label")
    return ReaderRule(body.query, body.effect, body.label, body.source, owner(call))


def _check_query(query: str) -> None:
    try:
        if query.strip():
            parse(query)
    except BadQuery as error:
        refuse(422, f"the query cannot be read: {error.reason}")


def _rule(rule: ReaderRule) -> ReaderRuleItem:
    return ReaderRuleItem(rule.id, rule.effect, rule.query, rule.value, rule.source)


def _target(target: SendingTarget) -> TargetItem:
    settings, events = target.settings, tuple(sorted(target.settings.events))
    numbers = (target.sent, target.last_sent, target.waiting, target.aside, target.problem, target.is_confirmed)
    return TargetItem(target.id, settings.kind, settings.name, events, settings.query, target.is_active, *numbers)


OPERATIONS: Final = (
    Operation("GET", "/own/labels", list_labels, _TAG, access=Access.TOKEN),
    Operation("GET", "/own/labels/{name}", list_labelled, _TAG, access=Access.TOKEN),
    Operation("PATCH", "/own/labels/{name}", rename_label, _TAG, access=Access.OWN, problems=(404,)),
    Operation("DELETE", "/own/labels/{name}", remove_label, _TAG, access=Access.OWN, problems=(404,)),
    Operation("PUT", "/own/articles/{id}/labels", set_labels, _TAG, access=Access.OWN, problems=(404, 409)),
    Operation("GET", "/own/notes", list_notes, _TAG, access=Access.TOKEN),
    Operation("PUT", "/own/notes/{id}", set_note, _TAG, access=Access.OWN, problems=(404,)),
    Operation("DELETE", "/own/notes/{id}", remove_note, _TAG, access=Access.OWN, problems=(404,)),
    Operation("GET", "/own/hidden", list_hidden, _TAG, access=Access.TOKEN),
    Operation("DELETE", "/own/hidden/{id}", show_hidden, _TAG, access=Access.OWN, problems=(404,)),
    Operation("GET", "/own/rules", list_rules, _TAG, access=Access.TOKEN),
    Operation("POST", "/own/rules", add_rule, _TAG, status=201, access=Access.OWN, problems=(409,)),
    Operation("PUT", "/own/rules/{id}", change_rule, _TAG, access=Access.OWN, problems=(404,)),
    Operation("DELETE", "/own/rules/{id}", remove_rule, _TAG, access=Access.OWN, problems=(404,)),
    Operation("GET", "/own/targets", list_targets, _TAG, access=Access.TOKEN),
    Operation("POST", "/own/targets", add_target, _TAG, status=201, access=Access.OWN, problems=(409,)),
    Operation("PATCH", "/own/targets/{id}", change_target, _TAG, access=Access.OWN, problems=(404,)),
    Operation("DELETE", "/own/targets/{id}", remove_target, _TAG, access=Access.OWN, problems=(404,)),
)
