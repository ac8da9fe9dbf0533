"""Tests of `tidings.extractors`."""
