"""Result tables of a comparison: the ranking of the classifiers, and the 2x2 table of right and wrong answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...guide.recommendation import public_class
from ...render.display_table import Table
from ...render.latex import escape_document_text
from ...render.latex_table import latex_tabular


def ranking_table(comparison: Any) -> Table:
    """Table of the classifiers, the best first."""
    if comparison.kind == "data sets":
        results, mean_ranks, means = comparison.results, comparison.results.mean_ranks, comparison.results.scores.mean(0)
        order = np.argsort(mean_ranks, kind="stable")
        first = results.classifiers[order[0]]
        against = ["/".join(map(str, counts[::-1])) for counts in results.wins_draws_losses(first)]
        lines = [[results.classifiers[j], mean_ranks[j], means[j], against[j] if k else "–"] for k, j in enumerate(order)]
        return Table(["classifier", "mean rank", mean_heading(results.metric), f"wins / draws / losses against {first}"], lines)
    if comparison.kind == "rankings":
        y, first = comparison._variables["y"], comparison.columns[comparison.classifiers[0]]
        auc = {name: float(public_class("DeLong")(y, x, first).auc_a) for name, x in comparison.columns.items()}
        return Table(["classifier", "area under the ROC curve"], sorted(auc.items(), key=lambda line: -line[1]))
    sign = 1 if comparison.records or comparison.results.higher_is_better else -1
    means = sorted(((name, float(np.mean(x)), len(x)) for name, x in comparison.columns.items()), key=lambda line: -sign * line[1])
    counted = {"records": "records", "runs": "runs", "folds": "splits"}[comparison.kind]
    return Table(["classifier", "accuracy" if comparison.records else mean_heading(comparison.results.metric), counted], means)


def mean_heading(metric: str) -> str:
    """Return the heading of means of a metric, which may be a mean itself.

    >>> mean_heading("accuracy"), mean_heading("mean IoU")
    ('mean accuracy', 'mean IoU')
    """
    return metric if metric.lower().startswith(("mean ", "mean_", "average ", "avg")) else f"mean {metric}"


def contingency_table(comparison: Any) -> Table | None:
    """2x2 table of the records on which two classifiers are right or wrong; None for other comparisons."""
    if comparison.kind != "records" or len(comparison.classifiers) != 2:
        return None
    (first, second), right = comparison.classifiers, [*comparison.columns.values()]
    (both, only_first), (only_second, neither) = (
        public_class("PairedTable")([1] * len(right[0]), *right).table[::-1, ::-1].astype(int).tolist()
    )
    lines = [
        [f"{first} right", both, only_first, both + only_first],
        [f"{first} wrong", only_second, neither, only_second + neither],
        ["records", both + only_second, only_first + neither, both + only_first + only_second + neither],
    ]
    return Table(["", f"{second} right", f"{second} wrong", "records"], lines, f"Answers of {first} and {second}")


def contingency_latex(table: Table) -> str:
    """Return a 2x2 table with its sums as LaTeX."""
    heads, *lines = [[escape_document_text(str(cell)) for cell in line] for line in (table.heads, *table.lines)]
    return latex_tabular(heads, [lines[:-1], lines[-1:]]) + "\n"
