"""`tidings edition`: write or mail the articles of a day as one document."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.output import write_bytes
from tidings.errors import InputError, needs
from tidings_portal.cli.mail_options import MailSecurityOption, SmtpSecurity, SmtpUser, mail_server
from tidings_portal.cli.store_options import StoreOption, store_path

if TYPE_CHECKING:
    from tidings_portal.portal.edition_mail import PaperEdition


_CLOCK: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


class EditionTarget(StrEnum):
    """The output of an edition: a file, an e-mail or a feed."""

    FILE = "file"
    SMTP = "smtp"
    FEED = "feed"


def edition(
    to: Annotated[EditionTarget, typer.Option("--to", help="file, smtp or feed.")] = EditionTarget.FILE,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", "--out", help="Output file; .txt is plain text.")
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(
            "--language", metavar="CODE", help="Only articles in this language: en; repeatable. Default: all."
        ),
    ] = None,
    words: Annotated[str, typer.Option("--words", metavar="CODE", help="The language of headings and labels.")] = "en",
    name: Annotated[str, typer.Option("--name", help="The name of the edition.")] = "Tidings",
    address: Annotated[
        str,
        typer.Option("--address", metavar="URL", help="The URL of your portal, for links."),
    ] = "",
    recipient: Annotated[
        list[str] | None,
        typer.Option("--recipient", metavar="ADDRESS", help="E-mail address of a recipient; repeatable."),
    ] = None,
    sender: Annotated[str, typer.Option("--sender", metavar="ADDRESS", help="E-mail address of the sender.")] = "",
    smtp: Annotated[str, typer.Option("--smtp", metavar="HOST:PORT", help="The mail server.")] = "localhost:587",
    smtp_user: SmtpUser = "",
    smtp_password: Annotated[
        str,
        typer.Option(
            "--smtp-password",
            help="The SMTP password; better in TIDINGS_EDITION_SMTP_PASSWORD or the configuration file.",
        ),
    ] = "",
    smtp_security: SmtpSecurity = MailSecurityOption.STARTTLS,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="Send every day at this time: 7:00. Default: once, now.")
    ] = None,
    where: StoreOption = None,
) -> None:
    """Write the stories of the last days as one document: an HTML page, a feed or an e-mail.

    For example:

      tidings edition --language en --output paper.html
      tidings edition --to feed --output paper.rss
      tidings edition --to smtp --recipient ann@example.org --sender paper@example.org --at 7:00
    """
    with needs("the edition", "news"):
        from tidings_portal.portal import edition_mail
    host, port = mail_server(smtp)
    server = edition_mail.MailServer(
        host, port, edition_mail.MailSecurity(smtp_security.value), smtp_user, smtp_password
    )
    if to is EditionTarget.SMTP and not (recipient and sender):
        raise InputError("a letter needs --recipient and --sender")
    if at is not None and _CLOCK.fullmatch(at) is None:
        raise InputError(f"{at!r} is no time of day; write 7:00")
    while True:
        if at is not None:
            time.sleep(_until(at, datetime.now()))
        paper = _make(where, tuple(language or ()), words, name, address.rstrip("/"))
        if to is EditionTarget.SMTP:
            server.send(edition_mail.letter(paper, sender, recipient or ()))
            typer.echo(f"{paper.edition.count:,} stories were sent to {', '.join(recipient or ())}", err=True)
        else:
            _write(paper, to, out)
        if at is None:
            return


def _make(where: str | None, languages: tuple[str, ...], words: str, name: str, address: str) -> PaperEdition:
    from datetime import UTC

    from tidings_portal import store
    from tidings_portal.portal.edition import edition as edition_of
    from tidings_portal.portal.edition_mail import PaperEdition
    from tidings_portal.web.translations import LANGUAGES
    from tidings_portal.web.translations import words as words_of

    if words not in LANGUAGES:
        raise InputError(f"there are no labels in {words!r}; use one of {', '.join(LANGUAGES)}")
    with store.open(store_path(where)) as opened:
        names = opened.site_names()
        edition = edition_of(
            opened,
            datetime.now(UTC),
            languages or None,
            named=lambda article: names.get(article.site) or article.site.removeprefix("www."),
            own=words,
        )
    return PaperEdition(edition, words_of(words), name, address)


def _write(paper: PaperEdition, to: EditionTarget, out: Path | None) -> None:
    from tidings_portal import feeds
    from tidings_portal.exports.export import new_file
    from tidings_portal.portal.edition_mail import as_feed, as_page, as_text

    if to is EditionTarget.FEED:
        data = feeds.write(as_feed(paper), feeds.FeedFormat.RSS).body
    else:
        is_plain = out is not None and out.suffix == ".txt"
        data = (as_text(paper) if is_plain else as_page(paper)).encode("utf-8", "replace")
    if out is None:
        write_bytes(data)
        return
    with new_file(out, force=True) as part:
        part.write_bytes(data)
    typer.echo(f"{paper.edition.count:,} stories in {out}", err=True)


def _until(at: str, now: datetime) -> float:
    """Return the seconds until the next time of day `at`."""
    match = _CLOCK.fullmatch(at)
    assert match is not None  # noqa: S101  # checked before
    then = now.replace(hour=int(match[1]), minute=int(match[2]), second=0, microsecond=0)
    return (then + timedelta(days=then <= now) - now).total_seconds()
