"""Worked rows as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..number import RARE, is_rare, tex
from ..row import Row
from ..value import Interval
from .layout import value


def number(row: Row) -> str:
    """The value of a row in LaTeX; empty where it is not one number."""
    if row.name == "critical_value" and not np.ndim(row.value) and np.isinf(row.value):
        return r"\text{none}"
    if row.name == "critical_value" and isinstance(row.value, Interval) and not np.ndim(row.value.low):
        low, high = row.value
        return r"\text{none}" if np.isinf(low) and np.isinf(high) else rf"{tex(low)} \text{{ and }} {tex(high)}"
    if isinstance(row.value, Interval) and not np.ndim(row.value.low):
        left, right = "(" if np.isinf(row.value.low) else "[", ")" if np.isinf(row.value.high) else "]"
        return rf"{left}{tex(row.value.low)},\ {tex(row.value.high)}{right}"
    return "" if row.over and np.ndim(row.value) else _number(row, row.value)


def _number(row: Row, value: Any) -> str:
    if row.chance and not np.ndim(value) and is_rare(value):
        return f"< {tex(RARE)}".replace(r"1 \times ", "")
    return tex(value, row.digits) or ""


def equation(row: Row, with_value: bool = True) -> str:
    r"""Symbol, formula, formula with numbers, value: ``t = \frac{\bar d}{SE} = \frac{-0.6}{1.6} = -0.375``."""
    return " ".join(pieces(row, with_value))


def pieces(row: Row, with_value: bool = True) -> list[str]:
    r"""The same in pieces between which a line may be broken: ``t = \frac{\bar d}{SE}``, ``= \frac{-0.6}{1.6}``, ``= -0.375``."""
    if row.is_column and not isinstance(row.value, Interval):
        if not row.formula:
            return [row.symbol]
        numbers = row.substituted if row.substituted != row.formula else ""  # words say nothing the second time
        first = _joined(row, [numbers, _first(row)])
        formula = f"{row.symbol} {row.relation} {row.formula}"
        return [f"{formula};", rf"\quad {row.over} = 1: \ {' '.join(first)}"] if first else [formula]
    return _joined(row, [row.symbol, row.formula, row.substituted, number(row) if with_value else ""])


def _joined(row: Row, parts: list[str]) -> list[str]:
    """The parts, all but the first with the row's relation before them; one that begins with a relation of its own keeps that."""
    first, *others = list(dict.fromkeys(filter(None, parts))) or [""]
    related = [part if part.startswith("< ") else f"{row.relation} {part}" for part in others]
    if first and related:
        return [f"{first} {related[0]}", *related[1:]]
    return [first] if first else []


def _first(row: Row) -> str:
    if row.blank and row.value[0] == 0:
        return r"\text{none}"
    return _number(row, row.value[0])


def as_latex(rows: Iterable[Row]) -> str:
    """An ``aligned`` block, one line a step."""
    lines = []
    for row in rows:
        if row.kind == "conclusion":
            lines.append(rf"&\text{{{prose(row.value)}}}")
        elif row.kind == "setting" and not row.formula:
            found = None if row.is_names else tex(row.value, row.digits)
            lines.append(rf"{row.symbol} &= " + (rf"\text{{{prose(value(row))}}}" if found is None else found))
        elif row.formula or number(row):
            lines.append(re.sub(rf" ({re.escape(row.relation)}|<) ", r" &\g<1> ", equation(row), count=1))
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def prose(text: str) -> str:
    r"""Words as LaTeX, their special signs escaped: ``\%``, ``\_``; what text cannot hold stands in formulas of its own."""
    return re.sub(r"[#$%&_{}\\^~]", lambda sign: _FORMULAS.get(sign[0], "\\" + sign[0]), text)


def words(text: str) -> str:
    r"""Words for a LaTeX document (:func:`prose` is for what MathJax shows as well): no sign of them does anything but print itself.

    Letters beyond those that pdfLaTeX has, Greek ones apart, need XeLaTeX or LuaLaTeX.

    >>> print(words("svm_rbf <C&RT> --fast 50 % χ²"))
    svm\_rbf $<$C\&RT$>$ -{}-fast 50 \% $\chi$²
    """
    found = re.sub("-(?=-)", "-{}", prose(" ".join(text.split())))
    found = re.sub(r"""[<>|"`≤≥≠−→≈∞\u0370-\u03ff]""", lambda sign: _SIGNS.get(sign[0]) or _greek(sign[0]), found)
    return re.sub(r"(?<!\\)\$\$", "", found)  # what ends a formula and what begins the next


_SIGNS = {sign: f"${sign}$" for sign in "<>|"} | {
    '"': "''",
    "`": r"\textasciigrave{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "−": "$-$",
    "→": r"$\rightarrow$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
}
_CAPITALS = {"gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega"}  # the others look like Latin ones


def _greek(letter: str) -> str:
    """A Greek letter as a formula; what is none that LaTeX knows stays as it is."""
    case, _, called = unicodedata.name(letter, "").lower().removeprefix("greek ").partition(" letter ")
    called = called.replace("lamda", "lambda")
    if case == "small" and called.isalpha() and called != "omicron":
        return rf"$\{called}$"
    return rf"$\{called.title()}$" if case == "capital" and called in _CAPITALS else letter


_FORMULAS = {"\\": r"$\backslash$", "^": r"$\wedge$", "~": r"$\sim$"}
