"""`tidings crawl`: read a whole site into the store."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.fetch_options import BrowserFetchOptions, FetchOptions
from tidings_portal.cli.log_options import Logging
from tidings_portal.cli.store_options import StoreOption, recipe_name, shared_live, store_path
from tidings_portal.cli.watching import Jobs, NoPages, UsualRecipe, print_summary, run, show_progress, watch_store
from tidings_portal.log_lines import LogLevel

if TYPE_CHECKING:
    from tidings.sources import CrawlBounds
    from tidings_portal.watch.events import Tell, WatchCounts
    from tidings_portal.watch.plan import Plan


def crawl(
    site: Annotated[str, typer.Argument(metavar="SITE", help="The URL of its front page.")],
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most articles to fetch.")] = 100,
    depth: Annotated[int, typer.Option("--depth", min=0, help="Clicks from the front page to a section.")] = 1,
    jobs: Jobs = 0,
    no_pages: NoPages = False,
    recipe: UsualRecipe = "",
    logging: Logging = Logging(),
    where: StoreOption = None,
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """Fetch the articles that the front page and the sections of a site link to, once.

    For example:

      tidings crawl https://harbour.example/ --limit 50
      tidings crawl https://harbour.example/ --recipe lbnest
    """
    from tidings.processes import cores
    from tidings.sources import CrawlBounds
    from tidings_portal.watch.plan import Plan

    bounds = CrawlBounds(stories=limit, depth=depth)
    plan = Plan(once=True, jobs=jobs or cores(), keep_pages=not no_pages, recipe=recipe_name(where, recipe))
    with show_progress(logging.options(LogLevel.DEBUG)) as tell:
        stories, new, tally = run(_crawl(store_path(where), web, plan, tell, site, bounds))
    typer.echo(f"{stories:,} articles found, {new:,} of them new", err=True)
    print_summary(tally)
    if not stories:
        raise typer.Exit(3)


async def _crawl(
    where: str, web: FetchOptions, plan: Plan, tell: Tell, site: str, bounds: CrawlBounds
) -> tuple[int, int, WatchCounts]:
    from tidings_portal import store
    from tidings_portal.recipes.catalogue import RecipeCatalogue
    from tidings_portal.watch.crawl import gather

    async with AsyncExitStack() as stack:
        opened = stack.enter_context(store.open(where))
        live = await stack.enter_async_context(shared_live(web, opened))
        stories, new = await gather(opened, live, site, bounds, RecipeCatalogue(opened).recipe(plan.recipe).chain)
    return stories, new, await watch_store(where, web, replace(plan, polls_at_once=0), tell)
