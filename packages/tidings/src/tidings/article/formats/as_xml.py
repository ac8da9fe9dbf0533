"""A simple XML of the blocks: flat, one element per block, named after its kind."""

from __future__ import annotations

from typing import Final

from tidings.article.formats.markup import Dialect, element, fields, text
from tidings.article.formats.options import Options
from tidings.article.formats.outline import leaves, noted
from tidings.article.model.article import Article
from tidings.article.model.blocks import Block, Image, Kind
from tidings.fields.urls.sanitise import safe, safe_picture

_XML: Final = Dialect(
    strong=("<strong>", "</strong>"),
    emphasis=("<emphasis>", "</emphasis>"),
    code=("<code>", "</code>"),
    superscript=("<superscript>", "</superscript>"),
    subscript=("<subscript>", "</subscript>"),
    link=("<link href={}>", "</link>"),
    line_break="<break/>",
    inserted=("<inserted>", "</inserted>"),
    deleted=("<deleted>", "</deleted>"),
    formula=lambda said: element("formula", text(said)),
    note=("<noteref target={}>", "</noteref>"),
    abbreviation=("<abbreviation expansion={}>", "</abbreviation>"),
)


def as_xml(article: Article, options: Options) -> str:
    """Return the article as an XML document."""
    lines = fields(
        (
            ("url", safe(article.url) or ""),
            ("canonical", safe(article.canonical) or ""),
            ("title", article.title),
            *(("author", author) for author in article.authors),
            ("published", article.published_as_stated.isoformat() if article.published_as_stated else ""),
            ("modified", article.modified_as_stated.isoformat() if article.modified_as_stated else ""),
            ("site", article.site),
            ("section", article.section),
            *(("tag", tag) for tag in article.tags),
            ("summary", article.summary),
            ("next_page", safe(article.next_page) or ""),
            ("single_page", safe(article.single_page) or ""),
            *(("mark", mark) for mark in article.marks),
        )
    )
    if options.images and article.image is not None:
        lines += _image(article.image)
    lines += ["<body>", *_leaves(article, options), "</body>"]
    if options.comments:
        for comment in article.comments:
            when = comment.published_as_stated.isoformat() if comment.published_as_stated else None
            inside = "\n".join(_leaves(Article(blocks=comment.blocks), options))
            lines.append(element("comment", f"\n{inside}\n", author=comment.author, published=when))
    inside = "\n".join(lines)
    values = {"kind": article.kind, "xml__lang": article.language, "dir": article.direction}
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + element("article", f"\n{inside}\n", **values)


def _leaves(article: Article, options: Options) -> list[str]:
    lines: list[str] = []
    notes = noted(article)
    for leaf in leaves(article, options):
        lines += _image(leaf) if isinstance(leaf, Image) else [_block(leaf, options, notes)]
    return lines


def _block(block: Block, options: Options, notes: frozenset[str]) -> str:
    item = block.item
    values: dict[str, str | int | bool | None] = {
        "level": block.level,
        "depth": block.depth or None,
        "language": block.language,
        "label": block.label,
        "term": item is not None and item.term,
        "item": "ordered" if item is not None and item.ordered else "unordered" if item is not None else None,
        "number": item.number if item is not None else None,
        "quote_depth": block.quote_depth or None,
    }
    if block.kind is Kind.TABLE:
        rows = (
            element(
                "row",
                "".join(
                    element(
                        "cell",
                        _XML.inlines(cell.inlines, options),
                        header=cell.header,
                        colspan=cell.colspan if cell.colspan > 1 else None,
                        rowspan=cell.rowspan if cell.rowspan > 1 else None,
                    )
                    for cell in row
                ),
            )
            for row in block.rows
        )
        return element("table", "\n" + "\n".join(rows) + "\n", **values)
    exact = block.kind is Kind.PREFORMATTED
    if exact:
        values["xml__space"] = "preserve"
    image = "".join(_image(block.image)) if block.image is not None and options.images else ""
    if block.kind is Kind.GALLERY:
        values["size"] = block.size
    if block.post is not None:
        when = block.post.published_as_stated.isoformat() if block.post.published_as_stated else None
        values |= {
            "author": block.post.author,
            "published": when,
            "number": block.post.number,
            "reply": block.post.reply,
        }
    if block.embed is not None:
        embed = block.embed
        values |= {"provider": embed.provider, "url": safe(embed.url), "author": embed.author, "title": embed.title}
        values |= {"media_type": embed.media_type, "seconds": embed.seconds, "bytes": embed.size}
    if block.kind is Kind.FORMULA:
        return element(block.kind.value, text(block.text), **values)
    return element(block.kind.value, image + _XML.inlines(block.inlines, options, exact=exact, notes=notes), **values)


def _image(image: Image) -> list[str]:
    src = safe_picture(image.src)
    return [element("image", "", src=src, alt=image.alt, caption=image.caption, credit=image.credit)] if src else []
