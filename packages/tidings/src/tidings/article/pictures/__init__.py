"""The pictures of an article: their selection, credits and galleries."""
