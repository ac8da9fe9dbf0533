"""A topic for each article: one of twelve, or opinion; what its outlet says of it, else what its words are most like.

**Outlets** call the same thing by many names in many languages; `categories.toml` beside this file maps them to one
each. Asked are the words of the feed, the section and the folders of the address, in this order, and then the tags, as
far as they agree. A subject goes before a place: `news/local/crime-courts` is crime, and only what has no other word is
`local` or `world`. Opinion is a form, not a subject; where an outlet says it, it is said.

**Words** tell the rest: naive Bayes (McCallum and Nigam 1998) over words that are telling, in each language by itself.
Known beforehand are those of `topic_words.toml`; the articles of a store whose outlets name their topic teach it more:
a word that is several times as frequent in one topic as in all others. In scripts without spaces words are looked for
in the text as they stand, and in languages that compound them a long word counts for the known one that it begins or
ends with. The headline counts more than the beginning, and that more than the rest. A topic is said only where it is
clear. Words that are very clear go before an outlet's word that says only where, or is only a folder's name.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Final
from urllib.parse import unquote

import numpy as np

from tidings.news.stories.packing import of_words, packed, to_words, unpacked
from tidings.news.stories.report import Report
from tidings.text import base_language, fold_case, letter_runs, terms
from tidings.urls import URL

OPINION: Final = "opinion"
#: What no topic is known of.
OTHER: Final = "other"
#: What says where, and not what.
_PLACES: Final = frozenset({"world", "local"})
_KIND, _VERSION = "topics", 1
_CLEAR: Final = 0.35  # how sure a topic is that words alone tell; eleven that are equally likely have 0.09
_EVIDENCE: Final = math.log(8)  # how much likelier a telling word is in an article of its topic than in any other
_FEWEST, _FEWEST_WITH, _TIMES = (
    30,
    6,
    4,
)  # a word is learned from so many articles, if so many have it: so many times more
_MOST_CHARACTERS, _BEGINNING = 5_000, 800
_MOST_ARTICLES: Final = 200  # of a topic and language that are learned from
#: What a word counts in the headline, at the beginning and in the rest, and at most in all; a part of a compound less.
_TITLE, _LEAD, _REST, _OFTEN, _PART = 4.0, 2.0, 0.5, 6.0, 0.6
_SHORTEST_PART, _SHORTEST_REST = 5, 3  # letters of a known word in a compound, and of what is left of that
_PLACE_YIELDS, _FOLDER_YIELDS = 0.85, 0.97  # how clear words must be to go before a place or a folder's name
_MOST_TAGS: Final = 20
_SHORT: Final = 3  # words of a name that is also looked up word by word; longer ones are titles
_PARTS: Final = re.compile(r"[/|,>;»›]")
#: Languages whose words are looked for in the text as it stands.
_UNSPACED: Final = frozenset({"zh", "ja"})
_COMPOUNDING: Final = frozenset({"da", "de", "et", "fi", "hu", "is", "nb", "nl", "nn", "no", "sv"})
#: Names that folders of addresses have for other reasons.
_FOLDERS: Final = frozenset(
    "app apps art blog careers city design essen jobs learning legal magazin magazine market media medien mobile "
    "people reviews software stage stil style wissen".split()
)
#: Names of news as such: tags that have one are the keywords of a whole site, and say nothing of an article.
_OF_SITES: Final = frozenset(
    "news newspaper nachrichten zeitung haber haberler gazete actualité actualités noticias notícias notizie giornale "
    "nieuws krant wiadomości gazeta aktualności zprávy noviny správy nyheter tidning nyheder avis uutiset hírek știri "
    "ziar vijesti vesti новости газета новини вести вісті ειδήσεις ειδησεις νέα εφημερίδα أخبار اخبار صحيفة خبر "
    "روزنامه חדשות עיתון समाचार berita 新闻 新聞 报纸 ニュース 뉴스 신문".split()
)
#: Foreign affairs are politics, trade and war: only other subjects go before `world`.
_ABROAD: Final = frozenset({"politics", "economy", "crime", "world", "local"})


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic and what told it: `feed`, `section`, `address`, `tags` or `words`."""

    name: str
    told_by: str


def declared(feed: Iterable[str] = (), section: str = "", address: str = "", tags: Iterable[str] = ()) -> Topic | None:
    """The topic that an article's feed, section, address or tags tell, in that order; None if none is known."""
    found = [
        *(Topic(name, "feed") for one in feed for name in _of_name(one)),
        *(Topic(name, "section") for name in _of_name(section)),
        *(Topic(name, "address") for name in _of_address(address)),
    ]
    forms = [one for one in found if one.name == OPINION]
    subjects = [one for one in found if one.name not in _PLACES]
    return next(iter((*forms, *subjects, *found, *(Topic(name, "tags") for name in _of_tags(tags)))), None)


def _of_tags(tags: Iterable[str]) -> list[str]:
    """The one subject that tags name, of those that are the name of a section as a whole; none where they differ, or
    are of the whole site.
    """
    known = _names()
    told = [" ".join(letter_runs(fold_case(tag[:100], ""))) for tag in islice(tags, _MOST_TAGS)]
    names = (known.get(one) for one in told if _OF_SITES.isdisjoint(told))
    found = {name for name in names if name and name not in _PLACES and name != OPINION}
    return [*found] if len(found) == 1 else []


def _of_name(name: str) -> list[str]:
    """The topics of the parts of a section's name, the last one first."""
    return [found for part in reversed(_PARTS.split(name[:200])) if (found := section_topic(part))]


def _of_address(address: str) -> list[str]:
    """The topics of the folders of an address, the deepest first, and of the first label of its host."""
    url = URL.try_parse(address)
    if url is None:
        return []
    labels = url.host.removeprefix("www.").split(".")
    folders = unquote(url.path).split("/")[1:-1]  # the last part is the article itself
    parts = (part for part in (*reversed(folders), *labels[:-2]) if part.casefold() not in _FOLDERS)
    return [found for part in parts if (found := section_topic(part))]


def section_topic(name: str) -> str:
    """The topic that a name stands for, as `ekonomi` or `Business & Money` for `economy`; empty if none is known."""
    known = _names()
    for language in ("", "tr"):  # capital I has a small letter of its own in Turkish
        words = letter_runs(fold_case(name[:100], language))
        if found := known.get(" ".join(words)):
            return found
        for word in words if len(words) <= _SHORT else ():
            if (len(word) > 2 or not word.isascii()) and (found := known.get(word)):
                return found
    return ""


def topic_names() -> tuple[str, ...]:
    """The topics there are, in the order in which a paper has them."""
    return tuple(dict.fromkeys(_names().values()))


@cache
def _names() -> Mapping[str, str]:
    told = tomllib.loads((files("tidings.news.stories") / "categories.toml").read_text(encoding="utf-8"))
    return {" ".join(letter_runs(name)): topic for topic, names in told.items() for name in (topic, *names)}


@cache
def _all_words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("tidings.news.stories") / "topic_words.toml").read_text(encoding="utf-8"))


@cache
def _words_of(language: str) -> Mapping[str, frozenset[str]]:
    """The words of each topic in a language, as texts have them."""
    told = _all_words().get({"nb": "no", "nn": "no"}.get(language, language), {})
    if language in _UNSPACED:
        return {topic: frozenset(words.split()) for topic, words in told.items()}
    return {topic: frozenset(terms(words, language)) for topic, words in told.items()}


def topic_languages() -> frozenset[str]:
    """The languages whose words are known beforehand."""
    return frozenset(_all_words())


class TopicModel:
    """Tells topics from words: from what is known beforehand, and what it has learned."""

    __slots__ = ("_articles", "_counts", "_telling")

    def __init__(self) -> None:
        self._articles: Counter[tuple[str, str]] = Counter()  # by language and topic
        self._counts: dict[tuple[str, str], Counter[str]] = {}
        self._telling: dict[str, Mapping[str, tuple[str, ...]]] = {}  # by language and word, made when they are needed

    def learn(self, report: Report, topic: str) -> bool:
        """An article whose topic is known. False: its topic is not told by words, or enough of them were seen."""
        key = base_language(report.language), topic
        if topic in (OPINION, "local") or self._articles[key] >= _MOST_ARTICLES:
            return False
        self._articles[key] += 1
        self._counts.setdefault(key, Counter()).update(_words(report).keys())
        self._telling.pop(key[0], None)
        return True

    def guess(self, report: Report) -> Topic | None:
        """The topic that an article's words are most like, where that is clear."""
        chances = self.chances(report)
        best = max(chances, key=lambda name: chances[name], default="")
        return Topic(best, "words") if best and chances[best] >= _CLEAR else None

    def decide(self, report: Report, told: Topic | None) -> Topic | None:
        """The topic of an article: its outlet's, unless that is a place or a folder and its words are very clear."""
        if told is None:
            return self.guess(report)
        if told.name in _PLACES:
            kept, least = (_ABROAD if told.name == "world" else _PLACES), _PLACE_YIELDS
        elif told.told_by == "address" and told.name != OPINION:
            kept, least = frozenset({told.name}), _FOLDER_YIELDS
        else:
            return told
        chances = self.chances(report)
        best = max(chances, key=lambda name: chances[name], default=told.name)
        return Topic(best, "words") if best not in kept and chances[best] >= least else told

    def chances(self, report: Report) -> dict[str, float]:
        """How likely each topic is by the words of an article; they sum to one, or there are none."""
        language = base_language(report.language)
        telling = self._telling.get(language)
        if telling is None:
            telling = self._telling[language] = self._find_telling(language)
        found: dict[str, float] = {}
        for term, number in _words(report).items():
            for part, share in ((term, 1.0),) if term in telling else _parts(term, language, telling):
                found[part] = found.get(part, 0.0) + share * number
        if not found:
            return {}
        found = {term: math.sqrt(min(number, _OFTEN)) for term, number in found.items()}
        logs = dict.fromkeys(sorted({topic for term in found for topic in telling[term]}), 0.0)
        for term, number in found.items():
            for topic in telling[term]:
                logs[topic] += number * _EVIDENCE / len(telling[term])
        # Words of a text do not come one by one, as naive Bayes believes: its logarithms are spread too wide.
        best, spread = max(logs.values()), math.sqrt(sum(found.values()))
        tempered = {name: math.exp((value - best) / spread) for name, value in logs.items()}
        total = math.fsum(tempered.values())
        return {name: value / total for name, value in tempered.items()}

    def _find_telling(self, language: str) -> Mapping[str, tuple[str, ...]]:
        """The words that tell topics, and which: those known beforehand, and those that were learned."""
        found: dict[str, list[str]] = {}
        for topic, words in sorted(_words_of(language).items()):
            for word in words:
                found.setdefault(word, []).append(topic)
        keys = [key for key in sorted(self._articles) if key[0] == language]
        articles = sum(self._articles[key] for key in keys)
        every: Counter[str] = Counter()
        for key in keys:
            every.update(self._counts[key])
        for key in keys:
            inside, outside = self._articles[key], articles - self._articles[key]
            if min(inside, outside) < _FEWEST:
                continue
            for term, number in self._counts[key].items():
                elsewhere = (every[term] - number + 0.5) / (outside + 1)
                if (
                    number >= _FEWEST_WITH
                    and number / inside >= _TIMES * elsewhere
                    and key[1] not in found.get(term, ())
                ):
                    found.setdefault(term, []).append(key[1])
        return {term: tuple(topics) for term, topics in found.items()}

    def state(self) -> bytes:
        """What it has learned, for keeping."""
        keys = sorted(self._counts)
        columns = {
            "keys": of_words(f"{language}\t{name}" for language, name in keys),
            "articles": np.array([self._articles[key] for key in keys], np.int64),
        }
        for number, key in enumerate(keys):
            own = sorted(self._counts[key].items())
            columns[f"{number}/terms"] = of_words(term for term, _ in own)
            columns[f"{number}/counts"] = np.array([count for _, count in own], np.int64)
        return packed(_KIND, _VERSION, columns)

    @classmethod
    def from_state(cls, kept: bytes) -> TopicModel:
        """As it was kept.

        Raises:
            BadState: the bytes are damaged or of something else.
        """
        columns = unpacked(kept, _KIND, _VERSION)
        found = cls()
        for number, (told, articles) in enumerate(zip(to_words(columns["keys"]), columns["articles"], strict=True)):
            language, _, name = told.partition("\t")
            key = language, name
            pairs = zip(to_words(columns[f"{number}/terms"]), columns[f"{number}/counts"].tolist(), strict=True)
            found._articles[key] = int(articles)
            found._counts[key] = Counter(dict(pairs))
        return found


def _words(report: Report) -> dict[str, float]:
    """The words of an article and how much each counts, in a fixed order."""
    language = base_language(report.language)
    text = report.text[:_MOST_CHARACTERS]
    counted: dict[str, float] = {}
    for part, weight in ((report.title, _TITLE), (text[:_BEGINNING], _LEAD), (text[_BEGINNING:], _REST)):
        if language in _UNSPACED:
            every = frozenset().union(*_words_of(language).values())
            whole = part if " " not in part else part.replace(" ", "")  # some set a space after every sign
            found: Mapping[str, int] = {word: whole.count(word) for word in every}
        else:
            found = Counter(terms(part, report.language))
        for term, number in found.items():
            counted[term] = counted.get(term, 0.0) + number * weight
    return {term: counted[term] for term in sorted(counted) if counted[term]}


def _parts(term: str, language: str, telling: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    """The longest known words that a compound begins and ends with, and what they count."""
    if language not in _COMPOUNDING or len(term) < _SHORTEST_PART + _SHORTEST_REST:
        return
    for end in range(len(term) - _SHORTEST_REST, _SHORTEST_PART - 1, -1):
        if term[:end] in telling:
            yield term[:end], _PART
            break
    for begin in range(_SHORTEST_REST, len(term) - _SHORTEST_PART + 1):
        if term[begin:] in telling:
            yield term[begin:], _PART
            break
