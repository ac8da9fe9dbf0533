"""Bylines on the page: elements that say they hold the author, and lines that begin with "By".

Comments are signed in the same way; what stands in the part of the page that is given to readers is no byline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Final

from tidings.fields import comments, moments
from tidings.fields.comments import answering, own_text
from tidings.fields.elements_by_attribute import MarkedElement, marked_with_text
from tidings.fields.names import is_name, names
from tidings.fields.signatures import signed_line
from tidings.fields.visible_dates import SAYING_WHO, word_places
from tidings.page import Page, Spans
from tidings.text.patterns import LateWords, late_pattern

_WORDS: Final = ("uthor", "yline")
_WORDS_ELSEWHERE: Final = (*_WORDS, "utor", "uteur")
_AUTHOR: Final = LateWords(r"author|byline|autor(?!play|otat)|auteur")
_PROFILE: Final = LateWords(r"/(?:authors?|autor(?:en)?)/")
#: At the beginning of a line so clear that it counts wherever it stands.
_ANYWHERE: Final = late_pattern(r"\n(?:(?:Article )?[Ww]ritten by ?:?|Autorin/Autor)\s([^\n]{3,90})")
_TRIED: Final = 5
#: A byline stands no further above the headline, or below the end of the content, in characters.
_ABOVE, _BELOW = 1500, 600
#: Nearer above the headline it may be its own line as well as below.
_OVER: Final = 200
#: Names of the same kind no further apart are of one byline; of links without a name between which nothing else stands.
_APART, _ADJACENT = 200, 8
#: Where a byline without mark stands: so many characters and lines from the beginning of the headline.
_UNDER, _LINES = 900, 12
#: Class names of elements that hold the name and nothing else, so that one word may be it.
_NAMED: Final = LateWords(r"(?:author|autor|byline)(?:[-_]*box)?(?:[-_]*(?:name|link|url))?(?:\s|$)")
_NOT: Final = LateWords(
    r"comment|avatar|image|img|photo|picture|thumb|icon|social|share|related|recirc|bio|desc|about|more-|follow"
    r"|sidebar|widget|footer"
    r"|popular|teaser|twitter|facebook|authoriz|authority|job-?title|role|title$|date|time|position|listing"
    r"|rating|newsletter",
)
#: A byline is short. With biography and more around it, the name stands in an element further in.
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
#: What they begin with, in small letters: where that is ASCII, and elsewhere.
_BEGINNINGS: Final = frozenset(
    "wri pos wor sto tex art gue rep aut con by by: ein gas kom bei int ges ver von par por doo tek yaz pen".split()
) | {f"by{space}" for space in "\t\x0b\x0c\r\x1c\x1d\x1e\x1f "}
_IN_ANY_CASE: Final = frozenset(
    "".join(letters)
    for beginning in _BEGINNINGS
    for letters in product(*((letter, letter.upper()) for letter in beginning))
)
_FIRST_LETTERS: Final = frozenset("aegikprstwſıат(（بنמ作記记文责責")
#: A line that begins with two such letters, or with one that is not in ASCII among the first three.
_MAY_BEGIN: Final = late_pattern(
    "\n(?:"
    + "|".join("".join(f"[{one}{one.upper()}]" for one in two) for two in sorted({word[:2] for word in _BEGINNINGS}))
    + r"|[^\x00-\x7f]|.[^\x00-\x7f]|..[^\x00-\x7f])"
)
#: The second half of a byline, on a line of its own.
_GOES_ON: Final = late_pattern(r"\n((?:and|und|et|y|&)\s[^\n]{3,60})")
#: Before these words even one word is a name.
_WRITTEN: Final = late_pattern(r"(?:article )?written by", re.IGNORECASE)
#: How the life of an author begins, behind the name.
_LIVES: Final = late_pattern(
    r"\s(?:is|was|has|writes|covers|joined|works|lives|ist|arbeitet|schreibt|studierte|est|écrit|es|escribe|è|scrive)\s"
)
_LIFE, _LONGEST_LINE = 800, 40
_PARTS: Final = late_pattern(r"\s?[·•|]\s|\s[-–—]\s")
_PARTING: Final = frozenset("·•–—")
#: Words of the lines that stand beside a date and are no names.
_NO_NAMES: Final = frozenset(
    "of the and to in for your our all by blog news article articles posts popular related resources contents table "
    "page home sign log share read more tale guide guides tips story stories business design marketing health press "
    "release company product products team latest recent updates podcast video videos reviews review newsletter "
    "subscribe services about contact next previous category quelle foto".split()
)
#: Who signs so signs for several.
_TOGETHER: Final = " team"
_WHEN: Final = late_pattern(
    r"^\W{0,5}(?:\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}-\d\d-\d\d|\d+\s*(?:min|minute|hour|day|std|h)\b|(?:published"
    r"|updated|posted|last updated)\b"
    r"|\d{1,2}\.?\s[^\s\d]{2,10}\.?\s(?:[^\s\d]{2,10}\s)?\d{4}|[^\W\d]{3,9}\.?\s\d{1,2}(?:st|nd|rd|th)?(?:,|\s\d{4}|$))",
    re.IGNORECASE,
)
#: Above the headline a line stands so near, in characters; what sticks together there: a section and a month, a year
#: and a name.
_LINE_OVER, _SHORTEST_NAME = 150, 5
_GLUED: Final = late_pattern(r"[a-z][A-Z]{3}")
_GLUED_YEAR: Final = late_pattern(r"((?:19|20)\d\d)(?=[A-ZÀ-Þ])")
#: What a line has that is, or begins, a date, if no digit is in it.
_SAYS_WHEN: Final = LateWords("published|updated|posted")
_DIGIT: Final = late_pattern(r"\d")

#: A line that tells date and signature, the signature in it, and how long such a line may be.
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


def by_marks(page: Page, content: Spans | None, around: int) -> tuple[str, ...]:
    """Return the names in the first marked byline that has any; those of its neighbours of the same kind too."""
    marks = _bylines(page)
    if not marks:
        return ()
    end = content.ends.item(-1) if content else len(page.text)
    below = [mark for mark in marks if around - _OVER <= mark.start <= end + _BELOW]
    if found := _first_of(page, below):
        return found
    above = [mark for mark in marks if around - _ABOVE <= mark.start < around - _OVER]
    return _first_of(page, above) or _first_of(page, [mark for mark in marks if _is_sure(mark)])


def _first_of(page: Page, marks: list[MarkedElement]) -> tuple[str, ...]:
    """Return the names of the first that has any, and of the next; marks that are no bylines are passed over here."""
    found: list[str] = []
    kind = ""
    last = end = 0
    for mark in marks:
        at = mark.start
        if found and at - last > _APART:  # and so are all behind it
            break
        if found and (_kind(mark) != kind or (not kind.strip() and at - end > _ADJACENT)):
            continue
        if _tells(mark) and (read := _inner(page, mark, names_of(page, mark), marks)):
            kind, last = _kind(mark), at
            end = mark.end
            found += [name for name in read if name not in found]
    return tuple(found)


def _inner(page: Page, mark: MarkedElement, read: tuple[str, ...], marks: list[MarkedElement]) -> tuple[str, ...]:
    """Return the name in an element further in, where that of the outer one goes on with what its bearer is."""
    if len(read) != 1 or read[0].count(" ") < 2 or mark.last - mark.first < 2:
        return read
    for inside in marks:
        if mark.start <= inside.start < mark.end and inside.end < mark.end and _tells(inside):
            name = names_of(page, inside)
            if len(name) == 1 and " " in name[0] and read[0].startswith(f"{name[0]} "):
                return name
    return read


def _kind(mark: MarkedElement) -> str:
    return " ".join(mark.attributes.get(name, "") for name in ("class", "itemprop", "rel"))


def _bylines(page: Page) -> list[MarkedElement]:
    """What may be a byline, in document order: short, and not what a reader signed."""
    english = page.signals.language[:2].lower() == "en"
    marks = marked_with_text(page, _WORDS if english else _WORDS_ELSEWHERE)
    readers = answering(page) if marks else None
    return [
        mark
        for mark in marks
        if mark.end - mark.start <= _LONGEST and (readers is None or not readers.item(mark.first))
    ]


def _is_sure(mark: MarkedElement) -> bool:
    told = mark.attributes
    return told.get("itemprop", "").lower() in {"author", "creator"} or "author" in told.get("rel", "").lower().split()


def _tells(mark: MarkedElement) -> bool:
    told = mark.attributes
    if _is_sure(mark):
        return True
    words = f"{told.get('class', '')} {told.get('id', '')} {told.get('data-testid', '')}".split()
    if any(_AUTHOR(word) and not _NOT(word) for word in words):
        return True
    return _PROFILE(told.get("href", ""))


def names_of(page: Page, mark: MarkedElement) -> tuple[str, ...]:
    """Return the names of a marked element: those of the first of its lines that has any, else of its runs one by
    one.
    """
    told = mark.attributes
    whole = _unglued(page, mark)
    sure = _is_sure(mark)
    named = sure or _NAMED(told.get("class", ""))
    for line in whole.split("\n"):
        if _STOP(line):
            return ()
        read = names(line) or (names(line, loose=True) if sure and len(line) <= 25 else ())
        if read and (named or len(read) > 1 or " " in read[0] or not read[0].isascii()):
            return read
    first, last = mark.first, mark.last
    if 1 < last - first <= 8 and "\n" not in whole:
        pieces = [page.text[page.runs.text_start[run] : page.runs.text_end[run]] for run in range(first, last)]
        return tuple(name for piece in pieces for name in names(piece))
    return ()


def _unglued(page: Page, mark: MarkedElement) -> str:
    """Return the text of an element, with a new line where one run follows another without a space: "Ann LeeEditor"."""
    first, last = mark.first, mark.last
    if last - first == 1:
        return page.text[mark.start : mark.end]
    starts, ends = page.runs.text_start[first:last].tolist(), page.runs.text_end[first:last].tolist()
    parts = [page.text[starts[0] : ends[0]]] if starts else []
    for start, end, before in zip(starts[1:], ends[1:], ends, strict=False):
        glued = before == start and page.text[before - 1].isalnum() and page.text[start].isalnum()
        parts += ["\n" if glued else page.text[before:start], page.text[start:end]]
    return "".join(parts)


def by_words(page: Page, content: Spans | None, around: int) -> tuple[str, ...]:
    """Return the names in the first line that begins with "By" or its like, near the headline or the end of the
    content.

    "Written by" counts anywhere.
    """
    places = [(max(0, around - 300), around + 1500)]
    if content:
        end = int(content.ends[-1])
        places.append((max(0, end - 300), end + 500))
    for start, end in places:
        text = own_text(page)[start:end]
        for match in _begun_so(text):
            line = (match[0].partition("\n")[2] or match[0]).strip("()")
            if (more := _GOES_ON.match(text, match.end())) is not None:
                line += f" {more[1]}"
            if found := _whole_names(line) or (names(line) if _WRITTEN.match(match[0]) else ()):
                return found
    if word_places(page).keys().isdisjoint(SAYING_WHO):
        return ()
    for match in islice(_ANYWHERE.finditer(own_text(page)), _TRIED):
        if found := _whole_names(match[1]):
            return found
    return ()


def _begun_so(text: str) -> Iterator[re.Match[str]]:
    """Yield the lines that begin so; only the beginnings of lines are looked at."""
    behind = 0
    for line in _MAY_BEGIN.finditer(f"\n{text}"):
        at = line.start()
        letters = text[at : at + 3].partition("\n")[0]
        if letters in _IN_ANY_CASE or (not letters.isascii() and _begins_so(letters.lower())):
            match = _BY.match(text, at) if at >= behind else None
            if match is not None:
                yield match
                behind = match.end()


def _begins_so(letters: str) -> bool:
    """Return whether a line may begin so that does not begin in ASCII; in small letters."""
    return letters in _BEGINNINGS or (not letters.isascii() and letters[0] in _FIRST_LETTERS)


def _whole_names(line: str) -> tuple[str, ...]:
    """Return the names of a line that no element marks: one word alone is none, but in scripts without spaces."""
    found = names(line)
    return found if found and (" " in found[0] or not found[0].isascii()) else ()


def by_dated_words(page: Page, content: Spans | None, around: int) -> tuple[str, ...]:
    """Who signs a line that tells the date too: "Dec 20, 2026 by Mara", "Geschrieben von mara am 20.12.2026".

    Weblogs sign so, often with one word or an account. With a date beside it "by" is that of a byline.
    """
    places = [(max(0, around - 300), around + 900)]
    if content:
        end = int(content.ends[-1])
        places.append((max(0, end - 150), end + 150))
    for start, end in places:
        for line in _signing_lines(own_text(page)[start:end]):
            if (match := _SIGNED.search(line)) is None:
                continue
            language = page.signals.language
            name = _signer(match[2], language)
            if name and (match[1] or moments.find(line[: match.start()], language) or moments.find(line, language)):
                return (name,)
    return ()


def _signing_lines(text: str) -> list[str]:
    """Return the short lines of a text that may be signed: "by" and the like stand in them, and something behind."""
    small = text.lower()
    if len(small) != len(text):  # places would be others
        return _may_be_signed(text.split("\n"))
    signing = []
    for word in _SIGNING:
        at = small.find(word)
        while at >= 0:
            behind = small[at + len(word) : at + len(word) + 1]
            if behind == ":" or (behind != "\n" and behind.isspace()):
                signing.append(at)
            at = small.find(word, at + 1)
    begun = sorted({text.rfind("\n", 0, at) + 1 for at in signing})
    return _may_be_signed([text[at:].partition("\n")[0] for at in begun])


def _may_be_signed(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if len(line) <= _SIGNED_LENGTH and _SIGNS(line)]


def _signer(words: str, language: str) -> str:
    """Return the name at the beginning of some words; empty where none is."""
    kept: list[str] = []
    for word in words.split():
        bare = word.strip(".:")
        if bare.casefold() in _NO_SIGNERS or moments.month(bare, language):
            break
        kept.append(word)
    name = " ".join(kept).rstrip(".:")
    return name if is_name(name, loose=True) else ""


def by_place(page: Page, around: int, title: str) -> tuple[str, ...]:
    """Return the name that stands beside the date, under the headline.

    In scripts with capitals a line, or part of a line, that reads as a name and has the date next to it; in the others
    only the one line between headline and date.
    """
    under = _under(page, around)
    found = _beside_date(under, title)
    if found or around < _SHORTEST_NAME:
        return found
    over = own_text(page)[max(around - _LINE_OVER, 0) : around].rstrip("\n").rpartition("\n")[2]
    return _beside_date([_GLUED_YEAR.sub(r"\1 | ", over)], title)


def _beside_date(shown: list[str], title: str) -> tuple[str, ...]:
    """Return the first name of some lines that has the date next to it."""
    text = "\n".join(shown)
    if _DIGIT.search(text) is None and not _SAYS_WHEN(text):
        return ()
    taken = set(title.casefold().split()) | _NO_NAMES
    lines = [parts for line in shown if (parts := _parts(line))]
    dated = [[_WHEN.match(part) is not None for part in parts] for parts in lines]
    for at, parts in enumerate(lines):
        if not any(dated[at]) and not (dated[at - 1][-1] and at) and not (at + 1 < len(lines) and dated[at + 1][0]):
            continue
        for part, is_date in zip(parts, dated[at], strict=True):
            found = names(part) if len(part) <= 60 and not part.isupper() and not is_date else ()
            if not found or not 2 <= len(found[0].split()) <= 4 or found[0] not in part[:40] or _GLUED.search(found[0]):
                continue
            if taken.isdisjoint(found[0].casefold().removesuffix(_TOGETHER).split()) and (
                found[0][0].isupper() or (at == 0 and part == parts[-1])
            ):
                return found
    return ()


def by_biography(page: Page, content: Spans | None, around: int) -> tuple[str, ...]:
    """Return the name on a line of its own, under the headline or behind the story, of whom a line there tells the
    life.
    """
    if not content:
        return ()
    end, text = int(content.ends[-1]), own_text(page)
    behind = text[max(end - _LIFE, around) : end + _LIFE].split("\n")
    lives = [line for line in behind if len(line) > _LONGEST_LINE and _LIVES.search(line, 0, _LONGEST_LINE)]
    if not lives:
        return ()
    for line in (*text[around : around + _UNDER].split("\n")[1:_LINES], *behind):
        if " " not in line or len(line) > _LONGEST_LINE or line.startswith("The "):
            continue
        if any(life.startswith(line) and _LIVES.match(life, len(line)) for life in lives):
            found = _whole_names(line)
            if found == (line,):
                return found
    return ()


def by_commenters(page: Page, around: int) -> tuple[str, ...]:
    """Who stands before the date in a line under the headline, with nothing else, and writes comments too.

    A word alone is no name there; that somebody signs with it makes it one.
    """
    known = {remark.author for remark in comments.find(page).comments} - {""}
    if not known:
        return ()
    for line in _under(page, around):
        signed = signed_line(line, next((name for name in known if line.startswith(name)), ""), page.signals.language)
        if signed is not None and signed.author in known:
            return (signed.author,)
    return ()


def near(page: Page, around: int) -> list[str]:
    """Return the lines under the headline, in their parts."""
    return [part for line in _under(page, around) for part in _parts(line)]


def _under(page: Page, around: int) -> list[str]:
    """Return the lines under the headline."""
    return own_text(page)[around : around + _UNDER].split("\n")[1:_LINES]


def _parts(line: str) -> list[str]:
    """Return a dateline parted at the dots, bars and dashes that stand between its parts."""
    if "-" in line or "|" in line or (not line.isascii() and not _PARTING.isdisjoint(line)):
        return [part for part in _PARTS.split(line) if part]
    return [line] if line else []
