"""The pages that commands work on: files, folders, patterns, standard input and URLs."""

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
from tidings.errors import InputError, PageTooLarge, TidingsError, printable
from tidings.page.decode import MAX_BYTES
from tidings.urls import URL

if TYPE_CHECKING:
    from tidings import Page
    from tidings.fetch import Outcome
    from tidings.page import Hints

#: Endings of pages in a folder. A file that is named itself is always read.
PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
STDIN: Final = "-"
#: Schemes of URLs without `//` that cannot be fetched.
_SCHEMES: Final = frozenset(("about", "blob", "data", "file", "javascript", "mailto", "view-source"))
_FOREIGN: Final = "{} is refused: only http and https URLs are fetched"


class Input(NamedTuple):
    """A page to read, by its file name or URL."""

    name: str
    web: FetchOptions = FetchOptions()  # how to fetch a URL
    outcome: Outcome | None = None  # of fetching it, if it was fetched

    def page(self, url: str | None = None, hints: Hints | None = None) -> Page:
        """Parse and return the page. A fetched page has its URL and charset.

        Args:
            url: the URL of the page, if it is not its name.
            hints: what is known of the page beforehand, such as its title in a feed.

        Raises:
            PageError: the content is not a page.
            InputError: the file cannot be read.
            FetchError: the URL cannot be fetched.
        """
        from tidings import Page

        if not is_url(self.name):
            return Page(self.read(), url, hints)
        from tidings.fetch import require
        from tidings.read_url import page_of

        outcome = self.outcome if self.outcome is not None else self.web.fetch([self.name])[0]
        response = require(outcome)
        return page_of(response if url is None else replace(response, url=url), hints)

    @property
    def stem(self) -> str:
        """Return the name of an output file for this page, without its extension."""
        if is_url(self.name):
            return re.sub(r"[^\w.-]+", "-", self.name.partition("://")[2], flags=re.ASCII).strip("-.")[:120]
        return PurePath(PurePath(self.name).name.removesuffix(".gz")).stem

    def read(self) -> bytes:
        """Return the bytes of the file, decompressed if its name ends in .gz.

        Raises:
            PageTooLarge: it is larger than a page may be.
            InputError: it cannot be read.
        """
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
                raise InputError(_FOREIGN.format(printable(self.name))) from None
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"{self.name} cannot be read: {reason}") from error


#: Pages that a page is compared with; more take longer and add little.
MOST_SIBLINGS: Final = 6


class Siblings(NamedTuple):
    """Other pages of the same site, for extractors that compare pages. Pages are of the same site if they have the same
    host or, for files, the same folder.
    """

    pages: tuple[Input, ...]
    are_named: bool = False  # named by the user: all are of the same site

    def of(self, page: Input) -> tuple[Page, ...]:
        """Return up to `MOST_SIBLINGS` other pages of the same site, beginning with those that follow the page."""
        names = [other.name for other in self.pages]
        at = names.index(page.name) if page.name in names else 0
        site = _site(page.name)
        siblings: list[Page] = []
        for other in (*self.pages[at:], *self.pages[:at]):
            if len(siblings) == MOST_SIBLINGS:
                break
            if other.name != page.name and (self.are_named or _site(other.name) == site):
                sibling = _sibling(other)
                siblings += [sibling] if sibling is not None else []
        return tuple(siblings)


@lru_cache(4 * MOST_SIBLINGS)
def _sibling(page: Input) -> Page | None:
    """Parse a page for comparison; None if it cannot be read. Cached, because successive pages need the same ones."""
    try:
        return page.page()
    except TidingsError:
        return None


def _site(name: str) -> str:
    from tidings.urls import site_of

    return site_of(name) if is_url(name) else str(Path(name).parent)


def _capped(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise PageTooLarge(f"{name} has more than {MAX_BYTES:,} bytes, the limit of a page")
    return data


def fetch_all(inputs: list[Input]) -> list[Input]:
    """Fetch the inputs that are URLs. The error of a failed request is raised when its page is read."""
    names = [page.name for page in inputs if is_url(page.name)]
    if not names:
        return inputs
    web = next(page.web for page in inputs if is_url(page.name))
    outcomes = dict(zip(names, web.fetch(names), strict=True))
    return [page._replace(outcome=outcomes.get(page.name)) for page in inputs]


def find(names: list[str], web: FetchOptions | None = None) -> list[Input]:
    """Return the pages of files, folders, patterns and URLs, in order, each once.

    Raises:
        InputError: there is no such file or folder, or no page in it.
        InvalidURL: a URL is invalid.
    """
    expanded = dict.fromkeys(page for name in names for page in _expand(name))
    return [Input(name, web or FetchOptions()) for name in expanded]


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
            raise InputError(f"the folder {name} has no pages: no file ends in {endings}")
        yield from pages
    elif glob.has_magic(name):
        # Absolute patterns with ** are not supported by pathlib.
        matches = sorted(match for match in glob.glob(name, recursive=True) if Path(match).is_file())  # noqa: PTH207
        if not matches:
            raise InputError(f"no file matches {name}")
        yield from matches
    elif _is_foreign(name):
        raise InputError(_FOREIGN.format(printable(name)))
    else:
        raise InputError(f"there is no file or folder called {name}")


def _is_foreign(name: str) -> bool:
    """Return whether a name is a URL of another scheme than http and https."""
    scheme, colon, rest = name.partition(":")
    return bool(colon) and (rest.startswith("//") or scheme.lower() in _SCHEMES)


#: Most lines of a list.
_MOST_LISTED: Final = 1_000_000


def listed(file: Path) -> list[str]:
    """Return the URLs and files of a list with one per line; lines that begin with # are comments.

    Raises:
        InputError: the list cannot be read, or is empty.
    """
    try:
        text = sys.stdin.read() if str(file) == STDIN else file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"{file} cannot be read: {reason}") from error
    names = [
        line.strip() for line in text.splitlines()[:_MOST_LISTED] if line.strip() and not line.lstrip().startswith("#")
    ]
    if not names:
        raise InputError(f"{file} names no page; write one URL or file name per line")
    return names
