"""Wilcoxon's rank-sum test (Mann and Whitney's U)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy import sqrt

from ...core.numerics.average_ranks import average_ranks, pooled_sample
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import ASYMMETRIC_TAILS
from ...core.step import input_field, step
from ...core.validation import check, result_checks
from ...core.validation.stated_value_consistency import check_sum, check_upper_bound
from ...core.value_types import Array, Interval, ScoresLike, Value
from ...distributions.continuous_distributions import Normal
from ...distributions.exact_rank_distributions import DrawnRankSum
from .confidence_interval import interval_disagreement_note, rank_interval, rank_interval_formulas
from .hodges_lehmann import OrderedSums
from .independent_samples import IndependentSamples, sample_scores


class RankSum(IndependentSamples):
    r"""Wilcoxon rank-sum test: does one classifier tend to score higher, each scored on independent data sets (or runs) of its own?

    All scores are ranked together, 1 = smallest.  Of the sum of A's ranks the least possible sum is taken away:

    .. math:: U = \sum_i R_i - \frac{n_x (n_x + 1)}{2},

    the number of pairs (one data set of A, one of B) in which A scores higher, ties counted by half.

    Parameters
    ----------
    x, y : array_like, shapes (n_x,) and (n_y,), or (n_x, ...) and (n_y, ...)
        Scores of classifier A and of classifier B on data sets of their own, at least 2 each.  Further axes
        are independent repetitions, the same for both.
    method : {"exact", "normal"}
        "exact" takes all ways to draw n_x of these very ranks, without ties up to 2,896 + 2,896 scores, with ties up to about
        320 + 320 (more where one sample is small or where few scores are different; with two different scores, where the test is
        Fisher's exact one, at practically any size); "normal" is the approximation with the same mean and variance, without
        continuity correction, at any size, but rough where one score makes up most of the sample.  The interval comes from the
        same method.
    labels : list of str, optional
        Names of the two classifiers for sentences and heads, A's first; by default those of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses: then the lowest has the highest rank, and shifts are B's score less A's.
    metric, unit : str
        What the scores are, such as "RMSE", and what each is of, such as "seed"; sentences use these words.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A tends to be better (U large), "less" that A tends to be worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    With ties the null distribution is not symmetric; the two-sided p is twice the smaller tail, at most 1, and there are two
    critical values.  Scores tie that differ by rounding noise only, as in :class:`fstats.SignedRank`.  The interval and the estimate of
    the shift come from the differences of all pairs and the distribution without ties.  The samples must be independent of each other:
    scores on the *same* data sets belong into :class:`fstats.SignedRank`.  If all scores are equal then p = 1.

    Raises
    ------
    ValueError, TypeError
        For fewer than two scores, anything but finite numbers, repetitions that differ, an unknown word for method or
        alternative, a level outside (0, 1); for more scores than the exact distribution reaches.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, pages 80 to 83.  Mann and Whitney (1947),
    Annals of Mathematical Statistics 18, pages 50 to 60.  Hodges and Lehmann (1963), Estimates of location based on rank tests,
    Annals of Mathematical Statistics 34, pages 598 to 611.  Course slides T7, slide "Non-parametric case: the Wilcoxon signed-rank
    test", table of Wilcoxon tests.

    Examples
    --------
    A's three scores are all below B's three: U = 0, one of 20 ways, twice.

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
    y: ScoresLike = input_field("y_j", "Scores of classifier B, on other data sets.", over="j", check=sample_scores, unit="score")
    method: Literal["exact", "normal"] = input_field(
        r"\text{method}", "Where the null distribution comes from.", check=check.choice("exact", "normal"), default="exact", kw_only=True
    )

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """All ranks are A's or B's: without ties 1 + ... + N, and with them no more and no less."""
        if "ranks" in known:
            total = len(known["ranks"])
            check_sum("ranks", known["ranks"].sum(0), total * (total + 1) / 2, "1 + ... + N, as so many ranks do")
            if "n_x" in known and "n_y" in known:
                check_sum("n_x and n_y", known["n_x"] + known["n_y"], total, "the number of ranks")
        if "n_x" in known and "n_y" in known and "statistic" in known:
            check_upper_bound("statistic", known["statistic"], known["n_x"] * known["n_y"], "n_x n_y")

    @step("n_x", r"\#\{i : $x\}", check=check.count(1))
    def n_x(self) -> int:
        """Number of A's data sets."""
        return len(self.x)

    @step("n_y", r"\#\{j : $y\}", check=check.count(1))
    def n_y(self) -> int:
        """Number of B's data sets."""
        return len(self.y)

    @property
    def directed(self) -> tuple[Any, Any]:
        """Both samples, of errors with their signs turned: the highest is the best."""
        return (self.x, self.y) if self.higher_is_better else (-self.x, -self.y)

    @step(
        "R_k",
        {True: r"\mathrm{rank}($x, $y)", False: r"\mathrm{rank}(-$x, -$y)"},
        by="higher_is_better",
        over="k",
        check=check.half_integers,
    )
    def ranks(self) -> Array:
        """Rank of each score among all, A's first, 1 = the worst; equal scores share the mean of their ranks."""
        return average_ranks(pooled_sample(*self.directed))

    @step("W", r"\sum_{k \leq $n_x} $ranks", check=check.half_integers)
    def rank_sum(self) -> Value:
        """Sum of A's ranks."""
        return self.ranks[: self.n_x].sum(0)

    @step("U", r"$rank_sum - \frac{$n_x ($n_x + 1)}{2}", check=check.half_integers)
    def statistic(self) -> Value:
        """Pairs of data sets in which A is better, ties counted by half."""
        return self.rank_sum - self.n_x * (self.n_x + 1) / 2

    @step(
        "U_0",
        {
            "exact": r"\text{ranks of } $n_x \text{ drawn from } $ranks, \text{ summed, less the least}",
            "normal": r"\mathrm{Normal}\left(\frac{$n_x $n_y}{2},\ \frac{$n_x $n_y}{N (N - 1)} \sum_k ($ranks - \bar R)^2\right)",
        },
        by="method",
        relation=r"\sim",
    )
    def null(self) -> DrawnRankSum | Normal:
        """Distribution of U under H0: A's data sets are drawn from all by chance."""
        if self.method == "exact":
            return DrawnRankSum(self.ranks, self.n_x)
        pairs, total = self.n_x * self.n_y, self.n_x + self.n_y
        spread = ((self.ranks - (total + 1) / 2) ** 2).sum(0)
        return Normal(pairs / 2, sqrt(pairs / (total * (total - 1)) * spread))

    @property
    def interval_from(self) -> str:
        """Which ends the interval has, where they come from, and of what: "two-sided exact", "less normal of errors", ..."""
        return f"{self.alternative} {self.method}{'' if self.higher_is_better else ' of errors'}"

    @step(
        r"\hat\Delta",
        {True: r"\mathrm{median}_{ij}($x - $y)", False: r"\mathrm{median}_{ij}($y - $x)"},
        by="higher_is_better",
        after=True,
        unit="score",
    )
    def estimate(self) -> Value:
        """Hodges-Lehmann estimate: the middle of all differences between a score of A and a score of B."""
        return _pairwise_differences(*self.directed).median

    @step("r", r"\frac{2\,$statistic}{$n_x $n_y} - 1", after=True, check=check.number_between(-1, 1))
    def effect_size(self) -> Value:
        """Rank-biserial correlation: 1 if every score of A beats every score of B, -1 if none does, 0 if half of the pairs."""
        return ratio(2 * self.statistic, self.n_x * self.n_y) - 1

    @step(
        r"\mathrm{CI}",
        rank_interval_formulas("differences", "$x - $y")
        | {f"{key} of errors": formula for key, formula in rank_interval_formulas("differences", "$y - $x").items()},
        by="interval_from",
        over="e",
        after=True,
        check=result_checks.interval_ends,
        unit="score",
    )
    def ci(self) -> Interval:
        """Confidence interval: the shifts that the untied test would not reject at alpha; an end that this one rejects is open."""
        n_x, n_y = len(self.x), len(self.y)
        if self.method == "exact":
            untied: DrawnRankSum | Normal = DrawnRankSum(np.arange(1.0, n_x + n_y + 1), n_x)
        else:
            untied = Normal(n_x * n_y / 2, sqrt(n_x * n_y * (n_x + n_y + 1) / 12))
        return rank_interval(self, _pairwise_differences(*self.directed), untied, n_x + n_y, self._shifted)

    def _shifted(self, by: Value) -> RankSum:
        """The same test of scores of A that are lower by so much."""
        ranks = average_ranks(pooled_sample(*self.directed, by))
        settings = {"method": self.method, "alternative": self.alternative, "alpha": self.alpha}
        return RankSum.from_steps(n_x=len(self.x), n_y=len(self.y), ranks=ranks, **settings)

    @property
    def remark(self) -> str:
        """Why degenerate data are answered as they are, and where interval and decision do not agree."""
        if np.ndim(self.statistic):
            return ""
        if not np.ptp(self.ranks):
            return "All scores are equal: nothing speaks against H0."
        if np.all(np.isinf(self.critical_value)):
            return "With so few scores no outcome could have rejected H0 at this alpha."
        return interval_disagreement_note(self, "ties")

    @classmethod
    def from_sample_size(cls, n: Any, **settings: Any) -> Self:
        """The test of n = (n_x, n_y) scores without ties, before any data."""
        n_x, n_y = (check.count(1)(size, "n") for size in n)
        return cls.from_steps(n_x=n_x, n_y=n_y, ranks=np.arange(1.0, n_x + n_y + 1), **settings)


def _pairwise_differences(x: Array, y: Array) -> OrderedSums:
    """Each score of A less each of B, in order."""
    together = pooled_sample(x, y)
    return OrderedSums(together[: len(x)], -together[len(x) :])
