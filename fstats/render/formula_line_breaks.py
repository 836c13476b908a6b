"""Formulas in pieces between which a line may be broken, and about how wide each is."""

from __future__ import annotations

import re
from functools import lru_cache

COLUMN = 28.0  # letters that a notebook's column of formulas has room for on a phone


def break_equation(parts: list[str], room: float, symbol: float) -> list[str]:
    """The parts of an equation in as many lines as the page asks for; a part that is too long by itself is broken where words begin.

    The symbol stands before the room that lines have.
    """
    lines: list[str] = []
    full = False  # whether the line before is one of a part that was broken: the next part then begins its own
    for part in parts:
        whole = formula_width(part) <= room + symbol * (not lines)
        for one in [part] if whole else _split_at_words(part):
            if not lines or full or formula_width(f"{lines[-1]} {one}") > room + symbol * (len(lines) == 1):
                lines.append(one)
            else:
                lines[-1] += f" {one}"
            full = False
        full = not whole
    return lines


def _split_at_words(part: str) -> list[str]:
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


def break_piece(piece: str) -> list[str]:
    r"""A piece of an equation that is too broad for a column of a page, in smaller ones between which a line may be broken, too.

    It is broken where words begin and behind commas; what is too broad still, before its terms; what is too broad still, between the
    members of a bracket.

    >>> break_piece(r"= (1 - 0)\,P(T_0 \geq 1.08) + 0.5\,P(T_1 \geq 1.08)")
    ['= (1 - 0)\\,P(T_0 \\geq 1.08)', '{} + 0.5\\,P(T_1 \\geq 1.08)']
    >>> break_piece(r"= [-0.6 - 2.776\,\cdot 1.6,\ -0.6 + 2.776\,\cdot 1.6]")
    ['= [-0.6 - 2.776\\,\\cdot 1.6,', '-0.6 + 2.776\\,\\cdot 1.6]']
    >>> break_piece(r"= \text{exact odds of } 15 : 33 \text{ at level } 0.05")
    ['= \\text{exact odds of } 15 : 33', '\\text{at level } 0.05']
    """
    found = [piece]
    for broken in (_split_at_words, _split_at_terms, _split_at_commas):
        found = [smaller for one in found for smaller in ([one] if formula_width(one) <= COLUMN else broken(one))]
    whole: list[str] = []
    for one in found:
        if whole and whole[-1].endswith("="):  # no line ends with it
            whole[-1] += f" {one}"
        else:  # the space between two pieces is the page's
            whole.append(one.removesuffix("\\").rstrip().replace(r"\text{ ", r"\text{", one.startswith(r"\text{ ")))
    return whole


def _split_at_terms(part: str) -> list[str]:
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


def _split_at_commas(part: str) -> list[str]:
    """A formula in pieces, each of which ends with a comma; round and square brackets stay open until a later one closes them."""
    found, depth, before = [""], 0, ""
    for token in re.findall(rf"\s+|{_TOKEN}", part):
        found[-1] += token
        depth += (token == "{" or before == r"\left") - (token == "}" or before == r"\right")
        if depth == 0 and found[-1].endswith((r",\ ", r";\ ")):
            found.append("")
        before = token
    return [one.strip() for one in found if one.strip()]


@lru_cache(4096)  # whoever moves a slider asks again for most of them
def formula_width(formula: str) -> float:
    r"""About how wide a formula is, in letters: of a fraction its wider part, of what stands high or low less.

    >>> formula_width("x=12"), formula_width(r"\frac{a+b}{2}"), formula_width(r"\bar d"), formula_width(r"\text{so many}")
    (5.2, 4.2, 1.0, 6.6499...)
    """
    return _group_width(re.findall(_TOKEN, formula), "")[0]


def _group_width(tokens: list[str], closing: str) -> tuple[float, list[str]]:
    """The breadth of what stands before the closing sign, and the tokens behind that."""
    wide, rest = 0.0, tokens
    while rest and rest[0] != closing:
        token, rest = rest[0], rest[1:]
        if token == r"\frac":
            above, rest = _argument_width(rest)
            below, rest = _argument_width(rest)
            wide += max(above, below)
        elif token in ("_", "^"):
            raised, rest = _argument_width(rest)
            wide += 0.75 * raised
        elif token == "{":
            inside, rest = _group_width(rest, "}")
            wide += inside
        else:
            wide += _token_width(token)
    return wide, rest[1:]


def _token_width(token: str) -> float:
    """The breadth of one sign, name or text."""
    if token.startswith(r"\text{"):
        return 0.95 * (len(token) - len(r"\text{}"))
    if token in _NAMED:
        return len(token) - 1
    if token in _NO_BREADTH:
        return 0.0
    if token in _WIDE:
        return 2.2
    return 1.3 if token.isupper() else 1.0


def _argument_width(tokens: list[str]) -> tuple[float, list[str]]:
    """The breadth of a command's next argument, and the tokens behind it."""
    if tokens[:1] == ["{"]:
        return _group_width(tokens[1:], "}")
    return _group_width(tokens[:1], "")[0], tokens[1:]


_TOKEN = r"\\text\{[^{}]*\}|\\[a-zA-Z]+|\\.|\S"
_RELATIONS = {"=", "<", ">", r"\leq", r"\geq", r"\sim", r"\Leftrightarrow"}
_SIGNS_BETWEEN = {"+", "-", r"\mp", r"\pm", *_RELATIONS}
# Behind these a minus belongs to its number.
_BEFORE_A_SIGN = {*_SIGNS_BETWEEN, *"|,;:([{", r"\ ", r"\,", r"\cdot", r"\quad"}
_OPEN, _CLOSE = {"{", "(", "[", r"\{"}, {"}", ")", "]", r"\}"}
_NO_BREADTH = {r"\bar", r"\hat", r"\tilde", r"\mathrm"}
_NAMED = {r"\max", r"\min", r"\arcsin", r"\ln", r"\log", r"\exp"}
_WIDE = {*"=<>+-", r"\leq", r"\geq", r"\sim", r"\Leftrightarrow", r"\quad", r"\sum", r"\sqrt", r"\ldots", ":"}
