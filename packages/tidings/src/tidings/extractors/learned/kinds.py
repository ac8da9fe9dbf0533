"""The kind of a page: article, forum, documentation, service, product, listing, collection or front page.

Words (class names, URL, declared types) get a score for each kind by a logistic regression. Boosted trees combine these
scores with figures of the page, such as the numbers of paragraphs and of linked headlines. The kinds are those of the
training pages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
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

#: Elements whose counts are features.
_COUNTED: Final = np.array(
    [tags.NUMBERS[name] for name in "h1 h2 h3 p li td a img form input button article time pre code video".split()]
)
_LONGEST_URL: Final = 300
_DIGITS: Final = late_pattern(r"\d")
_DATED: Final = late_pattern(r"(?:19|20)\d\d[/_.-]?[01]?\d(?:[/_.-]|\d\d)")


#: Figures of the visible blocks, in the order of the core (`core/src/kinds.rs`). A paragraph has 15 words, less
#: than 40 % of them in links; running text 25 words and 30 %; a linked headline 4 words and at least 70 % in links.
BLOCK_FIGURES: Final = (
    "words", "blocks", "link_share", "paragraph_share", "paragraph_words", "paragraphs", "words_per_paragraph",
    "longest_block", "headlines", "headline_words", "running_words", "headline_share", "container_share",
    "container_words", "container_paragraphs", "teasers", "teaser_share", "longest_run", "longest_run_share",
)  # fmt: skip
#: Figures that are shares; of all others the logarithm is used.
_SHARES: Final = tuple(place for place, name in enumerate(BLOCK_FIGURES) if name.endswith("_share"))
_HEADLINE_WORDS, _RUNNING_WORDS = BLOCK_FIGURES.index("headline_words"), BLOCK_FIGURES.index("running_words")


@dataclass(frozen=True, eq=False)
class Kinds:
    """A classifier of page kinds.

    Boosted trees over figures of the page, such as its amount of text, and over the scores that a linear model of words
    gives to each kind.
    """

    kinds: tuple[str, ...]
    spellings: bytes  # the words, separated by spaces
    words: KnownWords  # the same as hashes, in the same order
    weight: NDArray[np.float32]  # words × kinds
    word_bias: NDArray[np.float32]  # of each kind, for the scores of words
    feature: NDArray[np.int64]  # trees × depth: the input that is compared
    border: NDArray[np.float32]  # trees × depth: with what it is compared
    leaf: NDArray[np.float32]  # trees × 2^depth × kinds
    bias: Floats  # of each kind

    def __post_init__(self) -> None:
        trees, depth = self.feature.shape if self.feature.ndim == 2 else (0, 0)
        kinds, inputs = len(self.kinds), len(self.kinds) + len(BLOCK_FIGURES) + 1 + len(_COUNTED)
        if (
            not trees
            or self.border.shape != (trees, depth)
            or self.leaf.shape != (trees, 1 << depth, kinds)
            or self.weight.shape[1:] != (kinds,)
            or (len(self.word_bias), len(self.bias)) != (kinds, kinds)
            or not 0 <= self.feature.min() <= self.feature.max() < inputs
        ):
            raise BadModel("the arrays of the page kinds do not fit together: train the model again")

    def probabilities(self, page: Page) -> list[float]:
        """Return the probability of each kind.

        Raises:
            CoreMissing: the compiled core is not installed.
            CoreError: the core failed on this page.
        """
        word_weights, figures = _figures(page, self._compiled, " ".join(declared_words(page)))
        inputs = np.array((*(np.array(word_weights, np.float32) + self.word_bias).tolist(), *figures), np.float32)
        leaves = (inputs[self.feature] > self.border) @ self._powers
        odds = self.leaf[self._trees, leaves].sum(axis=0, dtype=np.float64) + self.bias
        weights = np.exp(odds - odds.max())
        probabilities: list[float] = (weights / weights.sum()).tolist()
        return probabilities

    @cached_property
    def _powers(self) -> NDArray[np.int64]:
        return 1 << np.arange(self.feature.shape[1])

    @cached_property
    def _trees(self) -> NDArray[np.int64]:
        return np.arange(len(self.feature))

    @cached_property
    def _compiled(self) -> KindWords:
        """Return the words and their weights in the memory of the compiled core."""
        return KindWords(self.words.number, self.weight, _COUNTED)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays for a model file."""
        return stored_words("kinds", self.words, self.spellings) | {
            "kinds.kinds": np.array(self.kinds),
            "kinds.weight": self.weight,
            "kinds.word_bias": self.word_bias,
            "kinds.feature": self.feature.astype(np.int16),
            "kinds.border": self.border,
            "kinds.leaf": self.leaf,
            "kinds.bias": self.bias,
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Kinds:
        """Create from stored arrays.

        Raises:
            BadModel: an array is missing.
        """
        try:
            words = SpelledWords.of_arrays("kinds", arrays)
            return cls(
                tuple(arrays["kinds.kinds"].tolist()),
                words.spellings,
                KnownWords(words.numbers),
                arrays["kinds.weight"][words.order],
                arrays["kinds.word_bias"],
                arrays["kinds.feature"].astype(np.int64),
                *(arrays[f"kinds.{name}"] for name in ("border", "leaf", "bias")),
            )
        except KeyError as missing:
            raise BadModel(f"the model file has no {missing}: train the model again") from None


def declared_words(page: Page) -> list[str]:
    """Return the words of a page's URL and of its declared types, with a prefix for each source."""
    declared = page.signals
    words = _of_url(page.url[:_LONGEST_URL]) if page.url else []
    kinds = [thing.get("@type") for thing in declared.json_ld]
    words += [f"type{kind.lower()}" for kind in kinds if isinstance(kind, str)]
    for value in declared.named.get("og:type", ()):
        words += _of_type(value)
    return [word.replace("_", "") for word in words]


@lru_cache(256)  # nearly all pages declare "article" or "website"
def _of_type(value: str) -> list[str]:
    return [f"og{word}" for word in words_of(value)]


def _of_url(url: str) -> list[str]:
    """Return the words of a URL and its shape: URLs of articles are long, hyphenated, numbered or dated on every
    site.
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
    """Return the figures of a page by which its kind is predicted, without words."""
    return _figures(page, _no_words(), "")[1]


def _figures(page: Page, words: KindWords, text: str) -> tuple[list[float], list[float]]:
    """Return the summed word weights for each kind of page, and the figures of the page: those of `BLOCK_FIGURES`, the
    ratio of words in linked headlines to running words, and the numbers of some elements.

    `text` has further words, such as those of the URL.
    """
    weights, plain = words.weigh(page.compiled.memory, scanner().tables, text)
    figures = list(map(math.log1p, plain))
    for place in _SHARES:
        figures[place] = plain[place]
    figures.insert(len(BLOCK_FIGURES), figures[_HEADLINE_WORDS] - figures[_RUNNING_WORDS])
    return weights, figures


#: The reason for a low confidence on front pages of sites and sections. The selection may be right as a list, but it is
#: no article. Such a page has a URL that names no story (`/`, `/politics`) and many links that read like headlines,
#: with little other text. Links of shops and directories are names, which are shorter than headlines.
INDEX: Final = "front page of a site or a section"
#: A story's URL has hyphens, a number, a year, or a segment longer than the name of a section.
_HYPHENS: Final = 3
_YEAR: Final = late_pattern(r"\d{4}")
_LONGEST_NAME: Final = 25
#: Path segments that name no section: a language, a default document.
_NO_STEPS: Final = late_pattern(r"[a-z]{2}(?:-[a-z]{2})?|(?:index|home|default)(?:\.\w{3,5})?", re.IGNORECASE)
#: Words of a linked headline and the share of them in the link. A page with at least `_HEADLINES` of them and `_MEAN`
#: words on average is an index, unless it has `_BESIDE` words in paragraphs for each headline.
_WORDS, _LINKED = 4, 0.7
_HEADLINES, _MEAN = 15, 6.5
#: Home pages of small sites have fewer. With 3, no article among 150 home pages of ../shared/data is an index.
_HEADLINES_OF_HOME: Final = 3
_PARAGRAPH, _PLAIN, _BESIDE = 25, 0.3, 20


def is_index(page: Page, visible: VisibleBlocks, *, is_list: bool = False, is_article: bool = False) -> bool:
    """Return whether a page is the front page of a site or of one of its sections.

    Args:
        page: the page.
        visible: its visible blocks.
        is_list: the page was classified as a list, so its URL is not checked.
        is_article: the page was classified as an article; a home page then needs fewer headlines.
    """
    if not is_list and (not page.url or not names_no_story(page.url)):
        return False
    if page.hints.title or declared(page).story:
        return False
    words, linked = visible.words, page.blocks.link_words[visible.blocks]
    headlines = (words >= _WORDS) & (linked >= _LINKED * words)
    count = int(np.count_nonzero(headlines))
    fewest = _HEADLINES_OF_HOME if is_article and page.url and is_home(page.url) else _HEADLINES
    if count < fewest or int(words[headlines].sum()) < _MEAN * count:
        return False
    running = (words >= _PARAGRAPH) & (linked < _PLAIN * words)
    return int(words[running].sum()) < _BESIDE * count


def names_no_story(url: str) -> bool:
    """Return whether a URL is that of a site or a section: at most one path segment, which is a name."""
    parts = URL.try_parse(url)
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
    """Return whether a URL is the root of a site or of one of its language editions."""
    parts = URL.try_parse(url)
    return parts is not None and not parts.query and not _sections(parts.path)


def _sections(path: str) -> list[str]:
    return [step for step in path.split("/") if step and not _NO_STEPS.fullmatch(step)]
