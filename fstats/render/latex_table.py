"""LaTeX tables with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Sequence


def latex_tabular(
    heads: Sequence[str],
    blocks: Sequence[Sequence[Sequence[str]]],
    *,
    caption: str = "",
    label: str = "",
    remarks: Sequence[str] = (),
    fit: bool = False,
) -> str:
    r"""Return a ``tabular`` of cells that are already LaTeX: the first column aligned left, the others right, a rule between blocks.

    The remarks become comments in the LaTeX source.  With a caption or a label, the ``tabular`` is inside a ``table``.  With `fit`, a table
    that is wider than the line is made smaller (by the package graphicx).

    >>> print(latex_tabular(["", "A"], [[["iris", "$1$"]]]))
    \begin{tabular}{@{}lr@{}}
    \toprule
     & A \\
    \midrule
    iris & $1$ \\
    \bottomrule
    \end{tabular}
    """
    lines = [rf"\begin{{tabular}}{{@{{}}l{'r' * (len(heads) - 1)}@{{}}}}", r"\toprule", _table_row(heads)]
    for block in blocks:
        lines += [r"\midrule", *map(_table_row, block)]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if fit:
        lines = [r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", *lines[:-1], lines[-1] + "}"]
    if caption or label:
        above = [r"\begin{table}", r"\centering"] + [rf"\caption{{{caption}}}"] * bool(caption) + [rf"\label{{{label}}}"] * bool(label)
        lines = [*above, *lines, r"\end{table}"]
    return "\n".join([*(f"% {' '.join(remark.split())}" for remark in remarks), *lines])


def _table_row(cells: Sequence[str]) -> str:
    line = " & ".join(cells) + r" \\"
    # LaTeX reads [ or * after the \\ of the previous row as an argument, so begin the row with {}
    return "{}" + line if line.startswith(("[", "*")) else line
