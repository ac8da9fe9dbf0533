"""Pages as a person sees them: extractors that work on the boxes a browser draws (LBNEST II and IV; VIPS).

The boxes travel with the page (`Hints.layout`); `tidings.browser_layout` shows a page in Chromium and gives one that
has them. Without them each of these raises `NoLayout`, which says what to do.
"""

from tidings.extractors.published.layout import correlation, text_box, vips  # each module registers its name
from tidings.extractors.published.layout.boxes import Box, BoxChoice, Choosing
from tidings.extractors.published.layout.collector import collector, measured, new_mark
from tidings.extractors.published.layout.correlation import LayoutCorrelation
from tidings.extractors.published.layout.text_box import LargestTextBox, LayoutLBNEST
from tidings.extractors.published.layout.vips import VIPS

__all__ = [
    "VIPS",
    "Box",
    "BoxChoice",
    "Choosing",
    "LargestTextBox",
    "LayoutCorrelation",
    "LayoutLBNEST",
    "collector",
    "correlation",
    "hybrid",
    "measured",
    "new_mark",
    "text_box",
    "vips",
]
