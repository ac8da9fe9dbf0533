"""Polling of a source: fetch it if it has changed, parse it, and store the result."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from typing import Final

from tidings.errors import Undecodable
from tidings.fetch import Kind, Outcome, Request, Response, Validators
from tidings.processes import JobFailed
from tidings.sources import Sitemap, Walk
from tidings.urls import origin_of, outlet_of, site_of
from tidings_portal.store.quarantine import Quarantine
from tidings_portal.store.records_of_work import Source, SourceKind, Stage
from tidings_portal.watch.context import WatchContext
from tidings_portal.watch.decide import SlowDown, SourceDecision, after_poll
from tidings_portal.watch.events import Polled
from tidings_portal.watch.parse_source import SourceAnswer
from tidings_portal.watch.poll_report import PollReport
from tidings_portal.watch.quarantine import source_name, without_secrets

_KINDS: Final = {
    SourceKind.FEED: Kind.FEED,
    SourceKind.FRONT_PAGE: Kind.PAGE,
    SourceKind.SITEMAP: Kind.SITEMAP,
}
#: The maximum number of sitemaps per poll; news sitemaps come first.
_SITEMAPS: Final = 20
#: The maximum number of headers of a source, and the syntax of their names (RFC 9110, 5.1).
MOST_HEADERS: Final = 20
_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,60}")


async def poll_source(context: WatchContext, source: Source) -> None:
    """Poll a source and store the result."""
    settings = source.settings
    if settings.interval is None and (every := await _interval(context, source)) is not None:
        source = replace(source, settings=replace(settings, interval=every))
    outcome = await _fetched(context, source)
    report: PollReport | None = None
    lost = ""
    if isinstance(outcome, Response) and outcome.ok and not outcome.not_modified:
        try:
            report = await _report(context, source, outcome)
        except JobFailed as error:
            lost = without_secrets(str(error), source)
            outcome = Undecodable(source.settings.address, f"cannot be read: {lost}")
    decision = await _settled(
        context, replace(source, settings=settings), after_poll(source, outcome, report, context.now())
    )
    if isinstance(decision.intent, SlowDown):
        await context.ask(context.store.hold_host, site_of(source.settings.address), decision.intent.at)
    await context.ask(context.store.polled, decision.poll)
    if lost:
        await context.ask(Quarantine(context.store, Stage.POLLING, context.now()).add, source_name(source), lost)
    context.tell(Polled(source, decision.poll, report.new if report else 0))
    if report and report.new:
        context.wake()


async def _interval(context: WatchContext, source: Source) -> timedelta | None:
    """Return the fixed polling interval of all sources or of a source's recipe; None if it adapts to how often there
    is news.
    """
    name = source.settings.recipe or context.plan.recipe
    if context.plan.every is not None or not name:
        return context.plan.every
    chosen = await context.ask(context.recipes.choose, name)
    return chosen.recipe.poll


async def _fetched(context: WatchContext, source: Source) -> Outcome:
    settings = source.settings
    # After a failure to parse a source, fetch it without validators.
    validators = Validators() if source.failures else Validators(source.etag or None, source.last_modified or None)
    request = Request(
        *(
            settings.address,
            _KINDS[settings.kind],
            validators,
            (*_authorization(settings.credentials), *own_headers(settings.headers)),
        ),
        robots=not settings.ignores_robots,
        proxy=settings.proxy or None,
    )
    return await context.fetcher.fetch(request)


def own_headers(lines: str) -> tuple[tuple[str, str], ...]:
    """Return the headers that a user set for a source, one per line; invalid lines are left out."""
    found = []
    for line in lines.splitlines()[:MOST_HEADERS]:
        name, _, value = line.partition(":")
        if _HEADER.fullmatch(name.strip()) and value.strip() and value.isprintable():
            found.append((name.strip(), value.strip()))
    return tuple(found)


def page_request(source: Source | None, address: str) -> Request:
    """Return the request for a page of a source, with its settings if it is of the same site and as private."""
    if source is None:
        return Request(address, Kind.PAGE)
    settings = source.settings
    is_own = outlet_of(address) == outlet_of(settings.address) and (
        address.startswith("https:") or not settings.address.startswith("https:")
    )
    headers = own_headers(settings.headers) if is_own else ()
    return Request(
        address,
        Kind.PAGE,
        headers=headers,
        robots=not (settings.ignores_robots and is_own),
        proxy=settings.proxy or None,
    )


def _authorization(credentials: str) -> tuple[tuple[str, str], ...]:
    """Return the header for `user:password`, or for a literal value such as `Bearer …`."""
    if not credentials:
        return ()
    if " " in credentials:
        return (("Authorization", credentials),)
    return (("Authorization", "Basic " + b64encode(credentials.encode()).decode("ascii")),)


async def _report(context: WatchContext, source: Source, answer: Response) -> PollReport:
    """Return the poll report of a source with its further sitemaps, each visited once (HOSTILE 14)."""
    report = await _look(context, source, answer)
    if not report.sitemaps:
        return report
    walk = Walk.start([answer.url], most=_SITEMAPS).step(Sitemap((), report.sitemaps))
    while (address := walk.next) is not None:
        outcome = await context.fetcher.fetch(Request(address, Kind.SITEMAP))
        inner = PollReport()
        if isinstance(outcome, Response) and outcome.ok:
            inner = await _look(context, source, outcome)
        report = report.with_(inner)
        walk = walk.step(Sitemap((), inner.sitemaps))
    return report


async def _look(context: WatchContext, source: Source, answer: Response) -> PollReport:
    result = await context.do(SourceAnswer(source, answer.url, answer.body, answer.content_type, context.now()))
    assert isinstance(result, PollReport)  # noqa: S101  # looks give what they saw
    return result


async def _settled(context: WatchContext, source: Source, decision: SourceDecision) -> SourceDecision:
    """Store the new URL of a source that has moved permanently. Return the decision, with a problem if that fails."""
    if decision.moved_to is None:
        return decision
    other = await context.ask(context.store.source_at, decision.moved_to)
    if other is not None and other.id != source.id:
        sentence = f"has moved to {other.settings.address}, which is source {other.id}: `tidings remove {source.id}`"
        return replace(decision, poll=replace(decision.poll, state="moved", problem=sentence))
    told = replace(source.settings, address=decision.moved_to)
    if origin_of(decision.moved_to) != origin_of(source.settings.address):
        told = replace(told, credentials="", headers="")  # they belong to the previous host
    await context.ask(context.store.change_source, source.id, told)
    return decision
