"""`tidings explain`: say for each block of a page whether it was selected, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.fetch_options import BrowserFetchOptions, is_url
from tidings.cli.inputs import Input
from tidings.cli.output import coloured, print_table

if TYPE_CHECKING:
    from tidings.extractors.explain import Verdict


def explain(
    page: Annotated[str, typer.Argument(help="The page: a file, a URL, or - for standard input.")],
    with_: Annotated[str, typer.Option("--with", "-w", metavar="NAME", help="The extractor or combination.")] = "",
    selected: Annotated[bool, typer.Option("--selected", "--kept", help="Only blocks that were selected.")] = False,
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """Show for each block of a page whether it was selected, and why."""
    from tidings import extractor
    from tidings.extractors import DEFAULT
    from tidings.extractors.explain import explain as verdicts

    document = Input(page, web).page(None if is_url(page) else page)
    headings = ("", "words", "links", "where", "text", "why")
    found = verdicts(extractor(with_ or DEFAULT), document)
    print_table(headings, (_verdict_row(verdict) for verdict in found if verdict.selected_share or not selected))


def _verdict_row(verdict: Verdict) -> tuple[object, ...]:
    mark = (
        ("selected", "green")
        if verdict.selected_share > 0.5
        else ("part", "yellow")
        if verdict.selected_share
        else ("dropped", "dim")
    )
    short = verdict.text if len(verdict.text) <= 60 else verdict.text[:59] + "…"
    share = f"{verdict.link_share:.0%}"
    return (coloured(*mark), verdict.words, share, verdict.path, " ".join(short.split()), verdict.reason)
