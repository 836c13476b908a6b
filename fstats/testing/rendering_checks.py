"""Conformance checks of text, HTML, LaTeX and Python output."""

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


def check_latex(batch: Procedure) -> None:
    """Check that symbol, formula and numbers are complete LaTeX with all brackets closed."""
    for row in (row for test in (batch, batch.at(0)) for row in test.worked() if row.kind != "conclusion"):
        whole = equation(row)
        for text in (row.symbol, row.formula, row.substituted):
            holds = text in whole and whole.startswith(equation(row, with_value=False)) and "$" not in text
            rule = f"the equation of {row.name} holds its symbol, its formula and its numbers"
            require(holds, rule, whole, "Write slots as $name, and ${name}_i before an index")
            open_, shut = ([text.count(bracket) for bracket in pair] for pair in (("{", r"\left"), ("}", r"\right")))
            require(open_ == shut, f"every bracket in the formula of {row.name} is closed", text, r"Count { and }, \left and \right")


def check_numbers_after_words(batch: Procedure) -> None:
    r"""Check that there is no \cdot between words and a number."""
    for row in batch.at(0).worked():
        wrong = re.search(r"\\text\{[^{}]*\}\s*\\cdot(?!s)", row.substituted)
        require(not wrong, f"the numbers of {row.name} follow words without a dot", row.substituted, "End words with a space or a comma")


def check_sentences(batch: Procedure) -> None:
    """Check that the sentence of every row begins with a capital letter and ends with a full stop."""
    for row in batch.at(0).worked():
        require(
            re.fullmatch(r"(?s)[A-Z].{4,}\.", row.sentence),
            f"the sentence of {row.name} begins with a capital, has at least six characters and ends with a full stop",
            repr(row.sentence),
            "It is the docstring of the step, or the second argument of input_field(...)",
        )


def _unbroken_latex(latex: str) -> str:
    """Return LaTeX without line breaks and blanks, because printed pages have line breaks where web pages have none."""
    return re.sub(r"\\\\|&|\\quad|\\text|[{}\s]", "", latex)


def check_rendered_rows(batch: Procedure) -> None:
    """Check that text, HTML and LaTeX contain each row."""
    for test in (batch, batch.at(0)):
        text, html, latex = repr(test), test._repr_html_(), test.to_latex()
        whole = text.startswith(type(test).__name__) and _unbroken_latex(test._repr_latex_()) == _unbroken_latex(f"${latex}$")
        require(whole, "text begins with the name of the class, LaTeX is the same broken or not", text[:60], "Leave __repr__ alone")
        for row in test.worked():
            require(_is_row_shown(row, text, html, latex), f"text, HTML and LaTeX show {row.name}", text, "Change no row in _rows")


def _is_row_shown(row: Row, text: str, html: str, latex: str) -> bool:
    if row.kind == "conclusion":
        # text may be wrapped, so `split` and `join` replace line breaks by blanks
        return row.value in " ".join(text.split()) and escape_prose(row.value) in html
    typeset = row.kind != "step" or all(_unbroken_latex(part) in _unbroken_latex(latex) for part in (row.symbol, row.formula))
    return row.name in text and f"<code>{row.name}" in html and typeset


def is_plain_python(value: Any) -> bool:
    """Return whether a value is a number, a text, or a list of such values."""
    return all(map(is_plain_python, value)) if type(value) is list else type(value) in (int, float, str, bool)


def check_to_dict(batch: Procedure) -> None:
    """Check that to_dict contains every row and can be stored as JSON; infinite numbers become text that ``float`` can parse."""
    for test in (batch, batch.at(0)):
        shown = test.to_dict()
        opened = {f"{row.name}_open" for row in test.worked() if isinstance(row.value, Interval) and row.value.has_an_open_end}
        rows = {"test", *(row.name for row in test.worked()), *opened}
        require(shown.keys() == rows and shown["test"] == type(test).__name__, "to_dict holds every row", [*shown], "Leave it alone")
        for name, value in shown.items():
            remedy = "Let the step return a number, an array or an Interval"
            require(is_plain_python(value), f"{name} is plain in to_dict", type(value), remedy)
        require(json.loads(json.dumps(shown, allow_nan=False)) == shown, "JSON reads to_dict back", shown, "Return no nan")
        for row in test.worked():
            if are_names(row.value):
                is_same = np.shape(shown[row.name])[0] == len(row.value)
            else:
                value = np.array(shown[row.name])
                is_same = not isinstance(row.value, (np.generic, np.ndarray)) or np.array_equal(value.astype(row.value.dtype), row.value)
            require(is_same, f"to_dict has the value of {row.name}", shown[row.name], "Leave to_dict alone")
