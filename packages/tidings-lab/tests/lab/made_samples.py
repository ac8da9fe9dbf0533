"""Samples made of a few lines of HTML, for tests that know the answer."""

from __future__ import annotations

from pathlib import Path

from tidings_lab.corpora import Sample


def written_sample(
    folder: Path, html: str, text: str, site: str = "site", name: str = "page", page_type: str = "article"
) -> Sample:
    """Write a page into a folder and return its sample."""
    file = folder / f"{site}-{name}.html"
    file.write_text(html, encoding="utf-8")
    return Sample(f"{site}/{name}", site, "en", page_type, file, {"text": text, "title": ""})
