"""The commands that the laboratory adds to `tidings`: `tidings lab …`, one module for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Commands by heading of the help; `tidings.plugins` says how they are found.
COMMANDS: Final[Mapping[str, Mapping[str, str]]] = {"Measure and train": {"lab": "tidings_lab.cli.commands:lab"}}
