"""Tests of the compiled core as a library."""
