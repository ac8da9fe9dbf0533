"""Systems by the names that people write: extractors and combinations, peers, and code of one's own.

default                        what `tidings.extract` does
dana, n-ext(beta=0.4)          extractors and combinations, as everywhere else
trafilatura                    a peer
all, peers                     every registered extractor, every peer
mine:SealFinder                an extractor, or a system, from a module that Python finds
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Final

from tidings.errors import InputError, UnknownExtractor
from tidings.extractors import Extractor, entries, extractor
from tidings.extractors.expression import is_expression
from tidings.lab.experiment.ours import Default, Extraction
from tidings.lab.experiment.systems import System

DEFAULT_NAME: Final = "default"
_ALL, _PEERS = "all", "peers"


def find(names: Iterable[str]) -> tuple[System, ...]:
    """The systems that the names stand for, each once, in order.

    Raises:
        UnknownExtractor: a name is neither an extractor's nor a peer's.
        BadExpression: a combination cannot be read.
        InputError: code of one's own cannot be imported.
    """
    found = {system.name: system for name in names for system in _stands_for(name.strip())}
    return tuple(found.values())


def split(text: str) -> list[str]:
    """Names between commas; a comma inside parentheses is part of a name."""
    names, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            names.append(text[start:place])
            start = place + 1
    return [name.strip() for name in (*names, text[start:]) if name.strip()]


def _stands_for(name: str) -> Iterator[System]:
    from tidings.lab.peers import PEERS  # peers are systems, and so know of this package

    if name == DEFAULT_NAME:
        yield Default()
    elif name == _ALL:
        yield from (Extraction(entry.name, entry.make()) for entry in entries())
    elif name == _PEERS:
        yield from PEERS.values()
    elif name in PEERS:
        yield PEERS[name]
    elif ":" in name:
        yield _own(name)
    elif is_expression(name) or name in {entry.name for entry in entries(laid_out=True)}:
        yield Extraction(name, extractor(name))
    else:
        known = (DEFAULT_NAME, _ALL, _PEERS, *PEERS, *(entry.name for entry in entries(laid_out=True)))
        raise UnknownExtractor(name, known)


def _own(name: str) -> System:
    module, _, inside = name.partition(":")
    try:
        found = getattr(import_module(module), inside)
        made = found() if isinstance(found, type) else found
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be used: {error}; write it as module:name, as in mine:SealFinder") from error
    if hasattr(made, "identity") and hasattr(made, "shares_page"):
        system: System = made
        return system
    if not callable(made):
        raise InputError(f"{name} is no extractor: it cannot be called with a page")
    method: Extractor = made
    return Extraction(name, method)
