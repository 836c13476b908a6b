"""Interactive explorer of the five steps of a hypothesis test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import plot
from ...core.number_format import format_plain
from ...core.validation.check import level
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLUE, GREY, VERMILLION, Curve, Links, Points, axis_limits
from ...procedures.pairwise.paired_t import PairedT
from ...teaching.demonstrations.five_step_t_test import STEP_NAMES, FiveStepT
from ..widgets.explorer import Explorer
from ..widgets.slider import integer_slider


class FiveStepsExplorer(Explorer[FiveStepT]):
    """The five steps of a paired t-test, shown one by one."""

    question = "What are the five steps of a test?"
    main_controls = ("step",)

    sliders = (integer_slider("step", "Step", 1, len(STEP_NAMES), f"{{}} of {len(STEP_NAMES)}".format),)

    def __init__(self, a: Any, b: Any, alpha: float) -> None:
        self._full = PairedT(a, b, alpha=level(alpha, "alpha"))
        if self._full.a.ndim != 1:
            raise ValueError(f"a and b must be two lists; got shapes {self._full.a.shape} and {self._full.b.shape}")
        super().__init__("The procedure in five steps with a slider", step=1)

    @property
    def test(self) -> FiveStepT:
        """Test up to the current step."""
        return FiveStepT(self._full, **self.values)

    def pictures(self, test: FiveStepT) -> Sequence[Picture]:
        """Return the picture of the current step: the scores, the differences (without or with their mean), or the null distribution."""
        if test.step == 1:
            return [plot.scores(test.full)]
        return [test.full.plot()] if test.step > 3 else [differences_plot(test.full, with_mean=test.step == 3)]


def differences_plot(test: PairedT, *, with_mean: bool) -> Picture:
    """Draw the differences around 0, their mean under H0.

    >>> differences_plot(PairedT([85, 70, 79], [87, 68, 85]), with_mean=True)
    [picture: Differences on 3 data sets, from -6 to 2, with a line at 0, the mean under H0. Their mean is -2.]
    """
    x, d = np.arange(1.0, len(test.d) + 1), test.d
    line_x = np.array([0.4, len(d) + 0.6])
    mean = (Curve(line_x, np.full(2, test.mean), VERMILLION),) if with_mean else ()
    title = f"The mean difference is {format_plain(test.mean)}: is that far from 0?" if with_mean else "H0: the true mean difference is 0"
    marks = (Links(x, np.minimum(d, 0), np.maximum(d, 0)), Curve(line_x, np.zeros(2), GREY), *mean, Points(x, d, BLUE, "difference"))
    ends = f"from {format_plain(d.min())} to {format_plain(d.max())}, with a line at 0, the mean under H0."
    text = f"Differences on {len(d)} data sets, {ends}" + (f" Their mean is {format_plain(test.mean)}." if with_mean else "")
    within = (0.4, len(d) + 0.6), axis_limits(d, 0.0, share=0.12)
    return Picture(title, "data set", "difference A - B", *within, marks, text, whole_x=True)


def procedure(a: Any, b: Any, *, alpha: float = 0.05) -> FiveStepsExplorer:
    """Explore the five steps of a test with a slider: test, hypotheses, statistic, p-value, decision.

    Parameters
    ----------
    a, b : array_like
        Paired scores.
    alpha : float
        Level of the test.
    """
    return FiveStepsExplorer(a, b, alpha)
