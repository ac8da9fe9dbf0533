"""Extractors that work on the boxes a browser renders (LBNEST II and IV; VIPS).

The boxes are part of the page (`Hints.layout`). `lay_out` in `browser_layout` renders a page in Chromium and returns it
with boxes. Without boxes each of these extractors raises `NoLayout`, whose message says what to do.
"""
