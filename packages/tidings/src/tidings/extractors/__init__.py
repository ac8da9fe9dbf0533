"""Extractors: each a function from a page to ranges of its text.

`published` has one module a publication, which changes only where it departs from its paper; `learned` is the default
and changes with its model; `registry` has the names, `combine` and `expression` what is made of several. Whatever
changes here is held by the contract suite and by the floors of the gate.
"""

from __future__ import annotations

from tidings.extractors.registry import DEFAULT, Entry, Extractor, entries, is_expression, register, registered


def extractor(name: str) -> Extractor:
    """Return the extractor of that name, with its published defaults, or the combination an expression stands for.

    Raises:
        UnknownExtractor: no extractor has that name; the message lists the nearest ones.
        BadExpression: the expression cannot be read; the message shows where.
    """
    if not is_expression(name):
        return registered(name)
    from tidings.extractors.expression import parse  # most ask for a plain name

    return parse(name)


__all__ = ["DEFAULT", "Entry", "Extractor", "entries", "extractor", "register"]
