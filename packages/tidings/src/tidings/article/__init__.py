"""The article model, and the functions that assemble and render articles.

The public names of `Article` are stable: stores, exports and the API depend on them. A format is a function from an
article to text and adds nothing to the article's contents.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tidings.article.assemble import assemble
from tidings.article.dropped import Dropped, Reason, dropped
from tidings.article.formats.options import Options
from tidings.article.formats.render import FORMATS, Format, render
from tidings.article.model.article import (
    Article,
    Block,
    Cell,
    Comment,
    Direction,
    Embed,
    Image,
    Inline,
    Item,
    Kind,
    Post,
    Precision,
    Provenance,
)
from tidings.article.units.recordings import with_recordings

if TYPE_CHECKING:
    from tidings.article.formats.as_csv import csv_header
    from tidings.article.formats.from_json import article_from_json

__all__ = [
    "FORMATS",
    "Article",
    "Block",
    "Cell",
    "Comment",
    "Direction",
    "Dropped",
    "Embed",
    "Format",
    "Image",
    "Inline",
    "Item",
    "Kind",
    "Options",
    "Post",
    "Precision",
    "Provenance",
    "Reason",
    "article_from_json",
    "assemble",
    "csv_header",
    "dropped",
    "render",
    "with_recordings",
]

#: Rarely used functions, imported on first use.
_LATE: Final = {
    "article_from_json": "tidings.article.formats.from_json",
    "csv_header": "tidings.article.formats.as_csv",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'tidings.article' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(_LATE[name]), name)
    return value
