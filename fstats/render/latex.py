"""Worked rows as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from math import inf
from textwrap import wrap
from typing import Any

import numpy as np

from ..number import RARE, is_rare, tex
from ..row import Row
from ..value import Interval
from .layout import value

INDENT = r"\quad "
PAGE = 62.0  # letters that a line of LaTeX's own pages has room for
COLUMN = 28.0  # those of a notebook's column of formulas on a phone


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


def pieces(row: Row, with_value: bool = True, example_too: bool = False) -> list[str]:
    r"""The same in pieces between which a line may be broken: ``t = \frac{\bar d}{SE}``, ``= \frac{-0.6}{1.6}``, ``= -0.375``.

    The example of a column, its first entry, is one piece unless it is broken, too.
    """
    if row.is_column and not isinstance(row.value, Interval):
        if not row.formula:
            return [row.symbol]
        numbers = row.substituted if row.substituted != row.formula else ""  # words say nothing the second time
        first = _related(row, [numbers, _first(row)])
        formula = f"{row.symbol} {row.relation} {row.formula}"
        kept = first if example_too else [" ".join(first)]
        return [f"{formula};", rf"{INDENT}{row.over} = 1: \ {kept[0]}", *kept[1:]] if first else [formula]
    return _joined(row, [row.symbol, row.formula, row.substituted, number(row) if with_value else ""])


def _related(row: Row, parts: list[str]) -> list[str]:
    """The parts, all but the first with the row's relation before them; one that begins with a relation of its own keeps that."""
    first, *others = list(dict.fromkeys(filter(None, parts))) or [""]
    return [first, *(part if part.startswith("< ") else f"{row.relation} {part}" for part in others)] if first else []


def _joined(row: Row, parts: list[str]) -> list[str]:
    """The same, the first two in one."""
    related = _related(row, parts)
    return [" ".join(related[:2]), *related[2:]] if related else []


def _first(row: Row) -> str:
    if row.blank and row.value[0] == 0:
        return r"\text{none}"
    return _number(row, row.value[0])


def as_latex(rows: Iterable[Row], page: float = PAGE) -> str:
    """An ``aligned`` block, one line a step; words, and formulas, that a page has no room for go on in the next line."""
    rows, lines = list(rows), []
    room = page - max((breadth(row.symbol) for row in rows), default=0)  # right of the signs at which the lines are aligned
    for row in rows:
        if row.kind == "conclusion":
            lines += [rf"&\text{{{prose(line)}}}" for line in _wrapped(row.value, room)]
        elif row.kind == "setting" and not row.formula:
            found = None if row.is_names else tex(row.value, row.digits)
            first, *others = [rf"\text{{{prose(line)}}}" for line in _wrapped(value(row), room)] if found is None else [found]
            lines += [f"{row.symbol} &= {first}", *(rf"&\quad {more}" for more in others)]
        elif row.formula or number(row):
            first, *others = _in_lines(pieces(row, example_too=True), room, breadth(row.symbol))
            lines += [
                re.sub(rf" ({re.escape(row.relation)}|<) ", r" &\g<1> ", first, count=1),
                *(rf"&\quad {more.removeprefix(INDENT)}" for more in others),
            ]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _wrapped(text: str, room: float) -> list[str]:
    """Words in lines that have room; on a page without an end in one."""
    return [text] if room == inf else wrap(text, int(room))


def _in_lines(parts: list[str], room: float, symbol: float) -> list[str]:
    """The parts of an equation in as many lines as the page asks for; a part that is too long by itself is broken where words begin.

    The symbol stands before the room that lines have.
    """
    lines: list[str] = []
    full = False  # whether the line before is one of a part that was broken: the next part then begins its own
    for part in parts:
        whole = breadth(part) <= room + symbol * (not lines)
        for one in [part] if whole else _where_words_begin(part):
            if not lines or full or breadth(f"{lines[-1]} {one}") > room + symbol * (len(lines) == 1):
                lines.append(one)
            else:
                lines[-1] += f" {one}"
            full = False
        full = not whole
    return lines


def _where_words_begin(part: str) -> list[str]:
    """A formula in pieces, each of which begins with words or stands behind a comma or colon, none inside a bracket or a fraction."""
    found, depth = [""], 0
    for token in re.findall(rf"\s+|{_TOKEN}", part):
        if depth == 0 and token.startswith(r"\text{") and not token.startswith(r"\text{-") and found[-1].strip():
            found.append("")
        found[-1] += token
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth == 0 and found[-1].endswith((r",\ ", r";\ ", r": \ ")):
            found.append("")
    return [one.strip() for one in found if one.strip()]


def breakable(piece: str) -> list[str]:
    r"""A piece of an equation that is too broad for a column of a page, in smaller ones between which a line may be broken, too.

    It is broken where words begin and behind commas; what is too broad still, before its terms; what is too broad still, between the
    members of a bracket.

    >>> breakable(r"= (1 - 0)\,P(T_0 \geq 1.08) + 0.5\,P(T_1 \geq 1.08)")
    ['= (1 - 0)\\,P(T_0 \\geq 1.08)', '{} + 0.5\\,P(T_1 \\geq 1.08)']
    >>> breakable(r"= [-0.6 - 2.776\,\cdot 1.6,\ -0.6 + 2.776\,\cdot 1.6]")
    ['= [-0.6 - 2.776\\,\\cdot 1.6,', '-0.6 + 2.776\\,\\cdot 1.6]']
    >>> breakable(r"= \text{exact odds of } 15 : 33 \text{ at level } 0.05")
    ['= \\text{exact odds of } 15 : 33', '\\text{at level } 0.05']
    """
    found = [piece]
    for broken in (_where_words_begin, _where_terms_begin, _between_members):
        found = [smaller for one in found for smaller in ([one] if breadth(one) <= COLUMN else broken(one))]
    whole: list[str] = []
    for one in found:
        if whole and whole[-1].endswith("="):  # no line ends with it
            whole[-1] += f" {one}"
        else:  # the space between two pieces is the page's
            whole.append(one.removesuffix("\\").rstrip().replace(r"\text{ ", r"\text{", one.startswith(r"\text{ ")))
    return whole


def _where_terms_begin(part: str) -> list[str]:
    """A formula in pieces, each of which begins with a sign that stands between two terms, none inside a bracket or a fraction."""
    found, depth, before, bars = [""], 0, "=", False
    for token in re.findall(rf"\s+|{_TOKEN}", part):
        bars ^= depth == 0 and token == "|"
        if depth == 0 and token == r"\quad" and found[-1].strip():
            found.append("")
        if depth == 0 and not bars and token in _SIGNS_BETWEEN and before not in _BEFORE_A_SIGN:
            found.append("" if token in _RELATIONS else "{} ")  # or the sign would stand close to what follows, as a minus before a number
        found[-1] += token
        depth += (token in _OPEN) - (token in _CLOSE)
        before = before if token.isspace() else token
    return [one.strip() for one in found if one.strip()]


def _between_members(part: str) -> list[str]:
    """A formula in pieces, each of which ends with a comma; round and square brackets stay open until a later one closes them."""
    found, depth, before = [""], 0, ""
    for token in re.findall(rf"\s+|{_TOKEN}", part):
        found[-1] += token
        depth += (token == "{" or before == r"\left") - (token == "}" or before == r"\right")
        if depth == 0 and found[-1].endswith((r",\ ", r";\ ")):
            found.append("")
        before = token
    return [one.strip() for one in found if one.strip()]


def breadth(formula: str) -> float:
    r"""About how wide a formula is, in letters: of a fraction its wider part, of what stands high or low less.

    >>> breadth("x=12"), breadth(r"\frac{a+b}{2}"), breadth(r"\bar d"), breadth(r"\text{so many}")
    (5.2, 4.2, 1.0, 6.6499...)
    """
    return _group(re.findall(_TOKEN, formula), "")[0]


def _group(tokens: list[str], closing: str) -> tuple[float, list[str]]:
    """The breadth of what stands before the closing sign, and the tokens behind that."""
    wide, rest = 0.0, tokens
    while rest and rest[0] != closing:
        token, rest = rest[0], rest[1:]
        if token == r"\frac":
            above, rest = _next(rest)
            below, rest = _next(rest)
            wide += max(above, below)
        elif token in ("_", "^"):
            raised, rest = _next(rest)
            wide += 0.75 * raised
        elif token == "{":
            inside, rest = _group(rest, "}")
            wide += inside
        elif token.startswith(r"\text{"):
            wide += 0.95 * (len(token) - len(r"\text{}"))
        else:
            wide += (
                len(token) - 1
                if token in _NAMED
                else 0.0
                if token in _NO_BREADTH
                else 2.2
                if token in _WIDE
                else 1.3
                if token.isupper()
                else 1.0
            )
    return wide, rest[1:]


def _next(tokens: list[str]) -> tuple[float, list[str]]:
    """The breadth of a command's next argument, and the tokens behind it."""
    if tokens[:1] == ["{"]:
        return _group(tokens[1:], "}")
    return _group(tokens[:1], "")[0], tokens[1:]


_TOKEN = r"\\text\{[^{}]*\}|\\[a-zA-Z]+|\\.|\S"
_RELATIONS = {"=", "<", ">", r"\leq", r"\geq", r"\sim", r"\Leftrightarrow"}
_SIGNS_BETWEEN = {"+", "-", r"\mp", r"\pm", *_RELATIONS}
_BEFORE_A_SIGN = {*_SIGNS_BETWEEN, "|", ",", ";", ":", r"\ ", r"\,", r"\cdot", r"\quad", "(", "[", "{"}  # behind these a minus belongs to its number
_OPEN, _CLOSE = {"{", "(", "[", r"\{"}, {"}", ")", "]", r"\}"}
_NO_BREADTH = {r"\bar", r"\hat", r"\tilde", r"\mathrm"}
_NAMED = {r"\max", r"\min", r"\arcsin", r"\ln", r"\log", r"\exp"}
_WIDE = {*"=<>+-", r"\leq", r"\geq", r"\sim", r"\Leftrightarrow", r"\quad", r"\sum", r"\sqrt", r"\ldots", ":"}


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
    found = re.sub(r"""[<>|"`–—…≤≥≠−→≈∞\u0370-\u03ff]""", lambda sign: _SIGNS.get(sign[0]) or _greek(sign[0]), found)
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


def _greek(letter: str) -> str:
    """A Greek letter as a formula; what is none that LaTeX knows stays as it is."""
    case, _, called = unicodedata.name(letter, "").lower().removeprefix("greek ").partition(" letter ")
    called = called.replace("lamda", "lambda")
    if case == "small" and called.isalpha() and called != "omicron":
        return rf"$\{called}$"
    return rf"$\{called.title()}$" if case == "capital" and called in _CAPITALS else letter


_FORMULAS = {"\\": r"$\backslash$", "^": r"$\wedge$", "~": r"$\sim$"}
