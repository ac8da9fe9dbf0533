"""`tidings list`: list the sources of the store."""

from __future__ import annotations

from tidings.cli.output import Form, ListFormat, Output, write_list
from tidings_portal.cli.store_options import StoreOption, open_store


def list_(form: Form = ListFormat.TABLE, output: Output = None, where: StoreOption = None) -> None:
    """List the sources, by folder: their numbers, kinds and addresses. `tidings status` tells how they are."""
    with open_store(where) as kept:
        sources, brought = kept.sources(), kept.articles_by_source()
    records = [
        {
            "number": one.id,
            "kind": one.told.kind.value,
            "address": one.told.address,
            "title": one.told.title,
            "folder": one.told.folder,
            "recipe": one.told.recipe,
            "articles": brought.get(one.id, 0),
        }
        for one in sources
    ]
    rows = (
        (str(one.id), told.folder, one.name, told.kind.value, told.recipe, told.address, brought.get(one.id, 0))
        for one, told in ((one, one.told) for one in sources)
    )
    headings = ("", "folder", "name", "kind", "recipe", "address", "articles")
    write_list(records, form, output, headings, rows, "there are no sources yet; `tidings add URL` adds one")
