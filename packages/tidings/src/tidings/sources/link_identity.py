"""Identity of links: whether two links are the same article (HOSTILE 21).

In real feeds GUIDs are missing, shared by different entries, or change with every poll; titles are edited; and one
article is in five feeds with five sets of tracking parameters. The canonical URL stays the same, so it is the identity,
whatever GUID and title say. There are two exceptions. A URL shared by several entries (a podcast whose entries all link
to the show, a home page) is no identity: then the GUID is used, then the enclosure, then title and date. And an edited
URL (`…/1234-new-slug`) looks like a new article: `aliases` returns the GUID of the site as a second key under which the
earlier article is found, and `same` confirms it only if title or date agree too, because repeated GUIDs exist.
"""

from __future__ import annotations

from typing import Final

from tidings.fields.keys import squashed
from tidings.sources.addresses import key
from tidings.sources.link import Link
from tidings.text import letter_pair_similarity
from tidings.urls import outlet_of

#: Least similarity of an edited title. LBNEST's 0.20 (III.B) is for related sentences; an edited headline keeps most
#: of its words.
_ALIKE: Final = 0.5
_LONGEST: Final = 500


def identity(link: Link) -> str:
    """Return the identity key of an article, equal for the same article in any feed and never empty."""
    if link.canonical_url and link.has_own_url:
        return "address:" + key(link.canonical_url)
    site = outlet_of(link.canonical_url)
    if link.guid:
        return f"guid:{site}:{link.guid[:_LONGEST]}"
    if link.enclosures:
        return "enclosure:" + key(link.enclosures[0].address)
    day = link.published.text if link.published else ""
    return f"title:{site}:{squashed(link.title or link.summary)[:_LONGEST]}:{day}"


def aliases(link: Link) -> tuple[str, ...]:
    """Return keys under which an earlier version of the article may be stored. A match counts only if `same` confirms
    it.
    """
    if link.guid and link.canonical_url and link.has_own_url:
        return (f"guid:{outlet_of(link.canonical_url)}:{link.guid[:_LONGEST]}",)
    return ()


def same(first: Link, second: Link) -> bool:
    """Return whether two links lead to the same article."""
    if identity(first) == identity(second):
        return True
    if not set(aliases(first)) & set(aliases(second)):
        return False
    return (
        _same_moment(first, second) or letter_pair_similarity(first.title[:_LONGEST], second.title[:_LONGEST]) >= _ALIKE
    )


def _same_moment(first: Link, second: Link) -> bool:
    if first.published is None or second.published is None or first.published.moment is None:
        return False
    instant, second_instant = first.published.instant, second.published.instant
    return instant == second_instant if instant and second_instant else first.published.text == second.published.text
