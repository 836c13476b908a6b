"""How a number is written: four significant digits, in LaTeX and in plain text."""

from __future__ import annotations

from math import log10
from typing import Any

DIGITS = 4


def tex(x: Any, digits: int = DIGITS) -> str | None:
    """A number or a truth value as LaTeX; None for what is neither."""
    if isinstance(x, bool) or type(x).__name__ == "bool":
        return r"\text{yes}" if x else r"\text{no}"
    if isinstance(x, str):
        return None
    try:
        x = float(x)
    except (TypeError, ValueError):
        return None
    if x in (float("inf"), float("-inf")):
        return r"\infty" if x > 0 else r"-\infty"
    if x.is_integer() and abs(x) < 1e7:
        return str(int(x))
    mantissa, _, power = f"{x:.{digits}g}".partition("e")
    return rf"{mantissa} \times 10^{{{int(power)}}}" if power else mantissa


def plain(x: Any, digits: int = DIGITS) -> str:
    """The same number for a text cell: ``-0.375``, ``6.104e-05``, ``yes``, ``inf``."""
    if x is None:
        return "–"
    if isinstance(x, bool) or type(x).__name__ == "bool":
        return "yes" if x else "no"
    try:
        x = float(x) if not isinstance(x, str) else x
    except (TypeError, ValueError):
        return str(x)
    if isinstance(x, str):
        return x
    if x.is_integer() and abs(x) < 1e7:
        return str(int(x))
    return f"{x:.{digits}g}"


def power(base: int, exponent: int) -> str:
    """A power of a whole number as :func:`plain` writes it, though it be far too small or too large for a float.

    >>> power(6, -2), power(6, -500)
    ('0.02778', '8.402e-390')
    """
    if abs(digits := exponent * log10(base)) < 300:
        return plain(float(base) ** exponent)
    mantissa, _, carry = f"{10 ** (digits % 1):.{DIGITS - 1}e}".partition("e")
    return f"{float(mantissa):.{DIGITS}g}e{int(digits // 1) + int(carry):+d}"


def spanned(x: Any) -> str:
    """A number, or what an array of them spans: ``4``, ``4 to 7``."""
    if not getattr(x, "ndim", 0):
        return plain(x)
    return plain(x.min()) if x.min() == x.max() else f"{plain(x.min())} to {plain(x.max())}"
