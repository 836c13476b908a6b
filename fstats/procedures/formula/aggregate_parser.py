"""Parser of aggregates in formulas: sums, products, counts, minima, maxima, ranks, medians."""

from __future__ import annotations

from string import ascii_lowercase

from .parser_base import Term, VerbalFormulaError
from .symbol_parser import SymbolParser


class AggregateParser(SymbolParser):
    """Parser of operations along an index."""

    def _sum_indices(self) -> tuple[set[str], Term | None]:
        """Parse the subscript of a sum: its indices, and the condition for its entries."""
        self._next_token("_")
        if not self._consume("{"):
            return {self._next_token()}, None
        letters = self._letters()
        bound = self.tokens[self.position : self.position + 1]
        if letters and self._peek() == "=":  # the index runs from 1 to the number of entries
            while not self._consume("}"):
                self._next_token()
            self._next_token("^")
            self._next_token()
            return letters, None
        if letters and not self._consume(":") and bound != ["}"]:
            self.position -= 1
        condition = None if self._consume("}") else self._bracketed("}")
        return letters or set(condition.axes if condition else ""), condition

    def _letters(self) -> set[str]:
        """Parse the letters of indices up to the first token that is no letter of an index."""
        start = self.position
        while self._peek() == "," or (len(self._peek()) == 1 and self._peek().islower()):
            self.position += 1
        return set(self.tokens[start : self.position]) - {","}

    def _sum_over_index(self) -> Term:
        letters, condition = self._sum_indices()
        if self._consume("\\epsilon", "_", *letters):
            return Term(f"random_signs({self._product().text})", is_distribution=True)
        term = self._product()
        if condition:
            term = self._join_terms("np.where({}, {}, 0)", condition, term)
        return self._reduce_axes("np.sum", term, letters)

    def _product_over_index(self) -> Term:
        letters, _ = self._sum_indices()
        return self._reduce_axes("np.prod", self._product(), letters)

    def _count_entries(self) -> Term:
        self._next_token("\\{")
        if self._consume('"ways to share out', "1", ",", "\\ldots", ","):
            return self._rank_arrangements()
        self._consume("(")
        letters = self._letters()
        self._consume(")")
        if not self._consume(":") and letters:
            raise VerbalFormulaError("the formula counts the elements of an unknown set")
        condition = self._joint_conditions()
        letters = letters or set(condition.axes)
        if condition.text.removeprefix("t.") in self.over:  # the text names a slot and adds no condition
            axes = [str(condition.axes.index(letter)) for letter in sorted(letters)]
            return Term(f"entry_count({condition.text}, {', '.join(axes)})")
        return self._reduce_axes("count", condition, letters)

    def _joint_conditions(self) -> Term:
        """Parse conditions joined by commas, up to the end of a set."""
        condition = self._condition()
        while self._consume(","):
            condition = self._join_terms("({} & {})", condition, self._condition())
        self._next_token("\\}")
        return condition

    def _smallest(self) -> Term:
        return self._min_or_max("min")

    def _largest(self) -> Term:
        return self._min_or_max("max")

    def _min_or_max(self, which: str) -> Term:
        both = f"np.{which}imum"
        if self.tokens[self.position : self.position + 3] == ["_", "{", "g"]:  # a running extreme
            backwards = self.tokens[self.position + 3] != "\\leq"
            self.position += 6
            term = self._product()
            return Term(f"running_extreme({both}, {term.text}, 0, {backwards})", term.axes)
        if self._peek() == "_":
            letters, _ = self._sum_indices()
            return self._reduce_axes(f"np.{which}", self._product(), letters)
        if self._consume("\\{") and self._peek() in ascii_lowercase and self.tokens[self.position + 1] in (":", "\\leq"):
            return self._quantile(which)
        if self.tokens[self.position - 1] != "\\{":
            raise VerbalFormulaError(f"the formula has the {which}imum of values that are not named")
        values, run = [], None
        while True:
            if self._consume("\\tildep", "_"):
                run = {"(r-1)": False, "(r+1)": True}[self._raw_script()]
            else:
                values.append(self._sum())
            if not self._consume(","):
                break
        self._next_token("\\}")
        term = values[0]
        for value in values[1:]:
            term = self._join_terms(f"{both}({{}}, {{}})", term, value)
        return term if run is None else Term(f"running_extreme({both}, {term.text}, 0, {run})", term.axes)

    def _ranks(self) -> Term:
        letters = self._raw_script() if self._consume("_") else ""
        if self._consume("("):
            start = self.position
            term = self._sum()
            if self._consume(","):
                self.position = start
                values = [self._sum()]
                while self._consume(","):
                    values.append(self._sum())
                self._next_token(")")
                return Term(f"ranks_of(concatenate({', '.join(value.text for value in values)}))", self.target)
            self._next_token(")")
        else:
            term = self._factor()
        if self._consume('"without zeros'):
            return Term(f"ranks_of({term.text}, zeros=False)", term.axes)
        if self._consume('"with zeros'):
            return Term(f"ranks_of({term.text})", term.axes)
        if self._consume('"among those with the same'):
            return Term(f"ranks_among({term.text}, {self._factor().text})", term.axes)
        if len(letters) == 2:
            return Term(f"ranks_of({term.text}.reshape(-1, *{term.text}.shape[2:])).reshape({term.text}.shape)", term.axes)
        function = "ordinal_ranks" if self.ordinal else "ranks_of"
        return Term(f"{function}({term.text}, {term.axes.index(letters) if letters else 0})", term.axes)

    def _argsort(self) -> Term:
        letters = self._raw_script() if self._consume("_") else ""
        term = self._factor()
        axis = term.axes.index(letters) if letters else 0
        return Term(f"np.argsort({term.text}, {axis}, kind='stable')", term.axes)

    def _median(self) -> Term:
        if not self._consume("_"):
            term = self._factor()
            return self._reduce_axes("np.median", term, term.axes)
        between = self._raw_script()
        term = self._factor()
        if between == "i\\leqj":
            return Term(f"np.median({term.text}[np.tril_indices(len({term.text}))], 0)")
        if set(between) == set(term.axes) and len(between) > 1:
            return Term(f"np.median({term.text}.reshape(-1, *{term.text}.shape[{len(between)}:]), 0)")
        return self._reduce_axes("np.median", term, between)
