"""Words that tell what a link is for, in the languages of `words.txt`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from tidings.text import content_words, count_words, fold_case, letter_runs

#: Longer than any text of a link; of a link around a whole teaser the beginning is looked at.
LONGEST_TEXT: Final = 600
_MARKS: Final = " \t\n.…·•|:»›>→←«‹<[]()＞▸▶►\u200e\u200f\u00a0+-–"
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class LinkVocabulary:
    """Words by what they tell."""

    section: frozenset[str]
    story: frozenset[str]
    paid: frozenset[str]
    stranger: frozenset[str]
    more: frozenset[str]
    service: frozenset[str]


@cache
def vocabulary() -> LinkVocabulary:
    """The words of the data file."""
    found: dict[str, set[str]] = {}
    for line in files(__package__).joinpath("words.txt").read_text("utf-8").splitlines():
        kind, colon, words = line.partition(": ")
        if colon and not line.startswith("#"):
            found.setdefault(kind, set()).update(words.split("|"))
    service = {" ".join(content_words(phrase)) for phrase in found["service"]}
    more = {fold_case(phrase).strip(_MARKS) for phrase in found["more"]}
    return LinkVocabulary(
        section=frozenset(found["section"]),
        story=frozenset(found["story"]),
        paid=frozenset(found["paid"]),
        stranger=frozenset(found["stranger"]),
        more=frozenset(more),
        service=frozenset(service),
    )


def says_more(text: str) -> bool:
    """Whether the text of a link only says that there is more: "Read more", "Full story" (LBNEST II.C.2.ii)."""
    return len(text) < 60 and fold_case(text).strip(_MARKS) in vocabulary().more


def is_silent(text: str) -> bool:
    """Whether the text of a link tells nothing of where it leads."""
    return not any(one.isalpha() for one in text) or says_more(text)


def names_a_service(words: list[str]) -> bool:
    """Whether words hold one that leads to no story. `words` as `content_words` gives them; the first twelve count."""
    service = vocabulary().service
    some = words[:12]
    if not service.isdisjoint(some):
        return True
    pairs = [f"{first} {second}" for first, second in pairwise(some)]
    return not service.isdisjoint(pairs)


def word_count(text: str) -> int:
    """The words of a link's text. In scripts without spaces two characters count as one word, which is what they mostly
    are: "four words" (LBNEST II.C.2.ii) means as much as elsewhere.
    """
    count = count_words(text)
    if text.isascii() or not (spaceless := len(_SPACELESS.findall(text))):
        return count
    return max(count - spaceless, 0) + (spaceless + 1) // 2 if spaceless < count else (count + 1) // 2


def tokens(text: str) -> set[str]:
    """Words of a text and of a slug alike: letters and digits in a row, lower case."""
    return set(letter_runs(fold_case(text)))
