"""`tidings watch`: poll the sources, and read and group their articles."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.fetch_options import FallbackBrowserFetchOptions
from tidings_portal.cli.log_options import Logging
from tidings_portal.cli.mail_options import ReaderMail
from tidings_portal.cli.store_options import StoreOption, open_store, parse_duration, recipe_name, store_path
from tidings_portal.cli.watching import Jobs, NoPages, UsualRecipe, print_summary, run, show_progress, watch_store
from tidings_portal.log_lines import LogLevel

if TYPE_CHECKING:
    from tidings_portal.sending.deliveries import Sender
    from tidings_portal.web.app_state import App


def watch(
    once: Annotated[bool, typer.Option("--once", help="Stop when all due work is done.")] = False,
    every: Annotated[
        str | None,
        typer.Option(
            "--every", metavar="TIME", help="Polling interval of all sources: 30m, 2h. Default: adapted to each."
        ),
    ] = None,
    at_once: Annotated[bool, typer.Option("--now", help="Poll all sources first, also those not due.")] = False,
    jobs: Jobs = 0,
    keep_articles: Annotated[
        str | None, typer.Option("--keep-articles", metavar="TIME", help="Delete older articles: 90d. Default: never.")
    ] = None,
    keep_pages: Annotated[
        str, typer.Option("--keep-pages", metavar="TIME", help="Delete older pages; articles stay.")
    ] = "30d",
    no_pages: NoPages = False,
    no_stories: Annotated[bool, typer.Option("--no-stories", help="Do not group articles into stories.")] = False,
    recipe: UsualRecipe = "",
    mail: ReaderMail = ReaderMail(),
    logging: Logging = Logging(),
    where: StoreOption = None,
    web: FallbackBrowserFetchOptions = FallbackBrowserFetchOptions(),
) -> None:
    """Poll the sources, fetch new pages, extract and group their articles, until Ctrl-C.

    Each source is polled every two hours at first, then as often as it has news. Several watchers of one store share
    the work. `tidings status` shows the state of the sources. Rules of users are applied and their notifications are
    sent, as by `tidings serve`: webhooks, and e-mail and files if the options below are set.

    For example:

      tidings watch
      tidings watch --once --now
      tidings watch --store postgresql://host/news --jobs 4
    """
    from tidings.processes import cores
    from tidings_portal.watch.plan import RETENTION, Plan

    retention = replace(RETENTION, articles_for=parse_duration(keep_articles), pages_for=parse_duration(keep_pages))
    plan = Plan(
        once=once,
        jobs=jobs or cores(),
        every=parse_duration(every),
        keep_pages=not no_pages,
        group=not no_stories,
        retention=retention,
        recipe=recipe_name(where, recipe),
    )
    if at_once:
        with open_store(where) as store:
            for source in store.sources():
                store.poll_again(source.id, datetime.now(UTC))
    server = mail.server

    def messages(app: App) -> Sender:
        from tidings_portal.sending.deliveries import Sender

        return Sender.beside_watch(app, server, mail.sender, mail.notes_folder)

    with show_progress(logging.options(LogLevel.DEBUG)) as tell:
        tally = run(watch_store(store_path(where), web, plan, tell, messages))
    print_summary(tally)
