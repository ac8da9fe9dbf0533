"""Assemble an article from the selected ranges of a page.

Only selected text enters the article: if half of a block is selected, the article has half a block. All lookups use the
page's columns and memoised values, so the running time is linear in the size of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tidings import core
from tidings.article.blocks.body import blocks_of, body_of, text_of
from tidings.article.comment_classes import comment_class
from tidings.article.direction import BY_LETTERS, direction, runs_rightwards
from tidings.article.model.article import Article, Comment, Provenance
from tidings.article.model.blocks import Block, Image, Inline, Item, Kind, Post, moment_of
from tidings.article.pictures.credits import declared_pictures, with_credit
from tidings.article.units.places import story_places
from tidings.article.units.threads import ThreadPost, thread_posts
from tidings.fields.urls.sanitise import absolute, base_of, picture_address
from tidings.page import Page, Spans, invisible

if TYPE_CHECKING:
    from tidings.fields import Fields, Remark

_COPIED_FIELDS: Final = tuple(
    "title authors published modified language site summary section tags next_page single_page".split()
)
_DECLARED: Final = ("dir", "lang")
#: Suffix of the body's provenance if the page hides the selected text until a script runs.
UNTIL_A_SCRIPT_RUNS: Final = ", hidden until a script runs"

#: Suffix of the body's provenance if parts of the text are hidden and confirmed by `articleBody` in JSON-LD.
HIDDEN_BUT_DECLARED: Final = ", partly hidden, as json-ld articleBody has it"


def assemble(
    page: Page,
    spans: Spans,
    fields: Fields | None = None,
    *,
    chosen_by: str = "spans",
    kind: str = "article",
    confidence: float | None = None,
    doubt: str = "",
    moved: Sequence[int] = (),
    hidden: Spans | None = None,
    with_pictures: bool = True,
) -> Article:
    """Return the article for the selected ranges of a page.

    Args:
        page: the page.
        spans: the selected text.
        fields: title, authors, dates and the other fields; None for an article with text only.
        chosen_by: name of the extractor, for the provenance of the body.
        kind: the page kind.
        confidence: confidence in the selection, 0 to 1.
        doubt: the reason for a low confidence.
        moved: elements whose text the page shows below the rest, as a list of links.
        hidden: selected text that the page hides but declares as part of the story.
        with_pictures: whether to look for pictures; plain text needs none.
    """
    if page.cut.is_short:  # return freed memory to the system before the blocks are allocated
        core.give_back()
    base = base_of(page)
    visible = page.shown(spans) | hidden if hidden is not None else page.shown(spans)
    places = story_places(page, visible, spans)
    declared = _declared(page, places.declaring) if places.declaring else {}
    posts = thread_posts(page, fields.posts) if fields is not None and fields.posts else ()
    blocks, images, notes, text = body_of(page, base, visible, places, posts, with_pictures=with_pictures)
    if moved:
        blocks, text = blocks + _list_of(page, base, moved), None
    values: dict[str, Any] = {"blocks": blocks, "images": images, "notes": notes}
    sources: dict[str, str] = {}
    if fields is not None:
        values |= _field_values(page, base, fields, images, posts)
        sources = {name: by for name, by in fields.provenance.items() if values.get(name)}
    if "language" not in values and declared.get("lang"):
        values["language"], sources["language"] = declared["lang"], "lang attribute"
    if "image" not in values and images:
        values["image"], sources["image"] = images[0], "first image of the text"
    if runs_rightwards(page, visible, may_run_leftwards=places.may_run_leftwards):  # most do
        values["direction"], sources["direction"] = "ltr", BY_LETTERS
    else:
        texts = (block.text for block in blocks)
        values["direction"], sources["direction"] = direction(
            texts, declared.get("dir", ""), values.get("language", "")
        )
    if page.url:
        sources["url"] = "page"
    if blocks:
        until = UNTIL_A_SCRIPT_RUNS if page.reveals(visible) else ""
        sources["body"] = chosen_by + until + (HIDDEN_BUT_DECLARED if hidden is not None else "")
    if images:
        sources["images"] = chosen_by
    sources |= invisible.provenance(page.removed)
    values["provenance"] = Provenance(sources)
    values |= {"url": page.url or "", "kind": kind, "confidence": confidence, "doubt": doubt}
    return Article(**values) if text is None else Article.with_text(text, values)


def assemble_text(page: Page, spans: Spans, posts: Sequence[Remark] = (), hidden: Spans | None = None) -> str:
    """Return the text of the article that `assemble` would return, without building the article.

    Args:
        page: the page.
        spans: the selected text.
        posts: the posts of a forum thread.
        hidden: selected text that the page hides but declares as part of the story.
    """
    if page.cut.is_short:
        core.give_back()
    visible = page.shown(spans) | hidden if hidden is not None else page.shown(spans)
    places = story_places(page, visible, spans)
    return text_of(page, base_of(page), visible, places, thread_posts(page, posts) if posts else ())


def _field_values(
    page: Page, base: str, fields: Fields, images: tuple[Image, ...], posts: Sequence[ThreadPost]
) -> dict[str, Any]:
    """Return the non-empty fields of the article other than its text."""
    values: dict[str, Any] = {}
    for name in _COPIED_FIELDS:
        if value := getattr(fields, name):
            values[name] = value
    if fields.marks:
        values["marks"] = tuple(sorted(map(str, fields.marks)))
    if fields.canonical and (canonical := picture_address(fields.canonical, base)):
        values["canonical"] = canonical
    lead = picture_address(fields.image, base) if fields.image else None
    if lead:
        in_text = next((image for image in images if image.src == lead), None)
        values["image"] = in_text or with_credit(Image(lead), declared_pictures(page))
    if comments := remarks(page, base, fields.comments):
        values["comments"] = tuple(map(_with_kind, comments))
    if threads := remarks(page, base, fields.posts, posts):
        values["posts"] = threads
    return values


def _list_of(page: Page, base: str, elements: Sequence[int]) -> tuple[Block, ...]:
    """Return a list block with an item for each element: its text, linked where the element has a link."""
    items = []
    for element in elements:
        runs = np.arange(page.elements.first[element], page.elements.last[element])
        text = " ".join(page.shown(Spans.of_runs(page, runs)).text(page).split())
        if text:
            href = absolute(page.attributes(element).get("href"), base)
            items.append(Block(Kind.LIST_ITEM, (Inline(text, href),), depth=1, item=Item()))
    return tuple(items)


def remarks(page: Page, base: str, entries: Sequence[Remark], posts: Sequence[ThreadPost] = ()) -> tuple[Comment, ...]:
    """Return comments or posts with their texts as blocks, without empty ones."""
    if not entries:
        return ()
    located = [remark for remark in entries if remark.spans is not None]
    texts: dict[int, list[Block]] = {}
    if located:
        owner = np.full(len(page.runs), -1, np.int64)
        for place, remark in enumerate(located):
            if remark.spans is not None:
                owner[remark.spans.runs(page)] = place
        visible = page.shown(Spans.of_runs(page, owner >= 0))
        made_blocks = blocks_of(page, base, visible, [remark.element for remark in located])
        for block, run in zip(made_blocks.blocks, made_blocks.runs, strict=True):
            last = min(run, len(owner) - 1)  # embeds may come after all text
            texts.setdefault(owner.item(last), []).append(block)
    places = {id(remark): place for place, remark in enumerate(located)}
    by_box = {thread_post.element: thread_post.post for thread_post in posts}
    comments = []
    for remark in entries:
        blocks = texts.get(places[id(remark)], []) if id(remark) in places else _paragraphs(remark.text)
        if blocks:
            post = by_box.get(remark.element, Post())
            when, precision = moment_of(remark.published)
            comments.append(Comment(tuple(blocks), remark.author, when, post.number, post.reply, precision))
    return tuple(comments)


def _with_kind(comment: Comment) -> Comment:
    kind = comment_class(comment.blocks, comment.text, is_reply=comment.reply is not None)
    return replace(comment, kind=kind) if kind else comment


def _paragraphs(text: str) -> list[Block]:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [Block(Kind.PARAGRAPH, (Inline(line),)) for line in lines if line]


def _declared(page: Page, elements: Sequence[int]) -> dict[str, str]:
    """Return the `dir` and `lang` of the elements around the selected text; inner elements take precedence."""
    values: dict[str, str] = {}
    for element in elements:
        attributes = page.attributes(element)
        for name in _DECLARED:
            value = attributes.get(name)
            if value and value.strip():
                values.setdefault(name, value.strip().lower() if name == "dir" else value.strip().replace("_", "-"))
    return values
