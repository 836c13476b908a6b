"""McNemar's test on block-regularized 5x2 cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ....core.numerics.floating_point_ties import round_noise_to_zero
from ....core.numerics.zero_division import ratio
from ....core.rejection_region import UPPER_TAIL
from ....core.step import input_field, step
from ....core.validation import check, result_checks
from ....core.value_types import Array, CountsLike, Interval, Value
from ....distributions.continuous_distributions import ChiSquared
from ...contingency.discordant_records import discordant_counts_text
from ..algorithm_comparison import TwoAlgorithms
from ..split_plans.split_plan import BLOCKED_FIVE_BY_TWO
from .contingency_table_posterior import BETA_PRIOR, CELL_NAMES, EffectivePosteriors, TablePosteriors, cell, mode, proportion, two_by_two
from .fold_contingency_tables import (
    COUNTS_OF_FOLDS,
    TablesOfFolds,
    check_correlation_shape,
    is_scattered,
    scatter_interval,
    scatter_note,
    ten_tables,
)


def correlation(value: Any, name: str) -> Any:
    """Check a correlation: a number between -1 and 1, or one such number for each repetition."""
    x = check.numbers(value, name)
    if (abs(x) > 1).any():
        raise ValueError(f"`{name}` (a correlation) must be between -1 and 1; got {x[abs(x) > 1].flat[0]:g}")
    return x[()]


class BlockedFiveByTwoMcNemar(TwoAlgorithms):
    r"""5x2 BCV McNemar test: do two learning algorithms differ in accuracy in a block-regularized 5x2 cross-validation?

    Origin: published, Wang and Li, Block-regularized 5x2 cross-validated McNemar's test.

    The ten contingency tables :math:`n_{uv,k}^{(j)}` of the folds are correlated, because they come from the same records.  The mean of
    the ten tables has the information of

    .. math:: t = \frac{10}{1 + \rho_1 + 8 \rho_2}

    independent tables of the same size.  In this formula :math:`\rho_1` is the correlation of the two folds of one repetition, and
    :math:`\rho_2` is the correlation of two folds from different repetitions.  The disagreement E, the share of records on which exactly
    one classifier is wrong, has the variance (Theorem 1)

    .. math:: \mathrm{Var}(E) = \frac{1 + \rho_1 + 8 \rho_2}{5 n}\, e (1 - e).

    The *effective table* is t times the mean table.  The effective table has the same rates as the mean table, and its disagreement E has
    the variance of Theorem 1 (see Theorem 3 of the source).  The test applies McNemar's test to the effective table:

    .. math:: M = \frac{\max(0,\ |n_{01,e} - n_{10,e}| - 1)^2}{n_{01,e} + n_{10,e}}
              = \frac{20}{11}\,\frac{\max(0,\ |\bar n_{01} - \bar n_{10}| - 11/20)^2}{\bar n_{01} + \bar n_{10}}.

    The second formula for M holds if both correlations rho1 and rho2 are 1/2.  The test statistic M is compared with the chi-squared
    distribution with one degree of freedom.

    Parameters
    ----------
    tables : array_like of int, shape (5, 2, 2, 2) or (5, 2, 2, 2, ...)
        Counts of test records in each repetition and fold: A wrong (0) or right (1), then B wrong (0) or right (1).  Further
        axes are independent repetitions.
    rho1 : float or array_like of shape (...)
        Correlation of the disagreements in the two folds of a repetition.
    rho2 : float or array_like of shape (...)
        Correlation of the disagreements in folds of different repetitions.
    lam : float
        Value of both parameters of the Beta priors, above 0; 1 gives a flat prior.  `lam` affects the posteriors, not the decision.
    labels : list of str, optional
        Names of the two classifiers in sentences and table headings, A first.  Default: A and B.
    alternative : {"two-sided"}
        No one-sided alternative is possible, because a squared statistic has no sign.
    alpha : float
        Significance level.  H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    The true correlations are unknown and cannot be estimated from one data set.  Larger values of rho1 and rho2 make the test more
    cautious.  The authors recommend 1/2 and 1/2, since rho1 was seldom above 1/2 and rho2 seldom outside 0 to 1/2.  If the classifiers do
    not depend on their training data, the correlations are 0 and 1/2 (Lemma 3).  For ten tables rho2 cannot be above (1 + rho1)/2
    (Theorem 2 of the source says: below).  The test computes results for an impossible rho2, too, and adds a remark.

    The difference of the counts minus the continuity correction is never below 0.  Without this limit, one discordant record in ten
    tables would give M = 3.68.  Without discordant records M = 0, p = 1 and r = 1/2.  q_a and q_b are 1/2 if no record gives information
    about them.

    The correlations describe the dependence between the ten tables, not the variability of each table.  The variance of the source
    assumes that the discordant records of a table are independent.  Discordant records are dependent if training is unstable, because one
    bad training causes many errors at once.  `scatter` is the variability between the two folds of a repetition, relative to the
    variability for independent records.  The differences of the five repetitions are orthogonal in the blocks, so `scatter` has 5 degrees
    of freedom.  Suppose that training adds independent amounts to all ten splits.  With scatter :math:`\varphi` the mean imbalance then
    has at most :math:`1/2 + (\varphi - 1)/10` of the variance that independent records give one fold: the contribution of the records is
    the same in all repetitions, but the contribution of training differs between them.  The test assumes the variance
    :math:`(1 + \rho_1 + 8 \rho_2)/10`, which is enough up to :math:`\varphi = 1.5` for the correlations 1/2 and 1/2.  (If only training
    caused variability, the variance would be :math:`\varphi/10`, and the test would keep its level up to 5.5.)  For larger scatter
    `remark` estimates the level under this supposition.  The estimate is not a bound, and small scatter does not prove that the level is
    kept: an effect of training that several splits share does not show in the scatter.  On nearest centroid (spreads 1 and 4, 1,500
    records), where the scatter was above 1.5 on 8 of 100 data sets, the test rejected 365 of 4,000 true hypotheses in the stored studies.

    The posteriors of the four rates, given the effective table, are shown after the decision.  `posteriors` returns the posteriors as a
    separate object.  The modes of the posteriors are the estimators e, r, q_a, q_b only if lambda = 1 (Corollary 1).

    In Table 1 of the source the two row names are swapped; Table 2 has misprints, too (see :class:`fstats.TablePosteriors`).
    The source calls rho1 "inter-group" and rho2 "intra-group", but its formulas are those of this class.

    Worst level found in the stored studies, at alpha = 0.05: 0.45 (Perceptron on mirrored features, n = 10,000).

    Raises
    ------
    ValueError, TypeError
        For tables of another shape, with negative or fractional counts, without records in a fold, or with different totals;
        correlations outside -1 to 1, or without variance (1 + rho1 + 8 rho2 not above 0); a lambda that is not above 0; a
        one-sided alternative; a level outside (0, 1).

    References
    ----------
    Wang and Li, Block-regularized 5x2 cross-validated McNemar's test for comparing two classification algorithms, section 4: the
    mean table is Eq. 6, the variance Eq. 8, the effective table Eqs. 11 and 12, the statistic Eqs. 13 to 15.  It is test (IV)(3) of
    section 5.

    Examples
    --------
    In each of the ten tables A alone is right on 8 of 50 records and B alone on 2: (20/11) (6 - 11/20)**2 / 10 = 5.4005.

    >>> import fstats
    >>> test = fstats.BlockedFiveByTwoMcNemar([[[[5, 2], [8, 35]]] * 2] * 5)
    >>> print(test.n, test.r, round(test.statistic, 4), round(test.pvalue, 4))
    100.0 0.2 5.4005 0.0201
    """

    tails = UPPER_TAIL
    parameter = r"\pi_A - \pi_B"
    compares = "accuracy"
    plan = BLOCKED_FIVE_BY_TWO
    required_results = ("tables",)
    names_by_index: ClassVar[Mapping[str, Any]] = CELL_NAMES

    tables: CountsLike = input_field("n_{uv,k}^{(j)}", COUNTS_OF_FOLDS, over="jkuv", check=ten_tables)
    rho1: Any = input_field(r"\rho_1", "Correlation of the two folds of a repetition.", check=correlation, default=0.5, kw_only=True)
    rho2: Any = input_field(r"\rho_2", "Correlation of folds of different repetitions.", check=correlation, default=0.5, kw_only=True)
    lam: float = input_field(r"\lambda", BETA_PRIOR, check=check.single_number(check.positive), default=1.0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_correlation_shape(self.__dict__, "rho1", "rho2")
        variance_factor = 1 + self.rho1 + 8 * self.rho2
        if np.any(variance_factor <= 0):
            got = f"{np.min(variance_factor):g}. Use larger correlations."
            raise ValueError(f"1 + rho1 + 8 rho2 must be above 0 (the variance of the mean table); got {got}")

    @step(r"\bar n_{uv}", r"\frac{1}{10} \sum_{jk} $tables", over="uv", check=two_by_two)
    def mean_table(self) -> Array:
        """Mean of the ten tables; its total is the size of one fold."""
        return self.tables.sum((0, 1)) / 10

    n00 = cell("mean_table", 0, 0, r"\bar n_{00}", "Mean number of records in a fold that both get wrong.")
    n01 = cell("mean_table", 0, 1, r"\bar n_{01}", "Mean number of records in a fold that A gets wrong and B right.")
    n10 = cell("mean_table", 1, 0, r"\bar n_{10}", "Mean number of records in a fold that A gets right and B wrong.")
    n11 = cell("mean_table", 1, 1, r"\bar n_{11}", "Mean number of records in a fold that both get right.")

    @step("n", r"2 \left($n00 + $n01 + $n10 + $n11\right)", check=check.positive)
    def n(self) -> Value:
        """Number of records in the data set: the size of two folds."""
        # round away the floating-point error of the sum; the counts are multiples of 0.1
        return np.round(2 * (self.n00 + self.n01 + self.n10 + self.n11), 9)

    @step("E", r"\frac{2 \left($n01 + $n10\right)}{$n}", check=check.proportion)
    def e(self) -> Value:
        """Disagreement: share of the records on which exactly one classifier is wrong."""
        return 2 * (self.n01 + self.n10) / self.n

    @step("R", r"\frac{$n01}{$n01 + $n10}", check=check.proportion)
    def r(self) -> Value:
        """Share of the records with A wrong among the records on which exactly one classifier is wrong; 1/2 under H0."""
        return proportion(self.n01, self.n01 + self.n10)

    q_a = TablePosteriors.q_a
    q_b = TablePosteriors.q_b

    @step(r"\mathrm{Var}(E)", r"\frac{1 + $rho1 + 8\,$rho2}{5\,$n}\,$e (1 - $e)", check=check.nonnegative)
    def variance(self) -> Value:
        """Variance of the disagreement E over data sets (Theorem 1, with E for e); it grows with the correlations of the ten tables."""
        return (1 + self.rho1 + 8 * self.rho2) / (5 * self.n) * self.e * (1 - self.e)

    @step("t", r"\frac{10}{1 + $rho1 + 8\,$rho2}", check=check.positive)
    def t(self) -> Value:
        """Number of independent tables with the same information as the ten tables."""
        return 10 / (1 + self.rho1 + 8 * self.rho2)

    @step("n_{uv,e}", r"$t\,$mean_table", over="uv", check=two_by_two)
    def effective_table(self) -> Array:
        """Effective table: the rates of the mean table, with the size for which E has the variance of Theorem 1 (Theorem 3)."""
        return self.t * self.mean_table

    n00_effective = cell("effective_table", 0, 0, "n_{00,e}", "Effective records that both get wrong.")
    n01_effective = cell("effective_table", 0, 1, "n_{01,e}", "Effective records that A gets wrong and B right.")
    n10_effective = cell("effective_table", 1, 0, "n_{10,e}", "Effective records that A gets right and B wrong.")
    n11_effective = cell("effective_table", 1, 1, "n_{11,e}", "Effective records that both get right.")

    @step("n_e", r"$n00_effective + $n01_effective + $n10_effective + $n11_effective", check=check.positive)
    def n_effective(self) -> Value:
        """Total number of effective records; 10/11 of n for the recommended correlations."""
        return self.n00_effective + self.n01_effective + self.n10_effective + self.n11_effective

    @step("M", r"\frac{\max\{0,\ |$n01_effective - $n10_effective| - 1\}^2}{$n01_effective + $n10_effective}", check=check.nonnegative)
    def statistic(self) -> Value:
        """McNemar's statistic of the effective table: squared imbalance of the discordant records, divided by their number."""
        apart = np.abs(self.n01_effective - self.n10_effective)
        return ratio(np.maximum(0, round_noise_to_zero(apart - 1, apart)) ** 2, self.n01_effective + self.n10_effective)

    @step("M_0", r"\chi^2_1", relation=r"\sim")
    def null(self) -> ChiSquared:
        """Approximate distribution of M under H0: on each discordant record, A and B are right with probability 1/2 each."""
        return ChiSquared(1)

    @step("g", r"\frac{1}{2} - $r", after=True, check=check.number_between(-0.5, 0.5))
    def effect_size(self) -> Value:
        """Cohen's g: share of the discordant records that A gets right, minus one half; 0 without discordant records."""
        return 0.5 - self.r

    # -- scatter of the ten tables ----------------------------------------------------------------------------------------
    # this class can share these steps of TablesOfFolds, because it has all attributes that they use
    n01_of_fold = TablesOfFolds.n01_of_fold
    n10_of_fold = TablesOfFolds.n10_of_fold
    imbalance = TablesOfFolds.imbalance
    imbalance_of_repetition = TablesOfFolds.imbalance_of_repetition
    scatter = TablesOfFolds.scatter

    _scatter_interval_formula = r"\left[\frac{5\,$scatter}{\chi^2_{5,1 - $alpha/2}},\ \frac{5\,$scatter}{\chi^2_{5,$alpha/2}}\right]"

    @step(r"\mathrm{CI}_\varphi", _scatter_interval_formula, after=True, check=result_checks.interval_ends)
    def scatter_interval(self) -> Interval:
        """Confidence interval of the scatter, which is wide because there are only five differences between two folds."""
        return scatter_interval(self.scatter, self.alpha)

    # -- posteriors, given the tables -----------------------------------------------------------------------------------
    @property
    def posteriors(self) -> EffectivePosteriors:
        """Posteriors of the effective table, with all steps."""
        return EffectivePosteriors(self.effective_table, lam=self.lam, alpha=self.alpha, labels=self.labels)

    _beta_a_formula = r"($n01_effective + $n10_effective,\ $n01_effective,\ $n01_effective,\ $n00_effective)_q + $lam"

    @step("a_q", _beta_a_formula, over="q", after=True, check=check.positive, aside=True)
    def beta_a(self) -> Array:
        """First Beta parameter of the posteriors of e, r, q_a, q_b, given the effective table: lambda plus the count of the rate."""
        return np.array([self.n01_effective + self.n10_effective, self.n01_effective, self.n01_effective, self.n00_effective]) + self.lam

    _beta_b_formula = r"($n00_effective + $n11_effective,\ $n10_effective,\ $n11_effective,\ $n10_effective)_q + $lam"

    @step("b_q", _beta_b_formula, over="q", after=True, check=check.positive, aside=True)
    def beta_b(self) -> Array:
        """Second Beta parameter of each posterior: lambda plus the number of the other records that the rate refers to."""
        return np.array([self.n00_effective + self.n11_effective, self.n10_effective, self.n11_effective, self.n10_effective]) + self.lam

    @step(r"\mathrm{mode}_q", r"\frac{$beta_a - 1}{$beta_a + $beta_b - 2}", over="q", after=True, check=check.proportion)
    def modes(self) -> Array:
        """Mode of each posterior: the estimator E, R, Q_a or Q_b if lambda is 1; 0 or 1 if a or b is below 1."""
        return mode(self.beta_a, self.beta_b)

    means = TablePosteriors.means.restated("Mean of each posterior.", after=True)

    @property
    def effect_text(self) -> str:
        """Size of the difference as text: number of records on which only A is right, and number on which only B is right."""
        return discordant_counts_text(self.n10, self.n01, " per fold")

    @property
    def _degenerate_data_note(self) -> str:
        """Explanation of degenerate data, of impossible correlations, and of the effect of scattered tables on the level."""
        if np.ndim(self.statistic):
            return ""
        if not self.n01 + self.n10:
            return "The classifiers are right and wrong on the same records: the data give no evidence against H0."
        notes = []
        if self.rho2 > (1 + self.rho1) / 2:
            notes.append(
                "No ten tables can have such correlations: rho2 is at most (1 + rho1)/2. The test is more cautious than necessary."
            )
        if is_scattered(self.scatter_interval):
            notes.append(scatter_note(self.scatter, self.scatter_interval, (1 + self.rho1 + 8 * self.rho2) / 10, self.alpha))
        return " ".join(notes)
