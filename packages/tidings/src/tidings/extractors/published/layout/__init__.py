"""Extractors that work on the boxes a browser renders (LBNEST II and IV; VIPS).

The boxes are part of the page (`Hints.layout`); `tidings.browser_layout` renders a page in Chromium and returns one with
boxes. Without boxes each of these extractors raises `NoLayout`, whose message says what to do.
"""
