"""The guided procedure: the five steps of a test, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import plot
from ..check import level
from ..number import level_beside, p_beside, plain
from ..pairwise.paired_t import PairedT
from ..picture import BLUE, GREY, VERMILLION, Curve, Links, Picture, Points
from .explorer import Control, Explorer

# what each of the five steps adds to the worked example
ROWS = (
    {"labels", "a", "b", "d"},
    {"alternative", "alpha"},
    {"n", "mean", "sd", "se", "statistic"},
    {"df", "null", "pvalue"},
    {"critical_value", "reject"},
)
NAMES = ("choose the test", "hypotheses", "test statistic", "p-value", "decision")


@dataclass(frozen=True)
class Guided:
    """A paired t-test, of which only the first steps have been done."""

    full: PairedT
    step: int

    def worked(self) -> tuple[Any, ...]:
        """The worked rows up to this step."""
        shown = set().union(*ROWS[: self.step])
        return tuple(row for row in self.full.worked() if row.name in shown)

    @property
    def conclusion(self) -> str:
        """What is done in this step, in words."""
        test = self.full
        p, alpha = p_beside(test.pvalue, test.alpha), level_beside(test.alpha, test.pvalue)
        equal = "{} and {} are equal".format(*test.sides)
        relation = "at most" if test.reject else "greater than"
        said = (
            f"both classifiers have a score on each of the {len(test.a)} data sets, so look at the differences and take the paired t-test.",
            f"H0 says that the true mean difference is 0; H1 says that it is not. The level alpha = {alpha} is fixed now, before p is known.",
            f"the mean difference {plain(test.mean)} is {plain(test.statistic)} standard errors away from 0.",
            f"if H0 is true, a statistic at least this far from 0 has the probability {p}.",
            f"{p} is {relation} alpha = {alpha}: {'reject H0' if test.reject else f'fail to reject H0, which does not show that {equal}'}. "
            "(The slide rejects if p < alpha, here if p <= alpha: the same unless p is exactly alpha.)",
        )
        return f"Step {self.step} of 5, {NAMES[self.step - 1]}: {said[self.step - 1]}"


class ProcedureExplorer(Explorer):
    """The five steps of a paired t-test, uncovered one by one."""

    def __init__(self, a: Any, b: Any, alpha: float) -> None:
        self._full = PairedT(a, b, alpha=level(alpha, "alpha"))
        if self._full.a.ndim != 1:
            raise ValueError(f"a and b must be two lists; got shapes {self._full.a.shape} and {self._full.b.shape}")
        super().__init__("The procedure in five steps with a slider")

    def _start(self) -> None:
        self._step = 1

    def _take(self, moved: Mapping[str, int]) -> None:
        self._step = moved["step"]

    @property
    def controls(self) -> Sequence[Control]:
        """The one slider: how many steps are done."""
        return [Control("step", "Step", 1, len(ROWS), self._step, f"{self._step} of 5")]

    @property
    def test(self) -> Guided:  # type: ignore[override]
        """The test, as far as it has been done."""
        return Guided(self._full, self._step)

    def pictures(self, test: Any) -> Sequence[Picture]:
        """The scores; the differences with the 0 of H0, then with their mean; the null distribution."""
        if test.step == 1:
            return [plot.scores(test.full)]
        return [test.full.plot()] if test.step > 3 else [differences(test.full, with_mean=test.step == 3)]


def differences(test: PairedT, *, with_mean: bool) -> Picture:
    """The differences around the 0 that H0 claims for their mean.

    >>> differences(PairedT([85, 70, 79], [87, 68, 85]), with_mean=True)
    [picture: Differences on 3 data sets, from -6 to 2, with the line of 0, the mean that H0 claims. Their mean is -2.]
    """
    x, d = np.arange(1.0, len(test.d) + 1), test.d
    low, high = min(float(d.min()), 0.0), max(float(d.max()), 0.0)
    margin = (high - low) * 0.12 or 1.0
    ends = np.array([0.4, len(d) + 0.6])
    mean = (Curve(ends, np.full(2, test.mean), VERMILLION),) if with_mean else ()
    return Picture(
        title=f"The mean difference is {plain(test.mean)}: is that far from 0?" if with_mean else "H0: the true mean difference is 0",
        xlabel="data set",
        ylabel="difference A - B",
        xlim=(0.4, len(d) + 0.6),
        ylim=(low - margin, high + margin),
        marks=(Links(x, np.minimum(d, 0), np.maximum(d, 0)), Curve(ends, np.zeros(2), GREY), *mean, Points(x, d, BLUE, "difference")),
        text=f"Differences on {len(d)} data sets, from {plain(d.min())} to {plain(d.max())}, with the line of 0, the mean that H0 claims."
        + (f" Their mean is {plain(test.mean)}." if with_mean else ""),
        whole_x=True,
    )


def procedure(a: Any, b: Any, *, alpha: float = 0.05) -> ProcedureExplorer:
    """Walk through the five steps of a test with a slider: test, hypotheses, statistic, p-value, decision.

    Parameters
    ----------
    a, b : array_like
        Pairs of scores.
    alpha : float
        The level of the test.
    """
    return ProcedureExplorer(a, b, alpha)
