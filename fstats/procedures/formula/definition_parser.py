"""What a formula itself says of its letters, in clauses behind commas: of which slots they are, and what they stand for."""

from __future__ import annotations

from .aggregate_parser import Sets
from .latex_tokenizer import CLAUSE_STARTS, CONTEXT, LDOTS
from .parser_base import InWords, Term


class Meanings(Sets):
    """Reads the clauses that define a letter."""

    def _defines(self, words: list[str]) -> bool:
        """Whether a clause says what a letter means, and if so, remember it."""
        if self._says_of_what(words):
            return True
        if words[0] == '"for' and "<" in words:
            return False
        if words[0][1:] in CLAUSE_STARTS:
            words = words[1:]
        if LDOTS in words and words[0] in ('"ranks', "W", "k", "r"):
            several = self._parsed(words[words.index(LDOTS) + 1 :])
            law = Term(f"random_signs(up_to({several.text}))", law=True)
            self.known |= {"W^-": law, "W_0": law} if words[0] in ('"ranks', "W") else {words[0]: Term(f"up_to({several.text})", words[0])}
            return True
        if words[0] in ("\\epsilon", "\\alpha"):
            return words[0] == "\\epsilon"
        if len(words) < 3:
            return self._is_letter(words, words[0][0])
        return self._stands_for(words[0], words[1], words[2:]) or (self._is_letter(words, words[0][-1]) and words[0][0] != '"')

    @staticmethod
    def _is_letter(words: list[str], letter: str) -> bool:
        """Whether a clause without slots is about a letter, and says nothing that is computed."""
        return not any(word.startswith("$") for word in words) and letter.isalpha()

    def _says_of_what(self, words: list[str]) -> bool:
        """Whether a clause names the slots that letters belong to, and if so, remember them."""
        if words[0][0] == '"' and CONTEXT.match(words[0][1:]):
            if not any(word.startswith("$") for word in words):
                raise InWords(words[0][1:])
            self.context = [word[1:] for word in words if word.startswith("$")]
            self.each = self.context[0] if words[0] == '"for each of' else ""
            return True
        if self.context and len(words) == 1 and words[0].startswith("$"):
            self.context.append(words[0][1:])
            return True
        return False

    def _stands_for(self, letter: str, relation: str, rest: list[str]) -> bool:
        """Whether this relation says what a letter stands for, and if so, remember it."""
        if relation == "=":
            self._equals(letter, rest)
        elif relation == "\\sim":
            self.known[letter] = self._parsed(rest)
        elif relation == '"with one degree of freedom more than':
            self.known[letter] = Term(f"add_degree_of_freedom({self._parsed(rest).text})", law=True)
        elif relation == "\\leq" and letter == "r":
            self.known[letter] = Term(f"up_to({self._parsed(rest).text})", letter)
        else:
            return False
        return True

    def _equals(self, letter: str, rest: list[str]) -> None:
        """A letter that is an index at one entry, an index in another order, or a value."""
        if letter == "$order":
            self.moved = ("r", rest[0], "restore_order({}, t.order)")
        elif rest == ["$order"]:
            self.moved = (letter, "h" if letter == "r" else "r", "reorder({}, t.order)")
        elif rest == ["h"]:
            self.moved = (letter, "h", "{}")
        elif len(rest) == 1 and letter in set("".join(self.over.values())):
            self.fixed[letter] = rest[0]
        else:
            self.known[letter] = self._parsed(rest)
