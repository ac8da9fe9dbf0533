"""Where data is kept unless somebody says otherwise: what is learned of sites, and the store."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def default_file() -> Path:
    """`TIDINGS_SITES`, or `sites.db` in the folder that the system has for data of programs."""
    if named := os.environ.get("TIDINGS_SITES"):
        return Path(named)
    return data_folder() / "sites.db"


def data_folder() -> Path:
    """Return the folder that the system has for our data."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "tidings"
