"""Tokenizer of LaTeX formulas: splits a formula into tokens, and tokens into clauses."""

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
    for k in [i for i, part in enumerate(parts) if part == [LDOTS]][::-1]:  # join the parts of "1, ..., n"
        parts[k - 1 : k + 2] = [[*parts[k - 1], LDOTS, *parts[k + 1]]]
    return [part for part in parts if part]


def slot_names(formula: str) -> tuple[str, ...]:
    """Return the names of the slots of a formula."""
    return tuple(Template(formula).get_identifiers())
