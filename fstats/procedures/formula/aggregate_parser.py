"""What is taken of many: sums, numbers of entries, the smallest and the largest, ranks."""

from __future__ import annotations

from string import ascii_lowercase

from .parser_base import InWords, Term
from .symbol_parser import Letters


class Sets(Letters):
    """Reads what runs along an index."""

    def _which(self) -> tuple[set[str], Term | None]:
        """The letters below a sum, and the condition that the entries fulfil."""
        self._take("_")
        if not self._took("{"):
            return {self._take()}, None
        letters = self._letters()
        bound = self.words[self.place : self.place + 1]
        if letters and self._ahead() == "=":  # from 1 to all
            while not self._took("}"):
                self._take()
            self._take("^")
            self._take()
            return letters, None
        if letters and not self._took(":") and bound != ["}"]:
            self.place -= 1
        condition = None if self._took("}") else self._closed("}")
        return letters or set(condition.axes if condition else ""), condition

    def _letters(self) -> set[str]:
        """Letters of indices that stand here, if nothing else does before the next sign."""
        start = self.place
        while self._ahead() == "," or (len(self._ahead()) == 1 and self._ahead().islower()):
            self.place += 1
        return set(self.words[start : self.place]) - {","}

    def _total(self) -> Term:
        letters, condition = self._which()
        if self._took("\\epsilon", "_", *letters):
            return Term(f"random_signs({self._product().text})", law=True)
        term = self._product()
        if condition:
            term = self._together("np.where({}, {}, 0)", condition, term)
        return self._reduced("np.sum", term, letters)

    def _all_of_them(self) -> Term:
        letters, _ = self._which()
        return self._reduced("np.prod", self._product(), letters)

    def _number_of(self) -> Term:
        self._take("\\{")
        if self._took('"ways to share out', "1", ",", "\\ldots", ","):
            return self._ways()
        self._took("(")
        letters = self._letters()
        self._took(")")
        if not self._took(":") and letters:
            raise InWords("a number of what?")
        condition = self._sum_of_conditions()
        letters = letters or set(condition.axes)
        if condition.text.removeprefix("t.") in self.over:  # all of them
            places = [str(condition.axes.index(one)) for one in sorted(letters)]
            return Term(f"entry_count({condition.text}, {', '.join(places)})")
        return self._reduced("count", condition, letters)

    def _sum_of_conditions(self) -> Term:
        """Conditions that hold together, up to the end of a set."""
        condition = self._condition()
        while self._took(","):
            condition = self._together("({} & {})", condition, self._condition())
        self._take("\\}")
        return condition

    def _smallest(self) -> Term:
        return self._extreme("min")

    def _largest(self) -> Term:
        return self._extreme("max")

    def _extreme(self, which: str) -> Term:
        both = f"np.{which}imum"
        if self.words[self.place : self.place + 3] == ["_", "{", "g"]:  # over the entries so far
            backwards = self.words[self.place + 3] != "\\leq"
            self.place += 6
            term = self._product()
            return Term(f"running_extreme({both}, {term.text}, 0, {backwards})", term.axes)
        if self._ahead() == "_":
            letters, _ = self._which()
            return self._reduced(f"np.{which}", self._product(), letters)
        if self._took("\\{") and self._ahead() in ascii_lowercase and self.words[self.place + 1] in (":", "\\leq"):
            return self._sought(which)
        if self.words[self.place - 1] != "\\{":
            raise InWords(f"the {which}imum of what?")
        values, run = [], None
        while True:
            if self._took("\\tildep", "_"):
                run = {"(r-1)": False, "(r+1)": True}[self._raw()]
            else:
                values.append(self._sum())
            if not self._took(","):
                break
        self._take("\\}")
        term = values[0]
        for value in values[1:]:
            term = self._together(f"{both}({{}}, {{}})", term, value)
        return term if run is None else Term(f"running_extreme({both}, {term.text}, 0, {run})", term.axes)

    def _ranks(self) -> Term:
        letters = self._raw() if self._took("_") else ""
        if self._took("("):
            start = self.place
            term = self._sum()
            if self._took(","):
                self.place = start
                values = [self._sum()]
                while self._took(","):
                    values.append(self._sum())
                self._take(")")
                return Term(f"ranks_of(concatenate({', '.join(value.text for value in values)}))", self.target)
            self._take(")")
        else:
            term = self._factor()
        if self._took('"without zeros'):
            return Term(f"ranks_of({term.text}, zeros=False)", term.axes)
        if self._took('"with zeros'):
            return Term(f"ranks_of({term.text})", term.axes)
        if self._took('"among those with the same'):
            return Term(f"ranks_among({term.text}, {self._factor().text})", term.axes)
        if len(letters) == 2:
            return Term(f"ranks_of({term.text}.reshape(-1, *{term.text}.shape[2:])).reshape({term.text}.shape)", term.axes)
        function = "ordinal_ranks" if self.ordinal else "ranks_of"
        return Term(f"{function}({term.text}, {term.axes.index(letters) if letters else 0})", term.axes)

    def _argsort(self) -> Term:
        letters = self._raw() if self._took("_") else ""
        term = self._factor()
        axis = term.axes.index(letters) if letters else 0
        return Term(f"np.argsort({term.text}, {axis}, kind='stable')", term.axes)

    def _median(self) -> Term:
        if not self._took("_"):
            term = self._factor()
            return self._reduced("np.median", term, term.axes)
        between = self._raw()
        term = self._factor()
        if between == "i\\leqj":
            return Term(f"np.median({term.text}[np.tril_indices(len({term.text}))], 0)")
        if set(between) == set(term.axes) and len(between) > 1:
            return Term(f"np.median({term.text}.reshape(-1, *{term.text}.shape[{len(between)}:]), 0)")
        return self._reduced("np.median", term, between)
