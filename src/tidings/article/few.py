"""Few articles hold on to a page.

An article whose blocks are late holds the page they are made of, which is some twenty times as large. Whoever keeps
many articles should not keep their pages: when some newer ones have been made, the blocks of an older one are too, if
it is still there, and its page is let go.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import Final
from weakref import ref

from tidings.article.model import Article

#: So many articles may hold a page.
MOST: Final = 8
_HOLDING: Final[deque[ref[Article]]] = deque()


def hold(article: Article) -> Article:
    """The article, which holds a page from now on."""
    _HOLDING.append(ref(article))
    while len(_HOLDING) > MOST:
        try:
            oldest = _HOLDING.popleft()()
        except IndexError:  # another thread was quicker
            break
        if oldest is not None:
            with suppress(Exception):  # is raised where the blocks are asked for
                oldest._make()
    return article
