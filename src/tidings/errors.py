"""Everything that can go wrong, in one tree.

    TidingsError
    ├── PageError                 the input is not a page we can read
    │   ├── EmptyPage             nothing in it
    │   ├── NotHTML               a PDF, a picture, an archive, other binary data
    │   └── PageTooLarge          over the size cap
    ├── ExtractorError
    │   ├── UnknownExtractor      no extractor of that name
    │   ├── BadParameter          a parameter out of its range
    │   └── BadExpression         a combination that cannot be read
    ├── InputError                a path that cannot be read, a folder with no pages
    ├── UnknownFormat             no output format of that name
    ├── BadModel                  a file of learned weights that cannot be used
    └── MissingExtra              an optional dependency is not installed

Each message names the thing, the reason and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class TidingsError(Exception):
    """Root of all errors that Tidings raises on purpose."""


class PageError(TidingsError):
    """The input cannot be held as a page."""


class EmptyPage(PageError):
    """The input has no character in it besides white space and NULs."""


class NotHTML(PageError):
    """The input is something else than HTML or text."""


class PageTooLarge(PageError):
    """The input is larger than a page may be."""


class ExtractorError(TidingsError):
    """An extractor was asked for something it cannot do."""


class UnknownExtractor(ExtractorError):
    """No extractor is registered under that name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(name, tuple(known))
        self.name = name
        self.known = tuple(known)

    def __str__(self) -> str:
        return f"there is no extractor called {self.name!r}; {did_you_mean(self.name, self.known)}"


class BadParameter(ExtractorError, ValueError):
    """A parameter lies outside the values it can take."""


class BadExpression(ExtractorError, ValueError):
    """A combination of extractors that cannot be read; the message points at the place."""

    def __init__(self, expression: str, at: int, reason: str) -> None:
        super().__init__(expression, at, reason)
        self.expression = expression
        self.at = at
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.reason}\n  {self.expression}\n  {' ' * self.at}^"


class InputError(TidingsError):
    """A file or folder that was named cannot be used."""


class UnknownFormat(TidingsError):
    """No output format has that name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(name, tuple(known))
        self.name = name
        self.known = tuple(known)

    def __str__(self) -> str:
        return f"there is no output format called {self.name!r}; {did_you_mean(self.name, self.known)}"


class BadModel(TidingsError):
    """A file of learned weights cannot be used: damaged, or made by another version."""


class MissingExtra(TidingsError):
    """A part of Tidings needs a package that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(what, extra)
        self.what = what
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.what} needs the extra {self.extra!r}: pip install 'tidings[{self.extra}]'"


def did_you_mean(name: str, known: tuple[str, ...]) -> str:
    """The near misses of a name, or all the names there are."""
    near = get_close_matches(name, known, n=3)
    if near:
        return "did you mean " + " or ".join(near) + "?"
    return "there are: " + ", ".join(sorted(known))
