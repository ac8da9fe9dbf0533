"""Extract code blocks from highlighters, editors and hand-written markup: every line, its indentation, the language.

The text is read from the source, because the page's text folds white space outside preformatted elements. Line numbers,
buttons and labels are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np

from tidings.article.model.blocks import Block, Inline, Kind
from tidings.article.units.code_lines import (
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
from tidings.article.units.units import (
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
#: Class names of wrappers around `pre` that belong to the code.
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
#: Language names in labels that differ from the names of highlighters.
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
#: The number of ancestors of `pre` that are checked as wrappers.
_HIGHEST: Final = 6
#: The maximum length of a label, file name or button next to the code.
_BESIDE: Final = 120


def find_code(units: FoundUnits) -> None:
    """Find the code blocks in the selected text."""
    page = units.page
    behind = -1
    roots: dict[int, int | None] = page.memo.setdefault(_root, {})
    blocks: dict[int, Block | None] = page.memo.setdefault(find_code, {})  # posts of a thread are read twice
    for element in named(units, "code"):
        if element < behind:
            continue
        root = roots[element] if element in roots else roots.setdefault(element, _root(page, element))
        if root is None:
            continue
        first, last = units.runs(root)
        behind = max(behind, inside(page, root).stop)
        if first >= last or any_set(units.claimed[first:last]) or page.runs.hidden[first:last].all():
            continue
        if _in_cell(units, root) or not units.is_kept(first, last, root if _has_block_lines(page, first, last) else 0):
            if not _in_cell(units, root) and any_set(units.chosen[first:last]) and page.elements.tag.item(root) in PRE:
                units.leave(first, last)
            continue
        block = blocks[root] if root in blocks else blocks.setdefault(root, _block(page, root))
        if block is not None:
            units.becomes(first, last, block)


def _block(page: Page, root: int) -> Block | None:
    """Return the block of a code element; None if it is empty."""
    text = "\n".join(part for part in map(code_text, [page] * 99, _bodies(page, root)) if part.strip("\n"))
    text = _trimmed(text)
    return Block(Kind.PREFORMATTED, (Inline(text),), language=_language(page, root)) if text else None


def _has_block_lines(page: Page, first: int, last: int) -> bool:
    """Return whether the lines of code are separate blocks, which the extractor judged one by one."""
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
    """Return the outermost element that holds only this code; None for inline code."""
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
        parent = page.elements.parent.item(root)
        if parent <= 0 or not _is_wrapper(page, parent, root):
            break
        root = parent
    return root


def _is_gutter(page: Page, element: int) -> bool:
    """Return whether preformatted text is only line numbers."""
    if not _is_digits(page, element):
        return False
    element_at = element
    for _ in range(3):
        if NO_CODE.search(classes_of(page, element_at)):
            return True
        element_at = page.elements.parent.item(element_at)
    return any(NO_CODE.search(classes_of(page, inner)) for inner in inside(page, element)[:3])


def _is_digits(page: Page, element: int) -> bool:
    first, last = page.elements.first.item(element), page.elements.last.item(element)
    if first >= last:
        return True
    start, end = page.runs.text_start.item(first), page.runs.text_end.item(last - 1)
    return _DIGITS.match(page.text, start, end) is not None


def _is_lines(page: Page, element: int) -> bool:
    """Return whether the children of an element are lines of code."""
    child_elements = children(page, element)
    for _ in range(_HIGHEST):
        if len(child_elements) != 1:
            break
        child_elements = children(page, child_elements[0])
    lines = [child for child in child_elements[:40] if not is_furniture(page, child)]
    return len(lines) > 1 and all(LINE.search(classes_of(page, child)) for child in lines)


def _is_wrapper(page: Page, ancestor: int, root: int) -> bool:
    """Return whether an ancestor of code holds nothing else but labels, line numbers and buttons."""
    names = classes_of(page, ancestor)
    name = tag_of(page, ancestor)
    if name in ("body", "html", "article", "main", "li", "blockquote", "dd"):
        return False
    has_same_runs = all(
        column.item(ancestor) == column.item(root) for column in (page.elements.first, page.elements.last)
    )
    if has_same_runs and name in ("div", "td", "figure", "section", "span"):
        return True
    is_own = bool(_AROUND.search(names)) or bool(EDITORS.search(names))
    is_cell = name in ("td", "tr", "tbody", "table", "figure")
    if not (is_own or is_cell):
        return False
    size = sum(
        len(text_of(page, child)) for child in children(page, ancestor) if child != root and not _has_code(page, child)
    )
    if size > _BESIDE and not all(
        is_furniture(page, child) or _is_digits(page, child) or _has_code(page, child)
        for child in children(page, ancestor)
        if child != root
    ):
        return False
    if is_cell and not is_own:
        return all(
            child == root
            or is_furniture(page, child)
            or _is_digits(page, child)
            or (tag_of(page, child) == "figcaption" and len(text_of(page, child)) <= _BESIDE)
            for child in children(page, ancestor)
        )
    bodies = [child for child in _pres(page, ancestor) if not _is_digits(page, child)]
    return len(bodies) <= 1 or EDITORS.search(names) is not None or "crayon" in names or "codemirror" in names


def _pres(page: Page, root: int) -> list[int]:
    descendants = inside(page, root)
    indices = np.flatnonzero(among(page.elements.tag[descendants.start : descendants.stop], _PRES))
    elements: list[int] = (indices + descendants.start).tolist()
    return elements


def _has_code(page: Page, element: int) -> bool:
    tag = page.elements.tag
    return tag.item(element) in PRE or bool(EDITORS.search(classes_of(page, element)))


def _in_cell(units: FoundUnits, root: int) -> bool:
    """Return whether code is in a cell of a data table."""
    tables, parent = units.places.tables, units.page.elements.parent
    at = parent.item(root) if tables else 0
    while at > 0 and at not in tables:
        at = parent.item(at)
    return bool(at > 0)


def _bodies(page: Page, root: int) -> Iterator[int]:
    """Yield the elements that hold the code itself: the root, or its parts other than gutters and labels."""
    tag = page.elements.tag
    if tag.item(root) in PRE:
        yield root
        return
    candidates = _pres(page, root)
    if (
        candidates
        and not EDITORS.search(classes_of(page, root))
        and not any("codemirror-line" in classes_of(page, candidate) for candidate in candidates)
    ):
        # In document order, an element contains others of the list if it contains the next.
        nexts = [*candidates[1:], len(page.elements.tag)]
        outer = [
            candidate
            for candidate, after in zip(candidates, nexts, strict=True)
            if after >= inside(page, candidate).stop
        ]
        outer = [candidate for candidate in outer if not _is_digits(page, candidate)]
        if outer:
            yield from outer
            return
    editor = next((place for place, bits in enumerate(signs(page, root)) if bits & EDITOR), -1)
    yield root + 1 + editor if editor >= 0 else root


def _language(page: Page, root: int) -> str:
    """Return the language of code, from class names and attributes, then from labels and file names."""
    behind = min(inside(page, root).stop, root + 201)
    numbers = page.elements.tag[root:behind].tolist()
    near = [root + place for place, number in enumerate(numbers) if number in _TELLING][:24]
    parent = page.elements.parent.item(root)
    for candidates in (near[:3], near[3:], [parent] if parent > 0 else []):
        for tag in start_tags(page, candidates):
            if language := _language_of(tag):
                return language
    return _language_from_labels(page, root, parent)


@lru_cache(maxsize=4096)
def _language_of(tag: str) -> str:
    """Return the language in a start tag; empty if there is none."""
    values = attributes(tag)
    for name in _NAMED:
        if values.get(name, "").strip() and (language := _clean(values[name])):
            return language
    names = (values.get("class", "") + " " + values.get("data-syntaxhighlighter-params", "")).lower()
    for pattern in (_LANGUAGE, _SPHINX):
        for match in pattern.finditer(names):
            if language := _clean(match[1]):
                return language
    if _CODE_TAG.match(tag):
        return next((word for word in names.split() if word in _ALONE), "")
    return ""


def _language_from_labels(page: Page, root: int, parent: int) -> str:
    tag, parents = page.elements.tag, page.elements.parent
    descendants = inside(page, root)[:60]
    labels = [
        element
        for element, start in zip(descendants, start_tags(page, descendants), strict=True)
        if signs_of(start) & LABELS and tag.item(element) not in PRE
    ]
    before = root - 1
    while before > parent > 0 and parents.item(before) != parent:
        before = parents.item(before)
    if before > parent > 0 and signs_of(start_tag(page, before)) & LABELS:
        labels.append(before)
    for element in labels:
        label = text_of(page, element).strip()
        if 0 < len(label) < 60:
            lower_label = label.lower()
            language = _SPOKEN.get(lower_label, lower_label if lower_label in _ALONE else "")
            if not language and (match := _FILE.search(label)):
                language = _ENDINGS.get(match[1].lower(), "")
            if language:
                return language
    return ""


def _clean(name: str) -> str:
    cleaned = name.strip().lower().strip("-:;{}.,")
    cleaned = cleaned.split()[0] if cleaned.split() else ""
    cleaned = cleaned.removesuffix(";")
    return "" if cleaned in _NONE or cleaned.isdigit() else _SPOKEN.get(cleaned, cleaned)
