"""Extraction rules and templates of a site, as immutable data."""
