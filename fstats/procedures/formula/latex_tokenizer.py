"""A formula in LaTeX, word by word and clause by clause."""

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
        depth += (word in OPENING_BRACKETS) - (word in CLOSING_BRACKETS)
        if not depth and (word in ",;" or (word[0] == '"' and (CONTEXT.match(word[1:]) or word[1:] in CLAUSE_STARTS))):
            found.append([])
            if word in ",;":
                continue
        found[-1].append(word)
    for place in [i for i, words in enumerate(found) if words == ["\\ldots"]][::-1]:  # 1, ..., n
        found[place - 1 : place + 2] = [[*found[place - 1], "\\ldots", *found[place + 1]]]
    return [words for words in found if words]


def names(formula: str) -> tuple[str, ...]:
    """The slots of a formula."""
    return tuple(Template(formula).get_identifiers())
