"""Worked rows as HTML: in a notebook with MathJax, in a live explorer with MathML, which needs no typesetting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import escape

from ..core.procedure import Procedure
from ..core.worked_example_row import Row
from ..runtime.optional_dependencies import needs
from .display_table import DATA, LEFT, html_table
from .formula_line_breaks import breakable
from .latex import pieces
from .plain_text import title
from .row_layout import SHOWN, Block, blocks, cell, flat, heads, value

Typeset = Callable[[str], str]


def mathjax(tex: str) -> str:
    """For outputs of cells: MathJax finds the dollars."""
    return escape(rf"$\displaystyle {tex}$", quote=False)


def mathml(tex: str) -> str:
    """For live pictures: MathML, converted once for each form of a formula; only the numbers in it change."""
    numbers: list[str] = []

    def hole(found: re.Match[str]) -> str:
        numbers.append(found[0])
        return chr(_HOLE + len(numbers) - 1)

    form = _converted(_NUMBER.sub(hole, tex))
    for k, number in enumerate(numbers):
        form = re.sub(rf"<m[io]>{chr(_HOLE + k)}</m[io]>", f"<mn>{number}</mn>", form)
    return form


COLON = '<mo lspace="0.28em" rspace="0.28em">:</mo>'  # a relation, as in TeX; the converter takes it for a variable
_HOLE = 0xE000  # private characters stand for the numbers
_NUMBER = re.compile(r"(?<![\w.{])\d+(\.\d+)?(?![\w.}])")  # whole: not the 0 of {-0.6}


@lru_cache(512)
def _converted(tex: str) -> str:
    with needs("explore", "a formula in MathML"):
        from latex2mathml.converter import convert

    return str(convert(tex)).replace('display="inline"', 'displaystyle="true"').replace("<mi>:</mi>", COLON)


def as_html(test: Procedure, typeset: Typeset = mathjax) -> str:
    """The worked example for a notebook."""
    name, question = title(test)
    head = f"<p><strong>{escape(name)}</strong>: {escape(question)}</p>"
    return f'<div class="fstats">{head}{body(test.worked(), typeset)}</div>'


def body(rows: Iterable[Row], typeset: Typeset) -> str:
    """The rows without a heading; those that few ask for behind a line that unfolds them, before the conclusion."""
    rows = list(rows)
    out = [_block(block, typeset) for block in blocks(row for row in rows if not row.aside)]
    if aside := [row for row in rows if row.aside]:
        names = ", ".join(f"<code>{row.name}</code>" for row in aside)
        folded = "".join(_block(block, typeset) for block in blocks(aside))
        last = len(out) - (rows[-1].kind == "conclusion")
        out.insert(last, f"<details><summary>Further steps: {names}</summary>{folded}</details>")
    return "".join(out)


def _block(block: Block, typeset: Typeset) -> str:
    """Rows that are shown together."""
    if block.kind == "settings":
        return f"<p{WRAPPED}>" + "; ".join(_setting(row, typeset) for row in block.rows) + "</p>"
    if block.kind == "columns":
        return columns(block.rows, typeset)
    if block.kind == "table":
        return _table(block.rows[0], typeset)
    if block.kind == "conclusion":
        return f'<p data-step="conclusion"><strong>{prose(block.rows[0].value)}</strong></p>'
    return _lines(block.rows, typeset)


def prose(text: str) -> str:
    r"""Words, in which a dollar is a dollar: alone in an element it cannot open a formula.

    No line ends between a number and its sign; a long name is broken where one of its words begins.

    >>> prose("p = 0.05 in 95 % of all runs") == "p\xa0=\xa00.05 in 95\xa0% of all runs"
    True
    >>> prose("LinearDiscriminantAnalysis"), prose("LinearSVC")
    ('Linear<wbr>Discriminant<wbr>Analysis', 'LinearSVC')
    """
    kept = _TOGETHER.sub("\xa0", escape(text)).replace("$", "<span>$</span>")
    return _LONG.sub(lambda name: _PART.sub("<wbr>", name[0]), kept)


_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=\w) (?=(?:=|&lt;|≤|±) -?\d)|(?<= [=≤±]) (?=-?\d)|(?<= &lt;) (?=-?\d)")
_LONG, _PART = re.compile(r"\b[A-Za-z][\w.]{15,}"), re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=_)(?=\w)|(?<=[A-Za-z]\.)(?=[A-Za-z])")


def _whose(row: Row) -> str:
    return f"<br>{prose(row.whose)}" if row.whose else ""


def _setting(row: Row, typeset: Typeset) -> str:
    if row.formula:
        return typeset(f"{row.symbol}: {row.formula}") + f' (<code>{row.name}="{prose(str(row.value))}"</code>)'
    return f'<code>{row.name}</code> = <span data-step="{row.name}">{prose(value(row))}</span>'


def columns(rows: Sequence[Row], typeset: Typeset) -> str:
    """Columns over one index, named or numbered from 1, with a line for each formula below."""
    tops = [
        f'<th scope="col" title="{escape(row.sentence)}">{typeset(row.symbol)}<br><code>{row.name}</code>{_whose(row)}</th>' for row in rows
    ]
    entries = zip(*(row.value for row in rows), strict=True)
    lines = [[(f"{row.name}[{k}]", cell(row, x)) for row, x in zip(rows, line, strict=True)] for k, line in enumerate(entries)]
    return _grid(rows[0], tops, lines, typeset) + _lines([row for row in rows if row.formula], typeset, with_value=False)


def _table(row: Row, typeset: Typeset) -> str:
    formula, row = row, flat(row)
    _, names = heads(row, 1)
    numbered = not row.heads or row.heads[1] is None
    tops = [f'<th scope="col">{typeset(f"{row.over[1]} = {name}") if numbered else prose(name)}</th>' for name in names]
    lines = [[(f"{row.name}[{i},{j}]", cell(row, x)) for j, x in enumerate(line)] for i, line in enumerate(row.value)]
    return _lines([formula], typeset, with_value=False) + _grid(row, tops, lines, typeset)


def _grid(row: Row, tops: Sequence[str], lines: Sequence[Sequence[tuple[str, str]]], typeset: Typeset) -> str:
    """Cells (which step each shows, and its text) below their heads and beside the names of this row's first index."""
    title, names = heads(row, 0)
    corner = typeset(title) if title == row.over[0] else f"<code>{title}</code>"
    body = [
        f'<th scope="row">{prose(name)}</th>' + "".join(f'<td data-step="{place}">{escape(text)}</td>' for place, text in line)
        for name, line in zip(names[:SHOWN], lines)
    ]
    more = f"<p>... and {len(names) - SHOWN} more</p>" if len(names) > SHOWN else ""
    table = html_table(f'<th scope="col">{corner}</th>{"".join(tops)}', body, attributes=DATA)
    return f"<div{SCROLLING}>{table}</div>{more}"


def _lines(rows: Sequence[Row], typeset: Typeset, with_value: bool = True) -> str:
    """A line for each: its name, its formula with its sentence, its value; whatever is too wide scrolls in its own cell."""
    if not rows:
        return ""
    out = []
    for row in rows:
        result = f'<td{VALUE} data-step="{row.name}"><strong>{prose(value(row))}</strong></td>' if with_value else ""
        formula = " ".join(typeset(smaller) for piece in pieces(row, with_value=not with_value) for smaller in breakable(piece))
        out.append(
            f'<th scope="row"{NAME}><code>{row.name}</code></th>'
            f"<td{LEFT}><div{FLOWING}><div{FORMULA}>{formula}</div><div{SENTENCE}>{prose(row.sentence)}</div></div></td>{result}"
        )
    return html_table("", out, attributes=FULL)


# Untrusted notebooks and other pages know no style sheet of ours: what a cell needs stands in it.
FULL = ' class="fstats-lines" style="table-layout:fixed;width:100%"'
NAME = ' style="text-align:left;vertical-align:top;width:9.5em;overflow-wrap:anywhere"'
WRAPPED = ' style="overflow-wrap:anywhere"'
VALUE = ' style="vertical-align:top;width:18%;overflow-wrap:anywhere"'
SCROLLING = ' style="overflow-x:auto"'
FLOWING = ' style="display:flex;flex-wrap:wrap;gap:2px 20px"'
FORMULA = ' style="flex:3 1 240px;min-width:0;padding:3px 0;overflow-x:auto;overflow-y:hidden"'
SENTENCE = ' style="flex:2 1 200px;min-width:0"'
