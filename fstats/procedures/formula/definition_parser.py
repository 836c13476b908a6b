"""Parser of the clauses after a formula that define letters of the formula, or name the slots of these letters."""

from __future__ import annotations

from .aggregate_parser import AggregateParser
from .latex_tokenizer import CLAUSE_STARTS, CONTEXT, LDOTS
from .parser_base import Term, VerbalFormulaError


class DefinitionParser(AggregateParser):
    """Parser of clauses that define a letter."""

    def _parse_definition_clause(self, words: list[str]) -> bool:
        """Parse a clause that defines a letter and store the definition; return whether the clause is such a definition."""
        if self._parse_slot_clause(words):
            return True
        if words[0] == '"for' and "<" in words:
            return False
        if words[0][1:] in CLAUSE_STARTS:
            words = words[1:]
        if LDOTS in words and words[0] in ('"ranks', "W", "k", "r"):
            several = self._parse_tokens(words[words.index(LDOTS) + 1 :])
            distribution = Term(f"random_signs(up_to({several.text}))", is_distribution=True)
            self.definitions |= (
                {"W^-": distribution, "W_0": distribution}
                if words[0] in ('"ranks', "W")
                else {words[0]: Term(f"up_to({several.text})", words[0])}
            )
            return True
        if words[0] in ("\\epsilon", "\\alpha"):
            return words[0] == "\\epsilon"
        if len(words) < 3:
            return self._is_letter(words, words[0][0])
        return self._parse_definition(words[0], words[1], words[2:]) or (self._is_letter(words, words[0][-1]) and words[0][0] != '"')

    @staticmethod
    def _is_letter(words: list[str], letter: str) -> bool:
        """Return whether a clause without slots only explains a letter, with nothing to compute."""
        return not any(word.startswith("$") for word in words) and letter.isalpha()

    def _parse_slot_clause(self, words: list[str]) -> bool:
        """Parse a clause that names the slots of letters, and store the slots; return whether the clause is of this kind."""
        if words[0][0] == '"' and CONTEXT.match(words[0][1:]):
            if not any(word.startswith("$") for word in words):
                raise VerbalFormulaError(words[0][1:])
            self.context = [word[1:] for word in words if word.startswith("$")]
            self.broadcast_slot = self.context[0] if words[0] == '"for each of' else ""
            return True
        if self.context and len(words) == 1 and words[0].startswith("$"):
            self.context.append(words[0][1:])
            return True
        return False

    def _parse_definition(self, letter: str, relation: str, rest: list[str]) -> bool:
        """Store the definition of a letter by a relation; return whether the relation defines it."""
        if relation == "=":
            self._parse_equality(letter, rest)
        elif relation == "\\sim":
            self.definitions[letter] = self._parse_tokens(rest)
        elif relation == '"with one degree of freedom more than':
            self.definitions[letter] = Term(f"add_degree_of_freedom({self._parse_tokens(rest).text})", is_distribution=True)
        elif relation == "\\leq" and letter == "r":
            self.definitions[letter] = Term(f"up_to({self._parse_tokens(rest).text})", letter)
        else:
            return False
        return True

    def _parse_equality(self, letter: str, rest: list[str]) -> None:
        """Store a letter that equals an index value, an index in another order, or an expression."""
        if letter == "$order":
            self.reordering = ("r", rest[0], "restore_order({}, t.order)")
        elif rest == ["$order"]:
            self.reordering = (letter, "h" if letter == "r" else "r", "reorder({}, t.order)")
        elif rest == ["h"]:
            self.reordering = (letter, "h", "{}")
        elif len(rest) == 1 and letter in set("".join(self.over.values())):
            self.fixed_indices[letter] = rest[0]
        else:
            self.definitions[letter] = self._parse_tokens(rest)
