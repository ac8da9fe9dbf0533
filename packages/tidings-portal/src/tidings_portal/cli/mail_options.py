"""Options of commands that send e-mail."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.errors import InputError

if TYPE_CHECKING:
    from tidings_portal.portal.edition_mail import MailServer


class MailSecurityOption(StrEnum):
    """How a mail server is spoken to."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


SmtpUser = Annotated[str, typer.Option("--smtp-user", help="The name it knows you by.")]


SmtpSecurity = Annotated[MailSecurityOption, typer.Option("--smtp-security", help="How it is spoken to.")]


@dataclass(frozen=True, slots=True)
class ReaderMail:
    """By what articles that readers send leave: a record of options."""

    smtp: Annotated[
        str, typer.Option("--smtp", metavar="HOST:PORT", help="The mail server for articles that readers send.")
    ] = ""
    smtp_user: SmtpUser = ""
    smtp_password: Annotated[
        str, typer.Option("--smtp-password", help="Rather in TIDINGS_SERVE_SMTP_PASSWORD or the configuration.")
    ] = ""
    smtp_security: SmtpSecurity = MailSecurityOption.STARTTLS
    sender: Annotated[str, typer.Option("--sender", metavar="ADDRESS", help="Whose address such letters have.")] = ""
    notes_folder: Annotated[
        Path | None, typer.Option("--notes-folder", help="Where articles are sent to as files of Markdown.")
    ] = None

    @property
    def server(self) -> MailServer | None:
        """The mail server; None where none is named.

        Raises:
            InputError: it is none, or nobody is named whose address letters have.
        """
        if not self.smtp:
            return None
        if not self.sender:
            raise InputError("--smtp sends letters, which need an address to come from: --sender news@example.org")
        from tidings_portal.portal.edition_mail import MailSecurity, MailServer

        security = MailSecurity(self.smtp_security.value)
        return MailServer(*mail_server(self.smtp), security, self.smtp_user, self.smtp_password)


def mail_server(said: str) -> tuple[str, int]:
    """The host and the port of a mail server.

    Raises:
        InputError: it is none.
    """
    host, colon, port = said.rpartition(":")
    if not colon:
        host, port = said, "587"
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536) or not host.isprintable():
        raise InputError(f"{said!r} is no mail server; write mail.example.org:587")
    return host.strip("[]"), int(port)
