"""Plain text of blocks, separated by empty lines, with one line per list item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from tidings.article.model.blocks import Block, Embed, Inline, Item, Kind, Post

#: Deeper nesting is shown as this deep, so that indentation cannot outgrow the text. Word processors stop at nine.
MAX_NESTING: Final = 32
_MOST_PARTS: Final = 8192
#: Blocks at the start of a list item without a marker before them, and blocks that begin on the next line.
_UNMARKED: Final = (Kind.PREFORMATTED, Kind.TABLE, Kind.FORMULA)
#: Signs in front of the byline of an embedded post.
_DASHES: Final = "—–- \n"
_CLOSE: Final = (Kind.LIST_ITEM, Kind.NOTE)


def marker(item: Item) -> str:
    """Return the marker of a list item: `- ` or its number."""
    return f"{1 if item.number is None else item.number}. " if item.ordered else "- "


class Line(NamedTuple):
    """A block reduced to its text and list position, for plain-text output."""

    text: str
    kind: Kind
    item: Item | None
    depth: int


def plain(blocks: Iterable[Block | Line]) -> str:
    """Return the plain text of blocks. List items have markers; nested items are indented by two spaces."""
    parts: list[str] = []
    whole: list[str] = []  # of very many blocks, the texts of thousands each
    before: Kind | None = None
    for block in blocks:
        text = block.text
        if not text or text.isspace():
            continue
        kind = block.kind
        if before is not None:
            parts.append("\n" if before is kind and kind in _CLOSE else "\n\n")
        before = kind
        item = block.item
        if item is not None and kind not in _UNMARKED:
            sign = marker(item)
            indent = "  " * (min(block.depth, MAX_NESTING) - 1)
            text = indent + sign + (text.replace("\n", "\n" + indent + " " * len(sign)) if "\n" in text else text)
        parts.append(text)
        if len(parts) > _MOST_PARTS:
            whole.append("".join(parts))
            parts.clear()
    return "".join(whole) + "".join(parts) if whole else "".join(parts)


def with_readings(block: Block) -> Block:
    """Return a block with ruby readings in brackets after the Han characters."""
    if not any(inline.reading for inline in block.inlines):
        return block
    return replace(block, inlines=tuple(map(_read_aloud, block.inlines)))


def _read_aloud(inline: Inline) -> Inline:
    return replace(inline, text=f"{inline.text}({inline.reading})", reading="") if inline.reading else inline


def opens_with(blocks: Sequence[Block], title: str) -> bool:
    """Return whether one of the first three blocks is the title."""
    normalised_title = " ".join(title.split()).casefold()
    first = [block for block in blocks[:4] if block.kind is not Kind.POST][:3]
    return not normalised_title or any(" ".join(block.text.split()).casefold() == normalised_title for block in first)


def signature(post: Post) -> str:
    """Return number, author, time and reply number of a post, on one line."""
    number = "" if post.number is None else f"#{post.number}"
    when = post.published_as_stated.isoformat() if post.published_as_stated else ""
    who = " ".join(f"{number} {post.author}".split())
    return ", ".join(filter(None, (who, when, "" if post.reply is None else f"↩ #{post.reply}")))


def credits_of(embed: Embed) -> str:
    """Return provider, title, author and length of an embed, on one line."""
    length = ""
    if embed.seconds is not None:
        minutes, rest = divmod(max(embed.seconds, 0), 60)
        length = f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
    return ", ".join(filter(None, (embed.provider, embed.title, embed.author, length)))


def quoted_post(block: Block) -> tuple[tuple[Inline, ...], str]:
    """Return the text of an embedded post without its byline, and the line that credits it.

    The byline is the last inline if it is a link to the post. The credit line is the byline with the network; without
    a byline, it contains the credits of the embed.
    """
    embed, inlines = block.embed, block.inlines
    if embed is None:
        return inlines, ""
    if not inlines or not embed.url or inlines[-1].href != embed.url:
        return inlines, credits_of(embed)
    return inlines[:-1], f"{inlines[-1].text.lstrip(_DASHES)}, {embed.provider}"


def signed(block: Block) -> Block:
    """Convert the head of a post to a paragraph; return any other block unchanged."""
    if block.post is None:
        return block
    line = " ".join(filter(None, (signature(block.post), block.text)))
    return Block(Kind.PARAGRAPH, (Inline(line),))
