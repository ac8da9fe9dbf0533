"""Log format: lines with level and time, as text or JSON, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

_LONGEST: Final = 500
#: What a record says besides its sentence, for programs.
DETAILS: Final = "details"


class LogLevel(StrEnum):
    """The minimum level of log lines."""

    DEBUG = "debug"  # also each article
    INFO = "info"  # also each request and each poll
    WARNING = "warning"  # what somebody should look at
    ERROR = "error"


class LogFormat(StrEnum):
    """The format of log lines."""

    TEXT = "text"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class LogOptions:
    """Options of the log."""

    level: LogLevel = LogLevel.WARNING
    format: LogFormat = LogFormat.TEXT

    def begin(self) -> None:
        """Start logging to standard error in this process."""
        logger = logging.getLogger("tidings")
        for old in [one for one in logger.handlers if isinstance(one, _LogHandler)]:
            logger.removeHandler(old)
        handler = _LogHandler(sys.stderr)
        handler.setFormatter(JsonLines() if self.format is LogFormat.JSON else TextLines())
        logger.addHandler(handler)
        logger.setLevel(self.level.value.upper())


class _LogHandler(logging.StreamHandler[Any]):
    """The log handler of Tidings, a class of its own so that it can be recognised."""


class TextLines(logging.Formatter):
    """A formatter that writes lines such as `2026-03-20 07:10:00 info requests GET / 200 12 ms`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as a line."""
        moment = datetime.fromtimestamp(record.created).astimezone()
        name = record.name.removeprefix("tidings.")
        line = f"{moment:%Y-%m-%d %H:%M:%S} {record.levelname.lower()} {name} {one_line(record.getMessage())}"
        if record.exc_info is None:
            return line
        return "\n".join([line, *map(one_line, self.formatException(record.exc_info).split("\n"))])


class JsonLines(logging.Formatter):
    """A formatter that writes one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as a line."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": one_line(record.getMessage()),
            **getattr(record, DETAILS, {}),
        }
        if record.exc_info is not None:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=True)


def one_line(text: str) -> str:
    """Return a text on one line: line breaks and control characters become spaces, and long text is cut."""
    return "".join(sign if sign.isprintable() else " " for sign in text)[:_LONGEST]
