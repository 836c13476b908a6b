"""Are the differences normal?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from ...core.number_format import format_plain, format_pvalue
from ...core.numerics.floating_point_ties import absolute_noise
from ...core.procedure import Procedure
from ...core.renderer_registry import get_renderer
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array, ScoresLike, Value, broadcast_column

if TYPE_CHECKING:
    from ...plot.drawing.picture import Picture


LEVEL = 0.05  # of the one sentence; W and p are there for any other


class Normality(Procedure):
    r"""Normality: do the values lie as a sample from a normal distribution would?

    The ordered values are held against the normal quantiles that they would have on average; on a straight line they are
    normal.  Shapiro and Wilk's W is near 1 for a straight line.

    Parameters
    ----------
    x : array_like, shape (n,) or (n, ...)
        Values to look at, at least 3: the differences of a paired t-test, say.  Further axes are independent repetitions.

    Notes
    -----
    W and its p-value are SciPy's, loaded when they are asked for.  With few values the check can hardly see anything, with many it
    sees what does not matter: look at the picture.  Where all values are equal W is 1 and p is 1.

    Raises
    ------
    ValueError, TypeError
        For fewer than three values, or anything but finite numbers.

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

    @step("n", r"\#\{i : $x\}", check=check.count(3))
    def n(self) -> int:
        """Number of values."""
        return len(self.x)

    @step("x_{(i)}", r"\mathrm{sorted}\;$x", over="i", unit="score")
    def ordered(self) -> Array:
        """The values from the smallest up."""
        return np.sort(self.x, axis=0)

    @step("q_i", r"\Phi^{-1}\left(\frac{i - 3/8}{$n + 1/4}\right)", over="i")
    def quantiles(self) -> Array:
        """Where the ordered values of a standard normal sample lie on average."""
        return special.ndtri((np.arange(1, self.n + 1) - 3 / 8) / (self.n + 1 / 4))

    @step("W", r"\text{Shapiro and Wilk's, of } $x", check=check.proportion)
    def statistic(self) -> Value:
        """How straight the line is: at most 1."""
        return _shapiro(self.x)[0]

    @step("p", r"P(W_0 \leq W) \text{ for } $x", check=check.probability)
    def pvalue(self) -> Value:
        """Probability, for normal values, of a line at least as crooked as this one (Royston's approximation)."""
        return _shapiro(self.x)[1]

    @property
    def conclusion(self) -> str:
        """What was seen, in one sentence (of a single sample)."""
        if not np.ptp(self.x):
            return f"All {self.n} values are equal: there is no spread whose shape could be seen."
        seen = "show" if self.pvalue <= LEVEL else "do not show"
        limits = "" if self.pvalue <= LEVEL else ", which is not evidence that they are normal"
        at = f"W = {format_plain(self.statistic)}, {format_pvalue(self.pvalue, LEVEL)}, alpha = {format_plain(LEVEL)}"
        return f"These {self.n} values {seen} a departure from normality ({at}){limits}; look at the picture too."

    def plot(self, ax: Any = None, *, title: str | None = "", figsize: Any = None) -> Picture:
        """The ordered values against the normal quantiles; `ax`, `title` and `figsize` as for a test."""
        return get_renderer("normal_quantiles")(self, ax=ax, title=title, figsize=figsize)


def _shapiro(x: Array) -> tuple[Any, Any]:
    """SciPy's W and p; 1 and 1 where all values are equal."""
    from scipy.stats import shapiro

    constant = np.ptp(x, axis=0) <= absolute_noise(x)
    varied = np.where(constant, broadcast_column(np.arange(len(x)), x), x)
    w, p = shapiro(varied / np.ldexp(1.0, np.frexp(np.abs(varied).max(0))[1] - 1), axis=0)  # it takes very small spreads for none
    return np.where(constant, 1.0, w)[()], np.where(constant, 1.0, p)[()]
