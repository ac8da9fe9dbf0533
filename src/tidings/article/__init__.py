"""Articles: the model, how one is assembled from chosen text, and how it is written.

`Article` is frozen, and what it is called is kept: stores, exports and the API are written from it. A format is a
function from an article to text; it adds nothing that the article does not have.
"""

from tidings.article.assemble import assemble
from tidings.article.dropped import Dropped, Reason, dropped
from tidings.article.formats.as_csv import csv_header
from tidings.article.formats.from_json import article_from_json
from tidings.article.model import (
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
from tidings.article.options import Options
from tidings.article.recordings import with_recordings
from tidings.article.render import FORMATS, Format, render

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
