"""Inlines as elements: what HTML, XML and TEI have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import groupby

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

    def inlines(self, inlines: Iterable[Inline], options: Options, *, exact: bool = False) -> str:
        """The inlines of a block; with `exact`, line breaks stay line feeds."""
        parts: list[str] = []
        for href, group in groupby(inlines, lambda inline: safe(inline.href) if options.links else None):
            inside = "".join(self._one(inline, options, exact) for inline in group)
            parts.append(self.link[0].format(attribute(href)) + inside + self.link[1] if href else inside)
        return "".join(parts)

    def _one(self, inline: Inline, options: Options, exact: bool) -> str:
        shown = text(inline.text)
        if not exact:
            shown = shown.replace("\n", self.line_break)
        if options.formatting:
            for name in ("code", "subscript", "superscript", "emphasis", "strong"):
                if getattr(inline, name):
                    before, behind = getattr(self, name)
                    shown = before + shown + behind
        return shown


def text(value: str) -> str:
    """Text between tags."""
    return escape(legal(value), quote=False)


def attribute(value: str) -> str:
    """The value of an attribute, with its quotes."""
    return '"' + escape(legal(value)).replace("\n", "&#10;").replace("\t", "&#9;") + '"'


def attributes(**values: str | int | bool | None) -> str:
    """Attributes with a space before each; those that say nothing (None, empty, False) are left out."""
    told = {name.rstrip("_").replace("__", ":"): value for name, value in values.items()}
    return "".join(
        f" {name}={attribute('true' if value is True else str(value))}"
        for name, value in told.items()
        if value is not None and value is not False and value != ""
    )


def element(name: str, content: str, **values: str | int | bool | None) -> str:
    """An element with its content, already escaped."""
    return f"<{name}{attributes(**values)}>{content}</{name}>"


def fields(values: Iterable[tuple[str, str]]) -> list[str]:
    """Elements for the values that are told."""
    return [element(name, text(value)) for name, value in values if value]
