"""What Chromium painted of each way when `tests.hidden_text.chromium` was last run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

PAINTED: Final = Path(__file__).with_name("painted.json")


class Painted(NamedTuple):
    """What Chromium paints of a way, and what it says of the element."""

    is_painted: bool
    check_visibility: bool | None
    width: int
    height: int


def stored() -> dict[str, Painted]:
    """Return what Chromium painted when the table was last written."""
    return {name: Painted(*values) for name, values in json.loads(PAINTED.read_text()).items()}
