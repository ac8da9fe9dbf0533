"""Regular expressions that few texts need, compiled when they are first used.

To compile all that Tidings has takes a tenth of the time that it needs to start; many wait for a language or a layout
that the first page does not have.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

_METHODS: Final = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


class _LatePattern:
    """Stands for a pattern, and has its methods from the first use on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # somebody asks what this is, and uses nothing
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile` that waits for the first use; a pattern that is wrong raises only then."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))
