r"""Parser of LaTeX formulas: translate the subset of LaTeX that steps use into a Python expression.

Each term has indices: in ``\sum_j $scores`` the scores have the indices i and j, and the sum has the index i.  The Python expression
works on arrays whose leading axes are these indices, in alphabetical order; further axes are repetitions.
"""

from __future__ import annotations

import re

from .definition_parser import DefinitionParser
from .latex_tokenizer import CLOSING_BRACKETS, RELATIONS, clauses, tokens
from .parser_base import Term, VerbalFormulaError

FUNCTION_TEMPLATES = {
    "\\frac": ("ratio({}, {})", ("_group", "_group")),
    "\\binom": ("special.binom({}, {})", ("_group", "_group")),
    "\\sqrt": ("np.sqrt({})", ("_group",)),
    "\\arcsin": ("np.arcsin({})", ("_factor",)),
    "\\mathrmsign": ("np.sign({})", ("_factor",)),
    "\\infty": ("np.inf", ()),
}
BRACKET_TEMPLATES = {
    "\\lfloor": ("np.floor({})", "\\rfloor"),
    "\\lceil": ("np.ceil({})", "\\rceil"),
    "{": ("{}", "}"),
    "\\{": ("{}", "\\}"),
}
COMMANDS = {
    "(": "_in_brackets",
    "[": "_in_square_brackets",
    "|": "_absolute",
    "\\sum": "_sum_over_index",
    "\\prod": "_product_over_index",
    "\\min": "_smallest",
    "\\max": "_largest",
    "\\#": "_count_entries",
    "\\ln": "_logarithm",
    "\\log": "_logarithm",
    "\\Phi": "_normal_quantile",
    "P": "_probability",
    "\\chi": "_chi_squared",
    "\\mathrmNormal": "_normal_distribution",
    "\\mathrmBin": "_binomial_distribution",
    "\\mathrmDirichlet": "_dirichlet_distribution",
    "\\mathrmBeta^-1": "_beta_quantile",
    "\\mathrmrank": "_ranks",
    "\\mathrmmedian": "_median",
    "\\mathrmargsort": "_argsort",
    "\\mathrmsorted": "_sorted_values",
    "\\mathrmsort": "_sorted_values",
}


class LatexParser(DefinitionParser):
    """Parser of complete formulas."""

    def parse(self, formula: str) -> Term:
        """Parse a complete formula; the definitions after its commas are parsed first."""
        words = tokens(formula)
        if special := self._verbal_formula(words):
            return special
        self.ordinal = any(word.startswith('"ties in') for word in words)
        parts = clauses([word for word in words if not word.startswith(('"ties in', '"('))])
        values = [parts[0], *(part for part in parts[1:] if not self._parse_definition_clause(part))]
        term = self._cases(values)
        if self.reordering and self.reordering[0] in term.axes:
            start, end, function = self.reordering
            term = Term(function.format(term.text), term.axes.replace(start, end))
        if self.broadcast_slot:
            term = Term(f"np.broadcast_to({term.text}, np.shape(t.{self.broadcast_slot}))", self.over[self.broadcast_slot])
        extra = set(term.axes) - set(self.target) - {"e"}  # "e" counts the ends of an interval, which is one value
        if extra and len(term.axes) != len(self.target):
            raise VerbalFormulaError(f"the index {', '.join(sorted(extra))} is in the formula but not in the result")
        return term

    def _verbal_formula(self, words: list[str]) -> Term | None:
        """Parse special formulas in words, each of which occurs in only one step; return None for other formulas."""
        if words[:1] == ['"the'] and words[-2] in ('"-th smallest of', '"-th largest of'):
            sign = "-" if "largest" in words[-2] else ""
            return Term(f"np.argsort({sign}{self._slot(words[-1][1:]).text}, kind='stable') + 1", self.target)
        if words[0] == '"uniform on':
            return Term("Uniform()", is_distribution=True)
        if words[0] == '"ends that leave' and "$posterior" in words:
            level = self._parse_tokens(words[1 : words.index('"of')])
            return Term(f"stack(0, *t.posterior.credible(2 * {level.text}))", "e")
        if '"less that with' in words:  # difference of the first and the second entry
            self.fixed_indices["h"] = "1"
            first = self._slot(words[0][1:])
            self.fixed_indices["h"] = "2"
            return self._join_terms("({} - {})", first, self._slot(words[0][1:]))
        if "$using" in words:  # a step of the test that compares each pair
            step = {'"statistic': "statistic", '"effect size': "effect_size", "p": "pvalue"}[words[0]]
            return Term(f"pairwise_step(t.using, {'-' if '-' in words else ''}t.scores, t.pairs, t.labels, '{step}')", self.target)
        return None

    def _primary(self) -> Term:
        word = self._next_token()
        if word.startswith("$"):
            if self._peek() == "_":
                self._next_token()
                self._raw_script()  # skip the index of the slot itself
            return self._slot(word[1:])
        if word[:1].isdigit():
            return Term(word)
        if word[:1] == '"':
            return self._named_function(word[1:])
        if word in FUNCTION_TEMPLATES:
            text, arguments = FUNCTION_TEMPLATES[word]
            return self._join_terms(text, *(getattr(self, argument)() for argument in arguments))
        if word in BRACKET_TEMPLATES:
            return self._join_terms(BRACKET_TEMPLATES[word][0], self._bracketed(BRACKET_TEMPLATES[word][1]))
        method = COMMANDS.get(word)
        if method:
            return getattr(self, method)()
        return self._symbol(word)

    def _group(self) -> Term:
        """Parse an argument: a group in braces, or a single token."""
        if not self._consume("{"):
            return self._primary()
        return self._bracketed("}")

    def _bracketed(self, *closing: str) -> Term:
        """Parse one or several values up to a closing bracket."""
        outside, self.is_inside_bars = self.is_inside_bars, False
        values, rows = [self._condition()], [0]
        while self._peek() in (",", ";"):
            rows.append(rows[-1] + (self._next_token() == ";"))
            values.append(self._condition())
        self._next_token(*closing)
        if rows[-1]:
            return Term(f"table_from_rows({rows}, {', '.join(value.text for value in values)})", self.target)
        self.is_inside_bars = outside
        if len(values) == 1:
            return values[0]
        letter = self._raw_script() if self._consume("_") else ""
        return self._stack_values(values, letter)

    def _condition(self) -> Term:
        """Parse values with relations between them."""
        left = self._sum()
        if self._peek() in RELATIONS and left.text.startswith("noise_free_difference("):
            left = Term(left.text.replace("noise_free_difference(", "difference_with_ties(", 1), left.axes)  # handle rounding noise
        conditions = []
        while self._peek() in RELATIONS:
            relation = RELATIONS[self._next_token()]
            right = self._sum()
            conditions.append(self._join_terms(f"({{}} {relation} {{}})", left, right))
            left = right
        if not conditions:
            return left
        result = conditions[0]
        for condition in conditions[1:]:
            result = self._join_terms("({} & {})", result, condition)
        if self._consume('"or'):
            result = self._join_terms("({} | {})", result, self._condition())
        return result

    def _sum(self) -> Term:
        if self._consume("1", "+", "\\ldots", "+"):
            return self._join_terms("({0} * ({0} + 1) / 2)", self._product())
        term = self._join_terms("(-{})", self._product()) if self._consume("-") else self._product()
        while self._peek() in ("+", "-", "\\mp"):
            sign = self._next_token()
            other = self._product()
            if sign == "\\mp":
                term = self._stack_values([self._join_terms("({} - {})", term, other), self._join_terms("({} + {})", term, other)], "e")
            elif sign == "-" and term.axes and term.axes == other.axes and {term.text[2:], other.text[2:]} <= self.over.keys():
                term = Term(f"noise_free_difference({term.text}, {other.text})", term.axes)  # rounding noise becomes 0
            elif other.is_distribution:
                term = Term(other.text[:-1] + f", {term.text})", is_distribution=True)  # a constant plus a random sum
            else:
                term = self._join_terms(f"({{}} {sign} {{}})", term, other)
        return term

    def _product(self) -> Term:
        term = self._factor()
        while self._is_product_continued():
            if self._consume("/"):
                below = self._factor()
                ways = term.text.startswith("special.binom") and below.text.startswith("special.binom")
                term = self._join_terms(
                    "np.exp({} - {})" if ways else "ratio({}, {})", *(self._logarithm_of(one) if ways else one for one in (term, below))
                )
            else:
                self._consume("\\cdot")
                term = self._join_terms("product({}, {})", term, self._factor())
        return term

    @staticmethod
    def _logarithm_of(coefficient: Term) -> Term:
        """Return the logarithm of a binomial coefficient, which may itself be too large for a float."""
        return Term(coefficient.text.replace("special.binom", "log_binomial", 1), coefficient.axes)

    def _is_product_continued(self) -> bool:
        word = self._peek()
        stops = {"", "+", "-", "\\mp", ",", ";", ":", "\\sim", "\\ldots", "\\in", "\\ni", *CLOSING_BRACKETS, *RELATIONS}
        return word not in stops and word[0] != '"' and not (word == "|" and self.is_inside_bars)

    def _factor(self) -> Term:
        term = self._primary()
        while self._peek() in ("^", "!"):
            power = self._next_token() == "^"
            term = self._join_terms("({} ** {})", term, self._group()) if power else self._join_terms("special.factorial({})", term)
        return term

    def _in_brackets(self) -> Term:
        return self._bracketed(")", "]")  # an interval may be half-open

    def _in_square_brackets(self) -> Term:
        term = self._bracketed("]", ")")
        return Term(f"({term.text} + 0)", term.axes) if re.search(r" [<>=!]=? ", term.text) else term  # an indicator function is a number

    def _absolute(self) -> Term:
        outside, self.is_inside_bars = self.is_inside_bars, True
        term = self._sum()
        self._next_token("|")
        self.is_inside_bars = outside
        return self._join_terms("np.abs({})", term)

    def _logarithm(self) -> Term:
        base = self._raw_script() if self._consume("_") else ""
        return self._join_terms("np.log2({})" if base == "2" else "np.log({})", self._factor())

    def _parse_tokens(self, words: list[str]) -> Term:
        outside = self.tokens, self.position
        self.tokens, self.position = words, 0
        term = self._condition()
        if self._consume('"without zeros'):
            term = self._join_terms("np.where(np.equal(t.d, 0), 0, {})", term)
        elif self._consume('"not rounded'):
            term = Term(term.text.replace("noise_free_difference(", "np.subtract("), term.axes)
        if self._peek():
            raise VerbalFormulaError(self._peek().lstrip('"'))
        self.tokens, self.position = outside
        return term

    def _cases(self, values: list[list[str]]) -> Term:
        """Parse one value, several values in a row, or a value by cases."""
        if values[0][0] == '"the outermost':
            ends = zip(("\\max", "\\min"), (values[0][3:], values[1]), strict=True)
            return self._stack_values([self._parse_tokens([end, "\\{", "x", ":", *words, "\\}"]) for end, words in ends], "e")
        conditional: list[tuple[Term, Term]] = []
        plain: list[Term] = []
        for words in values:
            place = next((i for i, word in enumerate(words) if word in ('"if', '"where')), None)
            if place is not None:
                conditional.append((self._parse_tokens(words[:place]), self._parse_tokens(words[place + 1 :])))
            elif words[0] == '"for':
                conditional.append((plain.pop(), self._parse_tokens(words[1:])))
            elif words[0] in ('"else', "\\alpha"):
                plain.append(self._parse_tokens(words[1 + words.index("=") if "=" in words else 1 :]))
            else:
                plain.append(self._parse_tokens(words))
        if conditional:
            term = plain[0] if plain else Term("0")
            for value, condition in reversed(conditional):
                term = self._join_terms("np.where({}, {}, {})", condition, value, term)
            return term
        return plain[0] if len(plain) == 1 else self._stack_values(plain)
