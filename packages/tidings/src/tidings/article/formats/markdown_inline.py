"""Write inlines as Markdown (CommonMark 0.31 with GitHub's tables) that renders to the original text.

Asterisks mark emphasis only where the flanking rules of CommonMark 6.2 allow it. Elsewhere, for example between a
letter and a quotation mark or next to other emphasis, HTML elements are used.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from tidings.article.formats.characters import legal
from tidings.article.formats.markup import attribute
from tidings.article.formats.options import Options
from tidings.article.model.blocks import Inline
from tidings.fields.urls.sanitise import safe

_SPECIAL: Final = re.compile(r"[\\`*_\[\]<~]|&(?=#?[a-zA-Z0-9]+;)")
_BACKTICKS: Final = re.compile(r"`+")
_LINE_START: Final = re.compile(r"(?:#{1,6}(?=[ \t]|\Z)|>|[-+](?=[ \t]|\Z)|(?:[=\-|:+ \t]+)\Z)")
_NUMBER_START: Final = re.compile(r"([0-9]{1,9})([.)])(?=[ \t]|\Z)")
_IN_ADDRESS: Final = re.compile(r"[\\()]|&(?=#?[a-zA-Z0-9]+;)")
_ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class _Word(NamedTuple):
    """A piece of a line, escaped, with its pending link and emphasis."""

    text: str
    href: str | None
    strong: bool = False
    emphasis: bool = False


def line(inlines: Sequence[Inline], options: Options, notes: Container[str] = (), *, dollars: bool = False) -> str:
    """Return one line of text. Line feeds in inlines become spaces.

    Args:
        inlines: the inlines.
        options: the options of the rendering.
        notes: the labels of notes that the article has.
        dollars: whether a dollar sign could start a formula and has to be escaped.
    """
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
    """Yield pieces without surrounding white space, and the white space between them as pieces of its own."""
    pieces_of_text = [
        (
            legal(_read_aloud(inline, options)).replace("\n", " ").replace("\t", " "),
            inline,
            safe(inline.href) if options.links and inline.note not in notes else None,
        )
        for inline in inlines
    ]
    for href, group in groupby(pieces_of_text, lambda piece: piece[2]):
        pieces = list(group)
        texts = [text for text, _, _ in pieces]
        full_text = "".join(texts)
        if href is not None and not full_text.strip():
            if full_text:
                yield _Word(full_text, None)
            continue
        lead, tail = len(full_text) - len(full_text.lstrip()), len(full_text.rstrip())
        if href is not None and lead:
            yield _Word(full_text[:lead], None)
        place = 0
        for text, inline, _ in pieces:
            part = text if href is None else text[max(lead - place, 0) : max(tail - place, 0)]
            place += len(text)
            if inline.note and inline.note in notes and part.strip():
                yield _Word(f"[^{note_name(inline.note)}]", href)
            elif inline.formula and part.strip():
                yield _Word(formula(part), href)
            else:
                yield from _piece(part, inline, href, options, dollars)
        if href is not None and tail < len(full_text):
            yield _Word(full_text[tail:], None)


def _read_aloud(inline: Inline, options: Options) -> str:
    return f"{inline.text}({inline.reading})" if inline.reading and options.readings else inline.text


def note_name(label: str) -> str:
    """Return the label of a note in characters that are allowed in brackets."""
    return re.sub(r"[^\w-]", "_", legal(label)) or "note"


def no_tags(tex: str) -> str:
    """Return LaTeX in which no part looks like an HTML tag. Additional spaces have no effect in LaTeX."""
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", tex)


def formula(text: str) -> str:
    """Return inline LaTeX, without characters that would end it or break a table."""
    tex = no_tags(" ".join(text.split())).replace("|", r"\vert ")
    tex = re.sub(r"(?<!\\)\$", r"\\$", tex)
    return f"${tex}$" if not tex.endswith("\\") else f"${tex} $"


def _piece(text: str, inline: Inline, href: str | None, options: Options, dollars: bool) -> Iterator[_Word]:
    word = text.strip()
    if not word or not options.formatting:
        if text:
            yield _Word(escape(text, dollars=dollars), href)
        return
    lead = len(text) - len(text.lstrip())
    if lead:
        yield _Word(text[:lead], href)
    markup = code(word) if inline.code else escape(word, dollars=dollars)
    if inline.expansion:
        markup = f"<abbr title={attribute(inline.expansion)}>{markup}</abbr>"
    if inline.deleted:
        markup = f"~~{markup}~~"
    elif inline.inserted:
        markup = f"<ins>{markup}</ins>"
    for marked, tag in ((inline.subscript, "sub"), (inline.superscript, "sup")):
        markup = f"<{tag}>{markup}</{tag}>" if marked else markup
    yield _Word(markup, href, inline.strong, inline.emphasis)
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
            markup = f"<em>{word.text}</em>" if word.emphasis else word.text
            parts.append(f"<strong>{markup}</strong>" if word.strong else markup)
    return "".join(parts)


def _flanks(outside: str, inside: str) -> bool:
    """Return whether asterisks between two characters open or close emphasis on the inside, without side effects."""
    if outside == "*" or inside == "*" or inside.isspace():
        return False
    if not outside or outside.isspace():
        return True
    if inside in _ASCII_PUNCTUATION or unicodedata.category(inside)[0] in "PS":
        # Symbols count as punctuation only since version 0.31: sure of neither, so not here.
        return outside in _ASCII_PUNCTUATION or unicodedata.category(outside)[0] == "P"
    return True


def escape(text: str, *, dollars: bool = False) -> str:
    """Return text without active markup anywhere but at the start of a line."""
    escaped = _SPECIAL.sub(lambda match: "\\" + match[0], text)
    return escaped.replace("$", "\\$") if dollars else escaped


def guard_start(text_line: str) -> str:
    """Return a line that starts no other block: no heading, list, quote, rule, or delimiter row of a table."""
    if _LINE_START.match(text_line):
        return "\\" + text_line
    return _NUMBER_START.sub(r"\1\\\2", text_line, count=1) if _NUMBER_START.match(text_line) else text_line


def code(text: str) -> str:
    """Return a code span with a fence longer than any row of backticks in it."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return fence + pad + text + pad + fence


def address(href: str) -> str:
    """Return the destination of a link, escaped."""
    return _IN_ADDRESS.sub(lambda match: "\\" + match[0], href)
