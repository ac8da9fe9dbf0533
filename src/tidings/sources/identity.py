"""Whether two links are one article (HOSTILE 21).

What feeds do: GUIDs are missing, repeated for different entries, or change with every poll; titles are edited; one
article stands in five feeds with five sets of tracking parameters. What stays is the address: so the address, spelled
in its one way, is the identity, and neither GUID nor title can make one article two or two articles one.

Two cases are left. An address that several entries share (a podcast whose entries all link to the show, a home page) is
no identity: then the GUID is, then the enclosure, then title and date. And an address that was edited
(`…/1234-new-slug`) looks like a new article: `aliases` gives the GUID of the site as a second key under which the old
one is found, and `same` confirms it only if title or date agree too, for repeated GUIDs exist.
"""

from __future__ import annotations

from typing import Final

from tidings.addresses import outlet_of
from tidings.fields.keys import squashed
from tidings.sources.addresses import key
from tidings.sources.link import Link
from tidings.text import letter_pair_similarity

#: How alike an edited title must be to the title before: LBNEST's 0.20 (III.B) is for related sentences; an edited
#: headline keeps most of its words.
_ALIKE: Final = 0.5
_LONGEST: Final = 500


def identity(link: Link) -> str:
    """The key of an article: equal for equal articles, in whatever feed they stand; never empty."""
    if link.address and link.own_address:
        return "address:" + key(link.address)
    site = outlet_of(link.address)
    if link.guid:
        return f"guid:{site}:{link.guid[:_LONGEST]}"
    if link.enclosures:
        return "enclosure:" + key(link.enclosures[0].address)
    day = link.published.said if link.published else ""
    return f"title:{site}:{squashed(link.title or link.summary)[:_LONGEST]}:{day}"


def aliases(link: Link) -> tuple[str, ...]:
    """Keys under which the article may be known from before; a match counts only if `same` says so."""
    if link.guid and link.address and link.own_address:
        return (f"guid:{outlet_of(link.address)}:{link.guid[:_LONGEST]}",)
    return ()


def same(first: Link, second: Link) -> bool:
    """Whether two links lead to one article."""
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
    one, other = first.published.instant, second.published.instant
    return one == other if one and other else first.published.said == second.published.said
