"""Lazily compiled regular expressions.

Compiling all patterns of Tidings takes a tenth of its start time, and many are only needed for certain languages or
layouts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, Final, cast

_Search = Callable[[str], re.Match[str] | None]

_METHODS: Final = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


class _LatePattern:
    """A pattern that is compiled on first use."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # introspection, not use
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def late_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled on first use. Errors in the pattern are raised only then."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


#: Letters whose case-insensitive matches differ from their lower case: few texts have one.
_UNUSUAL: Final = (
    r"[\u00b5\u0130\u0131\u017f\u0345\u0370-\u03ff\u1c80-\u1c8f\u1e9b-\u1e9e\u1f00-\u1fff\u2126\u212a\u212b\ua640-\ua69f"
    r"\ufb00-\ufb06]"
)
#: A plain word without metacharacters.
_PLAIN: Final = re.compile(r"[a-z0-9_/-]++").fullmatch
#: Escape sequences in a pattern.
_ESCAPED: Final = r"\\."


@cache
def _unusual() -> _Search:
    return re.compile(_UNUSUAL).search


def is_usual(text: str) -> bool:
    """Return whether case-insensitive matching can be done on the lower-cased text. This fails for a few characters,
    such as the Turkish İ.
    """
    return text.isascii() or _unusual()(text) is None


class LateWords:
    """A case-insensitive search for words: like `re.search` with IGNORECASE, but several times faster.

    The text is lower-cased first, so that the regular expression can search for literal prefixes.

    Args:
        patterns: lower-case patterns, compiled on first use. A pattern with a common literal prefix is fastest on its
            own, and a plain word is faster still.
    """

    def __init__(self, *patterns: str) -> None:
        self.patterns = patterns
        self._words = tuple(filter(_PLAIN, patterns))

    def __call__(self, text: str) -> bool:
        """Return whether one of the patterns matches anywhere in a text."""
        if not is_usual(text):
            return any(pattern.search(text) is not None for pattern in self._in_any_case)
        text = text.lower()
        for word in self._words:
            if word in text:
                return True
        return any(pattern.search(text) is not None for pattern in self._regexes) if self._regexes else False

    def places(self, text: str) -> list[int]:
        """Return the offsets of all matches, pattern by pattern."""
        if is_usual(text):  # lower-casing preserves the length
            text, patterns = text.lower(), self._in_small_letters
        else:
            patterns = self._in_any_case
        return [match.start() for pattern in patterns for match in pattern.finditer(text)]

    @cached_property
    def _in_any_case(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in self.patterns)

    @cached_property
    def _in_small_letters(self) -> tuple[re.Pattern[str], ...]:
        letters = re.sub(_ESCAPED, "", "".join(self.patterns))
        is_small = letters == letters.lower() and not re.search("[\u0130\u0131\u017f\u212a]", letters)
        return tuple(map(re.compile, self.patterns)) if is_small else self._in_any_case

    @cached_property
    def _regexes(self) -> tuple[re.Pattern[str], ...]:
        """Return the patterns that are not plain words."""
        return tuple(pattern for pattern in self._in_small_letters if pattern.pattern not in self._words)
