"""How a text looks to the one who reads it: size, width, letters. Kept in their own browser, as the theme is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, Self

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.news.web.app_state import app_of
from tidings.news.web.forms import local, posted, text
from tidings.news.web.session import THEME, THEMES, cookie

COOKIE: Final = "tidings_reading"
#: What there is to choose from; the first is the usual one.
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "size": ("normal", "small", "large", "huge"),
    "width": ("normal", "narrow", "broad"),
    "letters": ("serif", "sans"),
}


@dataclass(frozen=True, slots=True)
class Appearance:
    """A look. Each value is one of its choices, so that it can be the name of a class."""

    size: str = "normal"
    width: str = "normal"
    letters: str = "serif"

    @classmethod
    def of(cls, told: Mapping[str, str]) -> Self:
        """A look of what is told; what is no choice is as usual."""
        found = {name: told.get(name, "") for name in CHOICES}
        return cls(**{name: value if value in CHOICES[name] else CHOICES[name][0] for name, value in found.items()})

    @property
    def classes(self) -> str:
        """The look as classes of the page."""
        return f"size-{self.size} width-{self.width} letters-{self.letters}"


def look_of(request: Request) -> Appearance:
    """The look that a visitor likes."""
    return Appearance.of(dict(zip(CHOICES, request.cookies.get(COOKIE, "").split("-"), strict=False)))


async def change_look(request: Request) -> Response:
    """Take over what a visitor likes, and lead back to where they read."""
    form = await posted(request)
    app = app_of(request)
    look = Appearance.of({name: text(form, name) for name in CHOICES})
    back = RedirectResponse(local(text(form, "next", 8000), "/read"), 303)
    value = "-".join(getattr(look, field.name) for field in fields(look))
    back.headers.append("set-cookie", cookie(app, COOKIE, value))
    theme = text(form, "theme")
    if theme in THEMES:
        back.headers.append("set-cookie", cookie(app, THEME, theme))
    return back
