"""Annotations of pages: units, marks, ranges of characters, and the files that store them."""
