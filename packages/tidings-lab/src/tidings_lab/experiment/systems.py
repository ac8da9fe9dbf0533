"""Systems to measure: what a system reads and returns, and how it is identified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from tidings.page import Hints, Page


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of a system for a page. Fields that the system does not return are empty."""

    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""  # ISO 8601
    markdown: str = ""  # if the document requests it


class Document:
    """The bytes of a page, and the `Page` parsed from them, which all extractors of Tidings in a run share.

    To measure speed, each system gets its own document, so that parsing is part of its time.
    """

    __slots__ = ("_page", "data", "siblings", "site", "url", "wants_markdown")

    def __init__(
        self,
        data: bytes,
        url: str = "",
        siblings: tuple[Page, ...] = (),
        *,
        site: str = "",
        wants_markdown: bool = False,
    ) -> None:
        self.data = data
        self.site = site  # its name in the corpus
        self.wants_markdown = wants_markdown  # the ground truth has structural units
        self.url = url or None
        self.siblings = siblings
        self._page: Page | None = None

    @property
    def page(self) -> Page:
        """Return the page, parsed on first use.

        Raises:
            PageError: the bytes are no page.
        """
        if self._page is None:
            self._page = Page(self.data, self.url, Hints(siblings=self.siblings))
        return self._page


class System(Protocol):
    """A program that extracts text and fields from pages."""

    @property
    def name(self) -> str:
        """Return the name in tables, unique in a run."""
        ...

    @property
    def identity(self) -> str:
        """Return name, parameters and version of all code behind the result: equal identities give equal results."""
        ...

    @property
    def shares_page(self) -> bool:
        """Return whether the system uses the document's `Page`, so that parsing is not part of its own time."""
        ...

    def __call__(self, document: Document, /) -> Reading:
        """Return the text and fields of a page."""
        ...


def iso(moment: datetime | date | str | None) -> str:
    """Return a date in ISO 8601; a text is returned unchanged."""
    if moment is None:
        return ""
    return moment if isinstance(moment, str) else moment.isoformat()


@dataclass(frozen=True, slots=True)
class Function:
    """A system made of a function, for anything that is neither an extractor of Tidings nor a known other project."""

    name: str
    identity: str
    read: Callable[[Document], Reading]  # at module level, so that workers can import it
    shares_page: bool = False

    def __call__(self, document: Document, /) -> Reading:
        """Return the function's result."""
        return self.read(document)
