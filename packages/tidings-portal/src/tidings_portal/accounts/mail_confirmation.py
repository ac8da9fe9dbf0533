"""Confirmation and unsubscription of mail targets by signed links.

An address gets one mail with a confirmation link, and nothing else until the button on that page is pressed.
 Both links work without a login. Only a POST changes something, because mail scanners follow links (RFC 8058).
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Final

from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from tidings.errors import InputError
from tidings_portal.store.verbs.sending import CONFIRMATION, SendingTarget, TargetKind
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.pages import Handler, PageView, number_in_path, page
from tidings_portal.web.translations import Translation

_ADDRESS: Final = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,64}@[^\s@<>,;:\"()\[\]\\]{1,190}")
#: How long the link of a confirmation mail works.
_VALID: Final = timedelta(days=3)
_CONFIRM: Final = "confirm mail"
_UNSUBSCRIBE: Final = "unsubscribe mail"


def may_send_mail(app: App) -> bool:
    """Return whether users may add mail targets. The links in mails need the public URL of the portal."""
    return not app.settings.accounts or bool(app.settings.address)


def ask(app: App, words: Translation, target: SendingTarget) -> bool:
    """Queue the mail that asks a recipient to confirm their address.

    Return False if too many were sent, or the recipient has unsubscribed.

    Args:
        app: the application.
        words: the translation to write in.
        target: the mail target.
    """
    if target.is_confirmed or target.settings.kind is not TargetKind.MAIL:
        return True
    if not app.store.may_ask_confirmation(target, app.now()):
        return False
    until = str(int((app.now() + _VALID).timestamp()))
    mark = app.sign(_CONFIRM, f"{target.id} {until} {target.settings.address}")
    link = f"{app.settings.address}/mail/confirm/{target.id}/{until}/{mark}"
    name = app.settings.name
    lines = [words("send.confirm_mail", name=name), "", link, "", words("send.confirm_ignore")]
    body = json.dumps({"type": CONFIRMATION, "data": {"text": "\n".join(lines)}})
    app.store.send([(target.id, CONFIRMATION, words("send.confirm_subject", name=name), body)], app.now())
    return True


def unsubscribe_link(app: App, target: SendingTarget) -> str:
    """Return the one-click link of a target's mails; empty if the portal has no address."""
    home = app.settings.address
    mark = app.sign(_UNSUBSCRIBE, f"{target.id} {target.settings.address}")
    return f"{home}/mail/unsubscribe/{target.id}/{mark}" if home else ""


def _confirm(request: Request) -> PageView:
    app, target = app_of(request), _target(request)
    until: str = request.path_params["until"]
    what = f"{target.id} {until} {target.settings.address}"
    if not app.is_signed(_CONFIRM, what, request.path_params["mark"]) or float(until) < app.now().timestamp():
        raise HttpProblem(404, "missing_page")
    is_done = request.method == "POST" and app.store.confirm_target(target.id, target.settings.address)
    return PageView("sending/mail.html", {"does": "confirm", "is_done": is_done, "address": target.settings.address})


def _unsubscribe(request: Request) -> PageView:
    app, target = app_of(request), _target(request)
    what = f"{target.id} {target.settings.address}"
    if not app.is_signed(_UNSUBSCRIBE, what, request.path_params["mark"]):
        raise HttpProblem(404, "missing_page")
    is_done = request.method == "POST"
    if is_done:
        app.store.block_recipient(target, app.now())
    return PageView(
        "sending/mail.html", {"does": "unsubscribe", "is_done": is_done, "address": target.settings.address}
    )


def _target(request: Request) -> SendingTarget:
    number = number_in_path(request)
    for target in app_of(request).store.targets():
        if target.id == number and target.settings.kind is TargetKind.MAIL:
            return target
    raise HttpProblem(404, "missing_page")


def address_checked(address: str) -> str:
    """Return an e-mail address after checking it: a single address without line breaks (header injection).

    Raises:
        InputError: the address is invalid.
    """
    if not _ADDRESS.fullmatch(address) or not address.isprintable():
        raise InputError(f"{address[:80]!r} is no e-mail address; write name@host")
    return address


def _routes(path: str, handler: Handler) -> list[BaseRoute]:
    endpoint = page(handler)
    return [Route(path, endpoint, methods=["GET"]), Route(path, endpoint, methods=["POST"])]


ROUTES: Final[list[BaseRoute]] = [
    *_routes("/mail/confirm/{number}/{until}/{mark}", _confirm),
    *_routes("/mail/unsubscribe/{number}/{mark}", _unsubscribe),
]
