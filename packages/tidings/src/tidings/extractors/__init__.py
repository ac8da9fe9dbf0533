"""Content extractors: each is a function from a page to ranges of its text.

`published` has one module per publication; a module changes only to follow its paper more closely. `learned` is the
default extractor. `registry` lists all names, `combine` and `expression` build extractors from several others. The
contract tests and the accuracy floors (`tidings lab gate`) check every change.
"""

from __future__ import annotations

from tidings.extractors.registry import DEFAULT, Entry, Extractor, entries, is_expression, register, registered


def extractor(name: str) -> Extractor:
    """Return the extractor with this name and its published parameters, or the combination that an expression
    describes.

    Raises:
        UnknownExtractor: no extractor has that name; the message lists the nearest ones.
        BadExpression: the expression is invalid; the message shows where.
    """
    if not is_expression(name):
        return registered(name)
    from tidings.extractors.expression import parse  # most ask for a plain name

    return parse(name)


__all__ = ["DEFAULT", "Entry", "Extractor", "entries", "extractor", "register"]
