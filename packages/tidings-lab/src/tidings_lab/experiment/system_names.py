"""Names of systems: extractors and combinations, other projects' extractors, and your own code.

    default                        the default extraction, `tidings.extract`
    unseen(default.folds)          the same with models that were not trained on the page's site, from a folder
    dana, n-ext(beta=0.4)          extractors and combinations
    trafilatura                    another project's extractor
    trafilatura-markdown           one that writes Markdown; also html-to-markdown and defuddle-markdown
    all, peers                     every registered extractor, every extractor of other projects
    mine:SealFinder                your own extractor or system, from an importable module

"Peers" are extractors of other projects (`peers` and `node_peers`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from tidings.errors import InputError, UnknownExtractor
from tidings.extractors import Extractor, entries, extractor
from tidings.extractors.registry import is_expression
from tidings_lab.experiment.node_peers import MARKDOWN_NODE_PEERS, NODE_PEERS
from tidings_lab.experiment.peers import MARKDOWN_PEERS, PEERS
from tidings_lab.experiment.systems import System
from tidings_lab.experiment.tidings_systems import Default, Extraction, OtherSites

_FOLDER: Final = re.compile(r"unseen\((?P<folder>[^()]+)\)")
DEFAULT_NAME: Final = "default"
_ALL, _PEERS = "all", "peers"


def find(names: Iterable[str]) -> tuple[System, ...]:
    """Return the distinct systems with these names, in order.

    Raises:
        UnknownExtractor: a name is neither an extractor's nor another project's.
        BadExpression: a combination is invalid.
        InputError: your own code cannot be imported.
    """
    systems = {system.name: system for name in names for system in _systems_of(name.strip())}
    return tuple(systems.values())


def split(text: str) -> list[str]:
    """Split a text at commas outside of parentheses."""
    names, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            names.append(text[start:place])
            start = place + 1
    return [name.strip() for name in (*names, text[start:]) if name.strip()]


def _systems_of(name: str) -> Iterator[System]:
    markdown_peers: dict[str, System] = {**MARKDOWN_PEERS, **MARKDOWN_NODE_PEERS}
    if name == DEFAULT_NAME:
        yield Default()
    elif (folds := _FOLDER.fullmatch(name)) is not None:
        yield OtherSites.of_folder(Path(folds["folder"].strip()))
    elif name == _ALL:
        yield from (Extraction(entry.name, entry.make()) for entry in entries())
    elif name == _PEERS:
        yield from PEERS.values()
        yield from (peer for peer in NODE_PEERS.values() if peer.is_installed)
    elif name in PEERS:
        yield PEERS[name]
    elif name in NODE_PEERS:
        yield NODE_PEERS[name]
    elif name in markdown_peers:
        yield markdown_peers[name]
    elif ":" in name:
        yield _own(name)
    elif is_expression(name) or name in {entry.name for entry in entries(laid_out=True)}:
        yield Extraction(name, extractor(name))
    else:
        known = (DEFAULT_NAME, _ALL, _PEERS, *PEERS, *NODE_PEERS, *markdown_peers)
        known += tuple(entry.name for entry in entries(laid_out=True))
        raise UnknownExtractor(name, known)


def _own(name: str) -> System:
    module, _, attribute_name = name.partition(":")
    try:
        attribute = getattr(import_module(module), attribute_name)
        instance = attribute() if isinstance(attribute, type) else attribute
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be used: {error}; write it as module:name, as in mine:SealFinder") from error
    if hasattr(instance, "identity") and hasattr(instance, "shares_page"):
        system: System = instance
        return system
    if not callable(instance):
        raise InputError(f"{name} is no extractor: it cannot be called with a page")
    method: Extractor = instance
    return Extraction(name, method)
