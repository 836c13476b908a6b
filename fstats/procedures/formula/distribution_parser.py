"""Parser of distributions in formulas: their symbols, tail probabilities and quantiles."""

from __future__ import annotations

from .latex_tokenizer import RELATIONS
from .parser_base import FormulaParser, Term, VerbalFormulaError


class DistributionParser(FormulaParser):
    """Parser of distributions, probabilities and quantiles."""

    def _probability(self) -> Term:
        self._next_token("(")
        return self._tail_probability(")")

    def _tail_probability(self, closing: str) -> Term:
        """Parse the relations of a probability P(...) up to the closing bracket."""
        outside, self.is_inside_bars = self.is_inside_bars, False
        left = self._sum()
        signs = []
        values = [left]
        while self._peek() in RELATIONS:
            signs.append(RELATIONS[self._next_token()])
            values.append(self._sum())
        self._next_token(closing)
        self.is_inside_bars = outside
        if len(values) == 2 and values[0].is_distribution:
            return self._join_terms(f"probability({{}}, '{signs[0]}', {{}})", *values)
        if len(values) == 3 and values[1].is_distribution:
            above = {"<=": "<", "<": "<="}[signs[0]]
            return self._join_terms(
                f"(probability({{0}}, '{signs[1]}', {{1}}) - probability({{0}}, '{above}', {{2}}))", values[1], values[2], values[0]
            )
        raise VerbalFormulaError("a probability of unknown relations")

    def _parameters(self) -> list[Term]:
        """Parse the subscript of a distribution's symbol: its parameters."""
        if not self._consume("_"):
            return []
        if not self._consume("{"):
            return [self._primary()]
        values = [self._sum()]
        while self._consume(","):
            values.append(self._sum())
        self._next_token("}")
        return values

    def _chi_squared(self) -> Term:
        self._next_token("^")
        if self._raw_script() != "2":
            raise VerbalFormulaError("chi without square")
        parameters = self._parameters()
        if not parameters and "null" in self.over:  # the parameter is the parameter of the null distribution
            parameters = [Term("t.null.df")]
        return self._distribution("ChiSquared", parameters, 1)

    def _distribution(self, name: str, parameters: list[Term], count: int) -> Term:
        if len(parameters) != count:
            raise VerbalFormulaError(f"{name} with {len(parameters)} parameters")
        term = self._join_terms(f"{name}({', '.join('{}' for _ in parameters)})", *parameters)
        return Term(term.text, term.axes, is_distribution=True)

    def _normal_distribution(self) -> Term:
        self._next_token("(")
        mean = self._sum()
        self._next_token(",")
        variance = self._sum()
        self._next_token(")")
        return self._distribution("normal", [mean, variance], 2)

    def _binomial_distribution(self) -> Term:
        self._next_token("(")
        n = self._sum()
        self._next_token(",")
        share = self._sum()
        self._next_token(")")
        if share.text == "ratio(1, 2)":
            return self._distribution("fair_coins", [n], 1)
        return self._distribution("Binomial", [n, share], 2)

    def _dirichlet_distribution(self) -> Term:
        return Term(f"DirichletShares({self._factor().text})", is_distribution=True)

    def _beta_quantile(self) -> Term:
        a, b = self._parameters()
        self._next_token("(")
        return self._join_terms("beta_quantile({}, {}, {})", a, b, self._bracketed(")"))

    def _normal_quantile(self) -> Term:
        self._next_token("^")
        self._raw_script()
        return self._join_terms("normal_quantile({})", self._primary())

    def _quantile(self, which: str) -> Term:
        """Parse the smallest or largest number that fulfils a condition; the number is a quantile if the condition is on a tail."""
        if which == "max" and "\\in" in self.tokens:  # the largest element of a list up to a bound
            self.position = self.tokens.index("\\leq") + 1
            most = self._sum()
            self.position = self.tokens.index("\\in") + 1
            listed = self._slot(self._next_token()[1:])
            self._next_token("\\}")
            return Term(f"largest_at_most({listed.text}, {most.text})", most.axes)
        name = self._next_token()
        self._next_token(":")
        if self._peek() == "P":
            start = self.position
            self._next_token()
            self._next_token("(")
            distribution = self._sum()
            relation = self._next_token()
            if distribution.is_distribution and self._consume(name, ")"):
                if (which == "max") != (relation in ("<", "\\leq")):
                    raise VerbalFormulaError(f"the {which}imum of an unbounded set")
                self._next_token("\\leq")
                level = self._bracketed("\\}")
                end = self._join_terms(f"{{}}.{'low' if relation in ('<', chr(92) + 'leq') else 'high'}({{}})", distribution, level)
                return self._join_terms("({} + 1)", end) if relation == "<" else end
            self.position = start
        self.definitions[name] = Term(name)
        condition = self._bracketed("\\}")
        del self.definitions[name]
        return Term(
            f"first_integer(lambda {name}: {condition.text})" if which == "min" else f"first_integer(lambda {name}: ~{condition.text}) - 1"
        )

    def _rank_arrangements(self) -> Term:
        """Parse the number of assignments of signs to the ranks 1, ..., k with a small sum."""
        ranks = self._sum()
        self._next_token(":")
        self.definitions["W^-"] = Term(f"random_signs(up_to({ranks.text}))", is_distribution=True)
        probability = self._tail_probability("\\}")
        return Term(f"np.round({probability.text} * 2 ** {ranks.text})")
