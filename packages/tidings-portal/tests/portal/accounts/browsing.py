"""Browsers before a house with accounts."""

from __future__ import annotations

from dataclasses import dataclass

from httpx2 import Response
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.portal.housed import HERE, token_in
from tidings_portal.accounts.passwords import Passwords
from tidings_portal.accounts.sessions import Device, SessionService
from tidings_portal.app import application
from tidings_portal.web.app_state import App
from tidings_portal.web.sessions import SESSION

#: Argon2 as quick as it goes: what it costs is not what these tests are about.
QUICK = Passwords(1, 8, 1)
PASSWORD = "grey seals at dawn"  # noqa: S105  # of nobody


@dataclass
class Site:
    """An application, and the browsers before it."""

    app: App
    asgi: Starlette

    @property
    def sessions(self) -> SessionService:
        found: SessionService = self.asgi.state.sessions
        return found

    def browser(self, address: str = "192.0.2.1", here: str = HERE) -> Browser:
        made = TestClient(
            self.asgi, here, raise_server_exceptions=False, follow_redirects=False, client=(address, 50_000)
        )
        return Browser(self, made)

    def person(self, name: str = "Ann", address: str = "192.0.2.1") -> Browser:
        """A browser that somebody has signed up with; those after the first by the one who runs the house."""
        if self.app.store.persons():
            self.sessions.sign_up(name, PASSWORD, Device(address), by_admin=True)
            browser = self.browser(address)
            assert browser.sign_in(name).status_code == 303
            return browser
        browser = self.browser(address)
        assert browser.send("/sign-up", page="/sign-up", name=name, password=PASSWORD).status_code == 303
        return browser


@dataclass
class Browser:
    """One browser: its cookies, and the forms of pages it has seen."""

    site: Site
    client: TestClient

    def get(self, path: str) -> Response:
        return self.client.get(path)

    def send(self, action: str, *, page: str = "/", **fields: str | int) -> Response:
        """Send a form as a page has it; the first account is opened with the setup token."""
        told = {name: str(value) for name, value in fields.items()}
        if action == "/sign-up":
            told.setdefault("setup", self.site.sessions.setup_token)
        return self.client.post(action, data={"token": token_in(self.get(page).text), **told})

    def sign_in(self, name: str, password: str = PASSWORD, **fields: str) -> Response:
        return self.send("/sign-in", name=name, password=password, **fields)

    @property
    def session(self) -> str:
        return self.client.cookies.get(SESSION) or ""

    @property
    def key(self) -> str:
        """What the store keeps this person's things under."""
        found = self.site.sessions.login(self.session)
        assert found is not None
        return found[1].key


def site_of(app: App) -> Site:
    site = Site(app, application(app))
    site.sessions.passwords = QUICK
    return site
