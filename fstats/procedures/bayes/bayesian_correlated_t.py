"""The Bayesian correlated t-test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy import sqrt

from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import noise_free_difference
from ...core.numerics.sums_of_squares import standard_deviation
from ...core.numerics.zero_division import product
from ...core.step import count_step, input_field, step
from ...core.validation import check, result_checks
from ...core.validation.check import NO_DEFAULT
from ...core.value_types import Array, Interval, Value
from ..pairwise.paired_t import PairedT
from ..resampling.split_scores.split_scores import Scores
from .fold_differences import cross_validate_scores, test_fraction
from .posterior_distributions import LocatedT
from .rope_comparison import RopeComparison


def correlation(value: Any, name: str) -> float:
    """Check the correlation of differences on two splits that share records: one number from 0 to 1."""
    if value is NO_DEFAULT:
        raise TypeError(
            f"`{name}`, the correlation of the differences, must be stated. Write {name}=1/k for k-fold cross-validation, {name}=SHARE of "
            f"test records for random splits, or {name}=0 for independent differences."
        )
    return float(check.single_number(check.proportion, ", such as 0.1 for 10-fold cross-validation")(value, name))


def split_differences(value: Any, name: str) -> Array:
    """Check differences along the first axis, one for each split."""
    x = check.numbers(value, name)
    if x.ndim == 0 or not len(x):
        got = "none" if x.ndim else "a single number"
        raise ValueError(f"`{name}` must be a list of differences, one for each split or fold; got {got}")
    return x


class BayesianCorrelatedT(RopeComparison):
    r"""Bayesian correlated t-test: how probable is a practically relevant difference on one data set?

    Origin: published, Corani and Benavoli (2015).

    The test assumes that the differences of two algorithms on n splits of one data set are normal around the true mean difference
    :math:`\mu`.  Any two differences have the correlation :math:`\rho`, because the splits share records.  With a prior that contains no
    information, the posterior of :math:`\mu` is Student's t with n - 1 degrees of freedom around the mean difference,

    .. math:: \mu \sim t_{n-1}\left(\bar d,\ \left(\frac{1}{n} + \frac{\rho}{1 - \rho}\right) s_d^2\right).

    Parameters
    ----------
    d : array_like, shape (n,) or (n, ...)
        Score of A minus score of B on each of the splits; positive if A is better.  Further axes are independent repetitions.
    rho : float
        Correlation of two differences, from 0 to 1: 1/k for k-fold cross-validation, repeated or not; for random splits the share of test
        records.  rho has no default.
    rope : float
        Largest difference that does not matter in practice: half the width of the region of practical equivalence (ROPE).  The rope is at
        least 0 (``float("inf")`` is allowed), in the unit of the scores.  Choose the rope before you look at the data.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alpha : float
        The decision is for a region if the probability of the region is at least 1 - alpha.  The credible interval has probability 1 -
        alpha.

    Notes
    -----
    With rho = n2 / (n1 + n2), the scale is the standard error of :class:`fstats.CorrectedResampledT`, and ``p_worse`` with a rope of 0
    equals the one-sided p-value of that test.  ``p_worse`` is the probability of a hypothesis, given a prior that is flat in the mean and
    in the logarithm of the standard deviation.  A p-value is not the probability of a hypothesis.

    If the differences have no spread, the whole posterior lies on the mean.  With a single difference (no information about the spread)
    or with rho = 1 (no information about the mean), the posterior is infinitely wide, with probability 1/2 on either side; `remark`
    explains such a posterior.

    Raises
    ------
    ValueError, TypeError
        For an empty list, numbers that are not finite, a rho that is not stated or outside [0, 1], a rope below 0, a level outside
        (0, 1).

    References
    ----------
    Corani and Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms on multiple data sets, Machine Learning
    100, pages 285 to 304.  Benavoli, Corani, Demsar and Zaffalon (2017), JMLR 18, article 77, pages 1 to 36.

    Examples
    --------
    The differences have the mean 2 and the standard deviation 1; with rho = 0.4 the scale is sqrt(1/3 + 2/3) * 1 = 1.  Student's t with 2
    degrees of freedom is below -2 with probability (1 - 2 / sqrt(6)) / 2.

    >>> import fstats
    >>> test = fstats.BayesianCorrelatedT([1, 2, 3], rho=0.4, rope=0)
    >>> print(test.scale, round(test.p_worse, 6), round((1 - 2 / 6**0.5) / 2, 6))
    1.0 0.091752 0.091752
    """

    in_report: ClassVar[Mapping[str, str]] = {
        "n": "n = {} splits",
        "rho": "correlation {}",
        "mean": "mean difference {}",
        "scale": "scale of the posterior {}",
    }
    conclusion_opening = "The truth on this data set is"

    d: Any = input_field("d_i", "Score of A minus score of B on each split.", over="i", check=split_differences, unit="score")
    rho: float = input_field(r"\rho", "Correlation of the differences on two splits.", check=correlation, default=NO_DEFAULT)

    @classmethod
    def from_scores(cls, scores: Scores, **settings: Any) -> Self:
        """Create the comparison from the scores of two models on the splits of any plan.

        Unless rho is given, rho is the share of test records.  Axes after those of the plan are independent repetitions.
        """
        if not isinstance(scores, Scores):
            raise TypeError(
                f"`scores` must be a fstats.Scores; got {type(scores).__name__}. For lists or arrays of differences, write "
                f"`{cls.__name__}(d, ...)`."
            )
        if "rho" not in settings:
            ratio = scores.test_train_ratio
            if ratio is None:
                raise ValueError(
                    f"`scores` must contain the numbers of training and test records for {cls.__name__}; got none. Pass n_train and "
                    "n_test, or the splits, to Scores.from_arrays, or state `rho`."
                )
            settings["rho"] = ratio / (1 + ratio)
        d = noise_free_difference(scores.score_a, scores.score_b)
        return cls(**({"d": d.reshape(-1, *scores.repetitions), "labels": scores.labels} | settings))

    @classmethod
    def from_cross_validate(cls, a: Any, b: Any, *, cv: Any = None, score: str = "test_score", **settings: Any) -> Self:
        """Create the comparison from the output of scikit-learn's cross_validate for two models on the same splits.

        Unless rho is given, rho is the share of records that a split tests.  The share is computed from the splits if cross_validate was
        called with ``return_indices=True``, otherwise from ``cv`` (the number of folds or the splitter that cross_validate used).
        """
        scores = [cross_validate_scores(result, name, score) for result, name in ((a, "a"), (b, "b"))]
        if len(scores[0]) != len(scores[1]):
            raise ValueError(f"`a` and `b` must be scored on the same splits; got the lengths {len(scores[0])} and {len(scores[1])}")
        tested = test_fraction((a, b), cv, len(scores[0]))
        if "rho" not in settings:
            if tested is None:
                remedy = "Pass `cv` (number of folds, or splitter), call cross_validate with return_indices=True, or state `rho`."
                raise ValueError(f"{cls.__name__} needs the share of test records. {remedy}")
            settings["rho"] = tested
        return cls(noise_free_difference(*scores), **settings)

    n = count_step("n", "d", "i", "Number of splits.", check=check.count(1))

    mean = PairedT.mean.restated("Mean difference; positive if A is better.", check=check.number)

    @step("s_d", r"\sqrt{\frac{1}{$n - 1} \sum_i ($d - $mean)^2}", check=check.nonnegative, unit="score")
    def sd(self) -> Value:
        """Standard deviation of the differences over the splits (infinite for a single difference, which gives no information)."""
        return np.full(np.shape(self.mean), np.inf)[()] if self.n == 1 else standard_deviation(self.d, self.mean, self.n - 1)

    @step("s", r"\sqrt{\frac{1}{$n} + \frac{$rho}{1 - $rho}}\,$sd", check=check.nonnegative, unit="score")
    def scale(self) -> Value:
        """Scale of the posterior: standard error of the mean difference of splits that share records."""
        if self.rho == 1:
            return np.full(np.shape(self.sd), np.inf)[()]
        return product(sqrt(1 / self.n + self.rho / (1 - self.rho)), self.sd)

    @step(r"\nu", "$n - 1", check=check.count(0))
    def df(self) -> int:
        """Degrees of freedom: number of splits minus 1, because the mean is estimated from the same differences."""
        return self.n - 1

    @step(r"\mu", r"t_{$df}\left($mean,\ $scale^2\right)", relation=r"\sim")
    def posterior(self) -> LocatedT:
        """Posterior distribution of the true mean difference."""
        return LocatedT(self.df, self.mean, self.scale)

    @step(
        "P_c", r"P($posterior < -$rope),\ P(-$rope \leq $posterior \leq $rope),\ P($posterior > $rope)", over="c", check=check.probabilities
    )
    def probabilities(self) -> Array:
        """Posterior probability of each region for the true mean difference."""
        return self.posterior.regions(self.rope)

    _credible_formula = r"\text{ends that leave } \frac{$alpha}{2} \text{ of } $posterior \text{ on either side}"

    @step(r"\mathrm{CrI}", _credible_formula, over="e", after=True, check=result_checks.interval_ends, unit="score")
    def credible(self) -> Interval:
        """Credible interval, which contains the true mean difference with probability 1 - alpha."""
        return self.posterior.credible(self.alpha)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data; for other data the credible interval."""
        if np.isinf(self.scale):
            reason = "With rho = 1 the spread gives no information about the mean"
            if self.rho != 1:
                reason = "A single difference gives no information about the spread"
            return f"{reason}: the posterior favours no value, and both sides are equally probable."
        if not self.scale:
            opening = f"All differences are {format_plain(self.mean)}: they have no spread to estimate random variation"
            return f"{opening}, and the whole posterior lies there; look for a mistake in the data."
        low, high = map(format_plain, self.credible)
        return f"With probability {format_plain(1 - self.alpha)} the true mean difference lies between {low} and {high}."
