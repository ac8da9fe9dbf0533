"""The same portal over PostgreSQL: what the compose file starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.portal import housed
from tests.portal.store.conftest import database, server
from tidings_portal import store
from tidings_portal.watch.sample_web import SampleWeb
from tidings_portal.web.app_state import App

__all__ = ["database", "server"]  # fixtures


@pytest.mark.usefixtures("server")
def test_every_page_is_shown_over_postgres(filled: Path, database: str) -> None:
    with store.open(filled) as file, store.open(database) as kept:
        assert file.copy_to(kept) > 40
        app = App(kept, SampleWeb(housed.Web()), SampleWeb(housed.Web()), now=lambda: housed.NOW)
        client = housed.client(app)
        story = kept.stories(least=2, limit=1).items[0].id
        article = kept.articles(limit=1).items[0].id
        for path in (
            *("/", "/latest", "/most-read", "/events", "/events?when=past", "/trends?q=storm", "/search?q=storm"),
            *("/sources", "/sources/1", "/columnists", "/saved", "/unread", "/feeds", "/about", "/category/City"),
            *(f"/story/{story}", f"/article/{article}", f"/article/{article}/how", "/feeds/latest.rss", "/readyz"),
            *("/api/v1/articles", "/api/v1/stories", "/api/v1/search?q=storm", "/api/v1/sources"),
        ):
            answer = client.get(path)
            assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text[-500:]}"
        token = housed.token_in(client.get("/latest").text)
        assert client.post(f"/article/{article}/save", data={"token": token}).status_code == 303
        assert kept.is_saved(article, "local")
