"""Tables for LaTeX, in the rules of the package booktabs."""

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
    r"""Cells that are LaTeX already as a ``tabular``: the first column to the left, the others to the right, a rule between blocks.

    Remarks become comments, for whoever reads the source; with a caption or a label all of it stands in a ``table``.
    To `fit` is to be made smaller where it is wider than a line (by the package graphicx).

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
    return "{}" + line if line.startswith(("[", "*")) else line  # which would belong to the line break before
