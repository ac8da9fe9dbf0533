"""The global options of `tidings`, shared with its commands, and the default paths of the configuration file."""

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
    """Global options, set once when `tidings` starts."""

    debug: bool = False
    root: Any = None  # the group of all commands
    config: Any = None  # the configuration file: `tidings.cli.config`


state = CommandState()


def default_config_paths() -> tuple[Path, ...]:
    """Return the paths at which a configuration file is searched for."""
    if sys.platform == "win32":
        return (Path(os.environ.get("APPDATA") or Path.home()) / "tidings" / "tidings.toml",)
    own = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return own / "tidings" / "tidings.toml", Path("/etc/tidings/tidings.toml")
