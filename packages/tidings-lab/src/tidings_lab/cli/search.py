"""`tidings lab search`: search for the combination of extractors with the highest score."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.output import print_table
from tidings_lab.cli.ballots import CorpusFolder, Jobs, PageType, WithExtractors, cast_ballots, extractor_names


def search(
    corpus: CorpusFolder,
    page_type: PageType = None,
    only: WithExtractors = None,
    most: Annotated[int, typer.Option(help="Largest number of members.", min=1)] = 6,
    folds: Annotated[int, typer.Option(help="Parts that the sites are put into.", min=2)] = 5,
    jobs: Jobs = 0,
) -> None:
    """Search for the best union, intersection or vote of each size, and measure such choices on unseen sites."""
    from tidings_lab.ensemble_search import candidates
    from tidings_lab.ensemble_search import search as find

    names = extractor_names(only or list(candidates()))
    ballots = cast_ballots(corpus, page_type, names, jobs, with_lcs=False)
    columns = ("members", "chosen on", "elsewhere", "folds that agree", "expression")
    rows = (
        (size, f"{one.chosen_on:.4f}", f"{one.elsewhere:.4f}", f"{one.agreed} of {one.folds}", one.expression)
        for size, one in enumerate(find(ballots, names, most, k=folds), 1)
    )
    print_table(columns, rows, least=200)
