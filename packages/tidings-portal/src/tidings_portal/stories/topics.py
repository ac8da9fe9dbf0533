"""Topic classification: one of twelve topics, or opinion, from the metadata of the outlet or from the words.

Outlets name topics in many ways and languages; `categories.toml` maps the names to topics. The words of the feed, the
section and the folders of the URL are looked up in this order, and then the tags, if they agree. A subject precedes a
place: `news/local/crime-courts` is crime, and `local` or `world` apply only without a subject. Opinion is a form and
not a subject; it applies if the outlet declares it.

Otherwise words decide: naive Bayes (McCallum and Nigam 1998) over indicative words, separately by language.
`topic_words.toml` has the initial words. Articles with declared topics teach more: words that are several times as
frequent in one topic as in all others. In scripts without spaces words are searched in the raw text. In languages with
compounds a long word counts for the known word that it begins or ends with. The headline counts more than the
beginning, and the beginning more than the rest. A topic is assigned only if it is clear. Very clear words override a
declared place, or a topic from a folder name.
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

from tidings.text import base_language, fold_case, letter_runs, terms
from tidings.urls import URL
from tidings_portal.stories.packing import of_words, packed, to_words, unpacked
from tidings_portal.stories.report import Report

OPINION: Final = "opinion"
#: The topic of articles without a known topic.
OTHER: Final = "other"
#: Topics that are places and not subjects.
_PLACES: Final = frozenset({"world", "local"})
_KIND, _VERSION = "topics", 1
_CLEAR: Final = 0.35  # least probability of a topic from words; eleven equal topics have 0.09
_EVIDENCE: Final = math.log(8)  # likelihood ratio of an indicative word in its topic
_FEWEST, _FEWEST_WITH, _TIMES = (
    30,
    6,
    4,
)  # articles of a topic, articles with the word, and its ratio of frequencies
_MOST_CHARACTERS, _BEGINNING = 5_000, 800
_MOST_ARTICLES: Final = 200  # per topic and language for learning
#: The weights of a word in the headline, at the beginning and in the rest, and the maximum; a part of a compound
#: counts less.
_TITLE, _LEAD, _REST, _OFTEN, _PART = 4.0, 2.0, 0.5, 6.0, 0.6
_SHORTEST_PART, _SHORTEST_REST = 5, 3  # letters of a known word in a compound, and of the rest
_PLACE_YIELDS, _FOLDER_YIELDS = 0.85, 0.97  # least probability to override a place or a folder name
_MOST_TAGS: Final = 20
_SHORT: Final = 3  # words of a name to look up word by word; longer names are titles
_PARTS: Final = re.compile(r"[/|,>;»›]")
#: Languages whose words are searched in the raw text.
_UNSPACED: Final = frozenset({"zh", "ja"})
_COMPOUNDING: Final = frozenset({"da", "de", "et", "fi", "hu", "is", "nb", "nl", "nn", "no", "sv"})
#: Folder names of URLs with other meanings.
_FOLDERS: Final = frozenset(
    "app apps art blog careers city design essen jobs learning legal magazin magazine market media medien mobile "
    "people reviews software stage stil style wissen".split()
)
#: Words for news: tags with one of them are the keywords of a whole site.
_OF_SITES: Final = frozenset(
    "news newspaper nachrichten zeitung haber haberler gazete actualité actualités noticias notícias notizie giornale "
    "nieuws krant wiadomości gazeta aktualności zprávy noviny správy nyheter tidning nyheder avis uutiset hírek știri "
    "ziar vijesti vesti новости газета новини вести вісті ειδήσεις ειδησεις νέα εφημερίδα أخبار اخبار صحيفة خبر "
    "روزنامه חדשות עיתון समाचार berita 新闻 新聞 报纸 ニュース 뉴스 신문".split()
)
#: Foreign affairs are politics, trade and war, so only other subjects override `world`.
_ABROAD: Final = frozenset({"politics", "economy", "crime", "world", "local"})


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic of an article and where it comes from: `feed`, `section`, `address` (URL), `tags` or `words` (text)."""

    name: str
    provenance: str


def declared(feed: Iterable[str] = (), section: str = "", address: str = "", tags: Iterable[str] = ()) -> Topic | None:
    """Return the topic that the feed, section, URL or tags of an article declare, in that order, or None."""
    candidates = [
        *(Topic(name, "feed") for candidate in feed for name in _of_name(candidate)),
        *(Topic(name, "section") for name in _of_name(section)),
        *(Topic(name, "address") for name in _of_address(address)),
    ]
    forms = [candidate for candidate in candidates if candidate.name == OPINION]
    subjects = [candidate for candidate in candidates if candidate.name not in _PLACES]
    return next(iter((*forms, *subjects, *candidates, *(Topic(name, "tags") for name in _of_tags(tags)))), None)


def _of_tags(tags: Iterable[str]) -> list[str]:
    """Return the topic that tags declare as whole section names; [] if they differ or describe the whole site."""
    topics = _names()
    texts = [" ".join(letter_runs(fold_case(tag[:100], ""))) for tag in islice(tags, _MOST_TAGS)]
    names = (topics.get(text) for text in texts if _OF_SITES.isdisjoint(texts))
    subjects = {name for name in names if name and name not in _PLACES and name != OPINION}
    return [*subjects] if len(subjects) == 1 else []


def _of_name(name: str) -> list[str]:
    """Return the topics of the parts of a section name, last one first."""
    return [topic for part in reversed(_PARTS.split(name[:200])) if (topic := section_topic(part))]


def _of_address(address: str) -> list[str]:
    """Return the topics of the folders of a URL, deepest first, and of the first label of its host."""
    url = URL.try_parse(address)
    if url is None:
        return []
    labels = url.host.removeprefix("www.").split(".")
    folders = unquote(url.path).split("/")[1:-1]  # without the last part, the article
    parts = (part for part in (*reversed(folders), *labels[:-2]) if part.casefold() not in _FOLDERS)
    return [topic for part in parts if (topic := section_topic(part))]


def section_topic(name: str) -> str:
    """Return the topic of a section name, as `economy` for "Ekonomi" or "Business & Money"; "" if unknown."""
    topics = _names()
    for language in ("", "tr"):  # Turkish lowercases I to ı
        words = letter_runs(fold_case(name[:100], language))
        if topic := topics.get(" ".join(words)):
            return topic
        for word in words if len(words) <= _SHORT else ():
            if (len(word) > 2 or not word.isascii()) and (topic := topics.get(word)):
                return topic
    return ""


def topic_names() -> tuple[str, ...]:
    """Return all topics in the order of a newspaper."""
    return tuple(dict.fromkeys(_names().values()))


@cache
def _names() -> Mapping[str, str]:
    sections = tomllib.loads((files("tidings_portal.stories") / "categories.toml").read_text(encoding="utf-8"))
    return {" ".join(letter_runs(name)): topic for topic, names in sections.items() for name in (topic, *names)}


@cache
def _all_words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("tidings_portal.stories") / "topic_words.toml").read_text(encoding="utf-8"))


@cache
def _words_of(language: str) -> Mapping[str, frozenset[str]]:
    """Return the words of each topic in a language, as terms of texts."""
    topics = _all_words().get({"nb": "no", "nn": "no"}.get(language, language), {})
    if language in _UNSPACED:
        return {topic: frozenset(words.split()) for topic, words in topics.items()}
    return {topic: frozenset(terms(words, language)) for topic, words in topics.items()}


def topic_languages() -> frozenset[str]:
    """Return the languages with initial words."""
    return frozenset(_all_words())


class TopicModel:
    """A topic classifier by words, with initial words and learned ones."""

    __slots__ = ("_articles", "_counts", "_telling")

    def __init__(self) -> None:
        self._articles: Counter[tuple[str, str]] = Counter()  # by language and topic
        self._counts: dict[tuple[str, str], Counter[str]] = {}
        self._telling: dict[str, Mapping[str, tuple[str, ...]]] = {}  # by language and word, computed on demand

    def learn(self, report: Report, topic: str) -> bool:
        """Learn from an article with a known topic; return False if this topic is not learned from words, or has enough
        articles.
        """
        key = base_language(report.language), topic
        if topic in (OPINION, "local") or self._articles[key] >= _MOST_ARTICLES:
            return False
        self._articles[key] += 1
        self._counts.setdefault(key, Counter()).update(_words(report).keys())
        self._telling.pop(key[0], None)
        return True

    def guess(self, report: Report) -> Topic | None:
        """Return the most probable topic of an article by its words, if it is clear."""
        probabilities = self.probabilities(report)
        best = max(probabilities, key=lambda name: probabilities[name], default="")
        return Topic(best, "words") if best and probabilities[best] >= _CLEAR else None

    def decide(self, report: Report, declared_topic: Topic | None) -> Topic | None:
        """Return the topic of an article: the declared one, unless it is a place or a folder and the words are very
        clear.
        """
        if declared_topic is None:
            return self.guess(report)
        if declared_topic.name in _PLACES:
            compatible, least = (_ABROAD if declared_topic.name == "world" else _PLACES), _PLACE_YIELDS
        elif declared_topic.provenance == "address" and declared_topic.name != OPINION:
            compatible, least = frozenset({declared_topic.name}), _FOLDER_YIELDS
        else:
            return declared_topic
        probabilities = self.probabilities(report)
        best = max(probabilities, key=lambda name: probabilities[name], default=declared_topic.name)
        return Topic(best, "words") if best not in compatible and probabilities[best] >= least else declared_topic

    def probabilities(self, report: Report) -> dict[str, float]:
        """Return the probability of each topic by the words of an article; they sum to one. {} without indicative
        words.
        """
        language = base_language(report.language)
        telling = self._telling.get(language)
        if telling is None:
            telling = self._telling[language] = self._find_telling(language)
        evidence: dict[str, float] = {}
        for term, number in _words(report).items():
            for part, share in ((term, 1.0),) if term in telling else _parts(term, language, telling):
                evidence[part] = evidence.get(part, 0.0) + share * number
        if not evidence:
            return {}
        evidence = {term: math.sqrt(min(number, _OFTEN)) for term, number in evidence.items()}
        logs = dict.fromkeys(sorted({topic for term in evidence for topic in telling[term]}), 0.0)
        for term, number in evidence.items():
            for topic in telling[term]:
                logs[topic] += number * _EVIDENCE / len(telling[term])
        # Words are not independent, as naive Bayes assumes: its log probabilities are spread too wide.
        best, spread = max(logs.values()), math.sqrt(sum(evidence.values()))
        tempered = {name: math.exp((value - best) / spread) for name, value in logs.items()}
        total = math.fsum(tempered.values())
        return {name: value / total for name, value in tempered.items()}

    def _find_telling(self, language: str) -> Mapping[str, tuple[str, ...]]:
        """Return the words of a language that indicate a topic, built-in and learned ones, each with its topics."""
        topics_by_word: dict[str, list[str]] = {}
        for topic, words in sorted(_words_of(language).items()):
            for word in words:
                topics_by_word.setdefault(word, []).append(topic)
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
                    and key[1] not in topics_by_word.get(term, ())
                ):
                    topics_by_word.setdefault(term, []).append(key[1])
        return {term: tuple(topics) for term, topics in topics_by_word.items()}

    def state(self) -> bytes:
        """Return the learned state as bytes."""
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
    def from_state(cls, data: bytes) -> TopicModel:
        """Restore the state.

        Raises:
            BadState: the bytes are damaged or of another kind.
        """
        columns = unpacked(data, _KIND, _VERSION)
        model = cls()
        for number, (label, articles) in enumerate(zip(to_words(columns["keys"]), columns["articles"], strict=True)):
            language, _, name = label.partition("\t")
            key = language, name
            pairs = zip(to_words(columns[f"{number}/terms"]), columns[f"{number}/counts"].tolist(), strict=True)
            model._articles[key] = int(articles)
            model._counts[key] = Counter(dict(pairs))
        return model


def _words(report: Report) -> dict[str, float]:
    """Return the words of an article with their weights, in a fixed order."""
    language = base_language(report.language)
    text = report.text[:_MOST_CHARACTERS]
    counted: dict[str, float] = {}
    for part, weight in ((report.title, _TITLE), (text[:_BEGINNING], _LEAD), (text[_BEGINNING:], _REST)):
        if language in _UNSPACED:
            every = frozenset().union(*_words_of(language).values())
            whole = part if " " not in part else part.replace(" ", "")  # some texts have a space after every character
            occurrences: Mapping[str, int] = {word: whole.count(word) for word in every}
        else:
            occurrences = Counter(terms(part, report.language))
        for term, number in occurrences.items():
            counted[term] = counted.get(term, 0.0) + number * weight
    return {term: counted[term] for term in sorted(counted) if counted[term]}


def _parts(term: str, language: str, telling: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    """Yield the longest known words at the beginning and end of a compound, with their weights."""
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
