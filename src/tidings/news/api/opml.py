"""Sources as lists that other feed readers write and take (OPML)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from starlette.responses import Response

from tidings.news.api.given import refuse
from tidings.news.api.operation import JSON, Call, Given, Operation
from tidings.news.api.sources import AddedSources, put
from tidings.news.names import without_password
from tidings.news.watch.adding import as_subscription, of_list
from tidings.news.web.access import Access
from tidings.sources import read_opml, write_opml

_TAG: Final = "sources"
_KINDS: Final = ("text/x-opml", "application/xml", "text/xml")
#: Of one list; a reader with more has been copied from a directory.
_MOST: Final = 5_000


def get_opml(call: Call) -> Response:
    """All sources as a list that other feed readers take (OPML 2.0), without passwords."""
    told = [replace(one.told, address=without_password(one.told.address)) for one in call.store.sources()]
    data = write_opml([as_subscription(one) for one in told if one.address], call.house.terms.name)
    headers = {"content-disposition": 'attachment; filename="tidings.opml"'}
    return Response(data, headers=headers, media_type="text/x-opml")


def add_opml(call: Call, body: Given) -> AddedSources:
    """Add all feeds of a list as other feed readers write them (OPML); folders are kept."""
    listed = read_opml(body.data)
    problems = tuple(map(str, listed.problems))
    if not listed.feeds:
        refuse(422, f"this is no list of feeds: {'; '.join(problems) or 'it names none'}")
    if len(listed.feeds) > _MOST:
        refuse(422, f"the list names {len(listed.feeds):,} feeds; {_MOST:,} at most come in at once")
    added = put(call, of_list(listed.feeds), ())
    return replace(added, problems=problems)


OPERATIONS: Final = (
    Operation("GET", "/opml", get_opml, _TAG, gives={"text/x-opml": str}),
    Operation(
        "POST",
        "/opml",
        add_opml,
        _TAG,
        body=dict.fromkeys(_KINDS, bytes),
        gives={JSON: AddedSources},
        access=Access.OWN,
        problems=(415, 422),
    ),
)
