r"""Recursive descent parser for arithmetic expressions in LaTeX.

Each term has indices: in ``\sum_j $scores`` the scores have the indices i and j, and the sum has the index i.  The Python expression
works on arrays whose leading axes are these indices, in alphabetical order; further axes are repetitions.  Commands such as ``\sum`` or
``P`` have a function each, which reads what follows the command.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from .formula_terms import Term, all_axes, join
from .latex_tokenizer import CLOSING_BRACKETS, RELATIONS, TokenStream, VerbalFormulaError
from .symbol_table import SymbolTable

ARGUMENT_TEMPLATES = {  # LaTeX command -> template of a Python expression, and its number of arguments
    "\\frac": ("ratio({}, {})", 2),
    "\\binom": ("special.binom({}, {})", 2),
    "\\sqrt": ("np.sqrt({})", 1),
    "\\infty": ("np.inf", 0),
}
FACTOR_TEMPLATES = {"\\arcsin": "np.arcsin({})", "\\mathrmsign": "np.sign({})"}
BRACKET_TEMPLATES = {  # opening bracket -> template of a Python expression, and closing brackets that may follow
    "(": ("{}", (")", "]")),  # "(" may begin a half-open interval, which ends with "]"
    "\\lfloor": ("np.floor({})", ("\\rfloor",)),
    "\\lceil": ("np.ceil({})", ("\\rceil",)),
    "{": ("{}", ("}",)),
    "\\{": ("{}", ("\\}",)),
}
PRODUCT_ENDS = {"", "+", "-", "\\mp", ",", ";", ":", "\\sim", "\\ldots", "\\in", "\\ni", *CLOSING_BRACKETS, *RELATIONS}


class ExpressionParser:
    """Parser of one expression: its tokens, the meanings of its letters, and the functions of its commands."""

    def __init__(self, words: list[str], symbols: SymbolTable, commands: Mapping[str, Command]) -> None:
        self.tokens, self.symbols, self.commands = TokenStream(words), symbols, commands
        self.is_inside_bars = False

    def condition(self) -> Term:
        """Parse values with relations between them."""
        left = self.sum()
        if self.tokens.peek() in RELATIONS and left.text.startswith("noise_free_difference("):
            # compared differences may differ only by rounding error; difference_with_ties makes their sizes equal
            left = Term(left.text.replace("noise_free_difference(", "difference_with_ties(", 1), left.axes)
        result = None
        while self.tokens.peek() in RELATIONS:
            relation = RELATIONS[self.tokens.next()]
            right = self.sum()
            comparison = join(f"({{}} {relation} {{}})", left, right)
            result = join("({} & {})", result, comparison) if result else comparison
            left = right
        if not result:
            return left
        return join("({} | {})", result, self.condition()) if self.tokens.consume('"or') else result

    def sum(self) -> Term:
        """Parse terms that are added or subtracted."""
        if self.tokens.consume("1", "+", "\\ldots", "+"):
            return join("({0} * ({0} + 1) / 2)", self.product())
        term = join("(-{})", self.product()) if self.tokens.consume("-") else self.product()
        while self.tokens.peek() in ("+", "-", "\\mp"):
            sign = self.tokens.next()
            other = self.product()
            if sign == "\\mp":
                term = self.stack([join("({} - {})", term, other), join("({} + {})", term, other)], "e")
            elif sign == "-" and term.axes and term.axes == other.axes and {term.text[2:], other.text[2:]} <= self.symbols.over.keys():
                # a difference may be only rounding error; noise_free_difference then returns 0
                term = Term(f"noise_free_difference({term.text}, {other.text})", term.axes)
            elif other.is_distribution:
                term = Term(other.text[:-1] + f", {term.text})", is_distribution=True)  # the sum of a constant and a random variable
            else:
                term = join(f"({{}} {sign} {{}})", term, other)
        return term

    def product(self) -> Term:
        """Parse factors that are multiplied or divided."""
        term = self.factor()
        while not self._is_product_complete():
            if self.tokens.consume("/"):
                values = term, self.factor()
                # compute a ratio of binomial coefficients from logarithms, because they may overflow
                if all(value.text.startswith("special.binom") for value in values):
                    logs = (Term(value.text.replace("special.binom", "log_binomial", 1), value.axes) for value in values)
                    term = join("np.exp({} - {})", *logs)
                else:
                    term = join("ratio({}, {})", *values)
            else:
                self.tokens.consume("\\cdot")
                term = join("product({}, {})", term, self.factor())
        return term

    def _is_product_complete(self) -> bool:
        word = self.tokens.peek()
        return word in PRODUCT_ENDS or word[0] == '"' or (word == "|" and self.is_inside_bars)

    def factor(self) -> Term:
        """Parse a value with its powers and factorials."""
        term = self.primary()
        while self.tokens.peek() in ("^", "!"):
            is_power = self.tokens.next() == "^"
            term = join("({} ** {})", term, self.argument()) if is_power else join("special.factorial({})", term)
        return term

    def primary(self) -> Term:
        """Parse a slot, a number, a bracket, a command or a letter."""
        word = self.tokens.next()
        if word.startswith("$"):
            if self.tokens.consume("_"):
                self.tokens.raw_script()  # skip the index of a slot, which has no effect
            return self.symbols.slot(word[1:])
        if word[:1].isdigit():
            return Term(word)
        if word in self.commands:
            return self.commands[word](self, word)
        if word[:1] == '"':
            raise VerbalFormulaError(f"a computed formula must not hold words; got {word[1:]!r}")
        if word in ARGUMENT_TEMPLATES:
            text, count = ARGUMENT_TEMPLATES[word]
            return join(text, *(self.argument() for _ in range(count)))
        if word in FACTOR_TEMPLATES:
            return join(FACTOR_TEMPLATES[word], self.factor())
        if word in BRACKET_TEMPLATES:
            text, closing = BRACKET_TEMPLATES[word]
            return join(text, self.bracketed(*closing))
        if word == "[":
            term = self.bracketed("]", ")")  # Iverson brackets: 1 if the condition is true, else 0
            return Term(f"({term.text} + 0)", term.axes) if re.search(r" [<>=!]=? ", term.text) else term
        return self.absolute_value() if word == "|" else self.symbol(word)

    def argument(self) -> Term:
        """Parse an argument: a group in braces, or a single token."""
        return self.bracketed("}") if self.tokens.consume("{") else self.primary()

    def bracketed(self, *closing: str) -> Term:
        """Parse one or several values up to a closing bracket."""
        outside, self.is_inside_bars = self.is_inside_bars, False
        values, rows = [self.condition()], [0]
        while self.tokens.peek() in (",", ";"):
            rows.append(rows[-1] + (self.tokens.next() == ";"))
            values.append(self.condition())
        self.tokens.next(*closing)
        self.is_inside_bars = outside
        if rows[-1]:
            return Term(f"table_from_rows({rows}, {', '.join(value.text for value in values)})", self.symbols.target)
        if len(values) == 1:
            return values[0]
        return self.stack(values, self.subscript())

    def absolute_value(self) -> Term:
        """Parse an absolute value up to its second bar."""
        outside, self.is_inside_bars = self.is_inside_bars, True
        term = self.sum()
        self.tokens.next("|")
        self.is_inside_bars = outside
        return join("np.abs({})", term)

    def symbol(self, letter: str) -> Term:
        """Parse the subscript and the sign of a letter, and find its meaning."""
        subscript, sign = self.subscript(), ""
        if self.tokens.peek() == "^" and (sign := self.tokens.words[self.tokens.position + 1]) in "+-":
            self.tokens.position += 2
            return self.symbols.find(letter, subscript, "^" + sign)
        return self.symbols.find(letter, subscript, "")

    def subscript(self) -> str:
        """Return the text of the subscript that follows; an empty text if none follows."""
        return self.tokens.raw_script() if self.tokens.consume("_") else ""

    def values(self, closing: str) -> list[Term]:
        """Parse values between commas up to a closing bracket."""
        values = [self.sum()]
        while self.tokens.consume(","):
            values.append(self.sum())
        self.tokens.next(closing)
        return values

    def stack(self, values: list[Term], letter: str = "") -> Term:
        """Stack several values along a new axis."""
        free = letter or "".join(index for index in self.symbols.target if all(index not in value.axes for value in values))
        if len(free) != 1:
            raise VerbalFormulaError("the formula must give a single value; got several values")
        frame = all_axes(values)
        axes = "".join(sorted(frame + free))
        return Term(f"stack({axes.index(free)}, {', '.join(value.align(frame) for value in values)})", axes)


Command: TypeAlias = Callable[[ExpressionParser, str], Term]
