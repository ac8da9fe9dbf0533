"""Inlines as elements, shared by HTML, XML and TEI."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import NamedTuple

from tidings.article.formats.characters import legal
from tidings.article.formats.options import Options
from tidings.article.model.blocks import Inline
from tidings.fields.urls.sanitise import safe


@dataclass(frozen=True, slots=True)
class Dialect:
    """Start and end markup of each kind of formatting."""

    strong: tuple[str, str]
    emphasis: tuple[str, str]
    code: tuple[str, str]
    superscript: tuple[str, str]
    subscript: tuple[str, str]
    link: tuple[str, str]  # the first with {} for the URL, quotes included
    line_break: str
    inserted: tuple[str, str]
    deleted: tuple[str, str]
    formula: Callable[[str], str]  # returns the markup of a formula in LaTeX
    note: tuple[str, str]  # the first with {} for the name of the note, quotes included
    abbreviation: tuple[str, str]  # with {} for the expansion; quotes included if it is an attribute

    def inlines(
        self, inlines: Iterable[Inline], options: Options, *, exact: bool = False, notes: Container[str] = ()
    ) -> str:
        """Return the inlines (formatted pieces of text) of a block as markup.

        Args:
            inlines: the inlines.
            options: the options of the rendering.
            exact: whether line feeds stay, instead of becoming line breaks.
            notes: the labels of notes that references can link to.
        """
        parts: list[str] = []
        for href, group in groupby(
            inlines, lambda inline: safe(inline.href) if options.links and inline.note not in notes else None
        ):
            inside = "".join(self._inline(inline, options, exact, notes) for inline in group)
            parts.append(self.link[0].format(attribute(href)) + inside + self.link[1] if href else inside)
        return "".join(parts)

    def _inline(self, inline: Inline, options: Options, exact: bool, notes: Container[str]) -> str:
        markup = text(f"{inline.text}({inline.reading})" if inline.reading and options.readings else inline.text)
        if not exact:
            markup = markup.replace("\n", self.line_break)
        if options.formatting:
            if inline.expansion:
                expansion = attribute(inline.expansion) if "={}" in self.abbreviation[0] else text(inline.expansion)
                markup = self.abbreviation[0].format(expansion) + markup + self.abbreviation[1].format(expansion)
            for name in ("code", "deleted", "inserted", "subscript", "superscript", "emphasis", "strong"):
                if getattr(inline, name):
                    before, behind = getattr(self, name)
                    markup = before + markup + behind
        if inline.formula:
            markup = self.formula(inline.text)
        if inline.note and inline.note in notes:
            markup = self.note[0].format(attribute("#" + note_id(inline.note))) + markup + self.note[1]
        return markup


class MarkupStyle(NamedTuple):
    """The settings for all blocks of an article."""

    dialect: Dialect
    options: Options
    notes: frozenset[str] = frozenset()
    used_ids: set[str] | None = None  # ids of notes that are already in the document

    def name_once(self, label: str) -> str | None:
        """Return the HTML id for the note with a label, and mark the id as used; None if the document already has this
        id.
        """
        name = note_id(label)
        if self.used_ids is None or name in self.used_ids:
            return None
        self.used_ids.add(name)
        return name

    def inlines(self, inlines: tuple[Inline, ...], *, exact: bool = False) -> str:
        """Return the inlines (formatted pieces of text) of a block as markup."""
        return self.dialect.inlines(inlines, self.options, exact=exact, notes=self.notes)


def note_id(label: str) -> str:
    """Return the id of a note in a document."""
    return "note-" + re.sub(r"[^\w-]", "_", legal(label))


def text(value: str) -> str:
    """Return escaped text for element content."""
    return escape(legal(value), quote=False)


def attribute(value: str) -> str:
    """Return the value of an attribute, with its quotes."""
    return '"' + escape(legal(value)).replace("\n", "&#10;").replace("\t", "&#9;") + '"'


def attributes(**values: str | int | bool | None) -> str:
    """Return attributes with a space before each, without those that are None, empty or False."""
    by_name = {_spelled(name): value for name, value in values.items()}
    return "".join(
        f" {name}={attribute('true' if value is True else str(value))}"
        for name, value in by_name.items()
        if value is not None and value is not False and value != ""
    )


def _spelled(name: str) -> str:
    """Return the markup name of an argument: `xml__lang` is xml:lang, `data_…` is data-…, and a final `_` is
    dropped.
    """
    return name.rstrip("_").replace("__", ":").replace("data_", "data-")


def element(name: str, content: str, **values: str | int | bool | None) -> str:
    """Return an element with its content, already escaped."""
    return f"<{name}{attributes(**values)}>{content}</{name}>"


def fields(values: Iterable[tuple[str, str]]) -> list[str]:
    """Return elements for the non-empty values."""
    return [element(name, text(value)) for name, value in values if value]
