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
    """The transport security of the connection to a mail server."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


SmtpUser = Annotated[str, typer.Option("--smtp-user", help="The SMTP user.")]


SmtpSecurity = Annotated[MailSecurityOption, typer.Option("--smtp-security", help="starttls, tls or none.")]


@dataclass(frozen=True, slots=True)
class ReaderMail:
    """Command-line options for articles that users send by e-mail or write to files."""

    smtp: Annotated[
        str, typer.Option("--smtp", metavar="HOST:PORT", help="The mail server for articles that users send.")
    ] = ""
    smtp_user: SmtpUser = ""
    smtp_password: Annotated[
        str,
        typer.Option(
            "--smtp-password",
            help="The SMTP password; better in TIDINGS_SERVE_SMTP_PASSWORD or the configuration file.",
        ),
    ] = ""
    smtp_security: SmtpSecurity = MailSecurityOption.STARTTLS
    sender: Annotated[str, typer.Option("--sender", metavar="ADDRESS", help="The sender address of such e-mail.")] = ""
    notes_folder: Annotated[
        Path | None, typer.Option("--notes-folder", help="The folder for articles sent as Markdown files.")
    ] = None

    @property
    def server(self) -> MailServer | None:
        """Return the mail server, or None if none is set.

        Raises:
            InputError: the server is invalid, or the sender is missing.
        """
        if not self.smtp:
            return None
        if not self.sender:
            raise InputError("--smtp needs a sender address: --sender news@example.org")
        from tidings_portal.portal.edition_mail import MailSecurity, MailServer

        security = MailSecurity(self.smtp_security.value)
        return MailServer(*mail_server(self.smtp), security, self.smtp_user, self.smtp_password)


def mail_server(text: str) -> tuple[str, int]:
    """Return the host and the port of a mail server.

    Raises:
        InputError: the text is not HOST:PORT.
    """
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, "587"
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65_536) or not host.isprintable():
        raise InputError(f"{text!r} is not a mail server; write mail.example.org:587")
    return host.strip("[]"), int(port)
