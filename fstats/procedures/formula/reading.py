r"""A formula in LaTeX, read into one expression of Python: the subset in which the steps of this package are written.

A term knows its indices: in ``\sum_j $scores`` the scores have the indices i and j, the sum has i.  The expression that is made from it works
on arrays whose leading axes are these indices, in alphabetical order; further axes are repetitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import Template, ascii_lowercase
from typing import ClassVar

TOKEN = re.compile(
    r"(?P<name>\$(?:\w+|\{\w+\}))|(?P<number>\d{1,3}(?:\\,\d{3})+|\d+(?:\.\d+)?)|\\text\{(?P<text>[^{}]*)\}|(?P<space>\\[,;!]|\\ |\\quad|\\left|\\right|\s+)"
    r"|(?P<mark>\\(?:mathrm|bar|tilde)\s*(?:\{\w+\}|\\?[a-zA-Z]+)(?:\^\{-1\})?)|(?P<command>\\[a-zA-Z]+|\\[{}#])|(?P<sign>.)"
)
OPEN, CLOSE = {"(", "[", "{", "\\{", "\\lfloor", "\\lceil"}, {")", "]", "}", "\\}", "\\rfloor", "\\rceil"}
RELATIONS = {"\\leq": "<=", "\\geq": ">=", "<": "<", ">": ">", "=": "==", "\\neq": "!="}
COUNTS = {"n": "i", "k": "j", "m": "rh", "N": "rk", "K": "k"}  # a number that is no slot: the index whose entries it counts
UP_TO = {"r": "m", "i": "n", "h": "m"}  # where an index ends that no slot has
LDOTS = "\\ldots"
LAWS = {"null", "coins", "posterior"}
CONTEXT = re.compile(r"(for each )?of( the| the ten| all)?$|in place of$")
SEPARATE = ("with", "at", "of the rung with", "of the rung", "for")


class Unreadable(ValueError):
    """A formula that is words, in part at least."""


@dataclass(frozen=True)
class Term:
    """A piece of Python, and the indices of its value."""

    text: str
    axes: str = ""
    law: bool = False


def tokens(formula: str) -> list[str]:
    """The formula word by word; spaces and sizes of brackets say nothing, and what is said in words begins with a quotation mark."""
    found = []
    for match in TOKEN.finditer(formula):
        kind = match.lastgroup
        if kind == "text":
            found.append('"' + " ".join(match["text"].strip(" ,").split()))
        elif kind == "number":
            found.append(match["number"].replace("\\,", ""))
        elif kind == "name":
            found.append("$" + match["name"].strip("${}"))
        elif kind != "space":
            found.append(match[0].replace("{", "").replace("}", "").replace(" ", "") if kind == "mark" else match[0])
    return found


def clauses(words: list[str]) -> list[list[str]]:
    """What commas separate outside of brackets, and what begins with the word "of", "with" or "at"."""
    found: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += (word in OPEN) - (word in CLOSE)
        if not depth and (word in ",;" or (word[0] == '"' and (CONTEXT.match(word[1:]) or word[1:] in SEPARATE))):
            found.append([])
            if word in ",;":
                continue
        found[-1].append(word)
    for place in [i for i, words in enumerate(found) if words == ["\\ldots"]][::-1]:  # 1, ..., n
        found[place - 1 : place + 2] = [[*found[place - 1], "\\ldots", *found[place + 1]]]
    return [words for words in found if words]


class Reader:
    """Reads one formula; ``over`` holds the indices of all slots, ``target`` those of the step."""

    def __init__(self, over: Mapping[str, str], target: str) -> None:
        self.over, self.target = over, "".join(sorted(target))
        self.known: dict[str, Term] = {}  # what the formula itself defines
        self.fixed: dict[str, str] = {}  # indices that stand at one entry
        self.context: list[str] = []  # the slots that letters with indices belong to
        self.moved: tuple[str, str, str] | None = None  # entries in another order: from which index to which
        self.ordinal = False  # ties are ranked in their order
        self.words: list[str] = []
        self.place = 0
        self.in_bars = False

    # -- arrays -------------------------------------------------------------------------------------------------------------
    def _together(self, text: str, *terms: Term, axes: str | None = None) -> Term:
        """An expression of terms whose axes are lined up."""
        frame = "".join(sorted({letter for term in terms for letter in term.axes}))
        return Term(text.format(*(self._lined_up(term, frame) for term in terms)), frame if axes is None else axes)

    @staticmethod
    def _lined_up(term: Term, frame: str) -> str:
        """The same with an axis of length 1 for each index that it lacks."""
        if not term.axes or term.axes == frame:
            return term.text
        return f"{term.text}[{', '.join(':' if letter in term.axes else 'None' for letter in frame)}]"

    def _slot(self, name: str, indices: str = "") -> Term:
        """A slot; with other indices than its own, where some are given."""
        own = self.over[name]
        letters = indices or own
        if len(letters) != len(own):
            raise Unreadable(f"{name} has the indices {own or 'none'}, not {letters}")
        if name in LAWS:
            return Term(f"t.{name}", own, law=True)
        entries = [self.fixed.get(letter) or (letter if letter.isdigit() else "") for letter in letters]
        text, axes = f"t.{name}", "".join(letter for letter, entry in zip(letters, entries, strict=True) if not entry)
        if any(entries):
            where = [(str(int(entry) - (one not in "uv")) if entry else ":") for one, entry in zip(own, entries, strict=True)]
            text = f"t.{name}[{', '.join(where)}]"
        if list(axes) != sorted(axes):
            order = sorted(range(len(axes)), key=axes.__getitem__)
            text, axes = f"np.moveaxis({text}, {order}, {list(range(len(axes)))})", "".join(sorted(axes))
        return Term(text, axes)

    def _reduced(self, function: str, term: Term, letters: Iterable[str]) -> Term:
        """A function along some axes."""
        if missing := set(letters) - set(term.axes):
            raise Unreadable(f"nothing has the index {', '.join(sorted(missing))}")
        places = tuple(term.axes.index(letter) for letter in sorted(letters))
        axis = str(places[0]) if len(places) == 1 else str(places)
        return Term(f"{function}({term.text}, axis={axis})", "".join(letter for letter in term.axes if letter not in letters))

    # -- words --------------------------------------------------------------------------------------------------------------
    def _ahead(self) -> str:
        return self.words[self.place] if self.place < len(self.words) else ""

    def _take(self, *expected: str) -> str:
        word = self._ahead()
        if expected and word not in expected:
            raise Unreadable(f"expected {' or '.join(expected)}, found {word.lstrip(chr(34)) or 'the end'}")
        if not word:
            raise Unreadable("the formula ends too early")
        self.place += 1
        return word

    def _took(self, *words: str) -> bool:
        """Go past these words, if they stand here."""
        if self.words[self.place : self.place + len(words)] != list(words):
            return False
        self.place += len(words)
        return True

    def _raw(self) -> str:
        """A subscript or superscript as it is written."""
        if not self._took("{"):
            return self._take()
        start, depth = self.place, 1
        while depth:
            depth += {"{": 1, "}": -1, "": -99}.get(self._take(), 0)
            if depth < 0:
                raise Unreadable("a bracket is not closed")
        return "".join(self.words[start : self.place - 1])

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
            return Term(f"in_rows({rows}, {', '.join(value.text for value in values)})", self.target)
        self.in_bars = outside
        if len(values) == 1:
            return values[0]
        letter = self._raw() if self._took("_") else ""
        return self._side_by_side(values, letter)

    def _side_by_side(self, values: list[Term], letter: str = "") -> Term:
        """Several values along an axis of their own."""
        free = letter or "".join(one for one in self.target if all(one not in value.axes for value in values))
        if len(free) != 1:
            raise Unreadable("several values for one")
        frame = "".join(sorted({one for value in values for one in value.axes}))
        axes = "".join(sorted(frame + free))
        return Term(f"stacked({axes.index(free)}, {', '.join(self._lined_up(value, frame) for value in values)})", axes)

    # -- grammar ------------------------------------------------------------------------------------------------------------
    def _condition(self) -> Term:
        """Values with relations between them."""
        left = self._sum()
        if self._ahead() in RELATIONS and left.text.startswith("difference("):
            left = Term("tied_" + left.text, left.axes)  # and no noise decides
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
                term = Term(f"difference({term.text}, {other.text})", term.axes)  # 0 where it is the noise of rounding
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
        stops = {"", "+", "-", "\\mp", ",", ";", ":", "\\sim", "\\ldots", "\\in", "\\ni", *CLOSE, *RELATIONS}
        return word not in stops and word[0] != '"' and not (word == "|" and self.in_bars)

    def _factor(self) -> Term:
        term = self._primary()
        while self._ahead() in ("^", "!"):
            power = self._take() == "^"
            term = self._together("({} ** {})", term, self._group()) if power else self._together("special.factorial({})", term)
        return term

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
        method = self.COMMANDS.get(word)
        if method:
            return getattr(self, method)()
        return self._symbol(word)

    COMMANDS: ClassVar = {
        "(": "_in_brackets",
        "[": "_in_square_brackets",
        "{": "_in_braces",
        "\\{": "_in_curly_brackets",
        "|": "_absolute",
        "\\frac": "_fraction",
        "\\sqrt": "_root",
        "\\sum": "_total",
        "\\prod": "_all_of_them",
        "\\min": "_smallest",
        "\\max": "_largest",
        "\\#": "_number_of",
        "\\lfloor": "_rounded_down",
        "\\lceil": "_rounded_up",
        "\\binom": "_choose",
        "\\ln": "_logarithm",
        "\\log": "_logarithm",
        "\\arcsin": "_arcsine",
        "\\infty": "_infinity",
        "\\Phi": "_normal_quantile",
        "P": "_chance",
        "\\chi": "_chi_squared",
        "\\mathrmNormal": "_normal_law",
        "\\mathrmBin": "_coins_law",
        "\\mathrmDirichlet": "_dirichlet_law",
        "\\mathrmBeta^-1": "_beta_quantile",
        "\\mathrmrank": "_ranks",
        "\\mathrmmedian": "_median",
        "\\mathrmsign": "_sign",
        "\\mathrmargsort": "_argsort",
        "\\mathrmsorted": "_in_order",
        "\\mathrmsort": "_in_order",
    }

    def _in_brackets(self) -> Term:
        return self._closed(")", "]")  # an interval may be open at one end

    def _in_braces(self) -> Term:
        return self._closed("}")

    def _in_curly_brackets(self) -> Term:
        return self._closed("\\}")

    def _in_square_brackets(self) -> Term:
        term = self._closed("]", ")")
        return Term(f"({term.text} + 0)", term.axes) if re.search(r" [<>=!]=? ", term.text) else term  # an indicator counts

    def _absolute(self) -> Term:
        outside, self.in_bars = self.in_bars, True
        term = self._sum()
        self._take("|")
        self.in_bars = outside
        return self._together("np.abs({})", term)

    def _fraction(self) -> Term:
        return self._together("ratio({}, {})", self._group(), self._group())

    def _root(self) -> Term:
        return self._together("np.sqrt({})", self._group())

    def _choose(self) -> Term:
        return self._together("special.binom({}, {})", self._group(), self._group())

    def _infinity(self) -> Term:
        return Term("np.inf")

    def _arcsine(self) -> Term:
        return self._together("np.arcsin({})", self._factor())

    def _logarithm(self) -> Term:
        base = self._raw() if self._took("_") else ""
        return self._together("np.log2({})" if base == "2" else "np.log({})", self._factor())

    def _rounded_down(self) -> Term:
        return self._together("np.floor({})", self._closed("\\rfloor"))

    def _rounded_up(self) -> Term:
        return self._together("np.ceil({})", self._closed("\\rceil"))

    def _sign(self) -> Term:
        return self._together("np.sign({})", self._factor())

    # -- along an axis ------------------------------------------------------------------------------------------------------
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
            return Term(f"signs({self._product().text})", law=True)
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
            raise Unreadable("a number of what?")
        condition = self._sum_of_conditions()
        letters = letters or set(condition.axes)
        if condition.text.removeprefix("t.") in self.over:  # all of them
            places = [str(condition.axes.index(one)) for one in sorted(letters)]
            return Term(f"size({condition.text}, {', '.join(places)})")
        return self._reduced("count", condition, letters)

    def _sum_of_conditions(self) -> Term:
        """Conditions that hold together, up to the end of a set."""
        condition = self._condition()
        while self._took(","):
            condition = self._together("({} & {})", condition, self._condition())
        self._take("\\}")
        return condition

    def _ways(self) -> Term:
        """In how many ways the ranks 1, ..., k can be shared out so that a sum is small."""
        ranks = self._sum()
        self._take(":")
        self.known["W^-"] = Term(f"signs(up_to({ranks.text}))", law=True)
        share = self._within("\\}")
        return Term(f"np.round({share.text} * 2 ** {ranks.text})")

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
            return Term(f"running({both}, {term.text}, 0, {backwards})", term.axes)
        if self._ahead() == "_":
            letters, _ = self._which()
            return self._reduced(f"np.{which}", self._product(), letters)
        if self._took("\\{") and self._ahead() in ascii_lowercase and self.words[self.place + 1] in (":", "\\leq"):
            return self._sought(which)
        if self.words[self.place - 1] != "\\{":
            raise Unreadable(f"the {which}imum of what?")
        values, run = [], None
        while True:
            if self._took("\\tildep", "_"):
                run = "+" in self._raw()
            else:
                values.append(self._sum())
            if not self._took(","):
                break
        self._take("\\}")
        term = values[0]
        for value in values[1:]:
            term = self._together(f"{both}({{}}, {{}})", term, value)
        return term if run is None else Term(f"running({both}, {term.text}, 0, {run})", term.axes)

    def _sought(self, which: str) -> Term:
        """The smallest or largest number for which something holds: a quantile where it is a tail of a law."""
        if which == "max" and "\\in" in self.words:  # the largest in a list, up to so much
            self.place = self.words.index("\\leq") + 1
            most = self._sum()
            self.place = self.words.index("\\in") + 1
            listed = self._slot(self._take()[1:])
            self._take("\\}")
            return Term(f"largest_up_to({listed.text}, {most.text})", most.axes)
        name = self._take()
        self._take(":")
        if self._ahead() == "P":
            start = self.place
            self._take()
            self._take("(")
            law = self._sum()
            relation = self._take()
            if law.law and self._took(name, ")"):
                self._take("\\leq")
                level = self._closed("\\}")
                end = self._together(f"{{}}.{'low' if relation in ('<', chr(92) + 'leq') else 'high'}({{}})", law, level)
                return self._together("({} + 1)", end) if relation == "<" else end
            self.place = start
        self.known[name] = Term(name)
        condition = self._closed("\\}")
        del self.known[name]
        return Term(f"first(lambda {name}: {condition.text})" if which == "min" else f"first(lambda {name}: ~{condition.text}) - 1")

    # -- ranks --------------------------------------------------------------------------------------------------------------
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
                return Term(f"ranks_of(joined({', '.join(value.text for value in values)}))", self.target)
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
        function = "ordinal" if self.ordinal else "ranks_of"
        return Term(f"{function}({term.text}, {term.axes.index(letters) if letters else 0})", term.axes)

    def _argsort(self) -> Term:
        letters = self._raw() if self._took("_") else ""
        term = self._factor()
        axis = term.axes.index(letters) if letters else 0
        return Term(f"np.argsort({term.text}, {axis}, kind='stable')", term.axes)

    def _in_order(self) -> Term:
        term = self._factor()
        if self._took('"from the top'):
            return Term(f"-np.sort(-{term.text}, 0)", term.axes)
        return Term(f"np.sort({term.text}, 0)", term.axes)

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

    # -- laws ---------------------------------------------------------------------------------------------------------------
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
            return self._together(f"chance({{}}, '{signs[0]}', {{}})", *values)
        if len(values) == 3 and values[1].law:
            above = {"<=": "<", "<": "<="}[signs[0]]
            return self._together(
                f"(chance({{0}}, '{signs[1]}', {{1}}) - chance({{0}}, '{above}', {{2}}))", values[1], values[2], values[0]
            )
        raise Unreadable("the chance of what?")

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
        self._take("2")
        parameters = self._parameters()
        if not parameters and "null" in self.over:  # in place of another law
            parameters = [Term("t.null.df")]
        return self._law("ChiSquared", parameters, 1)

    def _law(self, name: str, parameters: list[Term], many: int) -> Term:
        if len(parameters) != many:
            raise Unreadable(f"{name} with {len(parameters)} parameters")
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
            raise Unreadable("coins that are not fair")
        return self._law("coins", [n], 1)

    def _dirichlet_law(self) -> Term:
        return Term(f"DirichletShares({self._factor().text})", law=True)

    def _beta_quantile(self) -> Term:
        a, b = self._parameters()
        self._take("(")
        return self._together("beta_quantile({}, {}, {})", a, b, self._closed(")"))

    def _normal_quantile(self) -> Term:
        self._take("^")
        self._raw()
        return self._together("upper({})", self._primary())

    # -- letters ------------------------------------------------------------------------------------------------------------
    def _symbol(self, word: str) -> Term:
        """A letter: what the formula defines, a law, a number that counts entries, an index, or an entry of a slot."""
        if word in ("t", "T", "F", "q", "z") and self.words[self.place : self.place + 1] == ["_"]:
            parameters = self._parameters()
            if word == "z":
                return self._together("upper({})", *parameters)
            if word == "F" and len(parameters) == 1:
                return Term(f"FisherF(*{parameters[0].text})", law=True)
            if word == "t" and self._took("("):
                mean = self._sum()
                self._take(",")
                return self._law("LocatedT", [*parameters, mean, self._together("np.sqrt({})", self._closed(")"))], 3)
            kind, many = {"t": ("StudentT", 1), "T": ("StudentT", 1), "F": ("FisherF", 2), "q": ("StudentizedRange", 2)}[word]
            return self._law(kind, parameters, many)
        name, indices = word, ""
        if self._took("_"):
            indices = self._raw()
            name += "_" + indices
        if self._ahead() == "^" and self.words[self.place + 1] in "+-":
            name += "^" + self.words[self.place + 1]
            self.place += 2
        if name in self.known:
            return self.known[name]
        if name == "Z":
            return Term("normal()", law=True)
        if name == word and (found := self._number(word)):
            return found
        if name in ("n^+", "n^-") and "d" in self.over:
            return Term(f"count(t.d {'>' if name[-1] == '+' else '<'} 0)")
        if word == "\\mathrmSE" and "se" in self.over:
            return self._slot("se")
        return self._of_context(word, indices)

    def _number(self, word: str) -> Term | None:
        """How many entries an index has, or the number of an entry."""
        owners = {letter: name for name, axes in self.over.items() for letter in axes}
        for letter in COUNTS.get(word, ""):
            if letter in owners:
                return Term(f"size(t.{owners[letter]}, {self.over[owners[letter]].index(letter)})")
        if word in ("u", "v") and word in self.target:
            return Term("np.arange(2)", word)
        if word == "k" and "folds" in self.over:
            return Term("np.unique(t.folds)", word)
        if word in owners:
            return Term(f"up_to(size(t.{owners[word]}, {self.over[owners[word]].index(word)}))", word)
        if word in self.target and UP_TO.get(word) in self.over:
            return Term(f"up_to(t.{UP_TO[word]})", word)
        return None

    def _of_context(self, word: str, indices: str) -> Term:
        """A letter that belongs to a slot that is named nearby: an entry, its mean, its spread."""
        if "pairs" in self.over and indices in ("j", "l"):  # of one or the other of a pair
            slot = next(name for name, axes in self.over.items() if axes == "j" and name != "labels")
            return Term(f"of_pairs(t.{slot}, t.pairs, t.labels, {'jl'.index(indices)})", "h")
        arrays = self.context or [name for name, axes in self.over.items() if axes]
        letter = word.removeprefix("\\bar")
        if word != letter and letter + indices in self.over:
            slot = letter + indices
            return self._reduced("np.mean", self._slot(slot), self.over[slot])
        if len(arrays) == 2 and word == "s" and indices in ("A", "B"):
            return Term(f"spread_of(t.{arrays[indices == 'B']})")
        if len(arrays) == 2 and word == "s" and not indices:
            return Term(f"spread_of(joined(t.{arrays[0]}, t.{arrays[1]}))")
        slot = letter if letter in arrays else arrays[0] if len(arrays) == 1 else ""
        if not slot:
            raise Unreadable(f"{word} is nowhere defined")
        if slot in LAWS and word in ("E", "s"):
            return Term(f"{'mean_of' if word == 'E' else 'spread_of_law'}(t.{slot})")
        if indices in ("01", "10") and self.over[slot] == "c":
            return self._slot(slot, str(1 + int(indices[0])))
        if word != letter:
            return self._reduced("np.mean", self._slot(slot), set(self.over[slot]) - set(indices))
        if word == "s" and indices in ("", slot):
            return Term(f"np.std(t.{slot}, ddof=1)")
        if not indices:
            raise Unreadable(f"{word} is nowhere defined")
        return self._slot(slot, indices)

    def _said(self, words: str) -> Term:
        """What is computed by a word."""
        if words in ("lower quartile of", "upper quartile of"):
            return Term(f"np.quantile({self._factor().text}, {0.25 if words[0] == 'l' else 0.75})")
        if words in ("mean of", "standard deviation of"):
            term = self._factor()
            if term.law:
                raise Unreadable("mean of a law")
            if words[0] == "s":
                return Term(f"np.std({term.text}, ddof=1)")
            return self._reduced("np.mean", term, term.axes)
        if words == "sorted":
            return self._in_order()
        raise Unreadable(words)

    # -- the whole ----------------------------------------------------------------------------------------------------------
    def read(self, formula: str) -> Term:
        """The whole formula; what it defines behind commas comes first."""
        found = tokens(formula)
        if found[:1] == ['"the'] and found[-2] in ('"-th smallest of', '"-th largest of'):
            sign = "-" if "largest" in found[-2] else ""
            return Term(f"np.argsort({sign}{self._slot(found[-1][1:]).text}, kind='stable') + 1", self.target)
        if found[0] == '"uniform on':
            return Term("Uniform()", law=True)
        if found[0] == '"ends that leave' and "$posterior" in found:
            level = self._parsed(found[1 : found.index('"of')])
            return Term(f"stacked(0, *t.posterior.credible(2 * {level.text}))", "e")
        if '"less that with' in found:  # an entry less the next
            self.fixed["h"] = "1"
            first = self._slot(found[0][1:])
            self.fixed["h"] = "2"
            return self._together("({} - {})", first, self._slot(found[0][1:]))
        if "$using" in found:  # one test after the other
            what = {'"statistic': "statistic", '"effect size': "effect_size", "p": "pvalue"}[found[0]]
            return Term(f"of_each_pair(t.using, {'-' if '-' in found else ''}t.scores, t.pairs, t.labels, '{what}')", self.target)
        self.ordinal = any(word.startswith('"ties in') for word in found)
        every = clauses([word for word in found if not word.startswith(('"ties in', '"('))])
        values = [every[0], *(words for words in every[1:] if not self._defines(words))]
        term = self._cases(values)
        if self.moved and self.moved[0] in term.axes:
            start, end, function = self.moved
            term = Term(function.format(term.text), term.axes.replace(start, end))
        extra = set(term.axes) - set(self.target) - {"e"}  # both ends of an interval are one value
        if extra and len(term.axes) != len(self.target):
            raise Unreadable(f"the index {', '.join(sorted(extra))} is left")
        return term

    def _parsed(self, words: list[str]) -> Term:
        outside = self.words, self.place
        self.words, self.place = words, 0
        term = self._condition()
        if self._took('"without zeros'):
            term = Term(f"np.where(np.equal(t.d, 0), 0, {term.text})", term.axes)
        if self._took('"not rounded'):
            term = Term(term.text.replace("difference(", "np.subtract("), term.axes)
        if self._ahead():
            raise Unreadable(self._ahead().lstrip('"'))
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

    def _defines(self, words: list[str]) -> bool:
        """Whether a clause says what a letter means, and if so, remember it."""
        if words[0][0] == '"' and CONTEXT.match(words[0][1:]):
            if not any(word.startswith("$") for word in words):
                raise Unreadable(words[0][1:])
            self.context = [word[1:] for word in words if word.startswith("$")]
            return True
        if self.context and len(words) == 1 and words[0].startswith("$"):
            self.context.append(words[0][1:])
            return True
        if words[0] == '"for' and "<" in words:
            return False
        if words[0][1:] in SEPARATE:
            words = words[1:]
        if "\\ldots" in words and words[0] in ('"ranks', "W", "k", "r"):
            several = self._parsed(words[words.index(LDOTS) + 1 :])
            law = Term(f"signs(up_to({several.text}))", law=True)
            self.known |= {"W^-": law, "W_0": law} if words[0] in ('"ranks', "W") else {words[0]: Term(f"up_to({several.text})", words[0])}
            return True
        if words[0] == "\\epsilon":
            return True
        if words[0] == "\\alpha":
            return False
        if len(words) < 3:
            return not any(word.startswith("$") for word in words) and words[0][0].isalpha()
        letter, relation, rest = words[0], words[1], words[2:]
        if relation == "\\sim":
            self.known[letter] = self._parsed(rest)
        elif relation == '"with one degree of freedom more than':
            self.known[letter] = Term(f"one_more({self._parsed(rest).text})", law=True)
        elif relation == "\\leq" and letter == "r":
            self.known[letter] = Term(f"up_to({self._parsed(rest).text})", letter)
        elif relation == "=" and words[0] == "$order":
            self.moved = ("r", rest[0], "put_back({}, t.order)")
        elif relation == "=" and rest == ["$order"]:
            self.moved = (letter, "h" if letter == "r" else "r", "picked({}, t.order)")
        elif relation == "=" and rest == ["h"]:
            self.moved = (letter, "h", "{}")
        elif relation == "=" and letter in {one for axes in self.over.values() for one in axes} and len(rest) == 1:
            self.fixed[letter] = rest[0]
        elif relation == "=":
            self.known[letter] = self._parsed(rest)
        else:
            return not any(word.startswith("$") for word in words) and letter[-1].isalpha() and letter[0] != '"'
        return True


def names(formula: str) -> tuple[str, ...]:
    """The slots of a formula."""
    return tuple(Template(formula).get_identifiers())
