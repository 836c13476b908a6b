"""Pseudo-bootstrap t-test and its corrected version.

Both are derived here and not confirmed by a source.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ...core.numerics.floating_point_ties import DOUBLE_NOISE, round_noise_to_zero
from ...core.numerics.sums_of_squares import ScaledSquares
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.validation.check import NO_DEFAULT
from ...core.value_types import Array, Value
from .algorithm_comparison import SplitMeanT
from .conservative_z import ConservativeZ
from .corrected_resampled_t import SIZE_RATIO, ratio_of_sizes
from .split_plans.split_plan import REPEATED_HOLD_OUT_TENTH

DERIVATION_NOTE = (
    "We derived the computation of this test from its name and its place among the others; no source confirms it: do not cite it."
)


def replicate_differences(value: Any, name: str) -> Array:
    """Check differences for each split and replicate, at least two of each."""
    x = check.numbers(value, name)
    if x.ndim < 2 or min(x.shape[:2]) < 2:
        raise ValueError(f"`{name}` must be a table with at least 2 splits (rows) and 2 replicates (columns); got shape {x.shape}")
    return x


class PseudoBootstrapT(ScaledSquares, SplitMeanT):
    r"""Pseudo-bootstrap t-test: do two learning algorithms differ in mean score over random splits of one data set?

    Origin: ours, derived in fstats from a name in Nadeau and Bengio (2003); no source confirms the derivation.

    **A derivation, not a confirmed test**: the literature names the pseudo-bootstrap t-test, but we could not check its definition.  In
    our reading, the training set and the test set of each of J splits are resampled with replacement, R times.  "Pseudo" would mean that
    no record is both in the training set and in the test set.  The variance of the R means over splits is used as the variance of the
    mean,

    .. math:: t = \frac{\bar d}{\sqrt V}, \qquad V = \frac{1}{R - 1} \sum_r \left(\bar d^*_r - \bar d^*\right)^2,

    and t is compared with Student's t distribution with R - 1 degrees of freedom.

    Parameters
    ----------
    d : array_like, shape (J,) or (J, ...)
        Score of A minus score of B on each of J >= 2 splits (15 in the plan); positive if A is better.  Further axes are
        independent repetitions.
    replicates : array_like, shape (J, R) or (J, R, ...)
        The same difference on each split after its training and test set are resampled, R >= 2 times (15 in our reading).
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided", "greater", "less"}
        "greater": A is better (the true mean difference is above 0).  "less": A is worse.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    If losses do not depend on training, V is on average 0.41 of the true variance, and a true H0 is rejected in about 19 % of all data
    sets at alpha = 0.05.  If all replicates have the same mean, t is 0 (mean difference 0, p = 1) or infinite (p = 0); `remark` explains
    such a t.

    Worst level found in the stored studies, at alpha = 0.05: 0.19 (the source Epsilon).

    Raises
    ------
    ValueError, TypeError
        For fewer than two splits or replicates, different splits or repetitions in d and replicates, numbers that are not finite,
        an unknown alternative, a level outside (0, 1).

    References
    ----------
    Named in Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52, pages 239 to 281 (we could not
    read their definition of it), and in Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two
    classification algorithms, section 5, test (I)(5).

    Examples
    --------
    The replicates have the means 2, 3, 4, so V = 1 and t = 2 / 1.

    >>> import fstats
    >>> test = fstats.PseudoBootstrapT([1, 3], [[1, 2, 3], [3, 4, 5]])
    >>> print(test.variance, test.statistic, test.df, round(test.pvalue, 4))
    1.0 2.0 2 0.1835
    """

    plan = REPEATED_HOLD_OUT_TENTH
    measured = ("replicates",)
    required_results: ClassVar[tuple[str, ...]] = ("replicates",)
    caution = DERIVATION_NOTE

    replicates: Any = input_field(
        "d^*_{ir}", "Difference after resampling the split's training and test set.", over="ir", check=replicate_differences, unit="score"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        d, replicates = self.__dict__.get("d"), self.__dict__.get("replicates")
        if d is not None and replicates is not None and (len(d), *d.shape[1:]) != (len(replicates), *replicates.shape[2:]):
            got = f"the shapes {d.shape} and {replicates.shape}"
            raise ValueError(f"`d` and `replicates` must have equally many splits (first axis) and the same axes of repetitions; got {got}")

    @step(r"\bar d^*_r", r"\frac{1}{$n} \sum_i $replicates", over="r", unit="score")
    def replicate_means(self) -> Array:
        """Mean difference over the splits in each replicate."""
        return self.replicates.sum(0) / self.n

    n_replicates = count_step("R", "replicate_means", "r", "Number of replicates.", check=check.count(2))

    @step(r"\bar d^*", r"\frac{1}{$n_replicates} \sum_r $replicate_means", unit="score")
    def replicate_mean(self) -> Value:
        """Mean of the mean differences of the replicates."""
        return self.replicate_means.sum(0) / self.n_replicates

    @step("V", r"\frac{1}{$n_replicates - 1} \sum_r ($replicate_means - $replicate_mean)^2", check=check.nonnegative, unit="score^2")
    def variance(self) -> Value:
        """Variance of the mean differences of the replicates, used as the variance of the mean difference."""
        squares = (self.in_units(self.replicate_means - self.replicate_mean) ** 2).sum(0)
        return round_noise_to_zero(squares / (self.n_replicates - 1), DOUBLE_NOISE * self.in_units(self.replicate_mean) ** 2)

    se = ConservativeZ.se.restated("Standard error of the mean difference, from the replicates.")

    @step(r"\nu", "$n_replicates - 1", check=check.count(1))
    def df(self) -> int:
        """Degrees of freedom: number of replicates minus 1, because the mean of the replicates is estimated."""
        return self.n_replicates - 1


class CorrectedPseudoBootstrapT(PseudoBootstrapT):
    r"""Corrected pseudo-bootstrap t-test: do two learning algorithms differ in mean score over random splits of one data set?

    Origin: ours, derived in fstats from a name in Nadeau and Bengio (2003); no source confirms the derivation.

    **A derivation, not a confirmed test.**  The corrected test is the pseudo-bootstrap t-test with a larger variance.  The factor comes
    from the corrected resampled t-test, which replaces 1/J in the variance by 1/J + n2/n1:

    .. math:: V = \left(1 + J\,\frac{n_2}{n_1}\right) \frac{1}{R - 1} \sum_r \left(\bar d^*_r - \bar d^*\right)^2

    Parameters
    ----------
    test_train_ratio : float
        Test records divided by training records, n2 / n1, as for :class:`fstats.CorrectedResampledT`.  The ratio must be given, or is
        computed from the splits.
    d, replicates, labels, alternative, alpha
        As for :class:`fstats.PseudoBootstrapT`.

    Notes
    -----
    If losses do not depend on training, there is no sign that the test exceeds its level (simulated: 0.042 at alpha = 0.05).  The
    simulated level makes our reading plausible but confirms nothing.  Degenerate data have the same results as in
    :class:`fstats.PseudoBootstrapT`.

    Worst level found in the stored studies, at alpha = 0.05: 0.07 (Perceptron on mirrored features, n = 50), which is not shown
    to be above 0.05.

    Raises
    ------
    ValueError, TypeError
        In the cases of :class:`fstats.PseudoBootstrapT`, and for a ratio that is not given or not one number above 0.

    References
    ----------
    Named in Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52, pages 239 to 281 (we could not
    read their definition of it), and in Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two
    classification algorithms, section 5, test (I)(6).

    Examples
    --------
    The replicates have the means 2, 3, 4: V = (1 + 2 * 1.5) * 1.

    >>> import fstats
    >>> test = fstats.CorrectedPseudoBootstrapT([1, 3], [[1, 2, 3], [3, 4, 5]], test_train_ratio=1.5)
    >>> print(test.variance, test.statistic, test.df, round(test.pvalue, 4))
    4.0 1.0 2 0.4226
    """

    required_results = ("replicates", "test_train_ratio")

    test_train_ratio: float = input_field(r"\frac{n_2}{n_1}", SIZE_RATIO, check=ratio_of_sizes, default=NO_DEFAULT)

    _variance_formula = r"\left(1 + $n\,$test_train_ratio\right) \frac{1}{$n_replicates - 1} \sum_r ($replicate_means - $replicate_mean)^2"

    @step("V", _variance_formula, check=check.nonnegative, unit="score^2")
    def variance(self) -> Value:
        """Variance of the mean differences of the replicates, enlarged because the splits share records."""
        return (1 + self.n * self.test_train_ratio) * PseudoBootstrapT.variance.fn(self)
