"""Building of an article's blocks from the selected ranges of a page."""
