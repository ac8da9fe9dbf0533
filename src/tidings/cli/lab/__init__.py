"""`tidings lab`: measuring on pages with gold. A file for each command."""

from __future__ import annotations

import typer

from tidings.cli.lab import votes

lab = typer.Typer(help="Measure extractors on pages with gold.", no_args_is_help=True)

for command in (votes.table, votes.search):
    lab.command()(command)
