"""Default locations of data files: learned sites and the store."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def default_file() -> Path:
    """Return `TIDINGS_SITES`, or `sites.db` in the user's data folder."""
    if named := os.environ.get("TIDINGS_SITES"):
        return Path(named)
    return data_folder() / "sites.db"


def data_folder() -> Path:
    """Return the user's data folder for Tidings."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "tidings"
