"""What a figure was measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path


def describe(*packages: str) -> str:
    """The processor, the Python and the packages, in one line."""
    model = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    return f"{model or platform.machine()}, {os.cpu_count()} cores; Python {platform.python_version()}; {versions}"
