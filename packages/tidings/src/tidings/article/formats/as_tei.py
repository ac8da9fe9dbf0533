"""TEI P5: a header with the metadata, and a body in which each heading starts a division.

TEI has no attribute for text direction; `xml:lang` gives the language, and the `style` of the text the direction (TEI
guidelines 1.3.1.1.3 and the CSS writing modes they refer to).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tidings.article.formats.markup import Dialect, MarkupStyle, attributes, element, fields, text
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
from tidings.article.model.article import Article
from tidings.article.model.blocks import Block, Embed, Image, Kind
from tidings.article.model.plain_text import quoted_post
from tidings.fields.urls.sanitise import safe, safe_picture

_TEI: Final = Dialect(
    strong=('<hi rend="bold">', "</hi>"),
    emphasis=('<hi rend="italic">', "</hi>"),
    code=("<code>", "</code>"),
    superscript=('<hi rend="superscript">', "</hi>"),
    subscript=('<hi rend="subscript">', "</hi>"),
    link=("<ref target={}>", "</ref>"),
    line_break="<lb/>",
    inserted=("<add>", "</add>"),
    deleted=("<del>", "</del>"),
    formula=lambda said: element("formula", text(said), notation="TeX"),
    note=('<ref type="noteref" target={}>', "</ref>"),
    abbreviation=("<choice><abbr>", "</abbr><expan>{}</expan></choice>"),
)


def as_tei(article: Article, options: Options) -> str:
    """Return the article as a TEI document."""
    body = _divisions(outline(leaves(article, options)), MarkupStyle(_TEI, options, noted(article), set()))
    if options.comments:
        body += [_comment(article, place, options) for place in range(len(article.comments))]
    style = "direction: rtl" if article.direction == "rtl" else None
    inside = "\n".join(body) or "<div><p/></div>"  # a body is never empty
    shown = element("text", f"\n<body>\n{inside}\n</body>\n", xml__lang=article.language, style=style)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f"{_header(article)}\n{shown}\n</TEI>"
    )


def _header(article: Article) -> str:
    title = element("title", text(article.title))
    authors = "".join(fields(("author", author) for author in article.authors))
    published = _date(article.published_as_stated.isoformat(), "published") if article.published_as_stated else ""
    modified = _date(article.modified_as_stated.isoformat(), "modified") if article.modified_as_stated else ""
    publication = element("publisher", text(article.site)) if article.site else ""
    address = safe(article.canonical) or safe(article.url)
    target = f"<ptr{attributes(target=address)}/>" if address else ""
    for sort, other in (("next", article.next_page), ("single", article.single_page)):
        if safe(other):
            target += f"<ptr{attributes(type=sort, target=safe(other))}/>"
    marks = "".join(element("note", text(mark), type="mark") for mark in article.marks)
    publisher = "".join(fields((("publisher", article.site),)))
    source = element("bibl", title + authors + publisher + published + target + marks)
    description = (
        element("titleStmt", title + authors)
        + element(
            "publicationStmt",
            publication + published + modified if publication else "<p>" + published + modified + "</p>",
        )
        + element("sourceDesc", source)
    )
    profile = element("abstract", element("p", text(article.summary))) if article.summary else ""
    if article.language:
        profile += element("langUsage", element("language", text(article.language), ident=article.language))
    terms = "".join(
        element("term", text(word), type=sort)
        for sort, words in (("section", (article.section,)), ("tag", article.tags))
        for word in words
        if word
    )
    if terms:
        profile += element("textClass", element("keywords", terms))
    return element("teiHeader", element("fileDesc", description) + (element("profileDesc", profile) if profile else ""))


def _date(moment: str, sort: str) -> str:
    return element("date", moment, type=sort, when=moment)


def _comment(article: Article, place: int, options: Options) -> str:
    comment = article.comments[place]
    by = "".join(
        fields(
            (
                ("name", comment.author),
                ("date", comment.published_as_stated.isoformat() if comment.published_as_stated else ""),
            )
        )
    )
    inside = _nodes(outline(leaves(Article(blocks=comment.blocks), options)), MarkupStyle(_TEI, options))
    return element("div", (element("ab", by) if by else "") + "\n".join(inside), type="comment")


def _divisions(nodes: Sequence[Node], writing: MarkupStyle) -> list[str]:
    """Return a division for the nodes before the first heading, and one for each heading."""
    divisions: list[list[Node]] = []
    for node in nodes:
        if not divisions or (isinstance(node, Block) and node.kind is Kind.HEADING):
            divisions.append([])
        divisions[-1].append(node)
    return [_division(division, writing) for division in divisions]


def _division(nodes: Sequence[Node], writing: MarkupStyle) -> str:
    first = nodes[0]
    lines = ["<div>"]
    if isinstance(first, Block) and first.kind is Kind.HEADING:
        lines.append(element("head", writing.inlines(first.inlines), rend=f"h{first.level or 1}"))
        nodes = nodes[1:]
    return "\n".join((*lines, *_nodes(nodes, writing), "</div>"))


def _nodes(nodes: Sequence[Node], writing: MarkupStyle) -> list[str]:
    return [markup for node, caption in with_table_captions(nodes) if (markup := _node(node, caption, writing))]


def _node(node: Node, caption: Block | None, writing: MarkupStyle) -> str:
    if isinstance(node, Quote):
        return _quote(node, writing)
    if isinstance(node, Listing):
        items = "\n".join(_entry(entry, node.ordered, writing) for entry in node.entries)
        return element("list", f"\n{items}\n", rend="numbered" if node.ordered else "bulleted")
    if isinstance(node, Pictures):
        title = element("head", writing.inlines(node.head.inlines)) if node.head.inlines else ""
        return element(
            "figure",
            title + "".join(_figure(caption_block, writing) for caption_block in node.captions),
            type="gallery",
        )
    if isinstance(node, Image):
        graphic = _graphic(node, node.caption)
        return element("figure", graphic) if graphic else ""
    return _table(node, caption, writing) if node.kind is Kind.TABLE else _block(node, writing)


def _quote(node: Quote, writing: MarkupStyle) -> str:
    inside = _nodes(node.children, writing)
    if node.head is None:
        return element("quote", "\n" + "\n".join(inside) + "\n")
    title = writing.inlines(node.head.inlines)
    lines = ([element("label", title)] if title else []) + inside
    sort = node.head.label if node.head.kind is Kind.CALLOUT else "details"
    return element("note", "\n" + "\n".join(lines) + "\n", type=node.head.kind.value, subtype=sort)


def _block(block: Block, writing: MarkupStyle) -> str:  # noqa: PLR0911  # one kind each
    inside = writing.inlines(block.inlines, exact=block.kind is Kind.PREFORMATTED)
    if block.kind is Kind.HEADING:  # inside a list or a quote, where TEI has no head
        return element("ab", inside, type="heading", rend=f"h{block.level or 1}")
    if block.kind is Kind.PREFORMATTED:
        return element("ab", inside, type="preformatted", xml__space="preserve", subtype=block.language)
    if block.kind is Kind.FORMULA:
        return element("p", element("formula", text(block.text), notation="TeX", rend="display"))
    if block.kind is Kind.NOTE:
        return element("note", inside, xml__id=writing.name_once(block.label), n=block.label)
    if block.kind is Kind.ATTRIBUTION:
        return element("bibl", inside)
    if block.post is not None:
        when = block.post.published_as_stated.isoformat() if block.post.published_as_stated else ""
        content = "".join(fields((("name", block.post.author),))) + (element("date", when, when=when) if when else "")
        if block.post.reply is not None:
            content += element("ref", f"#{block.post.reply}", type="reply", n=block.post.reply)
        return element("note", content + inside, type="post", n=block.post.number)
    if block.kind is Kind.EMBED and block.embed is not None:
        return _embed(block, block.embed, writing)
    if block.kind is Kind.CAPTION:
        return _figure(block, writing)
    return element("p", inside)


def _embed(block: Block, embed: Embed, writing: MarkupStyle) -> str:
    url = safe(embed.url)
    sort = "_".join(embed.provider.split())
    content = f"<ptr{attributes(target=url, type=sort, mimeType=embed.media_type)}/>" if url else ""
    quoted, credit = quoted_post(block)
    if quoted:
        return element("quote", element("p", writing.inlines(quoted)) + element("bibl", content + text(credit)))
    content += "".join(fields((("title", embed.title), ("name", embed.author))))
    return element("ab", content + writing.inlines(block.inlines), type="embed")


def _figure(block: Block, writing: MarkupStyle) -> str:
    inside = writing.inlines(block.inlines)
    graphic = ""
    if block.image is not None and writing.options.images:
        graphic = _graphic(block.image, "" if inside else block.image.caption)
    return element("figure", graphic + (element("head", inside) if inside else ""))


def _entry(entry: Entry, ordered: bool, writing: MarkupStyle) -> str:
    number = entry.item.number if entry.item is not None and ordered else None
    children = entry.children
    first = children[0] if children else None
    inside = ""
    if isinstance(first, Block) and first.kind is Kind.LIST_ITEM:
        inside = writing.inlines(first.inlines)
        children = children[1:]
    return element("item", "\n".join(filter(None, (inside, *_nodes(children, writing)))), n=number)


def _table(block: Block, caption: Block | None, writing: MarkupStyle) -> str:
    rows = [] if caption is None else [element("head", writing.inlines(caption.inlines))]
    for row in block.rows:
        cells = "".join(
            element(
                "cell",
                writing.inlines(cell.inlines),
                role="label" if cell.header else None,
                cols=cell.colspan if cell.colspan > 1 else None,
                rows=cell.rowspan if cell.rowspan > 1 else None,
            )
            for cell in row
        )
        rows.append(element("row", cells, role="label" if all(cell.header for cell in row) else None))
    return element("table", "\n" + "\n".join(rows) + "\n")


def _graphic(image: Image, caption: str = "") -> str:
    """Return a picture with its alternative text and its caption outside the text."""
    src = safe_picture(image.src)
    if not src:
        return ""
    description = "".join(element("figDesc", text(part)) for part in dict.fromkeys((image.alt, caption)) if part)
    return f"<graphic{attributes(url=src)}/>{description}"
