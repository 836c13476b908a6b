"""The checks of what a test shows as text, HTML, LaTeX and plain Python; each takes a test on a batch, and looks at one repetition too."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from ..core.procedure import Procedure
from ..core.value_types import Interval
from ..core.worked_example_row import Row
from ..render.html import escape_prose
from ..render.latex import equation
from .check_assertions import are_names, require


def formulas_are_latex(batch: Procedure) -> None:
    """Symbol, formula and numbers are whole pieces of LaTeX, with every bracket closed."""
    for row in (row for test in (batch, batch.at(0)) for row in test.worked() if row.kind != "conclusion"):
        whole = equation(row)
        for text in (row.symbol, row.formula, row.substituted):
            require(
                text in whole and whole.startswith(equation(row, with_value=False)) and "$" not in text,
                f"the equation of {row.name} holds its symbol, its formula and its numbers",
                whole,
                "Write slots as $name, and ${name}_i before an index",
            )
            open_, shut = ([text.count(one) for one in pair] for pair in (("{", r"\left"), ("}", r"\right")))
            require(open_ == shut, f"every bracket in the formula of {row.name} is closed", text, r"Count { and }, \left and \right")


def a_number_after_words_is_not_multiplied(batch: Procedure) -> None:
    r"""No \cdot between words and a number."""
    for row in batch.at(0).worked():
        wrong = re.search(r"\\text\{[^{}]*\}\s*\\cdot(?!s)", row.substituted)
        require(not wrong, f"the numbers of {row.name} follow words without a dot", row.substituted, "End the words by a space or a comma")


def sentences_end_with_full_stops(batch: Procedure) -> None:
    """Every row says in a sentence what it is."""
    for row in batch.at(0).worked():
        require(
            re.fullmatch(r"(?s)[A-Z].{4,}\.", row.sentence),
            f"the sentence of {row.name} begins with a capital and ends with a full stop",
            repr(row.sentence),
            "It is the docstring of the step, or the second argument of given(...)",
        )


def _unbroken_latex(latex: str) -> str:
    """LaTeX without what breaks its lines: a page of paper is broken, one that scrolls is not."""
    return re.sub(r"\\\\|&|\\quad|\\text|[{}\s]", "", latex)


def text_html_and_latex_show_every_row(batch: Procedure) -> None:
    """Each row stands in each medium."""
    for test in (batch, batch.at(0)):
        text, html, latex = repr(test), test._repr_html_(), test.to_latex()
        whole = text.startswith(type(test).__name__) and _unbroken_latex(test._repr_latex_()) == _unbroken_latex(f"${latex}$")
        require(whole, "text begins with the name of the class, LaTeX is the same broken or not", text[:60], "Leave __repr__ alone")
        for row in test.worked():
            require(_is_row_shown(row, text, html, latex), f"text, HTML and LaTeX show {row.name}", text, "Change no row in _rows")


def _is_row_shown(row: Row, text: str, html: str, latex: str) -> bool:
    if row.kind == "conclusion":
        return row.value in " ".join(text.split()) and escape_prose(row.value) in html  # in lines
    typeset = row.kind != "step" or all(_unbroken_latex(part) in _unbroken_latex(latex) for part in (row.symbol, row.formula))
    return row.name in text and f"<code>{row.name}" in html and typeset


def is_plain_python(value: Any) -> bool:
    """Numbers, text, and lists of them."""
    return all(map(is_plain_python, value)) if type(value) is list else type(value) in (int, float, str, bool)


def to_dict_is_plain_python(batch: Procedure) -> None:
    """It holds every row, and JSON reads it back; infinite numbers are text, which float reads."""
    for test in (batch, batch.at(0)):
        shown = test.to_dict()
        opened = {f"{row.name}_open" for row in test.worked() if isinstance(row.value, Interval) and row.value.has_an_open_end}
        rows = {"test", *(row.name for row in test.worked()), *opened}
        require(shown.keys() == rows and shown["test"] == type(test).__name__, "to_dict holds every row", [*shown], "Leave it alone")
        for name, value in shown.items():
            require(
                is_plain_python(value), f"{name} is plain in to_dict", type(value), "Let the step return a number, an array or an Interval"
            )
        require(json.loads(json.dumps(shown, allow_nan=False)) == shown, "JSON reads to_dict back", shown, "Return no nan")
        for row in test.worked():
            if are_names(row.value):
                alike = np.shape(shown[row.name])[0] == len(row.value)
            else:
                again = np.array(shown[row.name])
                alike = not isinstance(row.value, (np.generic, np.ndarray)) or np.array_equal(again.astype(row.value.dtype), row.value)
            require(alike, f"to_dict has the value of {row.name}", shown[row.name], "Leave to_dict alone")
