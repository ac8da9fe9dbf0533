"""What can become of a step."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What became of a step."""

    READ = "read"
    RAISED = "raised"
    KILLED = "killed"  # it took longer than it may
    DIED = "died"  # and took the process with it
