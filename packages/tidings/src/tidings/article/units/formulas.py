"""Extract formulas as LaTeX from the output of typesetters.

The LaTeX source is in an annotation of MathML, an attribute, a script, the alternative text of a picture, or between
dollar signs in the text. If there is none, the MathML is converted to LaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tidings.article.model.blocks import Block, Inline, Kind
from tidings.article.model.constructors import changed
from tidings.article.model.inlines import Style, style_of
from tidings.article.units.mathml import latex
from tidings.article.units.units import FoundUnits, Loose, attributes_of, classes_of, inside, named, says_any, tag_of
from tidings.page import Page
from tidings.page.references import unescape, unescape_attribute
from tidings.text.patterns import late_pattern

_FORMULA: Final = Style(formula=True)
_ANNOTATION: Final = late_pattern(
    r"""<annotation\s[^>]{0,400}\bencoding=["']?(?:application/x-tex|application/x-latex|TeX|LaTeX)(?=["'\s>])[^>]{0,400}>""",
    re.IGNORECASE,
)
_ANNOTATION_END: Final = late_pattern("</annotation", re.IGNORECASE)
_IN_ATTRIBUTE: Final = late_pattern(
    r"""\s(?:alttext|data-latex|data-tex|data-math|data-formula|data-equation)=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE
)
_DATA_MATHML: Final = late_pattern(r"""\sdata-mathml=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_MATH: Final = late_pattern(r"<math\b", re.IGNORECASE)
_MATH_END: Final = late_pattern("</math", re.IGNORECASE)
_PICTURE: Final = late_pattern(
    r"mwe-math|(?:^|[\s\"/._-])(?:latex|tex|math|mimetex|codecogs|equation)(?:$|[\s\"/._?-])", re.IGNORECASE
)
_WRAPPED: Final = late_pattern(r"\A\{\\(?:displaystyle|textstyle|scriptstyle)\s+(.*)\}\Z", re.DOTALL)
_STYLED: Final = late_pattern(r"\A\\(?:displaystyle|textstyle)\s+")
_DELIMITED: Final = late_pattern(r"\A(?:\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\])\Z", re.DOTALL)
#: Formulas in running text. A dollar sign before a digit is money if a space follows.
_IN_TEXT: Final = late_pattern(
    r"\$\$(?P<display>[^$]{1,4000}?)\$\$|\\\[(?P<bracket>.{1,4000}?)\\\]|\\\((?P<paren>.{1,2000}?)\\\)"
    r"|(?<![\\$\w])\$(?=[^\s$])(?P<inline>[^$\n]{1,600}?)(?<=[^\s\\])\$(?![\d$])",
    re.DOTALL,
)
_IS_TEX: Final = late_pattern(r"[\\^_=<>+*/|(){}]|\A[A-Za-z]'?\Z|\A[A-Za-z][,+-]\s?[A-Za-z0-9]\Z")
_DRAWN: Final = frozenset(
    "katex katex-display mwe-math-element mathjax mathjax_display mathjax_svg mathjax_chtml mathjax_svg_display "
    "mathjax_preview".split()
)
#: Commands and environments of LaTeX, which a reader does not see, and words, which a reader does.
_COMMAND: Final = late_pattern(r"\\(?:begin|end)\s*\{[^}]*+\}|\\[A-Za-z]++")
_WORD: Final = late_pattern(r"[^\W\d_]{4,}")
_MARKUP: Final = late_pattern(r"<[^>]*+>")
#: So many words that only the source has are no formula: names of colours and labels are fewer.
_MOST_UNSEEN: Final = 3
#: The maximum size of a formula's markup; larger ones stay plain text.
_MOST: Final = 500_000
_LONGEST: Final = 20_000


def find_formulas(units: FoundUnits) -> None:
    """Find the formulas in the selected text."""
    page = units.page
    behind = -1
    source = page.source
    for element in named(units, "formula"):
        name = tag_of(page, element)
        if element < behind or not _is_formula(page, element, name):
            continue
        low, high = page.elements.start.item(element), page.elements.end.item(element)
        behind = inside(page, element).stop
        first, last = units.runs(element)
        if name == "span" and "mathjax" in classes_of(page, element) and _script_behind(page, behind):
            _drop(units, first, last)  # drawn by a script; the script with the source follows
            continue
        if high - low > _MOST:
            continue
        if name == "math" and page.runs.hidden[first:last].any():
            continue  # a wrapper of a typesetter would hide it on purpose; visible parts stay text
        text = _source(page, element, name, source[low:high])
        if not text or len(text) > _LONGEST:
            continue
        _place(units, element, first, last, text, _is_display(page, element, source[low : low + 3000]))
    if not says_any(units, "mathjax", "katex", "tex-svg", "math/"):
        return
    _select_typed(units)
    # If a typesetter is loaded, the text may contain LaTeX between delimiters.
    units.has_tex = any(sign in page.text for sign in ("$", "\\(", "\\["))


def _select_typed(units: FoundUnits) -> None:
    """Select display formulas between selected texts."""
    page = units.page
    runs = page.runs
    chosen = units.chosen.nonzero()[0]
    if not len(chosen):
        return
    for run in range(int(chosen[0]), int(chosen[-1])):
        if units.chosen[run] or runs.hidden[run] or page.text[runs.text_start.item(run)] not in "$\\":
            continue
        text = page.text[runs.text_start.item(run) : runs.text_end.item(run)].strip()
        if text.startswith(("$$", "\\[")) and _IN_TEXT.fullmatch(text) and units.is_within(run, run + 1):
            units.chosen[run] = True


def _script_behind(page: Page, at: int) -> bool:
    """Return whether the source of a formula drawn by MathJax 2 follows."""
    for element in range(at, min(at + 3, len(page.elements))):
        name = tag_of(page, element)
        if name == "script":
            return "math/tex" in attributes_of(page, element).get("type", "")
        if "mathjax" not in classes_of(page, element):
            return False
    return False


def _drop(units: FoundUnits, first: int, last: int) -> None:
    if first < last:
        units.leave(first, last)
        units.claimed[first:last] = True


def _is_formula(page: Page, element: int, name: str) -> bool:
    names = classes_of(page, element)
    if name in ("math", "mjx-container"):
        return True
    if name == "script":
        return attributes_of(page, element).get("type", "").lower().startswith("math/")
    if name == "img":
        values = attributes_of(page, element)
        class_and_source = f"{values.get('class', '')} {values.get('src', '')}"
        return bool(values.get("alt", "").strip()) and bool(_PICTURE.search(class_and_source))
    words = names.split()
    if name in ("span", "div", "p", "section"):
        if not _DRAWN.isdisjoint(words):
            return True
        return "data-latex" in attributes_of(page, element) or "data-tex" in attributes_of(page, element)
    return name in ("tex-math", "math-tex", "x-tex", "la-tex")


def _source(page: Page, element: int, name: str, markup: str) -> str:  # noqa: PLR0911  # one place each
    """Return the LaTeX of a formula."""
    if name == "script":
        tag_end = markup.find(">") + 1
        inner = re.sub(r"</script\s*>?\Z", "", markup[tag_end:], flags=re.IGNORECASE)
        script_type = attributes_of(page, element).get("type", "").lower()
        inner = inner.removeprefix("% <![CDATA[").removesuffix("%]]>").strip()
        return latex(inner) if "mml" in script_type else cleaned(inner)
    if name == "img":
        return cleaned(attributes_of(page, element).get("alt", ""))
    match = _ANNOTATION.search(markup)
    # Two searches for start and end: a single pattern would search for the end again after each start.
    end = _ANNOTATION_END.search(markup, match.end()) if match else None
    if match and end:
        text = cleaned(unescape(markup[match.end() : end.start()]))
        if not _says_more(text, markup[: match.start()]):
            return text
    match = _IN_ATTRIBUTE.search(markup)
    if match:
        text = cleaned(unescape_attribute(match[1] or match[2] or ""))
        if name != "math" or not _says_more(text, markup[match.end() :]):
            return text
    match = _DATA_MATHML.search(markup)
    if match:
        return latex(unescape_attribute(match[1] or match[2] or ""))
    math = _MATH.search(markup)
    end = _MATH_END.search(markup, math.end()) if math else None
    if (math and end) or name == "math":
        return latex(markup[math.start() : end.end()] if math and end else markup)
    if (alt := re.search(r"""<img[^>]*\salt=(?:"([^"]*)"|'([^']*)')""", markup)) is not None:
        return cleaned(unescape_attribute(alt[1] or alt[2] or ""))
    return ""


def _says_more(tex: str, drawn: str) -> bool:
    """Return whether LaTeX has several words that the drawn formula does not have: text that no reader sees."""
    words = set(_WORD.findall(_COMMAND.sub(" ", tex)))
    if len(words) < _MOST_UNSEEN:
        return False
    shown = "".join(_MARKUP.sub("", unescape(drawn)).split())
    return sum(word not in shown for word in words) >= _MOST_UNSEEN


def cleaned(text: str) -> str:
    """Return LaTeX without delimiters and without wrappers around the whole formula."""
    text = text.strip()
    match = _DELIMITED.match(text)
    if match:
        text = next(part for part in match.groups() if part is not None).strip()
    match = _WRAPPED.match(text)
    if match:
        text = match[1].strip()
    return _STYLED.sub("", text).strip()


def _is_display(page: Page, element: int, begin: str) -> bool:
    values = attributes_of(page, element)
    names = f" {values.get('class', '').lower()} "
    tag_end = begin.find(">") + 1
    head = begin[:tag_end].lower()
    if "mode=display" in head or values.get("display", "") in ("true", "block") or "katex-display" in names:
        return True
    if "tml-display" in names or "mathjax_display" in names or "math-display" in names:
        return True
    if tag_of(page, element) == "span" and "mwe-math-element" in names:
        return 'display="block"' in begin or "mwe-math-fallback-image-display" in begin
    return False


def _place(units: FoundUnits, element: int, first: int, last: int, text: str, display: bool) -> None:
    page = units.page
    hidden = page.runs.hidden
    before, behind = first - 1, last
    while before >= 0 and hidden[before]:
        before -= 1
    while behind < len(hidden) and hidden[behind]:
        behind += 1
    is_adjacent = (before >= 0 and units.chosen[before]) or (behind < len(hidden) and units.chosen[behind])
    if not (is_adjacent or units.share(first, last) >= 0.5):
        return
    if first < last and units.claimed[first:last].any():
        return
    block = Block(Kind.FORMULA, (Inline(text, formula=True),))
    if display:
        units.becomes(first, last, block)
        if first < last:
            units.alone.add(first)
    elif first < last:
        units.says(first, last, text, _FORMULA)
    else:
        units.loose.append(Loose(element, text, _FORMULA))


def with_tex(blocks: Iterator[tuple[Block, int, int]]) -> Iterator[tuple[Block, int, int]]:
    """Yield the blocks with the formulas between LaTeX delimiters marked as formulas."""
    for block, run, figure in blocks:
        if block.kind in (Kind.PREFORMATTED, Kind.TABLE, Kind.FORMULA) or not _IN_TEXT.search(block.text):
            yield block, run, figure
            continue
        yield from _split(block, run, figure)


def _split(block: Block, run: int, figure: int) -> Iterator[tuple[Block, int, int]]:
    if all(style_of(inline)[1:] == style_of(Inline(""))[1:] for inline in block.inlines):
        text = block.text.strip()  # emphasis never ends inside a formula; line breaks do not count
        match = _IN_TEXT.fullmatch(text)
        if match and (match["display"] or match["bracket"]):
            yield changed(block, kind=Kind.FORMULA, inlines=(Inline(cleaned(text), formula=True),)), run, 0
            return
    inlines: list[Inline] = []
    for inline in block.inlines:
        if inline.code or inline.formula:
            inlines.append(inline)
            continue
        place = 0
        style = style_of(inline)
        for match in _IN_TEXT.finditer(inline.text):
            tex = cleaned(match[0])
            if match["inline"] is not None and not _IS_TEX.search(tex):
                continue
            if match.start() > place:
                inlines.append(Inline(inline.text[place : match.start()], *style))
            inlines.append(Inline(" ".join(tex.split()), *style._replace(formula=True)))
            place = match.end()
        if place < len(inline.text):
            inlines.append(Inline(inline.text[place:], *style))
    yield changed(block, inlines=tuple(inlines)), run, figure
