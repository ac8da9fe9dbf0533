"""The marks of a page and all changes to them, with undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tidings_lab.annotation.marks import Marks, UnitMark


@dataclass(frozen=True, slots=True)
class MarkChange:
    """A change: units that got a mark, and their previous marks."""

    units: tuple[int, ...]
    before: tuple[int, ...]
    mark: UnitMark


@dataclass(slots=True)
class History:
    """The current marks of a page's units, and all changes that led to them."""

    marks: Marks
    done: list[MarkChange] = field(default_factory=list)
    undone: list[MarkChange] = field(default_factory=list)

    def mark(self, units: Sequence[int], mark: UnitMark, *, always: bool = False) -> bool:
        """Mark units; return whether anything changed. Undone changes can then no longer be redone.

        Confirming a unit's current mark counts as a change the first time, because it is a decision; with `always` it
        counts every time.

        Raises:
            ValueError: a unit does not exist.
        """
        if invalid := [unit for unit in units if not 0 <= unit < len(self.marks)]:
            raise ValueError(f"there is no unit {invalid[0]}: the page has {len(self.marks)}")
        chosen = tuple(dict.fromkeys(units))
        decided = self.decided
        if not always and not [unit for unit in chosen if self.marks[unit] != mark or unit not in decided]:
            return False
        self.undone.clear()
        self._do(MarkChange(chosen, tuple(int(self.marks[unit]) for unit in chosen), mark))
        return True

    def undo(self) -> bool:
        """Undo the last change; return whether there was one."""
        if not self.done:
            return False
        change = self.done.pop()
        self.marks[list(change.units)] = change.before
        self.undone.append(change)
        return True

    def redo(self) -> bool:
        """Redo the last undone change; return whether there was one."""
        if not self.undone:
            return False
        self._do(self.undone.pop())
        return True

    def _do(self, change: MarkChange) -> None:
        self.marks[list(change.units)] = change.mark
        self.done.append(change)

    @property
    def decided(self) -> set[int]:
        """Return the units that the annotator has marked, or whose predicted mark the annotator has confirmed."""
        return {unit for change in self.done for unit in change.units}
