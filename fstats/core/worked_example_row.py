"""One line of a worked example, and how numbers are put into its formula."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Template
from typing import Any, Literal, NamedTuple

import numpy as np

from .number_format import DIGITS, format_latex, is_too_small_to_print


class IndexHeader(NamedTuple):
    """The names of the entries along an index: labels of classifiers, pairs of them."""

    title: str
    entries: Any


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the worked example: all that a renderer, a plot or a grader needs."""

    name: str
    symbol: str
    relation: str
    formula: str  # symbols in the slots
    substituted: str  # numbers in the slots
    value: Any
    sentence: str
    over: str
    kind: Literal["given", "setting", "stated", "step", "conclusion"]
    blank: bool = False
    heads: tuple[IndexHeader | None, ...] = ()  # for each index the names of its entries, where they have names
    digits: int = DIGITS  # significant digits that are written
    chance: bool = False  # whether it is a probability, which may be too small to be written
    aside: bool = False  # whether few ask for it
    whose: str = ""  # the name of the classifier that the values belong to, where it has a name

    @property
    def is_batch(self) -> bool:
        """Whether the value has axes of repetitions behind its own."""
        return np.ndim(self.value) > len(self.over)

    @property
    def is_column(self) -> bool:
        """Whether the value is one number for each data set, fold, rung, ..."""
        return len(self.over) == 1 and np.ndim(self.value) == 1

    @property
    def is_table(self) -> bool:
        """Whether the value has lines and columns: a score for each data set and classifier; a pair of indices for either will do."""
        return len(self.over) in (2, 4) and np.ndim(self.value) == len(self.over)

    @property
    def is_names(self) -> bool:
        """Whether it only names the entries along its index: it then stands before the columns, and is none."""
        return bool(self.heads) and self.heads[0] is not None and self.heads[0].title == self.name


def get_index_headers(test: Any, over: str) -> tuple[IndexHeader | None, ...]:
    """The names of the entries along each index; None along an index without names."""
    found = []
    for index in over:
        held = test.names_by_index.get(index)
        entries = getattr(test, held, None) if isinstance(held, str) else held
        found.append(None if entries is None else IndexHeader(held if isinstance(held, str) else index, entries))
    return tuple(found)


def substitute_numbers(test: Any, text: str, over: str, symbols: Mapping[str, str], digits: int = DIGITS) -> str:
    """The template with numbers in its slots; the symbol stays for what is summed over, is a table, or is a batch.

    Probabilities, and the level alpha beside them, are written with so many digits.
    """
    text = _expand_sum(test, text)

    def in_slot(slot: re.Match[str]) -> str:
        name = slot["named"] or slot["braced"]
        shown = _slot_number(test, name, over, digits)
        return symbols[name] if shown is None else _bracket_number(shown, text[: slot.start()], text[slot.end() :])

    return Template.pattern.sub(in_slot, text)


def _slot_number(test: Any, name: str, over: str, digits: int) -> str | None:
    """The number for the slot of this name, the first one of a column; None where the symbol must stay."""
    value: Any = getattr(test, name, None)
    own, chance = test.over(name), test.is_chance(name)
    if len(over) > 1 or (own and own != over) or np.ndim(value) != len(own):
        return None
    value = value[0] if own else value
    shown = format_latex(value, digits if chance or name == "alpha" else DIGITS)
    return None if shown is None or (chance and is_too_small_to_print(value)) else shown


def _bracket_number(shown: str, before: str, after: str) -> str:
    """A number between what stands before and after it: in brackets, or behind a dot, where it would be read as part of either."""
    related, raised = _RELATION.search(before), after.startswith("^")
    attached = _ATTACHED.search(before) and not related
    if (shown[0] == "-" and (attached or raised)) or (raised and not shown.isdigit()):
        shown = rf"\left({shown}\right)"
    return rf"\cdot {shown}" if _FACTOR.search(before) and not related and not _WORDS.search(before) else shown


def _expand_sum(test: Any, text: str) -> str:
    r"""A sum over few numbers in full: ``\sum_i $d`` as (-2 + 2 - 6 + 3 + 0)."""

    def terms(found: re.Match[str]) -> str:
        column = getattr(test, found["name"])
        if np.ndim(column) != 1 or len(column) > MOST_TERMS:
            return found[0]
        if found["where"]:
            which = getattr(test, found["where"])
            column = column[{"<": np.less, ">": np.greater, "=": np.equal}[found["sign"]](which, 0)]
        written = (" + ".join(str(format_latex(x)) for x in column) or "0").replace("+ -", "- ")
        return written if found[0] == text else f"({written})"

    return _SUM.sub(terms, text)


MOST_TERMS = 8
_SUM = re.compile(r"\\sum_(?:\w|\{\$(?P<where>\w+) (?P<sign>[<>=]) 0\}) \$(?P<name>\w+)(?=\s*($|[+}]))")  # over i, or where d > 0
_ATTACHED = re.compile(r"([-+\w})]|\\,)\s*$")  # "2 - $x", "n $x", "2\,$x"
_FACTOR = re.compile(r"(\$\w+|\$\{\w+\}|[\d)}]|\\,)\s*$")  # what a number multiplies: a dot keeps 12 6 from reading 126
_WORDS = re.compile(r"\\text\{[^{}]*\}\s*$")  # a number after words is told, not multiplied
_RELATION = re.compile(r"\\(leq|geq|neq|sim|in|min|max|approx)\s*$")
