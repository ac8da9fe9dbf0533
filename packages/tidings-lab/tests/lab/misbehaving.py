"""Extractors and work that go wrong in every way there is, on pages that ask for it. Workers import them by name."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from tidings.page import Page, Spans


def _asks(page: Page, for_: str) -> bool:
    return f"PLEASE {for_}" in page.text


@dataclass(frozen=True, slots=True)
class Raises:
    def __call__(self, page: Page, /) -> Spans:
        if _asks(page, "RAISE"):
            raise ZeroDivisionError("as the page\nasked")
        return page.visible


@dataclass(frozen=True, slots=True)
class Hangs:
    def __call__(self, page: Page, /) -> Spans:
        while _asks(page, "HANG"):
            pass
        return page.visible


@dataclass(frozen=True, slots=True)
class Dies:
    def __call__(self, page: Page, /) -> Spans:
        if _asks(page, "DIE"):
            os._exit(7)
        return page.visible


not_an_extractor = 3


def steps(item: int, names: tuple[str, ...]) -> Iterator[str]:
    """Work for a crew: a step does what its name says."""
    for name in names:
        if name == "raise":
            raise ValueError(f"no {item}")
        if name == "exit":
            raise SystemExit(3)
        if name == "die":
            os._exit(9)
        if name == "abort":
            os.abort()
        while name == "hang":
            pass
        if name == "wait":
            threading.Event().wait()
        if name == "print":
            print("a system that talks", flush=True)  # noqa: T201  # it is what must not be seen
        if name == "connect":
            socket.create_connection(("127.0.0.1", 9))
        yield os.environ["OMP_NUM_THREADS"] if name == "threads" else f"{item} {name}"
