"""Inlines as Markdown (CommonMark 0.31 with the tables of GitHub), so that a reader gets back the text it was made of.

Asterisks mark emphasis only where the rules of CommonMark 6.2 (flanking) let them; elsewhere, as between a letter and
a quotation mark or beside another emphasis, the HTML elements that Markdown allows stand for them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from tidings.article.blocks import Inline
from tidings.article.characters import legal
from tidings.article.formats.markup import attribute
from tidings.article.options import Options
from tidings.fields.addresses import safe

_SPECIAL: Final = re.compile(r"[\\`*_\[\]<~]|&(?=#?[a-zA-Z0-9]+;)")
_BACKTICKS: Final = re.compile(r"`+")
_LINE_START: Final = re.compile(r"(?:#{1,6}(?=[ \t]|\Z)|>|[-+](?=[ \t]|\Z)|(?:[=\-|:+ \t]+)\Z)")
_NUMBER_START: Final = re.compile(r"([0-9]{1,9})([.)])(?=[ \t]|\Z)")
_IN_ADDRESS: Final = re.compile(r"[\\()]|&(?=#?[a-zA-Z0-9]+;)")
_ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class _Word(NamedTuple):
    """A piece of a line, escaped, with what is still to be put around it."""

    text: str
    href: str | None
    strong: bool = False
    emphasis: bool = False


def line(inlines: Sequence[Inline], options: Options, notes: Container[str] = (), *, dollars: bool = False) -> str:
    """One line of text. Line feeds in the inlines count as spaces; `dollars`: a dollar sign could begin a formula."""
    words = list(_words(inlines, options, notes, dollars))
    parts: list[str] = []
    groups = [(href, list(group)) for href, group in groupby(words, lambda word: word.href)]
    for place, (href, group) in enumerate(groups):
        before = parts[-1][-1:] if parts else ""
        behind = _first(groups[place + 1]) if place + 1 < len(groups) else ""
        if href is None:
            parts.append(_emphasised(group, before, behind))
            continue
        if before == "!":  # it would make the link a picture
            parts[-1] = parts[-1][:-1] + "\\!"
        inside = _emphasised(group, "[", "]")
        parts.append(f"[{inside}]({address(href)})")
    return "".join(parts)


def _first(group: tuple[str | None, list[_Word]]) -> str:
    href, words = group
    return "[" if href is not None else "*" if _marked(words[0]) else words[0].text[:1]


def _words(inlines: Iterable[Inline], options: Options, notes: Container[str], dollars: bool) -> Iterator[_Word]:
    """Yield pieces without white space at their ends; what was there stands between them, marked by nothing."""
    shown = [
        (
            legal(_read_aloud(inline, options)).replace("\n", " ").replace("\t", " "),
            inline,
            safe(inline.href) if options.links and inline.note not in notes else None,
        )
        for inline in inlines
    ]
    for href, group in groupby(shown, lambda one: one[2]):
        pieces = list(group)
        texts = [text for text, _, _ in pieces]
        whole = "".join(texts)
        if href is not None and not whole.strip():
            if whole:
                yield _Word(whole, None)
            continue
        lead, tail = len(whole) - len(whole.lstrip()), len(whole.rstrip())
        if href is not None and lead:
            yield _Word(whole[:lead], None)
        place = 0
        for text, inline, _ in pieces:
            kept = text if href is None else text[max(lead - place, 0) : max(tail - place, 0)]
            place += len(text)
            if inline.note and inline.note in notes and kept.strip():
                yield _Word(f"[^{note_name(inline.note)}]", href)
            elif inline.formula and kept.strip():
                yield _Word(formula(kept), href)
            else:
                yield from _piece(kept, inline, href, options, dollars)
        if href is not None and tail < len(whole):
            yield _Word(whole[tail:], None)


def _read_aloud(inline: Inline, options: Options) -> str:
    return f"{inline.text}({inline.reading})" if inline.reading and options.readings else inline.text


def note_name(label: str) -> str:
    """Return the label of a note as it may stand in brackets."""
    return re.sub(r"[^\w-]", "_", legal(label)) or "note"


def no_tags(tex: str) -> str:
    """Return LaTeX in which nothing can be taken for a tag of HTML; a space means nothing there."""
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", tex)


def formula(text: str) -> str:
    """Return LaTeX in a line; what could end it too early, or stand in a table, is written otherwise."""
    said = no_tags(" ".join(text.split())).replace("|", r"\vert ")
    said = re.sub(r"(?<!\\)\$", r"\\$", said)
    return f"${said}$" if not said.endswith("\\") else f"${said} $"


def _piece(text: str, inline: Inline, href: str | None, options: Options, dollars: bool) -> Iterator[_Word]:
    word = text.strip()
    if not word or not options.formatting:
        if text:
            yield _Word(escape(text, dollars=dollars), href)
        return
    lead = len(text) - len(text.lstrip())
    if lead:
        yield _Word(text[:lead], href)
    shown = code(word) if inline.code else escape(word, dollars=dollars)
    if inline.expansion:
        shown = f"<abbr title={attribute(inline.expansion)}>{shown}</abbr>"
    if inline.deleted:
        shown = f"~~{shown}~~"
    elif inline.inserted:
        shown = f"<ins>{shown}</ins>"
    for marked, tag in ((inline.subscript, "sub"), (inline.superscript, "sup")):
        shown = f"<{tag}>{shown}</{tag}>" if marked else shown
    yield _Word(shown, href, inline.strong, inline.emphasis)
    if lead + len(word) < len(text):
        yield _Word(text[lead + len(word) :], href)


def _marked(word: _Word) -> bool:
    return word.strong or word.emphasis


def _emphasised(words: Sequence[_Word], before: str, behind: str) -> str:
    parts: list[str] = []
    for place, word in enumerate(words):
        if not _marked(word):
            parts.append(word.text)
            continue
        left = parts[-1][-1:] if parts else before
        right = _first((None, list(words[place + 1 : place + 2]))) if place + 1 < len(words) else behind
        if _flanks(left, word.text[0]) and _flanks(right, word.text[-1]):
            sign = "*" * (2 * word.strong + word.emphasis)
            parts.append(sign + word.text + sign)
        else:
            shown = f"<em>{word.text}</em>" if word.emphasis else word.text
            parts.append(f"<strong>{shown}</strong>" if word.strong else shown)
    return "".join(parts)


def _flanks(outside: str, inside: str) -> bool:
    """Return whether asterisks between these two characters open or close on the inside (and nothing else happens)."""
    if outside == "*" or inside == "*" or inside.isspace():
        return False
    if not outside or outside.isspace():
        return True
    if inside in _ASCII_PUNCTUATION or unicodedata.category(inside)[0] in "PS":
        # Symbols count as punctuation only since version 0.31: sure of neither, so not here.
        return outside in _ASCII_PUNCTUATION or unicodedata.category(outside)[0] == "P"
    return True


def escape(text: str, *, dollars: bool = False) -> str:
    """Return text in which nothing is markup, wherever in a line it stands but at its start."""
    shown = _SPECIAL.sub(lambda match: "\\" + match[0], text)
    return shown.replace("$", "\\$") if dollars else shown


def guard_start(shown: str) -> str:
    """Return a line that begins no block of another sort: no heading, list, quote, rule, nor the line below a table's
    head.
    """
    if _LINE_START.match(shown):
        return "\\" + shown
    return _NUMBER_START.sub(r"\1\\\2", shown, count=1) if _NUMBER_START.match(shown) else shown


def code(text: str) -> str:
    """Return a code span; its fence is longer than any row of backticks in it."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return fence + pad + text + pad + fence


def address(href: str) -> str:
    """Return the destination of a link."""
    return _IN_ADDRESS.sub(lambda match: "\\" + match[0], href)
