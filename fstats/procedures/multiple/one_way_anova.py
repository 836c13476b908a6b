"""One-way analysis of variance (ANOVA)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ...core.hypothesis import NO_SPREAD_MESSAGE
from ...core.numerics.floating_point_ties import DOUBLE_NOISE, relative_noise, round_noise_to_zero
from ...core.numerics.zero_division import ratio
from ...core.step import step
from ...core.validation import check
from ...core.validation.score_lists import ScoreLists
from ...core.value_types import Array, Value, broadcast_column
from ...distributions.continuous_distributions import FisherF
from .anova_table import group_variances, table_from_rows
from .friedman import Friedman
from .independent_groups import IndependentGroups
from .many_classifiers import Omnibus, ScoreTable
from .sphericity import BlockDesign


def _sizes(value: Any, name: str) -> Array:
    """Return the checked sizes of the groups."""
    x: Array = check.count(1)(check.numbers_of_min_length(2)(value, name), name)
    if x.ndim > 1:
        raise ValueError(f"`{name}` must be one list with a size for each group; got shape {x.shape}")
    if x.max() < 2:
        remedy = "Add scores, because the test needs the spread within groups."
        raise ValueError(f"`{name}` must be 2 or more for at least one group; got 1 for each group. {remedy}")
    return x.astype(int)


class OneWayAnova(ScoreTable, Omnibus):
    r"""One-way analysis of variance: do k classifiers differ in mean score if each was scored on its own data sets?

    Origin: published, Fisher (1925).

    The F statistic compares the spread of the group means around the grand mean with the spread of the scores around their group means.
    The statistic

    .. math:: F = \frac{\mathrm{MS}_B}{\mathrm{MS}_W}, \qquad \mathrm{MS}_B = \frac{\sum_j n_j (\bar s_j - \bar s)^2}{k - 1}, \qquad
              \mathrm{MS}_W = \frac{\sum_j (n_j - 1)\,\hat\sigma_j^2}{n - k},

    is compared with the F distribution with k - 1 and n - k degrees of freedom.

    Parameters
    ----------
    scores : array_like or DataFrame, shape (N, k) or (N, k, ...)
        N >= 2 scores of each of k >= 2 classifiers (columns), in any unit.  The columns are independent groups: scores in the same row
        have nothing to do with each other.  Further axes are independent repetitions.  For groups of unequal sizes use
        :meth:`from_groups`, or pass a list for each group, of any size.
    labels : list of str, optional
        Names of the classifiers; by default the column names of a DataFrame, or A, B, C, ...
    data_sets : list of str, optional
        Names of the data sets; by default the index of a DataFrame.
    higher_is_better : bool
        False for errors and losses: with False, the lowest mean is the best.
    metric : str
        Name of the metric, such as "RMSE"; if the name says loss or error, lower is better by default.
    alternative : {"two-sided"}
        No other value is possible, because the test is always one-tailed.
    alpha : float
        Level; H0 is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    Classifiers are nearly always scored on the *same* data sets.  Scores on the same data sets are not independent: use
    :class:`fstats.RepeatedAnova` for such scores.  The repeated-measures analysis also has far more power, because it removes the
    differences between data sets.  The scores of each group should be roughly normal, with the same spread.

    If all means are equal, F = 0 and p = 1.  If the scores of every group are all equal but the means differ, F is infinite and p = 0;
    `remark` explains such an F.  The effect size is eta squared, the share of the total sum of squares that lies between the classifiers.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than two classifiers or data sets, a value is not a finite number (the message names row and column), two
        labels are equal, an alternative is given, or the level is outside (0, 1).

    References
    ----------
    Fisher (1925), Statistical methods for research workers, chapter 7.  Demsar (2006), Statistical comparisons of classifiers over
    multiple data sets, JMLR 7, section 3.2.1 (on repeated measures).

    Examples
    --------
    The means are 2, 3, 7 with grand mean 4, and each variance is 1: MS_B = 3 (4 + 1 + 9) / 2 = 21 and MS_W = 1.

    >>> import fstats
    >>> test = fstats.OneWayAnova([[1, 2, 6], [2, 3, 7], [3, 4, 8]])
    >>> print(test.ss_between, test.ss_within, test.statistic, test.df, test.df_error, round(test.pvalue, 6))
    42.0 6.0 21.0 2 6 0.001953
    """

    parameter = r"\mu"
    compares = "mean score"
    estimated_by = "means"
    equal_estimates = "All means are equal"
    _infinite_statistic_note = (
        f"The scores of every classifier are all equal: {NO_SPREAD_MESSAGE}, hence p = 0; look for a mistake in the data."
    )
    names_by_index: ClassVar[Mapping[str, Any]] = {
        **ScoreTable.names_by_index,
        "s": ("between", "within", "total"),
        "q": ("SS", "df", "MS"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        stated = {name: len(self.__dict__[name]) for name in ("sizes", "means", "variances") if name in self.__dict__}
        if len(set(stated.values())) > 1:
            lengths = ", ".join(f"{k} {name}" for name, k in stated.items())
            raise ValueError(f"each classifier must have a size, a mean and a variance; got {lengths}. Write lists of the same length.")

    @classmethod
    def _from_lists(cls, lists: ScoreLists, settings: Mapping[str, Any]) -> Self:
        if not settings.keys() <= {"labels", "higher_is_better", "alpha"}:  # from_groups accepts only these settings
            return super()._from_lists(lists, settings)
        return cls.from_groups(*lists.lists, **{"labels": lists.labels, **settings})

    @classmethod
    def from_groups(cls, *groups: Any, labels: Any = None, higher_is_better: bool = True, alpha: float = 0.05) -> Self:
        """Return the test on groups of any sizes, each a separate list: ``OneWayAnova.from_groups([1, 2, 3], [2, 4])``.

        Parameters
        ----------
        *groups : array_like, each of shape (n_j,) or (n_j, ...)
            The scores of each classifier; at least one group has 2 or more scores.  Further axes are independent repetitions.
        labels : list of str, optional
            Names of the classifiers; by default the names of pandas Series, or A, B, C, ...
        higher_is_better : bool
            False for errors and losses.
        alpha : float
            Level.

        Examples
        --------
        The means are 2 and 3 with grand mean 2.4: SS_B = 3 * 0.16 + 2 * 0.36 and SS_W = 2 + 2.

        >>> import fstats
        >>> test = fstats.OneWayAnova.from_groups([1, 2, 3], [2, 4])
        >>> print(test.sizes, round(test.ss_between, 10), test.ss_within, test.df_error, round(test.statistic, 10))
        [3 2] 1.2 4.0 3 0.9
        """
        independent_groups = IndependentGroups.from_lists(groups, labels)
        return cls.following(independent_groups, labels=independent_groups.labels, higher_is_better=higher_is_better, alpha=alpha)

    @step("n_j", r"\#\{i : $scores\}", over="j", check=_sizes)
    def sizes(self) -> Any:
        """Number of scores of each classifier."""
        return np.full(self.scores.shape[1], len(self.scores))

    @step(r"\bar s_j", r"\frac{1}{$sizes} \sum_i $scores", over="j", check=check.numbers_of_min_length(2), unit="score")
    def means(self) -> Array:
        """Mean score of each classifier."""
        totals = self.scores.sum(0)
        return totals / broadcast_column(self.sizes, totals)

    @step(r"\hat\sigma_j^2", r"\frac{1}{$sizes - 1} \sum_i ($scores - $means)^2", over="j", check=group_variances, unit="score^2")
    def variances(self) -> Array:
        """Variance of the scores of each classifier, with n_j - 1 because the mean is estimated from the same scores."""
        noise = np.maximum(relative_noise(self.scores, axis=(0, 1)), DOUBLE_NOISE)
        deviations = round_noise_to_zero(self.scores - self.means, np.abs(self.scores).max((0, 1)), noise)
        squares = (self.in_units(deviations) ** 2).sum(0)
        return squares / broadcast_column(self.sizes - 1, squares)

    @step("n", r"\sum_j $sizes", check=check.count(3))
    def n(self) -> int:
        """Number of scores of all classifiers."""
        return int(self.sizes.sum())

    k = BlockDesign.k

    @step(r"\bar s", r"\frac{1}{$n} \sum_j $sizes\,$means", unit="score")
    def grand_mean(self) -> Value:
        """Mean of all scores."""
        return (broadcast_column(self.sizes, self.means) * self.means).sum(0) / self.n

    @step(r"\mathrm{SS}_B", r"\sum_j $sizes\,($means - $grand_mean)^2", check=check.nonnegative, unit="score^2")
    def ss_between(self) -> Value:
        """Sum of squares between the classifiers: spread of the group means around the grand mean."""
        deviations = self.in_units(round_noise_to_zero(self.means - self.grand_mean, np.abs(self.means).max(0)))
        return (broadcast_column(self.sizes, deviations) * deviations**2).sum(0)

    @step(r"\mathrm{SS}_W", r"\sum_j ($sizes - 1)\,$variances", check=check.nonnegative, unit="score^2")
    def ss_within(self) -> Value:
        """Sum of squares within the classifiers: spread of the scores around the mean score of their classifier."""
        return (broadcast_column(self.sizes - 1, self.variances) * self.variances).sum(0)

    @step(r"\mathrm{SS}_T", "$ss_between + $ss_within", check=check.nonnegative, unit="score^2")
    def ss_total(self) -> Value:
        """Sum of squares of all scores around the grand mean."""
        return self.ss_between + self.ss_within

    df = Friedman.df.restated("Degrees of freedom between the classifiers: number of classifiers minus 1.", symbol=r"\nu_1")

    @step(r"\nu_2", "$n - $k", check=check.count(1))
    def df_error(self) -> int:
        """Degrees of freedom within the classifiers: number of scores minus number of classifiers, because each mean is estimated."""
        return self.n - self.k

    @step(r"\mathrm{MS}_B", r"\frac{$ss_between}{$df}", check=check.nonnegative, unit="score^2")
    def ms_between(self) -> Value:
        """Mean square between the classifiers."""
        return self.ss_between / self.df

    @step(r"\mathrm{MS}_W", r"\frac{$ss_within}{$df_error}", check=check.nonnegative, unit="score^2")
    def ms_within(self) -> Value:
        """Mean square within the classifiers: variance of the scores, estimated from all groups."""
        return self.ss_within / self.df_error

    _table_formula = r"($ss_between,\ $df,\ $ms_between;\ $ss_within,\ $df_error,\ $ms_within;\ $ss_total,\ $df + $df_error)"

    @step(r"T_{sq}", _table_formula, over="sq", blank=True, unit="mixed")
    def table(self) -> Array:
        """Table of the analysis of variance: sums of squares, degrees of freedom and mean squares."""
        return table_from_rows(
            (self.ss_between, self.df, self.ms_between),
            (self.ss_within, self.df_error, self.ms_within),
            (self.ss_total, self.df + self.df_error, 0),
        )

    @step("F", r"\frac{$ms_between}{$ms_within}", check=check.nonnegative)
    def statistic(self) -> Value:
        """F statistic: spread of the means divided by the spread of means expected by chance."""
        return ratio(self.ms_between, self.ms_within)

    @step("F_0", r"F_{$df,\ $df_error}", relation=r"\sim")
    def null(self) -> FisherF:
        """Distribution of F under H0: the true means are equal."""
        return FisherF(self.df, self.df_error)

    @step(r"\eta^2", r"\frac{$ss_between}{$ss_total}", after=True, check=check.proportion)
    def effect_size(self) -> Value:
        """Eta squared: share of the total sum of squares that lies between the classifiers."""
        return ratio(self.ss_between, self.ss_total)
