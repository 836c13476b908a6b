"""How a number is written: four significant digits, in LaTeX and in plain text; a probability so that it can be told from a level."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import floor, isfinite, log10
from typing import Any

DIGITS = 4
MIN_PRINTED_PROBABILITY = 1e-300  # a probability below this is only said to be so: floats end soon after, and tell 0 from rare no more


def format_latex(x: Any, digits: int = DIGITS) -> str | None:
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


def format_plain(x: Any, digits: int = DIGITS) -> str:
    """The same number for a text cell: ``-0.375``, ``6.104e-05``, ``yes``, ``inf``."""
    if isinstance(x, Probability):
        return format_probability(x, x.digits)
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
        return format_plain(float(base) ** exponent)
    mantissa, _, carry = f"{10 ** (digits % 1):.{DIGITS - 1}e}".partition("e")
    return f"{float(mantissa):.{DIGITS}g}e{int(digits // 1) + int(carry):+d}"


def format_range(x: Any, written: Callable[[Any], str] = format_plain) -> str:
    """A number, or what an array of them spans: ``4``, ``4 to 7``."""
    if not getattr(x, "ndim", 0):
        return written(x)
    return written(x.min()) if x.min() == x.max() else f"{written(x.min())} to {written(x.max())}"


def format_degrees_of_freedom(df: Any) -> str:
    """So many degrees of freedom in words; an array of them by what it spans.

    >>> format_degrees_of_freedom(1), format_degrees_of_freedom(3)
    ('1 degree of freedom', '3 degrees of freedom')
    """
    told = format_range(df)
    return f"{told} degree{'' if told == '1' else 's'} of freedom"


def rounding_half_width(x: Any) -> float:
    """Half a unit of the last digit that a number has when it is written: what its rounding can explain.

    >>> rounding_half_width(-0.375), rounding_half_width(23), rounding_half_width(6.1e-05)
    (0.0005, 0.5, 5e-07)
    """
    if not isfinite(x):
        return 0.0
    last = Decimal(repr(float(x)) if isinstance(x, float) else str(int(x))).as_tuple().exponent
    return float(f"0.5e{last}")


# -- probabilities, and levels beside them ------------------------------------------------------------------------------------


def digits_to_distinguish(x: Any, y: Any) -> int:
    """So many significant digits, at least four, that x <= y is as true of the numbers as they are written.

    >>> digits_to_distinguish(0.0500004, 0.05), digits_to_distinguish(0.0412, 0.05), digits_to_distinguish(0.1 + 0.2, 0.3)
    (6, 4, 17)
    """
    x, y = float(x), float(y)
    digits = DIGITS
    while (float(f"{x:.{digits}g}") <= float(f"{y:.{digits}g}")) != (x <= y):  # at the latest with 17 digits, all that a float has
        digits += 1
    return digits


class Probability(float):
    """A probability for a table of numbers: it is written as :func:`chance` does, with the digits that it needs beside a level."""

    digits: int

    def __new__(cls, p: Any, beside: Any = None) -> Probability:
        """The probability p, which may be compared with the level ``beside``."""
        made = super().__new__(cls, float(p))
        made.digits = DIGITS if beside is None else digits_to_distinguish(p, beside)
        return made


def is_too_small_to_print(p: Any) -> bool:
    """Whether a probability is too small to be written down; 0, that of an infinite statistic, is not."""
    return 0 < float(p) < MIN_PRINTED_PROBABILITY


def format_probability(p: Any, digits: int = DIGITS) -> str:
    """A probability for a text cell: ``0.7267``; ``< 1e-300`` where it is too small to say more."""
    return f"< {MIN_PRINTED_PROBABILITY:g}" if is_too_small_to_print(p) else format_plain(float(p), digits)


def format_pvalue(p: Any, alpha: Any, symbol: str = "p") -> str:
    """A p-value in a sentence that also names alpha: ``p = 0.0500004``, ``p < 1e-300``.

    >>> format_pvalue(0.7267321, 0.05), format_pvalue(0.0500004, 0.05), format_pvalue(5e-324, 0.05)
    ('p = 0.7267', 'p = 0.0500004', 'p < 1e-300')
    """
    return (
        f"{symbol} {format_probability(p)}"
        if is_too_small_to_print(p)
        else f"{symbol} = {format_plain(p, digits_to_distinguish(p, alpha))}"
    )


def format_level(alpha: Any, p: Any) -> str:
    """The level in that sentence: ``0.05``, with more digits only where p is so near."""
    return format_plain(alpha, digits_to_distinguish(p, alpha))


def format_confidence_level(alpha: float) -> str:
    """The level of an interval that leaves alpha outside: ``95``, ``98.33``, ``99.999``, never 100.

    >>> format_confidence_level(0.05), format_confidence_level(0.05 / 3), format_confidence_level(1e-5), format_confidence_level(1e-20)
    ('95', '98.33', '99.999', '100 (1 - 1e-20)')
    """
    outside = 100 * float(alpha)
    if outside < 1e-9:
        return f"100 (1 - {format_plain(alpha)})"
    places = max(2, 1 - floor(log10(outside)))
    return f"{Decimal(100) - Decimal(repr(outside)):.{places}f}".rstrip("0").rstrip(".")


def to_json_number(x: float) -> float | str:
    """A number for a file of JSON, which has no word for infinity: ``"inf"`` or ``"-inf"``, which ``float`` reads again.

    >>> to_json_number(0.5), to_json_number(float("-inf"))
    (0.5, '-inf')
    """
    return x if isfinite(x) else str(x)


def truncate_text(text: str) -> str:
    """As much of a text as an error message has room for."""
    return text if len(text) <= 60 else text[:57] + "..."
