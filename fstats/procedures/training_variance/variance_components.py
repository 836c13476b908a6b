"""Variance components of score differences on one data set.

The components are splits, seeds and residual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from scipy import special

from ...core.arithmetic_steps import mean_step
from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import round_noise_to_zero
from ...core.numerics.sums_of_squares import ScaledSquares
from ...core.numerics.zero_division import ratio
from ...core.procedure import Procedure
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value, broadcast_column
from ...core.worked_example_row import Row
from ...distributions.continuous_distributions import FisherF
from .crossed_design import DesignSize, crossed_differences, mean_square_difference, round_up

SIZE_FACTORS = (1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0)  # multiples of the minimum number of splits for which designs are planned


class VarianceParts(ScaledSquares, Procedure):
    r"""Variance components on one data set: how much of the variance comes from the splits, and how much from the seeds?

    Origin: published, Searle, Casella and McCulloch (1992).

    Both methods are trained once with every seed on every split.  The difference of the two scores on split i with seed j is
    :math:`d_{ij} = \mu + s_i + r_j + e_{ij}`, with an effect of the split, an effect of the seed, and a residual.  The residual contains
    the interaction of split and seed, and all other random variation.  The expected mean squares of the two-way analysis of variance are

    .. math:: E(\mathrm{MS}_s) = \sigma_e^2 + J \sigma_s^2, \qquad E(\mathrm{MS}_r) = \sigma_e^2 + I \sigma_r^2, \qquad
              E(\mathrm{MS}_e) = \sigma_e^2.

    Unbiased estimates of the three variances follow if each expected mean square is replaced by the observed mean square.  The mean of all
    I J differences has the variance

    .. math:: V = \frac{\sigma_s^2}{I} + \frac{\sigma_r^2}{J} + \frac{\sigma_e^2}{I J}.

    Parameters
    ----------
    d : array_like, shape (I, J) or (I, J, ...)
        Score of A minus score of B on I >= 2 splits (the first axis) with J >= 2 seeds (the second); positive if A is better.  Further
        axes are independent repetitions.
    alpha : float
        The intervals have the confidence level 1 - alpha, and :meth:`needed` plans a two-sided test at this level.

    Notes
    -----
    `ratio_low` and `ratio_high` are the ends of the exact intervals of :math:`\sigma_s^2 / \sigma_e^2` and :math:`\sigma_r^2 /
    \sigma_e^2`, if the effects are normal.  No exact interval is known for the shares and for V, so no interval is given for them.

    **The splits share one data set.**  The random choice of this data set affects all differences equally, so none of the variance
    components contains it.  The components describe the variation with other splits and other seeds *of these records*; no number of
    splits or seeds reduces the variation between data sets.  The training sets of two splits overlap (for random splits also the test
    sets), so splits are similar, and their variance component is too small for new data.  With many data sets use
    :class:`fstats.VariancePartsOfDataSets`.

    An estimate below 0, which can occur by chance (in half of all tables or more if the true variance is 0), counts as 0 in `components`.
    `solved` contains the unchanged estimates, and `remark` reports estimates below 0.  If the differences have no spread, all variances
    and shares are 0.  Differences that differ only by rounding noise count as equal.

    Raises
    ------
    ValueError, TypeError
        For fewer than two splits or seeds, numbers that are not finite, a level outside (0, 1).

    References
    ----------
    Searle, Casella and McCulloch (1992), Variance components, chapter 4 (balanced data).  Brennan (2001), Generalizability theory,
    chapter 3 (one measurement in each cell).  Shrout and Fleiss (1979), Intraclass correlations: uses in assessing rater reliability,
    Psychological Bulletin 86, pages 420 to 428; their ICC(2,1) is the share of the first component.

    Examples
    --------
    The splits have the means 1 and 5, the seeds have the means 2 and 4, and all residuals are 0.  The sums of squares are 2 (4 + 4), 2 (1
    + 1), 0; the mean squares are 16, 4, 0; the components are 16/2, 4/2, 0.  The mean difference has the variance 8/2 + 2/2.

    >>> import fstats
    >>> parts = fstats.VarianceParts([[0, 2], [4, 6]])
    >>> print(parts.ms, parts.components, parts.shares, parts.variance)
    [16.  4.  0.] [8. 2. 0.] [0.8 0.2 0. ] 5.0

    With 8 splits and 4 seeds the variance of the mean would be 8/8 + 2/4.  The following designs detect a difference of 2.8 with power
    0.8:

    >>> print(fstats.VarianceParts.from_steps(components=parts.components, n_splits=8, n_seeds=4).variance)
    1.5
    >>> parts.needed(delta=2.8)[:3]
    [DesignSize(data_sets=1, splits=9, seeds=19), DesignSize(data_sets=1, splits=11, seeds=8), DesignSize(data_sets=1, splits=14, seeds=5)]
    """

    measured = ("d",)
    names_by_index: ClassVar[Mapping[str, Any]] = {"c": ("splits", "seeds", "the rest"), "f": ("splits", "seeds")}

    d: ScoresLike = input_field(
        "d_{ij}", "Score of A minus score of B on each split with each seed.", over="ij", check=crossed_differences, unit="score"
    )
    alpha: float = input_field(r"\alpha", "Probability outside the intervals.", check=check.level, default=0.05, kw_only=True)

    n_splits = count_step("I", "d", "i", "Number of splits.", check=check.count(2))

    n_seeds = count_step("J", "d", "j", "Number of seeds on each split.", check=check.count(2), axis=1)

    @step(r"\bar d_i", r"\frac{1}{$n_seeds} \sum_j $d", over="i", check=check.numbers_of_min_length(2), unit="score")
    def split_means(self) -> Array:
        """Mean difference on each split."""
        return self.d.sum(1) / self.n_seeds

    @step(r"\bar d_j", r"\frac{1}{$n_splits} \sum_i $d", over="j", check=check.numbers_of_min_length(2), unit="score")
    def seed_means(self) -> Array:
        """Mean difference with each seed."""
        return self.d.sum(0) / self.n_splits

    mean = mean_step(r"\bar d", "split_means", "n_splits", "i", "Mean difference.", unit="score")

    @step("e_{ij}", "$d - $split_means - $seed_means + $mean", over="ij", check=crossed_differences, unit="score")
    def residuals(self) -> Array:
        """Residual of each difference after subtracting the effects of split and seed."""
        return round_noise_to_zero(self.d - self.split_means[:, None] - self.seed_means + self.mean, np.abs(self.d).max((0, 1)))

    _ss_formula = r"$n_seeds \sum_i ($split_means - $mean)^2,\ $n_splits \sum_j ($seed_means - $mean)^2,\ \sum_{ij} $residuals^2"

    @step(r"\mathrm{SS}_c", _ss_formula, over="c", check=check.nonnegative, unit="score^2")
    def ss(self) -> Array:
        """Sums of squares of the splits, of the seeds, and of the residuals."""
        return np.stack(
            [
                self.n_seeds * self._sum_of_squares(self.split_means, self.mean),
                self.n_splits * self._sum_of_squares(self.seed_means, self.mean),
                self._sum_of_squares(self.residuals, 0.0),
            ]
        )

    @step(r"\nu_c", r"($n_splits - 1,\ $n_seeds - 1,\ ($n_splits - 1) ($n_seeds - 1))_c", over="c", check=check.counts)
    def df(self) -> Array:
        """Degrees of freedom of each sum of squares."""
        i, j = self.n_splits - 1, self.n_seeds - 1
        return np.array([i, j, i * j], float)

    @step(r"\mathrm{MS}_c", r"\frac{$ss}{$df}", over="c", check=check.nonnegative, unit="score^2")
    def ms(self) -> Array:
        """Mean squares of splits, seeds and residuals: sums of squares divided by degrees of freedom."""
        return self.ss / broadcast_column(self.df, self.ss)

    _solved_formula = (
        r"\left(\frac{\mathrm{MS}_1 - \mathrm{MS}_3}{$n_seeds},\ \frac{\mathrm{MS}_2 - \mathrm{MS}_3}{$n_splits},\ \mathrm{MS}_3\right)_c "
        r"\text{ of } $ms"
    )

    @step(r"\hat v_c", _solved_formula, over="c", unit="score^2")
    def solved(self) -> Array:
        """Unbiased estimates of the variance components, from the expected mean squares; estimates may be below 0."""
        splits, seeds, left = self.ms
        return np.stack([mean_square_difference(splits, left) / self.n_seeds, mean_square_difference(seeds, left) / self.n_splits, left])

    @step("v_c", r"\max\{0,\ $solved\}", over="c", check=check.nonnegative, unit="score^2")
    def components(self) -> Array:
        """Estimated variance components of a single difference."""
        return np.maximum(self.solved, 0.0)

    @step("w_c", r"\frac{$components}{\sum_c $components}", over="c", check=check.proportion)
    def shares(self) -> Array:
        """Share of each component in the total variance."""
        return np.asarray(ratio(self.components, self.components.sum(0)))

    _variance_formula = r"\frac{v_1}{$n_splits} + \frac{v_2}{$n_seeds} + \frac{v_3}{$n_splits\,$n_seeds} \text{ of } $components"

    @step("V", _variance_formula, check=check.nonnegative, unit="score^2")
    def variance(self) -> Value:
        """Variance of the mean difference over splits and seeds."""
        splits, seeds, left = self.components
        return splits / self.n_splits + seeds / self.n_seeds + left / (self.n_splits * self.n_seeds)

    @step(r"\mathrm{SE}", r"\sqrt{$variance}", check=check.nonnegative, unit="score")
    def se(self) -> Value:
        """Standard error of the mean difference over other splits and seeds."""
        return self.unit * np.sqrt(self.variance)

    @step("F_f", r"\frac{(\mathrm{MS}_1,\ \mathrm{MS}_2)_f}{\mathrm{MS}_3} \text{ of } $ms", over="f", after=True, check=check.nonnegative)
    def f_ratios(self) -> Array:
        """Mean squares of splits and seeds, divided by the residual mean square."""
        return np.asarray(ratio(self.ms[:2], self.ms[2]))

    _ratio_low_formula = (
        r"\max\left\{0,\ \left(\frac{$f_ratios}{f_+} - 1\right) / ($n_seeds,\ $n_splits)_f\right\},\ "
        r"P(F_{\nu_f,\ \nu_3} \geq f_+) = \frac{$alpha}{2} \text{ of } $df"
    )

    @step("l_f", _ratio_low_formula, over="f", after=True, check=check.nonnegative)
    def ratio_low(self) -> Array:
        """Lower end of the confidence interval of a variance component divided by the residual variance."""
        return self._variance_ratio(FisherF(self.df[:2], self.df[2]).high(self.alpha / 2))

    _ratio_high_formula = (
        r"\max\left\{0,\ \left(\frac{$f_ratios}{f_-} - 1\right) / ($n_seeds,\ $n_splits)_f\right\},\ "
        r"P(F_{\nu_f,\ \nu_3} \leq f_-) = \frac{$alpha}{2} \text{ of } $df"
    )

    @step("u_f", _ratio_high_formula, over="f", after=True, check=check.nonnegative)
    def ratio_high(self) -> Array:
        """Upper end of the confidence interval of a variance component divided by the residual variance."""
        return self._variance_ratio(FisherF(self.df[:2], self.df[2]).low(self.alpha / 2))

    def _sum_of_squares(self, x: Array, around: Any) -> Any:
        """Return the sum of squared distances from ``around``, over all axes except those of the repetitions."""
        own = tuple(range(x.ndim - np.ndim(self.mean)))
        return (self.in_units(round_noise_to_zero(x - around, np.abs(x).max(own))) ** 2).sum(own)

    def _variance_ratio(self, quantiles: Any) -> Array:
        multiplicity = broadcast_column([self.n_seeds, self.n_splits], self.f_ratios)
        return np.maximum((self.f_ratios / broadcast_column(quantiles, self.f_ratios) - 1) / multiplicity, 0.0)

    # -- planning --------------------------------------------------------------------------------------------------------
    def needed(self, delta: float, power: float = 0.8) -> list[DesignSize]:
        """Return designs of splits and seeds that detect a true mean difference of delta on this data set (for a single repetition).

        The plan treats the variances as known and the mean as normal: a two-sided z-test at level alpha has the given power if the
        standard error is at most ``delta / (z(1 - alpha/2) + z(power))``.  A plan is no guarantee: estimates from few splits and seeds
        are rough.

        Parameters
        ----------
        delta : float
            True difference, above 0, in the unit of the scores.
        power : float
            Probability of detecting the true difference.

        Returns
        -------
        list of DesignSize
            Designs from the smallest possible number of splits up to ten times this number, each with the smallest sufficient number of
            seeds; each design has `data_sets`, `splits`, `seeds`, and `runs`.
        """
        max_variance = self._max_variance(delta, power)
        splits, seeds, left = self.components
        min_splits = np.floor(splits / max_variance) + 1
        sizes = sorted({int(np.ceil(min_splits * factor)) for factor in SIZE_FACTORS})
        return [DesignSize(1, size, round_up((seeds + left / size) / (max_variance - splits / size))) for size in sizes]

    def _max_variance(self, delta: float, power: float) -> Any:
        """Return the largest variance of the mean with which the test has the given power."""
        check.check_single_repetition(np.shape(self.components)[1:], "plan", "test.at({}).needed(...)")
        z_sum = special.ndtri(1 - self.alpha / 2) + special.ndtri(check.level(power, "power"))
        if z_sum <= 0:
            raise ValueError(f"`power` must be above alpha/2 = {self.alpha / 2:g}, the power without a difference; got {power:g}")
        return (check.positive(delta, "delta") / self.unit / z_sum) ** 2

    # -- conclusion ------------------------------------------------------------------------------------------------------
    population_text: ClassVar[str] = "splits and seeds of this data set"
    limitation: ClassVar[str] = "The components do not contain the variation between data sets, which more splits cannot show."

    @property
    def remark(self) -> str:
        """Note about estimates below 0 or data without spread, and about the limitation of the components."""
        return f"{self._degenerate_data_note} {self.limitation}".strip()

    @property
    def _degenerate_data_note(self) -> str:
        if not self.components.any():
            no_spread = "The differences have no spread"
            return f"{no_spread}; look for a mistake in the data." if self.mean else f"{no_spread}."
        negative = [name for name, part in zip(self.names_by_index["c"], self.solved, strict=True) if part < 0]
        return f"The estimate for {' and '.join(negative)} is below 0, which no variance can be, and counts as 0." if negative else ""

    @property
    def conclusion(self) -> str:
        """The shares and the standard error as text (for a single repetition)."""
        check.check_single_repetition(np.shape(self.mean), "conclusion", "test.at({}).conclusion")
        parts = [f"{100 * share:.3g} % from {name}" for name, share in zip(self.names_by_index["c"], self.shares, strict=True)]
        shares = f"Shares of the variance of a difference: {', '.join(parts[:-1])} and {parts[-1]}." if self.components.any() else ""
        mean = f"The mean difference {format_plain(self.mean)} has a standard error of {format_plain(self.se)} over {self.population_text}."
        return f"{shares} {mean} {self.remark}".strip()

    def _rows(self) -> Iterator[Row]:
        """Yield one row for each input and step, and the conclusion of a single repetition."""
        yield from super()._rows()
        if "se" in self.__dict__ and not np.ndim(self.se) and self.get_or_default("d", None) is not None:
            yield Row("conclusion", "", "", "", "", self.conclusion, "The components as text.", "", "conclusion")
