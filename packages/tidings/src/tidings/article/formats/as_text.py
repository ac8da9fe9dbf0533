"""Plain text."""

from __future__ import annotations

from tidings.article.formats.characters import legal
from tidings.article.formats.options import Options
from tidings.article.model.article import Article
from tidings.article.model.blocks import Kind
from tidings.article.model.plain_text import opens_with, plain, signed, with_readings


def as_text(article: Article, options: Options) -> str:
    """Return the plain text. With comments, each follows below a line with its author and date."""
    blocks = (signed(block) for block in article.blocks if options.tables or block.kind is not Kind.TABLE)
    parts = [plain(map(with_readings, blocks) if options.readings else blocks)]
    if options.headline and not opens_with(article.blocks, article.title):
        parts.insert(0, article.title)
    if options.comments:
        for comment in article.comments:
            when = comment.published_as_stated.isoformat() if comment.published_as_stated else ""
            parts += ["\n".join(filter(None, (", ".join(filter(None, (comment.author, when))), comment.text)))]
    return legal("\n\n".join(filter(None, parts)))
