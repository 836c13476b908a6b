"""Normality check by quantile plot and Shapiro-Wilk test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from ...core.number_format import format_plain, format_pvalue
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.procedure import Procedure
from ...core.renderer_registry import get_renderer
from ...core.step import count_step, input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value, broadcast_column

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


LEVEL = 0.05  # significance level for the sentence of the conclusion


class Normality(Procedure):
    r"""Normality: do the values look like a sample from a normal distribution?

    Origin: published, Shapiro and Wilk (1965).

    Each ordered value is plotted against the quantile that is expected for a normal distribution.  If the values come from a normal
    distribution, the points lie near a straight line.  The Shapiro-Wilk statistic W is near 1 if the points lie near a straight line.

    Parameters
    ----------
    x : array_like, shape (n,) or (n, ...)
        At least 3 values, for example the differences of a paired t-test.  Further axes are independent repetitions.

    Notes
    -----
    W and its p-value are computed by SciPy, which is imported at the first use.  With few values the Shapiro-Wilk test detects almost no
    departure from normality; with many values it detects unimportant departures.  Always look at the picture, too.  If all values are
    equal, W is 1 and p is 1.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than three values, or a value is not a finite number.

    References
    ----------
    Shapiro and Wilk (1965), An analysis of variance test for normality, Biometrika 52, pages 591 to 611.  Royston (1995), algorithm
    AS R94, Applied Statistics 44, pages 547 to 551.  Blom (1958), Statistical estimates and transformed beta-variables, Eq. 6.10.3
    (the plotting positions).

    Examples
    --------
    >>> import fstats
    >>> check = fstats.Normality([-2, 2, -6, 3, 0])
    >>> print(round(check.statistic, 4), round(check.pvalue, 4))
    0.9426 0.6847
    """

    x: ScoresLike = input_field("x_i", "Values.", over="i", check=check.numbers_of_min_length(3), unit="score")

    n = count_step("n", "x", "i", "Number of values.", check=check.count(3))

    @step("x_{(i)}", r"\mathrm{sorted}\;$x", over="i", unit="score")
    def ordered(self) -> Array:
        """The values in ascending order."""
        return np.sort(self.x, axis=0)

    @step("q_i", r"\Phi^{-1}\left(\frac{i - 3/8}{$n + 1/4}\right)", over="i")
    def quantiles(self) -> Array:
        """Expected values of the ordered values of a standard normal sample."""
        return special.ndtri((np.arange(1, self.n + 1) - 3 / 8) / (self.n + 1 / 4))

    @step("W", r"\text{Shapiro and Wilk's, of } $x", check=check.proportion)
    def statistic(self) -> Value:
        """Straightness of the normal quantile plot: at most 1, near 1 for normal values."""
        return _shapiro(self.x)[0]

    @step("p", r"P(W_0 \leq W) \text{ for } $x", check=check.probability)
    def pvalue(self) -> Value:
        """Probability of a W at most this large for normal values (Royston's approximation)."""
        return _shapiro(self.x)[1]

    @property
    def conclusion(self) -> str:
        """Result in one sentence (of a single sample)."""
        if not np.ptp(self.x):
            return f"All {self.n} values are equal: there is no spread, so the shape of the distribution is unknown."
        verb = "show" if self.pvalue <= LEVEL else "do not show"
        limits = "" if self.pvalue <= LEVEL else ", which is not evidence that they are normal"
        values = f"W = {format_plain(self.statistic)}, {format_pvalue(self.pvalue, LEVEL)}, alpha = {format_plain(LEVEL)}"
        return f"These {self.n} values {verb} a departure from normality ({values}){limits}; look at the picture too."

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """Draw the ordered values against the normal quantiles; `ax`, `title` and `figsize` are those of any test."""
        return get_renderer("normal_quantiles")(self, ax=ax, title=title, figsize=figsize)


def _shapiro(x: Array) -> tuple[Any, Any]:
    """Return W and p of SciPy, or 1 and 1 if all values are equal."""
    from scipy.stats import shapiro

    constant = np.ptp(x, axis=0) <= absolute_noise(x)
    varied = np.where(constant, broadcast_column(np.arange(len(x)), x), x)
    # divide by a power of two first, because squares of very small values would underflow
    w, p = shapiro(varied / np.ldexp(1.0, np.frexp(np.abs(varied).max(0))[1] - 1), axis=0)
    return np.where(constant, 1.0, w)[()], np.where(constant, 1.0, p)[()]
