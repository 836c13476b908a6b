"""Tests of equivalence: the burden of proof turned round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from .. import check
from ..check import ratio
from ..hypothesis import Tail
from ..null import Interval, Value
from ..number import spanned
from ..step import given, step
from .paired_t import PairedT

ONLY: Mapping[str, Tail] = {"equivalence": "upper"}


class EquivalenceT(PairedT):
    r"""Equivalence test: is the true mean difference of two classifiers smaller than a margin, either way?

    A test that does not reject has not shown that A and B are equal.  Here the *difference* is the null hypothesis:

    .. math:: H_0: |\mu_d| \geq \delta, \qquad H_1: -\delta < \mu_d < \delta

    Two one-sided paired t-tests must both reject, that the mean is as low as :math:`-\delta` and that it is as high as
    :math:`\delta`; the weaker of the two counts.

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, ...)
        As for :class:`fstats.PairedT`.
    margin : float
        The largest difference that would still not matter, above 0, in the unit of the scores; fixed before seeing the data.
    alternative : {"equivalence"}
        There is no other.
    alpha : float
        Level; H0 (they differ by the margin or more) is rejected if and only if ``pvalue <= alpha``.

    Notes
    -----
    It is the same as asking whether the confidence interval at 1 - 2 alpha, `ci`, lies
    within the margin.  Without any spread the answer is certain either way; `remark` says so.

    Raises
    ------
    ValueError, TypeError
        As :class:`fstats.PairedT`, and for a margin that is not above 0.

    References
    ----------
    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing the equivalence of
    average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15.

    Examples
    --------
    The course's example, d = -2, 2, -6, 3, 0 with standard error 1.6: within 5 points?  t = (5 - 0.6) / 1.6.

    >>> import fstats
    >>> test = fstats.EquivalenceT([85, 70, 79, 78, 83], [87, 68, 85, 75, 83], margin=5)
    >>> print(round(test.statistic, 3), round(test.pvalue, 4), test.reject)
    2.75 0.0257 True
    """

    tails: ClassVar[Mapping[str, Tail]] = ONLY
    parameter = r"\mu_d"
    not_shown = "that they differ"

    alternative: Any = given("H_1", "What is to be shown.", default="equivalence", kw_only=True)
    margin: float = given(r"\delta", "The largest difference that would not matter.", check=check.positive, kw_only=True)

    @step("t_-", r"\frac{$mean + $margin}{$se}")
    def t_low(self) -> Value:
        """How many standard errors the mean difference is above the lower margin."""
        return ratio(self.mean + self.margin, self.se)

    @step("t_+", r"\frac{$margin - $mean}{$se}")
    def t_high(self) -> Value:
        """How many standard errors the mean difference is below the upper margin."""
        return ratio(self.margin - self.mean, self.se)

    @step("t", r"\min\{$t_low, $t_high\}")
    def statistic(self) -> Value:
        """The weaker of the two: both margins must be far enough away."""
        return np.minimum(self.t_low, self.t_high)

    @step(r"\mathrm{CI}", r"[$mean - $critical_value\,$se,\ $mean + $critical_value\,$se]", over="e", after=True)
    def ci(self) -> Interval:
        """Confidence interval at 1 - 2 alpha: equivalence is shown if all of it lies within the margin."""
        reach = self.critical_value * self.se
        return Interval(self.mean - reach, self.mean + reach)

    @property
    def claim(self) -> str:
        """The alternative hypothesis in words."""
        return f"A and B differ by less than {spanned(self.margin)} in {self.compares}"

    @property
    def hypotheses(self) -> str:
        """Both hypotheses in symbols."""
        return rf"|{self.parameter}| < \delta \text{{, against }} H_0: |{self.parameter}| \geq \delta"
