"""All exceptions of Tidings, in one tree.

    TidingsError
    ├── BadArgument               a public function was called with a wrong type or value
    │   └── BadOption             an option does not exist or has a wrong value
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
    │   ├── NoSiblings            an extractor compares pages of a site, and there is one only
    │   └── BadExpression         a syntax error in a combination
    ├── InputError                a file, folder or option that cannot be used
    ├── UnknownFormat             no output format of that name
    ├── BadModel                  a damaged model file
    ├── BadFilter                 an invalid file of link filters
    │   └── BadPattern            an invalid regular expression
    ├── BadRecipe                 an invalid or unknown recipe
    ├── SitesError
    │   ├── BadRules              invalid rules of a site
    │   ├── UnknownSite           a site without templates
    │   └── SitesUnwritable       learned sites cannot be stored
    ├── StoriesError
    │   ├── BadState              a damaged state of stories or duplicates
    │   ├── BadRecords            invalid documents for trends (RIS, XML, JSON lines)
    │   └── BadTrends             invalid queries for trends
    ├── StoreError                an operation of the store failed
    │   ├── BadQuery              a syntax error in a search
    │   ├── NewerStore            written by a newer version of Tidings
    │   ├── NotAStore             not a store of Tidings
    │   ├── StoreBusy             locked by other processes for too long
    │   ├── StoreConflict         another process changed the record first
    │   ├── StoreDamaged          the file is damaged
    │   ├── StoreFull             the disk is full
    │   ├── StoreReadOnly         the store is read-only
    │   └── StoreUnreachable      the file or server cannot be opened
    ├── FetchError                a URL cannot be fetched; a value where many are fetched
    │   ├── InvalidURL            not a valid http or https URL
    │   ├── RefusedAddress        an IP address or port that the guard refuses
    │   ├── UnknownHost           a host name that cannot be resolved
    │   ├── ConnectionFailed      the connection failed, broke, or has an invalid certificate
    │   ├── DeadlineExceeded      the request exceeded its deadline
    │   ├── TooManyRedirects      too many redirects, or a loop
    │   ├── TooLarge              the body exceeds the size limit
    │   │   └── DecompressionBomb a small body exceeds the limit when decompressed
    │   ├── Undecodable           the body cannot be decompressed
    │   ├── Incomplete            the connection ended before the end of the body
    │   ├── RobotsDisallowed      robots.txt disallows the URL
    │   ├── NotNow                the host must not be requested before `until`
    │   ├── BadStatus             the response has an error status
    │   ├── NotRecorded           a replay has no response for this URL
    │   └── BrowserFailed         the browser is missing, crashed, or could not render the page
    ├── ExportError               articles cannot be exported or imported
    │   ├── TargetExists          the file exists already
    │   ├── NoRoom                the disk is full
    │   └── BadExport             a damaged file of articles
    ├── BadArchive                a WARC file that cannot be read
    ├── MissingExtra              an optional dependency is not installed
    └── MissingPackage            another package of Tidings is not installed

Each message names the thing, the reason and what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class TidingsError(Exception):
    """The base class of all errors of Tidings."""


class BadArgument(TidingsError, TypeError, ValueError):
    """A public function was called with an argument of the wrong type or with a value it does not accept."""


class BadOption(BadArgument):
    """An option of an extraction does not exist or has a wrong value; `option` is its name."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(option, reason)
        self.option = option
        self.reason = reason

    def __str__(self) -> str:
        return f"the option {self.option} {self.reason}"


class PageError(TidingsError):
    """The input is not a page."""


class EmptyPage(PageError):
    """The input has only white space and NULs."""


class NotHTML(PageError):
    """The input is neither HTML nor text."""


class PageTooLarge(PageError):
    """The input exceeds the size limit of pages."""


class PageTooCostly(PageError):
    """The page exceeds the limit of memory or time."""


class ExtractionTimeout(PageTooCostly):
    """The page takes more processor time than `timeout`."""


class CoreError(PageError, RuntimeError):
    """A function of the compiled core failed (panicked) on a page. Other pages are not affected."""

    def __init__(self, function: str) -> None:
        super().__init__(function)
        self.function = function

    def __str__(self) -> str:
        return f"the compiled core failed in {self.function} on this page; please report it with the page"


class ReadingError(TidingsError):
    """A page cannot be read now; retry later."""


class ReadersBusy(ReadingError):
    """All processes that extract pages are busy."""


class ReaderDied(ReadingError):
    """The process that extracted the page was killed."""


class ExtractorError(TidingsError):
    """An extractor cannot be created or used."""


class UnknownExtractor(ExtractorError):
    """No extractor has this name."""

    def __init__(self, name: str, names: Iterable[str]) -> None:
        super().__init__(name, tuple(names))
        self.name = name
        self.names = tuple(names)

    def __str__(self) -> str:
        return f"there is no extractor called {self.name!r}; {did_you_mean(self.name, self.names)}"


class CoreMissing(ExtractorError, RuntimeError):
    """The compiled core cannot be used: it is missing, damaged, of another version or for another platform."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the compiled core cannot be used: {self.reason}"


class BadParameter(ExtractorError, ValueError):
    """A parameter has an invalid value."""


class NoLayout(ExtractorError):
    """A layout extractor needs the boxes of a rendered page, and the page has none."""


class NoSiblings(ExtractorError):
    """An extractor compares pages of a site, and was given one page only."""


class BadExpression(ExtractorError, ValueError):
    """A combination of extractors has a syntax error; the message marks the position."""

    def __init__(self, expression: str, at: int, reason: str) -> None:
        super().__init__(expression, at, reason)
        self.expression = expression
        self.at = at
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.reason}\n  {self.expression}\n  {' ' * self.at}^"


class InputError(TidingsError):
    """A file, folder or option cannot be used."""


class UnknownFormat(TidingsError):
    """No output format has this name."""

    def __init__(self, name: str, names: Iterable[str]) -> None:
        super().__init__(name, tuple(names))
        self.name = name
        self.names = tuple(names)

    def __str__(self) -> str:
        return f"there is no output format called {self.name!r}; {did_you_mean(self.name, self.names)}"


class BadModel(TidingsError):
    """A model file is damaged, or was written by another version."""


class FetchError(TidingsError):
    """A URL cannot be fetched."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(url, reason)
        self.url = url
        self.reason = reason

    def __str__(self) -> str:
        return f"{printable(self.url)}: {self.reason}"


class InvalidURL(FetchError):
    """A text is not a valid http or https URL."""


class RefusedAddress(FetchError):
    """The SSRF guard refuses this IP address or port."""


class UnknownHost(FetchError):
    """The host name cannot be resolved."""


class ConnectionFailed(FetchError):
    """The connection failed, broke, or has an invalid certificate."""


class DeadlineExceeded(FetchError):
    """The request exceeded its deadline."""


class TooManyRedirects(FetchError):
    """There are too many redirects, or they form a loop."""


class TooLarge(FetchError):
    """The body exceeds the size limit of its kind."""


class DecompressionBomb(TooLarge):
    """The body is small, but exceeds the limit when decompressed."""


class Undecodable(FetchError):
    """The body cannot be decompressed."""


class Incomplete(FetchError):
    """The connection ended before the end of the body."""


class RobotsDisallowed(FetchError):
    """The robots.txt of the site disallows the URL."""


class NotNow(FetchError):
    """The host must not be requested before `until`, in seconds since 1970."""

    def __init__(self, url: str, reason: str, until: float) -> None:
        super().__init__(url, reason)
        self.args = (url, reason, until)
        self.until = until


class BadStatus(FetchError):
    """The response has an error status."""

    def __init__(self, url: str, reason: str, status: int) -> None:
        super().__init__(url, reason)
        self.args = (url, reason, status)
        self.status = status


class NotRecorded(FetchError):
    """A replay has no response for this URL."""


class BrowserFailed(FetchError):
    """The browser is missing, crashed, or could not render the page."""


class BadArchive(TidingsError):
    """A WARC file that cannot be read."""


class ExportError(TidingsError):
    """Articles cannot be exported or imported."""


class TargetExists(ExportError):
    """The file exists already."""


class NoRoom(ExportError):
    """The disk is full."""


class BadExport(ExportError, ValueError):
    """A file of articles that cannot be read: damaged, or of another kind."""


class StoreError(TidingsError):
    """An operation of the store failed."""


class BadQuery(StoreError, ValueError):
    """A search has a syntax error; the message marks the position."""

    def __init__(self, query: str, at: int, reason: str) -> None:
        super().__init__(query, at, reason)
        self.query = query
        self.at = at
        self.reason = reason

    def __str__(self) -> str:
        first = max(0, self.at - 60)  # the context of the position in a long query
        excerpt = "".join(" " if sign in "\r\n\t" else sign for sign in self.query[first : self.at + 20])
        return f"{self.reason}\n  {excerpt}\n  {' ' * (self.at - first)}^"


class NewerStore(StoreError):
    """The store was written by a newer version of Tidings."""


class NotAStore(StoreError):
    """The file or database is not a store of Tidings."""


class StoreBusy(StoreError):
    """The store was locked by other processes for too long."""


class StoreConflict(StoreError):
    """Another process changed the record first."""


class StoreDamaged(StoreError):
    """The store's file is damaged."""


class StoreFull(StoreError):
    """The disk of the store is full."""


class StoreReadOnly(StoreError):
    """The store is read-only."""


class StoreUnreachable(StoreError):
    """The store's file or server cannot be opened."""


class StoriesError(TidingsError):
    """Articles cannot be grouped or counted over time."""


class BadState(StoriesError):
    """A saved state is damaged, or was written by another version."""


class BadRecords(StoriesError, ValueError):
    """Documents for trends cannot be read; the message says which line."""


class BadTrends(StoriesError, ValueError):
    """Named queries for trends are invalid, or their file cannot be read."""


class SitesError(TidingsError):
    """Templates of sites cannot be used."""


class BadRules(SitesError, ValueError):
    """Rules of a site are invalid, or their file cannot be read."""


class UnknownSite(SitesError):
    """A site has no templates."""

    def __init__(self, name: str, names: Iterable[str]) -> None:
        super().__init__(name, tuple(names))
        self.name = name
        self.names = tuple(names)

    def __str__(self) -> str:
        if not self.names:
            return f"the site {self.name!r} is unknown: no site was learned yet; use `tidings sites learn`"
        return f"the site {self.name!r} is unknown; {did_you_mean(self.name, self.names)}"


class SitesUnwritable(SitesError):
    """The file of site templates cannot be written."""


class BadFilter(TidingsError, ValueError):
    """A file of link filters is invalid; the message has the line and the allowed values."""


class BadRecipe(TidingsError, ValueError):
    """A recipe is invalid or unknown; the message has the line and the allowed values."""

    def __init__(self, name: str, line: int, reason: str) -> None:
        super().__init__(name, line, reason)
        self.name = name
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        where = f"the recipe {self.name!r}" + (f", line {self.line}" if self.line else "")
        return f"{where}: {self.reason}"


class BadPattern(BadFilter):
    """A regular expression is invalid, or cannot be matched in linear time; the message marks the position."""

    def __init__(self, pattern: str, at: int, reason: str) -> None:
        super().__init__(pattern, at, reason)
        self.pattern = pattern
        self.at = at
        self.reason = reason

    def __str__(self) -> str:
        return f"the pattern cannot be used: {self.reason}\n  {self.pattern}\n  {' ' * self.at}^"


class MissingExtra(TidingsError):
    """A feature needs an optional dependency that is not installed."""

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
    """Replace an ImportError of an optional dependency by MissingExtra.

    Raises:
        MissingExtra: the dependency is not installed.
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtra(what, extra) from error


def require_str(**values: object) -> None:
    """Raise BadArgument if a value is neither a str nor None; the message has the name of the argument."""
    for name, value in values.items():
        if value is not None and not isinstance(value, str):
            raise BadArgument(f"{name} must be a str, not {type(value).__name__}")


def did_you_mean(name: str, names: tuple[str, ...]) -> str:
    """Return a hint with the names that resemble a name, or with all names."""
    from difflib import get_close_matches  # needed for errors only

    near = get_close_matches(name, names, n=3)
    if near:
        return "did you mean " + " or ".join(near) + "?"
    return "there are: " + ", ".join(sorted(names))


def printable(text: str, max_length: int = 200) -> str:
    """Return an untrusted text for use in a message: shortened, with control characters escaped."""
    short = text if len(text) <= max_length else text[: max_length - 1] + "…"
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in short)
