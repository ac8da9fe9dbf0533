"""Parser of the Retry-After header (RFC 9110, 10.2.3), which has seconds or a date."""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime


def retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds from now; None if the header is missing or invalid. A time in the past means 0."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        when = parsedate_to_datetime(text[:64])
    except (ValueError, IndexError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)  # HTTP dates are always in GMT
    try:
        return max(when.timestamp() - now, 0.0)
    except (OverflowError, ValueError):
        return None
