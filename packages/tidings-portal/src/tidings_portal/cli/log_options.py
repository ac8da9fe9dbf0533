"""The options of commands that log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from tidings_portal.log_lines import LogFormat, LogLevel, LogOptions


@dataclass(frozen=True, slots=True)
class Logging:
    """Command-line options of the log (expanded by `tidings.cli.output.with_records`)."""

    log: Annotated[bool, typer.Option("--log", help="Log each poll and request; level debug also logs articles.")] = (
        False
    )
    log_level: Annotated[LogLevel | None, typer.Option("--log-level", help="The lowest level to log.")] = None
    log_format: Annotated[LogFormat, typer.Option("--log-format", help="text or json.")] = LogFormat.TEXT

    def options(self, default: LogLevel = LogLevel.INFO) -> LogOptions | None:
        """Return the options of the log, or None if no log is wanted."""
        if not self.log and self.log_level is None and self.log_format is LogFormat.TEXT:
            return None
        return LogOptions(self.log_level or (default if self.log else LogLevel.WARNING), self.log_format)
