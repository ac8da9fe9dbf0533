"""Classify comments as question, answer, thanks, objection or advertisement (DANA thesis 7.2.2).

The thesis asks for a classification but defines no classes. These rules use punctuation and a few words in many
languages, and no model. A comment that matches no rule has no class.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tidings.text.patterns import LateWords, is_usual, late_pattern

if TYPE_CHECKING:
    from tidings.article.model.article import Comment
    from tidings.article.model.blocks import Block

ADVERT, ANSWER, QUESTION, OBJECTION, THANKS = "advert", "answer", "question", "objection", "thanks"
_MENTION: Final = late_pattern(r"\s*@\w")
_ASKS: Final = late_pattern(r"[?？؟\u037e](?:\s|$)|[Α-Ωα-ωά-ώ];(?:\s|$)")  # in Greek a semicolon asks
_OBJECTS: Final = (
    r"\b(?:disagree|nonsense|not true|simply wrong|you are wrong|unsinn|stimmt nicht|widerspreche|falsch|yanlış|"
    r"katılmıyorum|saçmalık|pas d['’]accord|n['’]importe quoi|c['’]est faux|no estoy de acuerdo|es falso|mentira|"
    r"non sono d['’]accordo|sbagliato|discordo|não concordo|onzin|niet mee eens|nieprawda|bzdura|nie zgadzam|неправда|"
    r"не соглас\w+|чушь|ерунда|διαφωνώ|λάθος|לא נכון|لا أوافق|غير صحيح|مخالفم|درست نیست)\b|胡说|不同意|違う|아닙니다"
)
_THANKS: Final = (
    r"\b(?:thanks?|thank you|well done|great (?:post|article|read)|danke|toller (?:artikel|beitrag)|teşekkür\w*|"
    r"elinize sağlık|merci|bravo|gracias|grazie|obrigad[oa]|bedankt|dziękuj\w+|спасибо|благодарю|ευχαριστώ|תודה|شكرا|"
    r"شكرًا|ممنون|سپاس|متشکرم|tack|takk|kiitos|köszön\w+|děkuj\w+)\b|谢谢|感謝|ありがとう|감사"
)
#: The variable parts of a pattern; literals remain when they are cut out.
_OPEN: Final = late_pattern(r"\\b|\(\?:[^()]*\)|\[[^]]*\]|\\w[+*]|.\?")


class RemarkWords:
    """A word pattern that recognises comments of a class. Before the regular expression runs, a fast check looks for
    its literal parts, because most comments match none.
    """

    def __init__(self, pattern: str) -> None:
        self.words = LateWords(pattern)  # searched only if one of the parts occurs

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        (pattern,) = self.words.patterns
        named, _, others = pattern.removeprefix(r"\b(?:").rpartition(r")\b|")
        alternatives = re.split(r"\|(?![^(]*\))", named) + others.split("|")
        # Where case does not count, a dotless letter is the other.
        return tuple(max(_OPEN.split(one), key=len).replace("ı", "i") for one in alternatives)

    def __call__(self, text: str) -> bool:
        """Return whether a comment's text matches the word pattern."""
        small = text.lower()
        return (not is_usual(text) or any(part in small for part in self._parts)) and self.words(text)


OBJECTING, THANKING = RemarkWords(_OBJECTS), RemarkWords(_THANKS)
_READ: Final = 2_000  # characters
_LINKS, _LINKED = 2, 0.4  # links out and their share of the text, from which on it is an advertisement
_SHORT: Final = 400  # characters of a comment that thanks or objects and no more


def comment_class(blocks: Sequence[Block], text: str, *, is_reply: bool = False) -> str:
    """Return the class of a comment; empty if no rule matches."""
    linked = [one for block in blocks for one in block.inlines if one.href and one.href.startswith("http")]
    if len(linked) >= _LINKS and sum(len(one.text) for one in linked) > _LINKED * len(text):
        return ADVERT
    start = text[:_READ]
    if is_reply or _MENTION.match(start):
        return ANSWER
    if _ASKS.search(start):
        return QUESTION
    if OBJECTING(start[:_SHORT]):
        return OBJECTION
    return THANKS if THANKING(start[:_SHORT]) else ""


def classes_in(comments: Iterable[Comment]) -> Counter[str]:
    """Return the number of comments of each class."""
    return Counter(one.kind for one in comments)


def posts_by_year(posts: Iterable[Comment]) -> dict[int, int]:
    """Return the number of a weblog's posts per year, earliest first, ignoring posts without a date."""
    return dict(sorted(Counter(one.published.year for one in posts if one.published is not None).items()))
