"""Code as highlighters, editors and sites write it, taken whole: every line, its indentation, its language.

Text comes from the source and not from the page's text, in which white space is folded wherever the page is not
preformatted. Line numbers, buttons and labels are no code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np

from tidings.article.blocks import Block, Inline, Kind
from tidings.article.code_lines import (
    EDITOR,
    EDITORS,
    LABELS,
    LINE,
    NO_CODE,
    PRE,
    code_text,
    is_furniture,
    signs,
    signs_of,
)
from tidings.article.units import (
    FoundUnits,
    attributes_of,
    children,
    classes_of,
    inside,
    named,
    start_tag,
    start_tags,
    tag_of,
    text_of,
)
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import any_set
from tidings.page.tag_sets import among, tag_set
from tidings.text.patterns import late_pattern

_PRES: Final = tag_set(PRE)
_TELLING: Final = tags.numbers("pre code div figure table td span section")
_CODE_TAG: Final = late_pattern(r"<(?:pre|code|div|figure)(?![\w-])", re.IGNORECASE)
#: Elements around `pre` that belong to it.
_AROUND: Final = late_pattern(
    r"(?:^|[\s_-])(?:highlight\w*|codehilite\w*|code|codeblock\w*|code-?block\w*|sourcecode|source-code|listingblock|literalblock\w*|"
    r"code-?(?:wrapper|container|toolbar|snippet|example|box|area|group|frame|view|content|window|tabs?)\w*|"
    r"rouge\w*|chroma|lntable|prism\w*|shiki\w*|hljs\w*|syntaxhighlighter|crayon\w*|expressive-code|snippet\w*|clipboard\w*|"
    r"monaco-editor|overflow-guard|monaco-scrollable-element|lines-content|codemirror\w*|cm-editor|cm-scroller|ace_editor|ace_scroller|ace_content|ace_layer|"
    r"fragment|literal-block-wrapper|language-\S+|zeroclipboard\S*|gatsby-highlight|notranslate|wp-block-code|remark-highlight)(?:$|[\s_-])"
)
_LANGUAGE: Final = late_pattern(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:?\s*|sourcecode|code-lang|codelang|enlighter-l|hljs-lang)"
    r"[-: ]\s*([a-z0-9#+._-]+)"
)
_SPHINX: Final = late_pattern(r"(?:^|\s)(?:highlight|hl)-([a-z0-9#+.-]+)(?:\s|$)")
_NAMED: Final = (
    "data-lang", "data-language", "data-code-language", "data-codelang", "data-code-lang", "data-enlighter-language",
    "data-mode-id", "data-syntax", "lang-name",
)  # fmt: skip
_NONE: Final = frozenset(
    "text plain plaintext plain-text none nohighlight no-highlight default auto txt nolang nocode "
    "highlight highlighter line-numbers wrapper container block inline code source unknown undefined null "
    "console-output output lines copy name label cell-code switcher tab tabs icon selector".split()
)
_ALONE: Final = frozenset(
    "bash c cpp csharp css dart diff docker dockerfile elixir erlang fsharp go graphql groovy haskell html http ini "
    "java javascript js json jsx julia kotlin latex less lisp lua makefile markdown matlab nginx objectivec ocaml perl "
    "php powershell proto protobuf python py r ruby rb rust rs sass scala scheme scss sh shell sql swift toml ts "
    "tsx typescript vb vim vue xml yaml yml zig console text-session".split()
)
#: What labels call languages, where it is another word than highlighters have.
_SPOKEN: Final = {"c++": "cpp", "c#": "csharp", "f#": "fsharp", "objective-c": "objectivec", "shell session": "console",
    "plain text": "", "node.js": "javascript", "golang": "go", "command line": "shell",
    "terminal": "shell", "ipython3": "python", "ipython": "python"}  # fmt: skip
_ENDINGS: Final = {
    "py": "python", "js": "javascript", "mjs": "javascript", "ts": "typescript", "tsx": "tsx", "jsx": "jsx",
    "rb": "ruby",
    "rs": "rust", "go": "go", "java": "java", "kt": "kotlin", "c": "c", "h": "c", "cpp": "cpp", "cc": "cpp",
    "hpp": "cpp",
    "cs": "csharp", "php": "php", "sh": "bash", "yml": "yaml", "yaml": "yaml", "toml": "toml", "json": "json",
    "html": "html",
    "css": "css", "scss": "scss", "sql": "sql", "swift": "swift", "xml": "xml", "md": "markdown", "vue": "vue",
    "lua": "lua",
    "pl": "perl", "ex": "elixir", "hs": "haskell", "graphql": "graphql", "proto": "protobuf", "tf": "hcl", "ini": "ini",
}  # fmt: skip
_FILE: Final = late_pattern(r"(?:^|[\s/\\`])[\w.@-]{0,80}\.([a-z]{1,7})$", re.IGNORECASE)
_DIGITS: Final = late_pattern(r"[\s\d.:|]*\Z")
#: Elements around `pre` that are asked whether they belong to it.
_HIGHEST: Final = 6
#: What may stand beside the code in an element of its own, in characters: a label, a file name, a button.
_BESIDE: Final = 120


def find_code(units: FoundUnits) -> None:
    """The blocks of code among what is chosen."""
    page = units.page
    behind = -1
    roots: dict[int, int | None] = page.memo.setdefault(_root, {})
    blocks: dict[int, Block | None] = page.memo.setdefault(find_code, {})  # the posts of a thread are read twice
    for element in named(units, "code"):
        if element < behind:
            continue
        root = roots[element] if element in roots else roots.setdefault(element, _root(page, element))
        if root is None:
            continue
        first, last = units.runs(root)
        behind = max(behind, inside(page, root).stop)
        if first >= last or any_set(units.taken[first:last]) or page.runs.hidden[first:last].all():
            continue
        if _in_cell(units, root) or not units.is_kept(first, last, root if _is_parted(page, first, last) else 0):
            if not _in_cell(units, root) and any_set(units.chosen[first:last]) and page.elements.tag.item(root) in PRE:
                units.leave(first, last)
            continue
        block = blocks[root] if root in blocks else blocks.setdefault(root, _block(page, root))
        if block is not None:
            units.becomes(first, last, block)


def _block(page: Page, root: int) -> Block | None:
    """Return the block of some code; None if it says nothing."""
    text = "\n".join(part for part in map(code_text, [page] * 99, _bodies(page, root)) if part.strip("\n"))
    text = _trimmed(text)
    return Block(Kind.PREFORMATTED, (Inline(text),), language=_language(page, root)) if text else None


def _is_parted(page: Page, first: int, last: int) -> bool:
    """Return whether the lines of code are boxes, each of which was judged by itself."""
    return page.runs.block.item(last - 1) > page.runs.block.item(first)


def _trimmed(text: str) -> str:
    lines = [
        line if line.strip() else ""
        for line in text.replace("\r\n", "\n").replace("\xa0", " ").replace("\u200b", "").split("\n")
    ]
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return "\n".join(lines).rstrip()


def _root(page: Page, element: int) -> int | None:
    """Return the outermost element that is nothing but this code; None if it is no code in a block of its own."""
    name = tag_of(page, element)
    if (
        page.elements.tag.item(element) in PRE
        or EDITORS.search(classes_of(page, element))
        or (name in ("div", "code", "table", "section", "figure") and _is_lines(page, element))
    ):
        root = element
    elif name == "code" and "white-space" in attributes_of(page, element).get("style", ""):
        if "\n" not in page.source[page.elements.start.item(element) : page.elements.end.item(element)]:
            return None
        root = element
    else:
        return None
    if _is_gutter(page, element):
        return None
    for _ in range(_HIGHEST):
        around = page.elements.parent.item(root)
        if around <= 0 or not _belongs(page, around, root):
            break
        root = around
    return root


def _is_gutter(page: Page, element: int) -> bool:
    """Return whether preformatted text is nothing but the numbers of lines."""
    if not _is_digits(page, element):
        return False
    at = element
    for _ in range(3):
        if NO_CODE.search(classes_of(page, at)):
            return True
        at = page.elements.parent.item(at)
    return any(NO_CODE.search(classes_of(page, one)) for one in inside(page, element)[:3])


def _is_digits(page: Page, element: int) -> bool:
    first, last = page.elements.first.item(element), page.elements.last.item(element)
    if first >= last:
        return True
    start, end = page.runs.text_start.item(first), page.runs.text_end.item(last - 1)
    return _DIGITS.match(page.text, start, end) is not None


def _is_lines(page: Page, element: int) -> bool:
    """Return whether an element is made of lines that are elements."""
    some = children(page, element)
    for _ in range(_HIGHEST):
        if len(some) != 1:
            break
        some = children(page, some[0])
    found = [one for one in some[:40] if not is_furniture(page, one)]
    return len(found) > 1 and all(LINE.search(classes_of(page, one)) for one in found)


def _belongs(page: Page, around: int, root: int) -> bool:
    """Return whether an element around code holds nothing else but labels, numbers and buttons."""
    names = classes_of(page, around)
    name = tag_of(page, around)
    if name in ("body", "html", "article", "main", "li", "blockquote", "dd"):
        return False
    same = all(column.item(around) == column.item(root) for column in (page.elements.first, page.elements.last))
    if same and name in ("div", "td", "figure", "section", "span"):
        return True
    is_own = bool(_AROUND.search(names)) or bool(EDITORS.search(names))
    is_cell = name in ("td", "tr", "tbody", "table", "figure")
    if not (is_own or is_cell):
        return False
    size = sum(
        len(text_of(page, child)) for child in children(page, around) if child != root and not _has_code(page, child)
    )
    if size > _BESIDE and not all(
        is_furniture(page, child) or _is_digits(page, child) or _has_code(page, child)
        for child in children(page, around)
        if child != root
    ):
        return False
    if is_cell and not is_own:
        return all(
            one == root
            or is_furniture(page, one)
            or _is_digits(page, one)
            or (tag_of(page, one) == "figcaption" and len(text_of(page, one)) <= _BESIDE)
            for one in children(page, around)
        )
    bodies = [one for one in _pres(page, around) if not _is_digits(page, one)]
    return len(bodies) <= 1 or EDITORS.search(names) is not None or "crayon" in names or "codemirror" in names


def _pres(page: Page, root: int) -> list[int]:
    within = inside(page, root)
    places = np.flatnonzero(among(page.elements.tag[within.start : within.stop], _PRES))
    found: list[int] = (places + within.start).tolist()
    return found


def _has_code(page: Page, element: int) -> bool:
    tag = page.elements.tag
    return tag.item(element) in PRE or bool(EDITORS.search(classes_of(page, element)))


def _in_cell(units: FoundUnits, root: int) -> bool:
    """Return whether code stands in a table that says more than the code."""
    tables, parent = units.places.tables, units.page.elements.parent
    at = parent.item(root) if tables else 0
    while at > 0 and at not in tables:
        at = parent.item(at)
    return bool(at > 0)


def _bodies(page: Page, root: int) -> Iterator[int]:
    """Yield the elements that hold the code: the root, or what in it is neither a gutter nor a label."""
    tag = page.elements.tag
    if tag.item(root) in PRE:
        yield root
        return
    some = _pres(page, root)
    if (
        some
        and not EDITORS.search(classes_of(page, root))
        and not any("codemirror-line" in classes_of(page, one) for one in some)
    ):
        # In document order, an element contains others of the list if it contains the next.
        nexts = [*some[1:], len(page.elements.tag)]
        real = [one for one, after in zip(some, nexts, strict=True) if after >= inside(page, one).stop]
        real = [one for one in real if not _is_digits(page, one)]
        if real:
            yield from real
            return
    editor = next((place for place, told in enumerate(signs(page, root)) if told & EDITOR), -1)
    yield root + 1 + editor if editor >= 0 else root


def _language(page: Page, root: int) -> str:
    """Return the language of code: of class names and attributes, then of labels and file names."""
    behind = min(inside(page, root).stop, root + 201)
    numbers = page.elements.tag[root:behind].tolist()
    near = [root + place for place, number in enumerate(numbers) if number in _TELLING][:24]
    around = page.elements.parent.item(root)
    for some in (near[:3], near[3:], [around] if around > 0 else []):
        for tag in start_tags(page, some):
            if told := _language_of(tag):
                return told
    return _labelled(page, root, around)


@lru_cache(maxsize=4096)
def _language_of(tag: str) -> str:
    """Return the language that a start tag tells."""
    found = attributes(tag)
    for name in _NAMED:
        if found.get(name, "").strip() and (told := _clean(found[name])):
            return told
    names = (found.get("class", "") + " " + found.get("data-syntaxhighlighter-params", "")).lower()
    for pattern in (_LANGUAGE, _SPHINX):
        for match in pattern.finditer(names):
            if told := _clean(match[1]):
                return told
    if _CODE_TAG.match(tag):
        return next((word for word in names.split() if word in _ALONE), "")
    return ""


def _labelled(page: Page, root: int, around: int) -> str:
    tag, parent = page.elements.tag, page.elements.parent
    within = inside(page, root)[:60]
    beside = [
        one
        for one, start in zip(within, start_tags(page, within), strict=True)
        if signs_of(start) & LABELS and tag.item(one) not in PRE
    ]
    before = root - 1
    while before > around > 0 and parent.item(before) != around:
        before = parent.item(before)
    if before > around > 0 and signs_of(start_tag(page, before)) & LABELS:
        beside.append(before)
    for element in beside:
        said = text_of(page, element).strip()
        if 0 < len(said) < 60:
            low = said.lower()
            told = _SPOKEN.get(low, low if low in _ALONE else "")
            if not told and (match := _FILE.search(said)):
                told = _ENDINGS.get(match[1].lower(), "")
            if told:
                return told
    return ""


def _clean(name: str) -> str:
    told = name.strip().lower().strip("-:;{}.,")
    told = told.split()[0] if told.split() else ""
    told = told.removesuffix(";")
    return "" if told in _NONE or told.isdigit() else _SPOKEN.get(told, told)
