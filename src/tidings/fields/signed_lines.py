"""Lines that tell who wrote and when: how weblogs sign, often with one word or the name of an account.

Without the date, "by" and its like stand before other things than authors too often for one word to be believed.
"""

from __future__ import annotations

import re
from typing import Final

from tidings.fields import moments
from tidings.fields.bylines import own_text
from tidings.fields.names import is_name
from tidings.page import Page, Spans

#: A line that tells date and signature, the signature in it, and how long such a line may be.
_SIGNED: Final = re.compile(
    r"(?:^|[\s,|·•–—/(-])((?:posted|written|submitted|geschrieben|verfasst|gespeichert|erstellt|veröffentlicht|eingestellt"
    r"|gepostet|publié|publicado|escrito|posté)\s+)?(?:by|von|par|por):?\s+"
    r"([^\W\d][^\s,|·•@()»/]*(?-i:(?:\s+[A-ZÀ-Þ][^\s\d,|·•@()»/]*){0,3}))",
    re.IGNORECASE,
)
_SIGNED_LENGTH: Final = 110
_NO_SIGNERS: Final = frozenset(
    "a an the all up to in on at our us me my your der die das dem den ein eine einem einer uns mir la le les el los "
    "un une una um über and und with mit over about using more".split()
)


def by_dated_words(page: Page, content: Spans | None, around: int) -> tuple[str, ...]:
    """Who signs a line that tells the date too: "Dec 20, 2026 by Mara", "Geschrieben von mara am 20.12.2026".

    Weblogs sign so, often with one word or an account. With a date beside it "by" is that of a byline.
    """
    places = [(max(0, around - 300), around + 900)]
    if content:
        end = int(content.ends[-1])
        places.append((max(0, end - 150), end + 150))
    for start, end in places:
        for line in own_text(page)[start:end].split("\n"):
            if len(line) > _SIGNED_LENGTH or (match := _SIGNED.search(line)) is None:
                continue
            language = page.signals.language
            name = _signer(match[2], language)
            if name and (match[1] or moments.find(line[: match.start()], language) or moments.find(line, language)):
                return (name,)
    return ()


def _signer(words: str, language: str) -> str:
    """The name at the beginning of some words; empty where none is."""
    kept: list[str] = []
    for word in words.split():
        bare = word.strip(".:")
        if bare.casefold() in _NO_SIGNERS or moments.month(bare, language):
            break
        kept.append(word)
    name = " ".join(kept).rstrip(".:")
    return name if is_name(name, loose=True) else ""
