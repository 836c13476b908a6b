"""Naive K-fold cross-validated McNemar test."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...core.arithmetic_steps import sum_step
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import UPPER_TAIL
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, CountsLike, Value
from ...distributions.continuous_distributions import ChiSquared
from ..contingency.discordant_records import discordant_counts_text
from .algorithm_comparison import TwoAlgorithms, contingency_cells, values_for_each
from .split_plans.split_plan import TEN_FOLD
from .split_scores.split_scores import Scores

of_each_fold = values_for_each("fold", "counts", check.counts)


class NaiveKFoldMcNemar(TwoAlgorithms):
    r"""Naive k-fold McNemar test: do two learning algorithms differ in accuracy over the folds of one data set?

    Origin: published, Wang and Li, Block-regularized 5x2 cross-validated McNemar's test.

    McNemar's statistics of K folds are added as if the folds were independent:

    .. math:: \chi^2 = \sum_k \frac{\max(0, |n_{01,k} - n_{10,k}| - 1)^2}{n_{01,k} + n_{10,k}}

    is compared with the chi-squared distribution with K degrees of freedom.  The test is called naive, because **this test should not be
    used**.

    Parameters
    ----------
    n01 : array_like of int, shape (K,) or (K, ...)
        Number of test records that A gets wrong and B right, in each of K >= 2 folds (10 in the plan).  Further axes are repetitions.
    n10 : array_like of int, shape (K,) or (K, ...)
        Number of test records that A gets right and B wrong, in each fold.
    empty : {"zero", "drop"}
        Treatment of a fold without discordant records.  "zero": such a fold adds 0 to the statistic and 1 to the degrees of freedom.
        "drop": such a fold is left out of the statistic and of the degrees of freedom.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided"}
        No one-sided alternative is possible, because squared statistics have no sign.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The training sets of the folds overlap, so the statistics of the folds are correlated.  Squares also add up if the folds disagree
    about the better algorithm.  The paper of Wang and Li does not say how a fold without discordant records counts; the type I errors
    printed there fit "drop" better.  Equal counts in a fold give the statistic 0.  Without any discordant record p = 1.

    Worst level found in the stored studies, at alpha = 0.05: 1.00 (rules by a coin in every training, rules right .80 and .70,
    n = 1,500).

    Raises
    ------
    ValueError, TypeError
        For counts that are negative, fractional or not numbers, fewer than two folds, different folds in n01 and n10, an
        unknown value of empty, a one-sided alternative, a level outside (0, 1).

    References
    ----------
    Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 3, Eq. 5,
    and section 5, test (IV)(2).

    Examples
    --------
    The first of two folds has 4 discordant records, the second has none: (4 - 1)**2 / 4 = 2.25.

    >>> import fstats
    >>> for empty in ("zero", "drop"):
    ...     test = fstats.NaiveKFoldMcNemar([4, 0], [0, 0], empty=empty)
    ...     print(test.statistic, test.df, round(test.pvalue, 4))
    2.25 2 0.3247
    2.25 1 0.1336
    """

    plan = TEN_FOLD
    required_results = ("tables",)
    tails = UPPER_TAIL
    parameter = r"\pi_A - \pi_B"
    compares = "accuracy"
    caution = "The folds' training sets overlap, so their statistics are not independent, although the sum assumes it; use another test."

    n01: CountsLike = input_field("n_{01,k}", "Test records of each fold that A gets wrong and B right.", over="k", check=of_each_fold)
    n10: CountsLike = input_field(
        "n_{10,k}", "Test records of each fold that A gets right and B wrong.", over="k", check=of_each_fold, like="n01"
    )

    empty: Literal["zero", "drop"] = input_field(
        r"\text{empty}", "Treatment of a fold without discordant records.", default="zero", kw_only=True
    )

    @classmethod
    def _inputs_from(cls, scores: Scores) -> dict[str, Any]:
        n = contingency_cells(scores)
        return {"n01": n[0, 1], "n10": n[1, 0]}

    @step("n_k", "$n01 + $n10", over="k", check=of_each_fold)
    def n(self) -> Array:
        """Number of discordant records of each fold: exactly one algorithm is right."""
        return self.n01 + self.n10

    @step(r"\chi^2_k", r"\frac{\max\{0,\ |$n01 - $n10| - 1\}^2}{$n}", over="k", check=check.nonnegative)
    def statistics(self) -> Value:
        """McNemar's statistic of each fold; 0 if the counts are equal or both are 0."""
        return ratio(np.maximum(0, abs(self.n01 - self.n10) - 1) ** 2, self.n)

    statistic = sum_step(r"\chi^2", "statistics", "k", "Sum of McNemar's statistics of the folds.", check=check.nonnegative)

    @step(r"\nu", {"zero": r"\#\{k : $n\}", "drop": r"\max\{1,\ \#\{k : $n > 0\}\}"}, by="empty", check=check.count(1))
    def df(self) -> Any:
        """Degrees of freedom: number of folds, with "drop" without the folds that have no discordant records."""
        return len(self.n) if self.empty == "zero" else np.maximum(1, (self.n > 0).sum(0))

    @step("X_0", r"\chi^2_{$df}", relation=r"\sim")
    def null(self) -> ChiSquared:
        """Distribution of the sum under H0 for independent folds: each algorithm is right on a discordant record with probability 1/2."""
        return ChiSquared(self.df)

    @step("g", r"\frac{\sum_k ($n10 - $n01)}{2 \sum_k $n}", after=True, check=check.number_between(-0.5, 0.5))
    def effect_size(self) -> Value:
        """Cohen's g: share of the discordant records that A gets right, minus one half; 0 without discordant records."""
        return ratio((self.n10 - self.n01).sum(0), 2 * self.n.sum(0))

    @step("D_k", "$n10 - $n01", over="k", after=True, aside=True)
    def imbalance(self) -> Array:
        """Imbalance of each fold: number of records that only A gets right minus number of records that only B gets right."""
        return self.n10 - self.n01

    @step(r"\bar D", r"\frac{\sum_k $imbalance}{\#\{k : $imbalance\}}", after=True, aside=True)
    def mean_imbalance(self) -> Value:
        """Mean imbalance over the folds."""
        return self.imbalance.sum(0) / len(self.imbalance)

    _scatter_formula = r"\frac{\#\{k : $imbalance\} \sum_k ($imbalance - $mean_imbalance)^2}{(\#\{k : $imbalance\} - 1) \sum_k $n}"

    @step(r"\hat\varphi", _scatter_formula, after=True, check=check.nonnegative)
    def scatter(self) -> Value:
        """Variability between the folds, relative to independent records; above 1 if training adds variability."""
        folds = len(self.imbalance)
        return ratio(folds * ((self.imbalance - self.mean_imbalance) ** 2).sum(0), (folds - 1) * self.n.sum(0))

    @property
    def effect_text(self) -> str:
        """Size of the difference as text: number of records on which only A is right, and number on which only B is right."""
        return discordant_counts_text(self.n10.sum(0), self.n01.sum(0))

    @property
    def _degenerate_data_note(self) -> str:
        if np.ndim(self.statistic) or self.n.any():
            return ""
        return "The algorithms are right and wrong on the same records: the data give no evidence against H0."
