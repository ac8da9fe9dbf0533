"""Pictures of the portal for the documentation: each kind of page on a desk and on a phone, by day and by night.

python -m tests.portal.browser.pictures [docs/pictures/portal]
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.portal.serving import Served, served, site
from tidings.fetch import browser as chromium

SIZES = {"desk": ViewportSize(width=1280, height=860), "phone": ViewportSize(width=390, height=800)}
#: Search that leads to a page, or its address.
KINDS = {
    "front": "/",
    "story": "STORY",
    "article": "ARTICLE lang:en bridge",
    "article-turkish": "ARTICLE lang:tr köprü",
    "article-arabic": "ARTICLE lang:ar",
    "how": "HOW lang:en seals",
    "search": "/search?q=storm",
    "events": "/events",
    "trends": "/trends?q=storm&q=bridge",
    "sources": "/sources",
    "reader": "READER",
    "unread": "/unread",
    "columnists": "/columnists",
    "api": "/api/",
}


def main() -> None:
    """Take them all."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures/portal")
    folder.mkdir(parents=True, exist_ok=True)
    from tests.portal.browser.test_portal_in_chromium import LANTERN

    with (
        tempfile.TemporaryDirectory() as store,
        site(LANTERN) as lantern,
        served(Path(store) / "news.tidings", "--allow-host", "127.0.0.1") as portal,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        for device, size in SIZES.items():
            for theme in ("light", "dark"):
                context = browser.new_context(
                    viewport=size,
                    color_scheme="dark" if theme == "dark" else "light",
                    locale="en",
                    device_scale_factor=1,
                )
                page = context.new_page()
                for name, kind in KINDS.items():
                    page.goto(portal.address + _path(page, portal, lantern, kind), wait_until="networkidle")
                    picture = Image.open(io.BytesIO(page.screenshot()))
                    picture.save(folder / f"{name}-{device}-{theme}.webp", quality=70, method=6)
                context.close()
        browser.close()


def _path(page: Page, portal: Served, lantern: str, kind: str) -> str:
    name, _, query = kind.partition(" ")
    if name == "READER":
        return f"/read?url={lantern}/lighthouse"
    if name == "STORY":
        page.goto(portal.address)
        return page.locator(".card-big .card-title a").get_attribute("href") or "/"
    if name in {"ARTICLE", "HOW"}:
        page.goto(f"{portal.address}/search?q={query}")
        found = page.locator("main article a[href^='/article/']").first.get_attribute("href") or "/"
        return found + ("/how" if name == "HOW" else "")
    return kind


if __name__ == "__main__":
    main()
