"""What is measured: a system turns the bytes of a page into a text and some fields, or raises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from tidings.page import Page


@dataclass(frozen=True, slots=True)
class Reading:
    """What a system took out of a page. An empty field is one it does not tell."""

    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""  # ISO 8601


class Document:
    """The bytes of a page, and the `Page` made of them, which all Tidings extractors of a run share.

    Speed is measured with a new document for each system: then the `Page` is part of everybody's time.
    """

    __slots__ = ("_page", "data", "url")

    def __init__(self, data: bytes, url: str = "") -> None:
        self.data = data
        self.url = url or None
        self._page: Page | None = None

    @property
    def page(self) -> Page:
        """The page, built when first asked for.

        Raises:
            PageError: the bytes are no page.
        """
        if self._page is None:
            self._page = Page(self.data, self.url)
        return self._page


class System(Protocol):
    """Something that reads pages."""

    @property
    def name(self) -> str:
        """What it is called in tables; no two systems of a run share one."""
        ...

    @property
    def identity(self) -> str:
        """Name, parameters and the version of all code behind its result: while it is the same, so is the result."""
        ...

    @property
    def shares_page(self) -> bool:
        """Whether it works on the document's `Page`, so that building it is not part of its own time."""
        ...

    def __call__(self, document: Document, /) -> Reading:
        """The text and fields of a page."""
        ...


def iso(moment: datetime | date | str | None) -> str:
    """A date as ISO 8601 text; what is text already stays as it is."""
    if moment is None:
        return ""
    return moment if isinstance(moment, str) else moment.isoformat()


@dataclass(frozen=True, slots=True)
class Function:
    """A system made of a plain function, for what is neither an extractor of ours nor a known peer."""

    name: str
    identity: str
    read: Callable[[Document], Reading]  # at the top of a module, so that workers can import it
    shares_page: bool = False

    def __call__(self, document: Document, /) -> Reading:
        """As the function reads it."""
        return self.read(document)
