"""Worked rows as LaTeX."""

from __future__ import annotations

import re
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
    if row.is_column and not isinstance(row.value, Interval):
        first = _joined(row, [row.substituted, _first(row)])
        formula = f"{row.symbol} {row.relation} {row.formula}" if row.formula else row.symbol
        return formula + (rf"; \quad {row.over} = 1: \ {first}" if row.formula else "")
    parts = [row.symbol, row.formula, row.substituted, number(row) if with_value else ""]
    return _joined(row, parts)


def _joined(row: Row, parts: list[str]) -> str:
    """The parts with the row's relation between them; one that begins with a relation of its own keeps that."""
    return f" {row.relation} ".join(dict.fromkeys(filter(None, parts))).replace(f"{row.relation} < ", "< ")


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


_FORMULAS = {"\\": r"$\backslash$", "^": r"$\wedge$", "~": r"$\sim$"}
