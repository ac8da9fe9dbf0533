"""The addresses of the reader."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute, Route

from tidings.publish.reader.look import change_look
from tidings.publish.reader.pages import drawn, paste, read, taken
from tidings.publish.reader.saving import save

ROUTES: Final[list[BaseRoute]] = [
    Route("/read", read),
    Route("/read", paste, methods=["POST"]),
    Route("/read/taken", taken),
    Route("/read/drawn", drawn),
    Route("/read/save", save, methods=["POST"]),
    Route("/read/look", change_look, methods=["POST"]),
]
