"""The selected boxes drawn over a screenshot, like LBNEST's figures 1 and 2, as an HTML document.

The selected box is framed and bright, other candidates are outlined, and the rest is dimmed. A line shows the distance
of the selected box from the page's corner. The document contains nothing of the page except its screenshot.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from math import hypot
from typing import Final

from tidings.extractors.published.layout.boxes import Box
from tidings.extractors.published.layout.choice import BoxChoice

#: Colours of Okabe and Ito, which are distinct for colour-blind people and on most pages.
_CHOSEN: Final = "#d55e00"
_OTHER: Final = "#0072b2"
#: Height in pixels of the caption above the screenshot.
STRIP: Final = 64
_STYLE: Final = f"""
*{{margin:0;padding:0;box-sizing:border-box}}body{{background:#fff;font:15px/1.4 system-ui,sans-serif;color:#1b1f24}}
header{{height:{STRIP}px;padding:9px 16px;border-bottom:1px solid #d8d8d2;overflow:hidden;white-space:nowrap}}
header b{{margin-right:12px}}
header i{{display:inline-block;width:14px;height:14px;vertical-align:middle;margin-right:6px}}
header span{{margin-right:18px;color:#444}}main{{position:relative}}svg{{position:absolute;left:0;top:0}}
img{{display:block}}text{{font:600 14px system-ui,sans-serif}}
"""


def size_of(png: bytes) -> tuple[int, int]:
    """Return width and height of a PNG, read from its first 24 bytes; (0, 0) if it is not a PNG."""
    if len(png) < 24 or not png.startswith(b"\x89PNG"):
        return 0, 0
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def figure(choice: BoxChoice, name: str, screenshot: bytes, title: str = "") -> str:
    """Return an HTML document with a caption, and the screenshot with the selected boxes below it.

    Args:
        choice: the selected boxes.
        name: the name of the extractor.
        screenshot: a PNG of the page from its top.
        title: the name of the page.
    """
    width, height = size_of(screenshot)
    shown = [box for box in choice.chosen if box[1] < height]
    others = [box for box in choice.candidates if box[1] < height]
    holes = "".join(f"M{_n(b[0])} {_n(b[1])}H{_n(b[2])}V{_n(min(b[3], height))}H{_n(b[0])}Z" for b in shown)
    dimmed = f'<path fill="#fff" fill-opacity=".62" fill-rule="evenodd" d="M0 0H{width}V{height}H0Z{holes}"/>'
    outlines = "".join(_rectangle(box, height, _OTHER, 1.5, 0.05) for box in others)
    frames = "".join(_rectangle(box, height, _CHOSEN, 4, 0.0) for box in shown)
    strip = (
        f"<header><b>{escape(name)}</b><span>{escape(choice.reason)}</span><br>"
        f'<span><i style="border:3px solid {_CHOSEN}"></i>chosen</span>'
        f'<span><i style="border:2px solid {_OTHER}"></i>in question</span><span>{escape(title[:160])}</span></header>'
    )
    picture = b64encode(screenshot).decode("ascii")
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title>'
        f"<style>{_STYLE}</style></head><body>{strip}<main>"
        f'<img width="{width}" height="{height}" alt="" src="data:image/png;base64,{picture}">'
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}">{dimmed}{outlines}{frames}'
        f"{_corner(shown)}</svg></main></body></html>"
    )


def _rectangle(box: Box, height: int, colour: str, line: float, fill: float) -> str:
    left, top, right, bottom = box
    tall = min(bottom, height + 10.0) - top
    return (
        f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(max(right - left, 0))}" height="{_n(max(tall, 0))}" '
        f'fill="{colour}" fill-opacity="{fill}" stroke="{colour}" stroke-width="{line}"/>'
    )


def _corner(chosen: list[Box]) -> str:
    """Return an SVG line from the page's corner to that of the first selected box, and its length in pixels."""
    if not chosen:
        return ""
    left, top = max(chosen[0][0], 0.0), max(chosen[0][1], 0.0)
    words = f"{hypot(left, top):.0f} px"
    x, y = left / 2 + 10, max(top / 2, 24.0)
    return (
        f'<line x1="0" y1="0" x2="{_n(left)}" y2="{_n(top)}" stroke="{_CHOSEN}" stroke-width="2" '
        f'stroke-dasharray="7 5"/><circle cx="{_n(left)}" cy="{_n(top)}" r="6" fill="{_CHOSEN}"/>'
        f'<rect x="{_n(x - 6)}" y="{_n(y - 17)}" width="{9 * len(words) + 8}" height="24" rx="4" fill="#fff"/>'
        f'<text x="{_n(x)}" y="{_n(y)}" fill="{_CHOSEN}">{words}</text>'
    )


def _n(value: float) -> str:
    """Format a number for SVG."""
    return f"{value:.1f}"
