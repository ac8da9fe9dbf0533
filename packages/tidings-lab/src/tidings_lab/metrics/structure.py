"""What of a page's structure is in the Markdown that a system makes of it: unit by unit, read back by one parser.

Gold is a list of units, kind and what it says. Code counts to the letter, with its language apart; formulas count by
edit similarity, tables by TEDS (`units`), the others by what they say. The words of the whole count by ROUGE-2.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tidings_lab.metrics.units import edit_similarity, rouge_score, table_similarity

#: What is counted, as tables name it.
STRUCTURE: Final = {
    "code": "code, exact", "code edit": "code, edit similarity", "language": "its language", "formula": "formulas",
    "note": "notes", "table": "tables (TEDS)", "heading": "headings", "item": "list items", "quote": "quotes",
    "callout": "callouts", "figure": "pictures", "link": "links", "rouge-2": "words of Markdown (ROUGE-2)",
}  # fmt: skip
_FENCE: Final = re.compile(r"```.*?```", re.DOTALL)
_DISPLAY: Final = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE: Final = re.compile(r"(?<!\$)\$([^$\n]+?)\$(?!\$)")
_NOTE: Final = re.compile(r"^\[\^[^\]]+\]:\s*(.*)", re.MULTILINE)

Found = Mapping[str, list[Any]]


def structure_scores(markdown: str, units: Iterable[Sequence[Any]], gold: str = "") -> dict[str, list[float]]:
    """How well each unit of gold was kept, 0 to 1, by what is counted.

    Args:
        markdown: what a system made of a page.
        units: kind and what it says: `("code", (text, language))`, `("table", rows)`, `("heading", text)` …
        gold: the whole as Markdown, for the words; nothing where that is not known.
    """
    found = markdown_units(markdown)
    scores: dict[str, list[float]] = defaultdict(list)
    for kind, said in units:
        name = "formula" if kind == "display" else kind
        if name in _MEASURES:
            scores[name].append(_MEASURES[name](said, found))
        if kind == "code":
            scores["code edit"].append(_nearest(said[0], [text for text, _ in found["code"]]))
            scores["language"].append(float(str(said[1]).lower() in [info.lower() for _, info in found["code"]]))
    if gold:
        scores["rouge-2"].append(rouge_score(markdown, gold).f1)
    return dict(scores)


def markdown_units(markdown: str) -> Found:
    """What a parser of CommonMark and GFM finds in Markdown, by kind."""
    found: dict[str, list[Any]] = defaultdict(list)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    for place, token in enumerate(tokens):
        if token.type in ("fence", "code_block"):
            found["code"].append((token.content.rstrip("\n"), token.info.strip().split(" ")[0]))
        elif token.type == "heading_open":
            found["heading"].append(_said(tokens[place + 1]))
        elif token.type == "list_item_open":
            first = next((one for one in tokens[place : place + 4] if one.type == "inline"), None)
            found["item"].append(_said(first) if first else "")
        elif token.type == "blockquote_open":
            inside = tokens[place : _end(tokens, place, "blockquote_close")]
            found["quote"].append(" ".join(_said(one) for one in inside if one.type == "inline"))
        elif token.type == "table_open":
            found["table"].append(_rows(tokens[place : _end(tokens, place, "table_close")]))
        _links(token.children or [], found)
    plain = _FENCE.sub("", markdown)
    found["formula"] += [one.strip() for one in (*_DISPLAY.findall(plain), *_INLINE.findall(plain))]
    found["note"] += [one.strip() for one in _NOTE.findall(plain)]
    return found


def _said(token: Token) -> str:
    parts = (" " if one.type in ("softbreak", "hardbreak") else one.content for one in token.children or [])
    return "".join(parts).strip()


def _end(tokens: Sequence[Token], place: int, name: str) -> int:
    level = tokens[place].level
    return next((at for at in range(place, len(tokens)) if (tokens[at].type, tokens[at].level) == (name, level)), place)


def _rows(tokens: Sequence[Token]) -> list[list[str]]:
    rows: list[list[str]] = []
    for one in tokens:
        if one.type == "tr_open":
            rows.append([])
        elif one.type == "inline" and rows:
            rows[-1].append(_said(one))
    return [row for row in rows if any(row)]


def _links(children: Sequence[Token], found: dict[str, list[Any]]) -> None:
    for at, child in enumerate(children):
        if child.type == "image":
            found["figure"].append(child.attrGet("src"))
        elif child.type == "link_open":
            inner = children[at + 1 :]
            size = next((size for size, one in enumerate(inner) if one.type == "link_close"), len(inner))
            found["link"].append(("".join(one.content for one in inner[:size]), child.attrGet("href")))


def _nearest(gold: str, texts: Iterable[str]) -> float:
    return max((edit_similarity(gold, one) for one in texts), default=0.0)


def _formula(gold: str, found: Found) -> float:
    return _nearest("".join(gold.split()), ["".join(one.split()) for one in found["formula"]])


_MEASURES: Final[dict[str, Callable[[Any, Found], float]]] = {
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
