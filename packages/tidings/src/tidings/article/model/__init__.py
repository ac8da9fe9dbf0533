"""The data model of an article: `Article`, its blocks and inlines, and its plain text."""

from tidings.article.model.article import Article, Comment, Direction, Provenance
from tidings.article.model.blocks import Block, Cell, Embed, Image, Inline, Item, Kind, Post, Precision

__all__ = [
    "Article",
    "Block",
    "Cell",
    "Comment",
    "Direction",
    "Embed",
    "Image",
    "Inline",
    "Item",
    "Kind",
    "Post",
    "Precision",
    "Provenance",
]
