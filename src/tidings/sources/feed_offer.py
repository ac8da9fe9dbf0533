"""What a page offers to be followed by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """A feed that a page offers."""

    address: str
    title: str = ""
    kind: str = ""  # rss, atom, json; empty where nothing tells
    guess: bool = False  # an address that many sites have; nothing on the page names it
    told_by: str = ""
