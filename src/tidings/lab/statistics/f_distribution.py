"""The F distribution: what N-EXT reads from its F table [63], to as many digits as wanted."""

from __future__ import annotations

from tidings.errors import MissingExtra


def upper_tail(value: float, among: int, within: int) -> float:
    """How likely an F so large is by chance.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    try:
        from scipy.special import fdtrc
    except ImportError:
        raise MissingExtra("a test of significance", "lab") from None
    return float(fdtrc(among, within, value))


def critical_value(among: int, within: int, alpha: float = 0.05) -> float:
    """The F that chance exceeds with probability alpha: the entry of an F table.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    try:
        from scipy.special import fdtri
    except ImportError:
        raise MissingExtra("a test of significance", "lab") from None
    return float(fdtri(among, within, 1 - alpha))
