"""The options of commands that log."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.news.log_lines import LogFormat, LogLevel, LogOptions

Log = Annotated[bool, typer.Option("--log", help="A line for each poll and each request; debug has each article too.")]
LogAt = Annotated[LogLevel | None, typer.Option("--log-level", help="What is worth a line.")]
LogAs = Annotated[LogFormat, typer.Option("--log-format", help="How a line is written.")]


def log_options(
    log: bool, level: LogLevel | None, form: LogFormat, usual: LogLevel = LogLevel.INFO
) -> LogOptions | None:
    """What is logged; None where nobody asked for a log."""
    if not log and level is None and form is LogFormat.TEXT:
        return None
    return LogOptions(level or (usual if log else LogLevel.WARNING), form)
