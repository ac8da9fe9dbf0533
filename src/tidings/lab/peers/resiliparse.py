"""Resiliparse: fast rules on its own parser (Lexbor)."""

from __future__ import annotations

from tidings.lab.experiment.systems import Reading


def read(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """The main content as plain text, and the title element."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(data, detect_encoding(data))
    text = extract_plain_text(tree, main_content=True, alt_texts=False, links=False)
    return Reading(text, tree.title or "")
