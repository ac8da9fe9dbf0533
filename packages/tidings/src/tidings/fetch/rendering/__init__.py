"""Rendering of pages with Chromium."""
