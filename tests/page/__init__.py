"""Tests of `tidings.page`."""
