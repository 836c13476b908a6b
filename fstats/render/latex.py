"""Render worked examples as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from math import inf
from textwrap import wrap
from typing import Any

import numpy as np

from ..core.mathematics_in_names import COMMANDS_BY_SIGN, name_without_blanks, plain_name, write_name
from ..core.number_format import MIN_PRINTED_PROBABILITY, format_latex, format_probability, is_too_small_to_print
from ..core.value_types import Interval
from ..core.worked_example_row import DECISION, Row
from .formula_line_breaks import break_equation, formula_width, has_condition
from .row_layout import format_value

INDENT = r"\quad "
PAGE = 62.0  # number of letters that fit in a line of a default LaTeX page


def latex_number(row: Row) -> str:
    """Return the value of a row in LaTeX, or an empty text if the value is not one number."""
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
    number = format_latex(value, row.digits) or ""
    return format_probability(value, row.digits) if number == "1" and row.chance and not np.ndim(value) else number


def equation(row: Row, with_value: bool = True) -> str:
    r"""Return symbol, formula, formula with numbers and value: ``t = \frac{\bar d}{SE} = \frac{-0.6}{1.6} = -0.375``."""
    return " ".join(equation_parts(row, with_value))


def equation_parts(row: Row, with_value: bool = True, example_too: bool = False) -> list[str]:
    r"""Return an equation in pieces between which a line may end: ``t = \frac{\bar d}{SE}``, ``= \frac{-0.6}{1.6}``, ``= -0.375``.

    The example of a column is its first entry; with ``example_too`` the example is also split into pieces.
    """
    if row.is_column and not isinstance(row.value, Interval):
        if not row.formula:
            return [row.symbol]
        numbers = text if (text := row.substituted) != row.formula else ""  # empty if the formula has no symbols that numbers could replace
        first = _add_relations(row, [numbers, _first_entry(row)])
        formula = f"{row.symbol} {row.relation} {row.formula}"
        example = first if example_too else [" ".join(first)]
        return [f"{formula};", rf"{INDENT}{row.over} = 1: \ {example[0]}", *example[1:]] if first else [formula]
    symbol, *parts = list(dict.fromkeys(filter(None, [row.symbol, row.formula, row.substituted, latex_number(row) * with_value]))) or [""]
    if not parts:
        return [symbol] if symbol else []
    related = _add_relations(row, parts)
    return [" ".join(filter(None, [symbol, row.relation * (not parts[0].startswith(_SIGNED)), related[0]])), *related[1:]]


_SIGNED = ("< ", "> ")  # first characters of a value that needs no relation


def _add_relations(row: Row, parts: list[str]) -> list[str]:
    """Write the relation of the row before each part except the first, unless a part begins with ``<`` or ``>``.

    After a condition or a definition, such as ``d with i = 1`` or ``x + z, z = 2``, the symbol is repeated, because a bare ``= 3`` would
    be read as another value of i or z. A decision follows its comparison: ``p <= alpha; 0.3 > 0.05: no``.
    """
    first, *others = list(dict.fromkeys(filter(None, parts))) or [""]
    if row.relation == DECISION:
        compared = [part for part in (first, *others) if part in (row.formula, row.substituted)]
        decided = [rf"{compared.pop()}:\ {others[-1]}"] if compared and others and others[-1] not in compared else []
        first, *others = [*compared, *decided] or [first]
        related = [first, *(f"{INDENT}{part}" for part in others)]
    else:
        again = f"{INDENT}{row.symbol} " * has_condition(row.formula)
        related = [first, *(part if part.startswith(_SIGNED) else f"{again}{row.relation} {part}" for part in others)]
    return [f"{part};" if after.startswith(INDENT) else part for part, after in pairwise([*filter(None, related), ""])]


def _first_entry(row: Row) -> str:
    return r"\text{none}" if row.blank and row.value[0] == 0 else _number(row, row.value[0])


def render_latex(rows: Iterable[Row], page: float = PAGE, pages: bool = False) -> str:
    """Return an ``aligned`` block with one line for each step; a long text or formula continues on the next line.

    With ``pages`` the block is an ``align*`` for a document, which may continue on the next page.
    """
    rows, lines = list(rows), []
    room = page - max((formula_width(row.symbol) for row in rows), default=0)  # width that remains beside the longest symbol
    for row in rows:
        if row.kind == "conclusion":
            lines += [rf"&\text{{{escape_text(line)}}}" for line in _wrap(row.value, room)]
        elif row.kind == "setting" and not row.formula:
            number = None if row.is_names else format_latex(row.value, row.digits)
            first, *others = [rf"\text{{{escape_text(line)}}}" for line in _wrap(format_value(row), room)] if number is None else [number]
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
    """Wrap a text into lines of a given width; if the width is infinite, the text is one line."""
    if room == inf:
        return [text]
    # a line must not end inside a formula
    has_formulas = (text := name_without_blanks(text)) != plain_name(text)
    return wrap(text, int(room), break_long_words=not has_formulas, break_on_hyphens=not has_formulas)


def escape_text(text: str) -> str:
    r"""Escape the special signs of a text for LaTeX (``\%``, ``\_``); signs that LaTeX text cannot hold become formulas.

    Mathematics in names stays mathematics.
    """
    return write_name(text, _escape_words, lambda formula: f"${formula.tex}$")


def _escape_words(words: str) -> str:
    return re.sub(r"[#$%&_{}\\^~]", lambda sign: _SIGNS_AS_FORMULAS.get(sign[0], "\\" + sign[0]), words)


def escape_document_text(text: str) -> str:
    r"""Escape a text for a LaTeX document, so that LaTeX prints each sign unchanged (:func:`escape_text` is for MathJax as well).

    pdfLaTeX prints Latin letters and Greek letters; other letters need XeLaTeX or LuaLaTeX.

    >>> print(escape_document_text("svm_rbf <C&RT> --fast 50 % χ² $k$-NN"))
    svm\_rbf $<$C\&RT$>$ -{}-fast 50 \% $\chi$² $k$-NN
    """
    return write_name(" ".join(text.split()), _escape_document_words, lambda formula: f"${formula.tex}$")


def _escape_document_words(words: str) -> str:
    escaped = re.sub("-(?=-)", "-{}", _escape_words(words))
    escaped = re.sub(r"""[<>|"`–—…≤≥≠−→≈∞\u0370-\u03ff]""", lambda sign: _SIGNS.get(sign[0]) or _sign_as_formula(sign[0]), escaped)
    # $$ would end one formula and start the next, so remove it to join the two formulas
    return re.sub(r"(?<!\\)\$\$", "", escaped)


_SIGNS = {sign: f"${sign}$" for sign in "<>|"} | {
    '"': "''",
    "`": r"\textasciigrave{}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "−": "$-$",
}


def _sign_as_formula(sign: str) -> str:
    """Return a Greek letter or a special character as a formula; a character without a LaTeX command is returned unchanged."""
    return rf"$\{COMMANDS_BY_SIGN[sign]}$" if sign in COMMANDS_BY_SIGN else sign


_SIGNS_AS_FORMULAS = {"\\": r"$\backslash$", "^": r"$\wedge$", "~": r"$\sim$"}
