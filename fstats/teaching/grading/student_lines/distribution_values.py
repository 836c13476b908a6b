"""Fast scalar versions of distributions of scipy.stats.

The values are computed with scipy.special.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

SLOW = ("scipy.stats.studentized_range", "scipy.stats.hypergeom")
MAX_STORED = 500


@cache
def _quick() -> dict[str, tuple[Callable[..., Any], int]]:
    """Map the name of a fast function to the function and its number of arguments."""
    sp = import_module("scipy.special")  # imported here, because few lines use a distribution

    return {
        "t.cdf": (lambda x, df: sp.stdtr(df, x), 2),
        "t.sf": (lambda x, df: sp.stdtr(df, -x), 2),
        "t.ppf": (lambda p, df: sp.stdtrit(df, p), 2),
        "t.isf": (lambda p, df: -sp.stdtrit(df, p), 2),
        "t.pdf": (lambda x, df: math.exp(sp.gammaln((df + 1) / 2) - sp.gammaln(df / 2)) / math.sqrt(df * math.pi) * _power(x, df), 2),
        "norm.pdf": (lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi), 1),
        "norm.cdf": (sp.ndtr, 1),
        "norm.sf": (lambda x: sp.ndtr(-x), 1),
        "norm.ppf": (sp.ndtri, 1),
        "norm.isf": (lambda p: -sp.ndtri(p), 1),
        "chi2.cdf": (lambda x, df: sp.chdtr(df, x), 2),
        "chi2.sf": (lambda x, df: sp.chdtrc(df, x), 2),
        "chi2.ppf": (lambda p, df: 2 * sp.gammaincinv(df / 2, p), 2),
        "chi2.isf": (lambda p, df: sp.chdtri(df, p), 2),
        "f.cdf": (lambda x, df, other: sp.fdtr(df, other, x), 3),
        "f.sf": (lambda x, df, other: sp.fdtrc(df, other, x), 3),
        "binom.cdf": (lambda k, n, p: sp.bdtr(math.floor(k), int(n), p), 3),
        "binom.sf": (lambda k, n, p: sp.bdtrc(math.floor(k), int(n), p), 3),
        "f.ppf": (lambda p, df, other: sp.fdtri(df, other, p), 3),
    }


def _power(x: float, df: float) -> float:
    return float((1 + x * x / df) ** (-(df + 1) / 2))


def quick_value(path: str, values: Sequence[Any]) -> Any:
    """Return the value of a distribution for single numbers; None if it cannot be computed quickly."""
    law, _, function = path.removeprefix("scipy.stats.").partition(".")
    quick, count = _quick().get(f"{law}.{function}", (None, 0))
    if quick is None or len(values) != count or not all(isinstance(value, int | float) for value in values):
        return None
    x, *parameters = values
    if law == "binom":
        count, chance = parameters
        return quick(*values) if float(count).is_integer() and 0 <= x < count and 0 < chance < 1 else None
    if not math.isfinite(x) or (law in ("chi2", "f") and x < 0):
        return None
    if not all(parameter > 0 for parameter in parameters) or (function in ("ppf", "isf") and not 0 <= x <= 1):
        return math.nan
    return quick(*values) if function not in ("ppf", "isf") or 0 < x < 1 else None


@lru_cache(MAX_STORED)
def slow_value(function: Callable[..., Any], *values: float) -> Any:
    """Return the value of a slow distribution, which is computed once."""
    return function(*values)
