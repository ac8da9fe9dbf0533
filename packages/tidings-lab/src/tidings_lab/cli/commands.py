"""The group `tidings lab` with its commands."""

from __future__ import annotations

import typer

from tidings.cli.output import Command
from tidings_lab.cli.agreement import agreement
from tidings_lab.cli.annotate import annotate
from tidings_lab.cli.collect import collect
from tidings_lab.cli.corpus import corpus
from tidings_lab.cli.gate import gate
from tidings_lab.cli.links import links
from tidings_lab.cli.queue import queue
from tidings_lab.cli.run import run
from tidings_lab.cli.search import search
from tidings_lab.cli.stories import stories
from tidings_lab.cli.study import study
from tidings_lab.cli.table import table
from tidings_lab.cli.train import train
from tidings_lab.cli.tree import tree
from tidings_lab.cli.trends import trends

lab = typer.Typer(help="Measure extractors on pages with ground truth, and train them.", no_args_is_help=True)

for command in (
    *(run, table, search, study, train, tree, links, stories, trends, gate),
    *(collect, queue, annotate, agreement),
):
    lab.command(cls=Command)(command)
lab.add_typer(corpus, name="corpus")
