"""Inlines as elements: what HTML, XML and TEI have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import NamedTuple

from tidings.article.blocks import Inline
from tidings.article.characters import legal
from tidings.article.options import Options
from tidings.fields.addresses import safe


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a markup writes formatting: what stands before and behind."""

    strong: tuple[str, str]
    emphasis: tuple[str, str]
    code: tuple[str, str]
    superscript: tuple[str, str]
    subscript: tuple[str, str]
    link: tuple[str, str]  # the first with {} for the address, quotes included
    line_break: str
    inserted: tuple[str, str]
    deleted: tuple[str, str]
    formula: Callable[[str], str]  # what shows a formula, of its LaTeX
    note: tuple[str, str]  # the first with {} for the name of the note, quotes included
    abbreviation: tuple[str, str]  # with {} for what it stands for; quotes included, where it is an attribute

    def inlines(
        self, inlines: Iterable[Inline], options: Options, *, exact: bool = False, notes: Container[str] = ()
    ) -> str:
        """Return the inlines of a block; with `exact`, line breaks stay line feeds. References are to these notes."""
        parts: list[str] = []
        for href, group in groupby(
            inlines, lambda inline: safe(inline.href) if options.links and inline.note not in notes else None
        ):
            inside = "".join(self._one(inline, options, exact, notes) for inline in group)
            parts.append(self.link[0].format(attribute(href)) + inside + self.link[1] if href else inside)
        return "".join(parts)

    def _one(self, inline: Inline, options: Options, exact: bool, notes: Container[str]) -> str:
        shown = text(f"{inline.text}({inline.reading})" if inline.reading and options.readings else inline.text)
        if not exact:
            shown = shown.replace("\n", self.line_break)
        if options.formatting:
            if inline.expansion:
                told = attribute(inline.expansion) if "={}" in self.abbreviation[0] else text(inline.expansion)
                shown = self.abbreviation[0].format(told) + shown + self.abbreviation[1].format(told)
            for name in ("code", "deleted", "inserted", "subscript", "superscript", "emphasis", "strong"):
                if getattr(inline, name):
                    before, behind = getattr(self, name)
                    shown = before + shown + behind
        if inline.formula:
            shown = self.formula(inline.text)
        if inline.note and inline.note in notes:
            shown = self.note[0].format(attribute("#" + note_id(inline.note))) + shown + self.note[1]
        return shown


class MarkupStyle(NamedTuple):
    """What all blocks of a text are written with."""

    dialect: Dialect
    options: Options
    notes: frozenset[str] = frozenset()
    named: set[str] | None = None  # names of notes that are given, each once

    def name_once(self, label: str) -> str | None:
        """Return the name of a note, for the first that asks for it."""
        name = note_id(label)
        if self.named is None or name in self.named:
            return None
        self.named.add(name)
        return name

    def inlines(self, inlines: tuple[Inline, ...], *, exact: bool = False) -> str:
        """Return the inlines of a block."""
        return self.dialect.inlines(inlines, self.options, exact=exact, notes=self.notes)


def note_id(label: str) -> str:
    """What a note is called in a document."""
    return "note-" + re.sub(r"[^\w-]", "_", legal(label))


def text(value: str) -> str:
    """Return text between tags."""
    return escape(legal(value), quote=False)


def attribute(value: str) -> str:
    """Return the value of an attribute, with its quotes."""
    return '"' + escape(legal(value)).replace("\n", "&#10;").replace("\t", "&#9;") + '"'


def attributes(**values: str | int | bool | None) -> str:
    """Return attributes with a space before each; those that say nothing (None, empty, False) are left out."""
    told = {_spelled(name): value for name, value in values.items()}
    return "".join(
        f" {name}={attribute('true' if value is True else str(value))}"
        for name, value in told.items()
        if value is not None and value is not False and value != ""
    )


def _spelled(name: str) -> str:
    """`xml__lang` is xml:lang, `data_x` is data-x, `class_` is class."""
    return name.rstrip("_").replace("__", ":").replace("data_", "data-")


def element(name: str, content: str, **values: str | int | bool | None) -> str:
    """Return an element with its content, already escaped."""
    return f"<{name}{attributes(**values)}>{content}</{name}>"


def fields(values: Iterable[tuple[str, str]]) -> list[str]:
    """Return elements for the values that are told."""
    return [element(name, text(value)) for name, value in values if value]
