r"""Regular expressions that match in linear time, for patterns of users (HOSTILE 20).

Python's `re` backtracks and takes exponential time on patterns such as `(a+)+$`. Patterns of filters are untrusted, so
RE2 matches them. What it cannot match in linear time (backreferences, lookaround) is rejected when the pattern is
compiled. `\d`, `\w` and `\s` match all scripts, as in `re`. Matching ignores case, and a pattern may match anywhere.
"""

from __future__ import annotations

import re
from typing import Final

import re2

from tidings.errors import BadPattern

_LONGEST: Final = 500
_MEMORY: Final = 1 << 20  # bytes per compiled pattern
_SHORTHAND: Final = {"d": r"\p{Nd}", "w": r"\pL\pN_", "s": r"\s\x0b\x1c-\x1f\x{85}\pZ"}
_HALF: Final = re.compile("[\ud800-\udfff]")
_PART: Final = re.compile(r"\\.?|\[\^?\]?|\]|[^\\\[\]]+", re.DOTALL)
_REASONS: Final = {
    "missing )": "a group is not closed",
    "unexpected )": "a group is closed that was not opened",
    "missing ]": "a class is not closed",
    "no argument for repetition operator": "there is nothing to repeat",
    "bad repetition operator": "a repetition is repeated",
    "invalid repetition size": "it is repeated too often, or fewer times than the least",
    "invalid escape sequence": "an escape that is not known",
    "trailing \\": "an escape that is not known",
    "invalid perl operator": "a group that looks around, or of a kind that is not known",
    "pattern too large": "it is too large; repeat less",
}


class Pattern:
    """A compiled pattern.

    Raises:
        BadPattern: the pattern is invalid, or cannot be matched in linear time.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        if len(pattern) > _LONGEST:
            raise BadPattern(pattern[:60] + "…", 0, f"it has {len(pattern)} characters; {_LONGEST} are enough")
        options = re2.Options()
        options.case_sensitive = False
        options.dot_nl = True
        options.max_mem = _MEMORY
        options.log_errors = False
        try:
            self._compiled = re2.compile(_of_all_scripts(_whole(pattern)), options)
        except re2.error as error:
            raise _refused(pattern, error.args[0]) from None

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r})"

    def search(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in a text."""
        return self._compiled.search(_whole(text)) is not None


def _whole(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode."""
    return _HALF.sub("\ufffd", text)


def _of_all_scripts(pattern: str) -> str:
    """Extend shorthand classes to all scripts, because RE2's are ASCII only."""
    result, inside = "", False
    for part in _PART.findall(pattern):
        negated = part[0] == "\\" and part[1:].isupper()
        shorthand = _SHORTHAND.get(part[1:].lower()) if part[0] == "\\" else None
        if shorthand and not (inside and negated):
            result += shorthand if inside else f"[{'^' * negated}{shorthand}]"
        else:
            result += part
        inside = (not inside and part[0] == "[") or (inside and part != "]")
    return result


def _refused(pattern: str, message: bytes | str) -> BadPattern:
    text = message.decode(errors="replace") if isinstance(message, bytes) else message
    kind, _, place = text.partition(": ")
    reason = next((ours for theirs, ours in _REASONS.items() if kind.startswith(theirs)), kind)
    return BadPattern(pattern, max(0, pattern.find(place)) if place else 0, reason)
