"""GitHub-flavoured Markdown: CommonMark with tables, notes (`[^1]`), callouts (`> [!note]`) and formulas (`$…$`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from tidings.article.formats.characters import legal
from tidings.article.formats.markdown_inline import address, escape, guard_start, line, no_tags, note_name
from tidings.article.formats.options import Options
from tidings.article.formats.outline import Entry, Listing, Node, Pictures, Quote, leaves, noted, outline
from tidings.article.model.article import Article, Comment
from tidings.article.model.blocks import Block, Cell, Embed, Image, Inline, Item, Kind
from tidings.article.model.inlines import style_of
from tidings.article.model.plain_text import opens_with, quoted_post, signature
from tidings.fields.urls.sanitise import safe, safe_picture

_BACKTICKS: Final = re.compile(r"`{3,}")
_NOT_IN_INFO: Final = re.compile(r"[^\w#+.-]")
_CLOSING: Final = re.compile(r"#+\Z")
#: CommonMark 5.2: at most nine digits, no sign.
_MAX_NUMBER: Final = 999_999_999
#: Columns that a cell is spread over at most: a table is as wide as its widest row, not as a hostile `colspan`.
_MAX_SPREAD: Final = 100


class _MarkdownStyle(NamedTuple):
    """The settings for all blocks of an article."""

    options: Options
    notes: frozenset[str] = frozenset()
    has_formulas: bool = False


def as_markdown(article: Article, options: Options) -> str:
    """Return the article as Markdown."""
    formulas = any(inline.formula for block in article.blocks for inline in block.inlines)
    writing = _MarkdownStyle(options, noted(article), formulas)
    parts = [_nodes(outline(leaves(article, options)), writing).removeprefix("---\n\n")]
    if options.headline and not opens_with(article.blocks, article.title):
        parts.insert(0, "# " + escape(" ".join(legal(article.title).split())))
    if options.comments:
        parts += [_comment(comment, writing) for comment in article.comments]
    return "\n\n".join(filter(None, parts))


def _comment(comment: Comment, writing: _MarkdownStyle) -> str:
    when = comment.published_as_stated.isoformat() if comment.published_as_stated else ""
    head = guard_start(escape(legal(", ".join(filter(None, (comment.author, when)))).replace("\n", " ")))
    inside = _nodes(
        outline(leaves(Article(blocks=comment.blocks), writing.options)), writing._replace(notes=frozenset())
    )
    return "---\n\n" + "\n\n".join(filter(None, (head, inside)))


def _nodes(nodes: Sequence[Node], writing: _MarkdownStyle) -> str:
    parts: list[str] = []
    for label, group in groupby(nodes, _label_of):
        if label is None:
            parts += [_node(node, writing) for node in group]
        else:
            inside = "\n\n".join(filter(None, (_node(node, writing) for node in group)))
            parts.append(f"[^{note_name(label)}]: " + inside.replace("\n", "\n    ").replace("\n    \n", "\n\n"))
    return "\n\n".join(filter(None, parts))


def _label_of(node: Node) -> str | None:
    return node.label if isinstance(node, Block) and node.kind is Kind.NOTE else None


def _node(node: Node, writing: _MarkdownStyle) -> str:
    if isinstance(node, Quote):
        return _quote(node, writing)
    if isinstance(node, Listing):
        return _list(node, writing)
    if isinstance(node, Pictures):
        return _gallery(node, writing)
    return _image(node, node.caption) if isinstance(node, Image) else _block(node, writing)


def _gallery(node: Pictures, writing: _MarkdownStyle) -> str:
    """Return a list of pictures, each with its caption, below the title."""
    entries = []
    for caption in node.captions:
        lines = _lines(caption.inlines, writing)
        image = ""
        if caption.image is not None and writing.options.images:
            image = _image(caption.image, "" if lines else caption.image.caption)
        entry_text = "\\\n".join([image, *lines] if image else [guard_start(line) for line in lines])
        if entry_text:
            entries.append("- " + entry_text.replace("\n", "\n  "))
    title = "\\\n".join(guard_start(caption) for caption in _lines(node.head.inlines, writing))
    return "\n\n".join(filter(None, (title, "\n".join(entries))))


def _quote(node: Quote, writing: _MarkdownStyle) -> str:
    inside = _nodes(node.children, writing)
    head = node.head
    if head is not None and head.kind is Kind.DETAILS:
        title = " ".join(_lines(head.inlines, writing))
        return f"<details>\n<summary>{title}</summary>\n\n{inside}\n\n</details>"
    lines = inside.split("\n") if inside else []
    if head is not None:
        title = " ".join(_lines(head.inlines, writing))
        sort = re.sub(r"[^a-z]", "", head.label.lower()) or "note"
        # Leave out a title that only repeats the type of the callout.
        lines = [f"[!{sort}]" + (f" {title}" if title and title.lower().strip(":! ") != sort else ""), *lines]
    return "\n".join("> " + text_line if text_line else ">" for text_line in lines)


def _block(block: Block, writing: _MarkdownStyle) -> str:  # noqa: PLR0911  # one kind each
    if block.kind is Kind.TABLE:
        return _table(block.rows, writing)
    if block.kind is Kind.PREFORMATTED:
        return _fence(block.text, block.language)
    if block.kind is Kind.FORMULA:
        formula_text = "\n".join(text_line for text_line in legal(block.text).split("\n") if text_line.strip()).replace(
            "$$", r"\$\$"
        )
        return f"$$\n{no_tags(formula_text)}\n$$" if formula_text else ""
    if block.kind is Kind.HEADING:
        # Trailing number signs would be read as the closing sequence of the heading.
        content = _CLOSING.sub(lambda match: "\\" + match[0], "<br>".join(_lines(block.inlines, writing)))
        return "#" * min(max(block.level or 1, 1), 6) + " " + content if content else ""
    content = "\\\n".join(guard_start(text_line) for text_line in _lines(block.inlines, writing))
    if block.post is not None:
        return "\n\n".join(
            filter(None, ("---", f"**{escape(' '.join(legal(signature(block.post)).split()))}**", content))
        )
    if block.kind is Kind.EMBED and block.embed is not None:
        return _embed(block, block.embed, writing)
    if block.kind is Kind.ATTRIBUTION:
        return content if content.startswith(("—", "–")) or content.endswith(":") or not content else f"— {content}"
    if block.kind is Kind.CAPTION and block.image is not None and writing.options.images:
        return "\n\n".join(filter(None, (_image(block.image), content)))
    return content


def _embed(block: Block, embed: Embed, writing: _MarkdownStyle) -> str:
    inlines, credit = quoted_post(block)
    caption = escape(" ".join(legal(credit).split()))
    url = safe(embed.url)
    link = f"[{caption}]({address(url)})" if url else caption
    lines = "\\\n".join(guard_start(text_line) for text_line in _lines(inlines, writing)).split("\n")
    if not lines[0]:
        return link
    return "\n".join("> " + text_line if text_line else ">" for text_line in (*lines, "", f"— {link}"))


def _lines(inlines: Sequence[Inline], writing: _MarkdownStyle) -> list[str]:
    """Return the lines of a block, without empty ones, which would end it."""
    rows: list[list[Inline]] = [[]]
    dollars = sum(inline.text.count("$") for inline in inlines if not inline.formula)
    for inline in inlines:
        texts = [inline.text] if inline.formula else legal(inline.text).split("\n")
        for number, text in enumerate(texts):
            if number:
                rows.append([])
            rows[-1].append(Inline(text, *style_of(inline)))
    is_tex = dollars > 1 or (dollars > 0 and writing.has_formulas)
    lines = (line(row, writing.options, writing.notes, dollars=is_tex).strip() for row in rows)
    return [content_line for content_line in lines if content_line]


def _list(listing: Listing, writing: _MarkdownStyle) -> str:
    items = [_entry(entry, writing, listing.ordered) for entry in listing.entries]
    parts: list[str] = []
    for place, (item, tight) in enumerate(items):
        if place:
            parts.append("\n" if tight and items[place - 1][1] else "\n\n")
        parts.append(item)
    return "".join(parts)


def _entry(entry: Entry, writing: _MarkdownStyle, ordered: bool) -> tuple[str, bool]:
    """Return an item, and whether it is tight (needs no empty line around it)."""
    sign = _sign(entry.item, ordered)
    first, rest = entry.children[:1], entry.children[1:]
    tight = all(isinstance(child, Listing) and _interrupts(child) for child in rest)
    inside = ("\n" if tight else "\n\n").join(filter(None, (_nodes(first, writing), _nodes(rest, writing))))
    indent = " " * len(sign)
    return sign + "\n".join(indent + item_line if item_line else "" for item_line in inside.split("\n")).strip(
        " "
    ), tight


def _interrupts(listing: Listing) -> bool:
    """Return whether a list may follow a line of text without an empty line (CommonMark 5.2: only if it starts at
    1).
    """
    return not listing.ordered or _sign(listing.entries[0].item, ordered=True) == "1. "


def _sign(item: Item | None, ordered: bool) -> str:
    if not ordered:
        return "- "
    number = item.number if item is not None and item.number is not None else 1
    return f"{min(max(number, 0), _MAX_NUMBER)}. "


def _fence(text: str, language: str = "") -> str:
    content = legal(text)
    longest = max((len(run) for run in _BACKTICKS.findall(content)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{_NOT_IN_INFO.sub('', language)}\n{content}\n{fence}"


def _image(image: Image, caption: str = "") -> str:
    """Return a picture; a caption outside the text becomes its title."""
    src = safe_picture(image.src)
    alt, title_text = (escape(" ".join(legal(raw).split())) for raw in (image.alt, caption))
    title = ' "' + title_text.replace('"', '\\"') + '"' if title_text else ""
    return f"![{alt}]({address(src)}{title})" if src else ""


def _table(rows: Sequence[Sequence[Cell]], writing: _MarkdownStyle) -> str:
    """Return a table. The first row is the header if all its cells are; otherwise the header is empty."""
    grid = [[_cell(cell, writing) for cell in row] for row in _grid(rows)]
    if not grid:
        return ""
    width = max(map(len, grid))
    headed = all(cell.header for cell in rows[0])
    head, body = (grid[0], grid[1:]) if headed else ([], grid)
    head = head + [""] * (width - len(head))
    return "\n".join(_row(row) for row in (head, ["---"] * width, *body))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(cell: Cell | None, writing: _MarkdownStyle) -> str:
    return "<br>".join(_lines(cell.inlines, writing)).replace("|", "\\|") if cell is not None else ""


def _grid(rows: Sequence[Sequence[Cell]]) -> Iterator[list[Cell | None]]:
    """Yield the rows of a table with a cell per column: cells that span several columns or rows leave the others
    empty.
    """
    widest = min(max(map(len, rows), default=0), _MAX_SPREAD)
    below: dict[int, int] = {}  # for how many more rows a column is taken from above
    for row in rows:
        placed: list[Cell | None] = []
        covered = below
        below = {column: rows_left - 1 for column, rows_left in covered.items() if rows_left > 1}
        for cell in row:
            while len(placed) in covered:
                placed.append(None)
            span = max(1, min(cell.colspan, widest))
            if cell.rowspan > 1:
                below |= {len(placed) + offset: cell.rowspan - 1 for offset in range(span)}
            placed += [cell, *[None] * (span - 1)]
        yield placed
