"""Variance components of score differences across data sets.

The components are data sets, splits, seeds and residual.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ...core.arithmetic_steps import mean_step
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value
from .crossed_design import DesignSize, crossed_differences_by_data_set, mean_square_difference, round_up
from .variance_components import VarianceParts

SIZES_TRIED = (1, 3, 10)  # numbers of splits, and of seeds, on each data set for which designs are planned


class VariancePartsOfDataSets(VarianceParts):
    r"""Variance components over many data sets: how much of the variance comes from data sets, from splits and from seeds?

    Origin: published, Searle, Casella and McCulloch (1992).

    Each data set has its own splits and seeds, so splits and seeds are nested in data sets.  Within a data set, a model is trained with
    every seed on every split.  The difference of two methods on data set h, split i and seed j is :math:`d_{hij} = \mu + D_h + s_{hi} +
    r_{hj} + e_{hij}`.  The expected mean squares are

    .. math:: E(\mathrm{MS}_D) = \sigma_e^2 + J \sigma_s^2 + I \sigma_r^2 + I J \sigma_D^2, \quad
              E(\mathrm{MS}_s) = \sigma_e^2 + J \sigma_s^2, \quad E(\mathrm{MS}_r) = \sigma_e^2 + I \sigma_r^2, \quad
              E(\mathrm{MS}_e) = \sigma_e^2.

    In these four equations, replace the expected mean squares by the observed mean squares, and solve for the variances: the results are
    unbiased estimates.  The mean of all K I J differences has the variance

    .. math:: V = \frac{\sigma_D^2}{K} + \frac{\sigma_s^2}{K I} + \frac{\sigma_r^2}{K J} + \frac{\sigma_e^2}{K I J}.

    Parameters
    ----------
    d : array_like, shape (K, I, J) or (K, I, J, ...)
        Score of A minus score of B on K >= 2 data sets, on I >= 2 splits of each data set, with J >= 2 seeds on each split; positive if A
        is better.  Further axes are independent repetitions.
    alpha : float
        The intervals have the confidence level 1 - alpha, and :meth:`needed` plans a two-sided test at this level.

    Notes
    -----
    Seed 7 on one data set and seed 7 on another have only the number in common, so seeds are not crossed with data sets.  On a data set
    the mean squares of splits, seeds and residual are those of :class:`fstats.VarianceParts`.  The mean squares are averaged over the
    data sets, because all data sets are assumed to have the same variance components.

    If the data sets are a sample of the population of interest, everything that the splits of one data set have in common is part of the
    variance of the data sets.  Overlapping splits of one data set are similar, which moves a part of the variance from the splits to the
    data sets; the total V stays right.  With these K data sets V cannot be below :math:`\sigma_D^2 / K`, for any number of splits and
    seeds.

    `ratio_low` and `ratio_high` are the ends of the exact intervals of the variances of splits and seeds relative to the residual
    variance.  No exact interval is known for the variance of data sets, so no interval is given for it.  Estimates below 0 count as 0, as
    in :class:`fstats.VarianceParts`.

    Raises
    ------
    ValueError, TypeError
        For fewer than two data sets, splits or seeds, numbers that are not finite, a level outside (0, 1).

    References
    ----------
    Searle, Casella and McCulloch (1992), Variance components, chapter 4 (balanced data).  Brennan (2001), Generalizability theory,
    chapter 3 (estimates from mean squares, for any nesting).

    Examples
    --------
    The first data set is the table of :class:`fstats.VarianceParts`, with MS = 16, 4, 0; the second is the same table plus 10.  The means
    are 3 and 13, so MS_D = 2 * 2 * 50 = 200, and the variance of the data sets is (200 - 16 - 4 + 0) / 4.

    >>> import fstats
    >>> parts = fstats.VariancePartsOfDataSets([[[0, 2], [4, 6]], [[10, 12], [14, 16]]])
    >>> print(parts.ms, parts.components, parts.variance)
    [ 16.   4.   0. 200.] [ 8.  2.  0. 45.] 25.0
    >>> parts.needed(delta=2.8)[-1]
    DesignSize(data_sets=47, splits=10, seeds=10)
    """

    names_by_index: ClassVar[Mapping[str, Any]] = {"c": ("splits", "seeds", "the rest", "data sets"), "f": ("splits", "seeds")}
    population_text = "data sets, splits and seeds"
    limitation = "More splits and seeds on these data sets do not reduce the variation between data sets."

    _d_sentence = "Score of A minus score of B on each data set, on each of its splits with each of its seeds."
    d: ScoresLike = input_field("d_{hij}", _d_sentence, over="hij", check=crossed_differences_by_data_set, unit="score")

    n_data_sets = count_step("K", "d", "h", "Number of data sets.", check=check.count(2))

    n_splits = count_step("I", "d", "i", "Number of splits of each data set.", axis=1)

    n_seeds = count_step("J", "d", "j", "Number of seeds on each data set.", axis=2)

    split_means = mean_step(r"\bar d_{hi}", "d", "n_seeds", "j", "Mean difference on each split.", over="hi", axis=2)

    seed_means = mean_step(r"\bar d_{hj}", "d", "n_splits", "i", "Mean difference with each seed.", over="hj", axis=1)

    @step(r"\bar d_h", r"\frac{1}{$n_splits} \sum_i $split_means", over="h", check=check.numbers_of_min_length(2), unit="score")
    def dataset_means(self) -> Array:
        """Mean difference on each data set."""
        return self.split_means.sum(1) / self.n_splits

    mean = mean_step(r"\bar d", "dataset_means", "n_data_sets", "h", "Mean difference.")

    @step("e_{hij}", "$d - $split_means - $seed_means + $dataset_means", over="hij", check=crossed_differences_by_data_set, aside=True)
    def residuals(self) -> Array:
        """Residual of each difference after subtracting the effects of data set, split and seed."""
        left = self.d - self.split_means[:, :, None] - self.seed_means[:, None] + self.dataset_means[:, None, None]
        return round_noise_to_zero(left, np.abs(self.d).max((0, 1, 2)))

    @step(
        r"\mathrm{SS}_c",
        r"$n_seeds \sum_{hi} ($split_means - $dataset_means)^2,\ $n_splits \sum_{hj} ($seed_means - $dataset_means)^2,\ "
        r"\sum_{hij} $residuals^2,\ $n_splits\,$n_seeds \sum_h ($dataset_means - $mean)^2",
        over="c",
    )
    def ss(self) -> Array:
        """Sums of squares of splits and seeds within data sets, of residuals, and of data sets."""
        return np.stack(
            [
                self.n_seeds * self._sum_of_squares(self.split_means, self.dataset_means[:, None]),
                self.n_splits * self._sum_of_squares(self.seed_means, self.dataset_means[:, None]),
                self._sum_of_squares(self.residuals, 0.0),
                self.n_splits * self.n_seeds * self._sum_of_squares(self.dataset_means, self.mean),
            ]
        )

    @step(
        r"\nu_c",
        r"($n_data_sets ($n_splits - 1),\ $n_data_sets ($n_seeds - 1),\ $n_data_sets ($n_splits - 1) ($n_seeds - 1),\ $n_data_sets - 1)_c",
        over="c",
    )
    def df(self) -> Array:
        """Degrees of freedom of each sum of squares."""
        k, i, j = self.n_data_sets, self.n_splits - 1, self.n_seeds - 1
        return np.array([k * i, k * j, k * i * j, k - 1], float)

    @step(
        r"\hat v_c",
        r"\left(\frac{\mathrm{MS}_1 - \mathrm{MS}_3}{$n_seeds},\ \frac{\mathrm{MS}_2 - \mathrm{MS}_3}{$n_splits},\ \mathrm{MS}_3,\ "
        r"\frac{\mathrm{MS}_4 - \mathrm{MS}_1 - \mathrm{MS}_2 + \mathrm{MS}_3}{$n_splits\,$n_seeds}\right)_c \text{ of } $ms",
        over="c",
    )
    def solved(self) -> Array:
        """Unbiased estimates of the variance components, from the expected mean squares; estimates may be below 0."""
        splits, seeds, left, data_sets = self.ms
        between = mean_square_difference(data_sets + left, splits + seeds) / (self.n_splits * self.n_seeds)
        within = mean_square_difference(splits, left) / self.n_seeds, mean_square_difference(seeds, left) / self.n_splits
        return np.stack([*within, left, between])

    @step(
        "V",
        r"\frac{1}{$n_data_sets} \left(\frac{v_1}{$n_splits} + \frac{v_2}{$n_seeds} + "
        r"\frac{v_3}{$n_splits\,$n_seeds} + v_4\right) \text{ of } $components",
    )
    def variance(self) -> Value:
        """Variance of the mean difference over data sets, splits and seeds."""
        splits, seeds, left, between = self.components
        return (between + splits / self.n_splits + seeds / self.n_seeds + left / (self.n_splits * self.n_seeds)) / self.n_data_sets

    def needed(self, delta: float, power: float = 0.8) -> list[DesignSize]:
        """Return numbers of data sets that detect a true mean difference of delta (for a single repetition).

        Parameters
        ----------
        delta : float
            True difference, above 0, in the unit of the scores.
        power : float
            Probability of detecting the true difference.

        Returns
        -------
        list of DesignSize
            The smallest number of data sets for 1, 3 and 10 splits with the same number of seeds on each data set.
        """
        max_variance = self._max_variance(delta, power)
        splits, seeds, left, between = self.components
        return [
            DesignSize(round_up((between + splits / i + seeds / j + left / (i * j)) / max_variance), i, j)
            for i in SIZES_TRIED
            for j in SIZES_TRIED
        ]
