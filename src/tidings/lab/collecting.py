"""Pages that a store has kept, as a corpus without gold: what people label next (memory-based thesis 4.1).

The thesis collected pages through an aggregator, by source. Here the store is the aggregator: the newest pages come
first, and of a site only so many, so that one with many articles does not crowd out the others.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tidings.addresses import site_of
from tidings.errors import InputError
from tidings.lab.corpora.corpus import Sample
from tidings.lab.corpora.files import put, put_rows, row_of, squeezed
from tidings.news.store import Store
from tidings.news.store.query import Query
from tidings.news.store.records_of_articles import Only

_AT_ONCE = 200


def collect_pages(
    kept: Store, folder: Path, query: Query | None = None, *, each: int = 20, limit: int = 200
) -> Counter[str]:
    """Write the pages of articles into a new folder; how many of each site.

    Args:
        kept: where they are.
        folder: a folder that is not there yet, or is empty.
        query: of articles that this finds only.
        each: so many pages of a site at most.
        limit: so many at all.

    Raises:
        InputError: the folder holds something already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already; name a new folder")
    rows: list[dict[str, Any]] = []
    found: Counter[str] = Counter()
    cursor: str | None = None
    while len(rows) < limit:
        listed = kept.articles(Only(query=query), limit=_AT_ONCE, after=cursor)
        for headline in listed.items:
            site = site_of(headline.address)
            page = kept.page_of(headline.id) if found[site] < each and len(rows) < limit else None
            if page is None:
                continue
            found[site] += 1
            name, content = f"html/{headline.id}.html.gz", page.page.content
            put(folder / name, squeezed(content))
            sample = Sample(
                id=str(headline.id),
                site=site,
                lang=headline.language,
                page_type="article",
                file=folder / name,
                gold={},
                url=page.page.address,
                corpus=folder.name,
                more={"fetched": page.page.fetched.date().isoformat()},
            )
            rows.append(row_of(sample, name, content))
        cursor = listed.after
        if cursor is None:
            break
    if rows:
        put_rows(folder, rows)
    return found
