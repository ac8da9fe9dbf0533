"""Measure of hidden text: ways to hide a sentence on a page, the truth by Chromium, and what Tidings extracts."""
