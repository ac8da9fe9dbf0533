"""Regular expressions that few texts need, compiled when they are first used.

To compile all that Tidings has takes a tenth of the time that it needs to start; many wait for a language or a layout
that the first page does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property
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
#: A word that is no pattern.
_PLAIN: Final = re.compile(r"[a-z0-9_/-]++").fullmatch
#: What a pattern says besides letters.
_ESCAPED: Final = r"\\."


@cache
def _unusual() -> _Search:
    return re.compile(_UNUSUAL).search


def is_usual(text: str) -> bool:
    """Return whether no letter is, where case does not count, another than its small letter."""
    return text.isascii() or _unusual()(text) is None


class LateWords:
    """Whether one of some words stands in a text, case aside: `re.search` with IGNORECASE, several times as quick.

    The text is searched in small letters: only so can the words be looked for by their first letters.

    Args:
        patterns: in small letters; compiled when they are first used. What begins with the same letters, or with one of
            some characters, is quickest looked for by itself, and still quicker what is a word and no pattern.
    """

    def __init__(self, *patterns: str) -> None:
        self.patterns = patterns
        self._words = tuple(filter(_PLAIN, patterns))

    def __call__(self, text: str) -> bool:
        """Return whether they do."""
        if not is_usual(text):
            return any(pattern.search(text) is not None for pattern in self._in_any_case)
        text = text.lower()
        for word in self._words:
            if word in text:
                return True
        return any(pattern.search(text) is not None for pattern in self._others) if self._others else False

    def places(self, text: str) -> list[int]:
        """Return where they do: of each pattern one behind the other."""
        if is_usual(text):  # small letters are as many, then
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
    def _others(self) -> tuple[re.Pattern[str], ...]:
        """Those that are patterns."""
        return tuple(one for one in self._in_small_letters if one.pattern not in self._words)
