"""`tidings lab`: measuring on pages with gold."""

from __future__ import annotations

import typer

from tidings.cli.lab import annotate, run, study
from tidings.cli.output import Command

lab = typer.Typer(help="Measure extractors on pages with gold.", no_args_is_help=True)

for command in (
    run.run,
    study.table,
    study.search,
    study.study,
    study.train,
    study.tree,
    study.links,
    study.stories,
    study.trends,
    run.gate,
    annotate.collect,
    annotate.queue,
    annotate.annotate,
    annotate.agreement,
):
    lab.command(cls=Command)(command)
lab.add_typer(annotate.corpus, name="corpus")
