"""A small language for combining extractors, as used on the command line.

    dana                                  a registered name
    danag(gap=30, links=filter_1)         with other parameters; cetr(line_length=none)
    learned(model=models/mine.npz)        a file; "in quotes" if its name has special characters
    dana & cetd    dana | cetd    everything - lqf-50
    vote(dsc, bte, accb, lqf-50; 3)       text that at least 3 of them select
    vote(2*dsc, bte, accb; 2.5)           with weights
    serial(lqf-50, danag)                 danag on the text that lqf-50 selects
    fallback(dana, danag; 50)             the first that selects at least 50 words
    headline-bounded(danag)               cut at the headline and its subtree

`&` binds tighter than `-`, `-` tighter than `|`; parentheses group. A `-` between spaces is the operator, otherwise it
is part of a name. Errors name the position in the expression.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from tidings.errors import BadExpression, did_you_mean
from tidings.extractors.combine import Difference, Fallback, Intersection, Serial, Union, Vote
from tidings.extractors.parameters import LARGEST, kinds
from tidings.extractors.registry import ALIASES, Extractor, entries
from tidings.text.patterns import late_pattern

#: Limits the recursion; no sensible expression nests deeper.
MAX_DEPTH: Final = 32
MAX_LENGTH: Final = 2000
_TOKEN: Final = late_pattern(
    r'\s*(?:(?P<quoted>"[^"]*")|(?<==)(?P<path>[\w~./\\:+@-]*[A-Za-z~/\\][\w~./\\:+@-]*)'
    r"|(?P<name>[A-Za-z][\w]*(?:-\w+)*)|(?P<number>-?\d+(?:\.\d+)?)|(?P<sign>[()&|,;=*-]))",
)
_FUNCTIONS: Final = ("vote", "serial", "union", "intersection", "fallback", "headline-bounded")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # name, number, sign, end
    text: str
    at: int


def parse(expression: str) -> Extractor:
    """Parse an expression into an extractor.

    Raises:
        BadExpression: the expression is invalid; the message shows where.
    """
    return _Parser(expression).parse()


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def _is_enum(declared: Any) -> bool:
    return isinstance(declared, type) and issubclass(declared, Enum)


class _Parser:
    """A recursive-descent parser with one token of lookahead."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        if len(expression) > MAX_LENGTH:
            raise BadExpression(
                expression[:80] + "…", 0, f"it has {len(expression)} characters; {MAX_LENGTH} is the most"
            )
        self.tokens = self._tokens()
        self.place = 0
        self.depth = 0
        self.entries = {entry.name: entry for entry in entries(laid_out=True)}

    def _tokens(self) -> list[_Token]:
        tokens, at = [], 0
        while self.expression[at:].strip():
            match = _TOKEN.match(self.expression, at)
            if match is None:
                position = at + len(self.expression[at:]) - len(self.expression[at:].lstrip())
                raise BadExpression(self.expression, position, f"{self.expression[position]!r} has no meaning here")
            kind = match.lastgroup or ""
            tokens.append(_Token(kind, match[kind], match.start(kind)))
            at = match.end()
        return [*tokens, _Token("end", "", len(self.expression.rstrip()))]

    # -- reading --------------------------------------------------------------------------------------------

    def parse(self) -> Extractor:
        if self.now.kind == "end":
            raise self.wrong("it is empty; name an extractor")
        extractor = self.union()
        if self.now.kind != "end":
            raise self.wrong(f"{self.now.text!r} is left over; is an operator missing before it?")
        return extractor

    def union(self) -> Extractor:
        members = [self.difference()]
        while self.take("|"):
            members.append(self.difference())
        return members[0] if len(members) == 1 else Union(tuple(members))

    def difference(self) -> Extractor:
        result = self.intersection()
        while self.take("-"):
            result = Difference(result, self.intersection())
        return result

    def intersection(self) -> Extractor:
        members = [self.single()]
        while self.take("&"):
            members.append(self.single())
        return members[0] if len(members) == 1 else Intersection(tuple(members))

    def single(self) -> Extractor:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.wrong(f"it nests deeper than {MAX_DEPTH}")
        token = self.now
        if self.take("("):
            result = self.union()
            self.expect(")")
        elif token.kind == "name":
            self.place += 1
            result = self.function(token) if self.peek("(") and token.text in _FUNCTIONS else self.named(token)
        else:
            raise self.wrong("an extractor's name should stand here" + ("" if token.text else ", but it ends"))
        self.depth -= 1
        return result

    def named(self, token: _Token) -> Extractor:
        entry = self.entries.get(ALIASES.get(token.text, token.text))
        if entry is None:
            hint = did_you_mean(token.text, tuple({*self.entries, *ALIASES, *_FUNCTIONS}))
            raise self.wrong(f"there is no extractor called {token.text!r}; {hint}", token)
        extractor = entry.make()
        if not self.take("("):
            return extractor
        changes: dict[str, Any] = {}
        while not self.peek(")"):
            name = self.now
            if name.kind != "name":
                raise self.wrong(f"a parameter of {token.text} should stand here, as in gap=20")
            self.place += 1
            changes[name.text.replace("-", "_")] = self.parameter(extractor, name, token.text)
            if not self.take(","):
                break
        self.expect(")")
        return dataclasses.replace(extractor, **changes)  # type: ignore[type-var]  # every extractor is a dataclass

    def parameter(self, extractor: Extractor, name: _Token, owner: str) -> Any:
        """Return the value after `name=`, checked against the declared type of the parameter."""
        fields = [field.name for field in dataclasses.fields(extractor)]  # type: ignore[arg-type]  # as above
        key = name.text.replace("-", "_")
        if key not in fields:
            has = f"it has {', '.join(fields)}" if fields else "it has none"
            raise self.wrong(f"{owner} has no parameter {name.text!r}; {has}", name)
        self.expect("=")
        token, kind = self.now, kinds(type(extractor))[key]
        self.place += 1
        choices = {member.name.lower(): member for choice in kind.types if _is_enum(choice) for member in choice}
        word = token.text.lower()
        if choices:
            if word not in choices:
                raise self.wrong(f"{name.text} is one of {', '.join(choices)}", token)
            return choices[word]
        value: Any = None
        if bool in kind.types and word in ("true", "false"):
            value = word == "true"
        elif token.kind == "number":
            value = _number(token.text)
        elif str in kind.types and token.kind in ("name", "path", "quoted"):
            value = token.text.strip('"')
        elif not {bool, int, float, str}.intersection(kind.types):
            raise self.wrong(f"{name.text} cannot be written in an expression; set it in Python", token)
        elif not (kind.optional and word == "none"):
            raise self.wrong(f"{name.text} is {kind.name}", token)
        if reason := kind.reason(value):
            raise self.wrong(f"{name.text} is {token.text}; {reason}", token)
        return value

    def function(self, token: _Token) -> Extractor:
        self.expect("(")
        members: list[Extractor] = []
        weights: list[float] = []
        while True:
            weight = 1.0
            if self.now.kind == "number":
                if token.text != "vote":
                    raise self.wrong("only a vote has weights")
                weight = float(self.amount(self.now))
                if weight <= 0:
                    raise self.wrong("a weight is larger than 0")
                self.place += 1
                self.expect("*")
            members.append(self.union())
            weights.append(weight)
            if not self.take(","):
                break
        number = None
        if self.take(";"):
            number = self.now
            if number.kind != "number":
                raise self.wrong("a number should stand after the semicolon")
            self.place += 1
        self.expect(")")
        return self.combine(token, tuple(members), tuple(weights), number)

    def combine(
        self, token: _Token, members: tuple[Extractor, ...], weights: tuple[float, ...], number: _Token | None
    ) -> Extractor:
        if token.text == "vote":
            quorum = None if number is None else float(self.amount(number))
            if number is not None and quorum is not None and not 0 < quorum <= sum(weights):
                raise self.wrong(f"the quorum is {quorum:g}, but there are {sum(weights):g} votes", number)
            return Vote(members, quorum, None if set(weights) == {1.0} else weights)
        if token.text == "fallback":
            if number is None:
                return Fallback(members)
            words = self.amount(number)
            if not isinstance(words, int) or words < 0:
                raise self.wrong("the number of words is a whole number, 0 or more", number)
            return Fallback(members, words)
        if number is not None:
            raise self.wrong(f"{token.text} takes no number", number)
        if token.text == "headline-bounded":
            if len(members) != 1:
                raise self.wrong("headline-bounded takes one extractor", token)
            return dataclasses.replace(self.entries[token.text].make(), inner=members[0])  # type: ignore[type-var]
        plain: dict[str, Callable[[tuple[Extractor, ...]], Extractor]] = {
            "serial": Serial,
            "union": Union,
            "intersection": Intersection,
        }
        return plain[token.text](members)

    def amount(self, token: _Token) -> int | float:
        value = _number(token.text)
        if abs(value) > LARGEST:
            raise self.wrong(f"{LARGEST:,} is the most that a number can be here", token)
        return value

    # -- tokens ---------------------------------------------------------------------------------------------

    @property
    def now(self) -> _Token:
        return self.tokens[self.place]

    def peek(self, sign: str) -> bool:
        return self.now.kind == "sign" and self.now.text == sign

    def take(self, sign: str) -> bool:
        if self.peek(sign):
            self.place += 1
            return True
        return False

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise self.wrong(f"{sign!r} should stand here" + ("" if self.now.text else ", but it ends"))

    def wrong(self, reason: str, token: _Token | None = None) -> BadExpression:
        return BadExpression(self.expression, (token or self.now).at, reason)
