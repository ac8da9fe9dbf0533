"""Sending of queued messages to webhooks, mail recipients and Markdown files.

Webhooks are signed as in Standard Webhooks: HMAC-SHA256 over number, time and body. The receiver can check that a
message is authentic, complete and recent. URLs and secrets of targets are in no log and no error.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from functools import partial
from hashlib import sha256
from hmac import new as hmac
from pathlib import Path
from typing import Any, Final

from tidings.errors import FetchError, InputError, RefusedAddress, StoreError
from tidings.fetch import Kind, Request
from tidings_portal.accounts.mail_confirmation import address_checked, unsubscribe_link
from tidings_portal.feeds.outgoing import line
from tidings_portal.portal.edition_mail import MailServer
from tidings_portal.sending import websub
from tidings_portal.sending.events import look
from tidings_portal.store.verbs.sending import CONFIRMATION, Delivery, SendingTarget, TargetKind
from tidings_portal.web.app_state import App

LOG: Final = logging.getLogger("tidings")
_MARK: Final = "whsec_"
_LEASE: Final = timedelta(minutes=2)
_SECONDS: Final = 20.0
#: Seconds between checks for due messages.
_PAUSE: Final = 5.0
_GONE: Final = 410
#: A file name has at most 255 bytes, including a date and a number.
_SLUG_BYTES: Final = 200
#: How long a mail over the rate limit waits.
_LIMITED: Final = timedelta(hours=1)
_NAME: Final = re.compile(r"[^\w-]+")


def signature(secret: str, number: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a message."""
    key = b64decode(secret.removeprefix(_MARK))
    digest = hmac(key, f"{number}.{timestamp}.".encode() + body, sha256).digest()
    return "v1," + b64encode(digest).decode("ascii")


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends queued messages.

    Args:
        app: the portal, with its store, clock, and guarded fetcher without rate limits and robots.txt.
        mail: the mail server; None: no mail.
        sender: the sender address of mail.
        folder: the folder for Markdown files; None: no files.
        kinds: the kinds of targets to send to; other processes may send to the rest.
    """

    app: App
    mail: MailServer | None = None
    sender: str = ""
    folder: Path | None = None
    kinds: tuple[TargetKind, ...] = tuple(TargetKind)

    @classmethod
    def beside_watch(cls, app: App, mail: MailServer | None, sender: str, folder: Path | None) -> Sender:
        """Create a sender for the configured kinds of targets; other processes with the same store may handle other
        kinds.
        """
        letters = () if mail is None else (TargetKind.MAIL,)
        files = () if folder is None else (TargetKind.FILE,)
        return cls(app, mail, sender, folder, (TargetKind.WEBHOOK, *letters, *files))

    async def once(self) -> int:
        """Send everything that is due; return the number of delivered messages."""
        await asyncio.to_thread(look, self.app.store, self.app.now(), self.app.settings.address)
        total = 0
        while count := await self.send_due():
            total += count
        return total

    async def run(self, stop: asyncio.Event) -> None:
        """Send due messages until stopped."""
        while not stop.is_set():
            with suppress(StoreError):
                await asyncio.to_thread(look, self.app.store, self.app.now(), self.app.settings.address)
                await self.send_due()
                await websub.renew(self.app, self.app.pictures)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _PAUSE)

    async def send_due(self) -> int:
        """Send a batch of due messages; return the number of delivered ones."""
        due = await asyncio.to_thread(self.app.store.due_deliveries, self.app.now(), _LEASE, kinds=self.kinds)
        if not due:
            return 0
        targets = {stored_target.id: stored_target for stored_target in await asyncio.to_thread(self.app.store.targets)}
        count = 0
        for delivery in due:
            target = targets.get(delivery.target)
            if target is None:
                continue
            is_news_mail = target.settings.kind is TargetKind.MAIL and delivery.event != CONFIRMATION
            if is_news_mail and not await asyncio.to_thread(self.app.store.may_mail, target, self.app.now()):
                await asyncio.to_thread(self.app.store.postpone, delivery, self.app.now() + _LIMITED)
                continue
            reason, for_good = await self._sent(target, delivery)
            if not reason:
                await asyncio.to_thread(self.app.store.delivered, delivery, self.app.now())
                count += 1
                continue
            record_failure = partial(self.app.store.not_delivered, delivery, reason, self.app.now(), for_good=for_good)
            is_aside = await asyncio.to_thread(record_failure)
            after = "it is set aside" if is_aside else "it is tried again later"
            LOG.warning(
                "%s (%s) did not take a message: %s; %s",
                line(target.settings.name),
                target.settings.kind,
                reason,
                after,
            )
        return count

    async def _sent(self, target: SendingTarget, delivery: Delivery) -> tuple[str, bool]:
        """Send a message. Return the error, or "" if it was delivered, and whether the error is permanent."""
        try:
            if target.settings.kind is TargetKind.WEBHOOK:
                return await self._post(target, delivery)
            await asyncio.to_thread(
                self._mail if target.settings.kind is TargetKind.MAIL else self._write, target, delivery
            )
        except (InputError, OSError, ValueError) as error:
            return line(str(error) or type(error).__name__)[:300], False
        except Exception as error:  # a bug with one message does not stop the others
            LOG.exception("sending the message %s raised", delivery.id)
            return f"sending it raised {type(error).__name__}; the log has the traceback", False
        return "", False

    async def _post(self, target: SendingTarget, delivery: Delivery) -> tuple[str, bool]:
        body, at = delivery.body.encode(), str(int(self.app.now().timestamp()))
        number = f"msg_{delivery.id}"
        headers = (
            ("Content-Type", "application/json"),
            ("Webhook-Id", number),
            ("Webhook-Timestamp", at),
            ("Webhook-Signature", signature(target.settings.secret, number, at, body)),
        )
        request = Request(target.settings.address, Kind.PAGE, headers=headers, seconds=_SECONDS, data=body)
        outcome = await self.app.pictures.fetch(request)
        if isinstance(outcome, FetchError):
            return outcome.reason[:300], isinstance(outcome, RefusedAddress)
        if 200 <= outcome.status < 300:
            return "", False
        return f"its server says {outcome.status}", outcome.status == _GONE

    def _mail(self, target: SendingTarget, delivery: Delivery) -> None:
        if self.mail is None or not self.sender:
            raise InputError("no mail server is named: serve --smtp and --sender")
        letter = EmailMessage()
        letter["Subject"] = line(delivery.title)[:200] or "Tidings"
        letter["From"] = address_checked(self.sender)
        letter["To"] = address_checked(target.settings.address)
        letter["Auto-Submitted"] = "auto-generated"
        data = _data(delivery)
        if delivery.event == CONFIRMATION:
            letter.set_content(str(data["text"]))
        else:
            if link := unsubscribe_link(self.app, target):  # RFC 2369, RFC 8058
                letter["List-Unsubscribe"] = f"<{link}>"
                letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
            letter.set_content(_text(data))
        self.mail.send(letter)

    def _write(self, target: SendingTarget, delivery: Delivery) -> None:  # noqa: ARG002  # as the others
        if self.folder is None:
            raise InputError("no folder for notes is named: serve --notes-folder")
        data = _data(delivery)
        day = self.app.now().date().isoformat()
        slug = _NAME.sub("-", line(delivery.title).lower()).strip("-")[:60] or "article"
        slug = slug.encode()[:_SLUG_BYTES].decode(errors="ignore")
        name = f"{day}-{slug}-{data.get('id', delivery.id)}.md"
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(_text(data), encoding="utf-8")


def _data(delivery: Delivery) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(delivery.body)["data"]
    return data


def _text(data: dict[str, Any]) -> str:
    """Return a message as Markdown: its title, its source and its text."""
    head = [f"# {data.get('title', '')}", "", data.get("address") or data.get("page", ""), ""]
    return "\n".join(head) + str(data.get("markdown") or data.get("summary", "")) + "\n"
