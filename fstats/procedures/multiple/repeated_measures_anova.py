"""Repeated-measures analysis of variance (ANOVA)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from ...core.hypothesis import NO_SPREAD_MESSAGE
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, Value
from ...distributions.continuous_distributions import FisherF
from .anova_table import table_from_rows, upper_tail_probability
from .many_classifiers import Omnibus
from .rank_f_test import RankFTest
from .sphericity import BlockDesign

# If the Huynh-Feldt factor is below this limit, sphericity is called doubtful.  If sphericity holds, the factor is below the limit in
# 2 to 11 % of tables (8 to 15 data sets).  If the scores of one of five classifiers have twice the spread of the others, the factor
# is below the limit in nearly half of the tables; with five times the spread, in nearly all tables.
MIN_SPHERICITY_FACTOR = 0.75


class RepeatedAnova(BlockDesign, Omnibus):
    r"""Repeated-measures analysis of variance: do k classifiers differ in mean score over the same N independent data sets?

    Origin: published, Greenhouse and Geisser (1959); Demsar (2006).

    The analysis treats each data set as a block.  If the means of the data sets and of the classifiers are subtracted from the scores, the
    remaining numbers are the residuals :math:`e_{ij} = s_{ij} - \bar s_i - \bar s_j + \bar s`.  The spread of the means of the classifiers
    is compared with the residuals:

    .. math:: F = \frac{\mathrm{MS}_C}{\mathrm{MS}_E}, \qquad \mathrm{MS}_C = \frac{N \sum_j (\bar s_j - \bar s)^2}{k - 1}, \qquad
              \mathrm{MS}_E = \frac{\sum_{ij} e_{ij}^2}{(k - 1)(N - 1)},

    Sphericity means that the score differences of each pair of classifiers have the same variance.  Under sphericity, F follows the F
    distribution with k - 1 and (k - 1)(N - 1) degrees of freedom.  If sphericity does not hold, both degrees of freedom are multiplied by
    an estimated factor :math:`\epsilon` below 1.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        Scores of k >= 2 classifiers (columns) on the same N >= 2 data sets (rows), in any unit.  Further axes are independent
        repetitions.  A list of scores for each classifier, or a dictionary of such lists, is taken as the columns.
    sphericity : {"assumed", "greenhouse-geisser", "huynh-feldt"}
        Correction of the degrees of freedom for `pvalue` and `reject`: none, the Greenhouse-Geisser factor (conservative), or the
        Huynh-Feldt factor (less conservative).  All three p-values are computed; choose the correction before you see the p-values.
    labels, data_sets, higher_is_better, metric, alternative, alpha
        See :class:`fstats.OneWayAnova`; the test is always one-tailed.

    Attributes
    ----------
    covariance, eigenvalues : arrays
        Covariances of the residuals, and variances of the residuals in k - 1 orthogonal directions; under sphericity the k - 1 variances
        are equal.
    epsilon_gg, pvalue_gg, epsilon_hf, pvalue_hf : float or array
        Greenhouse-Geisser and Huynh-Feldt factors, which lie between 1 / (k - 1) and 1, each with its p-value.
    mauchly_w, mauchly_statistic, mauchly_df, mauchly_weight, mauchly_pvalue : float or array
        Mauchly's test of sphericity, by Box's approximation (two chi-squared distributions, as in R and SPSS; exact for three
        classifiers).  Mauchly's test needs at least k data sets, because with fewer data sets W is always 0.  With fewer data sets,
        reading a Mauchly attribute raises an error that names the reason.

    Notes
    -----
    With k = 2 the analysis is the two-sided paired t-test (F = t squared), and sphericity always holds (W and both factors are 1).  For
    scores of 1 (right) and 0 (wrong) on each record, F is the F test of Looney.  Some sources compute the p-value of Looney's test with
    (k - 1) N degrees of freedom in the denominator; (k - 1)(N - 1) is right.

    If all means are equal, F = 0 and p = 1.  If the classifiers differ by the same amount on every data set, all residuals are 0.  With
    residuals of 0, F is infinite, p = 0, and W and both factors are 1; `remark` explains such an F.  If two of more than two classifiers
    differ by the same amount on every data set but others do not, then W = 0 and Mauchly's p = 0.  The effect size is partial eta
    squared.

    If the Huynh-Feldt factor is below 0.75, `remark` calls sphericity doubtful and recommends a separate error term for each pair
    (:class:`fstats.Holm` on :class:`fstats.Pairwise` with paired t-tests) instead of the common error term of
    :class:`fstats.TukeyHSD`.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two classifiers or data sets, a value is not a finite number (the message names row and column), two
        labels are equal, `sphericity` is unknown, an alternative is given, or the level is outside (0, 1).

    References
    ----------
    Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.2.1.  Mauchly (1940), Annals of
    Mathematical Statistics 11, pages 204 to 209.  Box (1949), A general distribution theory for a class of likelihood criteria,
    Biometrika 36, pages 317 to 346.  Greenhouse and Geisser (1959), Psychometrika 24, pages 95 to 112.  Huynh and Feldt (1976),
    Journal of Educational Statistics 1, pages 69 to 82.  Looney (1988), A statistical technique for comparing the accuracies of
    several classifiers, Pattern Recognition Letters 8, pages 5 to 9.

    Examples
    --------
    The means are 2, 3, 4 on three data sets: MS_C = 3 (1 + 0 + 1) / 2 = 3.  Six residuals are -1/3 and three residuals are 2/3:
    MS_E = 2 / 4.

    >>> import fstats
    >>> test = fstats.RepeatedAnova([[1, 2, 4], [2, 4, 4], [3, 3, 4]])
    >>> print(test.means, round(test.statistic, 10), test.df, test.df_error, round(test.pvalue, 4))
    [2. 3. 4.] 6.0 2 4 0.0625
    """

    parameter = r"\mu"
    compares = "mean score"
    estimated_by = "means"
    equal_estimates = "All means are equal"
    _infinite_statistic_note = (
        f"The classifiers differ by the same amount on every data set: {NO_SPREAD_MESSAGE}, hence p = 0; look for a mistake in the data."
    )
    names_by_index: ClassVar[Mapping[str, Any]] = {
        **BlockDesign.names_by_index,
        "s": ("classifiers", "data sets", "error", "total"),
        "q": ("SS", "df", "MS"),
    }

    sphericity: Literal["assumed", "greenhouse-geisser", "huynh-feldt"] = input_field(
        r"\text{sphericity}",
        "Whether all differences between two classifiers are assumed to have the same variance, or which factor corrects for it.",
        default="assumed",
        kw_only=True,
    )

    @step(r"\mathrm{SS}_C", r"$n \sum_j ($means - $grand_mean)^2", check=check.nonnegative, unit="score^2")
    def ss_classifiers(self) -> Value:
        """Sum of squares of the classifiers: spread of the mean scores of the classifiers."""
        return self.n * (self.in_units(round_noise_to_zero(self.means - self.grand_mean, np.abs(self.means).max(0))) ** 2).sum(0)

    @step(r"\mathrm{SS}_D", r"$k \sum_i ($dataset_means - $grand_mean)^2", check=check.nonnegative, unit="score^2")
    def ss_datasets(self) -> Value:
        """Sum of squares of the data sets: differences between easy and hard data sets, which say nothing about the classifiers."""
        deviations = round_noise_to_zero(self.dataset_means - self.grand_mean, np.abs(self.dataset_means).max(0))
        return self.k * (self.in_units(deviations) ** 2).sum(0)

    @step(r"\mathrm{SS}_E", r"\sum_{ij} $residuals^2", check=check.nonnegative, unit="score^2")
    def ss_error(self) -> Value:
        """Sum of squares of the residuals."""
        return (self.in_units(self.residuals) ** 2).sum((0, 1))

    @step(r"\mathrm{SS}_T", "$ss_classifiers + $ss_datasets + $ss_error", check=check.nonnegative, unit="score^2")
    def ss_total(self) -> Value:
        """Sum of squares of all scores around the grand mean."""
        return self.ss_classifiers + self.ss_datasets + self.ss_error

    df = RankFTest.df

    df_error = RankFTest.df_error

    @step(r"\mathrm{MS}_C", r"\frac{$ss_classifiers}{$df}", check=check.nonnegative, unit="score^2")
    def ms_classifiers(self) -> Value:
        """Mean square of the classifiers."""
        return self.ss_classifiers / self.df

    @step(r"\mathrm{MS}_E", r"\frac{$ss_error}{$df_error}", check=check.nonnegative, unit="score^2")
    def ms_error(self) -> Value:
        """Mean square of the residuals: the variance due to chance."""
        return self.ss_error / self.df_error

    _table_formula = (
        r"($ss_classifiers,\ $df,\ $ms_classifiers;\ $ss_datasets,\ $n - 1;\ $ss_error,\ $df_error,\ $ms_error;\ $ss_total,\ $k $n - 1)"
    )

    @step(r"T_{sq}", _table_formula, over="sq", blank=True, unit="mixed")
    def table(self) -> Array:
        """Table of the analysis of variance: sums of squares, degrees of freedom and mean squares."""
        return table_from_rows(
            (self.ss_classifiers, self.df, self.ms_classifiers),
            (self.ss_datasets, self.n - 1, 0),
            (self.ss_error, self.df_error, self.ms_error),
            (self.ss_total, self.k * self.n - 1, 0),
        )

    @step("F", r"\frac{$ms_classifiers}{$ms_error}", check=check.nonnegative)
    def statistic(self) -> Value:
        """F statistic: spread of the means divided by the spread of means expected by chance."""
        return ratio(self.ms_classifiers, self.ms_error)

    _null_formula: ClassVar = {
        "assumed": r"F_{$df,\ $df_error}",
        "greenhouse-geisser": r"F_{$epsilon_gg\,$df,\ $epsilon_gg\,$df_error}",
        "huynh-feldt": r"F_{$epsilon_hf\,$df,\ $epsilon_hf\,$df_error}",
    }

    @step("F_0", _null_formula, by="sphericity", relation=r"\sim")
    def null(self) -> FisherF:
        """Distribution of F under H0: the true means are equal."""
        if self.sphericity == "assumed":
            return FisherF(self.df, self.df_error)
        epsilon = self.epsilon_gg if self.sphericity == "greenhouse-geisser" else self.epsilon_hf
        return FisherF(epsilon * self.df, epsilon * self.df_error)

    @step(r"\eta_p^2", r"\frac{$ss_classifiers}{$ss_classifiers + $ss_error}", after=True, check=check.proportion)
    def effect_size(self) -> Value:
        """Partial eta squared: sum of squares of the classifiers as a share of this sum plus the sum of squares of the residuals."""
        return ratio(self.ss_classifiers, self.ss_classifiers + self.ss_error)

    @step(r"p_{\hat\epsilon}", r"P(F_{$epsilon_gg\,$df,\ $epsilon_gg\,$df_error} \geq $statistic)", after=True, check=check.probability)
    def pvalue_gg(self) -> Value:
        """The p-value with the Greenhouse-Geisser factor."""
        return upper_tail_probability(FisherF(self.epsilon_gg * self.df, self.epsilon_gg * self.df_error), self.statistic)

    @step(r"p_{\tilde\epsilon}", r"P(F_{$epsilon_hf\,$df,\ $epsilon_hf\,$df_error} \geq $statistic)", after=True, check=check.probability)
    def pvalue_hf(self) -> Value:
        """The p-value with the Huynh-Feldt factor."""
        return upper_tail_probability(FisherF(self.epsilon_hf * self.df, self.epsilon_hf * self.df_error), self.statistic)

    @property
    def remark(self) -> str:
        """Explanation of the result for degenerate data, and a recommendation if sphericity is doubtful."""
        degenerate_data_note, factor = super().remark, self.get_or_default("epsilon_hf", 1.0)
        if degenerate_data_note or np.ndim(self.statistic) or factor >= MIN_SPHERICITY_FACTOR:
            return degenerate_data_note
        advice = "use the p-value of Greenhouse and Geisser, and " if self.sphericity == "assumed" else ""
        return (
            f"Sphericity is doubtful (Huynh-Feldt factor {format_plain(factor)}, below {format_plain(MIN_SPHERICITY_FACTOR)}): "
            f"{advice}compare pairs by Holm.from_test(Pairwise(scores, using=PairedT)), which has a separate error term for each pair, "
            "not by TukeyHSD."
        )
