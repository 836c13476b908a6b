r"""TeX mathematics in the names of classifiers, data sets and metrics.

It stands between dollar signs, as in ``$k$-NN``.

Mathematics begins and ends directly at its dollar signs and contains a letter, a command or an index.  Every command must be in the tables
below, which LaTeX and matplotlib know, so that a name cannot be an invalid formula.  All other dollar signs are text: ``$5 or $6``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import escape
from typing import NamedTuple


class Formula(NamedTuple):
    """Mathematics as TeX without blanks and dollar signs, as plain text, and as HTML."""

    tex: str
    plain: str
    html: str


@lru_cache(4096)
def split_name(text: str) -> tuple[str | Formula, ...]:
    """Split a name, or a sentence with names, into text and mathematics.

    >>> [part if isinstance(part, str) else part.tex for part in split_name("$k$-NN on $5 or $6")]
    ['k', '-NN on $5 or $6']
    """
    parts: list[str | Formula] = []
    end = place = 0
    while match := _BETWEEN_DOLLARS.search(text, place):
        place = match.start() + 1
        if formula := _parse_formula(match[1]):
            parts += [*filter(None, [text[end : match.start()]]), formula]
            end = place = match.end()
    return (*parts, *filter(None, [text[end:]]))


def write_name(text: str, write_text: Callable[[str], str], write_formula: Callable[[Formula], str]) -> str:
    """Write a text with names for a medium, from a function for text and a function for mathematics."""
    if "$" not in text:
        return write_text(text)
    return "".join(write_text(part) if isinstance(part, str) else write_formula(part) for part in split_name(text))


def plain_name(text: str) -> str:
    r"""Write mathematics as plain text.

    >>> plain_name(r"$B_{c}$, $k$-NN, $\chi^2$ and $\hat\alpha_{i,j}$"), plain_name("$5 or $6")
    ('B_c, k-NN, χ² and α̂_(i,j)', '$5 or $6')
    """
    return write_name(text, str, lambda formula: formula.plain)


def plain_powers(text: str) -> str:
    """Write the powers of ten in a text as a formula does.

    >>> plain_powers("p = 6.374e-06")
    'p = 6.374×10⁻⁶'
    """
    return _EXPONENT.sub(lambda power: "×10" + "".join(_SUPERSCRIPTS[sign] for sign in str(int(power[1]))), text)


def plain_formulas(text: str) -> str:
    r"""Write all formulas between the dollar signs of a sentence as lines that can be typed.

    >>> plain_formulas(r"It comes from $s_d / \sqrt{n}$.")
    'It comes from s_d / sqrt(n).'
    """
    return re.sub(r"\$([^$]+)\$", lambda match: plain_formula(match[1]), text).replace("$", "")


def plain_formula(tex: str) -> str:
    r"""Write a formula as a line that can be typed; a formula that cannot be parsed stays as it is.

    >>> plain_formula(r"t = \frac{\bar d}{s_d / \sqrt{n}}"), plain_formula(r"\frac{1}{2} \cdot \text{mean of }d_i")
    ('t = d̄/(s_d / sqrt(n))', '1/2 * mean of d_i')
    >>> plain_formula(r"\frac{1}{n - 1} \sum_i d_i^2")
    '1/(n - 1) * ∑_i d_i²'
    """
    tex = re.sub(r"\\(bar|hat|tilde) (\w)", r"\\\1{\2}", tex.replace(r"\#", r"\mathrm{count}"))
    tex = re.sub(r"\\(?:left|right)(?![a-z])| (?=[_^])|(?<=[_^]) ", "", tex)
    spaced = re.sub(r"\\text\{[^}]*\}|\\[^A-Za-z]|\s+", lambda match: match[0] if match[0][0] == "\\" else r"\ ", tex)
    try:
        plain = _parse_list(_Tokens(spaced), "").plain
    except (ValueError, RecursionError):  # the text may be an answer of a student, and not a valid formula
        return tex
    plain = re.sub(r"√(\w+|(?=\())", lambda match: f"sqrt({match[1]})" if match[1] else "sqrt", plain).replace("⋅", "*")
    plain = re.sub(r" +", " ", re.sub(r"(?<!\w)\(([^\s()/]+)\)(?=/)|(?<=/)\(([^\s()/]+)\)", r"\1\2", plain))
    # insert a multiplication sign, because 1/n ∑ could be read as 1/(n ∑)
    return re.sub(r"(/(?:[^\s()]+|\([^()]*\))) (?=[∑(])", r"\1 * ", plain)


def name_without_blanks(text: str) -> str:
    r"""Write mathematics without blanks, so that no line ends inside a formula.

    >>> print(name_without_blanks(r"$\alpha x$ of $k = 3$"))
    $\alpha{}x$ of $k=3$
    """
    return write_name(text, str, lambda formula: f"${formula.tex}$")


def html_name(text: str) -> str:
    """Escape a text for HTML; mathematics becomes italics and indices, and every other dollar sign is alone in an element.

    So MathJax typesets no dollar sign, and the names are readable on pages without MathJax, too.

    >>> html_name("$B_{c}$ < $5")
    '<i>B</i><sub><i>c</i></sub> &lt; <span>$</span>5'
    """
    return write_name(text, lambda words: escape(words).replace("$", "<span>$</span>"), lambda formula: formula.html)


_BETWEEN_DOLLARS = re.compile(r"\$(?=[^\s$])([^$]{1,200})(?<!\s)\$(?!\d)")
_WORD = re.compile(r"(^|[\s(])[A-Za-z]{2,}(?=[\s.,:;)]|$)")  # a word of plain text; in formulas, words occur only as arguments of commands
_TOKEN = re.compile(r"\\text\{[\w .,:+/()'-]*\}|\\[A-Za-z]+|\\.|.", re.DOTALL)


def _parse_formula(tex: str) -> Formula | None:
    """Return the formula, or None if the text is not mathematics that every output format can typeset."""
    if re.search(r"\s", tex) and (not re.search(r"[\\^_{}=<>+*/-]", tex) or _WORD.search(tex)):
        return None  # plain words, for example the words between the dollar signs of two prices
    tokens = _Tokens(tex)
    try:
        formula = _parse_list(tokens, "")
    except ValueError:
        return None
    return formula if re.search(r"[A-Za-z\\^_{]", formula.tex) else None


class _Tokens:
    """Tokens of a formula without blanks."""

    def __init__(self, tex: str) -> None:
        self.rest = [token for token in _TOKEN.findall(tex) if not token.isspace()][::-1]

    @property
    def next(self) -> str:
        """The next token; empty at the end."""
        return self.rest[-1] if self.rest else ""

    def take(self) -> str:
        """Remove and return the next token; raise ValueError at the end."""
        if not self.rest:
            raise ValueError("the mathematics in a name must be complete; got an unexpected end")
        return self.rest.pop()


def _parse_list(tokens: _Tokens, closing: str) -> Formula:
    """Parse terms and their indices up to the closing token."""
    parts: list[Formula] = []
    while tokens.next != closing:
        parts.append(Formula("", "", "") if tokens.next in ("^", "_", "'") else _parse_argument(tokens))
        parts += _parse_indices(tokens)
    if closing:
        tokens.take()
    return _join(parts)


def _join(parts: list[Formula]) -> Formula:
    tex = ""
    for part in parts:
        tex += "{}" * bool(re.search(r"\\[A-Za-z]+$", tex) and part.tex[:1].isalpha()) + part.tex
    return Formula(tex, "".join(part.plain for part in parts), "".join(part.html for part in parts).replace("</i><i>", ""))


def _parse_indices(tokens: _Tokens) -> Iterator[Formula]:
    """Yield the index and the exponent of a term; raise ValueError for a second index, which TeX does not allow."""
    indices: dict[str, Formula] = {}
    while tokens.next in ("^", "_", "'") and tokens.next:
        kind = tokens.take()
        body = _SYMBOLS["prime"]._replace(tex=r"{\prime}") if kind == "'" else _parse_group(tokens)
        if (kind := kind.replace("'", "^")) in indices:
            raise ValueError("a symbol in a name must not have two indices of one kind (two upper or two lower)")
        indices[kind] = body
    if lower := indices.get("_"):
        yield Formula(f"_{lower.tex}", "_" + _bracket(lower.plain), f"<sub>{lower.html}</sub>")
    if upper := indices.get("^"):
        raised = "".join(_SUPERSCRIPTS.get(sign, "") for sign in upper.plain)
        plain = raised if len(raised) == len(upper.plain) else "^" + _bracket(upper.plain)
        yield Formula(f"^{upper.tex}", plain, f"<sup>{upper.html}</sup>")


def _bracket(plain: str) -> str:
    return plain if len(plain) == 1 or plain.isalnum() else f"({plain})"


def _parse_group(tokens: _Tokens) -> Formula:
    """Parse an argument, and put its TeX in braces."""
    body = _parse_argument(tokens)
    return body if body.tex.startswith("{") else body._replace(tex=f"{{{body.tex}}}")


def _parse_argument(tokens: _Tokens) -> Formula:
    """Parse one sign, one command with its arguments, or a group in braces."""
    token = tokens.take()
    if token == "{":
        group = _parse_list(tokens, "}")
        return group._replace(tex=f"{{{group.tex}}}")
    if token.startswith(r"\text{"):
        words = token[len(r"\text{") : -1]
        return Formula("~".join(rf"\text{{{word}}}" for word in words.split(" ")).replace(r"\text{}", ""), words, escape(words))
    name = token.removeprefix("\\")
    if token in _SPACES:
        return Formula(token.replace(r"\ ", "~"), " ", " ")
    if token[0] == "\\" and (name in _ACCENTS or name in _ALPHABETS or name == "sqrt"):
        body = _parse_group(tokens)
        tex = rf"\{name}{body.tex}"
        if name in _ACCENTS:
            plain = unicodedata.normalize("NFC", "".join(sign + _ACCENTS[name] for sign in body.plain))
            return Formula(tex, plain, f"<i>{escape(plain)}</i>")
        if name == "sqrt":
            return Formula(tex, f"√{_bracket(body.plain)}", f"√{escape(_bracket(body.plain))}")
        before, after = _ALPHABETS[name]
        return Formula(tex, body.plain, f"{before}{escape(body.plain)}{after}")
    if token in (r"\frac", r"\binom"):
        above, below = _parse_group(tokens), _parse_group(tokens)
        plain = f"{_bracket(above.plain)}/{_bracket(below.plain)}" if name == "frac" else f"C({above.plain}, {below.plain})"
        return Formula(f"{token}{above.tex}{below.tex}", plain, escape(plain))
    if token[0] == "\\" and name in _FUNCTIONS:
        return Formula(token, name, name)
    if token[0] == "\\" and (name := {"le": "leq", "ge": "geq", "ne": "neq", "dots": "ldots"}.get(name, name)) in _SYMBOLS:
        return _SYMBOLS[name]
    if token in COMMANDS_BY_SIGN:
        return _SYMBOLS[COMMANDS_BY_SIGN[token]]
    if token.isascii() and (token.isalnum() or token in "+-*/=<>()[],.:;!"):
        return Formula(token, token, f"<i>{token}</i>" if token.isalpha() else escape(token))
    raise ValueError(f"the mathematics in a name must not contain {token}")


_TABLE = r"""alpha α beta β gamma γ delta δ varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ
tau τ upsilon υ varphi φ chi χ psi ψ omega ω epsilon ϵ vartheta ϑ varpi ϖ varrho ϱ varsigma ς phi ϕ Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ
Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω leq ≤ geq ≥ neq ≠ approx ≈ sim ∼ equiv ≡ propto ∝ in ∈ subset ⊂ subseteq ⊆
times × cdot ⋅ pm ± mp ∓ div ÷ ast ∗ star ⋆ circ ∘ oplus ⊕ otimes ⊗ cup ∪ cap ∩ setminus ∖ neg ¬ wedge ∧ vee ∨ perp ⊥ mid ∣ parallel ∥
to → rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ uparrow ↑ downarrow ↓ infty ∞ ell ℓ partial ∂ nabla ∇ prime ′ dagger †
ddagger ‡ sum ∑ prod ∏ int ∫ forall ∀ exists ∃ emptyset ∅ ldots … cdots ⋯ langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉
Leftrightarrow ⇔ hbar ℏ vert | % % _ _ { { } }"""
_FUNCTIONS = frozenset(("arg", "cos", "det", "dim", "exp", "inf", "lim", "ln", "log", "max", "min", "sin", "sup", "tan", "Pr"))
_SPACES = frozenset({r"\,", r"\:", r"\;", r"\ ", "~", r"\quad"})
_ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7"}
_ALPHABETS = dict.fromkeys(("mathrm", "operatorname", "mathsf", "mathbb", "mathcal", "mathfrak"), ("", "")) | {
    "mathbf": ("<b>", "</b>"),
    "mathit": ("<i>", "</i>"),
    "mathtt": ("<code>", "</code>"),
}
_NAMES, _SIGNS = _TABLE.split()[::2], _TABLE.split()[1::2]
_SYMBOLS = {
    name: Formula(f"\\{name}", sign, f"<i>{sign}</i>" if sign.isalpha() else escape(sign))
    for name, sign in zip(_NAMES, _SIGNS, strict=True)
}
COMMANDS_BY_SIGN = {sign: name for name, sign in zip(_NAMES[::-1], _SIGNS[::-1], strict=True) if not sign.isascii()} | {"|": "vert"}
_SUPERSCRIPTS = dict(zip("0123456789+-=()n′∗*†‡∘", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ′**†‡°", strict=True))
_EXPONENT = re.compile(r"(?<=\d)e([+-]\d+)(?!\w)")
