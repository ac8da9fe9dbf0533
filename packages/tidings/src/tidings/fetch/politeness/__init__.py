"""Politeness towards hosts: turns, pauses, robots.txt and Retry-After."""
