"""Pages as a person sees them: extractors that work on the boxes a browser draws (LBNEST II and IV; VIPS).

The boxes travel with the page (`Hints.layout`); `tidings.pipeline.layout` shows a page in Chromium and gives one that
has them. Without them each of these raises `NoLayout`, which says what to do.
"""

from tidings.extractors.layout import correlation, hybrid, text_box, vips  # each module registers its name
from tidings.extractors.layout.choice import Box, Choice, Choosing
from tidings.extractors.layout.collector import collector, measured, new_mark
from tidings.extractors.layout.correlation import LayoutCorrelation
from tidings.extractors.layout.hybrid import LayoutLBNEST
from tidings.extractors.layout.text_box import LargestTextBox
from tidings.extractors.layout.vips import VIPS

__all__ = [
    "VIPS",
    "Box",
    "Choice",
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
