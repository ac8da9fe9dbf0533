"""The learned state of a site: its templates, their success, and its repeated texts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Final

from tidings.errors import BadRules, printable
from tidings.sites.templates.rule import LONGEST, Template, is_sound

#: Number of texts that are counted; the rarest are dropped first.
MOST_TEXTS: Final = 4096
#: A text on this many pages is noise.
NOISE_FROM: Final = 3
#: A page with this share of known texts is the same article at another URL; its texts are not counted.
_SAME_STORY: Final = 0.5


@dataclass(frozen=True, slots=True)
class Health:
    """How well a template has matched pages since it was learned."""

    served: int = 0
    mismatched: int = 0
    in_a_row: int = 0  # mismatches since the last served page
    last_served: date | None = None
    last_mismatch: str = ""
    trial: int = 0  # number of results still to be compared with the full extraction
    disagreed: int = 0  # results on trial that differed from the full extraction
    refuted: bool = False  # too many differed: never used again

    def after(self, served: int, mismatched: int, in_a_row: int, today: date, last_mismatch: str) -> Health:
        """Return usage counts with the results of further pages added.

        Args:
            served: number of pages that the template fitted.
            mismatched: number of pages that it did not fit.
            in_a_row: number of consecutive pages, up to the last one, that it did not fit.
            today: the date to record if it fitted a page.
            last_mismatch: the reason of the last mismatch; empty if there was none.
        """
        return replace(
            self,
            served=self.served + served,
            mismatched=self.mismatched + mismatched,
            in_a_row=in_a_row,
            last_served=today if served else self.last_served,
            last_mismatch=last_mismatch or self.last_mismatch,
        )

    def audited(self, pages: int, disagreed: int) -> Health:
        """Return usage counts after some comparisons with the full extraction. After the trial, earlier differences no
        longer count.
        """
        trial = max(0, self.trial - pages)
        return replace(self, trial=trial, disagreed=self.disagreed + disagreed if trial else 0)


@dataclass(frozen=True, slots=True)
class TrackedTemplate:
    """A template with its usage counts."""

    template: Template
    health: Health = field(default_factory=Health)


@dataclass(frozen=True, slots=True)
class Site:
    """The learned state of a site. Retired templates have an end date and are tried last."""

    name: str
    templates: tuple[TrackedTemplate, ...] = ()
    texts: tuple[tuple[int, int], ...] = ()  # hashes with the number of pages

    @property
    def valid(self) -> tuple[TrackedTemplate, ...]:
        """Return the active templates."""
        return tuple(tracked for tracked in self.templates if tracked.template.valid_until is None)

    @property
    def retired(self) -> tuple[TrackedTemplate, ...]:
        """Return the templates that are tried if no active one fits: a site may return to an old layout."""
        return tuple(
            tracked
            for tracked in self.templates
            if tracked.template.valid_until is not None and not tracked.health.refuted
        )

    def checked(self) -> Site:
        """Return the site if its name, texts and counts are valid.

        Raises:
            BadRules: a value is invalid.
        """
        if not self.name or len(self.name) > LONGEST or not is_sound(self.name):
            raise BadRules(f"{printable(self.name, 40)!r} is not a site name: up to {LONGEST} characters")
        if not all(0 <= count < 2**63 and abs(text) < 2**64 for text, count in self.texts):
            raise BadRules("texts are pairs of a 64-bit hash and a number of pages")
        for tracked in self.templates:
            health = tracked.health
            if not all(0 <= number < 2**63 for number in (health.served, health.mismatched, health.in_a_row)):
                raise BadRules("served and mismatched are whole numbers from 0 on")
            if not is_sound(health.last_mismatch):
                raise BadRules("the last doubt contains half of a surrogate pair")
        return self

    def having_seen(self, pages: list[tuple[int, ...]]) -> Site:
        """Return the site with the block texts of further pages counted. Texts on many pages become noise, which every
        template then removes. `pages` has the text hashes of each page.
        """
        counts = dict(self.texts)
        for page in pages:
            own = set(page)
            if len(own & counts.keys()) > _SAME_STORY * len(own):
                continue
            for text in own:
                counts[text] = counts.get(text, 0) + 1
        if len(counts) > MOST_TEXTS:
            # Sorting is stable: of the texts on one page the latest stay.
            counts = dict(sorted(counts.items(), key=lambda entry: entry[1])[-MOST_TEXTS // 2 :])
        noise = frozenset([text for text, count in counts.items() if count >= NOISE_FROM])
        templates = tuple(
            tracked
            if noise <= tracked.template.noise
            else replace(tracked, template=replace(tracked.template, noise=tracked.template.noise | noise))
            for tracked in self.templates
        )
        return replace(self, templates=templates, texts=tuple(counts.items()))


def today() -> date:
    """Return the current date in UTC."""
    return datetime.now(UTC).date()
