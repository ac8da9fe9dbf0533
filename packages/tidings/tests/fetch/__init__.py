"""Fetching against real servers on this machine."""
