"""Parser that translates LaTeX formulas into Python expressions."""

from __future__ import annotations

from collections.abc import Mapping

from .aggregate_commands import AGGREGATE_COMMANDS
from .distribution_commands import DISTRIBUTION_COMMANDS
from .expression_parser import ExpressionParser
from .formula_terms import Term, join
from .latex_tokenizer import CLAUSE_STARTS, CONTEXT, LDOTS, VerbalFormulaError, clauses, tokens
from .symbol_table import SymbolTable

COMMANDS = DISTRIBUTION_COMMANDS | AGGREGATE_COMMANDS


class LatexParser:
    """Parser of one formula; ``over`` holds the indices of all slots, ``target`` holds the indices of the step."""

    def __init__(self, over: Mapping[str, str], target: str) -> None:
        self.symbols = SymbolTable(over, target)
        # for a step that reorders entries: (old index, new index, template of a Python expression)
        self.reordering: tuple[str, str, str] | None = None
        self.broadcast_slot = ""  # name of a slot; a single value is broadcast to the shape of this slot

    def parse(self, formula: str) -> Term:
        """Parse a complete formula; the definitions after its commas are parsed first."""
        words = tokens(formula)
        if special := self._verbal_formula(words):
            return special
        self.symbols.ordinal = any(word.startswith('"ties in') for word in words)
        parts = clauses([word for word in words if not word.startswith(('"ties in', '"('))])
        term = self._value([parts[0], *(part for part in parts[1:] if not self._is_definition(part))])
        if self.reordering and self.reordering[0] in term.axes:
            start, end, function = self.reordering
            term = Term(function.format(term.text), term.axes.replace(start, end))
        if self.broadcast_slot:
            text = f"np.broadcast_to({term.text}, np.shape(t.{self.broadcast_slot}))"
            term = Term(text, self.symbols.over[self.broadcast_slot])
        target = self.symbols.target
        extra = set(term.axes) - set(target) - {"e"}  # "e" is no index of the result: it counts the ends of an interval
        if extra and len(term.axes) != len(target):
            raise VerbalFormulaError(f"the formula must have only indices of its result; got also {', '.join(sorted(extra))}")
        return term

    def _verbal_formula(self, words: list[str]) -> Term | None:
        """Parse a formula in words, of a kind that occurs in only one step; return None for other formulas."""
        symbols = self.symbols
        if words[:1] == ['"the'] and words[-2] in ('"-th smallest of', '"-th largest of'):
            sign = "-" if "largest" in words[-2] else ""
            return Term(f"np.argsort({sign}{symbols.slot(words[-1][1:]).text}, kind='stable') + 1", symbols.target)
        if words[0] == '"uniform on':
            return Term("Uniform()", is_distribution=True)
        if words[0] == '"ends that leave' and "$posterior" in words:
            level = self._expression(words[1 : words.index('"of')])
            return Term(f"stack(0, *t.posterior.credible(2 * {level.text}))", "e")
        if '"less that with' in words:  # a difference: first value minus second value
            symbols.fixed_indices["h"] = "1"
            first = symbols.slot(words[0][1:])
            symbols.fixed_indices["h"] = "2"
            return join("({} - {})", first, symbols.slot(words[0][1:]))
        if "$using" in words:  # a step of the paired test that is applied to each pair
            step = {'"statistic': "statistic", '"effect size': "effect_size", "p": "pvalue"}[words[0]]
            return Term(f"pairwise_step(t.using, {'-' if '-' in words else ''}t.scores, t.pairs, t.labels, '{step}')", symbols.target)
        return None

    def _expression(self, words: list[str]) -> Term:
        """Parse the tokens of one expression."""
        parser = ExpressionParser(words, self.symbols, COMMANDS)
        term = parser.condition()
        if parser.tokens.consume('"without zeros'):
            term = join("np.where(np.equal(t.d, 0), 0, {})", term)
        elif parser.tokens.consume('"not rounded'):
            term = Term(term.text.replace("noise_free_difference(", "np.subtract("), term.axes)
        if parser.tokens.peek():
            raise VerbalFormulaError(f"""the formula must end before {parser.tokens.peek().lstrip('"')!r}""")
        return term

    def _value(self, parts: list[list[str]]) -> Term:
        """Parse one value, several values in a row, or a value by cases."""
        if parts[0][0] == '"the outermost':
            ends = zip(("\\max", "\\min"), (parts[0][3:], parts[1]), strict=True)
            return self._stack([self._expression([end, "\\{", "x", ":", *words, "\\}"]) for end, words in ends], "e")
        cases: list[tuple[Term, Term]] = []
        values: list[Term] = []
        for words in parts:
            place = next((i for i, word in enumerate(words) if word in ('"if', '"where')), None)
            if place is not None:
                cases.append((self._expression(words[:place]), self._expression(words[place + 1 :])))
            elif words[0] == '"for':
                cases.append((values.pop(), self._expression(words[1:])))
            elif words[0] in ('"else', "\\alpha"):
                values.append(self._expression(words[1 + words.index("=") if "=" in words else 1 :]))
            else:
                values.append(self._expression(words))
        if cases:
            term = values[0] if values else Term("0")
            for value, condition in reversed(cases):
                term = join("np.where({}, {}, {})", condition, value, term)
            return term
        return values[0] if len(values) == 1 else self._stack(values)

    def _stack(self, values: list[Term], letter: str = "") -> Term:
        return ExpressionParser([], self.symbols, COMMANDS).stack(values, letter)

    # -- clauses that define letters ---------------------------------------------------------------------------------------
    def _is_definition(self, words: list[str]) -> bool:
        """Return whether a clause defines a letter or names slots; store what the clause defines."""
        if self._is_slot_clause(words):
            return True
        if words[0] == '"for' and "<" in words:
            return False
        if words[0][1:] in CLAUSE_STARTS:
            words = words[1:]
        if LDOTS in words and words[0] in ('"ranks', "W", "k", "r"):
            end = self._expression(words[words.index(LDOTS) + 1 :]).text
            if words[0] in ("k", "r"):
                self.symbols.definitions[words[0]] = Term(f"up_to({end})", words[0])
            else:
                signs = Term(f"random_signs(up_to({end}))", is_distribution=True)
                self.symbols.definitions |= {"W^-": signs, "W_0": signs}
            return True
        if words[0] in ("\\epsilon", "\\alpha"):
            return words[0] == "\\epsilon"
        # a clause without slots defines nothing; it only explains a letter
        explains_a_letter = not any(word.startswith("$") for word in words)
        if len(words) < 3:
            return explains_a_letter and words[0][0].isalpha()
        return self._has_relation(words[0], words[1], words[2:]) or (explains_a_letter and words[0][-1].isalpha() and words[0][0] != '"')

    def _is_slot_clause(self, words: list[str]) -> bool:
        """Return whether a clause names the slots of letters; store the slots."""
        if words[0][0] == '"' and CONTEXT.match(words[0][1:]):
            self.symbols.context = [word[1:] for word in words if word.startswith("$")]
            if not self.symbols.context:
                raise VerbalFormulaError(f"a computed formula must not hold words; got {words[0][1:]!r}")
            self.broadcast_slot = self.symbols.context[0] if words[0] == '"for each of' else ""
            return True
        if self.symbols.context and len(words) == 1 and words[0].startswith("$"):
            self.symbols.context.append(words[0][1:])
            return True
        return False

    def _has_relation(self, letter: str, relation: str, rest: list[str]) -> bool:
        """Return whether a relation defines a letter; store the definition."""
        definitions = self.symbols.definitions
        if relation == "=":
            self._define_equal(letter, rest)
        elif relation == "\\sim":
            definitions[letter] = self._expression(rest)
        elif relation == '"with one degree of freedom more than':
            definitions[letter] = Term(f"add_degree_of_freedom({self._expression(rest).text})", is_distribution=True)
        elif relation == "\\leq" and letter == "r":
            definitions[letter] = Term(f"up_to({self._expression(rest).text})", letter)
        else:
            return False
        return True

    def _define_equal(self, letter: str, rest: list[str]) -> None:
        """Store a letter that equals an index value, an index in another order, or an expression."""
        if letter == "$order":
            self.reordering = ("r", rest[0], "restore_order({}, t.order)")
        elif rest == ["$order"]:
            self.reordering = (letter, "h" if letter == "r" else "r", "reorder({}, t.order)")
        elif rest == ["h"]:
            self.reordering = (letter, "h", "{}")
        elif len(rest) == 1 and letter in set("".join(self.symbols.over.values())):
            self.symbols.fixed_indices[letter] = rest[0]
        else:
            self.symbols.definitions[letter] = self._expression(rest)
