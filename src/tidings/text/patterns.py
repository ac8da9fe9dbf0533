"""Regular expressions that few texts need, compiled when they are first used.

To compile all that Tidings has takes a tenth of the time that it needs to start; many wait for a language or a layout
that the first page does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, cast

_Search = Callable[[str], re.Match[str] | None]

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


#: Letters that are, where case does not count, others than their small letters: few texts have one.
_UNUSUAL: Final = (
    r"[\u00b5\u0130\u0131\u017f\u0345\u0370-\u03ff\u1c80-\u1c8f\u1e9b-\u1e9e\u1f00-\u1fff\u2126\u212a\u212b\ua640-\ua69f"
    r"\ufb00-\ufb06]"
)
#: What a pattern says besides letters.
_ESCAPED: Final = r"\\."


class LateWords:
    """Whether one of some words stands in a text, case aside: `re.search` with IGNORECASE, several times as quick.

    The text is searched in small letters: only so can the words be looked for by their first letters.

    Args:
        pattern: in small letters; compiled when it is first used.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def __call__(self, text: str) -> bool:
        """Whether they do."""
        if text.isascii() or self._unusual(text) is None:
            return self._in_small_letters(text.lower()) is not None
        return self._in_any_case(text) is not None

    @cached_property
    def _unusual(self) -> _Search:
        return re.compile(_UNUSUAL).search

    @cached_property
    def _in_any_case(self) -> _Search:
        return re.compile(self.pattern, re.IGNORECASE).search

    @cached_property
    def _in_small_letters(self) -> _Search:
        letters = re.sub(_ESCAPED, "", self.pattern)
        is_small = letters == letters.lower() and not re.search("[\u0130\u0131\u017f\u212a]", letters)
        return re.compile(self.pattern).search if is_small else self._in_any_case
