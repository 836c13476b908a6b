"""The conservative Z-test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from numpy import sqrt

from ...core.numerics.floating_point_ties import noise_free_difference
from ...core.numerics.sums_of_squares import ScaledSquares
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import Array, Value
from ...distributions.continuous_distributions import Normal
from .algorithm_comparison import SplitMeanTest
from .cross_validated_z import CrossValidatedZ
from .split_plans.split_plan import REPEATED_HOLD_OUT_TENTH


def half_differences(value: Any, name: str) -> Array:
    """Check mean differences for both halves of each division of the records."""
    x = check.numbers(value, name)
    if x.ndim < 2 or x.shape[1] != 2 or not len(x):
        rule = "a row for each division of the records (10 in the source) and a column for each half"
        raise ValueError(f"`{name}` must have the shape (M, 2), with {rule}; got shape {x.shape}")
    return x


class ConservativeZ(ScaledSquares, SplitMeanTest):
    r"""Conservative Z-test: do two learning algorithms differ in mean score over random splits of one data set?

    Origin: published, Nadeau and Bengio (2003); we could not open the paper, and the formula is that of two programs of others.

    The test divides the mean difference on J splits by a standard error that is too large rather than too small.  To estimate the standard
    error, the records are divided into two halves M times.  On each half, J splits with the same number of test records are drawn, and the
    mean difference over these splits is computed.  Two halves share no record, so the mean differences of the two halves are independent,
    and

    .. math:: z = \frac{\bar d}{\sqrt V}, \qquad V = \frac{1}{2 M} \sum_m (\mu_{m1} - \mu_{m2})^2,

    is compared with the normal distribution.

    Parameters
    ----------
    d : array_like, shape (J,) or (J, ...)
        Score of A minus score of B on each of J >= 2 splits of all records (15 in the plan); positive if A is better.  Further
        axes are independent repetitions.
    halves : array_like, shape (M, 2) or (M, 2, ...)
        Mean difference over J splits of each half of the records, for M divisions into halves (10 in the source).
    labels, alternative, alpha
        As for :class:`fstats.ResampledT`.

    Notes
    -----
    **The cost**: each algorithm is trained J (1 + 2 M) = 15 * 21 = 315 times.  V estimates the variance of the mean on data sets of half
    the size.  The test is called conservative because the variance on half of the records is larger than the variance on all records.  If
    both halves have equal means in every division, z is 0 (mean difference 0, p = 1) or infinite (p = 0); `remark` explains such a z.

    Worst level found in the stored studies, at alpha = 0.05: 0.10 (naive Bayes and stump by a coin in every training, n = 100).

    Raises
    ------
    ValueError, TypeError
        For fewer than two splits, halves that do not come in pairs, different repetitions in d and halves, numbers that are not
        finite, an unknown alternative, a level outside (0, 1).

    References
    ----------
    Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52, pages 239 to 281.  Wang and Li,
    Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 5, test (III)(2).

    Examples
    --------
    The mean difference is 2.  The halves of the two divisions differ by 1 and by -1, so V = (1 + 1) / 4 and z = 2 / sqrt(1 / 2).

    >>> import fstats
    >>> test = fstats.ConservativeZ([1, 3], [[2, 1], [1, 2]])
    >>> print(test.variance, round(test.statistic, 4), round(test.pvalue, 4))
    0.5 2.8284 0.0047
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {"h": ("half 1", "half 2")}

    plan = REPEATED_HOLD_OUT_TENTH
    measured = ("halves",)
    required_results = ("halves",)

    halves: Any = input_field(
        r"\mu_{mh}", "Mean difference over the splits of each half of the records.", over="mh", check=half_differences, unit="score"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        d, halves = self.__dict__.get("d"), self.__dict__.get("halves")
        if d is not None and halves is not None and d.shape[1:] != halves.shape[2:]:
            got = f"the shapes {d.shape} and {halves.shape}"
            raise ValueError(f"`d` and `halves` must have the same axes of repetitions, which are the last axes; got {got}")

    @step(r"\delta_m", r"$halves \text{ with } h = 1 \text{ less that with } h = 2", over="m", unit="score")
    def contrasts(self) -> Array:
        """Mean difference on the first half minus mean difference on the second half; the two halves share no record."""
        return noise_free_difference(self.halves[:, 0], self.halves[:, 1])

    n_halvings = count_step("M", "contrasts", "m", "Number of divisions of the records into two halves.", check=check.count(1))

    @step("V", r"\frac{1}{2\,$n_halvings} \sum_m $contrasts^2", check=check.nonnegative, unit="score^2")
    def variance(self) -> Value:
        """Variance of the mean difference on half of the records, which is larger than the variance on all records."""
        return (self.in_units(self.contrasts) ** 2).sum(0) / (2 * self.n_halvings)

    @step(r"\mathrm{SE}", r"\sqrt{$variance}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Safe (rather too large) standard error of the mean difference."""
        return self.unit * sqrt(self.variance)

    statistic = CrossValidatedZ.statistic

    @step("Z_0", r"\mathrm{Normal}(0, 1)", relation=r"\sim")
    def null(self) -> Normal:
        """Distribution of z under H0 (the true mean difference is 0); the true spread of z is at most that of this distribution."""
        return Normal(0.0, 1.0)
