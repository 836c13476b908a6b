"""Worked rows as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from math import inf
from textwrap import wrap
from typing import Any

import numpy as np

from ..core.number_format import MIN_PRINTED_PROBABILITY, format_latex, is_too_small_to_print
from ..core.value_types import Interval
from ..core.worked_example_row import Row
from .formula_line_breaks import break_equation, formula_width
from .row_layout import format_value

INDENT = r"\quad "
PAGE = 62.0  # letters that a line of LaTeX's own pages has room for


def latex_number(row: Row) -> str:
    """The value of a row in LaTeX; empty where it is not one number."""
    if row.name == "critical_value" and not np.ndim(row.value) and np.isinf(row.value):
        return r"\text{none}"
    if row.name == "critical_value" and isinstance(row.value, Interval) and not np.ndim(row.value.low):
        low, high = row.value
        return r"\text{none}" if np.isinf(low) and np.isinf(high) else rf"{format_latex(low)} \text{{ and }} {format_latex(high)}"
    if isinstance(row.value, Interval) and not np.ndim(row.value.low):
        return row.value.written(format_latex, r",\ ")
    return "" if row.over and np.ndim(row.value) else _number(row, row.value)


def _number(row: Row, value: Any) -> str:
    if row.chance and not np.ndim(value) and is_too_small_to_print(value):
        return f"< {format_latex(MIN_PRINTED_PROBABILITY)}".replace(r"1 \times ", "")
    return format_latex(value, row.digits) or ""


def equation(row: Row, with_value: bool = True) -> str:
    r"""Symbol, formula, formula with numbers, value: ``t = \frac{\bar d}{SE} = \frac{-0.6}{1.6} = -0.375``."""
    return " ".join(equation_parts(row, with_value))


def equation_parts(row: Row, with_value: bool = True, example_too: bool = False) -> list[str]:
    r"""The same in pieces between which a line may be broken: ``t = \frac{\bar d}{SE}``, ``= \frac{-0.6}{1.6}``, ``= -0.375``.

    The example of a column, its first entry, is one piece unless it is broken, too.
    """
    if row.is_column and not isinstance(row.value, Interval):
        if not row.formula:
            return [row.symbol]
        numbers = row.substituted if row.substituted != row.formula else ""  # words say nothing the second time
        first = _add_relations(row, [numbers, _first_entry(row)])
        formula = f"{row.symbol} {row.relation} {row.formula}"
        kept = first if example_too else [" ".join(first)]
        return [f"{formula};", rf"{INDENT}{row.over} = 1: \ {kept[0]}", *kept[1:]] if first else [formula]
    return _join_first_two(row, [row.symbol, row.formula, row.substituted, latex_number(row) if with_value else ""])


def _add_relations(row: Row, parts: list[str]) -> list[str]:
    """The parts, all but the first with the row's relation before them; one that begins with a relation of its own keeps that."""
    first, *others = list(dict.fromkeys(filter(None, parts))) or [""]
    return [first, *(part if part.startswith("< ") else f"{row.relation} {part}" for part in others)] if first else []


def _join_first_two(row: Row, parts: list[str]) -> list[str]:
    """The same, the first two in one."""
    related = _add_relations(row, parts)
    return [" ".join(related[:2]), *related[2:]] if related else []


def _first_entry(row: Row) -> str:
    if row.blank and row.value[0] == 0:
        return r"\text{none}"
    return _number(row, row.value[0])


def render_latex(rows: Iterable[Row], page: float = PAGE, pages: bool = False) -> str:
    """An ``aligned`` block, one line a step; words, and formulas, that a page has no room for go on in the next line.

    With ``pages`` it is an ``align*`` that stands in a document as it is and may go on on the next page.
    """
    rows, lines = list(rows), []
    room = page - max((formula_width(row.symbol) for row in rows), default=0)  # right of the signs at which the lines are aligned
    for row in rows:
        if row.kind == "conclusion":
            lines += [rf"&\text{{{escape_text(line)}}}" for line in _wrap(row.value, room)]
        elif row.kind == "setting" and not row.formula:
            found = None if row.is_names else format_latex(row.value, row.digits)
            first, *others = [rf"\text{{{escape_text(line)}}}" for line in _wrap(format_value(row), room)] if found is None else [found]
            lines += [f"{row.symbol} &= {first}", *(rf"&\quad {more}" for more in others)]
        elif row.formula or latex_number(row):
            first, *others = break_equation(equation_parts(row, example_too=True), room, formula_width(row.symbol))
            lines += [
                re.sub(rf" ({re.escape(row.relation)}|<) ", r" &\g<1> ", first, count=1),
                *(rf"&\quad {more.removeprefix(INDENT)}" for more in others),
            ]
    body = " \\\\\n".join(lines)
    if pages:
        return f"{{\\allowdisplaybreaks\n\\begin{{align*}}\n{body}\n\\end{{align*}}}}"
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _wrap(text: str, room: float) -> list[str]:
    """Words in lines that have room; on a page without an end in one."""
    return [text] if room == inf else wrap(text, int(room))


def escape_text(text: str) -> str:
    r"""Words as LaTeX, their special signs escaped: ``\%``, ``\_``; what text cannot hold stands in formulas of its own."""
    return re.sub(r"[#$%&_{}\\^~]", lambda sign: _FORMULAS.get(sign[0], "\\" + sign[0]), text)


def escape_document_text(text: str) -> str:
    r"""Words for a LaTeX document (:func:`prose` is for what MathJax shows as well): no sign of them does anything but print itself.

    Letters beyond those that pdfLaTeX has, Greek ones apart, need XeLaTeX or LuaLaTeX.

    >>> print(escape_document_text("svm_rbf <C&RT> --fast 50 % χ²"))
    svm\_rbf $<$C\&RT$>$ -{}-fast 50 \% $\chi$²
    """
    found = re.sub("-(?=-)", "-{}", escape_text(" ".join(text.split())))
    found = re.sub(r"""[<>|"`–—…≤≥≠−→≈∞\u0370-\u03ff]""", lambda sign: _SIGNS.get(sign[0]) or _greek_letter(sign[0]), found)
    return re.sub(r"(?<!\\)\$\$", "", found)  # what ends a formula and what begins the next


_SIGNS = {sign: f"${sign}$" for sign in "<>|"} | {
    '"': "''",
    "`": r"\textasciigrave{}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "−": "$-$",
    "→": r"$\rightarrow$",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
}
_CAPITALS = {"gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega"}  # the others look like Latin ones


def _greek_letter(letter: str) -> str:
    """A Greek letter as a formula; what is none that LaTeX knows stays as it is."""
    case, _, called = unicodedata.name(letter, "").lower().removeprefix("greek ").partition(" letter ")
    called = called.replace("lamda", "lambda")
    if case == "small" and called.isalpha() and called != "omicron":
        return rf"$\{called}$"
    return rf"$\{called.title()}$" if case == "capital" and called in _CAPITALS else letter


_FORMULAS = {"\\": r"$\backslash$", "^": r"$\wedge$", "~": r"$\sim$"}
