"""Apply the options to an article: select its parts, and decide whether a filter removes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from tidings.article import Article, Block, Inline, Kind
from tidings.fields.embedded_posts import NETWORKS
from tidings.options.model import DEFAULT, ExtractOptions
from tidings.urls import URL

#: The beginning of `Article.doubt` of an article that a filter refuses.
LEFT_OUT: Final = "left out: "
#: Options that change what an article contains.
_CONTENTS: Final = ("links", "images", "tables", "comments", "formatting", "deduplicate")
#: Shorter repetitions are no copies.
_LEAST_REPEATED: Final = 3
#: Formatting of inlines. Insertions and deletions say something about the text.
_MARKS: Final = ("strong", "emphasis", "code", "superscript", "subscript")
_HEADS: Final = (Kind.CALLOUT, Kind.DETAILS, Kind.POST, Kind.GALLERY)


def reason_before(options: ExtractOptions, size: int, url: str) -> str:
    """Return why a page is left out before it is extracted; empty if it is not.

    Args:
        options: the options.
        size: the length of its HTML, in characters.
        url: its URL; empty if unknown.
    """
    if size < options.min_page_size:
        return f"the page has less than {options.min_page_size:,} characters"
    if options.max_page_size is not None and size > options.max_page_size:
        return f"the page has more than {options.max_page_size:,} characters"
    return "the URL is on the blacklist" if url and _is_listed(url, options.url_blacklist) else ""


def left_out(article: Article, reason: str) -> Article:
    """Return the article without text, with the reason in `doubt`."""
    return replace(
        article, blocks=(), images=(), notes=(), comments=(), posts=(), image=None, doubt=f"{LEFT_OUT}{reason}"
    )


def with_options(article: Article, options: ExtractOptions) -> Article:
    """Return the article with the contents that the options ask for, or without text if a filter refuses it."""
    if reason := _reason(article, options):
        return left_out(article, reason)
    return _with_contents(article, options)


def _reason(article: Article, options: ExtractOptions) -> str:  # noqa: PLR0911  # one filter each
    if options.languages and article.language.partition("-")[0].lower() not in options.languages:
        return "in another language"
    if options.with_metadata_only and not (article.title and article.address and article.published):
        return "without title, URL or date"
    authors = {name.casefold() for name in article.authors}
    if not authors.isdisjoint(name.casefold() for name in options.author_blacklist):
        return "the author is on the blacklist"
    if options.url_blacklist and any(
        url and _is_listed(url, options.url_blacklist) for url in (article.url, article.canonical)
    ):
        return "the URL is on the blacklist"
    if len(article.text) < options.min_text_length:
        return f"the text has less than {options.min_text_length:,} characters"
    if options.max_text_length is not None and len(article.text) > options.max_text_length:
        return f"the text has more than {options.max_text_length:,} characters"
    return ""


def _is_listed(url: str, entries: tuple[str, ...]) -> bool:
    """Return whether a URL is listed: the same URL without its fragment and final slash, or a page of a listed host."""
    parts = URL.try_parse(url)
    host = parts.host if parts is not None else ""
    plain = _plain(url)
    return any(
        _plain(entry) == plain or ("/" not in entry and (host == entry.lower() or host.endswith(f".{entry.lower()}")))
        for entry in entries
    )


def _plain(url: str) -> str:
    return url.partition("#")[0].rstrip("/")


def _with_contents(article: Article, options: ExtractOptions) -> Article:
    changes: dict[str, Any] = {}
    if any(getattr(options, name) != getattr(DEFAULT, name) for name in _CONTENTS) or options.embedded_posts == "drop":
        changes["blocks"] = tuple(_blocks(article.blocks, options))
        if len(changes["blocks"]) != len(article.blocks):
            changes["images"] = _placed(article, changes["blocks"])
        changes["notes"] = tuple(_blocks(article.notes, options))
    if not options.images:
        changes |= {"images": (), "image": None}
    if not options.comments:
        changes["comments"] = ()
    return replace(article, **changes) if changes else article


def _placed(article: Article, blocks: tuple[Block, ...]) -> tuple[Any, ...]:
    """Return the pictures with their positions among fewer blocks."""
    return tuple(
        image if image.place is None else replace(image, place=min(image.place, len(blocks)))
        for image in article.images
    )


def _blocks(blocks: tuple[Block, ...], options: ExtractOptions) -> Iterator[Block]:
    texts: set[str] = set()
    for block in blocks:
        if not options.tables and block.kind is Kind.TABLE:
            continue
        if options.embedded_posts == "drop" and block.embed is not None and block.embed.provider in NETWORKS:
            continue
        if options.deduplicate and block.kind not in _HEADS and len(block.words) >= _LEAST_REPEATED:
            text = " ".join(block.words).casefold()
            if text in texts:
                continue
            texts.add(text)
        yield _changed(block, options)


def _changed(block: Block, options: ExtractOptions) -> Block:
    changes: dict[str, Any] = {}
    if not (options.links and options.formatting):
        changes["inlines"] = tuple(_inline(inline, options) for inline in block.inlines)
        if block.rows:
            changes["rows"] = tuple(
                tuple(replace(cell, inlines=tuple(_inline(inline, options) for inline in cell.inlines)) for cell in row)
                for row in block.rows
            )
    if not options.images and block.image is not None:
        changes["image"] = None
    return replace(block, **changes) if changes else block


def _inline(inline: Inline, options: ExtractOptions) -> Inline:
    changes: dict[str, Any] = {} if options.links else {"href": None}
    if not options.formatting:
        changes |= dict.fromkeys(_MARKS, False)
    return replace(inline, **changes)
