"""Do a few values stand apart?"""

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


MAX_LISTED_VALUES = 5  # values that are all named in a sentence


class Outliers(Procedure):
    r"""Outliers: does a value lie far from the middle half of the values?

    Tukey's fences stand one and a half times the width of the middle half beyond its ends.

    Parameters
    ----------
    x : array_like, shape (n,) or (n, ...)
        Values to look at, at least 3.  Further axes are independent repetitions.
    reach : float
        How many widths of the middle half the fences stand away from it.

    Notes
    -----
    Quartiles are interpolated between the ordered values, as numpy does.  Of normal values about 0.7 in 100 lie beyond the fences.
    An outlier is a reason to look, not a reason to delete.

    Raises
    ------
    ValueError, TypeError
        For fewer than three values, anything but finite numbers, a reach that is not above 0.

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
        "r", "How far the fences stand away, in widths of the middle half.", check=check.positive, default=1.5, kw_only=True
    )

    @step("Q_1", r"\text{lower quartile of } $x", unit="score")
    def first_quartile(self) -> Value:
        """A quarter of the values lie below."""
        return np.quantile(self.x, 0.25, axis=0)

    @step("Q_3", r"\text{upper quartile of } $x", unit="score")
    def third_quartile(self) -> Value:
        """A quarter of the values lie above."""
        return np.quantile(self.x, 0.75, axis=0)

    @step("w", "$third_quartile - $first_quartile", check=check.nonnegative, unit="score")
    def width(self) -> Value:
        """Width of the middle half."""
        return self.third_quartile - self.first_quartile

    @step("f_-", r"$first_quartile - $reach\,$width", unit="score")
    def low_fence(self) -> Value:
        """Values below this stand apart."""
        return self.first_quartile - self.reach * self.width

    @step("f_+", r"$third_quartile + $reach\,$width", unit="score")
    def high_fence(self) -> Value:
        """Values above this stand apart."""
        return self.third_quartile + self.reach * self.width

    @step("o_i", r"$x < $low_fence \text{ or } $x > $high_fence", over="i", relation=r"\Leftrightarrow", check=result_checks.decisions)
    def outside(self) -> NDArray[np.bool]:
        """Whether the value lies beyond a fence."""
        blur = np.maximum(
            absolute_noise(self.x), DOUBLE_NOISE * np.abs(self.x).max(0)
        )  # quartiles are computed, even those of whole numbers
        return (self.x < self.low_fence - blur) | (self.x > self.high_fence + blur)

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence (of a single sample)."""
        found = [format_plain(value) for value in self.x[self.outside]]
        if not found:
            return "No value lies beyond the fences."
        if len(found) == 1:
            return f"{found[0]} lies beyond the fences."
        shown, more = (
            (found, 0) if len(found) <= MAX_LISTED_VALUES else (found[: MAX_LISTED_VALUES - 1], len(found) - MAX_LISTED_VALUES + 1)
        )
        last = f"{more} others" if more else shown.pop()
        return f"{', '.join(shown)} and {last} lie beyond the fences."

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """The values with the middle half and the fences; `ax`, `title` and `figsize` as for a test."""
        return get_renderer("outliers")(self, ax=ax, title=title, figsize=figsize)
