"""A page with the chosen text marked on it, as one HTML file that needs nothing else.

The page itself is shown in a sandboxed frame without scripts, with a policy that loads nothing: no script of it runs,
nothing is fetched, whatever the page holds.

`inert` is the source of a page without what would run or be asked for. The sandbox and its policy are what keeps such a
frame safe. But a browser connects to the host of a frame inside it before the policy stops that, and complains aloud of
everything else it has to stop; so these are not even tried. Text and styles stay as they are.
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
#: What would be shown instead of what was meant to be loaded.
HIDDEN: Final = "no-video,no-audio,no-iframe,no-object"


def inert(source: str) -> str:
    """Return the source of a page that asks for nothing: void elements become one that is nothing, others one
    unknown.
    """
    without = _SCRIPTS.sub(" ", source)  # a space, so that nothing new is put together
    unloaded = _LOADING.sub(r"<\1no-", _VOID.sub("<wbr", without))
    return _STYLED.sub(lambda found: _IN_STYLES.sub(_nowhere, found[0]), unloaded)


def _nowhere(found: re.Match[str]) -> str:
    return "@no-" if found[1] else "url(#"


#: Inside the frame: no scripts, no requests; inline styles and inline pictures only.
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
_MARK_STYLE: Final = (
    "mark.tidings{background:#ffe066!important;color:#111!important;box-shadow:0 0 0 2px #ffe066;"
    "border-radius:1px;visibility:visible!important}"
)
#: Pictures cannot load; their empty boxes would push the text out of sight.
NO_PICTURES: Final = f'img:not([src^="data:"]),video,audio,iframe,embed,object,{HIDDEN}{{display:none!important}}'
_STYLE: Final = Path(__file__).with_name("draw.css").read_text("utf-8")


def marked_source(page: Page, spans: Spans) -> str:
    """Return the page's source with `<mark class="tidings">` around every chosen piece of text."""
    parts: list[str] = []
    done = 0
    for start, end in spans.source_ranges(page):
        parts += [page.source[done:start], '<mark class="tidings">', page.source[start:end], "</mark>"]
        done = end
    parts.append(page.source[done:])
    return "".join(parts)


def marked_document(page: Page, spans: Spans) -> str:
    """Return the page with the chosen text marked, as a document that loads nothing; for a sandboxed frame only."""
    head = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><style>{_MARK_STYLE}{NO_PICTURES}</style>'
    # The policy must come before anything of the page; a doctype after it is ignored, so it is put in front.
    return f"<!DOCTYPE html>{head}{inert(marked_source(page, spans))}"


def framed(page: Page, spans: Spans, title: str = "the page") -> str:
    """Return an `<iframe>` that shows the page with the chosen text marked, and can do nothing else."""
    document = escape(marked_document(page, spans))
    return f'<iframe sandbox="allow-same-origin" title="{escape(title)}" srcdoc="{document}"></iframe>'


def draw(page: Page, spans: Spans, name: str, facts: Mapping[str, str] | None = None) -> str:
    """Return a self-contained HTML document: what was chosen by whom, and the page with it marked."""
    kept = len(spans.words(page))
    total = len(page.visible.words(page))
    shown = {
        "extractor": name,
        "words kept": f"{kept} of {total}",
        "blocks": f"{spans.blocks(page).sum()} of {len(page.blocks)}",
    }
    rows = "".join(
        f"<div><dt>{escape(key)}</dt><dd>{escape(value)}</dd></div>"
        for key, value in {**shown, **(facts or {})}.items()
    )
    where = escape(page.url or "page")
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)} on {where}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head><body>'
        f'<header><h1>{where}</h1><span class="key">kept</span><dl>{rows}</dl></header>'
        f"{framed(page, spans)}</body></html>"
    )
