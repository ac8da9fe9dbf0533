"""The commands of the laboratory: `tidings lab …`, one module for each."""

from __future__ import annotations

import typer

from tidings.cli.lab.agreement import agreement
from tidings.cli.lab.annotate import annotate
from tidings.cli.lab.collect import collect
from tidings.cli.lab.corpus import corpus
from tidings.cli.lab.gate import gate
from tidings.cli.lab.links import links
from tidings.cli.lab.queue import queue
from tidings.cli.lab.run import run
from tidings.cli.lab.search import search
from tidings.cli.lab.stories import stories
from tidings.cli.lab.study import study
from tidings.cli.lab.table import table
from tidings.cli.lab.train import train
from tidings.cli.lab.tree import tree
from tidings.cli.lab.trends import trends
from tidings.cli.output import Command

lab = typer.Typer(help="Measure extractors on pages with ground truth, and train them.", no_args_is_help=True)

for command in (
    *(run, table, search, study, train, tree, links, stories, trends, gate),
    *(collect, queue, annotate, agreement),
):
    lab.command(cls=Command)(command)
lab.add_typer(corpus, name="corpus")
