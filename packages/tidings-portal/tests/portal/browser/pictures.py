"""Screenshots for the documentation: pages of the portal, and what `tidings draw` and `tidings lab run` write.

make screenshots
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.portal.serving import served
from tidings import newspaper
from tidings.fetch.rendering import chromium

DOCS = Path(__file__).resolve().parents[5] / "docs/pictures"
DESK = ViewportSize(width=1280, height=860)
PHONE = ViewportSize(width=390, height=800)
#: Search that leads to a page, or its path.
KINDS = {
    "front": "/",
    "story": "STORY",
    "article": "ARTICLE lang:en bridge",
    "article-arabic": "ARTICLE lang:ar",
    "unread": "/unread",
}


def main() -> None:
    """Take them all."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        _portal(browser, Path(folder))
        _files(browser, Path(folder))
        browser.close()


def _portal(browser: Browser, folder: Path) -> None:
    with served(folder / "news.tidings") as portal:
        for name, size, theme in (("desk", DESK, "light"), ("phone", PHONE, "dark")):
            scheme: Literal["light", "dark"] = "dark" if theme == "dark" else "light"
            context = browser.new_context(viewport=size, color_scheme=scheme, locale="en", device_scale_factor=1)
            page = context.new_page()
            for kind, path in KINDS.items():
                page.goto(portal.address + _path(page, portal.address, path), wait_until="networkidle")
                picture = Image.open(io.BytesIO(page.screenshot()))
                picture.save(DOCS / "portal" / f"{kind}-{name}-{theme}.webp", quality=70, method=6)
            context.close()


def _files(browser: Browser, folder: Path) -> None:
    """Run commands that write a page of HTML."""
    story = next(newspaper.pages("gazette", page_type="article"))
    (folder / "page.html").write_bytes(story.html)
    systems = "default,trafilatura,readability-lxml,resiliparse,justext"
    report = ["lab", "run", "-c", "newspaper", "-w", systems, "--format", "html", "-o", "report.html"]
    for name, size, words in (
        ("draw", ViewportSize(width=1100, height=900), ["draw", "page.html", "-o", "draw.html"]),
        ("report", ViewportSize(width=1200, height=1000), report),
    ):
        subprocess.run([sys.executable, "-m", "tidings", *words], cwd=folder, check=True)
        page = browser.new_page(viewport=size)
        page.goto((folder / f"{name}.html").as_uri())
        picture = Image.open(io.BytesIO(page.screenshot()))
        picture.convert("RGB").quantize(256).save(DOCS / f"{name}.png", optimize=True)
        page.close()


def _path(page: Page, portal: str, kind: str) -> str:
    name, _, query = kind.partition(" ")
    if name == "STORY":
        page.goto(portal)
        return page.locator(".card-big .card-title a").get_attribute("href") or "/"
    if name == "ARTICLE":
        page.goto(f"{portal}/search?q={query}")
        return page.locator("main article a[href^='/article/']").first.get_attribute("href") or "/"
    return kind


if __name__ == "__main__":
    main()
