"""`tidings serve`: the portal, the reader and the API, on this machine.

`tidings mcp`: articles and the store for programs that talk to language models.

`tidings edition`: the morning paper as a file, a feed or a letter.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console

from tidings.cli.log_options import Logging
from tidings.cli.output import write_bytes
from tidings.cli.stored import WebByBrowser, WebOrBrowser, Where, place, recipe_name
from tidings.errors import InputError, needs
from tidings.news.log_lines import LogOptions
from tidings.urls import URL

if TYPE_CHECKING:
    from tidings.news.portal.edition_mail import MailServer, PaperEdition
    from tidings.news.serve import ServeOptions

_CLOCK: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


class EditionTarget(StrEnum):
    """Where an edition goes."""

    FILE = "file"
    SMTP = "smtp"
    FEED = "feed"


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
        from tidings.news.portal.edition_mail import MailSecurity, MailServer

        security = MailSecurity(self.smtp_security.value)
        return MailServer(*mail_server(self.smtp), security, self.smtp_user, self.smtp_password)


def edition(
    to: Annotated[EditionTarget, typer.Option("--to", help="Where it goes.")] = EditionTarget.FILE,
    out: Annotated[Path | None, typer.Option("--output", "-o", "--out", help="The file; .txt is plain text.")] = None,
    language: Annotated[
        list[str] | None, typer.Option("--language", metavar="CODE", help="A language you read: en; else all.")
    ] = None,
    words: Annotated[str, typer.Option("--words", metavar="CODE", help="The language of the paper itself.")] = "en",
    name: Annotated[str, typer.Option("--name", help="What it is called.")] = "Tidings",
    address: Annotated[
        str,
        typer.Option("--address", metavar="URL", help="Of your portal, for its links."),
    ] = "",
    recipient: Annotated[
        list[str] | None, typer.Option("--recipient", metavar="ADDRESS", help="Who gets the letter.")
    ] = None,
    sender: Annotated[str, typer.Option("--sender", metavar="ADDRESS", help="Who sends it.")] = "",
    smtp: Annotated[str, typer.Option("--smtp", metavar="HOST:PORT", help="The mail server.")] = "localhost:587",
    smtp_user: SmtpUser = "",
    smtp_password: Annotated[
        str, typer.Option("--smtp-password", help="Rather in TIDINGS_EDITION_SMTP_PASSWORD or the configuration.")
    ] = "",
    smtp_security: SmtpSecurity = MailSecurityOption.STARTTLS,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="Every day at this time: 7:00. Else once, now.")
    ] = None,
    where: Where = None,
) -> None:
    """Make an edition: the stories of the last days in sections, as a page, a feed, or a letter.

    For example:

      tidings edition --language en --output paper.html
      tidings edition --to feed --output paper.rss
      tidings edition --to smtp --recipient ann@example.org --sender paper@example.org --at 7:00
    """
    with needs("the edition", "news"):
        from tidings.news.portal import edition_mail
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
        paper = _made(where, tuple(language or ()), words, name, address.rstrip("/"))
        if to is EditionTarget.SMTP:
            server.send(edition_mail.letter(paper, sender, recipient or ()))
            typer.echo(f"{paper.edition.count:,} stories were sent to {', '.join(recipient or ())}", err=True)
        else:
            _write(paper, to, out)
        if at is None:
            return


def _made(where: str | None, languages: tuple[str, ...], words: str, name: str, address: str) -> PaperEdition:
    from datetime import UTC

    from tidings.news import store
    from tidings.news.portal.edition import edition as edition_of
    from tidings.news.portal.edition_mail import PaperEdition
    from tidings.news.web.translations import LANGUAGES
    from tidings.news.web.translations import words as words_of

    if words not in LANGUAGES:
        raise InputError(f"there are no words in {words!r}; there are: {', '.join(LANGUAGES)}")
    with store.open(place(where)) as kept:
        names = kept.site_names()
        made = edition_of(
            kept,
            datetime.now(UTC),
            languages or None,
            named=lambda one: names.get(one.site) or one.site.removeprefix("www."),
            own=words,
        )
    return PaperEdition(made, words_of(words), name, address)


def _write(paper: PaperEdition, to: EditionTarget, out: Path | None) -> None:
    from tidings.news import feeds
    from tidings.news.exports.export import new_file
    from tidings.news.portal.edition_mail import as_feed, as_page, as_text

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


def _until(at: str, now: datetime) -> float:
    """Seconds until it is so late again."""
    match = _CLOCK.fullmatch(at)
    assert match is not None  # noqa: S101  # looked at before
    then = now.replace(hour=int(match[1]), minute=int(match[2]), second=0, microsecond=0)
    return (then + timedelta(days=then <= now) - now).total_seconds()


def serve(
    host: Annotated[str, typer.Option("--host", help="Listen on this address; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="The port; 0 takes a free one.")] = 8080,
    where: Where = None,
    name: Annotated[str, typer.Option("--name", help="What the portal is called.")] = "Tidings",
    address: Annotated[
        str,
        typer.Option(
            "--address", metavar="URL", help="Where the world finds it, behind a proxy: https://news.example."
        ),
    ] = "",
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="A reverse proxy, or a network of them, that is believed when it tells who a visitor is: 127.0.0.1.",
        ),
    ] = None,
    user_header: Annotated[
        str,
        typer.Option(
            "--user-header", metavar="NAME", help="The header in which a trusted proxy says who has signed in there."
        ),
    ] = "",
    openid: Annotated[
        str, typer.Option("--openid", metavar="URL", help="The issuer of an OpenID provider that people sign in by.")
    ] = "",
    openid_client: Annotated[str, typer.Option("--openid-client", help="What it knows this portal by.")] = "",
    openid_secret: Annotated[
        str, typer.Option("--openid-secret", help="Rather in TIDINGS_SERVE_OPENID_SECRET or the configuration.")
    ] = "",
    openid_name: Annotated[str, typer.Option("--openid-name", help="What people call it.")] = "",
    accounts: Annotated[
        bool | None,
        typer.Option("--accounts/--no-accounts", help="Persons sign in. Off on loopback, on everywhere else."),
    ] = None,
    sign_up: Annotated[bool, typer.Option("--sign-up", help="Anybody may open an account.")] = False,
    closed: Annotated[bool, typer.Option("--closed", help="Only the signed-in, or tokens, may read.")] = False,
    answer_to: Annotated[
        list[str] | None,
        typer.Option("--answer-to", metavar="NAME", help="A further name of this host."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin", metavar="URL", help="Pages of this site may use the API: https://tools.example."
        ),
    ] = None,
    no_watch: Annotated[bool, typer.Option("--no-watch", help="Do not watch the sources.")] = False,
    no_sample: Annotated[bool, typer.Option("--no-sample", help="Leave an empty store empty.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that read pages.")] = 1,
    workers: Annotated[
        int,
        typer.Option(
            "--workers", min=1, max=64, help="Processes that serve; more than one for many readers, one for each core."
        ),
    ] = 1,
    readers: Annotated[
        int,
        typer.Option(
            "--readers",
            min=0,
            max=64,
            help="Processes that read pages which visitors send or point at; 0 reads them where it serves, unguarded.",
        ),
    ] = 2,
    reading_memory: Annotated[
        int, typer.Option("--reading-memory", min=50, metavar="MB", help="Memory that one such page may take.")
    ] = 400,
    reading_seconds: Annotated[
        float, typer.Option("--reading-seconds", min=1, help="Processor time that one such page may take.")
    ] = 20,
    logging: Logging = Logging(),
    recipe: Annotated[
        str,
        typer.Option("--recipe", metavar="NAME|FILE", help="How sources that name none are read."),
    ] = "",
    mail: ReaderMail = ReaderMail(),
    open_: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
    web: WebOrBrowser = WebOrBrowser(),
) -> None:
    """Open the portal: a news site of your own, with search, a reader, feeds and an API. Ctrl-C closes it.

    It begins with the bundled newspaper; add feeds and front pages in the browser or with `tidings add`, and they are
    watched while it is open.

    For example:

      tidings serve
      tidings serve --store news.tidings --port 9000
      tidings serve --host 0.0.0.0 --address https://news.example --accounts
      tidings serve --address https://news.example --accounts --trusted-proxy 127.0.0.1
      tidings serve --workers 4
    """
    if workers > 1 and sys.platform == "win32":
        raise InputError("Windows cannot share one port among processes; leave out --workers")
    with needs("the portal", "news"):
        from tidings.news.serve import ServeOptions
        from tidings.news.web.proxies import TrustedProxies
        from tidings.news.web.settings import LOOPBACK, OpenIdProvider, PortalSettings, ReadAccess
    is_here = host in {"127.0.0.1", "::1", "localhost"}
    if address and URL.try_parse(address) is None:
        raise InputError(f"{address!r} is no address of a site; write https://news.example")
    if user_header and not trusted_proxy:
        raise InputError("--user-header is believed from named proxies alone: --trusted-proxy 127.0.0.1")
    if openid and (URL.try_parse(openid) is None or not openid_client):
        raise InputError("--openid is the address of an issuer, https://login.example, and needs --openid-client")
    settings = PortalSettings(
        name=name,
        accounts=not is_here if accounts is None else accounts,
        sign_up=sign_up,
        reading=ReadAccess.CLOSED if closed else ReadAccess.OPEN,
        address=address.rstrip("/"),
        hosts=(*LOOPBACK, *(() if host in {"0.0.0.0", "::"} else (host,)), *(answer_to or ())),  # noqa: S104  # compared only
        origins=tuple(one.rstrip("/") for one in allow_origin or ()),
        proxies=TrustedProxies.named(trusted_proxy or ()),
        user_header=user_header,
        openid=OpenIdProvider(openid, openid_client, openid_secret, openid_name) if openid else None,
        sends=("webhook", *(("mail",) if mail.smtp and mail.sender else ()), *(("file",) if mail.notes_folder else ())),
    )
    options = ServeOptions(
        place(where),
        "127.0.0.1" if host == "localhost" else host,
        port,
        settings,
        watch=not no_watch,
        with_sample=not no_sample,
        allow=tuple(web.allow_host or ()),
        robots=not web.ignore_robots,
        browser=web.browser,
        proxy=web.proxy,
        jobs=jobs,
        workers=workers,
        readers=readers,
        reading_memory=reading_memory * 1_000_000,
        reading_seconds=reading_seconds,
        log=logging.options() or LogOptions(),
        recipe=recipe_name(where, recipe),
        mail=mail.server,
        sender=mail.sender,
        notes_folder=mail.notes_folder,
    )
    if not is_here and not settings.accounts:
        typer.echo(
            f"tidings: everybody who reaches {host} may change sources and make tokens; --accounts is safer", err=True
        )
    with suppress(KeyboardInterrupt):
        asyncio.run(_served(options, open_))


async def _served(options: ServeOptions, in_browser: bool) -> None:
    from tidings.news.serve import serve
    from tidings.urls import without_credentials

    console = Console(stderr=True, highlight=False, markup=False)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows Ctrl-C raises instead
            loop.add_signal_handler(number, stop.set)

    def ready(address: str) -> None:
        kept = without_credentials(options.where)
        console.print(f"Tidings is open at {address} – Ctrl-C closes it. Its store: {kept}", soft_wrap=True)
        if in_browser and _has_screen():
            webbrowser.open(address)

    if console.is_terminal:  # the line is written over
        console.print("Opening …", end="\r")
    await serve(options, ready, stop)


def _has_screen() -> bool:
    """Whether a browser would open a window; without a screen it would take over the terminal."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def mcp(
    where: Where = None,
    web: WebByBrowser = WebByBrowser(),
) -> None:
    """Serve the Model Context Protocol over standard input and output: read articles, search the store.

    It is started by the program that uses it, which is told the command, as in

      {"mcpServers": {"tidings": {"command": "tidings", "args": ["mcp", "--store", "/home/ann/news.tidings"]}}}

    Nothing is written: the store is opened read-only, and addresses on private networks are refused.
    """
    from tidings.news.mcp import NewsService, server

    server(NewsService(place(where), web.live, web.browser, readers=1)).run("stdio")
