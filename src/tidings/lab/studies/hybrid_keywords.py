"""Author and date by keywords, for pages where the rules fail (hybrid rules 5.2).

The paper proposes words that mark an author or a date whatever tag they stand in, and warns that such words are hard to
choose and do not carry over to other languages. Authors are found as `fields.bylines` finds them by words; a date is
the first one in a line with such a word, or in the line behind it.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from tidings.fields.bylines import by_words
from tidings.fields.headline_area import headline_places
from tidings.fields.moments import read
from tidings.page import Page

#: Words that stand beside a day of publication.
_DATED: Final = re.compile(
    r"\b(?:publi|posted|updated|created|dated?\b|veröffentlicht|erstellt|stand\b|aktualisiert|mis en ligne|fecha"
    r"|pubblicat|geplaatst|gepubliceerd|publikacji|publicerad|publisert|opublikowano|yayınlan|tarih)|опубликован|дата|تاریخ|منتشر|نشر"
    r"|פורסם|发布|發布|公開|게시|입력",
    re.IGNORECASE,
)
_LONGEST: Final = 160
_LINES: Final = 3000  # of a page; what is longer is a list


def authors(page: Page) -> tuple[str, ...]:
    """The names behind a word that marks an author."""
    places = headline_places(page)
    return by_words(page, None, places[0] if places else 0)


def day(page: Page, language: str) -> date | None:
    """The first date beside a word that marks one."""
    marked = False
    for line in page.text.split("\n", _LINES)[:_LINES]:
        if len(line) > _LONGEST:
            marked = False
            continue
        here = bool(_DATED.search(line))
        if (here or marked) and (found := read(line, language)) is not None:
            return found.date() if isinstance(found, datetime) else found
        marked = here
    return None
