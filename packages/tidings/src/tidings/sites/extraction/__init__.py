"""Extraction by rules: a template's rules cut an article out of a page's bytes."""
