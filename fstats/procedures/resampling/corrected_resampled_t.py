"""Corrected resampled t-test of Nadeau and Bengio."""

from __future__ import annotations

from typing import Any

from numpy import sqrt

from ...core.step import input_field, step
from ...core.validation import check
from ...core.validation.check import NO_DEFAULT
from ...core.value_types import Array, Value
from .algorithm_comparison import SplitMeanT
from .split_plans.split_plan import REPEATED_HOLD_OUT_TENTH, TEN_TIMES_TEN_FOLD

SIZE_RATIO = "Test records divided by training records."


def ratio_of_sizes(value: Any, name: str) -> Any:
    """Check the ratio of test to training records: one number above 0; it has no default because it depends on the splits."""
    if value is NO_DEFAULT:
        raise TypeError(
            f"`{name}`, the test records divided by the training records, must be stated. Write {name}=1/9 if each split tests 10 % of "
            f"the records, or {name}=1/2 if each split tests a third."
        )
    return check.single_number(check.positive, ", test records divided by training records, such as 1/9")(value, name)


class CorrectedResampledT(SplitMeanT):
    r"""Corrected resampled t-test: do two learning algorithms differ in mean score over random splits of one data set?

    Origin: published, Nadeau and Bengio (2003).

    The corrected test differs from the resampled t-test only in the standard error.  The splits share records, so the differences on the
    splits are correlated.  The corrected test assumes that the correlation is :math:`n_2 / (n_1 + n_2)`, with n1 training records and n2
    test records.  With this correlation, the estimated variance of the mean is

    .. math:: \left(\frac{1}{J} + \frac{n_2}{n_1}\right) s_d^2 \qquad \text{instead of} \qquad \frac{1}{J} s_d^2,

    and t is compared with Student's t distribution with J - 1 degrees of freedom, as in the resampled t-test.

    Parameters
    ----------
    test_train_ratio : float
        Test records divided by training records, n2 / n1: 1/9 if a tenth of the records is tested, as in the plan; 1/2 if a third is
        tested.  The ratio has no default; :func:`fstats.compare` and ``from_scores`` compute the ratio from the splits (mean n2 divided
        by mean n1 if sizes differ).
    d, labels, alternative, alpha
        As for :class:`fstats.ResampledT`.

    Notes
    -----
    With any number of splits, the estimated variance of the mean is above :math:`s_d^2\, n_2 / n_1`, because one data set has limited
    information.  The correlation is a rule of thumb, not an estimate.  If the differences have no spread, t is 0 (p = 1) or infinite (p =
    0); `remark` explains such a t.  The one-sided p-value equals the probability of the Bayesian correlated t-test without a region of
    practical equivalence.

    Worst level found in the stored studies, at alpha = 0.05: 0.34 (naive Bayes on mirrored features, heavy tails, n = 1,500).

    Raises
    ------
    ValueError, TypeError
        For fewer than two differences, numbers that are not finite, a ratio that is not stated or not one number above 0,
        an unknown alternative, a level outside (0, 1).

    References
    ----------
    Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52, section 4, test 6 (page 254).  Wang and
    Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 5, test (I)(4).

    Examples
    --------
    The differences have the mean 2 and the standard deviation 1; the standard error is sqrt(1/3 + 2/3) * 1.

    >>> import fstats
    >>> test = fstats.CorrectedResampledT([1, 2, 3], test_train_ratio=2 / 3)
    >>> print(test.se, test.statistic, test.df, round(test.pvalue, 4))
    1.0 2.0 2 0.1835
    """

    plan = REPEATED_HOLD_OUT_TENTH
    required_results = ("test_train_ratio",)
    other_splits_remedy = (
        ". For another number, use CorrectedResampledT(a - b, test_train_ratio=...) on the scores, with 1/(folds - 1) for folds. "
        "Its level is measured only on its own plan."
    )

    test_train_ratio: float = input_field(r"\frac{n_2}{n_1}", SIZE_RATIO, check=ratio_of_sizes, default=NO_DEFAULT)

    @step(r"\mathrm{SE}", r"\sqrt{\frac{1}{$n} + $test_train_ratio}\,$sd", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of the mean difference, larger than the standard error for independent splits because splits share records."""
        return sqrt(1 / self.n + self.test_train_ratio) * self.sd


def ten_by_ten_differences(value: Any, name: str) -> Array:
    """Check differences on ten times ten folds, and return them as a list of 100."""
    x = check.numbers(value, name)
    if x.shape[:2] == (10, 10):
        x = x.reshape(100, *x.shape[2:])
    if x.shape[:1] != (100,):
        raise ValueError(
            f"`{name}` must have the shape (10, 10), a row for each cross-validation, or (100,); got shape {x.shape}. For other numbers "
            "of folds, use CorrectedResampledT with `test_train_ratio = 1/(folds - 1)`."
        )
    return x


class CorrectedRepeatedKFoldT(CorrectedResampledT):
    r"""Corrected repeated k-fold t-test: do two learning algorithms differ in mean score over ten repetitions of ten-fold cross-validation?

    Origin: published, Bouckaert and Frank (2004).

    .. math:: t = \frac{\bar d}{\sqrt{\frac{1}{100} + \frac{n_2}{n_1}}\; s_d}

    is compared with Student's t distribution with 99 degrees of freedom.  The corrected repeated k-fold t-test is the corrected resampled
    t-test on the 100 folds of ten cross-validations.  Each fold contains a tenth of the records for testing.

    Parameters
    ----------
    d : array_like, shape (10, 10), (100,), (10, 10, ...) or (100, ...)
        Score of A minus score of B on each fold of each cross-validation; positive if A is better.  The first two axes (10, 10) are the
        cross-validations and their folds; otherwise the first axis must hold all 100 folds.  Further axes are independent repetitions.
    test_train_ratio : float
        Test records divided by training records, n2 / n1.  For ten folds that train on all other records, the ratio is 1/9 for any number
        of records.  For other splits the ratio must be given (:func:`fstats.compare` and ``from_scores`` compute it from the splits).
    labels, alternative, alpha
        As for :class:`fstats.ResampledT`.

    Notes
    -----
    The mean over ten cross-validations depends little on the random splits, so two people who repeat the test with other splits mostly
    get the same decision.  The test with 10 degrees of freedom and without the correction is a different test (Bouckaert 2003).  If the
    differences have no spread, t is 0 (p = 1) or infinite (p = 0); `remark` explains such a t.

    Worst level found in the stored studies, at alpha = 0.05: 0.44 (naive Bayes on mirrored features, heavy tails, n = 1,500).

    Raises
    ------
    ValueError, TypeError
        For differences of any other shape (for r times k folds use :class:`fstats.CorrectedResampledT` with a ratio of 1/(k - 1)), and in
        the cases of :class:`fstats.CorrectedResampledT`.

    References
    ----------
    Bouckaert and Frank (2004), Evaluating the replicability of significance tests for comparing learning algorithms, PAKDD,
    section 3.3.  Nadeau and Bengio (2003), Machine Learning 52, section 4, test 6 (page 254).  Wang and Li, Block-regularized 5x2
    cross-validated McNemar's test for comparing two classification algorithms, section 5, test (I)(7).

    Examples
    --------
    Fifty differences are 0 and fifty are 2: mean 1, variance 100/99, and (1/100 + 1/9) * 100/99 = 109/891.

    >>> import fstats
    >>> test = fstats.CorrectedRepeatedKFoldT([[0, 2] * 5] * 10)
    >>> print(test.df, round(test.statistic, 4), round((891 / 109) ** 0.5, 4))
    99 2.8591 2.8591
    """

    plan = TEN_TIMES_TEN_FOLD

    d: Any = input_field(
        "d_i", "Score of A minus score of B on each fold of each cross-validation.", over="i", check=ten_by_ten_differences, unit="score"
    )
    test_train_ratio: float = input_field(r"\frac{n_2}{n_1}", SIZE_RATIO, check=ratio_of_sizes, default=TEN_TIMES_TEN_FOLD.test_train_ratio)
