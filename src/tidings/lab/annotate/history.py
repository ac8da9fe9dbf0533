"""The marks of one page and every change to them: what was done can be undone, and done again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tidings.lab.marks import Mark, Marks


@dataclass(frozen=True, slots=True)
class Change:
    """Units that got a mark, and what each had before."""

    units: tuple[int, ...]
    before: tuple[int, ...]
    mark: Mark


@dataclass(slots=True)
class History:
    """What a page's units are now, and how they came to be so."""

    marks: Marks
    done: list[Change] = field(default_factory=list)
    undone: list[Change] = field(default_factory=list)

    def mark(self, units: Sequence[int], mark: Mark, *, always: bool = False) -> bool:
        """Mark units; says whether there was something to do. What was undone before cannot be done again.

        To confirm a mark that a unit has already is a change too, the first time: somebody decided. `always` makes it
        one in any case.

        Raises:
            ValueError: there is no such unit.
        """
        if wrong := [unit for unit in units if not 0 <= unit < len(self.marks)]:
            raise ValueError(f"there is no unit {wrong[0]}: the page has {len(self.marks)}")
        chosen = tuple(dict.fromkeys(units))
        decided = self.decided
        if not always and not [unit for unit in chosen if self.marks[unit] != mark or unit not in decided]:
            return False
        self.undone.clear()
        self._do(Change(chosen, tuple(int(self.marks[unit]) for unit in chosen), mark))
        return True

    def undo(self) -> bool:
        """Take back the last change; says whether there was one."""
        if not self.done:
            return False
        change = self.done.pop()
        self.marks[list(change.units)] = change.before
        self.undone.append(change)
        return True

    def redo(self) -> bool:
        """Do again what was taken back last; says whether there was something."""
        if not self.undone:
            return False
        self._do(self.undone.pop())
        return True

    def _do(self, change: Change) -> None:
        self.marks[list(change.units)] = change.mark
        self.done.append(change)

    @property
    def decided(self) -> set[int]:
        """Blocks that somebody has marked, if only to confirm what they were."""
        return {unit for change in self.done for unit in change.units}
