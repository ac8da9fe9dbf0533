"""`tidings lab table`: list how often extractors agree."""

from __future__ import annotations

import typer

from tidings_lab.cli.ballots import CorpusFolder, Jobs, PageType, WithExtractors, cast_ballots, extractor_names


def table(corpus: CorpusFolder, page_type: PageType = None, only: WithExtractors = None, jobs: Jobs = 0) -> None:
    """Print word F1 and token-LCS F1 of each extractor, and its time relative to parsing the page, as a
    Markdown table.
    """
    import numpy as np

    names = extractor_names(only)
    ballots = cast_ballots(corpus, page_type, names, jobs, with_lcs=True)
    words = np.array([[ballot.f1(row) for row in ballot.selected] for ballot in ballots])
    lcs = np.array([ballot.lcs for ballot in ballots])
    cost = np.array([ballot.cost for ballot in ballots])
    typer.echo(f"{len(ballots)} pages of {corpus.name}\n")
    typer.echo(
        "| extractor | word F1 | median | token-LCS F1 | time / Page | worst |\n| --- | --- | --- | --- | --- | --- |"
    )
    for place in np.argsort(-words.mean(axis=0)).tolist():
        figures = (words[:, place].mean(), np.median(words[:, place]), lcs[:, place].mean())
        times = f"{np.median(cost[:, place]):.2f} | {cost[:, place].max():.1f}"
        typer.echo(f"| `{names[place]}` | " + " | ".join(f"{figure:.3f}" for figure in figures) + f" | {times} |")
