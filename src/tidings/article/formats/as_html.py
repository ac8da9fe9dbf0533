"""Clean HTML: one `<article>` element, built from the blocks, with nothing in it that a sanitiser would take out.

It is written as a parser of HTML would write it again. The tests hold it to that: an allow list of these tags,
attributes and schemes, applied by a parser (nh3), changes not a byte. Whoever shows it cleans it once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tidings.article.blocks import Block, Cell, Image, Kind
from tidings.article.formats.markup import Dialect, attribute, attributes, element, text
from tidings.article.model import Article, Comment
from tidings.article.options import Options
from tidings.article.outline import Entry, Listing, Node, Quote, leaves, outline, with_table_captions
from tidings.fields.addresses import safe_picture

_HTML: Final = Dialect(
    strong=("<strong>", "</strong>"),
    emphasis=("<em>", "</em>"),
    code=("<code>", "</code>"),
    superscript=("<sup>", "</sup>"),
    subscript=("<sub>", "</sub>"),
    link=('<a href={} rel="noopener noreferrer">', "</a>"),
    line_break="<br>",
)
#: What clean HTML has; whoever shows it allows no more.
TAGS: Final = frozenset(
    "article section header h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre table caption tr th td figure figcaption img "
    "a strong em code sup sub br tbody time".split()
)
ATTRIBUTES: Final = {
    "article": {"lang", "dir"},
    "a": {"href"},  # and `rel`, always the same
    "ol": {"start"},
    "li": {"value"},
    "th": {"colspan", "rowspan"},
    "td": {"colspan", "rowspan"},
    "img": {"src", "alt"},
    "time": {"datetime"},
}


def as_html(article: Article, options: Options) -> str:
    """The article as a fragment of HTML."""
    parts = [_nodes(outline(leaves(article, options)), options)]
    if options.comments:
        parts += [_comment(comment, options) for comment in article.comments]
    body = "\n".join(filter(None, parts))
    found = element("article", f"\n{body}\n", lang=article.language, dir=article.direction)
    for written, as_parsers_write in (("&#x27;", "'"), ("\xa0", "&nbsp;"), ("&#10;", "\n"), ("&#9;", "\t")):
        found = found.replace(written, as_parsers_write)
    return found


def _comment(comment: Comment, options: Options) -> str:
    when = comment.published.isoformat() if comment.published else None
    head = ""
    if comment.author or when:
        from_ = element("time", when, datetime=when) if when else ""
        head = element("header", " ".join(filter(None, (text(comment.author), from_)))) + "\n"
    inside = _nodes(outline(leaves(Article(blocks=comment.blocks), options)), options)
    return f"<section>\n{head}{inside}\n</section>"


def _nodes(nodes: Sequence[Node], options: Options) -> str:
    return "\n".join(filter(None, (_node(node, caption, options) for node, caption in with_table_captions(nodes))))


def _node(node: Node, caption: Block | None, options: Options) -> str:
    if isinstance(node, Quote):
        return f"<blockquote>\n{_nodes(node.children, options)}\n</blockquote>"
    if isinstance(node, Listing):
        items = "\n".join(_entry(entry, node.ordered, options) for entry in node.entries)
        return f"<ol>\n{items}\n</ol>" if node.ordered else f"<ul>\n{items}\n</ul>"
    if isinstance(node, Image):
        return element("figure", _image(node)) if safe_picture(node.src) else ""
    return _table(node, caption, options) if node.kind is Kind.TABLE else _block(node, options)


def _block(block: Block, options: Options) -> str:
    inside = _HTML.inlines(block.inlines, options, exact=block.kind is Kind.PREFORMATTED)
    if block.kind is Kind.HEADING:
        return element(f"h{min(max(block.level or 1, 1), 6)}", inside)
    if block.kind is Kind.PREFORMATTED:
        # A parser drops the first line feed.
        return element("pre", ("\n" if inside.startswith("\n") else "") + inside)
    if block.kind is Kind.CAPTION:
        image = _image(block.image) if block.image is not None and options.images else ""
        return element("figure", image + element("figcaption", inside))
    return element("p", inside)


def _entry(entry: Entry, ordered: bool, options: Options) -> str:
    number = entry.item.number if entry.item is not None and ordered else None
    children = entry.children
    first = children[0] if children else None
    inside = ""
    if isinstance(first, Block) and first.kind is Kind.LIST_ITEM:  # its text stands in the item itself
        inside = _HTML.inlines(first.inlines, options)
        children = children[1:]
    return element("li", "\n".join(filter(None, (inside, _nodes(children, options)))), value=number)


def _table(block: Block, caption: Block | None, options: Options) -> str:
    rows = "\n".join("<tr>\n" + "\n".join(_cell(cell, options) for cell in row) + "\n</tr>" for row in block.rows)
    head = element("caption", _HTML.inlines(caption.inlines, options)) + "\n" if caption is not None else ""
    return f"<table>\n{head}<tbody>\n{rows}\n</tbody>\n</table>"


def _cell(cell: Cell, options: Options) -> str:
    return element(
        "th" if cell.header else "td",
        _HTML.inlines(cell.inlines, options),
        colspan=cell.colspan if cell.colspan > 1 else None,
        rowspan=cell.rowspan if cell.rowspan > 1 else None,
    )


def _image(image: Image) -> str:
    src = safe_picture(image.src)
    return f"<img{attributes(src=src)} alt={attribute(image.alt)}>" if src else ""
