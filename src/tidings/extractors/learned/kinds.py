"""What kind of page this is: article, forum, documentation, service, product, listing or collection.

A logistic regression over words (names of classes, the address, types that the page declares) and a few figures of the
page. The kinds are those of the corpus it is learned from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.learned.features import BlockFeatures
from tidings.extractors.learned.hashed_words import Hashes, hashed_words
from tidings.extractors.learned.lexicon import names
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.counts import code_points
from tidings.text import words as words_of

Floats = NDArray[np.float64]

#: Elements whose number tells kinds of pages apart.
_COUNTED: Final = tuple(
    tags.NUMBERS[name] for name in "h1 h2 h3 p li td a img form input button article time pre code video".split()
)
_LONGEST_ADDRESS: Final = 300


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """Weights of words and figures for each kind."""

    kinds: tuple[str, ...]
    word: tuple[str, ...]
    number: Hashes  # of the words, sorted; `word` is in the same order
    weight: NDArray[np.float32]  # words × kinds
    centre: Floats  # of the figures
    scale: Floats
    figure: Floats  # figures × kinds
    bias: Floats

    def chances(self, page: Page, found: BlockFeatures, chance: Floats) -> Floats:
        """The chance of each kind."""
        seen = word_numbers(page)
        place = np.minimum(np.searchsorted(self.number, seen), max(len(self.number) - 1, 0))
        known = place[self.number[place] == seen] if len(self.number) else place[:0]
        links = page.blocks.link_words[found.blocks]
        figures = (page_figures(element_counts(page), found.words, links, chance) - self.centre) / self.scale
        odds = self.weight[known].sum(axis=0) + figures @ self.figure + self.bias
        odds = np.exp(odds - odds.max())
        return np.asarray(odds / odds.sum())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights as arrays to be stored."""
        return {
            "kinds.kinds": np.array(self.kinds),
            "kinds.word": np.array(self.word),
            "kinds.weight": self.weight,
            "kinds.centre": self.centre,
            "kinds.scale": self.scale,
            "kinds.figure": self.figure,
            "kinds.bias": self.bias,
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Kinds:
        """From stored arrays.

        Raises:
            BadModel: an array is missing.
        """
        try:
            words = tuple(arrays["kinds.word"].tolist())
            numbers = hashed_words(code_points(" ".join(words))).number
            order = np.argsort(numbers, kind="stable")
            return cls(
                tuple(arrays["kinds.kinds"].tolist()),
                tuple(words[one] for one in order.tolist()),
                numbers[order],
                arrays["kinds.weight"][order],
                *(arrays[f"kinds.{name}"] for name in ("centre", "scale", "figure", "bias")),
            )
        except KeyError as missing:
            raise BadModel(f"the model file has no {missing}: train the model again") from None


def page_words(page: Page) -> list[str]:
    """The words a page is judged by, those of its address and its types marked as such."""
    declared = page.signals
    address = urlsplit(page.url[:_LONGEST_ADDRESS]) if page.url else None
    found = [f"url{word}" for word in words_of(unquote(f"{address.path} {address.query}"))] if address else []
    if address:
        found += [f"host{word}" for word in words_of(address.hostname or "")]
        found.append(f"depth{min(address.path.strip('/').count('/') + bool(address.path.strip('/')), 5)}")
    kinds = [thing.get("@type") for thing in declared.json_ld]
    found += [f"type{kind.lower()}" for kind in kinds if isinstance(kind, str)]
    found += [f"og{word}" for value in declared.all("og:type") for word in words_of(value)]
    return [word.replace("_", "") for word in found] + words_of(" ".join(names(page).told))


def word_numbers(page: Page) -> Hashes:
    """The numbers of a page's words, each once."""
    return np.unique(hashed_words(code_points(" ".join(page_words(page)))).number)


def element_counts(page: Page) -> Floats:
    """How many elements of telling kinds the page has, as logarithms."""
    counts = np.bincount(np.minimum(page.elements.tag, len(tags.NAMES)), minlength=len(tags.NAMES) + 1)
    return np.log1p(counts[list(_COUNTED)])


def page_figures(counts: Floats, words: Ints, links: Ints, chance: Floats) -> Floats:
    """Figures of the page: how much text, how much of it content, in how many pieces, beside which elements.

    Words, words in links, and the chance to be content are those of each visible block.
    """
    total, content = max(float(words.sum()), 1.0), float((words * chance).sum())
    likely = int((chance > 0.5).sum())
    figures = (
        np.log1p(total),
        np.log1p(content),
        content / total,
        float((np.minimum(chance, 1 - chance) * words).sum()) / max(content, 1.0),
        np.log1p(likely),
        np.log1p(content / max(likely, 1)),
        np.log1p(len(words)),
        float(links.sum()) / total,
    )
    return np.concatenate((figures, counts))
