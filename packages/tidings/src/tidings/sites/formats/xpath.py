"""The subset of XPath that site configurations use.

Shared configurations use a small part of the language: elements by tag, by id, class or another attribute, nested
elements, and an attribute at the end. This part is translated into selectors. Anything else raises `NotRead`, and
nothing is executed. `/` means the same as `//`: a child is a descendant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tidings.sites.templates.anchor import Anchor, Condition

_LONGEST: Final = 2000
_VALUE = r"""(?:"([^"]*+)"|'([^']*+)')"""
_STEP: Final = re.compile(r"/{1,2}(?:descendant::)?([a-zA-Z][\w-]*+|\*)((?:\[[^\[\]]*+\])*+)")
_ATTRIBUTE: Final = re.compile(r"/{1,2}@([\w:-]+)$")
_TAIL: Final = re.compile(r"/(?:text\(\)|node\(\))$")
_CLASS = r"""(?:normalize-space\(\s*@class\s*\)|@class)"""
_WHOLE_WORD: Final = re.compile(
    rf"""contains\(\s*concat\(\s*['"] ['"]\s*,\s*{_CLASS}\s*,\s*['"] ['"]\s*\)\s*,\s*{_VALUE}\s*\)"""
)
_PREDICATES: Final = (
    (re.compile(rf"@([\w:-]+)\s*=\s*{_VALUE}"), "is"),
    (re.compile(rf"contains\(\s*@([\w:-]+)\s*,\s*{_VALUE}\s*\)"), "holds"),
    (re.compile(rf"starts-with\(\s*@([\w:-]+)\s*,\s*{_VALUE}\s*\)"), "begins"),
)
_FIRST: Final = re.compile(r"(?:1|position\(\)\s*=\s*1)")


class NotRead(ValueError):
    """The expression uses XPath outside the supported subset."""


@dataclass(frozen=True, slots=True)
class Place:
    """A selector translated from an XPath expression, with its context and attribute."""

    anchor: Anchor
    inside: Anchor | None = None
    attribute: str = ""


def read(expression: str) -> list[Place]:
    """Parse an expression into selectors, one for each alternative of a union.

    Raises:
        NotRead: the expression is outside the supported subset.
    """
    if len(expression) > _LONGEST:
        raise NotRead(f"it is longer than {_LONGEST} characters")
    return [place for part in _alternatives(expression) for place in _places(part.strip())]


def _alternatives(expression: str) -> list[str]:
    """Split at `|` outside of quotes and brackets."""
    parts, depth, quote, start = [], 0, "", 0
    for at, char in enumerate(expression):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        elif char == "|" and not depth:
            parts.append(expression[start:at])
            start = at + 1
    return [*parts, expression[start:]]


def _places(path: str) -> list[Place]:
    if path.startswith("(") and (grouped := re.fullmatch(r"\((.*)\)\[1\]", path)):
        path = grouped[1]
    attribute = ""
    if match := _ATTRIBUTE.search(path):
        attribute, path = match[1], path[: match.start()]
    path = _TAIL.sub("", path)
    steps: list[list[Anchor]] = []
    at = 0
    for step in _STEP.finditer(path):
        if step.start() != at:
            break
        at = step.end()
        tag = "" if step[1] == "*" else step[1].lower()
        steps.append(_anchors(tag, re.findall(r"\[([^\[\]]*)\]", step[2])))
    if at != len(path) or not steps:
        raise NotRead(f"{path[at:] or path!r} is not read")
    # An ancestor matters only if it has conditions.
    outer = next((step for step in reversed(steps[:-1]) if step[0].conditions), None)
    insides: list[Anchor | None] = list(outer) if outer else [None]
    return [Place(anchor, inside, attribute) for anchor in steps[-1] for inside in insides]


def _anchors(tag: str, predicates: list[str]) -> list[Anchor]:
    """Return the selectors for a step of an expression: several, if its conditions are alternatives."""
    choices: list[tuple[Condition, ...]] = [()]
    for predicate in predicates:
        if _FIRST.fullmatch(predicate.strip()):
            continue
        alternatives = [_conditions(side) for side in re.split(r"\s+or\s+", predicate)]
        choices = [(*before, *more) for before in choices for more in alternatives]
    return [Anchor(tag, conditions) for conditions in choices]


def _conditions(text: str) -> tuple[Condition, ...]:
    return tuple(_condition(part.strip()) for part in re.split(r"\s+and\s+", text))


def _condition(text: str) -> Condition:
    if match := _WHOLE_WORD.fullmatch(text):
        return Condition("class", "word", (match[1] or match[2] or "").strip())
    for pattern, how in _PREDICATES:
        if match := pattern.fullmatch(text):
            value = match[2] if match[2] is not None else match[3]
            name = match[1].lower()
            if how == "holds" and name == "class" and value.strip() != value:
                return Condition(name, "word", value.strip())
            if value:
                return Condition(name, how, value)  # type: ignore[arg-type]  # one of the three predicates
    raise NotRead(f"the condition {text!r} is not read")


def write(anchor: Anchor, inside: Anchor | None = None, attribute: str = "") -> str:
    """Return an XPath expression for a selector."""
    steps = [selector for selector in (inside, anchor) if selector is not None]
    path = "".join("//" + (selector.tag or "*") + "".join(map(_predicate, selector.conditions)) for selector in steps)
    return path + (f"/@{attribute}" if attribute else "")


def _predicate(condition: Condition) -> str:
    name, how, value = condition
    quote = '"' if "'" in value else "'"
    if how == "is":
        return f"[@{name}={quote}{value}{quote}]"
    if how == "word":
        return f"[contains(concat(' ',normalize-space(@{name}),' '),{quote} {value} {quote})]"
    function = "contains" if how == "holds" else "starts-with"
    return f"[{function}(@{name},{quote}{value}{quote})]"
