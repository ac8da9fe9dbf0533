"""An element told by its start tag: all that a rule of the hybrid paper knows of a block (4.7: tag, class, id).

One whose start tag tells nothing is told by the steps that lead to it from one that can be told.

How such elements are found in the bytes of a page is in `search`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

How = Literal["is", "word", "holds", "begins"]
HOWS: Final[tuple[How, ...]] = ("is", "word", "holds", "begins")
_SIGNS: Final = {"is": "=", "word": "~=", "holds": "*=", "begins": "^="}  # as in style sheets


class Condition(NamedTuple):
    """What an attribute must be: equal to a value, have it as one of its words, hold it, or begin with it."""

    name: str
    how: How
    value: str

    def __str__(self) -> str:
        if (self.name, self.how) == ("id", "is"):
            return "#" + self.value
        if (self.name, self.how) == ("class", "word"):
            return "." + self.value
        return f"[{self.name}{_SIGNS[self.how]}{self.value!r}]"


class Step(NamedTuple):
    """One element of a name among those that stand in no other of that name, counted from one."""

    tag: str
    number: int

    def __str__(self) -> str:
        return f"{self.tag}[{self.number}]"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Elements of one name (empty: of any) whose attributes meet all conditions."""

    tag: str = ""
    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        return (self.tag or "*") + "".join(map(str, self.conditions))

    @classmethod
    def of(cls, tag: str, *, id: str = "", classes: str = "") -> Anchor:  # noqa: A002  # as HTML calls it
        """Return the anchor of a name, an id and words of a class."""
        conditions = [Condition("id", "is", id)] if id else []
        conditions += [Condition("class", "word", word) for word in classes.split()]
        return cls(tag, tuple(conditions))
