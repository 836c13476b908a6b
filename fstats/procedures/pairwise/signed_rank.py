"""Wilcoxon signed-rank test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy import sqrt, where

from ...core.classifier_pair import PairedScores, TwoClassifierTest, directed_step
from ...core.number_format import format_plain
from ...core.numerics.average_ranks import average_ranks
from ...core.numerics.floating_point_ties import difference_with_ties
from ...core.numerics.zero_division import ratio
from ...core.rejection_region import SMALL_COUNT_TAILS
from ...core.step import input_field, step
from ...core.validation import check, result_checks
from ...core.validation.stated_value_consistency import check_sum, check_upper_bound
from ...core.value_types import Array, Interval, ScoresLike, Value
from ...distributions.continuous_distributions import Normal
from ...distributions.exact_rank_distributions import SignedRankSum
from ...distributions.untied_signed_rank_sum import UntiedSignedRankSum, fits_table, signed_rank_sum, untied_count
from .confidence_interval import interval_disagreement_note, rank_interval, rank_interval_formulas
from .hodges_lehmann import SortedPairSums

FEW_RANKS = 4_000  # up to this number of ranks, a table of all rank sums always fits into memory
BERRY_ESSEEN = 0.56  # constant of the Berry-Esseen inequality for differently distributed terms (Shevtsova, 2010)


def _rank_sum_formulas(relation: str) -> dict[str, str]:
    """Return the formula of the sum of the ranks of one sign, for each treatment of zeros."""
    formula = rf"\sum_{{$d {relation} 0}} $ranks"
    return {"drop": formula, "pratt": formula, "split": rf"{formula} + $zero_share"}


class SignedRank(PairedScores, TwoClassifierTest):
    r"""Wilcoxon signed-rank test: are the differences of two classifiers over independent data sets centred at 0?

    Origin: published, Wilcoxon (1945).

    The absolute differences :math:`|d_i| = |s_{A,i} - s_{B,i}|` get ranks; the smallest difference has rank 1.  W+ is the sum of the ranks
    of the data sets on which classifier A is better.  W- is the sum of the ranks of the data sets on which classifier B is better.  Under
    H0 each rank belongs to the sum W+ with probability 1/2, and to the sum W- with probability 1/2.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        Scores of the classifiers on the same n >= 2 data sets, in the same order; higher is better, in any unit.  Each further axis
        holds independent repetitions, and each repetition is a separate test.  A single list, without `b`, holds the differences A - B;
        rounding noise of the scores is then unknown, and only equal differences are tied.
    zeros : {"drop", "pratt", "split"}
        Treatment of differences that are 0.  "drop" (Wilcoxon) removes zeros before ranking.  "pratt" ranks zeros and then removes their
        ranks.  "split" ranks zeros and adds half of their ranks to W+ and half to W- (Demsar does the same, but ignores one zero if the
        number of zeros is odd).
    method : {"exact", "normal"}, optional
        "exact" enumerates all ways to assign the observed ranks to W+ and W-, including ties and zeros: any number of ranks without ties,
        and up to about 4,000 ranks with ties.  "normal" is the normal approximation with the same mean and variance, without continuity
        correction, for any n; `normal_error` bounds its error.  By default, the method is exact if possible, and `remark` says if it
        is not.  The confidence interval is computed by the same method.
    labels : list of str, optional
        Names of the two classifiers, A first, for sentences and column headings; by default the names of two pandas Series, or A and B.
    higher_is_better : bool
        False for errors and losses.  With False, each difference is B minus A, so that a positive difference still means that A is
        better.
    metric, unit : str
        Name of the metric, such as "RMSE", and name of the unit of analysis, such as "seed"; both are used in sentences.
    alternative : {"two-sided", "greater", "less"}
        "greater" claims that A is better, "less" that A is worse.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    `statistic` is the rank sum that is small if H0 is wrong: min(W+, W-) for "two-sided", W- for "greater", W+ for "less".  Equal
    absolute differences share the mean of their ranks.  Absolute differences that are distinct only by rounding noise count as equal, so
    0.88 - 0.85 and 0.69 - 0.66 are tied.  The tolerance for ties is 64 units in the last place of the largest score in double precision
    (14 digits count) and 4 units in float32 (6 digits count); integers are exact.  With ties or zeros, the null distribution and the
    critical value are conditional on these ties and zeros.  The critical value may then differ from a printed table.  If all differences
    are 0, p = 1.  The test assumes that the differences are symmetric about their centre under H0.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, there are fewer than two data sets, a value is not a finite number, `zeros`, `method` or `alternative`
        is unknown, the level is outside (0, 1), or ``method="exact"`` is stated for too many ranks with ties.

    References
    ----------
    Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, pages 80 to 83, "Paired comparisons".
    Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures, JASA 54, pages 655 to 667.  Hodges and
    Lehmann (1963), Estimates of location based on rank tests, Annals of Mathematical Statistics 34, pages 598 to 611.
    Shevtsova (2010), An improvement of convergence rate estimates in the Lyapunov theorem, Doklady Mathematics 82, pages 862 to 864.
    Demsar (2006), JMLR 7, section 3.1.3.  Kerby (2014), The simple difference formula (effect size), Comprehensive Psychology 3,
    article 1.  Course slides T7, slides "Non-parametric case: the Wilcoxon signed-rank test" and "Procedure".

    Examples
    --------
    Data of the course: the differences 2, -2, 6, -3, 0, 5 have the ranks 1.5, 1.5, 5, 3, none, 4.

    >>> import fstats
    >>> test = fstats.SignedRank([87, 68, 85, 75, 83, 90], [85, 70, 79, 78, 83, 85], alpha=0.1)
    >>> print(test.w_plus, test.w_minus, test.statistic, test.critical_value, test.pvalue, test.reject)
    10.5 4.5 4.5 0.0 0.5 False
    """

    tails = SMALL_COUNT_TAILS
    parameter = r"\theta"
    compares = "typical score"
    estimated_by = "estimate"

    a: ScoresLike = input_field("s_A", "Scores of classifier A.", over="i", check=check.scores, unit="score")
    b: ScoresLike = input_field("s_B", "Scores of classifier B, paired with A's.", over="i", check=check.scores, like="a", unit="score")
    zeros: Literal["drop", "pratt", "split"] = input_field(
        r"\text{zeros}", "Treatment of differences that are 0.", default="drop", kw_only=True
    )
    method: Literal["exact", "normal"] = input_field(
        r"\text{method}", "Method of computing the null distribution.", default=None, kw_only=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.__dict__
        if values.get("method", "exact") is None:
            given: Any = next((values[name] for name in ("a", "d", "ranks") if np.ndim(values.get(name, 0))), ())
            is_normal = len(given) > FEW_RANKS and not fits_table(self.ranks) and not untied_count(self.ranks)
            values["method"] = "normal" if is_normal else "exact"
            values["_fell_back"] = is_normal

    def _check_totals(self, known: Mapping[str, Any]) -> None:
        """Check that all given ranks together add up to 1 + ... + n, with or without ties."""
        all_known = self.zeros != "pratt"  # "pratt" omits the ranks of the zeros, whose number is unknown
        total = None
        if "ranks" in known:
            total = known["ranks"].sum(0) + (2 * known["zero_share"] if "zero_share" in known else 0)
            count = (known["ranks"] > 0).sum(0)
            if self.zeros == "drop":
                check_sum("ranks", total, count * (count + 1) / 2, "n (n + 1) / 2")
                check_sum("ranks above 0", count, known.get("n", count), "n")
            total = None if self.zeros == "split" and "zero_share" not in known else total
        elif "n" in known and self.zeros == "drop":
            total = np.asarray(known["n"]) * (np.asarray(known["n"]) + 1) / 2
        if "w_plus" in known and "w_minus" in known:
            both = np.asarray(known["w_plus"] + known["w_minus"])
            if total is not None:
                check_sum("w_plus and w_minus", both, total, "the sum of all ranks")
            elif all_known:
                n = np.round((np.sqrt(8 * both + 1) - 1) / 2)
                check_sum("w_plus and w_minus", both, n * (n + 1) / 2, "1 + ... + n for some n, the next such sum")
        elif total is not None:
            for name in known.keys() & {"w_plus", "w_minus", "statistic"}:
                share = 2 if name == "statistic" and self.alternative == "two-sided" else 1
                check_upper_bound(name, known[name], total / share, "the sum of all ranks" if share == 1 else "half the sum of all ranks")

    @directed_step("d_i", "$a - $b", over="i", check=check.scores, unit="score")
    def d(self) -> Array:
        """Difference on each data set; positive if A is better."""
        return difference_with_ties(*self.terms)

    @step("n", r"\#\{i : $d \neq 0\}", check=check.count(0))
    def n(self) -> Value:
        """Number of data sets on which the classifiers differ; a difference of 0 is not counted here."""
        return (self.d != 0).sum(0)

    _rank_formula: ClassVar = dict.fromkeys(("pratt", "split"), r"\mathrm{rank}\,|$d| \text{ with zeros}")
    _ranks_formula: ClassVar = {"drop": r"\mathrm{rank}\,|$d| \text{ without zeros}", **_rank_formula}

    @step("R_i", _ranks_formula, by="zeros", over="i", check=check.half_integers, blank=True)
    def ranks(self) -> Array:
        """Rank of each absolute difference, 1 = smallest; equal values share the mean of their ranks."""
        zero = self.d == 0
        dropped = zero.sum(0) if self.zeros == "drop" else 0
        return where(zero, 0.0, average_ranks(abs(self.d)) - dropped)

    @step(r"\pm R_i", r"\mathrm{sign}($d) \cdot $ranks", over="i", blank=True)
    def signed_ranks(self) -> Array:
        """Rank of each absolute difference with the sign of the difference."""
        return np.sign(self.d) * self.ranks

    @step("Z", r"\frac{1}{2}\,(1 + \ldots + \#\{i : $d = 0\})", by="zeros", only="split", check=check.half_integers)
    def zero_share(self) -> Value:
        """Half of the sum of the ranks of the zeros; W+ and W- each receive this half."""
        zero = (self.d == 0).sum(0)
        return zero * (zero + 1) / 4

    _w_plus_formula: ClassVar = _rank_sum_formulas(">")

    @step("W^+", _w_plus_formula, by="zeros", check=check.half_integers)
    def w_plus(self) -> Value:
        """Sum of the ranks for which A is better."""
        above = where(self.d > 0, self.ranks, 0).sum(0)
        return above + self.zero_share if self.zeros == "split" else above

    _w_minus_formula: ClassVar = _rank_sum_formulas("<")

    @step("W^-", _w_minus_formula, by="zeros", check=check.half_integers)
    def w_minus(self) -> Value:
        """Sum of the ranks for which B is better."""
        below = where(self.d < 0, self.ranks, 0).sum(0)
        return below + self.zero_share if self.zeros == "split" else below

    _statistic_formula: ClassVar = {"two-sided": r"\min\{$w_plus, $w_minus\}", "greater": "$w_minus", "less": "$w_plus"}

    @step("W", _statistic_formula, by="alternative", check=check.half_integers)
    def statistic(self) -> Value:
        """The rank sum that is small if H0 is wrong."""
        if self.alternative == "two-sided":
            return np.minimum(self.w_plus, self.w_minus)
        return self.w_minus if self.alternative == "greater" else self.w_plus

    @property
    def variant(self) -> str:
        """Key of the formula of the null distribution: "exact", "exact split", "normal" or "normal split"."""
        return self.method + " split" * (self.zeros == "split")

    _null_formula: ClassVar = {
        "exact": r"\sum_i \epsilon_i\,$ranks,\ \epsilon_i = 0 \text{ or } 1 \text{ by a fair coin}",
        "exact split": r"$zero_share + \sum_i \epsilon_i\,$ranks,\ \epsilon_i = 0 \text{ or } 1 \text{ by a fair coin}",
        "normal": r"\mathrm{Normal}\left(\frac{1}{2} \sum_i $ranks,\ \frac{1}{4} \sum_i $ranks^2\right)",
        "normal split": r"\mathrm{Normal}\left($zero_share + \frac{1}{2} \sum_i $ranks,\ \frac{1}{4} \sum_i $ranks^2\right)",
    }

    @step("W_0", _null_formula, by="variant", relation=r"\sim")
    def null(self) -> SignedRankSum | UntiedSignedRankSum | Normal:
        """Distribution of a rank sum under H0: each rank belongs to W+ or to W- with probability 1/2."""
        fixed = self.zero_share if self.zeros == "split" else 0.0
        if self.method == "exact":
            return signed_rank_sum(self.ranks, fixed)
        return Normal(fixed + self.ranks.sum(0) / 2, sqrt((self.ranks**2).sum(0) / 4))

    @property
    def interval_variant(self) -> str:
        """Key of the formula of the confidence interval: alternative and method, such as "two-sided exact"."""
        return f"{self.alternative} {self.method}"

    @step(r"\hat\theta", r"\mathrm{median}_{i \leq j}\left(\frac{$d + d_j}{2}\right)", after=True, unit="score")
    def estimate(self) -> Value:
        """Hodges-Lehmann estimate of the centre: the median of the means of all pairs of differences, also of the differences of 0."""
        return walsh_averages(self.d).median

    _ci_formula = rank_interval_formulas("means", r"\frac{$d + d_j}{2}", " <- $a $b $zeros $higher_is_better")

    @step(r"\mathrm{CI}", _ci_formula, by="interval_variant", over="e", after=True, check=result_checks.interval_ends, unit="score")
    def ci(self) -> Interval:
        """Confidence interval of all differences, also those of 0: each centre that, as H0, would not be rejected without ties.

        An end that the test with ties and zeros rejects is open.
        """
        n = len(self.d)
        sd = sqrt(n * (n + 1) * (2 * n + 1) / 24)
        untied = signed_rank_sum(np.arange(1.0, n + 1)) if self.method == "exact" else Normal(n * (n + 1) / 4, sd)
        return rank_interval(self, walsh_averages(self.d), untied, n, self._shifted_test)

    def _shifted_test(self, shift: Value) -> SignedRank:
        """Return the same test after a shift is subtracted from all differences."""
        first, second = self.get_or_default("terms", (self.d, np.zeros_like(self.d)))
        d = difference_with_ties(first, second, plus=-shift)
        return SignedRank.from_steps(d=d, zeros=self.zeros, method=self.method, alternative=self.alternative, alpha=self.alpha)

    @step("r", r"\frac{$w_plus - $w_minus}{$w_plus + $w_minus}", after=True, check=check.number_between(-1, 1))
    def effect_size(self) -> Value:
        """Matched-pairs rank-biserial correlation: 1 if A is better for every rank, -1 if B is better for every rank, 0 without ranks."""
        return ratio(self.w_plus - self.w_minus, self.w_plus + self.w_minus)

    @property
    def effect_text(self) -> str:
        """Estimated difference in words; the rank sums instead if the estimate is unknown or is 0 because of zeros."""
        return (
            self.get_or_default("_estimate_text", "") or f", with rank sums of {format_plain(self.w_plus)} to {format_plain(self.w_minus)}"
        )

    @property
    def interval_text(self) -> str:
        """Confidence interval of the estimated difference in words."""
        return super().interval_text if self.get_or_default("_estimate_text", "") else ""

    @property
    def _estimate_text(self) -> str:
        return super().effect_text

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and a note if the confidence interval and the decision of the test disagree."""
        if not np.ndim(self.critical_value) and not self.ranks.any():
            return "All differences are 0: the data give no evidence against H0."
        if not np.ndim(self.critical_value) and np.isinf(self.critical_value):
            return "With so few ranks, no outcome could have rejected H0 at this alpha."
        if self.__dict__.get("_fell_back") and not np.ndim(self.statistic):
            return (
                f"The exact distribution of {int(self.n):,} ranks with ties is too large to compute: p comes from the normal curve, and a "
                f"tail probability is off by at most {format_plain(self.normal_error)}."
            )
        return interval_disagreement_note(self, "ties and zeros")

    @property
    def normal_error(self) -> Value:
        """Upper bound of the error of a tail probability of the normal approximation: the Berry-Esseen inequality.

        The bound is 0.56 times the sum of the third absolute moments of the terms, divided by the cubed standard deviation of their sum.
        """
        return BERRY_ESSEEN * ratio((self.ranks**3).sum(0), (self.ranks**2).sum(0) ** 1.5)

    @classmethod
    def from_sample_size(cls, n: Any, **settings: Any) -> Self:
        """Return the test for n differences without ties or zeros, for planning before there are data."""
        return cls.from_steps(ranks=np.arange(1.0, check.count(1)(n, "n") + 1), **settings)


def walsh_averages(d: Array) -> SortedPairSums:
    """Return the sorted means of all pairs of differences; each difference also forms a pair with itself."""
    return SortedPairSums(d / 2, d / 2, upper=True)
