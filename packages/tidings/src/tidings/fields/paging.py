"""The next page of a story that is told on several, and the address under which it stands on one.

`rel="next"` is also what weblogs write for the next story, and "next" in a link is said in every language. So a link
counts by its shape: it is the address of this page with the number that follows (`…/story/2`, `…?page=2`,
`…-p2.html`), whatever its text says. Pages of comments are not pages of the story.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.addresses import absolute
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Ints, distinct
from tidings.text.patterns import late_pattern
from tidings.urls import URL, path_of

#: What a query calls the number of a page: in most languages of the web one of these.
_PARAMETERS: Final = "page|p|pg|pagenum|page_no|pageno|paged|seite|pagina|strona|sida|sayfa|stranica|pn|start_page"
_IN_QUERY: Final = late_pattern(rf"(?:^|&)(?:{_PARAMETERS})=([0-9]{{1,3}})(?=&|\Z)", re.IGNORECASE)
#: A bare number behind a hyphen counts only before an ending: `story-2` is another story of that name.
_IN_PATH: Final = late_pattern(
    rf"(?:/(?:(?:{_PARAMETERS})[-_/]?)?|[-_,](?:{_PARAMETERS}|s)-?|[-_,](?=[0-9]+\.))([0-9]{{1,3}})(?=/?\Z|\.[a-z]{{3,5}}\Z)",
    re.IGNORECASE,
)
_COMMENT_PAGE: Final = late_pattern(r"comment-page|cpage=|[?&]comments?=|#comment", re.IGNORECASE)
_WHOLE: Final = late_pattern(
    r"(?:[?&](?:page=all|view=all|seite=all|single_?page=(?:true|1|y(?:es)?)|single=1|fullpage=(?:true|1)|all=1|"
    r"pagewanted=all|onepage=(?:true|1)|showall=1)|/(?:komplettansicht|single-?page|onepage))(?=[&/]|\Z)",
    re.IGNORECASE,
)
_LINK: Final = tags.NUMBERS["a"]
#: Characters of an address, and of the name of a story in it.
_LONGEST: Final = 400
_SHORTEST: Final = 4
#: What the link to another page of the story holds; asked first, for most links are to other stories.
_NUMBERED: Final = late_pattern(r"""[-_,/=a-zA-Z]([0-9]{1,3})(?:/?["'\s>&#?]|\.[a-zA-Z]{3,5}["'\s>?])""")
#: What such a link holds besides the name of the story, and what is looked for first.
_ASKED: Final = ("next", 'href="?', "href='?")
_NEXT: Final = ("next", '="?', "='?")
_LONGEST_ENDING: Final = 7
_DIGITS: Final = frozenset("0123456789")
_SAYS_WHOLE: Final = ("=all", "all=1", "single", "onepage", "fullpage", "komplett")


class Paging(NamedTuple):
    """The addresses of the next page and of the story on one page; empty if there are none."""

    next_page: str = ""
    single_page: str = ""


_NOWHERE: Final = Paging()


def find(page: Page, base: str, canonical: str = "") -> Paging:
    """Return where a story goes on. Without the address of the page nothing is told."""
    here = page.url or canonical
    if not here or len(here) > _LONGEST:
        return _NOWHERE
    stem, number = numbered(here)
    links = _links_to(page, base, here, number + 1)
    if not links:  # as on most pages
        return _NOWHERE
    host = stem.partition("?")[0].partition("/")[0]
    own = tuple(f"{scheme}://{www}{host}" for scheme in ("https", "http") for www in ("", "www."))
    following = whole = ""
    wanted = str(number + 1)
    for link in links:
        lower = link.lower()
        if not lower.startswith(own):  # most are to places to share it at
            continue
        may_follow = not following and wanted in link
        may_be_whole = not whole and (_holds(lower, _SAYS_WHOLE) or not link.isascii())
        if not (may_follow or may_be_whole) or _COMMENT_PAGE.search(link):
            continue
        if may_be_whole and _WHOLE.search(link) and _same_story(_WHOLE.sub("", link), stem):
            whole = link
        elif may_follow:
            other, its = numbered(link)
            if its == number + 1 and other == stem and its > 1:
                following = link
    return Paging(following, whole)


def numbered(found: str) -> tuple[str, int]:
    """Return an address without the number of its page, and that number, 1 if it has none."""
    url = URL.try_parse(found)
    if url is None:
        return found, 1
    host = url.authority.removeprefix("www.")
    query, number = url.query, 1
    if query and (match := _IN_QUERY.search(query)):
        number = int(match[1])
        query = (query[: match.start()] + query[match.end() :]).strip("&")
    path = url.path
    if number == 1 and _may_be_numbered(path) and (match := _IN_PATH.search(path)) and 1 <= int(match[1]) < 100:
        number = int(match[1])
        path = path[: match.start()] + path[match.end() :]
    return f"{host}{path.rstrip('/')}?{query}", number


def _may_be_numbered(path: str) -> bool:
    """Return whether one of the last characters is a digit: a number stands at the end, or before `.shtml` and the
    like.
    """
    return not _DIGITS.isdisjoint(path[-_LONGEST_ENDING:])


def _same_story(link: str, stem: str) -> bool:
    return numbered(link)[0].partition("?")[0] == stem.partition("?")[0]


def _links_to(page: Page, base: str, here: str, wanted: int) -> list[str]:
    """Return the links of the page that may be pages of this story: those that say so, and those that name it."""
    told = [absolute(href, base) for rel, href in page.signals.links if rel == "next"]
    links = numbered_links(page, _last_name(here).lower(), wanted)
    if len(links):
        tags_of = dict.fromkeys(page.cut.tags(page.opened[links]))
        told += [absolute(attributes(tag).get("href"), base) for tag in tags_of]
    return list(filter(None, told))


def numbered_links(page: Page, last: str, wanted: int) -> Ints:
    """Return the links that say "next", begin with a query or name the story, and hold the wanted number or ask for
    all.
    """
    name = last if len(last) >= _SHORTEST else ""
    which = page.holding(_NEXT, _LINK)
    words = (*_ASKED, name) if name else _ASKED
    if name:
        which = distinct(np.concatenate((which, _links_with(page, name))))
    tags_of = [(tag, tag.lower()) for tag in page.cut.tags(page.opened[which])]
    held = [
        _holds(lower, words)
        and (any(int(number) == wanted for number in _NUMBERED.findall(tag)) or _holds(lower, _SAYS_WHOLE))
        for tag, lower in tags_of
    ]
    return which[np.array(held, np.bool_)]


def _links_with(page: Page, name: str) -> Ints:
    """Return the links whose start tag contains a name in small letters."""
    if name.isascii():
        return page.holding((name,), _LINK)
    links = (page.elements.tag == _LINK).nonzero()[0]
    has_name = [name in tag.lower() for tag in page.cut.tags(page.opened[links])]
    return np.asarray(links[np.array(has_name, np.bool_)])


def _holds(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _last_name(here: str) -> str:
    """What any address of another page of the story has in it: the last part of the path, without ending and number."""
    path = path_of(here).rstrip("/")
    if _may_be_numbered(path):
        path = _IN_PATH.sub("", path)
    return path.rpartition("/")[2].partition(".")[0]
