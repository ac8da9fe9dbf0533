"""The addresses of the reader."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute, Route

from tidings.news.reader.look import change_look
from tidings.news.reader.pages import drawn, paste, read, taken
from tidings.news.reader.saving import save

ROUTES: Final[list[BaseRoute]] = [
    Route("/read", read),
    Route("/read", paste, methods=["POST"]),
    Route("/read/taken", taken),
    Route("/read/drawn", drawn),
    Route("/read/save", save, methods=["POST"]),
    Route("/read/look", change_look, methods=["POST"]),
]
