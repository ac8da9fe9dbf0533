"""Embedded posts of social networks: a quote with author and link, or only the link if the post is not selected."""

from __future__ import annotations

from typing import Final

from tidings.article.model.blocks import Block, Embed, Inline, Kind
from tidings.article.units.places import HALF
from tidings.article.units.units import FoundUnits, attributes_of, inside, tag_of, text_of
from tidings.fields.embedded_posts import EmbeddedPost, embedded_posts
from tidings.fields.urls.sanitise import absolute, safe
from tidings.page import Page, Spans
from tidings.text.patterns import late_pattern

#: The byline of a post, its last line: a name with a user name, or only a user name.
_SIGNED: Final = late_pattern(
    r"(?:\A(?:A post shared by |Post by )?|[—–-]\s?)(?P<name>[^()—–\n]{1,80}?)\s?"
    r"\((?P<user>@[\w.@-]{1,60})\)[^()\n]{0,40}\Z"
)
_BY_USER: Final = late_pattern(r"\A(?:A post shared by|Post by|by) (?P<user>(?:u/|@)[\w.@-]{1,60})")
#: A user name in the text of a post without a byline.
_USER: Final = late_pattern(r"(?<![\w@])(?:u/|@)[\w.-]{1,60}")
_WITHOUT_BYLINE: Final = frozenset(("TikTok", "Reddit"))
#: The paths of posts.
_POST_PATH: Final = late_pattern(r"/(?:status|comments|post|posts|p|reel|video|videos)/|/@[^/]+/\d")
_LONGEST_BYLINE: Final = 160
_LINKED_ADDRESSES: Final = ("cite", "data-instgrm-permalink", "data-text-post-permalink", "data-embed-url")


def posts_by_element(page: Page) -> dict[int, EmbeddedPost]:
    """Return the embedded posts of a page by their element."""
    return {post.element: post for post in embedded_posts(page)}


def add_post(units: FoundUnits, post: EmbeddedPost) -> None:
    """Replace the markup of a post by one block. Without selected text, it is a link between selected texts."""
    first, last = post.first, post.last
    is_selected = _is_selected(units, post)
    if not (is_selected or _is_beside(units, first, last)):
        return
    lines = _lines(units.page, post)
    byline = lines[-1] if lines and _is_byline(units.page, post, lines[-1]) else ""
    embed = Embed(post.network, _url(units, post.element), _author(units.page, post, byline))
    if not is_selected:
        units.leave(first, last)
        units.inserted.append((first, Block(Kind.EMBED, (), embed=embed)))
        return
    text = "\n".join(lines[:-1] if byline else lines)
    inlines = [Inline(text)] if text else []
    if byline:
        inlines.append(Inline(f"\n{byline}" if text else byline, embed.url or None))
    units.becomes(first, last, Block(Kind.EMBED, tuple(inlines), embed=embed))
    units.flat.add(first)


def _is_selected(units: FoundUnits, post: EmbeddedPost) -> bool:
    """Return whether half of the words of a post are selected."""
    words = units.page.runs.words[list(post.text)]
    selected = units.chosen[list(post.text)]
    return bool(selected.any()) and int(words[selected].sum()) >= HALF * int(words.sum())


def _is_beside(units: FoundUnits, first: int, last: int) -> bool:
    before, behind = first - 1, last
    return (
        before >= 0 and bool(units.chosen[before]) and behind < len(units.chosen) and bool(units.chosen[behind:].any())
    )


def _lines(page: Page, post: EmbeddedPost) -> list[str]:
    """Return the visible lines of a post."""
    if post.network == "Reddit":  # whose embed code has no space between a word and a link
        runs = page.runs
        pieces: dict[int, list[str]] = {}
        for run in post.text:
            piece = page.text[runs.text_start.item(run) : runs.text_end.item(run)]
            pieces.setdefault(runs.block.item(run), []).append(piece)
        text = "\n".join(map(" ".join, pieces.values()))
    else:
        text = Spans.of_runs(page, list(post.text)).text(page)
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def _is_byline(page: Page, post: EmbeddedPost, line: str) -> bool:
    """Return whether the last line of a post is its byline: signed, or text with a link outside its paragraphs."""
    if len(line) > _LONGEST_BYLINE:
        return False
    if _SIGNED.search(line) or _BY_USER.search(line):
        return True
    runs = page.runs
    own = [run for run in post.text if runs.block.item(run) == runs.block.item(post.text[-1])]
    return runs.element.item(own[0]) == post.element and any(runs.in_link.item(run) for run in own)


def _author(page: Page, post: EmbeddedPost, byline: str) -> str:
    """Return name and user name of a post's author; empty if unknown."""
    if match := _SIGNED.search(byline):
        return f"{match['name'].strip()} ({match['user']})"
    if match := _BY_USER.search(byline):
        return match["user"]
    if post.network in _WITHOUT_BYLINE and (match := _USER.search(" ".join(_lines(page, post)))):
        return match[0]
    links = (text_of(page, link) for link in inside(page, post.element) if tag_of(page, link) == "a")
    return next((name for name in links if name and name in byline), "") if byline else ""


def _url(units: FoundUnits, element: int) -> str:
    """Return the URL of a post: the declared one, or the last link to a page; empty if there is none."""
    page = units.page
    values = attributes_of(page, element)
    url = next((values[name] for name in _LINKED_ADDRESSES if values.get(name, "").startswith("http")), "")
    if not url:
        links = [link for link in inside(page, element) if tag_of(page, link) == "a"]
        addresses = [attributes_of(page, link).get("href", "") for link in reversed(links)]
        of_posts = (address for address in addresses if _POST_PATH.search(address))
        url = next(of_posts, "") or next((address for address in addresses if "/" in address), "")
    return (safe(absolute(url, units.base)) or "") if url else ""
