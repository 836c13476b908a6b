"""Figure 4: how often each test rejects, the more one learner is better; and which test finds out most often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...plot.charts.power_curves import power_curves
from ...plot.drawing.picture import Picture
from ...render.display_table import Table, TableDisplay
from ...simulate.rejection_rates import Rate
from ..claim_verdicts import clear_sign
from ..study_files import format_rate
from .bcv_design import ALPHA, PRINTED, SOURCES, UNEQUAL_AT_N
from .stored_rejections import Rejections, stored
from .table5 import Table5

BCV_MCNEMAR = "BlockedFiveByTwoMcNemar"
# The tests that a picture shows unless others are asked for.
PICTURE_TESTS = (BCV_MCNEMAR, "CorrectedRepeatedKFoldT", "CorrectedResampledT", "CalibratedFiveByTwoF", "HoldOutMcNemar")


def level_sign(rate: Rate) -> int:
    """1 where a test clearly keeps to 0.05, -1 where it clearly does not, 0 where the simulation cannot tell."""
    return {"conservative": 1, "cannot be told": 0, "liberal": -1}[rate.verdict(ALPHA)]


def paired_difference(ours: Any, other: Any) -> tuple[float, float]:
    """Mean and standard error of a difference on the same data sets; half a data set is added to either side, so that no error is 0.

    >>> paired_difference([True, False, False, False], [False, False, False, False])[0]
    0.25
    """
    apart = np.asarray(ours, float) - np.asarray(other, float)
    spread = ((apart**2).sum() + 1) / (len(apart) + 1) - apart.mean() ** 2
    return float(apart.mean()), float(np.sqrt(spread / len(apart)))


@dataclass(frozen=True)
class StrongestRival:
    """The test that comes first among the others at a point, and how far it is from the 5x2 BCV McNemar test, on the same data sets."""

    point: str
    ours: Rate
    best: Rate
    lead: float  # of ours
    se: float  # of the lead, from pairs

    @property
    def verdict(self) -> int:
        """1 where ours clearly leads, -1 where it clearly does not, 0 where it cannot be told."""
        return clear_sign(self.lead, self.se)


class PowerCurves(TableDisplay):
    """Power curves of one source: a line for each test, a column for each lambda; ``power.picture()`` is Figure 4."""

    def __init__(self, source: str, found: Rejections) -> None:
        self.source, self.found = source, found
        plain = [point for point in found.points(source) if " " not in point]
        self.points = [point for point in plain if any(found.rate(source, point, test) for test in PRINTED)]

    def __getitem__(self, test: str) -> list[Rate]:
        """The rates of one test, lambda by lambda."""
        rates = [self.found.rate(self.source, point, test) for point in self.points]
        if None in rates:
            raise KeyError(f"{test} has no power curve on {self.source}; there are {', '.join(self.tests)}")
        return [rate for rate in rates if rate]

    @property
    def tests(self) -> list[str]:
        """Those with a rate at every point."""
        return [test for test in PRINTED if all(self.found.rate(self.source, point, test) for point in self.points)]

    @property
    def reasonable(self) -> list[str]:
        """The tests that are not shown to reject a true H0 more often than 0.05: only their power is worth comparing."""
        table = Table5(self.found)
        if self.points[0] != "0":  # nothing is known of their levels
            return self.tests
        levels = {test: table.level(self.source, test) or self[test][0] for test in self.tests}
        return [test for test, level in levels.items() if level_sign(level) >= 0]

    def rivals(self) -> Iterator[StrongestRival]:
        """At each lambda above 0, the most powerful of the other tests with a reasonable type I error."""
        for k, point in enumerate(self.points):
            others = [self[test][k] for test in self.reasonable if test != BCV_MCNEMAR]
            if float(point) == 0 or not others:
                continue
            best = max(others, key=lambda rate: rate.rejections)
            a, b = (self.found.rejected(self.source, point, test) for test in (BCV_MCNEMAR, best.test))
            yield StrongestRival(point, self[BCV_MCNEMAR][k], best, *paired_difference(a, b))

    @property
    def title(self) -> str:
        """What is shown."""
        counts: dict[int, list[str]] = {}
        for rate, point in zip(self[BCV_MCNEMAR], self.points, strict=True):
            counts.setdefault(rate.repetitions, []).append(point)
        sizes = "; ".join(f"{count}" + f" at {', '.join(points)}" * (len(counts) > 1) for count, points in counts.items())
        return f"Power on {self.source}: share of data sets on which H0 is rejected, by lambda.  Data sets: {sizes}."

    @property
    def _table(self) -> Table:
        lines = [[test + ("" if test in self.reasonable else " *"), *map(format_rate, self[test])] for test in self.tests]
        notes = ["* rejects a true H0 clearly too often: its power is no merit."]
        if self.source in UNEQUAL_AT_N:
            notes.append(
                "Learners that are equally good after training on half of the records are not so on more: to tests that train on more, "
                "lambda = 0 is a difference, and each lambda another one than to the tests on halves."
            )
        return Table(["test", *self.points], lines, self.title, notes=notes)

    def picture(self, tests: Sequence[str] | None = None) -> Picture:
        """Curves with intervals of 95 %; by default of five tests that were not shown to be liberal everywhere."""
        shown = [test for test in (PICTURE_TESTS if tests is None else tests) if test in self.tests]
        rates = [self[test] for test in shown]
        rate, se = (np.array([[getattr(one, name) for one in line] for line in rates]) for name in ("rate", "se"))
        fewest = min(one.repetitions for line in rates for one in line)
        drawn = SimpleNamespace(tests=shown, effects=[*map(float, self.points)], rate=rate, se=se, repetitions=fewest)
        return replace(power_curves(drawn, ALPHA, effect="lambda"), title=f"Power on {self.source}")


def power(source: str) -> PowerCurves:
    """Power curves of one source, from the stored results; ``.picture()`` draws them.

    Parameters
    ----------
    source : {"EXP6", "Simple", "letter"}
        Epsilon has none: it is made for a true H0.
    """
    found = PowerCurves(source, stored()) if source in SOURCES[1:] else None
    if found is None or len(found.points) < 2:
        raise ValueError(f"source must be one with power curves, such as 'EXP6' or 'Simple'; got {source!r}")
    return found
