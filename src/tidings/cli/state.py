"""What the options before the command say, for the commands to look at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class CommandState:
    """Set once by the command line's callback."""

    debug: bool = False


state = CommandState()
