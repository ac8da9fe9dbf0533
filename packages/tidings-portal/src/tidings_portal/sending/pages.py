"""Portal pages for rules, targets and "send to", articles as Markdown, and saving a URL for later."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tidings.article.formats.characters import legal
from tidings.errors import BadQuery, FetchError, InputError
from tidings.urls import URL
from tidings_portal.accounts import mail_confirmation
from tidings_portal.accounts.account import subscriptions_of
from tidings_portal.accounts.current_user import AGAIN, Answer, action, back, own, person_key, runs_the_house
from tidings_portal.accounts.mail_confirmation import address_checked
from tidings_portal.portal.articles import requested_article
from tidings_portal.selection import source_name
from tidings_portal.sending import websub
from tidings_portal.sending.events import apply_rules, begin, described, message
from tidings_portal.store import parse
from tidings_portal.store.verbs.sending import (
    NewTarget,
    ReaderRule,
    RuleEffect,
    SendingEvent,
    SendingTarget,
    TargetKind,
    new_secret,
)
from tidings_portal.watch.store_links import address_key
from tidings_portal.web.app_state import app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import number_in, text
from tidings_portal.web.pages import PageView, page
from tidings_portal.web.sessions import visit_of

_LONGEST: Final = 200
#: The number of newest articles that a new rule is applied to on request.
_PAST: Final = 2_000
_ADDRESS: Final = re.compile(r"https?://[^\s<>\"]{3,1990}")


def rules(request: Request) -> Answer:
    """Show the user's rules and the form for a new one."""
    return _rules(request)


def _rules(request: Request, *, wrong: str = "", typed: ReaderRule | None = None) -> PageView:
    store, person = app_of(request).store, person_key(request)
    names = {item.source.id: item.title or source_name(item.source) for item in subscriptions_of(store, person)}
    selected = request.query_params.get("source", "")
    values = {
        "rules": store.rules(person),
        "hidden": store.count_hidden(person),
        "names": names,
        "effects": [item.value for item in RuleEffect],
        "labels": tuple(store.labels(person)),
        "wrong": wrong,
        "typed": typed or ReaderRule(request.query_params.get("query", "")[:500], RuleEffect.HIDE),
        "source": int(selected) if selected.isascii() and selected.isdigit() and int(selected) in names else 0,
    }
    return PageView("sending/rules.html", values, AGAIN if wrong else 200)


def add_rule(request: Request, form: FormData) -> Answer:
    """Add a rule, and apply it to stored articles if the user wants that."""
    app, person = app_of(request), person_key(request)
    effect_name = text(form, "effect")
    if effect_name not in {effect.value for effect in RuleEffect}:
        raise HttpProblem(400, "request")
    source = number_in(form, "source") if text(form, "source") else 0
    rule = ReaderRule(
        *(
            legal(text(form, "query", 500)),
            RuleEffect(effect_name),
            legal(text(form, "value", _LONGEST)),
            source or None,
            person,
        )
    )
    if rule.effect is RuleEffect.LABEL and not rule.value:
        return _rules(request, wrong="no_label", typed=rule)
    begin(app.store, app.now())
    try:
        number = app.store.add_rule(rule, app.now())
        if number is None:
            raise HttpProblem(409, "too_many")
    except BadQuery:
        return _rules(request, wrong="query", typed=rule)
    if text(form, "past") == "yes":
        latest = app.store.latest_number()
        numbers = app.store.article_numbers(max(0, latest - _PAST), _PAST)
        apply_rules(app.store, [replace(rule, id=number)], numbers, app.now())
        app.cache.forget()
    return back(form, "/rules")


def remove_rule(request: Request, form: FormData) -> Answer:
    """Delete a rule and unhide its articles. Its other effects remain."""
    if not app_of(request).store.remove_rule(number_in(form, "rule"), person_key(request)):
        raise HttpProblem(404, "missing_page")
    app_of(request).cache.forget()
    return back(form, "/rules")


def show_again(request: Request, form: FormData) -> Answer:
    """Unhide an article, or all articles that rules hide."""
    app = app_of(request)
    app.store.unhide(person_key(request), [number_in(form, "article")] if text(form, "article") else None)
    app.cache.forget()
    return back(form, "/rules")


def sending(request: Request) -> Answer:
    """Show the user's targets, their state, and quarantined messages."""
    return _sending(request)


def _sending(request: Request, *, wrong: str = "", secret: str = "") -> PageView:
    app, person = app_of(request), person_key(request)
    values = {
        "targets": app.store.targets(person),
        "aside": app.store.deliveries_aside(person),
        "kinds": _kinds(request),
        "events": [event.value for event in SendingEvent],
        "wrong": wrong,
        "secret": secret,
    }
    return PageView("sending/sending.html", values, AGAIN if wrong else 200)


def _kinds(request: Request) -> list[str]:
    """Return the kinds of targets that the user may add. Only the operator of the portal may write files."""
    may_write = runs_the_house(request)
    offered = app_of(request).settings.sends
    allowed = {
        TargetKind.WEBHOOK: True,
        TargetKind.MAIL: mail_confirmation.may_send_mail(app_of(request)),
        TargetKind.FILE: may_write,
    }
    return [kind.value for kind in TargetKind if kind.value in offered and allowed[kind]]


def add_target(request: Request, form: FormData) -> Answer:
    """Add a target. The secret of a webhook is shown in the list, to its owner only."""
    app, person, kind = app_of(request), person_key(request), text(form, "kind")
    if kind not in _kinds(request):
        raise HttpProblem(400, "request")
    events = frozenset(event for event in SendingEvent if text(form, f"event_{event.value}") == "yes")
    target = NewTarget(
        TargetKind(kind), legal(text(form, "name", _LONGEST)) or kind, text(form, "address"), new_secret(), events,
        legal(text(form, "query", 500)),
    )  # fmt: skip
    try:
        if target.kind is TargetKind.WEBHOOK:
            URL.parse(target.address)
        elif target.kind is TargetKind.MAIL:
            address_checked(target.address)
        if target.query:
            parse(target.query)
    except BadQuery:
        return _sending(request, wrong="query")
    except (FetchError, InputError):
        return _sending(request, wrong="address")
    begin(app.store, app.now())
    number = app.store.add_target(target, person, app.now())
    if number is None:
        raise HttpProblem(409, "too_many")
    if not mail_confirmation.ask(app, visit_of(request).words, _target(request, number)):
        return _sending(request, wrong="often")
    return back(form, "/sending")


def _target(request: Request, number: int) -> SendingTarget:
    for target in app_of(request).store.targets(person_key(request)):
        if target.id == number:
            return target
    raise HttpProblem(404, "missing_page")


def change_target(request: Request, form: FormData) -> Answer:
    """Pause, resume, retry, confirm or delete a target."""
    app, person, number = app_of(request), person_key(request), number_in(form, "target")
    does = text(form, "do")
    if does == "confirm":
        is_sent = mail_confirmation.ask(app, visit_of(request).words, _target(request, number))
        return back(form, "/sending") if is_sent else _sending(request, wrong="often")
    if does in {"pause", "go on"}:
        is_done = app.store.set_target_active(number, person, does == "go on")
    elif does == "again":
        is_done = app.store.set_target_active(number, person, True)
        app.store.try_deliveries_again(number, person, app.now())
    else:
        is_done = does == "remove" and app.store.remove_target(number, person)
    if not is_done:
        raise HttpProblem(404, "missing_page")
    return back(form, "/sending")


def send_article(request: Request, form: FormData) -> Answer:
    """Send an article to one of the user's targets."""
    app, stored = app_of(request), requested_article(request)
    number = number_in(form, "target")
    if not _target(request, number).is_confirmed:
        return RedirectResponse("/sending", 303)
    headline = stored.headline
    body = message("article.sent", described(headline, app.settings.address, stored.article))
    app.store.send([(number, "send", headline.title, body)], app.now())
    return back(form, f"/article/{headline.id}")


def markdown(request: Request) -> Response:
    """Return an article as a Markdown file, for its reader."""
    stored = requested_article(request)
    headline = stored.headline
    body = f"# {headline.title}\n\n{headline.address}\n\n{stored.article.markdown()}\n"
    title = quote(headline.title[:80])
    headers = {
        "content-disposition": f"attachment; filename=article-{headline.id}.md; filename*=UTF-8''{title}.md",
        "cache-control": "private, no-cache",
    }
    return Response(body.encode("utf-8", "replace"), headers=headers, media_type="text/markdown")


def save(request: Request) -> Answer:
    """Show the page to save a URL from a bookmarklet, an extension or the share menu of a phone."""
    query = request.query_params
    shared = " ".join(query.get(name, "")[:2000] for name in ("url", "text", "title"))
    match = _ADDRESS.search(shared)  # phones often share a text that contains the URL
    address = match[0] if match else query.get("url", "")[:2000].strip()
    article = app_of(request).store.article_for(address_key(address)) if address else None
    if article is not None and app_of(request).store.is_saved(article, person_key(request)):
        return RedirectResponse(f"/article/{article}", 303)
    return PageView("sending/save.html", {"address": address, "is_local": visit_of(request).is_local})


ROUTES: Final[list[BaseRoute]] = [
    Route("/rules", page(own(rules))),
    Route("/rules/add", action(add_rule), methods=["POST"]),
    Route("/rules/remove", action(remove_rule), methods=["POST"]),
    Route("/rules/show", action(show_again), methods=["POST"]),
    Route("/sending", page(own(sending))),
    Route("/sending/add", action(add_target), methods=["POST"]),
    Route("/sending/change", action(change_target), methods=["POST"]),
    Route("/article/{number}/send", action(send_article), methods=["POST"]),
    Route("/article/{number}/markdown", markdown),
    Route("/save", page(own(save))),
    *mail_confirmation.ROUTES,
    Route("/websub/{number}/{mark}", websub.confirm),
    Route("/websub/{number}/{mark}", websub.notify, methods=["POST"]),
]
