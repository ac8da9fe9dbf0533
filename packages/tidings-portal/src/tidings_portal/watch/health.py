"""Health of sources: a word and a sentence with a remedy, as shown by `tidings status`. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from tidings.errors import (
    ConnectionFailed,
    DeadlineExceeded,
    DecompressionBomb,
    FetchError,
    Incomplete,
    InvalidURL,
    NotNow,
    RefusedAddress,
    RobotsDisallowed,
    TooLarge,
    TooManyRedirects,
    Undecodable,
    UnknownHost,
    printable,
)
from tidings.fetch import Outcome
from tidings.fetch.messages import phrase
from tidings.sources import ProblemKind, SourceProblem
from tidings_portal.store.records_of_articles import ItemCounts, teaser_sentence
from tidings_portal.store.records_of_work import Source, SourceKind
from tidings_portal.watch.poll_report import PollReport

OK: Final = "ok"
#: The first match counts; a decompression bomb is also too large.
_FAILURES: Final[tuple[tuple[type[FetchError], str, str], ...]] = (
    (InvalidURL, "bad address", "remove it and add the right address"),
    (RefusedAddress, "refused", ""),
    (UnknownHost, "unknown host", "check the address; the name may be back tomorrow"),
    (DeadlineExceeded, "too slow", ""),
    (TooManyRedirects, "redirects", "open it in a browser and add the address where it ends"),
    (DecompressionBomb, "bomb", "remove it: this was made to harm"),
    (TooLarge, "too large", "look for a smaller feed of the site with `tidings links`"),
    (Undecodable, "undecodable", "the server is at fault; it is tried again"),
    (Incomplete, "cut short", "it is tried again"),
    (RobotsDisallowed, "disallowed", ""),
    (NotNow, "busy", ""),
    (ConnectionFailed, "unreachable", "it is tried again"),
)
_STATUSES: Final = {
    401: ("password", "give one: `tidings add ADDRESS --user NAME:PASSWORD`"),
    407: ("password", "the proxy wants one"),
    403: ("forbidden", "it does not want us to read this; look for another feed"),
    451: ("forbidden", "it does not want us to read this; look for another feed"),
    404: ("not found", "look for its new address with `tidings links` on the site's front page"),
    410: ("gone", "it is polled no more; remove it, or add its new address"),
    429: ("busy", "it asks us to come less often, and we do"),
}


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """The health of a source: a state in one word, a sentence with a remedy, and whether polling failed."""

    state: str = OK
    sentence: str = ""
    failed: bool = False


def of_outcome(outcome: Outcome) -> SourceHealth:
    """Return the health of a source, given the response or error."""
    if isinstance(outcome, FetchError):
        for kind, state, advice in _FAILURES:
            if isinstance(outcome, kind):
                return SourceHealth(state, _sentence(outcome.reason, advice), failed=True)
        return SourceHealth("failed", outcome.reason, failed=True)
    if outcome.ok:
        return SourceHealth()
    state, advice = _STATUSES.get(outcome.status, ("server error", "it is tried again"))
    if outcome.status == 503:
        state = "busy"
    return SourceHealth(state, _sentence(f"the server says {phrase(outcome.status)}", advice), failed=True)


def with_content(source: Source, counts: ItemCounts | None) -> Source:
    """Return a source with a problem state if its items have no articles or only teasers, else unchanged."""
    if source.problem or source.state != OK or counts is None:
        return source
    if counts.teasers and counts.teasers >= counts.articles:
        sentence = (
            f"{_items(counts.teasers)}, only teasers: {teaser_sentence(counts.reason)}; their pages are tried again"
        )
        return replace(source, state="teasers", problem=sentence)
    if counts.items and not counts.articles:
        sentence = f"{_items(counts.items)}, no articles: see why with `tidings status --pages`"
        return replace(source, state="no articles", problem=sentence)
    return source


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"


def of_told(source: Source, report: PollReport) -> SourceHealth:
    """Return the health of a source, given its poll report."""
    troubles = {problem.trouble: problem for problem in report.problems}
    if not report.kind:
        return _no_source(source, troubles, report)
    for trouble, state in (
        (ProblemKind.DECLARES_ENTITIES, "unsafe"),
        (ProblemKind.CUT_SHORT, "cut short"),
        (ProblemKind.NOT_WELL_FORMED, "damaged"),
        (ProblemKind.TOO_LARGE, "too large"),
        (ProblemKind.TOO_MANY, "too many"),
        (ProblemKind.BAD_ENTRY, "damaged"),
    ):
        if trouble in troubles:
            read = f"{report.links} items could be read" if report.links else "nothing could be read"
            if state == "unsafe":
                what = f"declares entities, none of which is expanded; {read}; tell its maker, or remove it"
            else:
                what = f"is {troubles[trouble]}; {read}; it is tried again"
            return SourceHealth(state, what, failed=not report.links)
    if report.recipe_problem and report.links:
        return SourceHealth("recipe", f"is read by the default recipe, for {printable(report.recipe_problem, 400)}")
    return _with_links(source, report) if report.links else _without_links(source)


def _with_links(source: Source, report: PollReport) -> SourceHealth:
    if report.moved_to and report.moved_to != source.settings.address:
        return SourceHealth(
            "moved", f"says that it lives at {printable(report.moved_to)} from now on; add that and remove this"
        )
    if report.is_ended:
        return SourceHealth("ended", "says that nothing will follow; remove it when you have what you want")
    return SourceHealth()


def _no_source(source: Source, troubles: Mapping[ProblemKind, SourceProblem], report: PollReport) -> SourceHealth:
    if ProblemKind.WEB_PAGE in troubles:
        offers = [offer for offer in report.offers if not offer.guess]
        if offers:
            advice = f"it offers {printable(offers[0].address)}: `tidings add {printable(offers[0].address)}`"
        else:
            advice = "add it as a front page with `tidings add --as front`, or look for its feed with `tidings links`"
        return SourceHealth("web page", f"answers with a web page instead of a feed; {advice}", failed=True)
    for trouble, state, sentence in (
        (ProblemKind.EMPTY, "empty", "answers with nothing at all; it is tried again"),
        (ProblemKind.BINARY, "not text", "answers with something that is no text; check the address"),
        (ProblemKind.TOO_LARGE, "too large", "is too large to be read; look for a smaller feed of the site"),
        (
            ProblemKind.DECLARES_ENTITIES,
            "unsafe",
            "declares entities, none of which is expanded, and says nothing else",
        ),
        (ProblemKind.CUT_SHORT, "cut short", "breaks off before its first item; it is tried again"),
        (ProblemKind.NOT_WELL_FORMED, "damaged", "cannot be read as XML or JSON; it is tried again"),
    ):
        if trouble in troubles:
            return SourceHealth(state, sentence, failed=True)
    expected = "sitemap" if source.settings.kind is SourceKind.SITEMAP else "feed"
    return SourceHealth(
        f"not a {expected}", f"is no {expected} that we know; check it with `tidings links`", failed=True
    )


def _without_links(source: Source) -> SourceHealth:
    if source.settings.kind is SourceKind.FRONT_PAGE:
        return SourceHealth(
            "no links",
            "no link on this page looks like a story; see why with `tidings links --dropped`, or try `--browser`",
            failed=True,
        )
    what = (
        "names no page of the last week" if source.settings.kind is SourceKind.SITEMAP else "has no items at the moment"
    )
    return SourceHealth("no items", f"{what}; nothing needs to be done")


def _sentence(reason: str, advice: str) -> str:
    reason = printable(reason, 300)
    return reason if not advice or advice in reason else f"{reason}; {advice}"
