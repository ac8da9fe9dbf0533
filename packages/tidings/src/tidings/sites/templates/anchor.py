"""Element selectors of rules: tag, attribute conditions and steps.

The rules of the hybrid paper describe a block by tag, class and id (4.7). An element whose start tag is not distinctive
is described by the steps from one that is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

How = Literal["is", "word", "holds", "begins"]
HOWS: Final[tuple[How, ...]] = ("is", "word", "holds", "begins")
_SIGNS: Final = {"is": "=", "word": "~=", "holds": "*=", "begins": "^="}  # as in style sheets


class Condition(NamedTuple):
    """A condition on an attribute: equal to a value, has it as a word, contains it, or begins with it."""

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
    """The n-th element with a tag among those that are not nested in another element with this tag, counted from
    one.
    """

    tag: str
    number: int

    def __str__(self) -> str:
        return f"{self.tag}[{self.number}]"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A selector: elements with a tag (empty: any) whose attributes meet all conditions."""

    tag: str = ""
    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        return (self.tag or "*") + "".join(map(str, self.conditions))

    @classmethod
    def of(cls, tag: str, *, id: str = "", classes: str = "") -> Anchor:  # noqa: A002  # as HTML calls it
        """Return the selector for a tag, an id and class words."""
        conditions = [Condition("id", "is", id)] if id else []
        conditions += [Condition("class", "word", word) for word in classes.split()]
        return cls(tag, tuple(conditions))
