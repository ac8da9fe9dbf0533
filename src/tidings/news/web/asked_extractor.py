"""An extractor that somebody names over HTTP: any name or combination, but no file of this machine, and not too much.

On the command line `learned(model=mine.npz)` names a file of one's own. From outside it would name anybody's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, Final

from tidings import extractors
from tidings.errors import BadExpression
from tidings.extractors.learned.choice import Preference
from tidings.extractors.registry import Extractor

LONGEST: Final = 300
#: Extractors in one combination: each reads the page.
MOST: Final = 8
#: Of a parameter: an extractor that goes over the page a billion times is never done.
LARGEST: Final = 1000


def asked_extractor(expression: str = "", prefer: Preference | None = None) -> Extractor:
    """The extractor that a name or an expression stands for; without one, the usual extractor.

    Raises:
        ExtractorError: there is none, or it is not for use from outside.
    """
    said = expression.strip()
    if not said:
        prefer = prefer or Preference.BALANCED
        return extractors.extractor(f"{extractors.DEFAULT}(preference={prefer.value})")
    if prefer is not None:
        raise BadExpression(said, 0, f"a preference is for the usual extractor, {extractors.DEFAULT}; give one of both")
    if len(said) > LONGEST:
        raise BadExpression(said[:80] + "…", 0, f"it has {len(said)} characters; {LONGEST} is the most here")
    made = extractors.extractor(said)
    parts = list(_parts(made))
    if sum(not _holds_others(part) for part in parts) > MOST:
        raise BadExpression(said, 0, f"a combination has at most {MOST} extractors here")
    for part in parts:
        for one in fields(part):
            value = getattr(part, one.name)
            if isinstance(value, str) and not isinstance(value, Enum) and value != one.default is not MISSING:
                at = max(said.find(one.name), 0)
                raise BadExpression(said, at, f"{one.name} can be set on the command line and in Python only")
            is_number = isinstance(value, int | float) and not isinstance(value, Enum) and value != one.default
            if is_number and not abs(value) <= LARGEST:
                at = max(said.find(one.name), 0)
                raise BadExpression(said, at, f"{one.name} is at most {LARGEST} here")
    return made


def _parts(made: Any) -> Iterator[Any]:
    """An extractor and all those inside it."""
    waiting = [made]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one
        elif callable(one) and hasattr(one, "__dataclass_fields__"):
            yield one
            waiting += [getattr(one, field.name) for field in fields(one)]


def _holds_others(part: Any) -> bool:
    inner = [getattr(part, field.name) for field in fields(part)]
    return any(isinstance(one, Extractor) or (isinstance(one, tuple) and one) for one in inner)
