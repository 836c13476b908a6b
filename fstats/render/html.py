"""Worked examples as HTML, with formulas for MathJax (notebooks) or as MathML (explorers)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import escape

from ..core.mathematics_in_names import plain_name, write_name
from ..core.procedure import Procedure
from ..core.worked_example_row import Row
from ..runtime.optional_dependencies import require_extra
from .display_table import DATA, LEFT, html_table
from .formula_line_breaks import break_piece
from .latex import equation_parts
from .plain_text import name_and_question
from .row_layout import MAX_LINES, Block, axis_labels, flatten_table, format_cell, format_value, group_rows

Typeset = Callable[[str], str]


def mathjax(tex: str) -> str:
    """Return a formula for the output of a cell: MathJax finds the formula by its dollar signs."""
    return escape(rf"$\displaystyle {tex}$", quote=False)


def mathml(tex: str) -> str:
    """Return a formula as MathML for live pictures; each formula is converted once, later calls only replace its numbers."""
    numbers: list[str] = []

    def placeholder(match: re.Match[str]) -> str:
        numbers.append(match[0])
        return chr(_NUMBER_PLACEHOLDER + len(numbers) - 1)

    form = _to_mathml(_NUMBER.sub(placeholder, tex))
    for k, number in enumerate(numbers):
        form = re.sub(rf"<m[io]>{chr(_NUMBER_PLACEHOLDER + k)}</m[io]>", f"<mn>{number}</mn>", form)
    return form


# the MathML converter would make a variable of a colon; this colon has spaces like a relation, as in TeX
COLON = '<mo lspace="0.28em" rspace="0.28em">:</mo>'
# during the conversion of a formula, private Unicode characters from this one on replace numbers
_NUMBER_PLACEHOLDER = 0xE000
# matches a number without a brace directly before or after it; {-0.6} has such a brace
_NUMBER = re.compile(r"(?<![\w.{])\d+(\.\d+)?(?![\w.}])")


@lru_cache(512)
def _to_mathml(tex: str) -> str:
    with require_extra("explore", "a formula in MathML"):
        from latex2mathml.converter import convert

    return str(convert(tex)).replace('display="inline"', 'displaystyle="true"').replace("<mi>:</mi>", COLON)


def render_html(test: Procedure, typeset: Typeset = mathjax) -> str:
    """Return the worked example as HTML for a notebook."""
    name, question = name_and_question(test)
    head = f"<p><strong>{escape(name)}</strong>: {escape(question)}</p>"
    return f'<div class="fstats">{head}{rows_html(test.worked(), typeset)}</div>'


def rows_html(rows: Iterable[Row], typeset: Typeset) -> str:
    """Return rows without a heading; rarely needed rows are in a closed section before the conclusion."""
    rows = list(rows)
    out = [_block_html(block, typeset) for block in group_rows(row for row in rows if not row.aside)]
    if aside := [row for row in rows if row.aside]:
        names = ", ".join(f"<code>{row.name}</code>" for row in aside)
        folded = "".join(_block_html(block, typeset) for block in group_rows(aside))
        last = len(out) - (rows[-1].kind == "conclusion")
        out.insert(last, f"<details><summary>Further steps: {names}</summary>{folded}</details>")
    return "".join(out)


def _block_html(block: Block, typeset: Typeset) -> str:
    """Return the HTML of one block of rows."""
    if block.kind == "settings":
        return f"<p{WRAP_STYLE}>" + "; ".join(_setting_html(row, typeset) for row in block.rows) + "</p>"
    if block.kind == "columns":
        return columns_html(block.rows, typeset)
    if block.kind == "table":
        return _table_html(block.rows[0], typeset)
    if block.kind == "conclusion":
        return f'<p data-step="conclusion"><strong>{escape_prose(block.rows[0].value)}</strong></p>'
    return _rows_html(block.rows, typeset)


def escape_prose(text: str) -> str:
    r"""Escape a text; mathematics in names becomes HTML, and all other dollar signs begin no formula (:func:`html_name`).

    No line ends between a number and its sign; a line may end inside a long name, before one of its words.

    >>> escape_prose("p = 0.05 in 95 % of all runs") == "p\xa0=\xa00.05 in 95\xa0% of all runs"
    True
    >>> escape_prose("LinearDiscriminantAnalysis"), escape_prose("LinearSVC")
    ('Linear<wbr>Discriminant<wbr>Analysis', 'LinearSVC')
    """

    def escape_words(words: str) -> str:
        broken = _LONG_NAME.sub(lambda name: _NAME_BREAK.sub("<wbr>", name[0]), escape(words))
        return _UNBREAKABLE_SPACE.sub("\xa0", broken).replace("$", "<span>$</span>")

    return write_name(text, escape_words, lambda formula: formula.html)


_UNBREAKABLE_SPACE = re.compile(r"(?<=\d) (?=%)|(?<=\w) (?=(?:=|&lt;|≤|±) -?\d)|(?<= [=≤±]) (?=-?\d)|(?<= &lt;) (?=-?\d)")
_LONG_NAME = re.compile(r"\b[A-Za-z][\w.]{15,}")
_NAME_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=_)(?=\w)|(?<=[A-Za-z]\.)(?=[A-Za-z])")


def _owner_line(row: Row) -> str:
    return f"<br>{escape_prose(row.owner)}" if row.owner else ""


def _setting_html(row: Row, typeset: Typeset) -> str:
    if row.formula:
        return typeset(f"{row.symbol}: {row.formula}") + f' (<code>{row.name}="{escape_prose(str(row.value))}"</code>)'
    return f'<code>{row.name}</code> = <span data-step="{row.name}">{escape_prose(format_value(row))}</span>'


def columns_html(rows: Sequence[Row], typeset: Typeset) -> str:
    """Return a table of columns that share one index (named or numbered from 1), and one line below the table for each formula."""
    tops = [
        f'<th scope="col" title="{escape(plain_name(row.sentence))}">{typeset(row.symbol)}<br><code>{row.name}</code>'
        f"{_owner_line(row)}</th>"
        for row in rows
    ]
    entries = zip(*(row.value[:MAX_LINES] for row in rows), strict=True)
    lines = [[(f"{row.name}[{k}]", format_cell(row, x)) for row, x in zip(rows, line, strict=True)] for k, line in enumerate(entries)]
    return _grid_html(rows[0], tops, lines, typeset) + _rows_html([row for row in rows if row.formula], typeset, with_value=False)


def _table_html(row: Row, typeset: Typeset) -> str:
    formula, row = row, flatten_table(row)
    _, names = axis_labels(row, 1)
    numbered = not row.heads or row.heads[1] is None
    tops = [f'<th scope="col">{typeset(f"{row.over[1]} = {name}") if numbered else escape_prose(name)}</th>' for name in names]
    lines = [[(f"{row.name}[{i},{j}]", format_cell(row, x)) for j, x in enumerate(line)] for i, line in enumerate(row.value[:MAX_LINES])]
    return _rows_html([formula], typeset, with_value=False) + _grid_html(row, tops, lines, typeset)


def _grid_html(row: Row, tops: Sequence[str], lines: Sequence[Sequence[tuple[str, str]]], typeset: Typeset) -> str:
    """Return a table of cells (name of the step, text), with the headings `tops` above and the entries of the first index on the left."""
    title, names = axis_labels(row, 0)
    corner = typeset(title) if title == row.over[0] else f"<code>{title}</code>"
    body = [
        f'<th scope="row">{escape_prose(name)}</th>' + "".join(f'<td data-step="{place}">{escape(text)}</td>' for place, text in line)
        for name, line in zip(names[:MAX_LINES], lines)
    ]
    more = f"<p>... and {len(names) - MAX_LINES} more</p>" if len(names) > MAX_LINES else ""
    table = html_table(f'<th scope="col">{corner}</th>{"".join(tops)}', body, attributes=DATA)
    return f"<div{SCROLL_STYLE}>{table}</div>{more}"


def _rows_html(rows: Sequence[Row], typeset: Typeset, with_value: bool = True) -> str:
    """Return one line for each row: name, formula with its sentence, and value.  Wide content scrolls inside its cell."""
    if not rows:
        return ""
    out = []
    for row in rows:
        result = f'<td{VALUE_STYLE} data-step="{row.name}"><strong>{escape_prose(format_value(row))}</strong></td>' if with_value else ""
        formula = " ".join(typeset(smaller) for piece in equation_parts(row, with_value=not with_value) for smaller in break_piece(piece))
        out.append(
            f'<th scope="row"{NAME_STYLE}><code>{row.name}</code></th>'
            f"<td{LEFT}><div{FLOW_STYLE}><div{FORMULA_STYLE}>{formula}</div><div{SENTENCE_STYLE}>{escape_prose(row.sentence)}</div></div></td>{result}"
        )
    return html_table("", out, attributes=TABLE_STYLE)


# Untrusted notebooks and other pages do not load the style sheet, so the elements contain their styles.
TABLE_STYLE = ' class="fstats-lines" style="table-layout:fixed;width:100%"'
NAME_STYLE = ' style="text-align:left;vertical-align:top;width:9.5em;overflow-wrap:anywhere"'
WRAP_STYLE = ' style="overflow-wrap:anywhere"'
VALUE_STYLE = ' style="vertical-align:top;width:18%;overflow-wrap:anywhere"'
SCROLL_STYLE = ' style="overflow-x:auto"'
FLOW_STYLE = ' style="display:flex;flex-wrap:wrap;gap:2px 20px"'
FORMULA_STYLE = ' style="flex:3 1 240px;min-width:0;padding:3px 0;overflow-x:auto;overflow-y:hidden"'
SENTENCE_STYLE = ' style="flex:2 1 200px;min-width:0"'
