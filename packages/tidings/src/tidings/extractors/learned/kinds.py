"""What kind of page this is: article, forum, documentation, service, product, listing or collection.

A logistic regression over words (names of classes, the address, types that the page declares) and a few figures of the
page. The kinds are those of the corpus it is learned from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import mul
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from tidings.core.page_kinds import KindWords
from tidings.errors import BadModel
from tidings.extractors.hashed_words import KnownWords, SpelledWords, stored_words
from tidings.fields.declared import declared
from tidings.page import Page, tags
from tidings.page.compiled import scanner
from tidings.text import words as words_of
from tidings.text.patterns import late_pattern
from tidings.urls import URL

if TYPE_CHECKING:
    from tidings.extractors.learned.blocks import VisibleBlocks

Floats = NDArray[np.float64]

#: Elements whose number tells kinds of pages apart.
_COUNTED: Final = np.array(
    [tags.NUMBERS[name] for name in "h1 h2 h3 p li td a img form input button article time pre code video".split()]
)
#: Figures that are shares, and no logarithms.
_SHARES: Final = slice(2, 4)
_LONGEST_ADDRESS: Final = 300
_DIGITS: Final = late_pattern(r"\d")
_DATED: Final = late_pattern(r"(?:19|20)\d\d[/_.-]?[01]?\d(?:[/_.-]|\d\d)")


@dataclass(frozen=True, eq=False)
class Kinds:
    """Weights of words and figures for each kind."""

    kinds: tuple[str, ...]
    spelled: bytes  # the words, with spaces between them
    known: KnownWords  # the same as numbers, in the same order
    weight: NDArray[np.float32]  # words × kinds
    centre: Floats  # of the figures
    scale: Floats
    figure: Floats  # figures × kinds
    bias: Floats

    def chances(self, page: Page) -> list[float]:
        """Return the probability of each kind.

        Raises:
            CoreMissing: there is no core.
            CoreError: the core failed on this page.
        """
        weighed, figures = _figures(page, self._compiled, " ".join(declared_words(page)))
        centre, scale, of_kinds, bias = self._plain
        scaled = [(one - middle) / width for one, middle, width in zip(figures, centre, scale, strict=True)]
        told = zip(weighed, of_kinds, bias, strict=True)
        odds = [words + math.fsum(map(mul, scaled, of_kind)) + own for words, of_kind, own in told]
        most = max(odds)
        odds = [math.exp(one - most) for one in odds]
        total = math.fsum(odds)
        return [one / total for one in odds]

    @cached_property
    def _plain(self) -> tuple[list[float], list[float], list[list[float]], list[float]]:
        """What figures are measured by, and what they weigh for each kind, as Python's own numbers."""
        return self.centre.tolist(), self.scale.tolist(), self.figure.T.tolist(), self.bias.tolist()

    @cached_property
    def _compiled(self) -> KindWords:
        """The words as the core holds them."""
        return KindWords(self.known.number, self.weight, _COUNTED)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays to be stored."""
        return stored_words("kinds", self.known, self.spelled) | {
            "kinds.kinds": np.array(self.kinds),
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
            known = SpelledWords.of_arrays("kinds", arrays)
            return cls(
                tuple(arrays["kinds.kinds"].tolist()),
                known.joined,
                KnownWords(known.numbers),
                arrays["kinds.weight"][known.order],
                *(arrays[f"kinds.{name}"] for name in ("centre", "scale", "figure", "bias")),
            )
        except KeyError as missing:
            raise BadModel(f"the model file has no {missing}: train the model again") from None


def declared_words(page: Page) -> list[str]:
    """Return the words of a page's address and of the types it declares, marked as such."""
    declared = page.signals
    found = _of_address(page.url[:_LONGEST_ADDRESS]) if page.url else []
    kinds = [thing.get("@type") for thing in declared.json_ld]
    found += [f"type{kind.lower()}" for kind in kinds if isinstance(kind, str)]
    for value in declared.named.get("og:type", ()):
        found += _of_type(value)
    return [word.replace("_", "") for word in found]


@lru_cache(256)  # nearly all pages say that they are an article or a website
def _of_type(value: str) -> list[str]:
    return [f"og{word}" for word in words_of(value)]


def _of_address(url: str) -> list[str]:
    """Return words of an address, and its shape: addresses of articles are long, hyphened, numbered or dated
    everywhere.
    """
    parts = URL.try_parse(url)
    if parts is None:
        return []
    path = unquote(parts.path)
    last = path.rstrip("/").rpartition("/")[2]
    steps = path.strip("/").count("/") + bool(path.strip("/"))
    shape = (
        f"depth{min(steps, 5)}",
        f"digits{min(len(_DIGITS.findall(path + parts.query)) // 2, 4)}",
        f"hyphens{min(last.count('-') + last.count('_'), 6) // 2}",
        f"length{min(len(path), 119) // 20}",
        f"dated{bool(_DATED.search(path))}",
        f"ending{path.rpartition('.')[2][:5] if '.' in last else 'none'}",
        f"query{bool(parts.query)}",
    )
    words = [f"url{word}" for word in words_of(f"{path} {parts.query}")]
    return [*words, *(f"host{word}" for word in words_of(parts.host)), *shape]


@cache
def _no_words() -> KindWords:
    return KindWords(np.zeros(0, np.uint64), np.zeros((0, 1), np.float32), _COUNTED)


def page_figures(page: Page) -> list[float]:
    """Return the figures of a page: how much text, how much of it in links and in paragraphs, which elements."""
    return _figures(page, _no_words(), "")[1]


def _figures(page: Page, words: KindWords, text: str) -> tuple[list[float], list[float]]:
    """Return the weight of the words on a page and in a text for each kind, and the figures of the page."""
    weights, plain = words.weigh(page.compiled.memory, scanner().tables, text)
    figures = list(map(math.log1p, plain))
    figures[_SHARES] = plain[_SHARES]
    return weights, figures


#: Why the confidence is low on the front page of a site or a section. What is chosen there may be right, as a list; it
#: is not the article that an address promises. The address names no story (`/`, `/politics`), and many links read like
#: headlines, with little text beside them. Links of shops and directories are names, shorter than headlines.
INDEX: Final = "front page of a site or a section"
#: A story's address has words with hyphens between them, or a number or a year; the longest name of a section.
_HYPHENS: Final = 3
_YEAR: Final = late_pattern(r"\d{4}")
_LONGEST_NAME: Final = 25
#: Steps of a path that name no section: a language, the page that is shown where none is named.
_NO_STEPS: Final = late_pattern(r"[a-z]{2}(?:-[a-z]{2})?|(?:index|home|default)(?:\.\w{3,5})?", re.IGNORECASE)
#: A linked headline has so many words, nearly all of them in the link; a page of so many, with so many words in the
#: mean, is an index, unless it has so many words in paragraphs for each of them.
_WORDS, _LINKED = 4, 0.7
_HEADLINES, _MEAN = 15, 6.5
#: The home page of a small site has fewer. With 3, no home page among 150 of ../shared/data that is an article is one.
_HEADLINES_OF_HOME: Final = 3
_PARAGRAPH, _PLAIN, _BESIDE = 25, 0.3, 20


def is_index(page: Page, found: VisibleBlocks, *, is_list: bool = False, is_article: bool = False) -> bool:
    """Return whether a page is the front page of a site or of one of its sections.

    Args:
        page: the page.
        found: its visible blocks.
        is_list: it was taken for a list, so that its address is not asked.
        is_article: it was taken for an article; then a home page needs fewer headlines.
    """
    if not is_list and (not page.url or not names_no_story(page.url)):
        return False
    if page.hints.title or declared(page).story:
        return False
    words, linked = found.words, page.blocks.link_words[found.blocks]
    headlines = (words >= _WORDS) & (linked >= _LINKED * words)
    count = int(np.count_nonzero(headlines))
    fewest = _HEADLINES_OF_HOME if is_article and page.url and is_home(page.url) else _HEADLINES
    if count < fewest or int(words[headlines].sum()) < _MEAN * count:
        return False
    running = (words >= _PARAGRAPH) & (linked < _PLAIN * words)
    return int(words[running].sum()) < _BESIDE * count


def names_no_story(address: str) -> bool:
    """Return whether an address is that of a site or of a section: at most one step, and that a name."""
    parts = URL.try_parse(address)
    if parts is None:
        return False
    if _YEAR.search(parts.query):
        return False
    steps = _sections(parts.path)
    if len(steps) > 1:
        return False
    return not steps or not (
        len(steps[0]) > _LONGEST_NAME or steps[0].count("-") + steps[0].count("_") >= _HYPHENS or _YEAR.search(steps[0])
    )


def is_home(url: str) -> bool:
    """Return whether a URL is that of a site, or of its edition in a language."""
    parts = URL.try_parse(url)
    return parts is not None and not parts.query and not _sections(parts.path)


def _sections(path: str) -> list[str]:
    return [step for step in path.split("/") if step and not _NO_STEPS.fullmatch(step)]
