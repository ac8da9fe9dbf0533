"""From chosen ranges of a page to an article.

Only what was chosen goes in: a block of which half was chosen gives half a block. Everything is asked of columns
and of contexts that are kept, so the time grows with the page and not with its square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tidings import core
from tidings.article.blocks import Block, Image, Inline, Item, Kind, Post, moment_of
from tidings.article.body import blocks_of, body_of
from tidings.article.comment_classes import comment_class
from tidings.article.credits import declared_pictures, with_credit
from tidings.article.direction import BY_LETTERS, direction, runs_rightwards
from tidings.article.model import Article, Comment, Provenance
from tidings.article.places import story_places
from tidings.article.text import plain
from tidings.article.threads import ThreadPost, told_of
from tidings.fields.addresses import absolute, base_of, picture_address
from tidings.page import Page, Spans, invisible
from tidings.text import without_breaks

if TYPE_CHECKING:
    from tidings.fields import Fields, Remark

_AS_THEY_ARE: Final = tuple(
    "title authors published modified language site summary section tags next_page single_page".split()
)
_DECLARED: Final = ("dir", "lang")
#: Behind who chose the text, where the page hides what was chosen and a script is to show it.
UNTIL_A_SCRIPT_RUNS: Final = ", hidden until a script runs"

#: Behind who chose the text, where some of it is hidden and the page's structured data repeats it.
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
    """Return the article that the chosen text of a page makes.

    Args:
        page: the page.
        spans: what was chosen of its text.
        fields: what is known besides the text.
        chosen_by: who chose the text, for the provenance.
        kind: what sort of page it is.
        confidence: how sure the choice is, 0 to 1.
        doubt: why that is low, where it is.
        moved: elements whose text stands below the rest, as a list.
        hidden: what of the chosen text the page hides, and is taken all the same: the page declares it to be the story.
        with_pictures: whether somebody asks for them; a plain text has none.
    """
    if page.cut.is_short:  # what judging so many tags took is free now, and as many blocks come
        core.give_back()
    base = base_of(page)
    shown = page.shown(spans) | hidden if hidden is not None else page.shown(spans)
    places = story_places(page, shown, spans)
    declared = _declared(page, places.declaring) if places.declaring else {}
    posts = told_of(page, fields.posts) if fields is not None and fields.posts else ()
    blocks, images, notes, text = body_of(page, base, shown, places, posts, with_pictures=with_pictures)
    if moved:
        blocks, text = blocks + _list_of(page, base, moved), None
    values: dict[str, Any] = {"blocks": blocks, "images": images, "notes": notes}
    told: dict[str, str] = {}
    if fields is not None:
        values |= _known(page, base, fields, images, posts)
        told = {name: by for name, by in fields.provenance.items() if values.get(name)}
    if "language" not in values and declared.get("lang"):
        values["language"], told["language"] = declared["lang"], "lang attribute"
    if "image" not in values and images:
        values["image"], told["image"] = images[0], "first image of the text"
    if runs_rightwards(page, shown, may_run_leftwards=places.may_run_leftwards):  # most do
        values["direction"], told["direction"] = "ltr", BY_LETTERS
    else:
        texts = (block.text for block in blocks)
        values["direction"], told["direction"] = direction(texts, declared.get("dir", ""), values.get("language", ""))
    if page.url:
        told["url"] = "page"
    if blocks:
        until = UNTIL_A_SCRIPT_RUNS if page.reveals(shown) else ""
        told["body"] = chosen_by + until + (HIDDEN_BUT_DECLARED if hidden is not None else "")
    if images:
        told["images"] = chosen_by
    told |= invisible.provenance(page.removed)
    values["provenance"] = Provenance(told)
    values |= {"url": page.url or "", "kind": kind, "confidence": confidence, "doubt": doubt}
    return Article(**values) if text is None else Article.with_text(text, values)


def assemble_text(page: Page, spans: Spans, posts: Sequence[Remark] = (), hidden: Spans | None = None) -> str:
    """Return the text of the article that `assemble` makes, without making it.

    Args:
        page: the page.
        spans: what was selected of its text.
        posts: those of a forum thread.
        hidden: what of the selected text the page hides, and is taken all the same.
    """
    if page.cut.is_short:
        core.give_back()
    visible = page.shown(spans) | hidden if hidden is not None else page.shown(spans)
    places = story_places(page, visible, spans)
    body = body_of(page, base_of(page), visible, places, told_of(page, posts) if posts else (), with_pictures=False)
    return without_breaks(plain(body.blocks)) if body.text is None else body.text


def _known(
    page: Page, base: str, fields: Fields, images: tuple[Image, ...], posts: Sequence[ThreadPost]
) -> dict[str, Any]:
    """Return the fields that are known besides the text, those that are empty left out."""
    values: dict[str, Any] = {}
    for name in _AS_THEY_ARE:
        if value := getattr(fields, name):
            values[name] = value
    if fields.marks:
        values["marks"] = tuple(sorted(map(str, fields.marks)))
    if fields.canonical and (canonical := picture_address(fields.canonical, base)):
        values["canonical"] = canonical
    lead = picture_address(fields.image, base) if fields.image else None
    if lead:
        shown = next((image for image in images if image.src == lead), None)
        values["image"] = shown or with_credit(Image(lead), declared_pictures(page))
    if comments := remarks(page, base, fields.comments):
        values["comments"] = tuple(map(_classified, comments))
    if threads := remarks(page, base, fields.posts, posts):
        values["posts"] = threads
    return values


def _list_of(page: Page, base: str, elements: Sequence[int]) -> tuple[Block, ...]:
    """Return the texts of elements as a list, each with the address it leads to."""
    found = []
    for element in elements:
        runs = np.arange(page.elements.first[element], page.elements.last[element])
        text = " ".join(page.shown(Spans.of_runs(page, runs)).text(page).split())
        if text:
            href = absolute(page.attributes(element).get("href"), base)
            found.append(Block(Kind.LIST_ITEM, (Inline(text, href),), depth=1, item=Item()))
    return tuple(found)


def remarks(page: Page, base: str, found: Sequence[Remark], posts: Sequence[ThreadPost] = ()) -> tuple[Comment, ...]:
    """Return comments or posts with their texts in blocks; those that say nothing are left out."""
    if not found:
        return ()
    shown = [remark for remark in found if remark.spans is not None]
    texts: dict[int, list[Block]] = {}
    if shown:
        owner = np.full(len(page.runs), -1, np.int64)
        for place, remark in enumerate(shown):
            if remark.spans is not None:
                owner[remark.spans.runs(page)] = place
        said = page.shown(Spans.of_runs(page, owner >= 0))
        told = blocks_of(page, base, said, [remark.element for remark in shown])
        for block, run in zip(told.blocks, told.runs, strict=True):
            last = min(run, len(owner) - 1)  # what is embedded may stand behind all text
            texts.setdefault(owner.item(last), []).append(block)
    places = {id(remark): place for place, remark in enumerate(shown)}
    by_box = {one.element: one.post for one in posts}
    made = []
    for remark in found:
        inside = texts.get(places[id(remark)], []) if id(remark) in places else _paragraphs(remark.text)
        if inside:
            known = by_box.get(remark.element, Post())
            when, precision = moment_of(remark.published)
            made.append(Comment(tuple(inside), remark.author, when, known.number, known.reply, precision))
    return tuple(made)


def _classified(comment: Comment) -> Comment:
    kind = comment_class(comment.blocks, comment.text, is_reply=comment.reply is not None)
    return replace(comment, kind=kind) if kind else comment


def _paragraphs(text: str) -> list[Block]:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [Block(Kind.PARAGRAPH, (Inline(line),)) for line in lines if line]


def _declared(page: Page, around: Sequence[int]) -> dict[str, str]:
    """Return the `dir` and `lang` that hold for all of the chosen text, of elements around it, the innermost first."""
    found: dict[str, str] = {}
    for element in around:
        said = page.attributes(element)
        for name in _DECLARED:
            value = said.get(name)
            if value and value.strip():
                found.setdefault(name, value.strip().lower() if name == "dir" else value.strip().replace("_", "-"))
    return found
