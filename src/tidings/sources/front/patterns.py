r"""Regular expressions that cannot run away: matched in time linear in the text, whatever the pattern (HOSTILE 20).

Python's `re` tries one way after another and takes exponential time on patterns such as `(a+)+$`. Patterns of people
who write filters are not ours, so they run here: compiled to a nondeterministic automaton (Thompson 1968), followed in
all its states at once, each set of states worked out once and kept. What cannot be matched that way (references back,
looking around) is refused when the pattern is read.

Known are letters, `.`, classes, `\d \w \s`, groups, `|`, `? * + {m,n}`, `^` and `$`. Case does not count; a pattern is
found anywhere in a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tidings.errors import BadPattern

_LONGEST: Final = 500
_MOST_STATES: Final = 2000
_MOST_REPEATED: Final = 200
_MOST_NESTED: Final = 30
_LONGEST_TEXT: Final = 4000
_MOST_KEPT: Final = 5000  # steps of the automaton that are remembered
_SHORTHAND: Final[dict[str, Callable[[str], bool]]] = {
    "d": str.isdecimal,
    "w": lambda one: one.isalnum() or one == "_",
    "s": str.isspace,
}
_REPEAT: Final = re.compile(r"\{(\d{1,4})(?:(,)(\d{0,4}))?\}")

Test = Callable[[str], bool]


@dataclass(slots=True)
class _State:
    """One place in the automaton: passes a character, or forks. State 0 is the end of the pattern."""

    test: Test | None = None
    edge: str = ""  # ^ or $: passed only at the beginning or the end of the text
    ways: list[int] = field(default_factory=list)


class _PatternReader:
    """Reads a pattern into states, the last part first known: each part gets the state that comes behind it."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.nested = 0
        self.states: list[_State] = [_State()]

    def add(self, state: _State) -> int:
        if len(self.states) >= _MOST_STATES:
            raise self.refused("it is too large; repeat less")
        self.states.append(state)
        return len(self.states) - 1

    def refused(self, reason: str) -> BadPattern:
        return BadPattern(self.pattern, self.at, reason)

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    # A part is read into a function from the state behind it to the state it begins with, so that it can be repeated.

    def alternatives(self) -> Callable[[int], int]:
        choices = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            choices.append(self.sequence())
        if len(choices) == 1:
            return choices[0]
        return lambda behind: self.add(_State(ways=[choice(behind) for choice in choices]))

    def sequence(self) -> Callable[[int], int]:
        parts: list[Callable[[int], int]] = []
        while self.peek() not in {"", "|", ")"}:
            parts.append(self.repeated(self.single()))

        def build(behind: int) -> int:
            for part in reversed(parts):
                behind = part(behind)
            return behind

        return build

    def repeated(self, part: Callable[[int], int]) -> Callable[[int], int]:
        sign = self.peek()
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(sign, (1, 1))
        if sign and sign in "*+?":
            self.at += 1
        elif sign == "{" and (match := _REPEAT.match(self.pattern, self.at)):
            least = int(match[1])
            most = least if match[2] is None else int(match[3]) if match[3] else None
            self.at = match.end()
            if max(least, most or 0) > _MOST_REPEATED or (most is not None and most < least):
                raise self.refused(f"it may be repeated at most {_MOST_REPEATED} times, and not fewer than the least")
        else:
            return part
        if self.peek() and self.peek() in "*+?{":
            if self.peek() != "?":
                raise self.refused("a repetition is repeated")
            self.at += 1  # reluctant: finding or not finding is the same
        return lambda behind: self._times(part, least, most, behind)

    def _times(self, part: Callable[[int], int], least: int, most: int | None, behind: int) -> int:
        if most is None:
            fork = self.add(_State())
            self.states[fork].ways = [part(fork), behind]
            first = fork
        else:
            first = behind
            for _ in range(most - least):
                first = self.add(_State(ways=[part(first), behind]))
        for _ in range(least):
            first = part(first)
        return first

    def single(self) -> Callable[[int], int]:
        sign = self.peek()
        self.at += 1
        if sign == "(":
            return self.group()
        if sign in {"^", "$"}:
            return lambda behind: self.add(_State(edge=sign, ways=[behind]))
        if sign in {"*", "+", "?"}:
            self.at -= 1
            raise self.refused("there is nothing to repeat")
        test = self.test(sign)
        return lambda behind: self.add(_State(test, ways=[behind]))

    def group(self) -> Callable[[int], int]:
        if self.pattern.startswith("?", self.at):
            if not self.pattern.startswith("?:", self.at):
                raise self.refused("only (…) and (?:…) are known, nothing that looks around or is named")
            self.at += 2
        self.nested += 1
        if self.nested > _MOST_NESTED:
            raise self.refused("groups are nested too deep")
        inside = self.alternatives()
        if self.peek() != ")":
            raise self.refused("a group is not closed")
        self.at += 1
        self.nested -= 1
        return inside

    def test(self, sign: str) -> Test:
        if sign == ".":
            return lambda _: True
        if sign == "[":
            return self.among()
        if sign == "\\":
            return self.escaped()
        return sign.lower().__eq__

    def escaped(self) -> Test:
        sign = self.peek()
        self.at += 1
        if sign.lower() in _SHORTHAND:
            test = _SHORTHAND[sign.lower()]
            return test if sign.islower() else lambda one: not test(one)
        if not sign or sign.isalnum():
            self.at -= 1
            raise self.refused("an escape that is not known; \\d, \\w, \\s and their capitals are")
        return sign.__eq__

    def among(self) -> Test:
        negated = self.peek() == "^"
        self.at += negated
        tests: list[Test] = []
        ranges: list[tuple[str, str]] = []
        first = True
        while self.peek() != "]" or first:
            first = False
            sign = self.peek()
            if not sign:
                raise self.refused("a class is not closed")
            self.at += 1
            if sign == "\\":
                tests.append(self.escaped())
            elif self.peek() == "-" and self.pattern[self.at + 1 : self.at + 2] not in {"", "]", "\\"}:
                ranges.append((sign.lower(), self.pattern[self.at + 1].lower()))
                self.at += 2
            else:
                ranges.append((sign.lower(), sign.lower()))
        self.at += 1

        def test(one: str) -> bool:
            return negated != (any(low <= one <= high for low, high in ranges) or any(found(one) for found in tests))

        return test


class Pattern:
    """A pattern, read once.

    Raises:
        BadPattern: it cannot be read, or not be matched in linear time.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        if len(pattern) > _LONGEST:
            raise BadPattern(pattern[:60] + "…", 0, f"it has {len(pattern)} characters; {_LONGEST} are enough")
        reader = _PatternReader(pattern)
        build = reader.alternatives()
        if reader.at < len(pattern):
            raise reader.refused("a group is closed that was not opened")
        self._start = build(0)
        self._states = reader.states
        self._steps: dict[tuple[frozenset[int], str], frozenset[int]] = {}
        self._first = self._reach({self._start}, "^")
        self._again = self._reach({self._start}, "")

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r})"

    def search(self, text: str) -> bool:
        """Whether the pattern stands anywhere in a text; of a long one the beginning is looked at."""
        now = self._first
        for one in text[:_LONGEST_TEXT].lower():
            if 0 in now:
                return True
            step = (now, one)
            after = self._steps.get(step)
            if after is None:
                after = self._step(now, one)
                if len(self._steps) > _MOST_KEPT:
                    self._steps.clear()
                self._steps[step] = after
            now = after
        if len(text) > _LONGEST_TEXT:  # its end was not seen
            return 0 in now
        return 0 in now or 0 in self._reach(now, "$" if text else "^$")

    def _step(self, now: frozenset[int], one: str) -> frozenset[int]:
        ways = set()
        for at in now:
            state = self._states[at]
            if state.test is not None and state.test(one):
                ways.update(state.ways)
        return self._reach(ways, "") | self._again

    def _reach(self, states: set[int] | frozenset[int], edges: str) -> frozenset[int]:
        """The states that are reached without passing a character; at the edges of the text also through ^ and $."""
        found: set[int] = set()
        waiting = list(states)
        while waiting:
            at = waiting.pop()
            if at in found:
                continue
            found.add(at)
            state = self._states[at]
            if state.test is None and (not state.edge or state.edge in edges):
                waiting += state.ways
        return frozenset(found)
