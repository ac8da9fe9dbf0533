"""Detection of copies in a story, and of the news agencies that many of them come from.

An article of a story that shares most of its text with an earlier one is a copy of it: lists show the first and name
the others. Copies are searched inside a story, because the same words make the same story. Reports from a template
(weather, results, prices) share their words and differ in their numbers. So a copy must have the same numbers, and a
matching headline. An agency is detected by the byline, or by its sign before or after a report: `ATLANTA (AP) —`,
`/TASS/`, `© dpa`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from tidings.text import fold_case, fold_space, letter_pair_similarity
from tidings_portal.stories.duplicates import Signature

#: The least shares of a copy: Jaccard similarity, and containment of the shorter text.
_SAME, _INSIDE = 0.7, 0.9
#: A text with fewer shingles is a caption or a notice, similar to many.
_SHORTEST: Final = 20
#: The least share of common numbers: an edited time or price makes another article. Above this share of common words
#: the headlines may differ; below it they must be similar.
_SAME_NUMBERS: Final = 0.9
_SAME_WORDS: Final = 0.95
_ALIKE_TITLES: Final = 0.3
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_MOST: Final = 500_000
#: The number of first and last characters of a text to search for an agency's sign.
_HEAD, _TAIL = 160, 80

#: The names of agencies in bylines, and their signs in texts.
_AGENCIES: Final[Mapping[str, str]] = dict(
    line.split("\t") for line in files(__package__).joinpath("agencies.tsv").read_text("utf-8").splitlines()
)
#: A byline with one of these words names an agency.
_GENERIC: Final = re.compile(
    r"news ?agency|press agency|newswire|news service|presse-?agentur|nachrichtenagentur|agence de presse|haber ajans"
    r"|agencia de noticias|agência de notícias|agenzia di stampa|persbureau|agencja prasowa|информагентство"
    r"|وكالة (?:ال)?(?:أنباء|انباء)|خبرگزاری|סוכנות הידיעות|πρακτορείο ειδήσεων"
)
_SIGN: Final = re.compile(r"[(/\[（【]\s*([^()/\[\]（）【】\d]{2,32}?)\s*[)/\]）】]")
_LAST: Final = re.compile(r"(?:©|[-–—(/]|Quelle:|Source:|Kaynak:|Fonte:|Fuente:)\s*([\w/ .-]{2,32}?)\s*[)/.]?\s*$")


def agency_of(authors: Iterable[str], text: str) -> str:
    """Return the news agency of a report, or ""."""
    for author in authors:
        plain = _plain(author)
        if agency := _agencies().get(plain):
            return agency
        if _GENERIC.search(plain):
            return fold_space(author)[:80]
        for part in re.split(r"\s*(?:[,/|]|\bwith\b|\bmit\b|\bund\b|\band\b)\s*", plain):
            if len(part) > 2 and (agency := _agencies().get(part)):
                return agency
    signs = [match[1] for match in _SIGN.finditer(text[:_HEAD])]
    if last := _LAST.search(text[-_TAIL:]):
        signs.append(last[1])
    for sign in signs:
        for part in (_plain(sign), *re.split(r"[/,]", _plain(sign))):
            if agency := _agencies().get(part.strip()):
                return agency
    return ""


@cache
def _agencies() -> Mapping[str, str]:
    return {_plain(form): name for name, forms in _AGENCIES.items() for form in forms.split("|")}


def _plain(name: str) -> str:
    return fold_space(fold_case(name[:200])).strip(" .")


@dataclass(frozen=True, slots=True)
class CopyFacts:
    """What two copies must share besides words: the headline and the numbers in the text."""

    title: str
    title_numbers: frozenset[str]
    numbers: frozenset[str]

    @classmethod
    def of(cls, title: str, text: str) -> CopyFacts:
        """Return the facts of an article from its title and text."""
        return cls(title, frozenset(_NUMBER.findall(title)), frozenset(_NUMBER.findall(text[:_MOST])))

    def fits(self, other: CopyFacts, shared: float) -> bool:
        """Return whether two articles are copies: their numbers match, and nearly all words or the headlines do.

        Args:
            other: the facts of the other article.
            shared: the share of their words that is the same.
        """
        if self.title_numbers != other.title_numbers:
            return False
        every = len(self.numbers | other.numbers)
        if len(self.numbers & other.numbers) < _SAME_NUMBERS * every:
            return False
        return shared >= _SAME_WORDS or letter_pair_similarity(self.title, other.title) >= _ALIKE_TITLES


def copies_in(
    signatures: Sequence[tuple[int, Signature]], fits: Callable[[int, int, float], bool] = lambda *_: True
) -> dict[int, int]:
    """Return the copies among the articles of a story in order of time, each with its original.

    Args:
        signatures: the article numbers with their signatures.
        fits: returns whether two articles with most words in common are copies, by their numbers and the share.
    """
    firsts: list[tuple[int, Signature]] = []
    copies: dict[int, int] = {}
    for number, signature in signatures:
        if signature.count < _SHORTEST:
            continue
        for first, other in firsts:
            shared = signature.jaccard(other)
            is_alike = shared >= _SAME or (shared >= _SAME / 2 and signature.containment(other) >= _INSIDE)
            if is_alike and fits(number, first, shared):
                copies[number] = first
                break
        else:
            firsts.append((number, signature))
    return copies
