"""From chosen ranges of a page to an article.

Only what was chosen goes in: a block of which half was chosen gives half a block. Everything is asked of columns
and of contexts that are kept, so the time grows with the page and not with its square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tidings.article.blocks import Block, Image, Inline, Item, Kind
from tidings.article.building import Building
from tidings.article.direction import BY_LETTERS, direction, runs_rightwards
from tidings.article.few import hold
from tidings.article.model import Article, Comment, Direction, Provenance
from tidings.article.plain import Said, plain
from tidings.fields.addresses import absolute, base_of, safe_picture
from tidings.page import Page, Spans

if TYPE_CHECKING:
    from tidings.fields import Fields, Remark

_AS_THEY_ARE: Final = tuple(
    "title authors published modified language site summary section tags next_page single_page".split()
)
#: Behind who chose the text, where the page hides what was chosen and a script is to show it.
UNTIL_A_SCRIPT_RUNS: Final = ", hidden until a script runs"
#: What is made when somebody asks for it.
_LATE: Final = ("blocks", "images", "image", "comments", "posts", "provenance")


def assemble(
    page: Page,
    spans: Spans,
    fields: Fields | None = None,
    *,
    chosen_by: str = "spans",
    kind: str = "article",
    confidence: float | None = None,
    moved: Sequence[int] = (),
) -> Article:
    """The article that the chosen text of a page makes.

    Args:
        page: the page.
        spans: what was chosen of its text.
        fields: what is known besides the text.
        chosen_by: who chose the text, for the provenance.
        kind: what sort of page it is.
        confidence: how sure the choice is, 0 to 1.
        moved: elements whose text stands below the rest, as a list.
    """
    base = base_of(page)
    declared = _declared(page, spans)
    told: dict[str, str] = {}
    values: dict[str, Any] = {}
    if fields is not None:
        values = {name: value for name in _AS_THEY_ARE if (value := getattr(fields, name))}
        if fields.marks:
            values["marks"] = tuple(sorted(map(str, fields.marks)))
        if canonical := safe_picture(absolute(fields.canonical, base)) if fields.canonical else "":
            values["canonical"] = canonical
        told = {name: by for name, by in fields.provenance.items() if name in values or name in _LATE}
    if "language" not in values and declared.get("lang"):
        values["language"], told["language"] = declared["lang"], "lang attribute"
    body = _PageBody(page, base, page.shown(spans), fields, chosen_by, told, _list_of(page, base, moved))
    values["direction"], told["direction"] = body.direction(declared.get("dir", ""), values.get("language", ""))
    article = Article(url=page.url or "", kind=kind, confidence=confidence, **values)
    return hold(article.with_late(body, _LATE))


@dataclass(slots=True, eq=False)
class _PageBody:
    """What was chosen of a page: its text now, its blocks and all that hangs on them when somebody asks."""

    page: Page
    base: str
    shown: Spans  # what was chosen of what a reader sees
    known: Fields | None
    chosen_by: str
    told: dict[str, str]  # where the fields are from
    below: tuple[Block, ...] = ()  # what follows the rest
    said: Sequence[Block | Said] | None = None  # when it was asked for

    def _built(self) -> Building:
        """Another one whenever it is asked for: two threads may ask."""
        return Building(self.page, self.base, self.shown)

    def _said(self) -> Sequence[Block | Said]:
        if self.said is None:
            self.said = [*self._built().texts(), *self.below]
        return self.said

    def direction(self, declared: str, language: str) -> tuple[Direction, str]:
        """Which way the text runs, and what told it."""
        text = self.page.text
        if runs_rightwards([text[start:end] for start, end in self.shown]):
            return "ltr", BY_LETTERS
        return direction((block.text for block in self._said()), declared, language)

    @property
    def text(self) -> str:
        """The whole text."""
        return plain(self._said())

    def fields(self) -> dict[str, Any]:
        """The fields of the article that are made late."""
        blocks, images = self._built().result()
        blocks += self.below
        values: dict[str, Any] = {"blocks": blocks, "images": images, "image": None, "comments": (), "posts": ()}
        told = self.told.copy()
        direction_by = told.pop("direction")
        if self.known is not None:
            lead = safe_picture(absolute(self.known.image, self.base)) if self.known.image else None
            values["image"] = _lead(lead, images)
            values["comments"] = remarks(self.page, self.base, self.known.comments)
            values["posts"] = remarks(self.page, self.base, self.known.posts)
            told = {name: by for name, by in told.items() if name not in values or values[name]}
        if not values["image"] and images:
            values["image"], told["image"] = images[0], "first image of the text"
        told["direction"] = direction_by
        body_by = self.chosen_by
        if len(self.shown & self.page.revealed):
            body_by += UNTIL_A_SCRIPT_RUNS
        known = {"url": ("page", self.page.url), "body": (body_by, blocks), "images": (self.chosen_by, images)}
        told |= {name: by for name, (by, value) in known.items() if value}
        values["provenance"] = Provenance(told)
        return values


def _list_of(page: Page, base: str, elements: Sequence[int]) -> tuple[Block, ...]:
    """The texts of elements as a list, each with the address it leads to."""
    found = []
    for element in elements:
        runs = np.arange(page.elements.first[element], page.elements.last[element])
        text = " ".join(page.shown(Spans.of_runs(page, runs)).text(page).split())
        if text:
            href = absolute(page.attributes(element).get("href"), base)
            found.append(Block(Kind.LIST_ITEM, (Inline(text, href),), depth=1, item=Item()))
    return tuple(found)


def remarks(page: Page, base: str, found: Sequence[Remark]) -> tuple[Comment, ...]:
    """Comments or posts with their texts in blocks; those that say nothing are left out."""
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
        for block, piece in Building(page, base, said, [remark.element for remark in shown]).made():
            texts.setdefault(int(owner[piece.run]), []).append(block)
    places = {id(remark): place for place, remark in enumerate(shown)}
    made = []
    for remark in found:
        inside = texts.get(places[id(remark)], []) if id(remark) in places else _paragraphs(remark.text)
        if inside:
            made.append(Comment(tuple(inside), remark.author, remark.published))
    return tuple(made)


def _paragraphs(text: str) -> list[Block]:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [Block(Kind.PARAGRAPH, (Inline(line),)) for line in lines if line]


def _lead(src: str | None, images: tuple[Image, ...]) -> Image | None:
    return next((image for image in images if image.src == src), Image(src)) if src else None


def _declared(page: Page, spans: Spans) -> dict[str, str]:
    """The `dir` and `lang` that hold for all of the chosen text."""
    chosen = np.flatnonzero(spans.runs(page))
    if not len(chosen):
        return {}
    elements = page.elements
    element, last = int(page.runs.element[chosen[0]]), int(chosen[-1])
    found: dict[str, str] = {}
    while element > 0:
        if elements.last[element] > last:
            attributes = page.attributes(element)
            for name, value in (("dir", attributes.get("dir")), ("lang", attributes.get("lang"))):
                if value and value.strip():
                    found.setdefault(name, value.strip().lower() if name == "dir" else value.strip().replace("_", "-"))
        element = int(elements.parent[element])
    return found
