"""Laws by their letters, their tails and their quantiles."""

from __future__ import annotations

from .latex_tokenizer import RELATIONS
from .parser_base import Arrays, InWords, Term


class Laws(Arrays):
    """Reads what has to do with a distribution."""

    def _chance(self) -> Term:
        self._take("(")
        return self._within(")")

    def _within(self, closing: str) -> Term:
        """The chance that a law is where the relations say."""
        outside, self.in_bars = self.in_bars, False
        left = self._sum()
        signs = []
        values = [left]
        while self._ahead() in RELATIONS:
            signs.append(RELATIONS[self._take()])
            values.append(self._sum())
        self._take(closing)
        self.in_bars = outside
        if len(values) == 2 and values[0].law:
            return self._together(f"probability({{}}, '{signs[0]}', {{}})", *values)
        if len(values) == 3 and values[1].law:
            above = {"<=": "<", "<": "<="}[signs[0]]
            return self._together(
                f"(probability({{0}}, '{signs[1]}', {{1}}) - probability({{0}}, '{above}', {{2}}))", values[1], values[2], values[0]
            )
        raise InWords("the chance of what?")

    def _parameters(self) -> list[Term]:
        """What stands below the letter of a law."""
        if not self._took("_"):
            return []
        if not self._took("{"):
            return [self._primary()]
        values = [self._sum()]
        while self._took(","):
            values.append(self._sum())
        self._take("}")
        return values

    def _chi_squared(self) -> Term:
        self._take("^")
        if self._raw() != "2":
            raise InWords("chi is squared")
        parameters = self._parameters()
        if not parameters and "null" in self.over:  # in place of another law
            parameters = [Term("t.null.df")]
        return self._law("ChiSquared", parameters, 1)

    def _law(self, name: str, parameters: list[Term], many: int) -> Term:
        if len(parameters) != many:
            raise InWords(f"{name} with {len(parameters)} parameters")
        term = self._together(f"{name}({', '.join('{}' for _ in parameters)})", *parameters)
        return Term(term.text, term.axes, law=True)

    def _normal_law(self) -> Term:
        self._take("(")
        mean = self._sum()
        self._take(",")
        variance = self._sum()
        self._take(")")
        return self._law("normal", [mean, variance], 2)

    def _coins_law(self) -> Term:
        self._take("(")
        n = self._sum()
        self._take(",")
        half = self._sum()
        self._take(")")
        if half.text != "ratio(1, 2)":
            raise InWords("coins that are not fair")
        return self._law("fair_coins", [n], 1)

    def _dirichlet_law(self) -> Term:
        return Term(f"DirichletShares({self._factor().text})", law=True)

    def _beta_quantile(self) -> Term:
        a, b = self._parameters()
        self._take("(")
        return self._together("beta_quantile({}, {}, {})", a, b, self._closed(")"))

    def _normal_quantile(self) -> Term:
        self._take("^")
        self._raw()
        return self._together("normal_quantile({})", self._primary())

    def _sought(self, which: str) -> Term:
        """The smallest or largest number for which something holds: a quantile where it is a tail of a law."""
        if which == "max" and "\\in" in self.words:  # the largest in a list, up to so much
            self.place = self.words.index("\\leq") + 1
            most = self._sum()
            self.place = self.words.index("\\in") + 1
            listed = self._slot(self._take()[1:])
            self._take("\\}")
            return Term(f"largest_at_most({listed.text}, {most.text})", most.axes)
        name = self._take()
        self._take(":")
        if self._ahead() == "P":
            start = self.place
            self._take()
            self._take("(")
            law = self._sum()
            relation = self._take()
            if law.law and self._took(name, ")"):
                if (which == "max") != (relation in ("<", "\\leq")):
                    raise InWords(f"the {which}imum of what has no end there")
                self._take("\\leq")
                level = self._closed("\\}")
                end = self._together(f"{{}}.{'low' if relation in ('<', chr(92) + 'leq') else 'high'}({{}})", law, level)
                return self._together("({} + 1)", end) if relation == "<" else end
            self.place = start
        self.known[name] = Term(name)
        condition = self._closed("\\}")
        del self.known[name]
        return Term(
            f"first_integer(lambda {name}: {condition.text})" if which == "min" else f"first_integer(lambda {name}: ~{condition.text}) - 1"
        )

    def _ways(self) -> Term:
        """In how many ways the ranks 1, ..., k can be shared out so that a sum is small."""
        ranks = self._sum()
        self._take(":")
        self.known["W^-"] = Term(f"random_signs(up_to({ranks.text}))", law=True)
        share = self._within("\\}")
        return Term(f"np.round({share.text} * 2 ** {ranks.text})")
