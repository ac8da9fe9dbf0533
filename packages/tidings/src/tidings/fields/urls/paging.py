"""The next page of an article that is split over several, and its single-page URL.

Blogs also use `rel="next"` for the next article, and link texts such as "next" differ by language. So a link counts by
its shape: the URL of this page with the following number (`…/story/2`, `…?page=2`, `…-p2.html`). Comment pages do not
count.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.urls.sanitise import absolute
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Ints, distinct
from tidings.text.patterns import late_pattern
from tidings.urls import URL, path_of

#: Names of the query parameter for the page number.
_PARAMETERS: Final = "page|p|pg|pagenum|page_no|pageno|paged|seite|pagina|strona|sida|sayfa|stranica|pn|start_page"
_IN_QUERY: Final = late_pattern(rf"(?:^|&)(?:{_PARAMETERS})=([0-9]{{1,3}})(?=&|\Z)", re.IGNORECASE)
#: A number after a hyphen counts only before a file extension: `story-2` is another article with that name.
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
#: Longest URL, and shortest article name in it.
_LONGEST: Final = 400
_SHORTEST: Final = 4
#: Substrings of links to other pages, for a quick first check: most links lead to other articles.
_NUMBERED: Final = late_pattern(r"""[-_,/=a-zA-Z]([0-9]{1,3})(?:/?["'\s>&#?]|\.[a-zA-Z]{3,5}["'\s>?])""")
#: Substrings of such links besides the name of the article, and those for the first check.
_ASKED: Final = ("next", 'href="?', "href='?")
_NEXT: Final = ("next", '="?', "='?")
_LONGEST_ENDING: Final = 7
_DIGITS: Final = frozenset("0123456789")
_SAYS_WHOLE: Final = ("=all", "all=1", "single", "onepage", "fullpage", "komplett")


class Paging(NamedTuple):
    """The URLs of the next page and of the single-page version; empty if there are none."""

    next_page: str = ""
    single_page: str = ""


_NOWHERE: Final = Paging()


def find(page: Page, base: str, canonical: str = "") -> Paging:
    """Return the URLs of an article's next page and single-page version; empty if the page's own URL is unknown."""
    own_url = page.url or canonical
    if not own_url or len(own_url) > _LONGEST:
        return _NOWHERE
    stem, number = numbered(own_url)
    links = _links_to(page, base, own_url, number + 1)
    if not links:  # as on most pages
        return _NOWHERE
    host = stem.partition("?")[0].partition("/")[0]
    own = tuple(f"{scheme}://{www}{host}" for scheme in ("https", "http") for www in ("", "www."))
    following = whole = ""
    next_number = str(number + 1)
    for link in links:
        lower = link.lower()
        if not lower.startswith(own):  # most others are share links
            continue
        may_follow = not following and next_number in link
        may_be_whole = not whole and (_holds(lower, _SAYS_WHOLE) or not link.isascii())
        if not (may_follow or may_be_whole) or _COMMENT_PAGE.search(link):
            continue
        if may_be_whole and _WHOLE.search(link) and _same_story(_WHOLE.sub("", link), stem):
            whole = link
        elif may_follow:
            other, number_of_link = numbered(link)
            if number_of_link == number + 1 and other == stem and number_of_link > 1:
                following = link
    return Paging(following, whole)


def numbered(url: str) -> tuple[str, int]:
    """Return a URL without its page number, and the number (1 if it has none)."""
    parsed = URL.try_parse(url)
    if parsed is None:
        return url, 1
    host = parsed.authority.removeprefix("www.")
    query, number = parsed.query, 1
    if query and (match := _IN_QUERY.search(query)):
        number = int(match[1])
        query = (query[: match.start()] + query[match.end() :]).strip("&")
    path = parsed.path
    if number == 1 and _may_be_numbered(path) and (match := _IN_PATH.search(path)) and 1 <= int(match[1]) < 100:
        number = int(match[1])
        path = path[: match.start()] + path[match.end() :]
    return f"{host}{path.rstrip('/')}?{query}", number


def _may_be_numbered(path: str) -> bool:
    """Return whether the path may end in a number, possibly before an extension such as `.shtml`."""
    return not _DIGITS.isdisjoint(path[-_LONGEST_ENDING:])


def _same_story(link: str, stem: str) -> bool:
    return numbered(link)[0].partition("?")[0] == stem.partition("?")[0]


def _links_to(page: Page, base: str, own_url: str, number: int) -> list[str]:
    """Return the URLs that may be pages of this article: links with `rel="next"`, and links that contain its name."""
    urls = [absolute(href, base) for rel, href in page.signals.links if rel == "next"]
    links = numbered_links(page, _last_name(own_url).lower(), number)
    if len(links):
        tags_of = dict.fromkeys(page.cut.tags(page.opened[links]))
        urls += [absolute(attributes(tag).get("href"), base) for tag in tags_of]
    return list(filter(None, urls))


def numbered_links(page: Page, last: str, next_number: int) -> Ints:
    """Return the links with "next", with only a query as URL, or with the article's name, and with the next number or
    "all".
    """
    name = last if len(last) >= _SHORTEST else ""
    which = page.holding(_NEXT, _LINK)
    words = (*_ASKED, name) if name else _ASKED
    if name:
        which = distinct(np.concatenate((which, _links_with(page, name))))
    tags_of = [(tag, tag.lower()) for tag in page.cut.tags(page.opened[which])]
    matches = [
        _holds(lower, words)
        and (any(int(number) == next_number for number in _NUMBERED.findall(tag)) or _holds(lower, _SAYS_WHOLE))
        for tag, lower in tags_of
    ]
    return which[np.array(matches, np.bool_)]


def _links_with(page: Page, name: str) -> Ints:
    """Return the links whose start tag contains a name in lower case."""
    if name.isascii():
        return page.holding((name,), _LINK)
    links = (page.elements.tag == _LINK).nonzero()[0]
    has_name = [name in tag.lower() for tag in page.cut.tags(page.opened[links])]
    return np.asarray(links[np.array(has_name, np.bool_)])


def _holds(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _last_name(own_url: str) -> str:
    """Return the last part of a URL's path, without extension and number. All pages of an article share it."""
    path = path_of(own_url).rstrip("/")
    if _may_be_numbered(path):
        path = _IN_PATH.sub("", path)
    return path.rpartition("/")[2].partition(".")[0]
