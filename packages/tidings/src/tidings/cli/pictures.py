"""Write a chart to an SVG, PNG or PDF file."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tidings.charts import document
from tidings.errors import InputError
from tidings.fetch.rendering import chromium

ENDINGS: Final = (".svg", ".png", ".pdf")


_SECONDS: Final = 60


def can_write(file: Path) -> bool:
    """Return whether a picture with this file ending can be written on this machine."""
    return file.suffix.lower() == ".svg" or chromium.find() is not None


def write_picture(element: str, file: Path) -> None:
    """Write an `<svg>` element in the format of the file ending.

    Raises:
        InputError: the ending is unknown, the file cannot be written, or a browser is needed and missing.
    """
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{file} ends in neither {', '.join(ENDINGS[:-1])} nor {ENDINGS[-1]}")
    svg = document(element)
    try:
        if ending == ".svg":
            file.write_text(svg, encoding="utf-8")
        else:
            _by_browser(svg, file.absolute())
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror or error}") from error


def _by_browser(svg: str, file: Path) -> None:
    browser = chromium.find()
    if browser is None:
        raise InputError(f"{file} is drawn by Chromium, and there is none on the PATH; name a file that ends in .svg")
    width, height = (round(float(size)) for size in svg.partition('viewBox="0 0 ')[2].partition('"')[0].split())
    with TemporaryDirectory() as folder:
        page, out = Path(folder, "chart.html"), Path(folder, f"chart{file.suffix}")
        style = f"@page{{size:{width}px {height}px;margin:0}}body{{margin:0}}svg{{display:block}}"
        page.write_text(
            f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style>{svg.partition(chr(10))[2]}", "utf-8"
        )
        output = f"--screenshot={out}" if file.suffix.lower() == ".png" else f"--print-to-pdf={out}"
        locked = [] if chromium.has_sandbox() else ["--no-sandbox"]
        size = [f"--window-size={width},{height}", "--force-device-scale-factor=1.5", "--hide-scrollbars"]
        command = [browser, "--headless", "--disable-gpu", "--no-pdf-header-footer", *chromium.ALONE, *locked, *size]
        try:
            command += [f"--user-data-dir={folder}/profile", output, page.as_uri()]
            subprocess.run(command, check=True, timeout=_SECONDS, capture_output=True)  # noqa: S603  # fixed arguments
            file.write_bytes(out.read_bytes())
        except subprocess.SubprocessError as error:
            raise InputError(f"Chromium could not draw {file}; name a file that ends in .svg") from error
