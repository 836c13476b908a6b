"""How a number is written: four significant digits, in LaTeX and in plain text; a probability so that it can be told from a level."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import floor, isfinite, log10
from typing import Any

DIGITS = 4
RARE = 1e-300  # a probability below this is only said to be so: floats end soon after, and tell 0 from rare no more


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
    if isinstance(x, Chance):
        return chance(x, x.digits)
    if x is None:
        return "–"
    if isinstance(x, bool) or type(x).__name__ == "bool":
        return "yes" if x else "no"
    if isinstance(x, str):
        return x
    try:
        x = float(x)
    except (TypeError, ValueError):
        return str(x)
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


def spanned(x: Any, written: Callable[[Any], str] = plain) -> str:
    """A number, or what an array of them spans: ``4``, ``4 to 7``."""
    if not getattr(x, "ndim", 0):
        return written(x)
    return written(x.min()) if x.min() == x.max() else f"{written(x.min())} to {written(x.max())}"


def degrees_of_freedom(df: Any) -> str:
    """So many degrees of freedom in words; an array of them by what it spans.

    >>> degrees_of_freedom(1), degrees_of_freedom(3)
    ('1 degree of freedom', '3 degrees of freedom')
    """
    told = spanned(df)
    return f"{told} degree{'' if told == '1' else 's'} of freedom"


def half_unit_of(x: Any) -> float:
    """Half a unit of the last digit that a number has when it is written: what its rounding can explain.

    >>> half_unit_of(-0.375), half_unit_of(23), half_unit_of(6.1e-05)
    (0.0005, 0.5, 5e-07)
    """
    if not isfinite(x):
        return 0.0
    last = Decimal(repr(float(x)) if isinstance(x, float) else str(int(x))).as_tuple().exponent
    return float(f"0.5e{last}")


# -- probabilities, and levels beside them ------------------------------------------------------------------------------------


def digits_beside(x: Any, y: Any) -> int:
    """So many significant digits, at least four, that x <= y is as true of the numbers as they are written.

    >>> digits_beside(0.0500004, 0.05), digits_beside(0.0412, 0.05), digits_beside(0.1 + 0.2, 0.3)
    (6, 4, 17)
    """
    x, y = float(x), float(y)
    digits = DIGITS
    while (float(f"{x:.{digits}g}") <= float(f"{y:.{digits}g}")) != (x <= y):  # at the latest with 17 digits, all that a float has
        digits += 1
    return digits


class Chance(float):
    """A probability for a table of numbers: it is written as :func:`chance` does, with the digits that it needs beside a level."""

    digits: int

    def __new__(cls, p: Any, beside: Any = None) -> Chance:
        """The probability p, which may be compared with the level ``beside``."""
        made = super().__new__(cls, float(p))
        made.digits = DIGITS if beside is None else digits_beside(p, beside)
        return made


def is_rare(p: Any) -> bool:
    """Whether a probability is too small to be written down; 0, that of an infinite statistic, is not."""
    return 0 < float(p) < RARE


def chance(p: Any, digits: int = DIGITS) -> str:
    """A probability for a text cell: ``0.7267``; ``< 1e-300`` where it is too small to say more."""
    return f"< {RARE:g}" if is_rare(p) else plain(float(p), digits)


def p_beside(p: Any, alpha: Any, symbol: str = "p") -> str:
    """A p-value in a sentence that also names alpha: ``p = 0.0500004``, ``p < 1e-300``.

    >>> p_beside(0.7267321, 0.05), p_beside(0.0500004, 0.05), p_beside(5e-324, 0.05)
    ('p = 0.7267', 'p = 0.0500004', 'p < 1e-300')
    """
    return f"{symbol} {chance(p)}" if is_rare(p) else f"{symbol} = {plain(p, digits_beside(p, alpha))}"


def level_beside(alpha: Any, p: Any) -> str:
    """The level in that sentence: ``0.05``, with more digits only where p is so near."""
    return plain(alpha, digits_beside(p, alpha))


def percent(alpha: float) -> str:
    """The level of an interval that leaves alpha outside: ``95``, ``98.33``, ``99.999``, never 100.

    >>> percent(0.05), percent(0.05 / 3), percent(1e-5), percent(1e-20)
    ('95', '98.33', '99.999', '100 (1 - 1e-20)')
    """
    outside = 100 * float(alpha)
    if outside < 1e-9:
        return f"100 (1 - {plain(alpha)})"
    places = max(2, 1 - floor(log10(outside)))
    return f"{Decimal(100) - Decimal(repr(outside)):.{places}f}".rstrip("0").rstrip(".")


def in_json(x: float) -> float | str:
    """A number for a file of JSON, which has no word for infinity: ``"inf"`` or ``"-inf"``, which ``float`` reads again.

    >>> in_json(0.5), in_json(float("-inf"))
    (0.5, '-inf')
    """
    return x if isfinite(x) else str(x)


def cut(text: str) -> str:
    """As much of a text as an error message has room for."""
    return text if len(text) <= 60 else text[:57] + "..."
