"""Sanitised HTML: one `<article>` element, built from the blocks.

The output is written exactly as an HTML parser would serialise it. The tests check it: a sanitiser (nh3) with an allow
list of these tags, attributes and schemes changes not a byte. Whoever displays it should still sanitise it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from tidings.article.formats import math_markup
from tidings.article.formats.markup import Dialect, MarkupStyle, attribute, attributes, element, note_id, text
from tidings.article.formats.options import Options
from tidings.article.formats.outline import (
    Entry,
    Listing,
    Node,
    Pictures,
    Quote,
    leaves,
    noted,
    outline,
    with_table_captions,
)
from tidings.article.model.article import Article, Comment
from tidings.article.model.blocks import Block, Cell, Embed, Image, Kind, Post
from tidings.article.model.plain_text import opens_with, quoted_post
from tidings.fields.urls.sanitise import safe, safe_picture

_HTML: Final = Dialect(
    strong=("<strong>", "</strong>"),
    emphasis=("<em>", "</em>"),
    code=("<code>", "</code>"),
    superscript=("<sup>", "</sup>"),
    subscript=("<sub>", "</sub>"),
    link=('<a href={} rel="noopener noreferrer">', "</a>"),
    line_break="<br>",
    inserted=("<ins>", "</ins>"),
    deleted=("<del>", "</del>"),
    formula=math_markup.math,
    note=('<a href={} role="doc-noteref" rel="noopener noreferrer">', "</a>"),
    abbreviation=("<abbr title={}>", "</abbr>"),
)
#: The tags of the output; an allow list for sanitisers.
TAGS: Final = math_markup.TAGS.union(
    "article section header h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre table caption tr th td figure figcaption img "
    "a strong em code sup sub br tbody time ins del abbr math aside details summary footer dl dt dd".split()
)
ATTRIBUTES: Final = {
    "article": {"lang", "dir"},
    "a": {"href", "role"},  # and `rel`, always the same
    "section": {"role"},
    "header": {"data-post", "data-reply"},
    "aside": {"role", "data-callout"},
    "math": {"alttext", "display"},
    "pre": {"data-language"},
    "figure": {"data-embed", "data-gallery"},
    "ol": {"start"},
    "li": {"value", "id", "role"},
    "th": {"colspan", "rowspan"},
    "td": {"colspan", "rowspan"},
    "img": {"src", "alt", "title"},
    "abbr": {"title"},
    "time": {"datetime"},
    **{name: set(math_markup.ATTRIBUTES) for name in math_markup.TAGS},
}


def as_html(article: Article, options: Options) -> str:
    """Return the article as a fragment of HTML."""
    parts = [_nodes(outline(leaves(article, options)), MarkupStyle(_HTML, options, noted(article)))]
    if options.headline and not opens_with(article.blocks, article.title):
        parts.insert(0, element("h1", text(article.title)))
    if options.comments:
        parts += [_comment(comment, options) for comment in article.comments]
    body = "\n".join(filter(None, parts))
    html = element("article", f"\n{body}\n", lang=article.language, dir=article.direction)
    for written, as_parsers_write in (("&#x27;", "'"), ("\xa0", "&nbsp;"), ("&#10;", "\n"), ("&#9;", "\t")):
        html = html.replace(written, as_parsers_write)
    return html


def _comment(comment: Comment, options: Options) -> str:
    when = comment.published_as_stated.isoformat() if comment.published_as_stated else None
    head = ""
    if comment.author or when:
        from_ = element("time", when, datetime=when) if when else ""
        head = element("header", " ".join(filter(None, (text(comment.author), from_)))) + "\n"
    inside = _nodes(outline(leaves(Article(blocks=comment.blocks), options)), MarkupStyle(_HTML, options))
    return f"<section>\n{head}{inside}\n</section>"


def _nodes(nodes: Sequence[Node], writing: MarkupStyle) -> str:
    parts: list[str] = []
    for is_note, group in groupby(with_table_captions(nodes), lambda pair: _is_note(pair[0])):
        if is_note:
            parts.append(_notes([node for node, _ in group if isinstance(node, Block)], writing))
        else:
            parts += [_node(node, caption, writing) for node, caption in group]
    return "\n".join(filter(None, parts))


def _is_note(node: Node) -> bool:
    return isinstance(node, Block) and node.kind is Kind.NOTE


def _notes(blocks: list[Block], writing: MarkupStyle) -> str:
    """Return a list of adjacent notes."""
    items = []
    for label, group in groupby(blocks, lambda block: block.label):
        inside = "\n".join(element("p", writing.inlines(block.inlines)) for block in group)
        items.append(element("li", inside, id=note_id(label), role="doc-endnote"))
    inside = "\n".join(items)
    return f'<section role="doc-endnotes">\n<ol>\n{inside}\n</ol>\n</section>'


def _node(node: Node, caption: Block | None, writing: MarkupStyle) -> str:
    if isinstance(node, Quote):
        return _quote(node, writing)
    if isinstance(node, Listing):
        if node.entries and all(entry.item is not None and entry.item.term for entry in node.entries):
            return _definitions(node, writing)
        items = "\n".join(_entry(entry, node.ordered, writing) for entry in node.entries)
        return f"<ol>\n{items}\n</ol>" if node.ordered else f"<ul>\n{items}\n</ul>"
    if isinstance(node, Pictures):
        return _gallery(node, writing)
    if isinstance(node, Image):
        return element("figure", _image(node, node.caption)) if safe_picture(node.src) else ""
    return _table(node, caption, writing) if node.kind is Kind.TABLE else _block(node, writing)


def _quote(node: Quote, writing: MarkupStyle) -> str:
    inside = _nodes(node.children, writing)
    if node.head is None:
        return f"<blockquote>\n{inside}\n</blockquote>"
    title = writing.inlines(node.head.inlines)
    if node.head.kind is Kind.DETAILS:
        return f"<details>\n{element('summary', title)}\n{inside}\n</details>"
    head = element("p", element("strong", title)) + "\n" if title else ""
    return element("aside", f"\n{head}{inside}\n", role="note", data_callout=node.head.label)


def _gallery(node: Pictures, writing: MarkupStyle) -> str:
    """Return a figure of figures, with the title below."""
    inside = [figure for caption in node.captions if (figure := _figure(caption, writing))]
    title = writing.inlines(node.head.inlines)
    inside += [element("figcaption", title)] if title else []
    return element("figure", "\n" + "\n".join(inside) + "\n", data_gallery=len(node.captions)) if inside else ""


def _figure(block: Block, writing: MarkupStyle) -> str:
    inside = writing.inlines(block.inlines)
    image = ""
    if block.image is not None and writing.options.images:
        image = _image(block.image, "" if inside else block.image.caption)
    return element("figure", image + (element("figcaption", inside) if inside else "")) if image or inside else ""


def _definitions(listing: Listing, writing: MarkupStyle) -> str:
    lines = []
    for entry in listing.entries:
        for first in entry.children[:1]:
            is_line = isinstance(first, Block) and first.kind is Kind.LIST_ITEM
            content = (
                writing.inlines(first.inlines) if is_line and isinstance(first, Block) else _nodes([first], writing)
            )
            lines.append(element("dt", content))
        for node in entry.children[1:]:
            is_paragraph = isinstance(node, Block) and node.kind is Kind.PARAGRAPH
            content = (
                writing.inlines(node.inlines) if is_paragraph and isinstance(node, Block) else _nodes([node], writing)
            )
            lines.append(element("dd", content))
    return "<dl>\n" + "\n".join(lines) + "\n</dl>"


def _block(block: Block, writing: MarkupStyle) -> str:  # noqa: PLR0911  # one kind each
    inside = writing.inlines(block.inlines, exact=block.kind is Kind.PREFORMATTED)
    if block.kind is Kind.HEADING:
        return element(f"h{min(max(block.level or 1, 1), 6)}", inside)
    if block.kind is Kind.PREFORMATTED:
        # A parser drops the first line feed.
        inside = ("\n" if inside.startswith("\n") else "") + inside
        return element("pre", inside, data_language=block.language)
    if block.kind is Kind.CAPTION:
        return _figure(block, writing)
    if block.kind is Kind.FORMULA:
        return math_markup.math(block.text, display=True)
    if block.kind is Kind.ATTRIBUTION:
        return element("footer", inside)
    if block.post is not None:
        return _post(block.post) + (element("p", inside) if inside else "")
    if block.kind is Kind.EMBED and block.embed is not None:
        return _embed(block, block.embed, writing)
    return element("p", inside)


def _post(post: Post) -> str:
    number, reply = post.number, post.reply
    when = post.published_as_stated.isoformat() if post.published_as_stated else ""
    parts = (
        "" if number is None else f"#{number}",
        text(post.author),
        element("time", when, datetime=when) if when else "",
        "" if reply is None else f"↩ #{reply}",
    )
    return element("header", " ".join(filter(None, parts)), data_post=number, data_reply=reply)


def _embed(block: Block, embed: Embed, writing: MarkupStyle) -> str:
    inlines, credit = quoted_post(block)
    caption = text(credit)
    url = safe(embed.url)
    link = f'<a href={attribute(url)} rel="noopener noreferrer">{caption}</a>' if url else caption
    inside = writing.inlines(inlines)
    quoted = element("blockquote", element("p", inside)) if inside else ""
    return element("figure", quoted + element("figcaption", link), data_embed=embed.provider)


def _entry(entry: Entry, ordered: bool, writing: MarkupStyle) -> str:
    number = entry.item.number if entry.item is not None and ordered else None
    children = entry.children
    first = children[0] if children else None
    inside = ""
    if isinstance(first, Block) and first.kind is Kind.LIST_ITEM:  # its text is in the item itself
        inside = writing.inlines(first.inlines)
        children = children[1:]
    return element("li", "\n".join(filter(None, (inside, _nodes(children, writing)))), value=number)


def _table(block: Block, caption: Block | None, writing: MarkupStyle) -> str:
    rows = "\n".join("<tr>\n" + "\n".join(_cell(cell, writing) for cell in row) + "\n</tr>" for row in block.rows)
    head = element("caption", writing.inlines(caption.inlines)) + "\n" if caption is not None else ""
    return f"<table>\n{head}<tbody>\n{rows}\n</tbody>\n</table>"


def _cell(cell: Cell, writing: MarkupStyle) -> str:
    return element(
        "th" if cell.header else "td",
        writing.inlines(cell.inlines),
        colspan=cell.colspan if cell.colspan > 1 else None,
        rowspan=cell.rowspan if cell.rowspan > 1 else None,
    )


def _image(image: Image, caption: str = "") -> str:
    """Return a picture; a caption that is no part of the text is its title."""
    src = safe_picture(image.src)
    return f"<img{attributes(src=src)} alt={attribute(image.alt)}{attributes(title=caption)}>" if src else ""
