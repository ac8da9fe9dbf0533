"""API operations for the stored extraction templates of sites."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Final

from starlette.responses import Response

from tidings.errors import BadRules, UnknownSite
from tidings.sites import Site, SiteMemory, TrackedTemplate, formats
from tidings_portal.api.operations import JSON, Call, Operation
from tidings_portal.api.requests import refuse
from tidings_portal.responses import FieldDoc
from tidings_portal.watch.site_storage import StoredSites
from tidings_portal.web.access import Access

_TAG: Final = "sites"
_LOG: Final = 50  # lines

Name = Annotated[str, FieldDoc("Host name without www.", shortest=1, longest=300, example="harbour.example")]


class RulesFormat(StrEnum):
    """File formats of site rules."""

    TABLE = "table"  # as an answer of this API
    JSON = "json"  # as a file that `tidings sites learn --rules` takes
    XML = "xml"  # that of the hybrid paper
    TEXT = "text"  # a site configuration


@dataclass(frozen=True, slots=True)
class SiteAsked:
    """Parameters of a site: its name, and the format of its rules."""

    site: Name
    format: Annotated[RulesFormat, FieldDoc("table: JSON of this API; json, xml and text: files of rules.")] = (
        RulesFormat.TABLE
    )


@dataclass(frozen=True, slots=True)
class OneSite:
    """Parameters that name a site."""

    site: Name


@dataclass(frozen=True, slots=True)
class SiteItem:
    """A site with learned rules."""

    site: str
    templates: Annotated[int, FieldDoc("Number of active templates.")]
    served: Annotated[int, FieldDoc("Number of pages that rules matched.")]
    doubted: Annotated[int, FieldDoc("Number of pages that rules did not match.")]
    last_served: date | None


@dataclass(frozen=True, slots=True)
class Sites:
    """The sites with learned rules."""

    items: tuple[SiteItem, ...]


@dataclass(frozen=True, slots=True)
class RuleItem:
    """A rule that extracts one field."""

    field: str
    way: str
    rule: str


@dataclass(frozen=True, slots=True)
class TemplateItem:
    """A template (the rules for pages with one layout) with its usage counts."""

    name: str
    pattern: str
    learned: str
    agreement: float | None
    valid_from: date | None
    valid_until: date | None
    served: int
    doubted: int
    last_doubt: str
    rules: tuple[RuleItem, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry in the log of a site."""

    at: datetime
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class KnownSite:
    """A site with its templates."""

    site: str
    templates: tuple[TemplateItem, ...]
    log: Annotated[tuple[LogLine, ...], FieldDoc("Recent events, the latest last.")]


def list_sites(call: Call) -> Sites:
    """List the sites with learned rules, and how often these matched."""
    memory = _memory(call)
    items = []
    for name in memory.names():
        try:
            valid = memory.site(name).valid
        except (BadRules, UnknownSite):  # damaged, or forgotten meanwhile
            continue
        days = [known.health.last_served for known in valid if known.health.last_served]
        served = sum(known.health.served for known in valid)
        doubted = sum(known.health.mismatched for known in valid)
        items.append(SiteItem(name, len(valid), served, doubted, max(days, default=None)))
    return Sites(tuple(items))


def get_site(call: Call, params: SiteAsked) -> KnownSite | Response:
    """Return the rules of a site, as JSON or as a file."""
    memory = _memory(call)
    site = _site(memory, params.site)
    if params.format is not RulesFormat.TABLE:
        kind = {RulesFormat.JSON: JSON, RulesFormat.XML: "application/xml", RulesFormat.TEXT: "text/plain"}[
            params.format
        ]
        return Response(formats.write(site, params.format.value), media_type=kind)
    log = [LogLine(event.at, event.what, event.why) for event in memory.log(params.site)[-_LOG:]]
    return KnownSite(site.name, tuple(map(_template, site.templates)), tuple(log))


def forget_site(call: Call, params: OneSite) -> None:
    """Delete the rules of a site. They are learned again from new pages."""
    try:
        _memory(call).forget(params.site)
    except UnknownSite as error:
        refuse(404, f"nothing is known of {error.name}")


def _memory(call: Call) -> SiteMemory:
    return SiteMemory(StoredSites(call.store, call.app.now))


def _site(memory: SiteMemory, name: str) -> Site:
    try:
        return memory.site(name)
    except UnknownSite as error:
        refuse(404, f"nothing is known of {error.name}")


def _template(entry: TrackedTemplate) -> TemplateItem:
    template, health = entry.template, entry.health
    return TemplateItem(
        name=template.name,
        pattern=template.pattern,
        learned=template.learned,
        agreement=template.agreement,
        valid_from=template.valid_from,
        valid_until=template.valid_until,
        served=health.served,
        doubted=health.mismatched,
        last_doubt=health.last_mismatch,
        rules=tuple(RuleItem(rule.field, rule.way.value, str(rule).partition(": ")[2]) for rule in template.rules),
    )


_FORMS: Final = {JSON: KnownSite | dict[str, object], "application/xml": str, "text/plain": str}
OPERATIONS: Final = (
    Operation("GET", "/sites", list_sites, _TAG),
    Operation("GET", "/sites/{site}", get_site, _TAG, gives=_FORMS, problems=(404,)),
    Operation("DELETE", "/sites/{site}", forget_site, _TAG, access=Access.HOUSE, problems=(404,)),
)
