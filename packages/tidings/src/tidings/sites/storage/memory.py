"""Learned sites: templates and their usage counts, updated while pages are extracted.

Every change is written only over the version that was read, retried if another process was faster, and logged with its
reason. Counts of served and mismatched pages are collected in the process and written now and then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tidings.errors import BadRules, SitesUnwritable, UnknownSite
from tidings.sites.storage import as_json
from tidings.sites.storage.backends import SiteEvent, SitePage, SitesFile, SitesInMemory, SiteStorage
from tidings.sites.templates.rule import MAIN, MOST_TEMPLATES, UNINFORMATIVE, Rule, Template
from tidings.sites.templates.site import Health, Site, TrackedTemplate, today

#: Counts are written after this many pages.
_WRITTEN_EVERY: Final = 32
#: A template with this many mismatches in a row is retired when another is learned.
_RETIRED_AFTER: Final = 4
_TRIES: Final = 20
#: After this many late mismatches in a row (after its text was cut out), a template is tried only on every n-th page
#: until it fits again. Early mismatches cost nearly nothing.
_TIRED_AFTER: Final = 6
_TRIED_EVERY: Final = 8
#: Number of retired templates. Each costs a few searches on pages that no other template serves.
MOST_RETIRED: Final = 8
#: Number of pages of a new template that are also read by the full extraction.
TRIAL: Final = 10
#: Number of different results that refute a new template. One is allowed: on every second of the sites that were
#: measured, one page of 120 differed, and there the rules were right.
_REFUTED_AFTER: Final = 2


@dataclass
class _SiteState:
    """The state of a site in this process: its stored version, and the counts since it was loaded."""

    site: Site
    version: int
    served: dict[str, int] = field(default_factory=dict)
    mismatched: dict[str, int] = field(default_factory=dict)
    in_a_row: dict[str, int] = field(default_factory=dict)
    late: dict[str, int] = field(default_factory=dict)  # mismatches in a row after the text was cut out
    audited: dict[str, int] = field(default_factory=dict)
    disagreed: dict[str, int] = field(default_factory=dict)
    last_mismatch: dict[str, str] = field(default_factory=dict)
    texts: list[tuple[int, ...]] = field(default_factory=list)
    uncounted: int = 0
    learn_at: int = 0  # number of failed pages that triggers the next learning
    failed: int = 0  # pages without a fitting template since the last learning
    _valid: tuple[Site, tuple[Template, ...]] | None = None

    @property
    def valid(self) -> tuple[Template, ...]:
        """Return the active templates of the site. Cached, because every page needs them."""
        cached, site = self._valid, self.site
        if cached is None or cached[0] is not site:
            cached = self._valid = site, tuple(tracked.template for tracked in site.valid)
        return cached[1]


class SiteMemory:
    """Rules and usage counts of all learned sites.

    Args:
        where: a file, a storage, or None for memory only.
    """

    def __init__(self, where: Path | str | SiteStorage | None = None) -> None:
        if where is None:
            self.storage: SiteStorage = SitesInMemory()
        elif isinstance(where, str | Path):
            self.storage = SitesFile(Path(where))
        else:
            self.storage = where
        self._lock = threading.RLock()
        self._desks: dict[str, _SiteState] = {}

    # -- reading ------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Return the names of the known sites."""
        return self.storage.names()

    def site(self, name: str) -> Site:
        """Return the stored state of a site.

        Raises:
            UnknownSite: there is no such site.
        """
        self.flush(name)
        stored = self.storage.get(name)
        if stored is None:
            raise UnknownSite(name, self.names())
        try:
            return as_json.loads(stored[0])
        except BadRules as error:
            self.storage.quarantine(name, str(error))
            return Site(name)

    def state(self, name: str) -> _SiteState:
        """Return the state of a site in this process."""
        desk = self._desks.get(name)
        if desk is None:
            with self._lock:
                desk = self._desks.get(name) or self._fetched(name)
                self._desks[name] = desk
        return desk

    def refreshed(self, name: str) -> bool:
        """Reload a site if another process has changed it, and return whether it has."""
        stored = self.storage.get(name)
        desk = self.state(name)
        if stored is None or stored[1] == desk.version:
            return False
        with self._lock:
            fresh = self._fetched(name)
            desk.site, desk.version = fresh.site, fresh.version
        return True

    def _fetched(self, name: str) -> _SiteState:
        stored = self.storage.get(name)
        if stored is None:
            return _SiteState(Site(name), 0)
        try:
            return _SiteState(as_json.loads(stored[0]), stored[1])
        except BadRules as error:
            self.storage.quarantine(name, str(error))
            return _SiteState(Site(name), 0)

    def log(self, name: str | None = None) -> list[SiteEvent]:
        """Return the log of a site, or of all sites."""
        return self.storage.events(name)

    # -- counting -----------------------------------------------------------------------------------------------

    def served(self, name: str, template: Template, texts: tuple[int, ...]) -> None:
        """Count a page that a template matched. `texts` are the hashes of the page's block texts."""
        own = template.name
        with self._lock:
            desk = self.state(name)
            desk.served[own] = desk.served.get(own, 0) + 1
            desk.in_a_row[own] = desk.late[own] = 0
            desk.texts.append(texts)
            desk.uncounted += 1
            if desk.uncounted >= _WRITTEN_EVERY:
                self.flush(name)

    def record_mismatch(self, name: str, template: Template, why: str, *, late: bool = True) -> None:
        """Count a page that a template did not match.

        Args:
            name: the site.
            template: the template.
            why: the reason of the mismatch.
            late: whether the mismatch was noticed only after the text had been extracted.
        """
        with self._lock:
            desk = self.state(name)
            desk.mismatched[template.name] = desk.mismatched.get(template.name, 0) + 1
            desk.in_a_row[template.name] = desk.in_a_row.get(template.name, 0) + 1
            if late:
                desk.late[template.name] = desk.late.get(template.name, 0) + 1
            desk.last_mismatch[template.name] = why
            self._counted(name, desk)

    def is_tired(self, name: str, template: Template) -> bool:
        """Return whether to skip a template on this page, because it did not match many pages in a row. It is still
        tried from time to time.
        """
        desk = self.state(name)
        doubts = desk.late.get(template.name, 0)
        if doubts < _TIRED_AFTER or doubts % _TRIED_EVERY == 0:
            return False
        desk.late[template.name] = doubts + 1
        desk.in_a_row[template.name] = desk.in_a_row.get(template.name, 0) + 1
        return True

    def is_on_trial(self, name: str, template: Template) -> bool:
        """Return whether results of a template are still compared with the full extraction."""
        return self._on_trial(self.state(name), template.name) is not None

    def _on_trial(self, desk: _SiteState, template: str) -> Health | None:
        """Return the usage counts of a template on trial, including new counts; None if it is not on trial."""
        for tracked in desk.site.templates:
            if tracked.template.name == template and tracked.health.trial:
                health = tracked.health.audited(desk.audited.get(template, 0), desk.disagreed.get(template, 0))
                return health if health.trial else None
        return None

    def audited(self, name: str, template: Template, url: str, *, agreed: bool) -> None:
        """Record a comparison of a template's result with the full extraction.

        A template that disagrees too often while on trial is refuted: retired for good. One that disagrees later is
        put on trial again.
        """
        own = template.name
        with self._lock:
            desk = self.state(name)
            health = self._on_trial(desk, own)
            if health is not None:
                desk.audited[own] = desk.audited.get(own, 0) + 1
                desk.disagreed[own] = desk.disagreed.get(own, 0) + (not agreed)
                self._counted(name, desk)
            if agreed:
                return
            self.tell(name, "audit failed", f"{own} on {url}")
            if health is None:
                self._change_health(name, own, lambda old: replace(old, trial=TRIAL, disagreed=1), "on trial", own)
            elif health.disagreed + 1 >= _REFUTED_AFTER:
                why = f"{own}: {health.disagreed + 1} pages differed from the full extraction"
                self._change_health(name, own, lambda old: replace(old, refuted=True), "refuted", why, ends=True)

    def is_refuted(self, name: str, template: Template) -> bool:
        """Return whether the same rules of the same teacher were refuted before."""

        def cuts(candidate: Template) -> tuple[str, tuple[Rule, ...]]:
            return candidate.teacher, (*candidate.of(MAIN), *candidate.of(UNINFORMATIVE))

        tracked_templates = self.state(name).site.templates
        return any(
            candidate.health.refuted and cuts(candidate.template) == cuts(template) for candidate in tracked_templates
        )

    def revived(self, name: str, template: Template, url: str) -> None:
        """Record that a retired template matches again. It becomes active."""
        why = f"{template.name} fits {url}"
        self._change_health(name, template.name, lambda old: replace(old, in_a_row=0), "revived", why, ends=False)

    def _change_health(
        self, name: str, template: str, how: Callable[[Health], Health], what: str, why: str, ends: bool | None = None
    ) -> None:
        """Update the stored usage counts of a template and log the event.

        Args:
            name: the site.
            template: the name of the template.
            how: the function that returns the new health.
            what: the event for the log.
            why: the reason for the log.
            ends: whether the template is retired (True) or active again (False); None leaves this unchanged.
        """

        def changed(tracked: TrackedTemplate) -> TrackedTemplate:
            if tracked.template.name != template:
                return tracked
            until = tracked.template.valid_until if ends is None else (today() if ends else None)
            return TrackedTemplate(replace(tracked.template, valid_until=until), how(tracked.health))

        self.flush(name)
        self.change(name, lambda site: replace(site, templates=tuple(map(changed, site.templates))), what, why)

    def _counted(self, name: str, desk: _SiteState) -> None:
        desk.uncounted += 1
        if desk.uncounted >= _WRITTEN_EVERY:
            self.flush(name)

    def flush(self, name: str | None = None) -> None:
        """Write the counts that were collected in this process to the storage, for one site or for all."""
        with self._lock:
            for site_name in list(self._desks) if name is None else [name]:
                desk = self._desks.get(site_name)
                if desk is not None and desk.uncounted:
                    counts = replace(desk)
                    desk.served, desk.mismatched, desk.last_mismatch, desk.texts = {}, {}, {}, []
                    desk.audited, desk.disagreed = {}, {}
                    desk.uncounted = 0
                    self.change(site_name, lambda site, counts=counts: _after(site, counts))  # type: ignore[misc]

    # -- changing -----------------------------------------------------------------------------------------------

    def change(self, name: str, how: Callable[[Site], Site], what: str = "", why: str = "") -> Site:
        """Replace the stored state of a site by the result of a function, and retry if another process has changed it
        meanwhile.

        Args:
            name: the site.
            how: the function from the old state to the new one.
            what: the event for the log; empty for no entry.
            why: the reason for the log.

        Raises:
            SitesUnwritable: the storage cannot be written.
        """
        with self._lock:
            for _ in range(_TRIES):
                stored = self.storage.get(name)
                old = self._parsed(name, stored)
                new = how(old)
                version = stored[1] if stored else 0
                if new == old:
                    self._take(name, old, version)
                    return old
                if self.storage.set(name, as_json.dumps(new), version):
                    self._take(name, new, version + 1)
                    if what:
                        self.tell(name, what, why)
                    return new
            raise SitesUnwritable(f"the rules of {name} are changed by other processes all the time; try again")

    def _parsed(self, name: str, stored: tuple[str, int] | None) -> Site:
        """Parse a stored site, unless this process already has that version."""
        desk = self._desks.get(name)
        if stored is None:
            return Site(name)
        if desk is not None and desk.version == stored[1]:
            return desk.site
        try:
            return as_json.loads(stored[0])
        except BadRules:
            return Site(name)

    def _take(self, name: str, site: Site, version: int) -> None:
        desk = self._desks.get(name)
        if desk is None:
            self._desks[name] = _SiteState(site, version)
        else:
            desk.site, desk.version = _with_same(site, desk.site), version

    def learned(self, name: str, templates: Sequence[Template], why: str) -> Site:
        """Add learned templates, which are tried first, and retire those that have not matched lately."""
        in_a_row = dict(self.state(name).in_a_row)
        fresh = Health(trial=TRIAL)

        def with_them(site: Site) -> Site:
            new_templates = list(templates)
            previous = []
            for tracked in site.templates:
                template, health = tracked.template, tracked.health
                doubts = max(in_a_row.get(template.name, 0), health.in_a_row)
                again = next((new for new in new_templates if _is_same_layout(new, template)), None)
                if again is not None and not health.refuted:  # learned again, by this or another process
                    new_templates.remove(again)
                    expected = again.expected.merged_with(template.expected)  # a layout may have short and long pages
                    template = replace(again, name=template.name, expected=expected)
                    health = replace(health, in_a_row=0)
                elif template.valid_until is None and doubts >= _RETIRED_AFTER:
                    template = replace(template, valid_until=today())
                previous.append(TrackedTemplate(template, health))
            names = {tracked.template.name for tracked in previous}
            new = [
                TrackedTemplate(replace(template, name=_unused_name(template.name, names)), fresh)
                for template in new_templates
            ]
            return replace(site, templates=tuple(_bounded([*new, *previous])))

        return self.change(name, with_them, "learned", why)

    def keep(self, name: str, page: SitePage) -> int:
        """Store a page to learn from, and return how many there are."""
        return self.storage.keep(name, page)

    def write(self, site: Site, why: str) -> None:
        """Replace a stored site, for example after an edit by hand."""
        self.change(site.name, lambda _: site, "written", why)

    def forget(self, name: str) -> None:
        """Delete a site.

        Raises:
            UnknownSite: there is no such site.
        """
        if self.storage.get(name) is None:
            raise UnknownSite(name, self.names())
        with self._lock:
            self.storage.remove(name)
            self._desks.pop(name, None)
        self.tell(name, "forgotten", "asked for")

    def tell(self, name: str, what: str, why: str) -> None:
        """Add an entry to the log of a site."""
        self.storage.tell(SiteEvent(datetime.now(UTC), name, what, why))

    def close(self) -> None:
        """Write the counts that were collected in this process and close the storage."""
        self.flush()
        self.storage.close()


def _with_same(site: Site, before: Site) -> Site:
    """Return a site in which unchanged templates are the same objects as in `before`, because these are already
    compiled.
    """
    ready = {tracked.template.name: tracked.template for tracked in before.templates}
    same = tuple(
        replace(tracked, template=ready[tracked.template.name])
        if ready.get(tracked.template.name) == tracked.template
        else tracked
        for tracked in site.templates
    )
    return replace(site, templates=same)


def _after(site: Site, counts: _SiteState) -> Site:
    """Return the stored site with the page counts of this process added."""
    names = {tracked.template.name for tracked in site.templates}
    counted = tuple(
        replace(
            tracked,
            health=tracked.health.after(
                counts.served.get(name, 0),
                counts.mismatched.get(name, 0),
                counts.in_a_row.get(name, tracked.health.in_a_row),
                today(),
                counts.last_mismatch.get(name, ""),
            ).audited(counts.audited.get(name, 0), counts.disagreed.get(name, 0)),
        )
        for tracked in site.templates
        if (name := tracked.template.name) in names
    )
    return replace(site, templates=counted).having_seen(counts.texts)


def _is_same_layout(first: Template, second: Template) -> bool:
    """Return whether two templates have the same main text rules and mostly the same markers.

    With other markers they are for two layouts, which may alternate.
    """
    if first.of(MAIN) != second.of(MAIN) or first.encoding != second.encoding:
        return False
    mine, theirs = set(first.expected.markers), set(second.expected.markers)
    return not mine or not theirs or len(mine & theirs) >= min(len(mine), len(theirs)) / 2


def _bounded(templates: Sequence[TrackedTemplate]) -> list[TrackedTemplate]:
    """Limit the number of templates. Of retired templates only the latest are stored."""
    ended = [tracked for tracked in templates if tracked.template.valid_until is not None]
    too_old = {tracked.template.name for tracked in ended[MOST_RETIRED:]}
    return [tracked for tracked in templates if tracked.template.name not in too_old][:MOST_TEMPLATES]


def _unused_name(name: str, names: set[str]) -> str:
    """Return a template name that is not in use, and add it to `names`."""
    number = len(names) + 1
    free = f"template-{number}" if name.startswith("template-") or name in names else name
    while free in names:
        number += 1
        free = f"template-{number}"
    names.add(free)
    return free
