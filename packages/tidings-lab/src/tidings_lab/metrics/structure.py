"""Page structure in the Markdown of a system: each unit of the ground truth is compared with the parsed Markdown.

Gold is a list of units, kind and content. Code must match exactly, and its language is scored separately; formulas are
scored by edit similarity, tables by TEDS (`units`), other units by their text. The words of the whole page are scored
by ROUGE-2.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tidings_lab.metrics.units import edit_similarity, rouge_score, table_similarity

#: The scored kinds of units, and their names in tables.
STRUCTURE: Final = {
    "code": "code, exact", "code edit": "code, edit similarity", "language": "its language", "formula": "formulas",
    "note": "notes", "table": "tables (TEDS)", "heading": "headings", "item": "list items", "quote": "quotes",
    "callout": "callouts", "figure": "pictures", "link": "links", "rouge-2": "words of Markdown (ROUGE-2)",
}  # fmt: skip
_FENCE: Final = re.compile(r"```.*?```", re.DOTALL)
_DISPLAY: Final = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE: Final = re.compile(r"(?<!\$)\$([^$\n]+?)\$(?!\$)")
_NOTE: Final = re.compile(r"^\[\^[^\]]+\]:\s*(.*)", re.MULTILINE)

ParsedUnits = Mapping[str, list[Any]]


def structure_scores(markdown: str, units: Iterable[Sequence[Any]], gold: str = "") -> dict[str, list[float]]:
    """Return the scores of the units of the ground truth, 0 to 1, by kind.

    Args:
        markdown: the Markdown that a system returned for a page.
        units: kind and content: `("code", (text, language))`, `("table", rows)`, `("heading", text)` …
        gold: the whole page as Markdown, for the words; empty if unknown.
    """
    parsed = markdown_units(markdown)
    scores: dict[str, list[float]] = defaultdict(list)
    for kind, content in units:
        name = "formula" if kind == "display" else kind
        if name in _MEASURES:
            scores[name].append(_MEASURES[name](content, parsed))
        if kind == "code":
            scores["code edit"].append(_nearest(content[0], [text for text, _ in parsed["code"]]))
            scores["language"].append(float(str(content[1]).lower() in [info.lower() for _, info in parsed["code"]]))
    if gold:
        scores["rouge-2"].append(rouge_score(markdown, gold).f1)
    return dict(scores)


def markdown_units(markdown: str) -> ParsedUnits:
    """Parse Markdown (CommonMark and GFM) and return its units by kind."""
    parsed: dict[str, list[Any]] = defaultdict(list)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    for place, token in enumerate(tokens):
        if token.type in ("fence", "code_block"):
            parsed["code"].append((token.content.rstrip("\n"), token.info.strip().split(" ")[0]))
        elif token.type == "heading_open":
            parsed["heading"].append(_text_of(tokens[place + 1]))
        elif token.type == "list_item_open":
            first = next((token_ for token_ in tokens[place : place + 4] if token_.type == "inline"), None)
            parsed["item"].append(_text_of(first) if first else "")
        elif token.type == "blockquote_open":
            inside = tokens[place : _end(tokens, place, "blockquote_close")]
            parsed["quote"].append(" ".join(_text_of(token_) for token_ in inside if token_.type == "inline"))
        elif token.type == "table_open":
            parsed["table"].append(_rows(tokens[place : _end(tokens, place, "table_close")]))
        _links(token.children or [], parsed)
    plain = _FENCE.sub("", markdown)
    parsed["formula"] += [token_.strip() for token_ in (*_DISPLAY.findall(plain), *_INLINE.findall(plain))]
    parsed["note"] += [token_.strip() for token_ in _NOTE.findall(plain)]
    return parsed


def _text_of(token: Token) -> str:
    parts = (" " if child.type in ("softbreak", "hardbreak") else child.content for child in token.children or [])
    return "".join(parts).strip()


def _end(tokens: Sequence[Token], place: int, name: str) -> int:
    level = tokens[place].level
    return next((at for at in range(place, len(tokens)) if (tokens[at].type, tokens[at].level) == (name, level)), place)


def _rows(tokens: Sequence[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(_text_of(token))
    return [row for row in rows if any(row)]


def _links(children: Sequence[Token], parsed: dict[str, list[Any]]) -> None:
    for at, child in enumerate(children):
        if child.type == "image":
            parsed["figure"].append(child.attrGet("src"))
        elif child.type == "link_open":
            inner = children[at + 1 :]
            size = next((size for size, token in enumerate(inner) if token.type == "link_close"), len(inner))
            parsed["link"].append(("".join(token.content for token in inner[:size]), child.attrGet("href")))


def _nearest(gold: str, texts: Iterable[str]) -> float:
    return max((edit_similarity(gold, text) for text in texts), default=0.0)


def _formula(gold: str, parsed: ParsedUnits) -> float:
    return _nearest("".join(gold.split()), ["".join(formula.split()) for formula in parsed["formula"]])


_MEASURES: Final[dict[str, Callable[[Any, ParsedUnits], float]]] = {
    "code": lambda gold, found: float(any(gold[0] == text for text, _ in found["code"])),
    "formula": _formula,
    "note": lambda gold, found: float(any(gold[1] in one for one in found["note"])),
    "table": lambda gold, found: max((table_similarity(gold, one) for one in found["table"]), default=0.0),
    "heading": lambda gold, found: float(gold in found["heading"]),
    "item": lambda gold, found: float(gold in found["item"]),
    "quote": lambda gold, found: float(any(gold[0] in one for one in found["quote"])),
    "callout": lambda gold, found: float(
        any(gold[1] in " ".join(one.split()) and "[!" in one for one in found["quote"])
    ),
    "figure": lambda gold, found: float(gold[0] in found["figure"]),
    "link": lambda gold, found: float((gold[0], gold[1]) in found["link"]),
}
