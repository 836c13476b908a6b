"""2x2 contingency table of paired predictions.

The table counts the records on which both classifiers, only A, only B, or neither is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy import sqrt
from scipy import special

from ...core.classifier_pair import TwoClassifiers
from ...core.step import input_field, step
from ...core.validation import check, class_labels, result_checks
from ...core.value_types import Array, Interval, Value
from ..resampling.block_regularized.contingency_table_posterior import TablePosteriors


class PairedTable(TwoClassifiers):
    """2x2 table of paired predictions: number of records on which both, one or none of two classifiers is right.

    Origin: published, Agresti and Min (2005).

    Parameters
    ----------
    y_true, pred_a, pred_b : array_like, shape (records,) or (records, ...)
        The true class of each record and the two predictions, as text, booleans or integers.  A predicted class that does not occur in
        y_true counts as a wrong prediction.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    alpha : float
        Level of the confidence interval for the difference of the accuracies.

    Notes
    -----
    The confidence interval takes into account that both classifiers are tested on the same records.  The interval adds half a record to
    each cell of the table.  With few discordant records the interval is too short.  To show equivalence with fewer than 25 discordant
    records, use the exact limit that :func:`fstats.which_test` prints.

    Raises
    ------
    ValueError, TypeError
        If the lists have different lengths, labels are missing, text and numbers are mixed, or the values are real numbers, such as
        probabilities or predictions of a regression, which are not classes.

    References
    ----------
    Agresti and Min (2005), Simple improved confidence intervals for comparing matched proportions, Statistics in Medicine 24,
    pages 729 to 740.

    Examples
    --------
    >>> PairedTable(list("xxyy"), list("xyyy"), list("xxxx")).table
    array([[0., 1.],
           [2., 1.]])
    """

    scored = ("pred_a", "pred_b")
    names_by_index: ClassVar[Mapping[str, Any]] = {"u": ("A wrong", "A right"), "v": ("B wrong", "B right")}

    y_true: Any = input_field("y", "True class of each record.", over="r", check=class_labels.class_labels)
    pred_a: Any = input_field(r"\hat y_A", "Prediction of classifier A.", over="r", check=class_labels.class_labels, like="y_true")
    pred_b: Any = input_field(r"\hat y_B", "Prediction of classifier B.", over="r", check=class_labels.class_labels, like="y_true")

    in_report: ClassVar[Mapping[str, str]] = {
        "records": "{} records",
        "n10": "n10 = {} (only A right)",
        "n01": "n01 = {} (only B right)",
        "difference": "difference of the accuracies {}",
        "difference_ci": "interval {}",
    }

    alpha: float = input_field(r"\alpha", "Level of the confidence interval.", check=check.level, default=0.05, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        labels: dict[str, Any] = {name: self.__dict__[name] for name in ("y_true", "pred_a", "pred_b") if name in self.__dict__}
        if len(labels) > 1:
            class_labels.check_same_label_kind(labels)

    @step("n_{uv}", r"\#\{r : [$pred_a = $y_true] = u,\ [$pred_b = $y_true] = v\}", over="uv", check=check.counts)
    def table(self) -> Array:
        """Number of records in each cell of the 2x2 table: row 1 (0) if A is right (wrong), column 1 (0) if B is right (wrong)."""
        right_a, right_b = self.pred_a == self.y_true, self.pred_b == self.y_true
        return np.array([[(a & b).sum(0) for b in (~right_b, right_b)] for a in (~right_a, right_a)], float)

    @step("n_{01}", r"$table \text{ with } u = 0,\ v = 1", check=check.counts)
    def n01(self) -> Value:
        """Number of records on which only B is right."""
        return self.table[0, 1]

    @step("n_{10}", r"$table \text{ with } u = 1,\ v = 0", check=check.counts)
    def n10(self) -> Value:
        """Number of records on which only A is right."""
        return self.table[1, 0]

    records = TablePosteriors.n.restated("Number of records.", symbol="N", check=check.count(1))

    @step("c_A", r"\sum_v n_{1v} \text{ of } $table", check=check.counts)
    def correct_a(self) -> Value:
        """Number of records on which A is right."""
        return self.table[1].sum(0)

    @step("c_B", r"\sum_u n_{u1} \text{ of } $table", check=check.counts)
    def correct_b(self) -> Value:
        """Number of records on which B is right."""
        return self.table[:, 1].sum(0)

    @step(r"\hat\pi_A - \hat\pi_B", r"\frac{$n10 - $n01}{$records}", check=check.number_between(-1, 1))
    def difference(self) -> Value:
        """Difference of the accuracies on the same records; positive if A is better."""
        return (self.n10 - self.n01) / self.records

    @step("z", r"\Phi^{-1}\left(1 - $alpha / 2\right)", check=check.positive)
    def normal_quantile(self) -> Value:
        """Quantile of the normal distribution: a normal variable is between -z and z with probability 1 - alpha."""
        return special.ndtri(1 - self.alpha / 2)

    @step("h", r"\frac{$normal_quantile}{$records + 2} \sqrt{$n10 + $n01 + 1 - \frac{($n10 - $n01)^2}{$records + 2}}", check=check.positive)
    def half_width(self) -> Value:
        """Half of the width of the interval: z standard errors, with half a record added to each cell."""
        total, difference = self.records + 2, self.n10 - self.n01
        return self.normal_quantile * sqrt(self.n10 + self.n01 + 1 - difference**2 / total) / total

    @step(r"\mathrm{CI}", r"\frac{$n10 - $n01}{$records + 2} \mp $half_width", over="e", check=result_checks.interval_ends)
    def difference_ci(self) -> Interval:
        """Confidence interval for the difference of the accuracies (Wald's interval with half a record added to each cell)."""
        center = (self.n10 - self.n01) / (self.records + 2)
        return Interval(np.maximum(center - self.half_width, -1.0), np.minimum(center + self.half_width, 1.0))
