"""Everything that can go wrong, in one tree.

    TidingsError
    ├── BadArgument               a public function was called with a wrong type or value
    ├── PageError                 the input is not a page we can read
    │   ├── EmptyPage             nothing in it
    │   ├── NotHTML               a PDF, a picture, an archive, other binary data
    │   ├── PageTooLarge          over the size cap
    │   ├── CoreError             the compiled core failed on this page, which is a bug
    │   └── PageTooCostly         reading it takes more memory or time than is given for one page
    │       └── ExtractionTimeout reading it takes more processor time than `timeout`
    ├── ReadingError              a page cannot be read just now
    │   ├── ReadersBusy           too many others are being read
    │   └── ReaderDied            what read it was ended
    ├── ExtractorError
    │   ├── CoreMissing           the compiled core is needed and cannot be used
    │   ├── UnknownExtractor      no extractor of that name
    │   ├── BadParameter          a parameter out of its range
    │   ├── NoLayout              a method that needs the boxes of a page that no browser has drawn
    │   ├── NoSiblings            a method that compares pages of a site, and there is but one
    │   └── BadExpression         a combination that cannot be read
    ├── InputError                a path that cannot be read, a folder with no pages
    ├── UnknownFormat             no output format of that name
    ├── BadModel                  a file of learned weights that cannot be used
    ├── BadFilter                 a declared sequence of link filters that cannot be used
    │   └── BadPattern            a regular expression that cannot be read, or not be matched in linear time
    ├── BadRecipe                 a recipe that cannot be used
    ├── SitesError
    │   ├── BadRules              rules of a site that cannot be used
    │   ├── UnknownSite           nothing is known of that site
    │   └── SitesUnwritable       learned sites cannot be stored
    ├── StoriesError
    │   ├── BadState              a kept state of stories or duplicates that cannot be used
    │   ├── BadRecords            documents for trends (RIS, XML, JSON lines) that cannot be read
    │   └── BadTrends             named queries for trends that cannot be used
    ├── StoreError                the store of articles cannot do what it was asked
    │   ├── BadQuery              a search that cannot be read
    │   ├── NewerStore            written by a newer version of Tidings
    │   ├── NotAStore             a file or database of something else
    │   ├── StoreBusy             locked by others for too long
    │   ├── StoreConflict         what was to be changed has changed meanwhile
    │   ├── StoreDamaged          the file is damaged
    │   ├── StoreFull             no room left to write
    │   ├── StoreReadOnly         it can be read, not written
    │   └── StoreUnreachable      the file or server cannot be opened
    ├── FetchError                something at an address could not be had; a value where many are fetched
    │   ├── InvalidURL            no address at all, or neither http nor https
    │   ├── RefusedAddress        an address, or a port, that the guard does not let through
    │   ├── UnknownHost           a name that leads nowhere
    │   ├── ConnectionFailed      no connection, a broken one, or one that cannot be trusted
    │   ├── DeadlineExceeded      all of it took too long
    │   ├── TooManyRedirects      more hops than allowed, or in a circle
    │   ├── TooLarge              more bytes than this kind of thing may have
    │   │   └── DecompressionBomb few bytes that become very many
    │   ├── Undecodable           compressed in a way that cannot be undone
    │   ├── Incomplete            the connection ended before the body did
    │   ├── RobotsDisallowed      robots.txt says no
    │   ├── NotNow                the host asked for time; `until` says how much
    │   ├── BadStatus             the server answered with an error
    │   ├── NotRecorded           a replay has no answer for this address
    │   └── BrowserFailed         the browser is missing, died, or could not show the page
    ├── ExportError               articles cannot be written to a file, or not be read from one
    │   ├── TargetExists          there is something already, and it is not overwritten unasked
    │   ├── NoRoom                the disk is full
    │   └── BadExport             a file that no export wrote
    ├── BadArchive                a WARC file that cannot be read
    ├── MissingExtra              an optional dependency is not installed
    └── MissingPackage            another package of Tidings is not installed

Each message names the thing, the reason and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class TidingsError(Exception):
    """Root of all errors that Tidings raises on purpose."""


class BadArgument(TidingsError, TypeError, ValueError):
    """A public function was called with an argument of the wrong type or with a value it does not accept."""


class PageError(TidingsError):
    """The input cannot be held as a page."""


class EmptyPage(PageError):
    """The input has no character in it besides white space and NULs."""


class NotHTML(PageError):
    """The input is something else than HTML or text."""


class PageTooLarge(PageError):
    """The input is larger than a page may be."""


class PageTooCostly(PageError):
    """Reading the page takes more memory or time than is given for one."""


class ExtractionTimeout(PageTooCostly):
    """Reading the page takes more processor time than `timeout` gives it."""


class CoreError(PageError, RuntimeError):
    """A function of the compiled core failed (panicked) on a page. Other pages are not affected."""

    def __init__(self, function: str) -> None:
        super().__init__(function)
        self.function = function

    def __str__(self) -> str:
        return f"the compiled core failed in {self.function} on this page; please report it with the page"


class ReadingError(TidingsError):
    """A page cannot be read just now; it may be in a while."""


class ReadersBusy(ReadingError):
    """Too many other pages are being read."""


class ReaderDied(ReadingError):
    """The process that read the page was ended."""


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


class CoreMissing(ExtractorError, RuntimeError):
    """The compiled core cannot be used: it is missing, damaged, of another version or for another platform."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the compiled core cannot be used: {self.reason}"


class BadParameter(ExtractorError, ValueError):
    """A parameter lies outside the values it can take."""


class NoLayout(ExtractorError):
    """A method works on the boxes that a browser drew, and the page has none."""


class NoSiblings(ExtractorError):
    """A method compares pages of a site, and the page came alone."""


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


class FetchError(TidingsError):
    """Something at an address could not be had."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(url, reason)
        self.url = url
        self.reason = reason

    def __str__(self) -> str:
        return f"{shown(self.url)}: {self.reason}"


class InvalidURL(FetchError):
    """What was given is no address on the web: http:// or https:// and a host."""


class RefusedAddress(FetchError):
    """The guard does not let this address, or this port, through."""


class UnknownHost(FetchError):
    """The name of the host leads nowhere."""


class ConnectionFailed(FetchError):
    """No connection, a broken one, or one that cannot be trusted."""


class DeadlineExceeded(FetchError):
    """All of it together took too long."""


class TooManyRedirects(FetchError):
    """The server sends us on and on, or in a circle."""


class TooLarge(FetchError):
    """The body has more bytes than this kind of thing may have."""


class DecompressionBomb(TooLarge):
    """A few compressed bytes that become very many."""


class Undecodable(FetchError):
    """The body is compressed in a way that cannot be undone."""


class Incomplete(FetchError):
    """The connection ended before the body did."""


class RobotsDisallowed(FetchError):
    """The site's robots.txt says that we may not."""


class NotNow(FetchError):
    """The host is to be left alone until a time, in seconds since 1970."""

    def __init__(self, url: str, reason: str, until: float) -> None:
        super().__init__(url, reason)
        self.args = (url, reason, until)
        self.until = until


class BadStatus(FetchError):
    """The server answered, but with an error."""

    def __init__(self, url: str, reason: str, status: int) -> None:
        super().__init__(url, reason)
        self.args = (url, reason, status)
        self.status = status


class NotRecorded(FetchError):
    """A replay holds no answer for this address."""


class BrowserFailed(FetchError):
    """The browser is missing, died, or could not show the page."""


class BadArchive(TidingsError):
    """A WARC file that cannot be read."""


class ExportError(TidingsError):
    """Articles cannot be written to a file, or not be read from one."""


class TargetExists(ExportError):
    """There is something already where a file was to be written."""


class NoRoom(ExportError):
    """The disk is full."""


class BadExport(ExportError, ValueError):
    """A file of articles that cannot be read: damaged, or of another kind."""


class StoreError(TidingsError):
    """The store of articles cannot do what it was asked."""


class BadQuery(StoreError, ValueError):
    """A search that cannot be read; the message points at the place."""

    def __init__(self, query: str, at: int, reason: str) -> None:
        super().__init__(query, at, reason)
        self.query = query
        self.at = at
        self.reason = reason

    def __str__(self) -> str:
        first = max(0, self.at - 60)  # of a long query the surroundings
        shown = "".join(" " if sign in "\r\n\t" else sign for sign in self.query[first : self.at + 20])
        return f"{self.reason}\n  {shown}\n  {' ' * (self.at - first)}^"


class NewerStore(StoreError):
    """The store was written by a newer version of Tidings."""


class NotAStore(StoreError):
    """The file or database belongs to something else."""


class StoreBusy(StoreError):
    """Others have kept the store locked for too long."""


class StoreConflict(StoreError):
    """What was to be changed has been changed by somebody else meanwhile."""


class StoreDamaged(StoreError):
    """The store's file is damaged."""


class StoreFull(StoreError):
    """There is no room left to write to."""


class StoreReadOnly(StoreError):
    """The store can be read, not written."""


class StoreUnreachable(StoreError):
    """The store's file or server cannot be opened."""


class StoriesError(TidingsError):
    """Articles cannot be grouped or followed through time."""


class BadState(StoriesError):
    """A kept state cannot be used: damaged, or made by another version."""


class BadRecords(StoriesError, ValueError):
    """Documents for trends cannot be read; the message says which line."""


class BadTrends(StoriesError, ValueError):
    """Named queries for trends make no sense, or their file cannot be read."""


class SitesError(TidingsError):
    """What is known of sites cannot be used."""


class BadRules(SitesError, ValueError):
    """Rules of a site that make no sense, or a file of them that cannot be read."""


class UnknownSite(SitesError):
    """Nothing is known of a site."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(name, tuple(known))
        self.name = name
        self.known = tuple(known)

    def __str__(self) -> str:
        if not self.known:
            return f"nothing is known of {self.name!r}: no site has been learned yet; `tidings sites learn` teaches one"
        return f"nothing is known of {self.name!r}; {did_you_mean(self.name, self.known)}"


class SitesUnwritable(SitesError):
    """What was learned of sites cannot be written."""


class BadFilter(TidingsError, ValueError):
    """A declared sequence of link filters is wrong: the message says where and what there is instead."""


class BadRecipe(TidingsError, ValueError):
    """A recipe cannot be used: the message names the line, where there is one, and what is allowed."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        super().__init__(name, line, reason)
        self.name = name
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        where = f"the recipe {self.name!r}" + (f", line {self.line}" if self.line else "")
        return f"{where}: {self.reason}"


class BadPattern(BadFilter):
    """A regular expression that cannot be read, or not be matched in linear time; the message points at the place."""

    def __init__(self, pattern: str, at: int, reason: str) -> None:
        super().__init__(pattern, at, reason)
        self.pattern = pattern
        self.at = at
        self.reason = reason

    def __str__(self) -> str:
        return f"the pattern cannot be used: {self.reason}\n  {self.pattern}\n  {' ' * self.at}^"


class MissingExtra(TidingsError):
    """A part of Tidings needs a package that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(what, extra)
        self.what = what
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.what} needs the extra {self.extra!r}: pip install 'tidings[{self.extra}]'"


class MissingPackage(TidingsError):
    """A command or an option belongs to another package of Tidings, which is not installed."""

    def __init__(self, what: str, package: str) -> None:
        super().__init__(what, package)
        self.what = what
        self.package = package

    def __str__(self) -> str:
        return f"{self.what} is part of {self.package}, which is not installed: pip install {self.package}"


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Around imports of what comes with an extra.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtra(what, extra) from error


def require_str(**values: object) -> None:
    """Raise BadArgument for a value that is neither a str nor None; the message has the name of the argument."""
    for name, value in values.items():
        if value is not None and not isinstance(value, str):
            raise BadArgument(f"{name} must be a str, not {type(value).__name__}")


def did_you_mean(name: str, known: tuple[str, ...]) -> str:
    """Return the near misses of a name, or all the names there are."""
    from difflib import get_close_matches  # only who has to be told waits for it

    near = get_close_matches(name, known, n=3)
    if near:
        return "did you mean " + " or ".join(near) + "?"
    return "there are: " + ", ".join(sorted(known))


def shown(text: str, most: int = 200) -> str:
    """Return a text from elsewhere as it may stand in a message: short, and with no character that moves the cursor."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in short)
