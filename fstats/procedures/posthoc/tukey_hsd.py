"""Tukey's HSD and Tukey-Kramer tests.

HSD is the honest significant difference; the Tukey-Kramer test allows unequal group sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy import sqrt

from ...core.arithmetic_steps import ratio_step
from ...core.hypothesis import NO_SPREAD_MESSAGE
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.step import Step, input_field, step
from ...core.validation import check, result_checks
from ...core.validation.score_lists import ScoreLists
from ...core.value_types import Array, Value
from ...distributions.studentized_range import StudentizedRange
from ..multiple.anova_table import upper_tail_probability
from ..multiple.independent_groups import IndependentGroups
from ..multiple.many_classifiers import ScoreTable, classifier_labels
from ..multiple.one_way_anova import OneWayAnova
from ..multiple.repeated_measures_anova import RepeatedAnova
from .nemenyi import Nemenyi
from .posthoc_comparison import PostHocComparison, RankComparison, pair_positions


def _anova_step(sentence: str = "", **analyses: Step[Any]) -> Step[Any]:
    """Return a step of the analysis of variance of the chosen design; a step that only one design has is shown only for this design.

    The test does not continue an analysis of variance: the F test with its own decision would then come first, and the MS_E and
    degrees of freedom printed in a paper would not be sufficient input.
    """
    only_design, first = next(iter(analyses.items()))

    def compute(test: Any) -> Any:
        return analyses.get(test.design, first).fn(test)

    formulas: Any = {design: analyses.get(design, first).formula for design in ("repeated", "independent")}
    only = only_design if len(analyses) == 1 else ""
    settings: Any = {"check": first.check, "only": only, "unit": first.unit, "sentence": sentence or first.sentence}
    return Step(compute, first.symbol, formulas, by="design", over=first.over, **settings)


class TukeyHSD(ScoreTable, PostHocComparison):
    r"""Tukey's honest significant difference: which pairs of classifiers differ in mean score?

    Origin: published, Tukey (1949).

    The test statistic of a pair is the difference of the two means, divided by the standard error of one mean.  It is compared with the
    range of k means that have the same true value:

    .. math:: q = \frac{\bar s_j - \bar s_l}{\sqrt{\mathrm{MS}_E / N}}, \qquad \mathrm{HSD} = q_{\alpha;\,k,\,\nu} \sqrt{\mathrm{MS}_E / N},

    :math:`\mathrm{MS}_E` and its degrees of freedom :math:`\nu` are those of the analysis of variance.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on N >= 2 data sets (rows), in any unit.  Further axes are independent
        repetitions.  For independent groups of unequal sizes use :meth:`from_groups`.
    labels, data_sets : list of str, optional
        Names of the classifiers and of the data sets; by default the names in a DataFrame, or A, B, C, ...
    higher_is_better, metric
        As for :class:`fstats.OneWayAnova`.
    design : {"repeated", "independent"}
        "repeated": all classifiers were scored on the same data sets; the error term is that of :class:`fstats.RepeatedAnova`.
        "independent": the columns are independent groups; the error term is that of :class:`fstats.OneWayAnova`.
    alpha : float
        Familywise level: probability of rejecting at least one pair if there is no difference among the classifiers.

    Attributes
    ----------
    pairs, differences, q, pvalues, reject : arrays with an entry for each pair
        p-values are already adjusted for all pairs.  A difference is the first mean minus the second (for errors the second minus
        the first): positive means that the first of the pair is better.
    critical_value, hsd : float
        The smallest q that rejects, and the honest significant difference of two means.  This critical value is the quantile of the
        studentized range itself; q_alpha in :class:`fstats.Nemenyi` is this quantile divided by the root of 2.
    ci : Interval
        Simultaneous confidence limits of the differences: difference minus HSD and difference plus HSD.

    Notes
    -----
    Scores should be roughly normal, with the same spread for each classifier.  On the same data sets, the differences of all pairs
    of classifiers should also have the same variance (sphericity, see :class:`fstats.RepeatedAnova`).  With k = 2 the p-value is
    that of the two-sided t-test (paired or not).

    All pairs share one error term.  If one classifier scatters more than the others, the common error term is too small for its pairs,
    and the familywise level is exceeded.  In simulated tables with equal means (n = 10), at least one pair was rejected in 11.0 % of the
    tables if 1 of 5 classifiers had 5 times the spread, and in 16.2 % if 2 of 8 had.  :class:`fstats.Holm` on :class:`fstats.Pairwise`
    with paired t-tests has a separate error term for each pair and kept the level; use it whenever sphericity is doubtful.

    If the error of the analysis of variance is 0, q is 0 for equal means and infinite for others, and p is 1 or 0; see `remark`.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two classifiers or data sets, a value is not a finite number (the message names row and column), two
        labels are equal, the design is unknown, or the level is outside (0, 1).

    References
    ----------
    Tukey (1949), Comparing individual means in the analysis of variance, Biometrics 5, pages 99 to 114, and his manuscript of 1953,
    The problem of multiple comparisons, Princeton.  Kramer (1956), Biometrics 12, pages 307 to 310.  Demsar (2006), JMLR 7,
    section 3.2.1.

    Examples
    --------
    The means are 2, 3, 4 and MS_E = 0.5 with 4 degrees of freedom (see :class:`fstats.RepeatedAnova`): SE = sqrt(0.5 / 3).  Tables of
    the studentized range give 5.04 for three means.

    >>> import fstats
    >>> test = fstats.TukeyHSD([[1, 2, 4], [2, 4, 4], [3, 3, 4]])
    >>> print(test.differences, test.q.round(3), round(test.critical_value, 2), round(test.hsd, 3))
    [-1. -2. -1.] [-2.449 -4.899 -2.449] 5.04 2.058
    """

    names_by_index = PostHocComparison.names_by_index
    compares = "mean score"

    _design_sentence = "Whether all classifiers were scored on the same data sets, or each on its own data sets."
    design: Literal["repeated", "independent"] = input_field(r"\text{design}", _design_sentence, default="repeated", kw_only=True)

    sizes = _anova_step(independent=OneWayAnova.sizes)
    n = _anova_step("Number of data sets; in an independent design, of all scores.", repeated=RepeatedAnova.n, independent=OneWayAnova.n)
    means = _anova_step(repeated=RepeatedAnova.means, independent=OneWayAnova.means)
    k = RepeatedAnova.k
    variances = _anova_step(independent=OneWayAnova.variances)
    dataset_means = _anova_step(repeated=RepeatedAnova.dataset_means)
    grand_mean = _anova_step(repeated=RepeatedAnova.grand_mean)
    residuals = _anova_step(repeated=RepeatedAnova.residuals)
    ss_error = _anova_step(repeated=RepeatedAnova.ss_error, independent=OneWayAnova.ss_within)
    df_error = _anova_step(repeated=RepeatedAnova.df_error, independent=OneWayAnova.df_error)
    ms_error = RepeatedAnova.ms_error
    pairs = RankComparison.pairs

    @classmethod
    def _from_lists(cls, lists: ScoreLists, settings: Mapping[str, Any]) -> Self:
        if lists.labels is None and "design" not in settings:
            raise TypeError(
                f"TukeyHSD needs one table; got {len(lists.lists)} lists. Write TukeyHSD.from_groups(a, b, ...) for independent groups, "
                "or TukeyHSD(numpy.column_stack([a, b, ...])) for scores on the same data sets."
            )
        return super()._from_lists(lists, settings)

    @classmethod
    def from_groups(cls, *groups: Any, labels: Any = None, higher_is_better: bool = True, alpha: float = 0.05) -> TukeyKramer:
        """Return the Tukey-Kramer test on independent groups of any sizes: ``TukeyHSD.from_groups([1, 2, 3], [2, 4], [5, 6])``.

        Parameters
        ----------
        *groups : array_like, each of shape (n_j,) or (n_j, ...)
            The scores of each classifier; at least one group has 2 or more scores.  Further axes are independent repetitions.
        labels : list of str, optional
            Names of the classifiers; by default the names of pandas Series, or A, B, C, ...
        higher_is_better : bool
            False for errors and losses.
        alpha : float
            Familywise level.

        Examples
        --------
        MS_E = 4 / 3, so the standard error of A - B is sqrt(4/3 / 2 * (1/3 + 1/2)).

        >>> import fstats
        >>> test = fstats.TukeyHSD.from_groups([1, 2, 3], [2, 4])
        >>> print(test.differences, test.se.round(4), test.q.round(4))
        [-1.] [0.7454] [-1.3416]
        """
        independent_groups = IndependentGroups.from_lists(groups, labels)
        return TukeyKramer.following(independent_groups, labels=independent_groups.labels, higher_is_better=higher_is_better, alpha=alpha)

    _differences_formula: ClassVar = {
        True: r"\bar s_j - \bar s_l <- $means, $pairs, $labels",
        False: r"\bar s_l - \bar s_j <- $means, $pairs, $labels",
    }

    @step(r"d_h", _differences_formula, by="higher_is_better", over="h", unit="score")
    def differences(self) -> Array:
        """First mean minus second mean (for errors second minus first): positive if the first of the pair is better."""
        first, second = pair_positions(self.pairs, classifier_labels(self))[:: 1 if self.higher_is_better else -1]
        return round_noise_to_zero(self.means[first] - self.means[second], np.abs(self.means).max(0))

    _se_formula: ClassVar = {"repeated": r"\sqrt{\frac{$ms_error}{$n}}", "independent": r"\sqrt{\frac{$ms_error}{$n / $k}}"}

    @step(r"\mathrm{SE}", _se_formula, by="design", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of one mean."""
        return self.unit * sqrt(self.ms_error / (self.n if self.design == "repeated" else self.n / self.k))

    q = ratio_step("q_h", "differences", "se", "Difference of the means, in standard errors of one mean.", over="h")

    @step("Q_0", r"q_{$k,\ $df_error}", relation=r"\sim", check=result_checks.null_distribution)
    def null(self) -> StudentizedRange:
        """Distribution of the range of k means with the same true value, in standard errors of one mean."""
        return StudentizedRange(int(self.k), float(self.df_error))

    @step("p_h", r"P($null \geq |$q|)", over="h", check=check.probabilities)
    def pvalues(self) -> Array:
        """Adjusted p-value: probability that the largest difference of two means is at least this large, if all true means are equal."""
        return np.asarray(upper_tail_probability(self.null, np.abs(self.q)))

    @step("c", r"\min\{x : P($null \geq x) \leq $alpha\}", check=check.positive)
    def critical_value(self) -> Value:
        """The smallest q that rejects: quantile of the studentized range, not divided by the root of 2."""
        return self.null.high(self.alpha)

    @step(r"\mathrm{HSD}", r"$critical_value\,$se", over="$se", check=check.nonnegative, unit="score")
    def hsd(self) -> Value:
        """Honest significant difference: two means differ significantly if their difference is at least this large."""
        return self.critical_value * self.se

    reject = Nemenyi.reject

    @step(r"l_h", r"$differences - $hsd", over="h", after=True, unit="score")
    def ci_low(self) -> Array:
        """Lower end of the simultaneous confidence interval of the difference."""
        return self.differences - self.hsd

    @step(r"u_h", r"$differences + $hsd", over="h", after=True, unit="score")
    def ci_high(self) -> Array:
        """Upper end of the simultaneous confidence interval of the difference."""
        return self.differences + self.hsd

    ci = Nemenyi.ci

    @property
    def is_degenerate(self) -> bool:
        """Whether the error of the analysis of variance is 0, so that every difference other than 0 rejects (of a single table)."""
        return np.ndim(self.q) == 1 and bool(np.isinf(self.q).any())

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data."""
        if not self.is_degenerate:
            return ""
        cause = f"The error of the analysis of variance is 0: {NO_SPREAD_MESSAGE}"
        return f"{cause}, hence p = 0 for any difference; look for a mistake in the data."

    @property
    def conclusion(self) -> str:
        """The decisions in one or two sentences, and the remark."""
        return f"{super().conclusion} {self.remark}".rstrip()


class TukeyKramer(TukeyHSD):
    r"""Tukey-Kramer test: which pairs of classifiers differ in mean score if their numbers of scores differ?

    Tukey's test with a separate standard error for each pair:

    .. math:: q = \frac{\bar s_j - \bar s_l}{\mathrm{SE}_{jl}}, \qquad
              \mathrm{SE}_{jl} = \sqrt{\frac{\mathrm{MS}_E}{2} \left(\frac{1}{n_j} + \frac{1}{n_l}\right)}

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k classifiers (columns), each on its own N data sets.  For groups of unequal sizes the test is created by
        :meth:`TukeyHSD.from_groups`.
    labels, higher_is_better, metric
        As for :class:`fstats.TukeyHSD`.
    design : {"independent"}
        The only value: unequal numbers of scores cannot be on the same data sets.
    alpha : float
        Familywise level, which the test keeps; with very different sizes the test is slightly conservative.

    References
    ----------
    Kramer (1956), Extension of multiple range tests to group means with unequal numbers of replications, Biometrics 12, pages 307
    to 310.  Hayter (1984), A proof of the conjecture that the Tukey-Kramer multiple comparisons procedure is conservative, Annals
    of Statistics 12, pages 61 to 75.

    Examples
    --------
    >>> import fstats
    >>> test = fstats.TukeyHSD.from_groups([1, 2, 3], [2, 4], [8, 9])
    >>> print(test.conclusion)
    Reject H0 at alpha = 0.05 for 2 of 3 comparisons of mean scores: C is better than A by 6.5; C is better than B by 5.5. Fail to reject
    ...
    """

    design: Literal["independent"] = input_field(
        r"\text{design}", "Each classifier was scored on its own data sets.", default="independent", kw_only=True
    )

    _se_of_pair_formula = r"\sqrt{\frac{$ms_error}{2} \left(\frac{1}{n_j} + \frac{1}{n_l}\right)} <- $sizes, $pairs, $labels"

    @step(r"\mathrm{SE}_h", _se_of_pair_formula, over="h", check=check.nonnegative, unit="score")
    def se(self) -> Array:
        """Standard error of a difference of two means, divided by the root of 2."""
        first, second = pair_positions(self.pairs, classifier_labels(self))
        return self.unit * np.sqrt(np.multiply.outer((1 / self.sizes[first] + 1 / self.sizes[second]) / 2, self.ms_error))
