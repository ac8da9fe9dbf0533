"""Storage of the links that sources declare, each article once (HOSTILE 21).

The canonical form of a URL is a key. A GUID is a second key if it can be trusted: the stored link with that GUID must
be the same article by `sources.same`, because some feeds repeat GUIDs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import blake2b
from typing import Final, TypeAlias

from tidings.sources import Link, Origin, SourceDate, aliases, canonical, identity, key, same
from tidings.sources.feeds.entry import plain_text
from tidings_portal.store import Store
from tidings_portal.store.quarantine import ItemName, Quarantine
from tidings_portal.store.records_of_work import ItemKind, LinkState, NotedLink, SeenLink, Stage
from tidings_portal.store.records_of_work import StoredLink as Known
from tidings_portal.watch import feed_text

_LONGEST: Final = 2000  # characters of a summary or teaser
_LONGEST_TITLE: Final = 500
_Item: TypeAlias = tuple[Link, SeenLink]


@dataclass(frozen=True, slots=True)
class NotedLinks:
    """Numbers of new and corrected links of a source, after storing them."""

    new: int = 0
    again: int = 0  # edited since they were stored, to be fetched again


def store_links(
    store: Store,
    links: Sequence[Link],
    at: datetime,
    *,
    source: int | None = None,
    since: datetime | None = None,
    takes_feed_text: bool = False,
) -> NotedLinks:
    """Store the links that lead to an article's own page.

    Args:
        store: the store.
        links: the links of the source.
        at: now.
        source: its number.
        since: the last poll; links updated after it are fetched again.
        takes_feed_text: use the feed text as the article, however short.
    """
    edited: set[int] = set()
    guids: dict[str, Link] = {}  # by the GUIDs of this document

    def to_note(link: Link) -> _Item:
        name = identity(link)
        stored = store.link_for(name)
        keys = [name]
        if stored is None:
            keys += [alias for alias in aliases(link) if _is_believed(store, alias, link, guids)]
            feed_text.keep(store, name, link, at, is_all=takes_feed_text)
        elif stored.state is LinkState.DONE and _is_edited(link, since, at):
            edited.add(stored.id)
        return link, seen_link(link, tuple(keys))

    def note(part: Sequence[_Item]) -> list[tuple[_Item, NotedLink]]:
        return list(zip(part, store.note_links([link for _, link in part], at, source), strict=True))

    aside = Quarantine(store, Stage.LINKS, at)
    items = list(aside.each(filter(has_page, links), to_note, link_name))
    noted = [one for part in aside.run(items, note, lambda one: link_name(one[0])) for one in part]
    store.keep_enclosures({identity(one): one.enclosures for one in filter(has_page, links) if has_media(one)})
    corrections = _corrections(noted)
    for link, _ in corrections.values():
        feed_text.keep(store, identity(link), link, at, is_all=takes_feed_text)
    if corrections:
        store.correct_links({number: seen for number, (_, seen) in corrections.items()})
    edited |= set(corrections)
    again = store.fetch_again(sorted(edited), at) if edited else 0
    return NotedLinks(sum(one.new for _, one in noted), again)


def _corrections(noted: Sequence[tuple[_Item, NotedLink]]) -> dict[int, _Item]:
    """Return the items that a source has changed since the last poll (title, text or date), by link.

    If most items have another date at every poll, these are not corrections.
    """
    changed: dict[int, _Item] = {}
    redated: dict[int, _Item] = {}
    first: set[int] = set()
    for item, noted_link in noted:
        if noted_link.link in first or not noted_link.before or noted_link.before == item[1].fingerprint:
            first.add(noted_link.link)
            continue
        first.add(noted_link.link)
        is_date = noted_link.before.partition(":")[0] == item[1].fingerprint.partition(":")[0]
        (redated if is_date else changed)[noted_link.link] = item
    if len(redated) > 1 and 2 * len(redated) > len(first):
        redated.clear()
    return changed | redated


def fingerprint(link: Link) -> str:
    """Return a digest of an item's declared metadata: its title and text, a colon, its date."""
    content = "\0".join((link.title, link.summary, plain_text(link.content)))
    date = link.published.text if link.published is not None else ""
    return ":".join(blake2b(part.encode(errors="replace"), digest_size=8).hexdigest() for part in (content, date))


def has_media(link: Link) -> bool:
    """Return whether a link has a media enclosure: an episode, a film."""
    return any(enclosure.plays for enclosure in link.enclosures)


def link_name(link: Link) -> ItemName:
    """Return the item name of a link that has no number yet."""
    name = link.canonical_url or link.guid or link.title
    return ItemName(ItemKind.LINK, name, name)


def has_page(link: Link) -> bool:
    """Return whether a link leads to a page of its article alone."""
    return bool(link.canonical_url) and link.has_own_url


def seen_link(link: Link, keys: tuple[str, ...]) -> SeenLink:
    """Convert a link of a source into a record for the store."""
    return SeenLink(
        address=link.url or link.canonical_url,
        keys=keys,
        title=(link.title or link.anchor)[:_LONGEST_TITLE],
        guid=link.guid[:_LONGEST],
        published=instant(link.published, None),
        summary=(link.teaser if link.verify else link.summary or link.teaser)[:_LONGEST],
        category=", ".join(link.categories[:1]),
        author=", ".join(link.authors[:10])[:_LONGEST_TITLE],
        to_verify=link.verify,
        fingerprint=fingerprint(link),
    )


def address_key(address: str) -> str:
    """Return the store key of a link's URL: `address:` and its canonical form; "" if it is invalid."""
    url = canonical(address)
    return f"address:{key(url)}" if url else ""


def instant(when: SourceDate | None, now: datetime | None) -> datetime | None:
    """Return a declared time in UTC to sort by, or None if it is imprecise or in the future. For a date it is
    midnight.
    """
    if when is None or when.moment is None:
        return None
    declared = when.moment
    if when.instant is not None:
        time = when.instant
    elif isinstance(declared, datetime):
        time = declared.replace(tzinfo=UTC)
    elif isinstance(declared, date):
        time = datetime(declared.year, declared.month, declared.day, tzinfo=UTC)
    return None if now is not None and time > now else time


def _is_believed(store: Store, alias: str, link: Link, links_by_guid: dict[str, Link]) -> bool:
    """Return whether the GUID of a link can be trusted as its key: no other article of the feed or store has it.

    Args:
        store: the store.
        alias: the GUID as a key.
        link: the link.
        links_by_guid: the links of the feed so far; the link is added.
    """
    before = links_by_guid.setdefault(alias, link)
    if before is not link:
        return same(before, link)
    stored = store.link_for(alias)
    return stored is None or same(_as_link(stored), link)


def _as_link(stored: Known) -> Link:
    declared = stored.seen
    published = None if declared.published is None else SourceDate(declared.published.isoformat(), declared.published)
    return Link(
        canonical(declared.address) or declared.address,
        Origin.FEED,
        title=declared.title,
        guid=declared.guid,
        published=published,
    )


def _is_edited(link: Link, since: datetime | None, now: datetime) -> bool:
    updated = instant(link.updated, now)
    return updated is not None and since is not None and updated > since
