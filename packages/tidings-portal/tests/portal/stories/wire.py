"""Made-up articles of a few events: each event has words of its own, and all share the language's common ones."""

from __future__ import annotations

import numpy as np

from tidings_portal.stories.report import Report

COMMON = "council report people week plan water road morning public meeting officials county work street house".split()
EVENTS = {
    "seals": "seal colony harbour Norport pups breeding count beach warden skerry grey bulls rocks tide census".split(),
    "bridge": "bridge collapse Eastmoor girder engineer inspection rust traffic diversion closure span repair".split(),
    "election": "ballot mayor candidate Hadley votes recount turnout precinct majority campaign concession".split(),
}


def report(number: int, event: str, seed: int, *, words: int = 60, language: str = "en") -> Report:
    """An article about an event."""
    chance = np.random.default_rng(seed)
    own, text = EVENTS[event], []
    for _ in range(words):
        source = own if chance.random() < 0.6 else COMMON
        text.append(source[int(chance.integers(len(source)))])
    sentences = [" ".join(text[start : start + 10]) + "." for start in range(0, len(text), 10)]
    return Report(number, f"{own[0]} {own[1]} {own[3]}", " ".join(sentences), language)


def stream(count: int, seed: int = 0) -> list[tuple[str, Report]]:
    """Articles of all events, mixed."""
    chance = np.random.default_rng(seed)
    names = list(EVENTS)
    events = [names[int(chance.integers(len(names)))] for _ in range(count)]
    return [(event, report(number, event, seed * 1000 + number)) for number, event in enumerate(events)]
