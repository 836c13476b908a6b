"""Rows of a worked example.

In a row, numbers replace the slots of a formula (such as `$mean`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import Template
from typing import Any, Literal, NamedTuple

import numpy as np

from .number_format import DIGITS, format_latex, is_too_small_to_print

DECISION = r"\Leftrightarrow"  # relation of a decision
_OPPOSITES = {r"\leq": ">", r"\geq": "<", "<": r"\geq", ">": r"\leq"}


class IndexHeader(NamedTuple):
    """Names of the entries along an index, such as labels of classifiers or pairs of classifiers."""

    title: str
    entries: Any


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a worked example, with all data that a renderer, a plot or a grader needs."""

    name: str
    symbol: str
    relation: str
    formula: str  # formula with symbols in its slots
    # LaTeX text with numbers (see `substituted`), or a function that returns the text when it is needed
    numbers: str | Callable[[], str] = field(repr=False, compare=False)
    value: Any
    sentence: str
    over: str
    kind: Literal["given", "setting", "stated", "step", "conclusion"]
    blank: bool = False
    heads: tuple[IndexHeader | None, ...] = ()  # names of the entries along each index; None if the entries of an index have no names
    digits: int = DIGITS  # number of significant digits
    chance: bool = False  # True for probabilities, which are written as "< 1e-300" if they are very small
    aside: bool = False  # True for details that few readers need
    owner: str = ""  # name of the classifier to which the values belong; "" without a name

    @property
    def substituted(self) -> str:
        """Formula with numbers in its slots; a decision against the comparison has the opposite comparison, which is true."""
        numbers = self.numbers if isinstance(self.numbers, str) else self.numbers()
        if self.relation != DECISION or numbers == self.formula or self.is_batch or np.ravel(self.value)[:1].any():
            return numbers
        return _opposite(numbers) or self.formula

    @property
    def is_batch(self) -> bool:
        """Whether the value has further axes that count repetitions."""
        return np.ndim(self.value) > len(self.over)

    @property
    def is_column(self) -> bool:
        """Whether the value is one number for each data set, fold, rung, ..."""
        return len(self.over) == 1 and np.ndim(self.value) == 1

    @property
    def is_table(self) -> bool:
        """Whether the value is a table, such as the scores of classifiers on data sets; rows and columns may have pairs of indices."""
        return len(self.over) in (2, 4) and np.ndim(self.value) == len(self.over)

    @property
    def is_names(self) -> bool:
        """Whether the row holds the names of the entries along its index; these names are printed in front of the columns."""
        return bool(self.heads) and self.heads[0] is not None and self.heads[0].title == self.name


def _opposite(comparison: str) -> str:
    r"""Return the opposite of comparisons that are joined by "or"; empty if they are joined in another way.

    >>> _opposite(r"0.3 \leq 0.05"), _opposite(r"2 < 5 \text{ or } 2 > 9"), _opposite(r"\text{no} \text{ and } 2 > 1")
    ('0.3 > 0.05', '2 \\geq 5 \\text{ and } 2 \\leq 9', '')
    """
    swapped = re.sub(r"\\(?:leq|geq)(?![a-z])|[<>]", lambda sign: _OPPOSITES[sign[0]], comparison)
    joined = swapped.replace(r"\text{ or }", " and ")
    return "" if r"\text" in joined else joined.replace(" and ", r"\text{ and }")


def get_index_headers(test: Any, over: str) -> tuple[IndexHeader | None, ...]:
    """Return the names of the entries along each index; None for an index without names."""
    headers = []
    for index in over:
        names = test.names_by_index.get(index)
        entries = getattr(test, names, None) if isinstance(names, str) else names
        headers.append(None if entries is None else IndexHeader(names if isinstance(names, str) else index, entries))
    return tuple(headers)


def substitute_numbers(test: Any, text: str, over: str, symbols: Mapping[str, str], digits: int = DIGITS) -> str:
    """Fill the slots of a template with numbers; values that are summed over, tables and batches keep their symbol.

    `digits` is the number of digits of probabilities and of the level alpha.
    """
    text = _expand_sum(test, text)

    def in_slot(slot: re.Match[str]) -> str:
        name = slot["named"] or slot["braced"]
        shown = _slot_number(test, name, over, digits)
        return symbols[name] if shown is None else _bracket_number(shown, text[: slot.start()], text[slot.end() :])

    return Template.pattern.sub(in_slot, text)


def _slot_number(test: Any, name: str, over: str, digits: int) -> str | None:
    """Return the number for a slot (for a column, its first number); return None if the slot keeps its symbol."""
    value: Any = getattr(test, name, None)
    indices, is_probability = test.over(name), test.is_probability(name)
    if len(over) > 1 or (indices and indices != over) or np.ndim(value) != len(indices):
        return None
    value = value[0] if indices else value
    shown = format_latex(value, digits if is_probability or name == "alpha" else DIGITS)
    return None if shown is None or (is_probability and is_too_small_to_print(value)) else shown


def _bracket_number(shown: str, before: str, after: str) -> str:
    """Put brackets around a number, or a multiplication dot before it, if readers could misread it together with the text around it."""
    related, raised = _RELATION.search(before), after.startswith("^")
    attached = _ATTACHED.search(before) and not related
    if (shown[0] == "-" and (attached or raised)) or (raised and not shown.isdigit()):
        shown = rf"\left({shown}\right)"
    return rf"\cdot {shown}" if _FACTOR.search(before) and not related and not _WORDS.search(before) else shown


def _expand_sum(test: Any, text: str) -> str:
    r"""Write out a sum over few numbers: ``\sum_i $d`` as (-2 + 2 - 6 + 3 + 0)."""

    def terms(match: re.Match[str]) -> str:
        column = getattr(test, match["name"])
        if np.ndim(column) != 1 or len(column) > MAX_TERMS:
            return match[0]
        if match["where"]:
            compared = getattr(test, match["where"])
            column = column[{"<": np.less, ">": np.greater, "=": np.equal}[match["sign"]](compared, 0)]
        written = (" + ".join(str(format_latex(x)) for x in column) or "0").replace("+ -", "- ")
        return written if match[0] == text else f"({written})"

    return _SUM.sub(terms, text)


MAX_TERMS = 8  # a sum with more terms is written with symbols
# a sum over an index i, or over the entries with d > 0
_SUM = re.compile(r"\\sum_(?:\w|\{\$(?P<where>\w+) (?P<sign>[<>=]) 0\}) \$(?P<name>\w+)(?=\s*($|[+}]))")
_ATTACHED = re.compile(r"([-+\w})]|\\,)\s*$")  # the end of the text before a slot, for example before $x in "2 - $x", "n $x" or "2\,$x"
_FACTOR = re.compile(r"(\$\w+|\$\{\w+\}|[\d)}]|\\,)\s*$")  # a factor; a number after it needs a dot, because "12 6" looks like 126
_WORDS = re.compile(r"\\text\{[^{}]*\}\s*$")  # words before a number, which need no dot
_RELATION = re.compile(r"\\(leq|geq|neq|sim|in|min|max|approx)\s*$")
