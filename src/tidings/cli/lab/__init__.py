"""`tidings lab`: measuring on pages with gold. A file for each command."""

from __future__ import annotations

import typer

from tidings.cli.lab import annotate, corpus, gate, links, queue, run, stories, study, train, trends, votes

lab = typer.Typer(help="Measure extractors on pages with gold.", no_args_is_help=True)

for command in (
    run.run,
    votes.table,
    votes.search,
    study.study,
    train.train,
    links.links,
    stories.stories,
    trends.trends,
    gate.gate,
    queue.queue,
    annotate.annotate,
    annotate.agreement,
):
    lab.command()(command)
lab.add_typer(corpus.corpus, name="corpus")
