"""What is known of one site: its templates, how they have fared, and which texts it repeats."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Final

from tidings.errors import BadRules, shown
from tidings.sites.rule import LONGEST, Template, is_sound

#: Texts of which it is remembered how often they were seen; more are forgotten, the rarest first.
MOST_TEXTS: Final = 4096
#: A text on so many pages is noise.
NOISE_FROM: Final = 3
#: A page with so many of its texts seen before is the same story at another address: nothing is counted.
_SAME_STORY: Final = 0.5


@dataclass(frozen=True, slots=True)
class Health:
    """How a template has fared since it was learned."""

    served: int = 0
    doubted: int = 0
    in_a_row: int = 0  # doubts since a page was last served
    last_served: date | None = None
    last_doubt: str = ""
    trial: int = 0  # pages that are still to be read the long way too, and compared
    disagreed: int = 0  # of those on trial, so many were otherwise than the long way has them
    refuted: bool = False  # too many were: not to be tried again

    def after(self, served: int, doubted: int, in_a_row: int, today: date, last_doubt: str) -> Health:
        """After some more pages."""
        return replace(
            self,
            served=self.served + served,
            doubted=self.doubted + doubted,
            in_a_row=in_a_row,
            last_served=today if served else self.last_served,
            last_doubt=last_doubt or self.last_doubt,
        )

    def audited(self, pages: int, disagreed: int) -> Health:
        """After some pages on trial; of the trial that is over nothing is held against it."""
        trial = max(0, self.trial - pages)
        return replace(self, trial=trial, disagreed=self.disagreed + disagreed if trial else 0)


@dataclass(frozen=True, slots=True)
class Known:
    """A template and how it has fared."""

    template: Template
    health: Health = field(default_factory=Health)


@dataclass(frozen=True, slots=True)
class Site:
    """What is known of a site. Templates that no longer fit are kept with the day they ended, and tried last."""

    name: str
    templates: tuple[Known, ...] = ()
    texts: tuple[tuple[int, int], ...] = ()  # hashes and on how many pages they were seen

    @property
    def valid(self) -> tuple[Known, ...]:
        """The templates that are tried."""
        return tuple(known for known in self.templates if known.template.valid_until is None)

    @property
    def retired(self) -> tuple[Known, ...]:
        """Those that are tried when none of the valid fits: a site may go back to an old make of page."""
        return tuple(
            known for known in self.templates if known.template.valid_until is not None and not known.health.refuted
        )

    def checked(self) -> Site:
        """Return the site itself, if what stands beside its templates makes sense.

        Raises:
            BadRules: it does not.
        """
        if not self.name or len(self.name) > LONGEST or not is_sound(self.name):
            raise BadRules(f"{shown(self.name, 40)!r} is no name of a site: up to {LONGEST} whole characters")
        if not all(0 <= count < 2**63 and abs(text) < 2**64 for text, count in self.texts):
            raise BadRules("texts are told by numbers of 64 bits, and by how many pages they are on")
        for known in self.templates:
            health = known.health
            if not all(0 <= number < 2**63 for number in (health.served, health.doubted, health.in_a_row)):
                raise BadRules("how often a template served and was doubted are whole numbers from 0 on")
            if not is_sound(health.last_doubt):
                raise BadRules("the last doubt has half a character in it")
        return self

    def having_seen(self, pages: list[tuple[int, ...]]) -> Site:
        """With the texts of some more pages counted; those that became noise are in every template's noise."""
        counts = dict(self.texts)
        for page in pages:
            own = set(page)
            if len(own & counts.keys()) > _SAME_STORY * len(own):
                continue
            for text in own:
                counts[text] = counts.get(text, 0) + 1
        if len(counts) > MOST_TEXTS:
            # Python's sort keeps the order of equals: of texts seen once the latest stay.
            counts = dict(sorted(counts.items(), key=lambda entry: entry[1])[-MOST_TEXTS // 2 :])
        noise = frozenset([text for text, count in counts.items() if count >= NOISE_FROM])
        templates = tuple(
            known
            if noise <= known.template.noise
            else replace(known, template=replace(known.template, noise=known.template.noise | noise))
            for known in self.templates
        )
        return replace(self, templates=templates, texts=tuple(counts.items()))


def today() -> date:
    """Return the day it is, in UTC."""
    return datetime.now(UTC).date()
