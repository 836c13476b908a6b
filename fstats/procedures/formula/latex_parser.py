r"""A formula in LaTeX, read into one expression of Python: the subset in which the steps of this package are written.

A term knows its indices: in ``\sum_j $scores`` the scores have the indices i and j, the sum has i.  The expression that is made from it
works on arrays whose leading axes are these indices, in alphabetical order; further axes are repetitions.
"""

from __future__ import annotations

import re

from .definition_parser import Meanings
from .latex_tokenizer import CLOSING_BRACKETS, RELATIONS, clauses, tokens
from .parser_base import InWords, Term

SIMPLE = {
    "\\frac": ("ratio({}, {})", ("_group", "_group")),
    "\\binom": ("special.binom({}, {})", ("_group", "_group")),
    "\\sqrt": ("np.sqrt({})", ("_group",)),
    "\\arcsin": ("np.arcsin({})", ("_factor",)),
    "\\mathrmsign": ("np.sign({})", ("_factor",)),
    "\\infty": ("np.inf", ()),
}
ROUNDED = {"\\lfloor": ("np.floor({})", "\\rfloor"), "\\lceil": ("np.ceil({})", "\\rceil"), "{": ("{}", "}"), "\\{": ("{}", "\\}")}
COMMANDS = {
    "(": "_in_brackets",
    "[": "_in_square_brackets",
    "|": "_absolute",
    "\\sum": "_total",
    "\\prod": "_all_of_them",
    "\\min": "_smallest",
    "\\max": "_largest",
    "\\#": "_number_of",
    "\\ln": "_logarithm",
    "\\log": "_logarithm",
    "\\Phi": "_normal_quantile",
    "P": "_chance",
    "\\chi": "_chi_squared",
    "\\mathrmNormal": "_normal_law",
    "\\mathrmBin": "_coins_law",
    "\\mathrmDirichlet": "_dirichlet_law",
    "\\mathrmBeta^-1": "_beta_quantile",
    "\\mathrmrank": "_ranks",
    "\\mathrmmedian": "_median",
    "\\mathrmargsort": "_argsort",
    "\\mathrmsorted": "_in_order",
    "\\mathrmsort": "_in_order",
}


class LatexParser(Meanings):
    """Reads a whole formula."""

    def read(self, formula: str) -> Term:
        """The whole formula; what it defines behind commas comes first."""
        found = tokens(formula)
        if special := self._in_words(found):
            return special
        self.ordinal = any(word.startswith('"ties in') for word in found)
        every = clauses([word for word in found if not word.startswith(('"ties in', '"('))])
        values = [every[0], *(words for words in every[1:] if not self._defines(words))]
        term = self._cases(values)
        if self.moved and self.moved[0] in term.axes:
            start, end, function = self.moved
            term = Term(function.format(term.text), term.axes.replace(start, end))
        if self.each:
            term = Term(f"np.broadcast_to({term.text}, np.shape(t.{self.each}))", self.over[self.each])
        extra = set(term.axes) - set(self.target) - {"e"}  # both ends of an interval are one value
        if extra and len(term.axes) != len(self.target):
            raise InWords(f"the index {', '.join(sorted(extra))} is left")
        return term

    def _in_words(self, found: list[str]) -> Term | None:
        """What is said of whole slots in words that stand nowhere else."""
        if found[:1] == ['"the'] and found[-2] in ('"-th smallest of', '"-th largest of'):
            sign = "-" if "largest" in found[-2] else ""
            return Term(f"np.argsort({sign}{self._slot(found[-1][1:]).text}, kind='stable') + 1", self.target)
        if found[0] == '"uniform on':
            return Term("Uniform()", law=True)
        if found[0] == '"ends that leave' and "$posterior" in found:
            level = self._parsed(found[1 : found.index('"of')])
            return Term(f"stack(0, *t.posterior.credible(2 * {level.text}))", "e")
        if '"less that with' in found:  # an entry less the next
            self.fixed["h"] = "1"
            first = self._slot(found[0][1:])
            self.fixed["h"] = "2"
            return self._together("({} - {})", first, self._slot(found[0][1:]))
        if "$using" in found:  # one test after the other
            what = {'"statistic': "statistic", '"effect size': "effect_size", "p": "pvalue"}[found[0]]
            return Term(f"pairwise_step(t.using, {'-' if '-' in found else ''}t.scores, t.pairs, t.labels, '{what}')", self.target)
        return None

    def _primary(self) -> Term:
        word = self._take()
        if word.startswith("$"):
            if self._ahead() == "_":
                self._take()
                self._raw()  # an index that says which entry: the slot's own
            return self._slot(word[1:])
        if word[:1].isdigit():
            return Term(word)
        if word[:1] == '"':
            return self._said(word[1:])
        if word in SIMPLE:
            text, arguments = SIMPLE[word]
            return self._together(text, *(getattr(self, argument)() for argument in arguments))
        if word in ROUNDED:
            return self._together(ROUNDED[word][0], self._closed(ROUNDED[word][1]))
        method = COMMANDS.get(word)
        if method:
            return getattr(self, method)()
        return self._symbol(word)

    def _group(self) -> Term:
        """What stands in braces, or one word."""
        if not self._took("{"):
            return self._primary()
        return self._closed("}")

    def _closed(self, *closing: str) -> Term:
        """One or several values up to a bracket."""
        outside, self.in_bars = self.in_bars, False
        values, rows = [self._condition()], [0]
        while self._ahead() in (",", ";"):
            rows.append(rows[-1] + (self._take() == ";"))
            values.append(self._condition())
        self._take(*closing)
        if rows[-1]:
            return Term(f"table_from_rows({rows}, {', '.join(value.text for value in values)})", self.target)
        self.in_bars = outside
        if len(values) == 1:
            return values[0]
        letter = self._raw() if self._took("_") else ""
        return self._side_by_side(values, letter)

    def _condition(self) -> Term:
        """Values with relations between them."""
        left = self._sum()
        if self._ahead() in RELATIONS and left.text.startswith("noise_free_difference("):
            left = Term(left.text.replace("noise_free_difference(", "difference_with_ties(", 1), left.axes)  # and no noise decides
        found = []
        while self._ahead() in RELATIONS:
            relation = RELATIONS[self._take()]
            right = self._sum()
            found.append(self._together(f"({{}} {relation} {{}})", left, right))
            left = right
        if not found:
            return left
        result = found[0]
        for one in found[1:]:
            result = self._together("({} & {})", result, one)
        if self._took('"or'):
            result = self._together("({} | {})", result, self._condition())
        return result

    def _sum(self) -> Term:
        if self._took("1", "+", "\\ldots", "+"):
            return self._together("({0} * ({0} + 1) / 2)", self._product())
        term = self._together("(-{})", self._product()) if self._took("-") else self._product()
        while self._ahead() in ("+", "-", "\\mp"):
            sign = self._take()
            other = self._product()
            if sign == "\\mp":
                term = self._side_by_side([self._together("({} - {})", term, other), self._together("({} + {})", term, other)], "e")
            elif sign == "-" and term.axes and term.axes == other.axes and {term.text[2:], other.text[2:]} <= self.over.keys():
                term = Term(f"noise_free_difference({term.text}, {other.text})", term.axes)  # 0 where it is the noise of rounding
            elif other.law:
                term = Term(other.text[:-1] + f", {term.text})", law=True)  # so much, and what falls to one side
            else:
                term = self._together(f"({{}} {sign} {{}})", term, other)
        return term

    def _product(self) -> Term:
        term = self._factor()
        while self._goes_on():
            if self._took("/"):
                below = self._factor()
                ways = term.text.startswith("special.binom") and below.text.startswith("special.binom")
                term = self._together(
                    "np.exp({} - {})" if ways else "ratio({}, {})", *(self._logarithm_of(one) if ways else one for one in (term, below))
                )
            else:
                self._took("\\cdot")
                term = self._together("product({}, {})", term, self._factor())
        return term

    @staticmethod
    def _logarithm_of(ways: Term) -> Term:
        """The logarithm of a number of ways, which may be too large to be written."""
        return Term(ways.text.replace("special.binom", "logarithm_of_ways", 1), ways.axes)

    def _goes_on(self) -> bool:
        word = self._ahead()
        stops = {"", "+", "-", "\\mp", ",", ";", ":", "\\sim", "\\ldots", "\\in", "\\ni", *CLOSING_BRACKETS, *RELATIONS}
        return word not in stops and word[0] != '"' and not (word == "|" and self.in_bars)

    def _factor(self) -> Term:
        term = self._primary()
        while self._ahead() in ("^", "!"):
            power = self._take() == "^"
            term = self._together("({} ** {})", term, self._group()) if power else self._together("special.factorial({})", term)
        return term

    def _in_brackets(self) -> Term:
        return self._closed(")", "]")  # an interval may be open at one end

    def _in_square_brackets(self) -> Term:
        term = self._closed("]", ")")
        return Term(f"({term.text} + 0)", term.axes) if re.search(r" [<>=!]=? ", term.text) else term  # an indicator counts

    def _absolute(self) -> Term:
        outside, self.in_bars = self.in_bars, True
        term = self._sum()
        self._take("|")
        self.in_bars = outside
        return self._together("np.abs({})", term)

    def _logarithm(self) -> Term:
        base = self._raw() if self._took("_") else ""
        return self._together("np.log2({})" if base == "2" else "np.log({})", self._factor())

    def _parsed(self, words: list[str]) -> Term:
        outside = self.words, self.place
        self.words, self.place = words, 0
        term = self._condition()
        if self._took('"without zeros'):
            term = self._together("np.where(np.equal(t.d, 0), 0, {})", term)
        elif self._took('"not rounded'):
            term = Term(term.text.replace("noise_free_difference(", "np.subtract("), term.axes)
        if self._ahead():
            raise InWords(self._ahead().lstrip('"'))
        self.words, self.place = outside
        return term

    def _cases(self, values: list[list[str]]) -> Term:
        """One value, several side by side, or one of several according to conditions."""
        if values[0][0] == '"the outermost':
            ends = zip(("\\max", "\\min"), (values[0][3:], values[1]), strict=True)
            return self._side_by_side([self._parsed([end, "\\{", "x", ":", *words, "\\}"]) for end, words in ends], "e")
        conditional: list[tuple[Term, Term]] = []
        plain: list[Term] = []
        for words in values:
            place = next((i for i, word in enumerate(words) if word in ('"if', '"where')), None)
            if place is not None:
                conditional.append((self._parsed(words[:place]), self._parsed(words[place + 1 :])))
            elif words[0] == '"for':
                conditional.append((plain.pop(), self._parsed(words[1:])))
            elif words[0] in ('"else', "\\alpha"):
                plain.append(self._parsed(words[1 + words.index("=") if "=" in words else 1 :]))
            else:
                plain.append(self._parsed(words))
        if conditional:
            term = plain[0] if plain else Term("0")
            for value, condition in reversed(conditional):
                term = self._together("np.where({}, {}, {})", condition, value, term)
            return term
        return plain[0] if len(plain) == 1 else self._side_by_side(plain)
