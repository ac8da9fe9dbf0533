"""Names of people: any that can be read, of one line. Names that look alike are one (`store.verbs.accounts`)."""

from __future__ import annotations

from typing import Final

from tidings.text import fold_space

LONGEST: Final = 40


def is_name(name: str) -> bool:
    """Whether somebody may be called this: nothing invisible, nothing that turns the writing around."""
    told = fold_space(name)
    return 0 < len(told) <= LONGEST and told.isprintable()
