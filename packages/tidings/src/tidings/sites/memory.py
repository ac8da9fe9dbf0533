"""What is known of each site, learned and kept up as pages are read.

All changes are made over the version that was read and tried again when somebody else was quicker; each is in the log
with its reason. What pages were served and doubted is counted in the process and written now and then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tidings.errors import BadRules, SitesUnwritable, UnknownSite
from tidings.sites import as_json
from tidings.sites.rule import MAIN, MOST_TEMPLATES, UNINFORMATIVE, Rule, Template
from tidings.sites.site import Health, Known, Site, today
from tidings.sites.storage import SiteEvent, SitePage, SitesFile, SitesInMemory, SiteStorage

#: Pages after which what was counted is written.
_WRITTEN_EVERY: Final = 32
#: A template that was doubted so often in a row, while another was learned, is retired.
_RETIRED_AFTER: Final = 4
_TRIES: Final = 20
#: One that was doubted so often in a row, each time after its text was cut out, is tried on one page in so many, until
#: it fits again. What a few searches tell costs nothing.
_TIRED_AFTER: Final = 6
_TRIED_EVERY: Final = 8
#: Templates that are kept after they ended. Each is some searches on a page that no other serves.
MOST_RETIRED: Final = 8
#: Of a fresh template so many pages are also read the long way.
TRIAL: Final = 10
#: It is refuted when so many of them were otherwise. One may be: on every second site of ../shared/data/sites one page
#: of 120 was, and there the rules were right.
_REFUTED_AFTER: Final = 2


@dataclass
class _Desk:
    """What this process holds of a site: what it read from the storage, and what it has counted since."""

    site: Site
    version: int
    served: dict[str, int] = field(default_factory=dict)
    doubted: dict[str, int] = field(default_factory=dict)
    in_a_row: dict[str, int] = field(default_factory=dict)
    late: dict[str, int] = field(default_factory=dict)  # doubts in a row that came after the text was cut out
    audited: dict[str, int] = field(default_factory=dict)
    disagreed: dict[str, int] = field(default_factory=dict)
    last_doubt: dict[str, str] = field(default_factory=dict)
    texts: list[tuple[int, ...]] = field(default_factory=list)
    uncounted: int = 0
    learn_at: int = 0  # the number of failed pages at which to try to learn again
    failed: int = 0  # pages that no template served since the last learning
    _valid: tuple[Site, tuple[Template, ...]] | None = None

    @property
    def valid(self) -> tuple[Template, ...]:
        """The templates of the site that are tried: found once, for every page asks."""
        known, site = self._valid, self.site
        if known is None or known[0] is not site:
            known = self._valid = site, tuple(one.template for one in site.valid)
        return known[1]


class SiteMemory:
    """What is known of sites.

    Args:
        where: a file to keep it in, a storage, or nothing, to forget it with the process.
    """

    def __init__(self, where: Path | str | SiteStorage | None = None) -> None:
        if where is None:
            self.storage: SiteStorage = SitesInMemory()
        elif isinstance(where, str | Path):
            self.storage = SitesFile(Path(where))
        else:
            self.storage = where
        self._lock = threading.RLock()
        self._desks: dict[str, _Desk] = {}

    # -- reading ------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Return the sites of which something is known."""
        return self.storage.names()

    def site(self, name: str) -> Site:
        """What is known of a site, as it is written.

        Raises:
            UnknownSite: nothing is.
        """
        self.flush(name)
        found = self.storage.get(name)
        if found is None:
            raise UnknownSite(name, self.names())
        try:
            return as_json.loads(found[0])
        except BadRules as error:
            self.storage.quarantine(name, str(error))
            return Site(name)

    def desk(self, name: str) -> _Desk:
        """What this process holds of a site."""
        desk = self._desks.get(name)
        if desk is None:
            with self._lock:
                desk = self._desks.get(name) or self._fetched(name)
                self._desks[name] = desk
        return desk

    def refreshed(self, name: str) -> bool:
        """Return whether others have changed what is known of a site; if so, it is taken over."""
        found = self.storage.get(name)
        desk = self.desk(name)
        if found is None or found[1] == desk.version:
            return False
        with self._lock:
            fresh = self._fetched(name)
            desk.site, desk.version = fresh.site, fresh.version
        return True

    def _fetched(self, name: str) -> _Desk:
        found = self.storage.get(name)
        if found is None:
            return _Desk(Site(name), 0)
        try:
            return _Desk(as_json.loads(found[0]), found[1])
        except BadRules as error:
            self.storage.quarantine(name, str(error))
            return _Desk(Site(name), 0)

    def log(self, name: str | None = None) -> list[SiteEvent]:
        """What happened to a site, or to all."""
        return self.storage.told(name)

    # -- counting -----------------------------------------------------------------------------------------------

    def served(self, name: str, template: Template, texts: tuple[int, ...]) -> None:
        """A page was cut out by a template; its texts are told by their hashes."""
        own = template.name
        with self._lock:
            desk = self.desk(name)
            desk.served[own] = desk.served.get(own, 0) + 1
            desk.in_a_row[own] = desk.late[own] = 0
            desk.texts.append(texts)
            desk.uncounted += 1
            if desk.uncounted >= _WRITTEN_EVERY:
                self.flush(name)

    def doubted(self, name: str, template: Template, why: str, *, late: bool = True) -> None:
        """A template did not fit a page; late, if it took cutting the text out to see it."""
        with self._lock:
            desk = self.desk(name)
            desk.doubted[template.name] = desk.doubted.get(template.name, 0) + 1
            desk.in_a_row[template.name] = desk.in_a_row.get(template.name, 0) + 1
            if late:
                desk.late[template.name] = desk.late.get(template.name, 0) + 1
            desk.last_doubt[template.name] = why
            self._counted(name, desk)

    def is_tired(self, name: str, template: Template) -> bool:
        """Return whether a template was doubted so often in a row that it is not worth a try on this page."""
        desk = self.desk(name)
        doubts = desk.late.get(template.name, 0)
        if doubts < _TIRED_AFTER or doubts % _TRIED_EVERY == 0:
            return False
        desk.late[template.name] = doubts + 1
        desk.in_a_row[template.name] = desk.in_a_row.get(template.name, 0) + 1
        return True

    def is_on_trial(self, name: str, template: Template) -> bool:
        """Return whether what a template cuts out is still to be compared with what the long way gives."""
        return self._on_trial(self.desk(name), template.name) is not None

    def _on_trial(self, desk: _Desk, template: str) -> Health | None:
        """Return how a template has fared that is still on trial, what was counted since included."""
        for known in desk.site.templates:
            if known.template.name == template and known.health.trial:
                health = known.health.audited(desk.audited.get(template, 0), desk.disagreed.get(template, 0))
                return health if health.trial else None
        return None

    def audited(self, name: str, template: Template, url: str, *, agreed: bool) -> None:
        """What a template cut out of a page was compared with what the long way gives.

        One that disagrees too often while it is on trial is refuted: retired for good. One that disagrees later is put
        on trial again.
        """
        own = template.name
        with self._lock:
            desk = self.desk(name)
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
                why = f"{own}: {health.disagreed + 1} pages were otherwise than the long way has them"
                self._change_health(name, own, lambda old: replace(old, refuted=True), "refuted", why, ends=True)

    def is_refuted(self, name: str, template: Template) -> bool:
        """Return whether the same rules have been refuted before."""

        def cuts(one: Template) -> tuple[Rule, ...]:
            return (*one.of(MAIN), *one.of(UNINFORMATIVE))

        known = self.desk(name).site.templates
        return any(one.health.refuted and cuts(one.template) == cuts(template) for one in known)

    def revived(self, name: str, template: Template, url: str) -> None:
        """A retired template fits again: it is valid from now on."""
        why = f"{template.name} fits {url}"
        self._change_health(name, template.name, lambda old: replace(old, in_a_row=0), "revived", why, ends=False)

    def _change_health(
        self, name: str, template: str, how: Callable[[Health], Health], what: str, why: str, ends: bool | None = None
    ) -> None:
        """Change how a template has fared; and whether it has ended, if that is told."""

        def changed(known: Known) -> Known:
            if known.template.name != template:
                return known
            until = known.template.valid_until if ends is None else (today() if ends else None)
            return Known(replace(known.template, valid_until=until), how(known.health))

        self.flush(name)
        self.change(name, lambda site: replace(site, templates=tuple(map(changed, site.templates))), what, why)

    def _counted(self, name: str, desk: _Desk) -> None:
        desk.uncounted += 1
        if desk.uncounted >= _WRITTEN_EVERY:
            self.flush(name)

    def flush(self, name: str | None = None) -> None:
        """Write what was counted."""
        with self._lock:
            for one in list(self._desks) if name is None else [name]:
                desk = self._desks.get(one)
                if desk is not None and desk.uncounted:
                    taken = replace(desk)
                    desk.served, desk.doubted, desk.last_doubt, desk.texts = {}, {}, {}, []
                    desk.audited, desk.disagreed = {}, {}
                    desk.uncounted = 0
                    self.change(one, lambda site, taken=taken: _after(site, taken))  # type: ignore[misc]

    # -- changing -----------------------------------------------------------------------------------------------

    def change(self, name: str, how: Callable[[Site], Site], what: str = "", why: str = "") -> Site:
        """Change what is known of a site, over whatever others have written meanwhile.

        Raises:
            SitesUnwritable: it cannot be written.
        """
        with self._lock:
            for _ in range(_TRIES):
                found = self.storage.get(name)
                old = self._written(name, found)
                new = how(old)
                version = found[1] if found else 0
                if new == old:
                    self._take(name, old, version)
                    return old
                if self.storage.put(name, as_json.dumps(new), version):
                    self._take(name, new, version + 1)
                    if what:
                        self.tell(name, what, why)
                    return new
            raise SitesUnwritable(f"what is known of {name} is changed by others all the time; try again")

    def _written(self, name: str, found: tuple[str, int] | None) -> Site:
        """Return a site as it was found; what this process holds of that version need not be read."""
        desk = self._desks.get(name)
        if found is None:
            return Site(name)
        if desk is not None and desk.version == found[1]:
            return desk.site
        try:
            return as_json.loads(found[0])
        except BadRules:
            return Site(name)

    def _take(self, name: str, site: Site, version: int) -> None:
        desk = self._desks.get(name)
        if desk is None:
            self._desks[name] = _Desk(site, version)
        else:
            desk.site, desk.version = _with_same(site, desk.site), version

    def learned(self, name: str, templates: Sequence[Template], why: str) -> Site:
        """Return templates were learned: they are tried first, and those that have not fitted lately are retired."""
        in_a_row = dict(self.desk(name).in_a_row)
        fresh = Health(trial=TRIAL)

        def with_them(site: Site) -> Site:
            left = list(templates)
            kept = []
            for known in site.templates:
                template, health = known.template, known.health
                doubts = max(in_a_row.get(template.name, 0), health.in_a_row)
                again = next((new for new in left if _is_same_make(new, template)), None)
                if again is not None and not health.refuted:  # learned again, by us or by another process
                    left.remove(again)
                    seen = again.expected.joined(template.expected)  # short pages and long ones are of one make
                    template = replace(again, name=template.name, expected=seen)
                    health = replace(health, in_a_row=0)
                elif template.valid_until is None and doubts >= _RETIRED_AFTER:
                    template = replace(template, valid_until=today())
                kept.append(Known(template, health))
            taken = {known.template.name for known in kept}
            new = [Known(replace(template, name=_free(template.name, taken)), fresh) for template in left]
            return replace(site, templates=tuple(_bounded([*new, *kept])))

        return self.change(name, with_them, "learned", why)

    def keep(self, name: str, page: SitePage) -> int:
        """Keep a page to learn from; says how many there are."""
        return self.storage.keep(name, page)

    def write(self, site: Site, why: str) -> None:
        """Put what is known of a site in place of what was known, as after an edit by hand."""
        self.change(site.name, lambda _: site, "written", why)

    def forget(self, name: str) -> None:
        """Forget a site.

        Raises:
            UnknownSite: nothing was known of it.
        """
        if self.storage.get(name) is None:
            raise UnknownSite(name, self.names())
        with self._lock:
            self.storage.remove(name)
            self._desks.pop(name, None)
        self.tell(name, "forgotten", "asked for")

    def tell(self, name: str, what: str, why: str) -> None:
        """Write a line into the log."""
        self.storage.tell(SiteEvent(datetime.now(UTC), name, what, why))

    def close(self) -> None:
        """Write what was counted and let go of the file."""
        self.flush()
        self.storage.close()


def _with_same(site: Site, before: Site) -> Site:
    """Return a site with the very templates that were there before, where they are the same: those are made ready
    already.
    """
    ready = {known.template.name: known.template for known in before.templates}
    same = tuple(
        replace(known, template=ready[known.template.name])
        if ready.get(known.template.name) == known.template
        else known
        for known in site.templates
    )
    return replace(site, templates=same)


def _after(site: Site, taken: _Desk) -> Site:
    """Return a site after what a process has counted."""
    names = {known.template.name for known in site.templates}
    counted = tuple(
        replace(
            known,
            health=known.health.after(
                taken.served.get(name, 0),
                taken.doubted.get(name, 0),
                taken.in_a_row.get(name, known.health.in_a_row),
                today(),
                taken.last_doubt.get(name, ""),
            ).audited(taken.audited.get(name, 0), taken.disagreed.get(name, 0)),
        )
        for known in site.templates
        if (name := known.template.name) in names
    )
    return replace(site, templates=counted).having_seen(taken.texts)


def _is_same_make(one: Template, other: Template) -> bool:
    """Return whether two templates have the same rules for the main text, and mostly the same marks.

    With other marks they are for pages of two makes, which may alternate.
    """
    if one.of(MAIN) != other.of(MAIN) or one.encoding != other.encoding:
        return False
    mine, theirs = set(one.expected.markers), set(other.expected.markers)
    return not mine or not theirs or len(mine & theirs) >= min(len(mine), len(theirs)) / 2


def _bounded(templates: Sequence[Known]) -> list[Known]:
    """No more templates than a site may have; of those that ended only the latest."""
    ended = [known for known in templates if known.template.valid_until is not None]
    too_old = {known.template.name for known in ended[MOST_RETIRED:]}
    return [known for known in templates if known.template.name not in too_old][:MOST_TEMPLATES]


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no template has yet."""
    number = len(taken) + 1
    free = f"template-{number}" if name.startswith("template-") or name in taken else name
    while free in taken:
        number += 1
        free = f"template-{number}"
    taken.add(free)
    return free
