"""Sentence splitting for many languages, in linear time.

N-EXT compares a block with its sentences (thesis 4.1.5), LBNEST a headline with those of a paragraph (III.B); neither
says how to split. Here every sequence of stops is checked once, with limited context on both sides:

- 。！？ ؟ ۔ । ։ ። ។ ။ and similar marks always end a sentence.
- . ! ? … end a sentence before white space, unless the next word is in lower case. In scripts without case a full
  stop also ends one without white space, after a word of at least three letters.
- A full stop does not end a sentence after an initial, a listed or dotted abbreviation, a list number, or (in
  languages with such ordinals) a number of one or two digits. Decimals have no white space.
- A Greek letter makes `;` a question mark, an Armenian one `:` a full stop.
- Closing quotes, brackets and reference marks such as [1] belong to the sentence before. A blank line ends a
  sentence, a single line break does not.

Thai, Lao and Burmese separate clauses and sentences alike by spaces, so only a stop or a blank line ends a sentence. A
long paragraph without stops is one sentence. The word lists for full stops are in `abbreviations.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tidings.text.normalise import base_language
from tidings.text.patterns import late_pattern

_LINES = Path(__file__).with_name("abbreviations.txt").read_text("utf-8").splitlines()


def _listed(name: str) -> frozenset[str]:
    return frozenset(word for line in _LINES if line.startswith(name) for word in line.split()[1:])


TITLES, BEFORE_MORE, BEFORE_EITHER, BEFORE_NUMBER, STARTERS, ORDINAL_LANGUAGES = map(
    _listed, ("titles", "before_more", "before_either", "before_number", "starters", "ordinal_languages")
)


_ANYWHERE = "。！？｡︒؟۔।॥։።፧፨។៕။܀܁܂᠃᠉᱾᱿꘎꘏།༎\u037e"
_SPACED = ".．!?‼⁇⁈⁉‽…‥"
_CLOSING = ")]}」』）】》〉〗〙〛｠”’»›"
# Marks that open in one language and close in another; after a stop and before white space they close.
_EITHER = "\"'“‘«‹"
_STOP = late_pattern(rf"[{_ANYWHERE}{_SPACED}]+|[;:](?=\s|\Z)|\n[^\S\n]*\n|\u2029")
_TAIL = late_pattern(rf"(?:[{re.escape(_CLOSING)}{_EITHER}{_SPACED}]|\[[\w:]{{1,8}}\]|[ \u00a0\u202f]»(?=[\s,;.]|\Z))*")
_TAIL_ANYWHERE = late_pattern(rf"[{re.escape(_CLOSING)}{_ANYWHERE}{_SPACED}]*")
_COMMAS = ",،、，;؛"
_OPENERS = "([{\"'“”„«»‹›‘’‚¿¡（「『《〈-–—*•"

# Range of the search for the word before a stop and the letter after it.
_BACK, _AHEAD = 24, 6

_ROMAN = late_pattern(r"[IVXL]{1,6}\Z")
_WORD = late_pattern(r"[^\W\d_]{1,12}")


def sentences(text: str, language: str = "") -> list[str]:
    """Return the sentences of a text, trimmed."""
    return [text[start:end] for start, end in sentence_spans(text, language)]


def sentence_spans(text: str, language: str = "") -> list[tuple[int, int]]:
    """Return the ranges of the sentences in a text, without the white space between them."""
    spans: list[tuple[int, int]] = []
    start = 0
    for end in _ends(text, base_language(language)):
        part = text[start:end]
        body = part.strip()
        if body:
            first = start + len(part) - len(part.lstrip())
            spans.append((first, first + len(body)))
        start = end
    return spans


def _ends(text: str, language: str) -> Iterator[int]:
    start = done = 0
    for stop in _STOP.finditer(text):
        if stop.start() < done:
            continue
        if stop.group()[0] in "\n\u2029":
            done = stop.end()
            yield done
        else:
            done = _tail(text, stop, start)
            if not _closes(text, stop, done, start, language):
                continue
            yield done
        start = done
    yield len(text)


def _tail(text: str, stop: re.Match[str], start: int) -> int:
    """Return the offset after the closing quotation marks and brackets that follow a sentence-ending
    punctuation mark.
    """
    end = stop.end()
    if stop.group()[-1] not in _ANYWHERE:
        return _match_end(_TAIL, text, end)
    end = _match_end(_TAIL_ANYWHERE, text, end)
    # Without white space after the stop, only the number of straight quotation marks shows whether this one closes.
    # A mark that does not close ends the sentence, so each sentence is counted at most twice.
    if text[end : end + 1] == '"' and text.count('"', start, end) % 2:
        end += 1
    return end


def _closes(text: str, stop: re.Match[str], tail: int, start: int, language: str) -> bool:
    """Return whether the punctuation mark `stop` ends a sentence."""
    mark, before, following = stop.group(), text[stop.start() - 1 : stop.start()], text[tail : tail + 1]
    if mark in ";:":
        return _is_greek(before) if mark == ";" else "Ա" <= before <= "և"
    if following == "" or following in _COMMAS:
        return following == ""
    if mark[-1] in _ANYWHERE:
        # 「行く。」と言った: a particle after the quotation carries the sentence on.
        return not (tail > stop.end() and "ぁ" <= following <= "ゖ")
    if not following.isspace():
        return mark == "." and tail == stop.end() and _caseless_joint(text, stop.start(), start, following)
    position = _next_letter(text, tail)
    if mark not in ".．" or text[position].islower():
        return not text[position].islower()
    return _full_stop_closes(text, stop.start(), position, start, language)


def _full_stop_closes(text: str, dot: int, position: int, start: int, language: str) -> bool:
    """Return whether a full stop before white space and no lower-case letter ends a sentence, as most do."""
    word = _word_before(text, dot, start)
    begins = _match_text(_WORD, text, position) in STARTERS
    if not word:
        return True
    if _only_abbreviates(word, text[position]):
        return False
    if word.replace(".", "").isdecimal():
        listed = dot - start <= _BACK and len(word) <= 3 and text[start:dot].strip() == word
        ordinal = language in ORDINAL_LANGUAGES and len(word.rpartition(".")[2]) <= 2
        return not listed and (begins or not ordinal)
    if len(word) == 1 and word.isalpha() and word.lower() not in BEFORE_EITHER:
        # "So do I. We went": the pronoun, not an initial.
        return word == "I" and begins and text[max(start, dot - 3) : dot - 2].islower()
    return begins or not _may_abbreviate(word, language)


def _only_abbreviates(word: str, following: str) -> bool:
    """Return whether a full stop between these two words always belongs to an abbreviation, as in "Dr. Lee"
    or "No. 5".
    """
    lowered = word.lower()
    numbered = lowered in BEFORE_NUMBER and following.isdecimal()
    return numbered or lowered in BEFORE_MORE or (word[0].isupper() and word.capitalize() in TITLES)


def _may_abbreviate(word: str, language: str) -> bool:
    """Return whether a word with a full stop may be an abbreviation that also ends sentences, such as "etc.", "U.S." or
    "II.". The next word then decides.
    """
    parts = word.replace("-", "").split(".")
    dotted = len(parts) > 1 and all(part.isalpha() and len(part) <= 3 for part in parts)
    ordinal = language in ORDINAL_LANGUAGES and _ROMAN.match(word) is not None
    return dotted or ordinal or word.lower() in BEFORE_EITHER


def _word_before(text: str, dot: int, start: int) -> str:
    """Return the word before a full stop, including full stops inside it; empty if white space precedes the
    full stop.
    """
    window = text[max(start, dot - _BACK) : dot]
    if not window or window[-1].isspace():
        return ""
    return window.split()[-1].lstrip(_OPENERS)


def _next_letter(text: str, tail: int) -> int:
    """Return the offset of the first letter or digit after the offset `tail`, skipping white space and a few opening
    marks. If there is none nearby, return the offset where the search stopped.
    """
    position, last = tail, len(text) - 1
    while position < last and text[position].isspace():
        position += 1
    limit = min(position + _AHEAD, last)
    while position < limit and not text[position].isalnum():
        position += 1
    return position


def _caseless_joint(text: str, dot: int, start: int, following: str) -> bool:
    word = _word_before(text, dot, start)
    caseless = following.isalpha() and following.lower() == following.upper()
    return caseless and len(word) >= 3 and word.isalpha() and word.lower() == word.upper()


def _is_greek(char: str) -> bool:
    return "Ͱ" <= char <= "Ͽ" or "ἀ" <= char <= "῾"


def _match_end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return position if match is None else match.end()


def _match_text(pattern: re.Pattern[str], text: str, position: int) -> str:
    match = pattern.match(text, position)
    return "" if match is None else match.group()
