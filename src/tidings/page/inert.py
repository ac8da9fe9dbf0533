"""The source of a page without what would run or be asked for, for showing the page in a sandboxed frame.

The sandbox and its policy are what keeps such a frame safe. But a browser connects to the host of a frame inside it
before the policy stops that, and complains aloud of everything else it has to stop; so these are not even tried. Text
and styles stay as they are.
"""

from __future__ import annotations

import re
from typing import Final

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
    """The source of a page that asks for nothing: void elements become one that is nothing, others one unknown."""
    without = _SCRIPTS.sub(" ", source)  # a space, so that nothing new is put together
    unloaded = _LOADING.sub(r"<\1no-", _VOID.sub("<wbr", without))
    return _STYLED.sub(lambda found: _IN_STYLES.sub(_nowhere, found[0]), unloaded)


def _nowhere(found: re.Match[str]) -> str:
    return "@no-" if found[1] else "url(#"
