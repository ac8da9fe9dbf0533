"""What to call the site of an article: as it calls itself, else as its feed does, else by its host."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from tidings.addresses import site_of
from tidings.article.characters import legal
from tidings.news.store.records_of_articles import ArticleHeadline
from tidings.news.web.house import House

_SECONDS: Final = 60


def site_name(house: House, one: ArticleHeadline) -> str:
    """What to call the site of an article."""
    has_name = one.site_name and one.site_name != one.site
    return one.site_name if has_name else _titles(house).get(one.site.removeprefix("www."), one.site)


def _titles(house: House) -> Mapping[str, str]:
    return house.shown.get("titles of sites", lambda: _found(house), _SECONDS)


def _found(house: House) -> dict[str, str]:
    """The title of each site all of whose feeds have the same one."""
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for one in house.store.sources():
        if one.told.title:
            titles[site_of(one.told.address)].add(legal(one.told.title))
    return {host: title for host, (title, *others) in titles.items() if host and not others}
