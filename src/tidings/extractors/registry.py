"""The names under which extractors are known, and where each was published."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from tidings.errors import UnknownExtractor
from tidings.extractors import parameters
from tidings.page import Page, Spans


@runtime_checkable
class Extractor(Protocol):
    """A content extractor: from a page to ranges of its text, and nothing else (DANA thesis, eq. 2.11)."""

    def __call__(self, page: Page, /) -> Spans:
        """The chosen ranges of the page's text."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """What an extractor says of a page besides what it takes: which kind of page it is, and how sure it is."""

    spans: Spans
    kind: str
    confidence: float  # 0 to 1


@runtime_checkable
class Deciding(Protocol):
    """An extractor that tells the kind of page too."""

    def decide(self, page: Page, /) -> Decision:
        """The chosen ranges, the kind of page, and how sure both are."""
        ...


@runtime_checkable
class Moving(Protocol):
    """An extractor that moves some of the text below the rest, which ranges in the order of the page cannot say."""

    def moved(self, page: Page, /) -> Sequence[int]:
        """The elements whose text is moved, in the order in which it stands there; it is not in the ranges."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered extractor."""

    name: str
    make: Callable[[], Extractor]  # with the published defaults
    citation: str
    summary: str
    needs_layout: bool = False  # works only on pages that a browser has drawn (`Hints.layout`)


_ENTRIES: dict[str, Entry] = {}

Made = TypeVar("Made", bound=Callable[..., Extractor])


def register(name: str, citation: str, *, needs_layout: bool = False) -> Callable[[Made], Made]:
    """Class decorator: make an extractor known under a name. It then looks at the types of its parameters."""

    def keep(make: Made) -> Made:
        if name in _ENTRIES:
            raise ValueError(f"two extractors are called {name!r}")
        summary = (inspect.getdoc(make) or "").partition("\n")[0]
        _ENTRIES[name] = Entry(name, make, citation, summary, needs_layout)
        if isinstance(make, type):
            parameters.checked(make)
        return make

    return keep


def extractor(name: str) -> Extractor:
    """The extractor of that name, with its published defaults, or the combination an expression stands for.

    Raises:
        UnknownExtractor: no extractor has that name; the message lists the nearest ones.
        BadExpression: the expression cannot be read; the message shows where.
    """
    from tidings.extractors import expression  # it asks the registry for names

    if expression.is_expression(name):
        return expression.parse(name)
    try:
        return _ENTRIES[name].make()
    except KeyError:
        raise UnknownExtractor(name, _ENTRIES) from None


def entries(*, laid_out: bool = False) -> tuple[Entry, ...]:
    """The extractors that work on any page, in the order they were registered; with `laid_out` really all of them."""
    return tuple(entry for entry in _ENTRIES.values() if laid_out or not entry.needs_layout)
