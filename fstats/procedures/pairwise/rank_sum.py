"""Wilcoxon rank-sum test (Mann-Whitney U test)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy import sqrt

from ...core.numerics.average_ranks import average_ranks, pooled_sample
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import ASYMMETRIC_TAILS
from ...core.step import count_step, input_field, step
from ...core.validation import check, result_checks
from ...core.validation.stated_value_consistency import check_sum, check_upper_bound
from ...core.value_types import Array, Interval, ScoresLike, Value
from ...distributions.continuous_distributions import Normal
from ...distributions.exact_rank_distributions import ROUGH_APPROXIMATION_NOTE, DrawnRankSum
from .confidence_interval import interval_disagreement_note, rank_interval, rank_interval_formulas
from .hodges_lehmann import SortedPairSums
from .independent_samples import IndependentSamples, sample_scores

FEW_SCORES = 400  # up to this number of scores, the exact distribution is always computed


class RankSum(IndependentSamples):
    r"""Wilcoxon rank-sum test: does one classifier tend to score higher than another, each on its own independent data sets (or runs)?

    Origin: published, Wilcoxon (1945); Mann and Whitney (1947).

    The scores of both classifiers are ranked together, 1 = smallest.  The smallest possible rank sum of A is subtracted from the rank sum
    of A:

    .. math:: U = \sum_i R_i - \frac{n_x (n_x + 1)}{2},

    Each data set of classifier A forms a pair with each data set of classifier B. The statistic U is the number of pairs in which
    classifier A has the higher score; each tie counts one half.

    Parameters
    ----------
    x, y : array_like, shapes (n_x,) and (n_y,), or (n_x, ...) and (n_y, ...)
        Scores of classifier A and of classifier B on their own data sets, at least 2 each.  Further axes are independent
        repetitions, the same for both.
    method : {"exact", "normal"}, optional
        "exact" enumerates all ways to draw n_x of the observed ranks.  Without ties the exact method allows up to 2,896 + 2,896 scores.
        With ties it allows about 320 + 320 scores, and more if one sample is small or few scores are distinct.  If only two distinct
        scores occur, the exact test is Fisher's exact test and allows practically any sample size.  "normal" is the normal approximation
        with the same mean and variance, without continuity correction.  The normal approximation allows any sample size, but is rough if
        most scores are equal.  By default, the method is exact if possible, and `remark` says if it is not; the exact method takes some
        seconds for more than 2,000 scores each.  The confidence interval is computed by the same method.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses.  With False, the lowest score has the highest rank, and a shift is the score of B minus the score of
        A.
    metric, unit : str
        Name of the metric, such as "RMSE", and name of the unit of analysis, such as "seed"; both are used in sentences.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A tends to be better (U large), "less" that A tends to be worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    With ties the null distribution is not symmetric: there are two critical values, and the two-sided p is twice the smaller tail
    probability, at most 1.  Scores that differ only by rounding noise are tied, as in :class:`fstats.SignedRank`.  The estimate of the
    shift and its confidence interval come from the differences of all pairs and the null distribution without ties.  The samples must be
    independent of each other; for scores on the *same* data sets use :class:`fstats.SignedRank`.  If all scores are equal, p = 1.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two scores, a value is not a finite number, the repetitions differ, the method or the alternative is
        unknown, the level is outside (0, 1), or ``method="exact"`` is stated for too many scores.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, pages 80 to 83.  Mann and Whitney (1947),
    Annals of Mathematical Statistics 18, pages 50 to 60.  Hodges and Lehmann (1963), Estimates of location based on rank tests,
    Annals of Mathematical Statistics 34, pages 598 to 611.  Course slides T7, slide "Non-parametric case: the Wilcoxon signed-rank
    test", table of Wilcoxon tests.

    Examples
    --------
    All three scores of A are below the three scores of B: U = 0 has probability 1/20, and the two-sided p is 2/20.

    >>> import fstats
    >>> test = fstats.RankSum([1, 2, 3], [4, 5, 6])
    >>> print(test.statistic, test.pvalue)
    0.0 0.1
    """

    tails = ASYMMETRIC_TAILS
    parameter = r"\Delta"
    compares = "typical score"
    estimated_by = "estimate"

    x: ScoresLike = input_field("x_i", "Scores of classifier A.", over="i", check=sample_scores, unit="score")
    y: ScoresLike = input_field("y_j", "Scores of classifier B, on its own data sets.", over="j", check=sample_scores, unit="score")
    method: Literal["exact", "normal"] = input_field(
        r"\text{method}", "Method of computing the null distribution.", default=None, kw_only=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.__dict__
        if values.get("method", "exact") is None:
            size = len(values.get("x", ())) + len(values.get("y", ())) or len(values.get("ranks", ()))
            is_normal = size > FEW_SCORES and not DrawnRankSum(self.ranks, int(self.n_x)).is_computable
            values |= {"method": "normal" if is_normal else "exact", "_fell_back": is_normal}

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Check that all given ranks together add up to 1 + ... + N, with or without ties."""
        if "ranks" in known:
            total = len(known["ranks"])
            check_sum("ranks", known["ranks"].sum(0), total * (total + 1) / 2, "1 + ... + N, the sum of N ranks")
            if "n_x" in known and "n_y" in known:
                check_sum("n_x and n_y", known["n_x"] + known["n_y"], total, "the number of ranks")
        if "n_x" in known and "n_y" in known and "statistic" in known:
            check_upper_bound("statistic", known["statistic"], known["n_x"] * known["n_y"], "n_x n_y")

    n_x = count_step("n_x", "x", "i", "Number of data sets of A.", check=check.count(1))

    n_y = count_step("n_y", "y", "j", "Number of data sets of B.", check=check.count(1))

    @property
    def directed_samples(self) -> tuple[Any, Any]:
        """Scores of both samples; the sign of errors is reversed, so that the highest value is always the best."""
        return (self.x, self.y) if self.higher_is_better else (-self.x, -self.y)

    _ranks_formula: ClassVar = {True: r"\mathrm{rank}($x, $y)", False: r"\mathrm{rank}(-$x, -$y)"}

    @step("R_k", _ranks_formula, by="higher_is_better", over="k", check=check.half_integers)
    def ranks(self) -> Array:
        """Rank of each score among the scores of both classifiers, 1 = worst; scores of A come first; equal scores share the mean rank."""
        return average_ranks(pooled_sample(*self.directed_samples))

    @step("W", r"\sum_{k \leq $n_x} $ranks", check=check.half_integers)
    def rank_sum(self) -> Value:
        """Sum of the ranks of the scores of A."""
        return self.ranks[: self.n_x].sum(0)

    @step("U", r"$rank_sum - \frac{$n_x ($n_x + 1)}{2}", check=check.half_integers)
    def statistic(self) -> Value:
        """Number of pairs (one data set of A, one of B) in which A is better; each tie counts one half."""
        return self.rank_sum - self.n_x * (self.n_x + 1) / 2

    _null_formula: ClassVar = {
        "exact": r"\text{ranks of } $n_x \text{ drawn from } $ranks, \text{ summed, less the least}",
        "normal": r"\mathrm{Normal}\left(\frac{$n_x $n_y}{2},\ \frac{$n_x $n_y}{N (N - 1)} \sum_k ($ranks - \bar R)^2\right)",
    }

    @step("U_0", _null_formula, by="method", relation=r"\sim")
    def null(self) -> DrawnRankSum | Normal:
        """Distribution of U under H0: the ranks of A are drawn at random from all ranks."""
        if self.method == "exact":
            return DrawnRankSum(self.ranks, self.n_x)
        pairs, total = self.n_x * self.n_y, self.n_x + self.n_y
        spread = ((self.ranks - (total + 1) / 2) ** 2).sum(0)
        return Normal(pairs / 2, sqrt(pairs / (total * (total - 1)) * spread))

    @property
    def interval_variant(self) -> str:
        """Key of the formula of the confidence interval: alternative, method and direction, such as "less normal of errors"."""
        return f"{self.alternative} {self.method}{'' if self.higher_is_better else ' of errors'}"

    _estimate_formula: ClassVar = {True: r"\mathrm{median}_{ij}($x - $y)", False: r"\mathrm{median}_{ij}($y - $x)"}

    @step(r"\hat\Delta", _estimate_formula, by="higher_is_better", after=True, unit="score")
    def estimate(self) -> Value:
        """Hodges-Lehmann estimate: the median of all differences between a score of A and a score of B."""
        return _pairwise_differences(*self.directed_samples).median

    @step("r", r"\frac{2\,$statistic}{$n_x $n_y} - 1", after=True, check=check.number_between(-1, 1))
    def effect_size(self) -> Value:
        """Rank-biserial correlation: 1 if A is better in every pair, -1 if B is better in every pair, 0 if each wins half of the pairs."""
        return ratio(2 * self.statistic, self.n_x * self.n_y) - 1

    _ci_formula = rank_interval_formulas("differences", "$x - $y") | {
        f"{key} of errors": formula for key, formula in rank_interval_formulas("differences", "$y - $x").items()
    }

    @step(r"\mathrm{CI}", _ci_formula, by="interval_variant", over="e", after=True, check=result_checks.interval_ends, unit="score")
    def ci(self) -> Interval:
        """Confidence interval: shifts that the test without ties would not reject; an end is open if the test with ties rejects it."""
        n_x, n_y = len(self.x), len(self.y)
        if self.method == "exact":
            untied: DrawnRankSum | Normal = DrawnRankSum(np.arange(1.0, n_x + n_y + 1), n_x)
        else:
            untied = Normal(n_x * n_y / 2, sqrt(n_x * n_y * (n_x + n_y + 1) / 12))
        return rank_interval(self, _pairwise_differences(*self.directed_samples), untied, n_x + n_y, self._shifted_test)

    def _shifted_test(self, shift: Value) -> RankSum:
        """Return the same test after a shift is subtracted from all scores of A."""
        ranks = average_ranks(pooled_sample(*self.directed_samples, shift))
        settings = {"method": self.method, "alternative": self.alternative, "alpha": self.alpha}
        return RankSum.from_steps(n_x=len(self.x), n_y=len(self.y), ranks=ranks, **settings)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and a note if the confidence interval and the decision of the test disagree."""
        if np.ndim(self.statistic):
            return ""
        if not np.ptp(self.ranks):
            return "All scores are equal: the data give no evidence against H0."
        if np.all(np.isinf(self.critical_value)):
            return "With so few scores, no outcome could have rejected H0 at this alpha."
        if self.__dict__.get("_fell_back"):
            ties = "with" if len(np.unique(self.ranks)) < len(self.ranks) else "without"
            return (
                f"The exact distribution of {self.n_x:,} and {self.n_y:,} scores {ties} ties is too large to compute: p comes from the "
                f"normal curve, without a bound of its error{', ' + ROUGH_APPROXIMATION_NOTE if ties == 'with' else ''}."
            )
        return interval_disagreement_note(self, "ties")

    @classmethod
    def from_sample_size(cls, n: Any, **settings: Any) -> Self:
        """Return the test for n = (n_x, n_y) scores without ties, for planning before there are data."""
        n_x, n_y = (check.count(1)(size, "n") for size in n)
        return cls.from_steps(n_x=n_x, n_y=n_y, ranks=np.arange(1.0, n_x + n_y + 1), **settings)


def _pairwise_differences(x: Array, y: Array) -> SortedPairSums:
    """Return the sorted differences between each score of A and each score of B."""
    pooled = pooled_sample(x, y)
    return SortedPairSums(pooled[: len(x)], -pooled[len(x) :])
