"""Recorded responses: WARC files, recording, replay, and saved pages."""
