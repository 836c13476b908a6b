"""Blocked and random partitions in a paper on 5x2 cross-validation (Table 6).

The module also draws Figures 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.value_types import Array
from ...plot.charts.power_curves import power_curves
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Curve, Label, Line, Points
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ...render.display_table import Table, TableDisplay
from ...simulate.rejection_rates import Rate, Rates
from ..integer_encoding import decode_integers
from ..study_files import format_rate, printed_figures
from .bcv_design import ALPHA, LAMBDAS
from .random_partitions import FOLD, LARGE_DIFFERENCE_POINT, PRINTED_V, counts_with_repeats, printed_error_differences
from .stored_rejections import stored_results

# plan -> printed type I error, and 10,000 Var(E) for equally good learners and for a large difference
PRINTED_TABLE_6: dict[str, list[str]] = printed_figures(__package__)["table_6"]
PLANS = tuple(PRINTED_TABLE_6)
COLORS = dict(zip(PLANS, (BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION)))


class PartitionSets(TableDisplay):
    """McNemar's test on the mean of ten tables from blocked and from random partitions: Table 6; ``.picture()`` draws Figure 5.

    Parameters
    ----------
    found : mapping
        Stored results: for each data set and point, n01 and n10 summed over the ten blocked tables, and summed over the two tables of each
        of five random partitions.
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.found = found
        self.points: dict[str, float] = found["points"]
        self.data_sets: int = found["data_sets"]

    @cached_property
    def counts(self) -> dict[str, NDArray[np.int64]]:
        """n01 and n10, summed over the ten tables of each plan, shape (data sets, points, 2)."""
        blocked, random = (decode_integers(self.found[name]) for name in ("blocked", "random"))
        return {"blocked": blocked, **{f"RCP = {k}": counts_with_repeats(random, k) for k in range(5)}}

    def test(self, plan: str, point: str, **settings: Any) -> BlockedFiveByTwoMcNemar:
        """Return one test object that contains all data sets as a batch.

        Parameters
        ----------
        plan : str
            Plan of the partitions: "blocked", or "RCP = 0" to "RCP = 4".
        point : str
            Point of the power curve: a lambda, "0", "0.1", ..., "1", or "large".
        **settings
            Settings of the test, such as rho1 and rho2.
        """
        if plan not in PLANS or point not in self.points:
            got = f"plan={plan!r} and point={point!r}"
            raise KeyError(f"`plan` must be one of {', '.join(PLANS)}, and `point` must be one of {', '.join(self.points)}; got {got}")
        n01, n10 = self.counts[plan][:, list(self.points).index(point)].T / 10
        return BlockedFiveByTwoMcNemar.from_steps(mean_table=np.array([[np.zeros_like(n01), n01], [n10, FOLD - n01 - n10]]), **settings)

    def rate(self, plan: str, point: str) -> Rate:
        """Return the rejection rate of the test."""
        return Rate(plan, point, int(self.test(plan, point).reject.sum()), self.data_sets)

    def variance(self, plan: str, point: str) -> tuple[float, float]:
        """Return the variance of E over the data sets, and the standard error of this variance."""
        e = np.asarray(self.test(plan, point).e)
        return float(e.var(ddof=1)), float(((e - e.mean()) ** 2).std(ddof=1) / np.sqrt(len(e)))

    @property
    def _table(self) -> Table:
        lines = []
        for plan in PLANS:
            rate = self.rate(plan, "0")
            cells = [f"{PRINTED_TABLE_6[plan][0]} / {format_rate(rate)}"]
            for k, point in enumerate(("0", LARGE_DIFFERENCE_POINT), 1):
                variance, se = self.variance(plan, point)
                cells.append(f"{PRINTED_TABLE_6[plan][k]} / {1e4 * variance:.3f} ± {1e4 * se:.3f}")
            lines.append([plan, *cells])
        v = [f"{self.points[point]:.2f} (printed {PRINTED_V[point]})" for point in ("0", LARGE_DIFFERENCE_POINT)]
        heads = ("plan", "type I error", "10,000 Var(E), no difference", "10,000 Var(E), large difference")
        title = f"UCI letter, tree and nearest neighbour: printed / ours ± standard error, {self.data_sets} data sets"
        large = f"the large one, v = {v[1]}, is {100 * printed_error_differences()[LARGE_DIFFERENCE_POINT]:.1f} percentage points of error"
        return Table(heads, lines, title, notes=[f"No difference is v = {v[0]}; {large}, as in the paper, where the tree is another."])

    def power(self) -> Rates:
        """Return how often the test of each plan rejects at each lambda."""
        rejections = np.array([[int(self.test(plan, point).reject.sum()) for point in LAMBDAS] for plan in PLANS])
        title = f"Rejections on {self.data_sets} data sets of UCI letter, by lambda"
        return Rates(title, PLANS, tuple(map(float, LAMBDAS)), rejections, self.data_sets)

    def picture(self) -> Picture:
        """Draw Figure 5: how often the test of each plan rejects as the nearest neighbour becomes better."""
        return replace(power_curves(self.power(), ALPHA, effect="lambda"), title="Blocked, random and repeated partitions")

    def violins(self, point: str = "0") -> Picture:
        """Draw Figure 6: the distribution of McNemar's statistic for each plan; the scale shows square roots to separate small values.

        Parameters
        ----------
        point : str
            "0" for no difference, "large" for the difference in error rates that v = 4.64 means in the paper.
        """
        critical = float(np.sqrt(self.test("blocked", point).critical_value))
        roots = {plan: np.sqrt(np.asarray(self.test(plan, point).statistic)) for plan in PLANS}
        top = 1.05 * max(float(x.max()) for x in roots.values())
        above = Label(0.32, critical + 0.02 * top, "rejected above", "start", VERMILLION)
        marks: list[Any] = [Line((0.3, 6.7), (critical, critical), VERMILLION, 1.5), above]
        texts = []
        for k, (plan, x) in enumerate(roots.items(), 1):
            y = np.linspace(float(x.min()), float(x.max()), 121)
            half = 0.42 * density(x, y)
            marks.append(Curve(np.r_[k - half, (k + half)[::-1]], np.r_[y, y[::-1]], COLORS[plan]))
            low, middle, high = np.quantile(x, (0.25, 0.5, 0.75))
            marks.append(Line((float(k), float(k)), (low, high), COLORS[plan], 4.0))
            marks.append(Points(np.array([float(k)]), np.array([middle]), COLORS[plan], open=True, radius=4.0))
            marks.append(Label(float(k), -0.07 * top, plan, "middle"))
            texts.append(f"{plan}: {middle**2:.2f} ({low**2:.2f} to {high**2:.2f}), above in {100 * float((x >= critical).mean()):.1f} %")
        what = f"v = {self.points[point]:.2f}"
        where = f"{self.data_sets} data sets at {what}, critical value {critical**2:.2f}"
        text = f"Distribution of McNemar's statistic M over {where}; median (quartiles): {'; '.join(texts)}."
        title, within = f"McNemar's statistic on UCI letter, {what}", ((0.3, 6.7), (-0.12 * top, top))
        return Picture(title, "", "square root of M", *within, tuple(marks), text, height=1.3)


def density(x: Array, at: Array) -> Array:
    """Estimate the density of non-negative numbers at given points with normal kernels, reflected at 0 and scaled to a maximum of 1.

    >>> density(np.array([1.0, 1.0, 1.0, 3.0]), np.array([1.0, 3.0])).round(2).tolist()
    [1.0, 0.34]
    """
    width = max(0.9 * float(x.std()) * len(x) ** -0.2, 1e-3)
    both = np.r_[x, -x]
    heights = np.exp(-0.5 * ((at[:, np.newaxis] - both) / width) ** 2).sum(1)
    return np.asarray(heights / heights.max())


def partition_sets() -> PartitionSets:
    """Return Table 6 and Figures 5 and 6 from the stored results.

    Examples
    --------
    >>> found = partition_sets()
    >>> found.rate("blocked", "0").rate < found.rate("RCP = 4", "0").rate
    True
    """
    return PartitionSets(stored_results("partitions")[0])
