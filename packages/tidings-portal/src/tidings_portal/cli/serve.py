"""`tidings serve`: run the portal, its APIs and the watcher."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tidings.cli.fetch_options import FallbackBrowserFetchOptions
from tidings.errors import InputError, needs
from tidings.urls import URL
from tidings_portal.cli.log_options import Logging
from tidings_portal.cli.mail_options import ReaderMail
from tidings_portal.cli.store_options import StoreOption, recipe_name, store_path
from tidings_portal.log_lines import LogOptions

if TYPE_CHECKING:
    from tidings_portal.serve import ServeOptions


def serve(
    host: Annotated[str, typer.Option("--host", help="The IP address to listen on; 0.0.0.0: all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="The port; 0: any free port.")] = 8080,
    where: StoreOption = None,
    name: Annotated[str, typer.Option("--name", help="The name of the portal.")] = "Tidings",
    address: Annotated[
        str,
        typer.Option(
            "--address",
            metavar="URL",
            help="The public URL of the portal, if it is behind a proxy: https://news.example.",
        ),
    ] = "",
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            metavar="ADDRESS",
            help="IP address or network of a reverse proxy whose X-Forwarded headers are trusted: 127.0.0.1.",
        ),
    ] = None,
    user_header: Annotated[
        str,
        typer.Option(
            "--user-header", metavar="NAME", help="The header in which a trusted proxy sends the name of the user."
        ),
    ] = "",
    openid: Annotated[
        str, typer.Option("--openid", metavar="URL", help="The issuer URL of an OpenID Connect provider for sign-in.")
    ] = "",
    openid_client: Annotated[
        str, typer.Option("--openid-client", help="The client ID of this portal at the provider.")
    ] = "",
    openid_secret: Annotated[
        str,
        typer.Option(
            "--openid-secret",
            help="The client secret; better in TIDINGS_SERVE_OPENID_SECRET or the configuration file.",
        ),
    ] = "",
    openid_name: Annotated[
        str, typer.Option("--openid-name", help="The name of the provider on the sign-in page.")
    ] = "",
    accounts: Annotated[
        bool | None,
        typer.Option("--accounts/--no-accounts", help="Require sign-in. Default: off on loopback, else on."),
    ] = None,
    sign_up: Annotated[bool, typer.Option("--sign-up", help="Visitors can create accounts.")] = False,
    closed: Annotated[bool, typer.Option("--closed", help="Only signed-in users and tokens can read.")] = False,
    answer_to: Annotated[
        list[str] | None,
        typer.Option("--answer-to", metavar="NAME", help="Another host name of the portal; repeatable."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin",
            metavar="URL",
            help="Allow web pages of this origin to use the API (CORS): https://tools.example; repeatable.",
        ),
    ] = None,
    no_watch: Annotated[bool, typer.Option("--no-watch", help="Do not poll the sources.")] = False,
    no_sample: Annotated[
        bool, typer.Option("--no-sample", help="Do not fill an empty store with the sample newspaper.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that extract pages of the sources.")] = 1,
    workers: Annotated[
        int,
        typer.Option("--workers", min=1, max=64, help="Processes that answer requests; for many users one per core."),
    ] = 1,
    readers: Annotated[
        int,
        typer.Option(
            "--readers",
            min=0,
            max=64,
            help="Processes that extract pages on request of visitors; 0: in the serving process, without limits.",
        ),
    ] = 2,
    reading_memory: Annotated[
        int, typer.Option("--reading-memory", min=50, metavar="MB", help="Largest memory of such a page.")
    ] = 400,
    reading_seconds: Annotated[
        float, typer.Option("--reading-seconds", min=1, help="Longest processor time of such a page.")
    ] = 20,
    logging: Logging = Logging(),
    recipe: Annotated[
        str,
        typer.Option("--recipe", metavar="NAME|FILE", help="The recipe of sources without their own."),
    ] = "",
    mail: ReaderMail = ReaderMail(),
    open_: Annotated[bool, typer.Option("--open", help="Open the portal in your browser.")] = False,
    web: FallbackBrowserFetchOptions = FallbackBrowserFetchOptions(),
) -> None:
    """Run the portal: a news site with search, reader, feeds and an API. Ctrl-C stops it.

    It starts with a sample newspaper. Add feeds and front pages in the browser or with `tidings add`; they are polled
    while the portal runs.

    For example:

      tidings serve
      tidings serve --store news.tidings --port 9000
      tidings serve --host 0.0.0.0 --address https://news.example --accounts
      tidings serve --address https://news.example --accounts --trusted-proxy 127.0.0.1
      tidings serve --workers 4
    """
    if workers > 1 and sys.platform == "win32":
        raise InputError("--workers is not available on Windows, where processes cannot share a port")
    with needs("the portal", "news"):
        from tidings_portal.serve import ServeOptions
        from tidings_portal.web.proxies import TrustedProxies
        from tidings_portal.web.settings import LOOPBACK, OpenIdProvider, PortalSettings, ReadAccess
    is_loopback = host in {"127.0.0.1", "::1", "localhost"}
    if address and URL.try_parse(address) is None:
        raise InputError(f"{address!r} is not the URL of a site; write https://news.example")
    if user_header and not trusted_proxy:
        raise InputError("--user-header needs --trusted-proxy, for example 127.0.0.1")
    if openid and (URL.try_parse(openid) is None or not openid_client):
        raise InputError(
            "--openid must be the URL of an issuer, such as https://login.example, and needs --openid-client"
        )
    settings = PortalSettings(
        name=name,
        accounts=not is_loopback if accounts is None else accounts,
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
        store_path(where),
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
    if not is_loopback and not settings.accounts:
        typer.echo(
            f"tidings: everyone who can reach {host} can change sources and create tokens; --accounts is safer",
            err=True,
        )
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(options, open_))


async def _serve(options: ServeOptions, in_browser: bool) -> None:
    from tidings.urls import without_credentials
    from tidings_portal.serve import serve

    console = Console(stderr=True, highlight=False, markup=False)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows Ctrl-C raises instead
            loop.add_signal_handler(number, stop.set)

    def ready(address: str) -> None:
        store = without_credentials(options.where)
        console.print(f"Tidings runs at {address}, store {store}; Ctrl-C stops it", soft_wrap=True)
        if in_browser and _has_screen():
            webbrowser.open(address)

    if console.is_terminal:  # the line is overwritten later
        console.print("Starting …", end="\r")
    await serve(options, ready, stop)


def _has_screen() -> bool:
    """Return whether a browser can open a window. Without a screen it would take over the terminal."""
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
