"""The options of commands that log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from tidings_portal.log_lines import LogFormat, LogLevel, LogOptions


@dataclass(frozen=True, slots=True)
class Logging:
    """What is logged, and how: a record of options."""

    log: Annotated[
        bool, typer.Option("--log", help="A line for each poll and each request; debug has each article too.")
    ] = False
    log_level: Annotated[LogLevel | None, typer.Option("--log-level", help="What is worth a line.")] = None
    log_format: Annotated[LogFormat, typer.Option("--log-format", help="How a line is written.")] = LogFormat.TEXT

    def options(self, usual: LogLevel = LogLevel.INFO) -> LogOptions | None:
        """What is logged; None where nobody asked for a log."""
        if not self.log and self.log_level is None and self.log_format is LogFormat.TEXT:
            return None
        return LogOptions(self.log_level or (usual if self.log else LogLevel.WARNING), self.log_format)
