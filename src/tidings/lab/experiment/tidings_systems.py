"""Tidings' own extractors as systems: the text and fields of the article that a reader of the page would get.

Systems by the names that people write: extractors and combinations, peers, and code of one's own.

default                        what `tidings.extract` does
dana, n-ext(beta=0.4)          extractors and combinations, as everywhere else
trafilatura                    a peer
trafilatura-markdown           one that writes Markdown; so do html-to-markdown and defuddle-markdown
all, peers                     every registered extractor, every peer
mine:SealFinder                an extractor, or a system, from a module that Python finds
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Final

import tidings
from tidings import reading
from tidings.article import Article
from tidings.errors import InputError, UnknownExtractor
from tidings.extractors import DEFAULT, Extractor, entries, extractor
from tidings.extractors.registry import is_expression, needs_siblings
from tidings.lab.experiment.cache import digest
from tidings.lab.experiment.systems import Document, Reading, System, iso

_READING = "tidings.reading"


@dataclass(frozen=True, slots=True)
class Extraction:
    """An extractor, and the article that is made of what it keeps."""

    name: str
    extractor: Extractor

    @property
    def identity(self) -> str:
        """All its parameters, and the code of it and of what it is made of."""
        return f"{self.name} {_parameters(self.extractor)} {digest({_READING, *_modules(self.extractor)})}"

    @property
    def shares_page(self) -> bool:
        """It works on a `Page`."""
        return True

    @property
    def needs_siblings(self) -> bool:
        """Whether it compares the page with others of its site."""
        return needs_siblings(self.extractor)

    def __call__(self, document: Document, /) -> Reading:
        """The article on the page."""
        return _reading(reading.read(document.page, self.extractor), document)


@dataclass(frozen=True, slots=True)
class Default:
    """What `tidings.extract` does when nothing else is asked for."""

    name: str = "default"

    @property
    def identity(self) -> str:
        """The extractor that is the default now, and the code of all of it."""
        chosen = extractor(DEFAULT)
        return f"{self.name} {DEFAULT} {_parameters(chosen)} {digest({_READING, *_modules(chosen)})}"

    @property
    def shares_page(self) -> bool:
        """It works on a `Page`."""
        return True

    def __call__(self, document: Document, /) -> Reading:
        """The article on the page."""
        return _reading(tidings.extract(document.page), document)


def _reading(article: Article, document: Document) -> Reading:
    # One date, as gold and the peers have: where a page tells only when it was changed, that one.
    told = iso(article.published_told or article.modified_told)
    markdown = article.markdown(headline=False) if document.wants_markdown else ""
    return Reading(article.text, article.title, article.authors, told, markdown)


def _parameters(extractor: Extractor) -> str:
    """What it was made with. Where an object lies in memory is not part of it."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(extractor))


def _modules(part: object) -> Iterator[str]:
    """The modules of an extractor and of everything it is made of."""
    if isinstance(part, tuple | list):
        for one in part:
            yield from _modules(one)
    elif dataclasses.is_dataclass(part):
        yield type(part).__module__
        for field in dataclasses.fields(part):
            yield from _modules(getattr(part, field.name))
    elif callable(part) and hasattr(part, "__module__"):
        yield part.__module__


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
    from tidings.lab.experiment.node_peers import MARKDOWN_NODE_PEERS, NODE_PEERS  # peers know of this package
    from tidings.lab.experiment.systems import MARKDOWN_PEERS, PEERS

    writing: dict[str, System] = {**MARKDOWN_PEERS, **MARKDOWN_NODE_PEERS}
    if name == DEFAULT_NAME:
        yield Default()
    elif name == _ALL:
        yield from (Extraction(entry.name, entry.make()) for entry in entries())
    elif name == _PEERS:
        yield from PEERS.values()
        yield from (peer for peer in NODE_PEERS.values() if peer.is_installed)
    elif name in PEERS:
        yield PEERS[name]
    elif name in NODE_PEERS:
        yield NODE_PEERS[name]
    elif name in writing:
        yield writing[name]
    elif ":" in name:
        yield _own(name)
    elif is_expression(name) or name in {entry.name for entry in entries(laid_out=True)}:
        yield Extraction(name, extractor(name))
    else:
        known = (DEFAULT_NAME, _ALL, _PEERS, *PEERS, *NODE_PEERS, *writing)
        known += tuple(entry.name for entry in entries(laid_out=True))
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
