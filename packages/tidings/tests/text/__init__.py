"""Tests of `tidings.text`."""
