"""What the options before the command say, for the commands to look at; and where a configuration file may lie."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

#: Options that show the help of every command.
HELP_OPTIONS: Final = ("-h", "--help")


@dataclass(slots=True)
class CommandState:
    """Set once by the command line's callback."""

    debug: bool = False
    root: Any = None  # the group of all commands
    config: Any = None  # the configuration file: `tidings.cli.config`


state = CommandState()


def usual_places() -> tuple[Path, ...]:
    """Where a configuration file is looked for."""
    if sys.platform == "win32":
        return (Path(os.environ.get("APPDATA") or Path.home()) / "tidings" / "tidings.toml",)
    own = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return own / "tidings" / "tidings.toml", Path("/etc/tidings/tidings.toml")
