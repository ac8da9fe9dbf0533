"""A page with the selected text highlighted, as a self-contained HTML file.

The page is in a sandboxed frame without scripts, with a policy that loads nothing. `inert` removes from its source what
would run or load. Sandbox and policy already make the frame safe, but a browser connects to the host of a nested frame
before the policy stops it, and logs everything else that it blocks. Text and styles are unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final

from tidings.page.page import Page
from tidings.page.spans import Spans

_SCRIPTS: Final = re.compile(r"<script\b(?s:.*?)(?:</script\s*>|\Z)", re.IGNORECASE)
_VOID: Final = re.compile(r"<(?:link|meta|base|frame|embed|img|source|track)\b", re.IGNORECASE)
_LOADING: Final = re.compile(
    r"<(/?)(?=(?:iframe|frameset|fencedframe|object|portal|video|audio|image|use)\b)", re.IGNORECASE
)
_STYLED: Final = re.compile(r"""<style\b(?s:.*?)(?:</style\s*>|\Z)|\sstyle\s*=\s*(?:"[^"]*"|'[^']*')""", re.IGNORECASE)
_IN_STYLES: Final = re.compile(r"(@)(?=import)|(url\(\s*)(?![\s#]|[\"']?data:)", re.IGNORECASE)
#: Replaced elements, whose fallback content would be visible.
HIDDEN: Final = "no-video,no-audio,no-iframe,no-object"


def inert(source: str) -> str:
    """Remove scripts and everything that loads resources from the source of a page."""
    without = _SCRIPTS.sub(" ", source)  # a space, so that the parts do not join to a new tag
    unloaded = _LOADING.sub(r"<\1no-", _VOID.sub("<wbr", without))
    return _STYLED.sub(lambda match: _IN_STYLES.sub(_without_target, match[0]), unloaded)


def _without_target(match: re.Match[str]) -> str:
    return "@no-" if match[1] else "url(#"


#: Policy of the frame: no scripts, no requests; only inline styles and pictures.
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
_MARK_STYLE: Final = (
    "mark.tidings{background:#ffe066!important;color:#111!important;box-shadow:0 0 0 2px #ffe066;"
    "border-radius:1px;visibility:visible!important}"
)
#: Pictures cannot load, and their empty boxes would push the text out of view.
NO_PICTURES: Final = f'img:not([src^="data:"]),video,audio,iframe,embed,object,{HIDDEN}{{display:none!important}}'
_STYLE: Final = Path(__file__).with_name("draw.css").read_text("utf-8")


def marked_source(page: Page, spans: Spans) -> str:
    """Return the page's source with `<mark class="tidings">` around all selected text."""
    parts: list[str] = []
    done = 0
    for start, end in spans.source_ranges(page):
        parts += [page.source[done:start], '<mark class="tidings">', page.source[start:end], "</mark>"]
        done = end
    parts.append(page.source[done:])
    return "".join(parts)


def marked_document(page: Page, spans: Spans) -> str:
    """Return the page with the selected text highlighted, as a document for a sandboxed frame."""
    head = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{_MARK_STYLE}{NO_PICTURES}</style>'
    # The policy must come before the page, and a doctype after it would be ignored, so it comes first.
    return f"<!DOCTYPE html>{head}{inert(marked_source(page, spans))}"


def framed(page: Page, spans: Spans, title: str = "the page") -> str:
    """Return an `<iframe>` that shows the page with the selected text highlighted, and can do nothing else."""
    document = escape(marked_document(page, spans))
    return f'<iframe sandbox="allow-same-origin" title="{escape(title)}" srcdoc="{document}"></iframe>'


def draw(page: Page, spans: Spans, name: str, facts: Mapping[str, str] | None = None) -> str:
    """Return an HTML document with the page, the selected text highlighted, and facts about the selection."""
    selected_words = len(spans.words(page))
    total = len(page.visible.words(page))
    summary = {
        "extractor": name,
        "words selected": f"{selected_words} of {total}",
        "blocks": f"{spans.blocks(page).sum()} of {len(page.blocks)}",
    }
    rows = "".join(
        f"<div><dt>{escape(key)}</dt><dd>{escape(value)}</dd></div>"
        for key, value in {**summary, **(facts or {})}.items()
    )
    label = escape(page.url or "page")
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)} on {label}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head><body>'
        f'<header><h1>{label}</h1><span class="key">selected</span><dl>{rows}</dl></header>'
        f"{framed(page, spans)}</body></html>"
    )
