"""What can be passed as a page: bytes, str, paths, open files, and nodes of other parsers."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from tidings.errors import BadArgument, InputError
from tidings.page import Hints, Page

if TYPE_CHECKING:
    from tidings.options import ExtractOptions

#: Anything that `tidings.extract` accepts as a page. `Any` stands for nodes and trees of lxml, selectolax and
#: BeautifulSoup, which are recognised by their modules.
PageInput: TypeAlias = bytes | str | os.PathLike[str] | IO[bytes] | IO[str] | Page | Any


def page_data(source: Any) -> bytes | str | Page:
    """Return the content of an input.

    A str is HTML, never a path: use a `pathlib.Path` for a file.

    Raises:
        InputError: the file cannot be read.
        BadArgument: the input has another type.
    """
    if isinstance(source, bytes | str | Page):
        return source
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    if isinstance(source, os.PathLike):
        return _of_path(Path(source))
    if callable(getattr(source, "read", None)):
        return _read(source)
    html = _of_node(source)
    if html is not None:
        return html
    raise BadArgument(
        f"a page is bytes, str, a path, an open file, a Page, or a node of lxml, selectolax or BeautifulSoup, "
        f"not {type(source).__name__}"
    )


def page_of(source: PageInput, url: str | None = None, options: ExtractOptions | None = None) -> Page:
    """Return the page of an input; title and summary of the options are its hints.

    Raises:
        PageError: the input is empty, too large, or not HTML.
        InputError: the file cannot be read.
        BadArgument: the input has another type.
    """
    data = page_data(source)
    if isinstance(data, Page):
        return data
    return Page(data, url, None if options is None else Hints(title=options.title, description=options.summary))


def _read(file: Any) -> bytes | str:
    try:
        data = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the file cannot be read: {error}") from error
    if not isinstance(data, bytes | str):
        raise BadArgument(f"the file returns {type(data).__name__}, not bytes or str")
    return data


def _of_path(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _of_node(source: Any) -> str | None:
    """Return the HTML of a node of another parser; None if it is none."""
    library = type(source).__module__.partition(".")[0]
    if library == "bs4":
        return str(source)
    if library == "selectolax":
        html = getattr(source, "html", None)
        return html if isinstance(html, str) else None
    return _of_lxml(source) if library == "lxml" else None


def _of_lxml(source: Any) -> str:
    """Return the HTML of an lxml element or tree. The library is installed, because it made the object."""
    root = source.getroot() if hasattr(source, "getroot") else source
    if root is None or not hasattr(root, "tag"):
        raise BadArgument(f"an lxml element or tree is needed, not {type(source).__name__}")
    html: str = import_module("lxml.etree").tostring(root, method="html", encoding="unicode", with_tail=False)
    return html
