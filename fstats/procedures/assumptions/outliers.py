"""Outlier detection by Tukey's fences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core.number_format import format_plain
from ...core.numerics.floating_point_ties import DOUBLE_NOISE, absolute_noise
from ...core.procedure import Procedure
from ...core.renderer_registry import get_renderer
from ...core.step import input_field, step
from ...core.validation import check, result_checks
from ...core.value_types import ScoresLike, Value

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


MAX_LISTED_VALUES = 5  # maximum number of outliers that the conclusion lists


class Outliers(Procedure):
    r"""Outliers: does a value lie far from the middle half of the values?

    Origin: published, Tukey (1977).

    Tukey's lower fence is 1.5 interquartile ranges below the lower quartile.  Tukey's upper fence is 1.5 interquartile ranges above the
    upper quartile.

    Parameters
    ----------
    x : array_like, shape (n,) or (n, ...)
        At least 3 values.  Further axes are independent repetitions.
    reach : float
        Distance of the fences from the quartiles, in interquartile ranges.

    Notes
    -----
    Quartiles are interpolated between the ordered values, as in numpy.  About 0.7 % of the values of a normal distribution lie beyond
    the fences.  An outlier is a reason to inspect the value, not a reason to delete it.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than three values, a value is not a finite number, or `reach` is not above 0.

    References
    ----------
    Tukey (1977), Exploratory data analysis, section 2D.

    Examples
    --------
    >>> import fstats
    >>> check = fstats.Outliers([1, 2, 3, 4, 50])
    >>> print(check.low_fence, check.high_fence, check.outside)
    -1.0 7.0 [False False False False  True]
    """

    x: ScoresLike = input_field("x_i", "Values.", over="i", check=check.numbers_of_min_length(3), unit="score")
    reach: float = input_field(
        "r", "Distance of the fences from the quartiles, in interquartile ranges.", check=check.positive, default=1.5, kw_only=True
    )

    @step("Q_1", r"\text{lower quartile of } $x", unit="score")
    def first_quartile(self) -> Value:
        """Lower quartile: a quarter of the values lie below it."""
        return np.quantile(self.x, 0.25, axis=0)

    @step("Q_3", r"\text{upper quartile of } $x", unit="score")
    def third_quartile(self) -> Value:
        """Upper quartile: a quarter of the values lie above it."""
        return np.quantile(self.x, 0.75, axis=0)

    @step("w", "$third_quartile - $first_quartile", check=check.nonnegative, unit="score")
    def width(self) -> Value:
        """Interquartile range: width of the middle half of the values."""
        return self.third_quartile - self.first_quartile

    @step("f_-", r"$first_quartile - $reach\,$width", unit="score")
    def low_fence(self) -> Value:
        """Lower fence: values below the lower fence are outliers."""
        return self.first_quartile - self.reach * self.width

    @step("f_+", r"$third_quartile + $reach\,$width", unit="score")
    def high_fence(self) -> Value:
        """Upper fence: values above the upper fence are outliers."""
        return self.third_quartile + self.reach * self.width

    @step("o_i", r"$x < $low_fence \text{ or } $x > $high_fence", over="i", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def outside(self) -> NDArray[np.bool]:
        """Whether a value lies beyond a fence."""
        # a tolerance for integers, too, because their quartiles have rounding errors
        noise = np.maximum(absolute_noise(self.x), DOUBLE_NOISE * np.abs(self.x).max(0))
        return (self.x < self.low_fence - noise) | (self.x > self.high_fence + noise)

    @property
    def conclusion(self) -> str:
        """Result in one sentence (of a single sample)."""
        values = [format_plain(value) for value in self.x[self.outside]]
        if not values:
            return "No value lies beyond the fences."
        if len(values) == 1:
            return f"{values[0]} lies beyond the fences."
        if len(values) > MAX_LISTED_VALUES:
            values = [*values[: MAX_LISTED_VALUES - 1], f"{len(values) - MAX_LISTED_VALUES + 1} others"]
        return f"{', '.join(values[:-1])} and {values[-1]} lie beyond the fences."

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """Draw the values with the middle half and the fences; `ax`, `title` and `figsize` are those of any test."""
        return get_renderer("outliers")(self, ax=ax, title=title, figsize=figsize)
