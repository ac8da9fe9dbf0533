"""Pages as a person sees them: extractors that work on the boxes a browser draws (LBNEST II and IV; VIPS).

The boxes travel with the page (`Hints.layout`); `tidings.browser_layout` shows a page in Chromium and gives one that
has them. Without them each of these raises `NoLayout`, which says what to do.
"""
