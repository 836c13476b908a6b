"""Number formats for LaTeX and plain text: four significant digits, and more where a p-value is close to the level."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import floor, isfinite, log10
from typing import Any

DIGITS = 4
MAX_DIGITS = 17  # a float with this many significant digits can be read back exactly
MIN_PRINTED_PROBABILITY = 1e-300  # smaller probabilities are printed as "< 1e-300", because floats cannot be much smaller


def format_latex(x: Any, digits: int = DIGITS) -> str | None:
    """Write a number or a truth value in LaTeX; return None for any other value."""
    if isinstance(x, bool) or type(x).__name__ == "bool":
        return r"\text{yes}" if x else r"\text{no}"
    if x is None or isinstance(x, str):
        return None
    try:
        mantissa, _, power = format_plain(float(x), digits).replace("inf", r"\infty").partition("e")
    except (TypeError, ValueError):
        return None
    return rf"{mantissa} \times 10^{{{int(power)}}}" if power else mantissa


def format_plain(x: Any, digits: int = DIGITS) -> str:
    """Write a value for a text cell: ``-0.375``, ``6.104e-05``, ``yes``, ``inf``."""
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


def format_power(base: int, exponent: int) -> str:
    """Write a power of a whole number as :func:`format_plain` does, even if the power is too small or too large for a float.

    >>> format_power(6, -2), format_power(6, -500)
    ('0.02778', '8.402e-390')
    """
    if abs(digits := exponent * log10(base)) < 300:
        return format_plain(float(base) ** exponent)
    mantissa, _, carry = f"{10 ** (digits % 1):.{DIGITS - 1}e}".partition("e")
    return f"{float(mantissa):.{DIGITS}g}e{int(digits // 1) + int(carry):+d}"


def format_range(x: Any, write: Callable[[Any], str] = format_plain) -> str:
    """Write a number, or the range of an array: ``4``, ``4 to 7``."""
    if not getattr(x, "ndim", 0):
        return write(x)
    return write(x.min()) if x.min() == x.max() else f"{write(x.min())} to {write(x.max())}"


def format_degrees_of_freedom(df: Any) -> str:
    """Write degrees of freedom in words; for an array, write the range of the degrees of freedom.

    >>> format_degrees_of_freedom(1), format_degrees_of_freedom(3)
    ('1 degree of freedom', '3 degrees of freedom')
    """
    count = format_range(df)
    return f"{count} degree{'' if count == '1' else 's'} of freedom"


def rounding_half_width(x: Any) -> float:
    """Return half a unit of the last written digit of a number: the largest possible rounding error.

    >>> rounding_half_width(-0.375), rounding_half_width(23), rounding_half_width(6.1e-05)
    (0.0005, 0.5, 5e-07)
    """
    if not isfinite(x):
        return 0.0
    last = Decimal(repr(float(x)) if isinstance(x, float) else str(int(x))).as_tuple().exponent
    return float(f"0.5e{last}")


# -- probabilities and levels -------------------------------------------------------------------------------------------------


def digits_to_distinguish(x: Any, y: Any) -> int:
    """Return the least number of significant digits, at least four, for which the written numbers have the same order as x and y.

    >>> digits_to_distinguish(0.0500004, 0.05), digits_to_distinguish(0.0412, 0.05), digits_to_distinguish(0.1 + 0.2, 0.3)
    (6, 4, 17)
    """
    x, y = float(x), float(y)
    for digits in range(DIGITS, MAX_DIGITS):
        if (float(f"{x:.{digits}g}") <= float(f"{y:.{digits}g}")) == (x <= y):
            return digits
    return MAX_DIGITS


class Probability(float):
    """A probability in a table; :func:`format_probability` writes enough digits to compare the probability with a level."""

    digits: int

    def __new__(cls, p: Any, level: Any = None) -> Probability:
        """Make a table entry of the probability p, which readers may compare with a level."""
        probability = super().__new__(cls, float(p))
        probability.digits = DIGITS if level is None else digits_to_distinguish(p, level)
        return probability


def is_too_small_to_print(p: Any) -> bool:
    """Return whether a probability is too small to be written; 0, the p-value of an infinite statistic, is written."""
    return 0 < float(p) < MIN_PRINTED_PROBABILITY


def format_probability(p: Any, digits: int = DIGITS) -> str:
    """Write a probability for a text cell: ``0.7267``, or ``< 1e-300`` for a smaller value; only 1 itself is written as 1.

    >>> format_probability(0.99956, 3), format_probability(0.9999996), format_probability(1)
    ('0.99956', '> 0.999999', '1')
    """
    if is_too_small_to_print(p):
        return f"< {MIN_PRINTED_PROBABILITY:g}"
    text, other = format_plain(float(p), digits), 1 - float(p)
    if other <= 0 or float(text) != 1:
        return text
    return "> 0.999999" if other < 1e-6 else f"{float(p):.{1 - floor(log10(other))}f}"


def format_pvalue(p: Any, alpha: Any, symbol: str = "p") -> str:
    """Write a p-value for a sentence that also contains alpha: ``p = 0.0500004``, ``p < 1e-300``.

    >>> format_pvalue(0.7267321, 0.05), format_pvalue(0.0500004, 0.05), format_pvalue(5e-324, 0.05)
    ('p = 0.7267', 'p = 0.0500004', 'p < 1e-300')
    """
    value = format_probability(p, digits_to_distinguish(p, alpha))
    return f"{symbol} {value}" if value[0] in "<>" else f"{symbol} = {value}"


def format_level(alpha: Any, p: Any) -> str:
    """Write the level alpha for a sentence that also contains p: ``0.05``, with more digits only if p is close to alpha."""
    return format_plain(alpha, digits_to_distinguish(p, alpha))


def format_confidence_level(alpha: float) -> str:
    """Write the confidence level 1 - alpha in percent: ``95``, ``98.33``, ``99.999``, never 100 alone.

    >>> format_confidence_level(0.05), format_confidence_level(0.05 / 3), format_confidence_level(1e-5), format_confidence_level(1e-20)
    ('95', '98.33', '99.999', '100 (1 - 1e-20)')
    """
    outside = 100 * float(alpha)
    if outside < 1e-9:
        return f"100 (1 - {format_plain(alpha)})"
    places = max(2, 1 - floor(log10(outside)))
    return f"{Decimal(100) - Decimal(repr(outside)):.{places}f}".rstrip("0").rstrip(".")


def to_json_number(x: float) -> float | str:
    """Return a number for JSON; an infinite number becomes the text ``"inf"`` or ``"-inf"``, which ``float`` can parse.

    >>> to_json_number(0.5), to_json_number(float("-inf"))
    (0.5, '-inf')
    """
    return x if isfinite(x) else str(x)


def truncate_text(text: str, longest: int = 60) -> str:
    """Truncate a text to 60 characters, the maximum for a value in an error message, or to another length."""
    return text if len(text) <= longest else text[: longest - 3] + "..."
