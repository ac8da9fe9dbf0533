"""Files, folders, patterns, standard input and addresses, as the pages they stand for."""

from __future__ import annotations

import glob
import gzip
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

from tidings.cli.fetch_options import FetchOptions, is_url
from tidings.errors import InputError, PageTooLarge, TidingsError, shown
from tidings.page.decode import MAX_BYTES
from tidings.urls import URL

if TYPE_CHECKING:
    from tidings import Page
    from tidings.fetch import Outcome
    from tidings.page import Hints

#: What counts as a page in a folder; a file named outright is always tried.
PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
STDIN: Final = "-"
#: Addresses without `//` that are none of the web.
_SCHEMES: Final = frozenset(("about", "blob", "data", "file", "javascript", "mailto", "view-source"))
_FOREIGN: Final = "{} is refused: only http and https addresses are fetched"


class Input(NamedTuple):
    """One page to read: where it is and what to call it in output."""

    name: str
    web: FetchOptions = FetchOptions()  # how to fetch it, if it is an address
    brought: Outcome | None = None  # what fetching it gave, if it was fetched

    def page(self, url: str | None = None, known: Hints | None = None) -> Page:
        """The page itself; one from the web knows its address and its charset.

        Args:
            url: where it came from, if that is not its name.
            known: what is known of it beforehand.

        Raises:
            PageError: it is none.
            InputError: it cannot be read.
            FetchError: it cannot be had.
        """
        from tidings import Page

        if not is_url(self.name):
            return Page(self.read(), url, known)
        from tidings.fetch import require
        from tidings.read_url import page_of

        outcome = self.brought if self.brought is not None else self.web.fetch([self.name])[0]
        response = require(outcome)
        return page_of(response if url is None else replace(response, url=url), known)

    @property
    def stem(self) -> str:
        """What a file made from it is called, without its ending."""
        if is_url(self.name):
            return re.sub(r"[^\w.-]+", "-", self.name.partition("://")[2], flags=re.ASCII).strip("-.")[:120]
        return PurePath(PurePath(self.name).name.removesuffix(".gz")).stem

    def read(self) -> bytes:
        """Its bytes, decompressed if the name ends in .gz, and never more than a page may have."""
        if self.name == STDIN:
            return _capped(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
        path = Path(self.name)
        try:
            size = path.stat().st_size
            if size > MAX_BYTES:
                raise PageTooLarge(
                    f"{self.name} has {size:,} bytes and a page may have {MAX_BYTES:,}; is it a page at all?"
                )
            if path.suffix == ".gz":
                with gzip.open(path) as stream:
                    return _capped(stream.read(MAX_BYTES + 1), self.name)
            return path.read_bytes()
        except (OSError, EOFError) as error:
            if _is_foreign(self.name):
                raise InputError(_FOREIGN.format(shown(self.name))) from None
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"{self.name} cannot be read: {reason}") from error


#: Pages that one is compared with; more cost more and tell little.
MOST_SIBLINGS: Final = 6


class Siblings(NamedTuple):
    """Pages among which those of a page's site are sought: by address, or by the folder that files lie in."""

    pages: tuple[Input, ...]
    are_named: bool = False  # by the user, so that they are of the site wherever they lie

    def of(self, page: Input) -> tuple[Page, ...]:
        """Some others of the page's site, those that follow it first; what cannot be read is none of them."""
        names = [one.name for one in self.pages]
        at = names.index(page.name) if page.name in names else 0
        turned = (*self.pages[at:], *self.pages[:at])
        mine = _site(page.name)
        found: list[Page] = []
        for one in turned:
            if len(found) == MOST_SIBLINGS:
                break
            if one.name != page.name and (self.are_named or _site(one.name) == mine):
                held = _sibling(one)
                found += [held] if held is not None else []
        return tuple(found)


@lru_cache(4 * MOST_SIBLINGS)
def _sibling(page: Input) -> Page | None:
    """A page to compare others with; each is needed several times in a row."""
    try:
        return page.page()
    except TidingsError:
        return None


def _site(name: str) -> str:
    from tidings.urls import site_of

    return site_of(name) if is_url(name) else str(Path(name).parent)


def _capped(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise PageTooLarge(f"{name} holds more than {MAX_BYTES:,} bytes; a page may have no more")
    return data


def bring(inputs: list[Input]) -> list[Input]:
    """The same pages, those of the web fetched; one that could not be had says so when it is asked for."""
    names = [one.name for one in inputs if is_url(one.name)]
    if not names:
        return inputs
    web = next(one.web for one in inputs if is_url(one.name))
    brought = dict(zip(names, web.fetch(names), strict=True))
    return [one._replace(brought=brought.get(one.name)) for one in inputs]


def find(names: list[str], web: FetchOptions | None = None) -> list[Input]:
    """All pages that the names stand for, in order, each once.

    Raises:
        InputError: a name stands for nothing.
        InvalidURL: a name is an invalid URL.
    """
    found = dict.fromkeys(name for given in names for name in _expand(given))
    return [Input(name, web or FetchOptions()) for name in found]


def _expand(name: str) -> Iterator[str]:
    path = Path(name)
    if is_url(name):
        URL.parse(name)
        yield name
    elif name == STDIN or path.is_file():
        yield name
    elif path.is_dir():
        pages = sorted(
            str(file) for file in path.rglob("*") if file.name.lower().endswith(PAGE_ENDINGS) and file.is_file()
        )
        if not pages:
            endings = ", ".join(PAGE_ENDINGS)
            raise InputError(f"the folder {name} has no pages in it: no file that ends in {endings}")
        yield from pages
    elif glob.has_magic(name):
        # A pattern may be absolute and may hold **, which pathlib does not take in one call.
        matches = sorted(match for match in glob.glob(name, recursive=True) if Path(match).is_file())  # noqa: PTH207
        if not matches:
            raise InputError(f"no file matches {name}")
        yield from matches
    elif _is_foreign(name):
        raise InputError(_FOREIGN.format(shown(name)))
    else:
        raise InputError(f"there is no file or folder called {name}")


def _is_foreign(name: str) -> bool:
    """Whether a name is an address that is not of the web."""
    scheme, colon, rest = name.partition(":")
    return bool(colon) and (rest.startswith("//") or scheme.lower() in _SCHEMES)


#: Lines of a list.
_MOST_LISTED: Final = 1_000_000


def listed(file: Path) -> list[str]:
    """The addresses and files that a list names, a line each; what begins with # is a remark.

    Raises:
        InputError: it cannot be read, or names nothing.
    """
    try:
        text = sys.stdin.read() if str(file) == STDIN else file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise InputError(f"{file} cannot be read: {reason}") from error
    found = [
        line.strip() for line in text.splitlines()[:_MOST_LISTED] if line.strip() and not line.lstrip().startswith("#")
    ]
    if not found:
        raise InputError(f"{file} names no page; write an address or a file on each line")
    return found
