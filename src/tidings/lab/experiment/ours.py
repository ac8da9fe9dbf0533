"""Tidings' own extractors as systems: the text and fields of the article that a reader of the page would get."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass

import tidings
from tidings import reading
from tidings.article import Article
from tidings.extractors import DEFAULT, Extractor
from tidings.extractors import extractor as find
from tidings.lab.experiment.code import digest
from tidings.lab.experiment.systems import Document, Reading, iso

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

    def __call__(self, document: Document, /) -> Reading:
        """The article on the page."""
        return _reading(reading.read(document.page, self.extractor))


@dataclass(frozen=True, slots=True)
class Default:
    """What `tidings.extract` does when nothing else is asked for."""

    name: str = "default"

    @property
    def identity(self) -> str:
        """The extractor that is the default now, and the code of all of it."""
        chosen = find(DEFAULT)
        return f"{self.name} {DEFAULT} {_parameters(chosen)} {digest({_READING, *_modules(chosen)})}"

    @property
    def shares_page(self) -> bool:
        """It works on a `Page`."""
        return True

    def __call__(self, document: Document, /) -> Reading:
        """The article on the page."""
        return _reading(tidings.extract(document.page))


def _reading(article: Article) -> Reading:
    # One date, as gold and the peers have: where a page tells only when it was changed, that one.
    return Reading(article.text, article.title, article.authors, iso(article.published or article.modified))


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
