"""Line breaks in mathematical formulas.

The widths of the pieces of a formula are estimated.
"""

from __future__ import annotations

import re
from functools import lru_cache

COLUMN = 28.0  # width in letters of the column of formulas, when a notebook is read on a phone
SLIDE_COLUMN, STACK = 32.0, 24.0  # on the slide of a walk: width in letters of the column of formulas, and of a group in one line
MAX_TERMS = 4  # maximum number of terms of a sum of numbers that is written in full although it is too wide


def break_equation(parts: list[str], room: float, symbol: float) -> list[str]:
    """Distribute the parts of an equation over as few lines as possible; split a part before words if the part is longer than a line.

    The symbol on the left of the equation lies outside the given room, so the first line may be longer by the width of the symbol.
    """
    lines: list[str] = []
    # True if the last line ends with a piece of a split part; the next part then begins a new line
    full = False
    for part in parts:
        whole = formula_width(part) <= room + symbol * (not lines)
        for piece in [part] if whole else _split_at_words(part):
            if not lines or full or formula_width(f"{lines[-1]} {piece}") > room + symbol * (len(lines) == 1):
                lines.append(piece)
            else:
                lines[-1] += f" {piece}"
            full = False
        full = not whole
    return lines


def _split_at_words(part: str) -> list[str]:
    """Split a formula before words, and after commas, semicolons and colons, but not inside brackets and fractions."""
    pieces, depth = [""], 0
    for token in re.findall(rf"\s+|{_TOKEN}", part):
        if depth == 0 and token.startswith((r"\text{, ", r"\text{; ")):  # move a comma to the previous line
            pieces[-1] = pieces[-1].rstrip() + token[6]
            token = r"\text{" + token[8:]
        if depth == 0 and token.startswith(r"\text{") and not token.startswith(r"\text{-") and pieces[-1].strip():
            pieces.append("")
        pieces[-1] += token
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth == 0 and pieces[-1].endswith((r",\ ", r";\ ", r": \ ")):
            pieces.append("")
    return [part.strip() for part in pieces if part.strip()]


def break_piece(piece: str) -> list[str]:
    r"""Split a piece of an equation that is too wide for a column into smaller pieces between which a line may end.

    The piece is split before words and after commas.  A part that is still too wide is split before its terms, and if it remains too wide,
    between the entries of a bracket.

    >>> break_piece(r"= (1 - 0)\,P(T_0 \geq 1.08) + 0.5\,P(T_1 \geq 1.08)")
    ['= (1 - 0)\\,P(T_0 \\geq 1.08)', '{} + 0.5\\,P(T_1 \\geq 1.08)']
    >>> break_piece(r"= [-0.6 - 2.776\,\cdot 1.6,\ -0.6 + 2.776\,\cdot 1.6]")
    ['= [-0.6 - 2.776\\,\\cdot 1.6,', '-0.6 + 2.776\\,\\cdot 1.6]']
    >>> break_piece(r"= \text{exact odds of } 15 : 33 \text{ at level } 0.05")
    ['= \\text{exact odds of } 15 : 33', '\\text{at level } 0.05']

    A sign that is an index or an exponent stays with its letter:

    >>> break_piece(r"\text{share of wins in n draws from n pairs, } n_+ \text{ won and } n_0 \text{ tied}")[0]
    '\\text{share of wins in n draws from n pairs, } n_+'
    """
    pieces = [piece]
    for broken in (_split_at_words, _split_at_terms, _split_at_commas):
        pieces = [smaller for part in pieces for smaller in ([part] if formula_width(part) <= COLUMN else broken(part))]
    whole: list[str] = []
    for part in pieces:
        # no line may end with an equals sign, so join the parts
        if whole and whole[-1].endswith("="):
            whole[-1] += f" {part}"
        else:  # remove the space at the ends, because the page inserts a space between two pieces
            whole.append(part.removesuffix("\\").rstrip().replace(r"\text{ ", r"\text{", part.startswith(r"\text{ ")))
    return whole


def split_in_brackets(piece: str) -> list[str]:
    r"""Split a piece that is too wide for a column before the terms inside its round brackets, but never inside a fraction or a root.

    >>> split_in_brackets(r"= \frac{1}{5} (-0.0333 - 0.0333 - 0.0333 - 0.0345)")
    ['= \\frac{1}{5} (-0.0333', '{} - 0.0333', '{} - 0.0333', '{} - 0.0345)']
    >>> split_in_brackets(r"= \frac{1}{5} (2 - 6)")
    ['= \\frac{1}{5} (2 - 6)']
    """
    pieces, depth, before = [""], 0, "="
    for token in re.findall(rf"\s+|{_TOKEN}", piece) if formula_width(piece) > COLUMN else []:
        if depth == 0 and token in ("+", "-") and before not in _BEFORE_A_SIGN:
            pieces.append("{} ")
        pieces[-1] += token
        depth += (token == "{" or before == r"\left") - (token == "}" or before == r"\right")
        before = before if token.isspace() else token
    return [part.strip() for part in pieces if part.strip()] or [piece]


def stack_terms(formula: str) -> str:
    r"""Write the terms of a bracket, a fraction or a root below each other if the formula is wider than the column of a slide.

    Of a long sum of numbers, only the first one or two terms and the last one are written.

    >>> print(stack_terms(r"= \sqrt{\frac{1}{5} (0 + 5 \times 10^{-5} + 5 \times 10^{-5} + 0.0008 + 0.0002)}"))
    = \sqrt{\frac{1}{5} (0 {} + 5 \times 10^{-5} {} + \cdots {} + 0.0002)}
    """
    return _stack_groups(formula) if formula_width(formula) > SLIDE_COLUMN else formula


def _stack_groups(formula: str) -> str:
    """Write the terms of each wide group below each other; a group is the content of a pair of brackets or braces."""
    out, inside, opening, depth = "", "", "", 0
    for token in re.findall(rf"\s+|{_TOKEN}", formula):
        depth = max(0, depth - (token in _CLOSE))  # at least 0, because a piece of a formula may begin inside a bracket
        if depth == 0 and opening:
            right = r"\right" * inside.endswith(r"\right")
            content = inside.removesuffix(right)
            stacked = _stack(content) if formula_width(content) > STACK else content
            is_low = token != "}" and not right and stacked != content  # brackets grow with their content only after \left and \right
            out += rf"\left{opening}{stacked}\right" if is_low else f"{opening}{stacked}{right}"
            inside = opening = ""
        if depth:
            inside += token
        elif token in _OPEN:
            opening = token
        else:
            out += token
        depth += token in _OPEN
    return out + opening + inside


def _stack(content: str) -> str:
    for split in (_split_at_words, _split_at_terms, _split_at_commas, split_in_brackets):
        terms = split(content)
        if len(terms) > MAX_TERMS and all(_NUMBER_TERM.fullmatch(term) for term in terms[1:-1]):
            shorter = [" ".join([*terms[:count], r"{} + \cdots", terms[-1]]) for count in (2, 1)]
            return next((terms_ for terms_ in shorter if formula_width(terms_) <= STACK), shorter[-1])
        if len(lines := break_equation(terms, STACK, 0)) > 1:
            return r"\begin{array}{l} " + r" \\ ".join(line.removesuffix("\\") for line in lines) + r" \end{array}"
    return _stack_groups(content)


def _split_at_terms(part: str) -> list[str]:
    """Split a formula before each sign between two terms, but not inside brackets and fractions; split a hypothesis only after "H_0:"."""
    if "H_0: " in part:
        return part.replace("H_0: ", "H_0:\n").split("\n")
    pieces, depth, before, bars = [""], 0, "=", False
    for token in re.findall(rf"\s+|{_TOKEN}", part):
        bars ^= depth == 0 and token == "|"
        if depth == 0 and token == r"\quad" and pieces[-1].strip():
            pieces.append("")
        if depth == 0 and not bars and token in _SIGNS_BETWEEN and before not in _BEFORE_A_SIGN:
            # the empty group {} makes TeX set a plus or minus as a binary sign
            pieces.append("" if token in _RELATIONS else "{} ")
        pieces[-1] += token
        depth += (token in _OPEN) - (token in _CLOSE)
        before = before if token.isspace() else token
    return [part.strip() for part in pieces if part.strip()]


def _split_at_commas(part: str) -> list[str]:
    """Split a formula after each comma, even inside round and square brackets, so that a closing bracket may begin a later piece."""
    pieces, depth, before = [""], 0, ""
    for token in re.findall(rf"\s+|{_TOKEN}", part):
        pieces[-1] += token
        depth += (token == "{" or before == r"\left") - (token == "}" or before == r"\right")
        if depth == 0 and pieces[-1].endswith((r",\ ", r";\ ")):
            pieces.append("")
        before = token
    return [part.strip() for part in pieces if part.strip()]


def has_condition(formula: str) -> bool:
    r"""Return whether a formula has a condition, a definition or another entry after its first term, outside of brackets.

    >>> has_condition(r"x + z,\ z = 2"), has_condition(r"\min\{2,\ y\}\,x"), has_condition(r"n_{uv} \text{ at } u = 1")
    (True, False, True)
    """
    depth, outside = 0, list[str]()
    for token in re.findall(_TOKEN, formula):
        depth -= token in _CLOSE
        outside += [token] * (depth == 0)
        depth += token in _OPEN
    return not _CONDITIONAL.isdisjoint(outside)


@lru_cache(4096)  # while a slider moves, most formulas do not change, so a cache saves time
def formula_width(formula: str) -> float:
    r"""Estimate the width of a formula in letters: a fraction is as wide as its wider part; indices and exponents count less than letters.

    >>> formula_width("x=12"), formula_width(r"\frac{a+b}{2}"), formula_width(r"\bar d"), formula_width(r"\text{so many}")
    (5.2, 4.2, 1.0, 6.6499...)
    """
    return _group_width(re.findall(_TOKEN, formula), "")[0]


def _group_width(tokens: list[str], closing: str) -> tuple[float, list[str]]:
    """Return the width of the tokens before the closing sign, and the tokens after it."""
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
    """Return the width of one sign, one name or one text."""
    if token.startswith(r"\text{"):
        return 0.95 * (len(token) - len(r"\text{}"))
    return _WIDTHS.get(token, 1.3 if token.isupper() else 1.0)


def _argument_width(tokens: list[str]) -> tuple[float, list[str]]:
    """Return the width of the next argument of a command, and the tokens after it."""
    if tokens[:1] == ["{"]:
        return _group_width(tokens[1:], "}")
    return _group_width(tokens[:1], "")[0], tokens[1:]


_TOKEN = r"\\text\{[^{}]*\}|\\[a-zA-Z]+|\\.|\S"
_RELATIONS = {"=", "<", ">", r"\leq", r"\geq", r"\sim", r"\Leftrightarrow", r"\prod"}
_CONDITIONAL = {",", ";", "=", "<", ">", r"\leq", r"\geq", r"\sim", r"\in", r"\quad"}
_SIGNS_BETWEEN = {"+", "-", r"\mp", r"\pm", *_RELATIONS}
_NUMBER_TERM = re.compile(r"\{\} [+-] [\d.]+( \\times 10\^\{-?\d+\})?")
# A minus after one of these signs belongs to a number, and is not a subtraction.
_BEFORE_A_SIGN = {*_SIGNS_BETWEEN, *"|,;:([{_^", r"\ ", r"\,", r"\cdot", r"\quad"}
_OPEN, _CLOSE = {"{", "(", "[", r"\{"}, {"}", ")", "]", r"\}"}
_WIDTHS = {  # width of each token that is not as wide as a letter
    **dict.fromkeys((r"\bar", r"\hat", r"\tilde", r"\mathrm"), 0.0),
    **{name: len(name) - 1.0 for name in (r"\max", r"\min", r"\arcsin", r"\ln", r"\log", r"\exp")},
    **dict.fromkeys((*"=<>+-:", r"\leq", r"\geq", r"\sim", r"\Leftrightarrow", r"\quad", r"\sum", r"\sqrt", r"\ldots"), 2.2),
}
