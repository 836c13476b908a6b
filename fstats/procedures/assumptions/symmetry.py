"""Check of symmetry about the median."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import computed_relative_noise, round_noise_to_zero
from ...core.numerics.sums_of_squares import standard_deviation
from ...core.numerics.zero_division import ratio
from ...core.procedure import Procedure
from ...core.renderer_registry import get_renderer
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


class Symmetry(Procedure):
    r"""Symmetry: are the values symmetric about their median?

    Origin: published, Wilk and Gnanadesikan (1968).

    The signed-rank test assumes symmetric differences.  If values are symmetric, the largest value is as far above the median as the
    smallest value is below the median.  In the same way, the second largest value is as far above the median as the second smallest value
    is below the median, and so on.

    Parameters
    ----------
    x : array_like, shape (n,) or (n, ...)
        At least 3 values.  Further axes are independent repetitions.

    Notes
    -----
    `skewness` is Pearson's second coefficient, (mean - median) / standard deviation.  `skewness` lies between -1 and 1: it is 0 for
    symmetric values and above 0 if the upper tail is longer.  `skewness` is 0 if all values are equal.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than three values, or a value is not a finite number.

    References
    ----------
    Wilk and Gnanadesikan (1968), Probability plotting methods for the analysis of data, Biometrika 55, pages 1 to 17.  Hotelling
    and Solomons (1932), The limits of a measure of skewness, Annals of Mathematical Statistics 3, pages 141 to 142.

    Examples
    --------
    >>> import fstats
    >>> check = fstats.Symmetry([1, 2, 3, 4, 10])
    >>> print(check.above, check.below, round(check.skewness, 3))
    [7. 1. 0.] [2. 1. 0.] 0.316
    """

    x: ScoresLike = input_field("x_i", "Values.", over="i", check=check.numbers_of_min_length(3), unit="score")

    n = count_step("n", "x", "i", "Number of values.", check=check.count(3))

    @step("M", r"\mathrm{median}\;$x", unit="score")
    def median(self) -> Value:
        """Median of the values."""
        return np.median(self.x, axis=0)

    @step("u_k", r"x_{(n + 1 - k)} - $median, \text{ of } $x \text{ sorted}", over="k", check=check.nonnegative, unit="score")
    def above(self) -> Array:
        """Distance from the median of the largest value, of the second largest value, and so on."""
        ordered = np.sort(self.x, axis=0)[::-1]
        return ordered[: (len(self.x) + 1) // 2] - self.median

    @step("l_k", r"$median - x_{(k)}, \text{ of } $x \text{ sorted}", over="k", check=check.nonnegative, unit="score")
    def below(self) -> Array:
        """Distance from the median of the smallest value, of the second smallest value, and so on."""
        ordered = np.sort(self.x, axis=0)
        return self.median - ordered[: (len(self.x) + 1) // 2]

    @step("S", r"\frac{\bar x - $median}{\sqrt{\frac{1}{n} \sum_i ($x - \bar x)^2}}", check=check.number_between(-1, 1))
    def skewness(self) -> Value:
        """Skewness: mean minus median, in standard deviations; 0 for symmetric values, positive if the upper tail is longer."""
        mean = self.x.mean(0)
        difference = round_noise_to_zero(mean - self.median, mean, computed_relative_noise(self.x))
        return ratio(difference, standard_deviation(self.x, mean, len(self.x)))

    @property
    def conclusion(self) -> str:
        """Result in one sentence (of a single sample)."""
        if not np.ptp(self.x):
            return f"All {self.n} values are equal: there is no tail on either side."
        skewness = float(self.skewness)
        comparison = "about as long as" if abs(skewness) < 0.1 else "longer than" if skewness > 0 else "shorter than"
        result = f"In these {self.n} values the upper tail is {comparison} the lower one (skewness {format_plain(self.skewness)})"
        return f"{result}; with few values this can be due to chance; look at the picture too."

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """Draw the distances above the median against the distances below it; `ax`, `title` and `figsize` are those of any test."""
        return get_renderer("symmetry")(self, ax=ax, title=title, figsize=figsize)
