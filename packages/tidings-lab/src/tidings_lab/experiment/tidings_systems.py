"""Extractors of Tidings as systems: text and fields of the article that they extract."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import tidings
from tidings import reading
from tidings.article import Article
from tidings.errors import InputError
from tidings.extractors import DEFAULT, Extractor, extractor
from tidings.extractors.learned import Learned
from tidings.extractors.registry import needs_siblings
from tidings_lab.experiment.code_digest import digest
from tidings_lab.experiment.systems import Document, Reading, iso
from tidings_lab.learners.site_folds import fold_of

_READING = "tidings.reading"
#: File names of models that were trained without a fold of sites.
_OF_FOLDS: Final = "without-fold-*.npz"


@dataclass(frozen=True, slots=True)
class Extraction:
    """A system that extracts articles with an extractor."""

    name: str
    extractor: Extractor

    @property
    def identity(self) -> str:
        """Return all parameters, and the code of the extractor and its members."""
        return f"{self.name} {_parameters(self.extractor)} {digest({_READING, *_modules(self.extractor)})}"

    @property
    def shares_page(self) -> bool:
        """Return True, because the system works on a `Page`."""
        return True

    @property
    def needs_siblings(self) -> bool:
        """Return whether the extractor compares the page with other pages of its site."""
        return needs_siblings(self.extractor)

    def __call__(self, document: Document, /) -> Reading:
        """Return the extracted article."""
        return _reading(reading.read(document.page, self.extractor), document)


@dataclass(frozen=True, slots=True)
class Default:
    """The default extraction, `tidings.extract`."""

    name: str = "default"

    @property
    def identity(self) -> str:
        """Return the current default extractor, and all its code."""
        chosen = extractor(DEFAULT)
        return f"{self.name} {DEFAULT} {_parameters(chosen)} {digest({_READING, *_modules(chosen)})}"

    @property
    def shares_page(self) -> bool:
        """Return True, because the system works on a `Page`."""
        return True

    def __call__(self, document: Document, /) -> Reading:
        """Return the extracted article."""
        return _reading(tidings.extract(document.page), document)


@dataclass(frozen=True, slots=True)
class OtherSites:
    """The default extractor with cross-validation models: each page is read by the model not trained on its site."""

    name: str
    models: tuple[Path, ...]

    @classmethod
    def of_folder(cls, folder: Path) -> OtherSites:
        """Create from a folder of models, made by `tidings lab train default --folds N` or `train confidence`.

        Raises:
            InputError: there are none, or one is missing.
        """
        models = tuple(folder / f"without-fold-{out}.npz" for out in range(len(list(folder.glob(_OF_FOLDS)))))
        if len(models) < 2 or not all(model.is_file() for model in models):
            raise InputError(f"{folder} has no models of folds; `tidings lab train default --folds 4` leaves some")
        return cls(f"unseen({folder})", models)

    @property
    def identity(self) -> str:
        """Return the models, independent of their folder, and the code that uses them."""
        models = " ".join(sha256(model.read_bytes()).hexdigest() for model in self.models)
        return f"unseen {models} {digest({_READING, Learned.__module__})}"

    @property
    def shares_page(self) -> bool:
        """Return True, because the system works on a `Page`."""
        return True

    def __call__(self, document: Document, /) -> Reading:
        """Return the extracted article."""
        model = self.models[fold_of(document.site, len(self.models))]
        return _reading(reading.read(document.page, Learned(model=str(model))), document)


def _reading(article: Article, document: Document) -> Reading:
    # Ground truth and other extractors have one date: the date of change if no other is declared.
    date = iso(article.published_as_stated or article.modified_as_stated)
    markdown = article.markdown(headline=False) if document.wants_markdown else ""
    return Reading(article.text, article.title, article.authors, date, markdown)


def _parameters(extractor: Extractor) -> str:
    """Return the parameters of an extractor as text, without memory addresses of objects."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(extractor))


def _modules(part: object) -> Iterator[str]:
    """Yield the modules of an extractor and of all its members."""
    if isinstance(part, tuple | list):
        for member in part:
            yield from _modules(member)
    elif dataclasses.is_dataclass(part):
        yield type(part).__module__
        for field in dataclasses.fields(part):
            yield from _modules(getattr(part, field.name))
    elif callable(part) and hasattr(part, "__module__"):
        yield part.__module__
