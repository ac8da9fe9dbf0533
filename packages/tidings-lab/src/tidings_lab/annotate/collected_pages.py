"""Pages of a portal's store as a corpus without ground truth, to be annotated (memory-based thesis 4.1).

The thesis collected pages through an aggregator, by source. Here the store is the aggregator: the newest pages come
first, with a limit per site, so that sites with many articles do not displace others.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from tidings.errors import InputError
from tidings.urls import site_of
from tidings_lab.corpora.files import put_rows, row_of, squeezed, write_atomically
from tidings_lab.corpora.sample import Sample
from tidings_portal.store import Store
from tidings_portal.store.query import Query
from tidings_portal.store.records_of_articles import Only

_AT_ONCE = 200


def collect_pages(
    store: Store, folder: Path, query: Query | None = None, *, each: int = 20, limit: int = 200
) -> Counter[str]:
    """Write the pages of stored articles into a new folder; return the number of pages per site.

    Args:
        store: the portal's store.
        folder: a folder that does not exist or is empty.
        query: restricts the articles.
        each: the maximal number of pages per site.
        limit: the maximal number of pages.

    Raises:
        InputError: the folder is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already; name a new folder")
    rows: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    cursor: str | None = None
    while len(rows) < limit:
        batch = store.articles(Only(query=query), limit=_AT_ONCE, after=cursor)
        for article in batch.items:
            site = site_of(article.address)
            page = store.page_of(article.id) if counts[site] < each and len(rows) < limit else None
            if page is None:
                continue
            counts[site] += 1
            name, content = f"html/{article.id}.html.gz", page.page.content
            write_atomically(folder / name, squeezed(content))
            sample = Sample(
                id=str(article.id),
                site=site,
                lang=article.language,
                page_type="article",
                file=folder / name,
                gold={},
                url=page.page.address,
                corpus=folder.name,
                more={"fetched": page.page.fetched.date().isoformat()},
            )
            rows.append(row_of(sample, name, content))
        cursor = batch.after
        if cursor is None:
            break
    if rows:
        put_rows(folder, rows)
    return counts
