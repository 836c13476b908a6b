"""Tokenizer for LaTeX formulas.

It also groups the tokens into the clauses of a formula.
"""

from __future__ import annotations

import re
from string import Template

TOKEN = re.compile(
    r"(?P<name>\$(?:\w+|\{\w+\}))|(?P<number>\d{1,3}(?:\\,\d{3})+|\d+(?:\.\d+)?)|"
    r"\\text\{(?P<text>[^{}]*)\}|(?P<space>\\[,;!]|\\ |\\quad|\\left|\\right|\s+)"
    r"|(?P<mark>\\(?:mathrm|bar|tilde)\s*(?:\{\w+\}|\\?[a-zA-Z]+)(?:\^\{-1\})?)|(?P<command>\\[a-zA-Z]+|\\[{}#])|(?P<sign>.)"
)
RELATIONS = {"\\leq": "<=", "\\geq": ">=", "<": "<", ">": ">", "=": "==", "\\neq": "!="}
CONTEXT = re.compile(r"(for each )?of( the| the ten| all)?$|in place of$")
CLAUSE_STARTS = ("with", "at", "of the rung with", "of the rung", "for")
LDOTS = "\\ldots"
OPENING_BRACKETS, CLOSING_BRACKETS = {"(", "[", "{", "\\{", "\\lfloor", "\\lceil"}, {")", "]", "}", "\\}", "\\rfloor", "\\rceil"}


class VerbalFormulaError(ValueError):
    """Error for a formula that is (partly) written in words and cannot be computed."""


class TokenStream:
    """Tokens of a formula, and the position of the next token."""

    def __init__(self, words: list[str]) -> None:
        self.words, self.position = words, 0

    def peek(self) -> str:
        """Return the next token without consuming it; an empty text at the end."""
        return self.words[self.position] if self.position < len(self.words) else ""

    def next(self, *expected: str) -> str:
        """Consume the next token; raise VerbalFormulaError at the end, or if the token is none of the expected tokens."""
        word = self.peek()
        if expected and word not in expected:
            raise VerbalFormulaError(f"the formula must continue with {' or '.join(expected)}; got {word.lstrip(chr(34)) or 'the end'}")
        if not word:
            raise VerbalFormulaError("the formula must be complete; got an unexpected end")
        self.position += 1
        return word

    def consume(self, *words: str) -> bool:
        """Consume given tokens if they are the next tokens; return whether they are."""
        if self.words[self.position : self.position + len(words)] != list(words):
            return False
        self.position += len(words)
        return True

    def raw_script(self) -> str:
        """Consume a subscript or superscript and return its text."""
        if not self.consume("{"):
            return self.next()
        start, depth = self.position, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(self.next(), 0)
        return "".join(self.words[start : self.position - 1])

    def letters(self) -> set[str]:
        """Consume the letters of indices, and the commas between them; return the letters."""
        start = self.position
        while self.peek() == "," or (len(self.peek()) == 1 and self.peek().islower()):
            self.position += 1
        return set(self.words[start : self.position]) - {","}


def tokens(formula: str) -> list[str]:
    """Split a formula into tokens, without spaces and sizes of brackets; a token of text begins with a quotation mark."""
    result = []
    for match in TOKEN.finditer(formula):
        kind = match.lastgroup
        if kind == "text":
            result.append('"' + " ".join(match["text"].strip(" ,").split()))
        elif kind == "number":
            result.append(match["number"].replace("\\,", ""))
        elif kind == "name":
            result.append("$" + match["name"].strip("${}"))
        elif kind != "space":
            result.append(match[0].replace("{", "").replace("}", "").replace(" ", "") if kind == "mark" else match[0])
    return result


def clauses(words: list[str]) -> list[list[str]]:
    """Split tokens into clauses at commas outside of brackets, and before the words "of", "with" and "at"."""
    parts: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += (word in OPENING_BRACKETS) - (word in CLOSING_BRACKETS)
        if not depth and (word in ",;" or (word[0] == '"' and (CONTEXT.match(word[1:]) or word[1:] in CLAUSE_STARTS))):
            parts.append([])
            if word in ",;":
                continue
        parts[-1].append(word)
    for k in [i for i, part in enumerate(parts) if part == [LDOTS]][::-1]:  # join the three pieces of "1, ..., n" to one part
        parts[k - 1 : k + 2] = [[*parts[k - 1], LDOTS, *parts[k + 1]]]
    return [part for part in parts if part]


def slot_names(formula: str) -> tuple[str, ...]:
    """Return the names of the slots of a formula."""
    return tuple(Template(formula).get_identifiers())
