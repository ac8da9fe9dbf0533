"""Bylines on the page: elements marked as author, and lines that begin with "By".

Comments are signed in the same way, so the comment area is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Final

from tidings.fields import comments
from tidings.fields.authors.names import is_name, names
from tidings.fields.comments import answering, own_text
from tidings.fields.comments.signatures import signed_line
from tidings.fields.date_parsing import parsing
from tidings.fields.dates.visible_dates import SAYING_WHO, word_places
from tidings.fields.elements.by_attribute import MarkedElement, marked_with_text
from tidings.page import Page, Spans
from tidings.text.patterns import LateWords, late_pattern

_WORDS: Final = ("uthor", "yline")
_WORDS_ELSEWHERE: Final = (*_WORDS, "utor", "uteur")
_AUTHOR: Final = LateWords(r"author|byline|autor(?!play|otat)|auteur")
_PROFILE: Final = LateWords(r"/(?:authors?|autor(?:en)?)/")
#: Line beginnings that mark a byline anywhere on the page.
_ANYWHERE: Final = late_pattern(r"\n(?:(?:Article )?[Ww]ritten by ?:?|Autorin/Autor)\s([^\n]{3,90})")
_TRIED: Final = 5
#: Longest distance of a byline above the headline and below the end of the content, in characters.
_ABOVE, _BELOW = 1500, 600
#: A byline within this distance above the headline counts as one below it.
_OVER: Final = 200
#: Names of the same class within this distance are one byline; links without a class must be adjacent.
_APART, _ADJACENT = 200, 8
#: An unmarked byline is within this many characters and lines of the start of the headline.
_UNDER, _LINES = 900, 12
#: Class names of elements that contain only the name, so that a single word is accepted.
_NAMED: Final = LateWords(r"(?:author|autor|byline)(?:[-_]*box)?(?:[-_]*(?:name|link|url))?(?:\s|$)")
_NOT: Final = LateWords(
    r"comment|avatar|image|img|photo|picture|thumb|icon|social|share|related|recirc|bio|desc|about|more-|follow"
    r"|sidebar|widget|footer"
    r"|popular|teaser|twitter|facebook|authoriz|authority|job-?title|role|title$|date|time|position|listing"
    r"|rating|newsletter",
)
#: A longer byline has a biography around it; the name is in a nested element.
_LONGEST: Final = 220
_STOP: Final = LateWords(
    r"(?:fact[- ]checked|reviewed|edited|photos?|photography|illustrations?|updated)\b.{0,12}\bby\b|faktencheck"
    r"|foto:",
)
_BY: Final = late_pattern(
    r"^(?:(?:written|posted|words|story|text|article|guest post|reported"
    r"|authored)\s+)?by:?\s+(?=[A-ZÀ-Þ])[^\n]{3,90}$"
    r"|^(?:(?:article )?written by|author)\s?:?\n[^\n]{3,60}$"
    r"|^(?:(?:ein\s+)?(?:gastbeitrag|kommentar|artikel|beitrag|interview|text|geschrieben"
    r"|verfasst)\s+)?von:?\s+(?=[A-ZÀ-Þ])[^\n]{3,90}$"
    r"|^(?:par|por|door)\s+(?=[A-ZÀ-Þ])[^\n]{3,60}$"
    r"|^(?:authors?|contributors?|autor|autorin|autorin/autor|autore|auteur|text|tekst|автор|текст|yazan|tác giả"
    r"|penulis)(?:\s?:|(?<=/autor))\s*[^\n]{3,60}$"
    r"|^[(（]?(?:بقلم|نویسنده|מאת|作者|記者|记者|文|责编|責編|责任编辑|責任編輯)\s?[:：/／]\s*[^\n]{2,40}$",
    re.IGNORECASE | re.MULTILINE,
)
#: The lower-case beginnings of these lines, ASCII and other.
_BEGINNINGS: Final = frozenset(
    "wri pos wor sto tex art gue rep aut con by by: ein gas kom bei int ges ver von par por doo tek yaz pen".split()
) | {f"by{space}" for space in "\t\x0b\x0c\r\x1c\x1d\x1e\x1f "}
_IN_ANY_CASE: Final = frozenset(
    "".join(letters)
    for beginning in _BEGINNINGS
    for letters in product(*((letter, letter.upper()) for letter in beginning))
)
_FIRST_LETTERS: Final = frozenset("aegikprstwſıат(（بنמ作記记文责責")
#: A line that begins with the first two of these letters, or with a non-ASCII letter among the first three.
_MAY_BEGIN: Final = late_pattern(
    "\n(?:"
    + "|".join("".join(f"[{char}{char.upper()}]" for char in two) for two in sorted({word[:2] for word in _BEGINNINGS}))
    + r"|[^\x00-\x7f]|.[^\x00-\x7f]|..[^\x00-\x7f])"
)
#: The second half of a byline, on a line of its own.
_GOES_ON: Final = late_pattern(r"\n((?:and|und|et|y|&)\s[^\n]{3,60})")
#: After these words a single word is a name too.
_WRITTEN: Final = late_pattern(r"(?:article )?written by", re.IGNORECASE)
#: How an author's biography continues after the name.
_LIVES: Final = late_pattern(
    r"\s(?:is|was|has|writes|covers|joined|works|lives|ist|arbeitet|schreibt|studierte|est|écrit|es|escribe|è|scrive)\s"
)
_LIFE, _LONGEST_LINE = 800, 40
_PARTS: Final = late_pattern(r"\s?[·•|]\s|\s[-–—]\s")
_PARTING: Final = frozenset("·•–—")
#: Words next to a date that are not names.
_NO_NAMES: Final = frozenset(
    "of the and to in for your our all by blog news article articles posts popular related resources contents table "
    "page home sign log share read more tale guide guides tips story stories business design marketing health press "
    "release company product products team latest recent updates podcast video videos reviews review newsletter "
    "subscribe services about contact next previous category quelle foto".split()
)
#: Suffix of a group that signs together.
_TOGETHER: Final = " team"
_WHEN: Final = late_pattern(
    r"^\W{0,5}(?:\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}-\d\d-\d\d|\d+\s*(?:min|minute|hour|day|std|h)\b|(?:published"
    r"|updated|posted|last updated)\b"
    r"|\d{1,2}\.?\s[^\s\d]{2,10}\.?\s(?:[^\s\d]{2,10}\s)?\d{4}|[^\W\d]{3,9}\.?\s\d{1,2}(?:st|nd|rd|th)?(?:,|\s\d{4}|$))",
    re.IGNORECASE,
)
#: Longest distance of a line above the headline, in characters, and patterns for words that are glued together there:
#: a section and a month, a year and a name.
_LINE_OVER, _SHORTEST_NAME = 150, 5
_GLUED: Final = late_pattern(r"[a-z][A-Z]{3}")
_GLUED_YEAR: Final = late_pattern(r"((?:19|20)\d\d)(?=[A-ZÀ-Þ])")
#: Words that introduce a date in a line without digits.
_SAYS_WHEN: Final = LateWords("published|updated|posted")
_DIGIT: Final = late_pattern(r"\d")

#: A line with a date and a signature, the signature in it, and the longest such line.
_SIGNED: Final = late_pattern(
    r"(?:^|[\s,|·•–—/(-])((?:posted|written|submitted|geschrieben|verfasst|gespeichert|erstellt|veröffentlicht|eingestellt"
    r"|gepostet|publié|publicado|escrito|posté)\s+)?(?:by|von|par|por):?\s+"
    r"([^\W\d][^\s,|·•@()»/]*(?-i:(?:\s+[A-ZÀ-Þ][^\s\d,|·•@()»/]*){0,3}))",
    re.IGNORECASE,
)
_SIGNING: Final = ("by", "von", "par", "por")
_SIGNS: Final = LateWords(r"(?:by|von|par|por):?\s")
_SIGNED_LENGTH: Final = 110
_NO_SIGNERS: Final = frozenset(
    "a an the all up to in on at our us me my your der die das dem den ein eine einem einer uns mir la le les el los "
    "un une una um über and und with mit over about using more".split()
)


def by_marks(page: Page, content: Spans | None, headline_at: int) -> tuple[str, ...]:
    """Return the names in the first element marked as byline, and in neighbouring elements of the same class."""
    marks = _bylines(page)
    if not marks:
        return ()
    end = content.ends.item(-1) if content else len(page.text)
    below = [mark for mark in marks if headline_at - _OVER <= mark.start <= end + _BELOW]
    if people := _first_of(page, below):
        return people
    above = [mark for mark in marks if headline_at - _ABOVE <= mark.start < headline_at - _OVER]
    return _first_of(page, above) or _first_of(page, [mark for mark in marks if _is_sure(mark)])


def _first_of(page: Page, marks: list[MarkedElement]) -> tuple[str, ...]:
    """Return the names in the first byline element that has any, and in adjacent elements of the same class."""
    people: list[str] = []
    kind = ""
    last = end = 0
    for mark in marks:
        at = mark.start
        if people and at - last > _APART:  # the following marks are even farther
            break
        if people and (_kind(mark) != kind or (not kind.strip() and at - end > _ADJACENT)):
            continue
        if _is_byline(mark) and (new_names := _inner(page, mark, names_of(page, mark), marks)):
            kind, last = _kind(mark), at
            end = mark.end
            people += [name for name in new_names if name not in people]
    return tuple(people)


def _inner(page: Page, mark: MarkedElement, people: tuple[str, ...], marks: list[MarkedElement]) -> tuple[str, ...]:
    """Return the name from an element nested in a byline, if the byline begins with that name and continues, for
    example with a role; otherwise return `people` unchanged.
    """
    if len(people) != 1 or people[0].count(" ") < 2 or mark.last - mark.first < 2:
        return people
    for inside in marks:
        if mark.start <= inside.start < mark.end and inside.end < mark.end and _is_byline(inside):
            name = names_of(page, inside)
            if len(name) == 1 and " " in name[0] and people[0].startswith(f"{name[0]} "):
                return name
    return people


def _kind(mark: MarkedElement) -> str:
    return " ".join(mark.attributes.get(name, "") for name in ("class", "itemprop", "rel"))


def _bylines(page: Page) -> list[MarkedElement]:
    """Return elements that may be bylines, in document order: short ones, outside comments."""
    english = page.signals.language[:2].lower() == "en"
    marks = marked_with_text(page, _WORDS if english else _WORDS_ELSEWHERE)
    readers = answering(page) if marks else None
    return [
        mark
        for mark in marks
        if mark.end - mark.start <= _LONGEST and (readers is None or not readers.item(mark.first))
    ]


def _is_sure(mark: MarkedElement) -> bool:
    attributes = mark.attributes
    return (
        attributes.get("itemprop", "").lower() in {"author", "creator"}
        or "author" in attributes.get("rel", "").lower().split()
    )


def _is_byline(mark: MarkedElement) -> bool:
    attributes = mark.attributes
    if _is_sure(mark):
        return True
    words = f"{attributes.get('class', '')} {attributes.get('id', '')} {attributes.get('data-testid', '')}".split()
    if any(_AUTHOR(word) and not _NOT(word) for word in words):
        return True
    return _PROFILE(attributes.get("href", ""))


def names_of(page: Page, mark: MarkedElement) -> tuple[str, ...]:
    """Return the names of an element marked as byline: from its first line with names, else from its runs of text one
    by one.
    """
    attributes = mark.attributes
    whole = _unglued(page, mark)
    sure = _is_sure(mark)
    named = sure or _NAMED(attributes.get("class", ""))
    for line in whole.split("\n"):
        if _STOP(line):
            return ()
        people = names(line) or (names(line, loose=True) if sure and len(line) <= 25 else ())
        if people and (named or len(people) > 1 or " " in people[0] or not people[0].isascii()):
            return people
    first, last = mark.first, mark.last
    if 1 < last - first <= 8 and "\n" not in whole:
        pieces = [page.text[page.runs.text_start[run] : page.runs.text_end[run]] for run in range(first, last)]
        return tuple(name for piece in pieces for name in names(piece))
    return ()


def _unglued(page: Page, mark: MarkedElement) -> str:
    """Return the text of an element, with a newline between runs of text without space between: "Ann LeeEditor"."""
    first, last = mark.first, mark.last
    if last - first == 1:
        return page.text[mark.start : mark.end]
    starts, ends = page.runs.text_start[first:last].tolist(), page.runs.text_end[first:last].tolist()
    parts = [page.text[starts[0] : ends[0]]] if starts else []
    for start, end, before in zip(starts[1:], ends[1:], ends, strict=False):
        glued = before == start and page.text[before - 1].isalnum() and page.text[start].isalnum()
        parts += ["\n" if glued else page.text[before:start], page.text[start:end]]
    return "".join(parts)


def by_words(page: Page, content: Spans | None, headline_at: int) -> tuple[str, ...]:
    """Return the names in the first line that begins with "By" or an equivalent, near the headline or content end.

    "Written by" counts anywhere.
    """
    places = [(max(0, headline_at - 300), headline_at + 1500)]
    if content:
        end = int(content.ends[-1])
        places.append((max(0, end - 300), end + 500))
    for start, end in places:
        text = own_text(page)[start:end]
        for match in _byline_lines(text):
            line = (match[0].partition("\n")[2] or match[0]).strip("()")
            if (more := _GOES_ON.match(text, match.end())) is not None:
                line += f" {more[1]}"
            if people := _whole_names(line) or (names(line) if _WRITTEN.match(match[0]) else ()):
                return people
    if word_places(page).keys().isdisjoint(SAYING_WHO):
        return ()
    for match in islice(_ANYWHERE.finditer(own_text(page)), _TRIED):
        if people := _whole_names(match[1]):
            return people
    return ()


def _byline_lines(text: str) -> Iterator[re.Match[str]]:
    """Yield matches of lines that begin like a byline. Only line beginnings are checked."""
    behind = 0
    for line in _MAY_BEGIN.finditer(f"\n{text}"):
        at = line.start()
        letters = text[at : at + 3].partition("\n")[0]
        if letters in _IN_ANY_CASE or (not letters.isascii() and _begins_like_byline(letters.lower())):
            match = _BY.match(text, at) if at >= behind else None
            if match is not None:
                yield match
                behind = match.end()


def _begins_like_byline(letters: str) -> bool:
    """Return whether the lower-case start of a line, which is not all ASCII, may begin a byline."""
    return letters in _BEGINNINGS or (not letters.isascii() and letters[0] in _FIRST_LETTERS)


def _whole_names(line: str) -> tuple[str, ...]:
    """Return the names in an unmarked byline. A single word is not a name, except in scripts without spaces."""
    people = names(line)
    return people if people and (" " in people[0] or not people[0].isascii()) else ()


def by_dated_words(page: Page, content: Spans | None, headline_at: int) -> tuple[str, ...]:
    """Return the signature in a line with a date: "Dec 20, 2026 by Mara", "Geschrieben von mara am 20.12.2026".

    Blogs sign like this, often with one word or an account. Next to a date, "by" introduces a byline.
    """
    places = [(max(0, headline_at - 300), headline_at + 900)]
    if content:
        end = int(content.ends[-1])
        places.append((max(0, end - 150), end + 150))
    for start, end in places:
        for line in _signing_lines(own_text(page)[start:end]):
            if (match := _SIGNED.search(line)) is None:
                continue
            language = page.signals.language
            name = _signer(match[2], language)
            if name and (match[1] or parsing.find(line[: match.start()], language) or parsing.find(line, language)):
                return (name,)
    return ()


def _signing_lines(text: str) -> list[str]:
    """Return the short lines of a text that contain "by" or an equivalent followed by a word."""
    small = text.lower()
    if len(small) != len(text):  # offsets would differ
        return _may_be_signed(text.split("\n"))
    signing = []
    for word in _SIGNING:
        at = small.find(word)
        while at >= 0:
            behind = small[at + len(word) : at + len(word) + 1]
            if behind == ":" or (behind != "\n" and behind.isspace()):
                signing.append(at)
            at = small.find(word, at + 1)
    line_starts = sorted({text.rfind("\n", 0, at) + 1 for at in signing})
    return _may_be_signed([text[at:].partition("\n")[0] for at in line_starts])


def _may_be_signed(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if len(line) <= _SIGNED_LENGTH and _SIGNS(line)]


def _signer(words: str, language: str) -> str:
    """Return the name at the beginning of some words; an empty string if there is none."""
    name_words: list[str] = []
    for word in words.split():
        bare = word.strip(".:")
        if bare.casefold() in _NO_SIGNERS or parsing.month(bare, language):
            break
        name_words.append(word)
    name = " ".join(name_words).rstrip(".:")
    return name if is_name(name, loose=True) else ""


def by_place(page: Page, headline_at: int, title: str) -> tuple[str, ...]:
    """Return the name next to the date, under the headline.

    In scripts with capitals: a line, or a part of one, that looks like a name and is next to the date. In other
    scripts: only the single line between headline and date.
    """
    under = _under(page, headline_at)
    people = _next_to_date(under, title)
    if people or headline_at < _SHORTEST_NAME:
        return people
    over = own_text(page)[max(headline_at - _LINE_OVER, 0) : headline_at].rstrip("\n").rpartition("\n")[2]
    return _next_to_date([_GLUED_YEAR.sub(r"\1 | ", over)], title)


def _next_to_date(visible_lines: list[str], title: str) -> tuple[str, ...]:
    """Return the first name next to a date in some lines."""
    text = "\n".join(visible_lines)
    if _DIGIT.search(text) is None and not _SAYS_WHEN(text):
        return ()
    excluded = set(title.casefold().split()) | _NO_NAMES
    lines = [parts for line in visible_lines if (parts := _parts(line))]
    dated = [[_WHEN.match(part) is not None for part in parts] for parts in lines]
    for at, parts in enumerate(lines):
        if not any(dated[at]) and not (dated[at - 1][-1] and at) and not (at + 1 < len(lines) and dated[at + 1][0]):
            continue
        for part, is_date in zip(parts, dated[at], strict=True):
            people = names(part) if len(part) <= 60 and not part.isupper() and not is_date else ()
            if (
                not people
                or not 2 <= len(people[0].split()) <= 4
                or people[0] not in part[:40]
                or _GLUED.search(people[0])
            ):
                continue
            if excluded.isdisjoint(people[0].casefold().removesuffix(_TOGETHER).split()) and (
                people[0][0].isupper() or (at == 0 and part == parts[-1])
            ):
                return people
    return ()


def by_biography(page: Page, content: Spans | None, headline_at: int) -> tuple[str, ...]:
    """Return the name on a line of its own if another line near the content is that person's biography."""
    if not content:
        return ()
    end, text = int(content.ends[-1]), own_text(page)
    behind = text[max(end - _LIFE, headline_at) : end + _LIFE].split("\n")
    lives = [line for line in behind if len(line) > _LONGEST_LINE and _LIVES.search(line, 0, _LONGEST_LINE)]
    if not lives:
        return ()
    for line in (*text[headline_at : headline_at + _UNDER].split("\n")[1:_LINES], *behind):
        if " " not in line or len(line) > _LONGEST_LINE or line.startswith("The "):
            continue
        if any(life.startswith(line) and _LIVES.match(life, len(line)) for life in lives):
            people = _whole_names(line)
            if people == (line,):
                return people
    return ()


def by_commenters(page: Page, headline_at: int) -> tuple[str, ...]:
    """Return the name before the date in a line under the headline if the same person also comments.

    A single word is not a name there, unless a commenter signs with it.
    """
    commenters = {remark.author for remark in comments.find(page).comments} - {""}
    if not commenters:
        return ()
    for line in _under(page, headline_at):
        signed = signed_line(
            line, next((name for name in commenters if line.startswith(name)), ""), page.signals.language
        )
        if signed is not None and signed.author in commenters:
            return (signed.author,)
    return ()


def near(page: Page, headline_at: int) -> list[str]:
    """Return the lines under the headline, split into their parts."""
    return [part for line in _under(page, headline_at) for part in _parts(line)]


def _under(page: Page, headline_at: int) -> list[str]:
    """Return the lines under the headline."""
    return own_text(page)[headline_at : headline_at + _UNDER].split("\n")[1:_LINES]


def _parts(line: str) -> list[str]:
    """Split a dateline at its dots, bars and dashes."""
    if "-" in line or "|" in line or (not line.isascii() and not _PARTING.isdisjoint(line)):
        return [part for part in _PARTS.split(line) if part]
    return [line] if line else []
