"""Power curves of the paper on the 5x2 BCV McNemar test (Figure 4)."""

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
# tests that a picture shows by default
PICTURE_TESTS = (BCV_MCNEMAR, "CorrectedRepeatedKFoldT", "CorrectedResampledT", "CalibratedFiveByTwoF", "HoldOutMcNemar")


def level_sign(rate: Rate) -> int:
    """Return 1 if a test clearly keeps the level 0.05, -1 if the test clearly exceeds 0.05, and 0 if the simulation cannot decide."""
    return {"conservative": 1, "cannot be told": 0, "liberal": -1}[rate.verdict(ALPHA)]


def paired_difference(ours: Any, other: Any) -> tuple[float, float]:
    """Return mean and standard error of a paired difference; half a data set is added on either side, so that the error is above 0.

    >>> paired_difference([True, False, False, False], [False, False, False, False])[0]
    0.25
    """
    d = np.asarray(ours, float) - np.asarray(other, float)
    spread = ((d**2).sum() + 1) / (len(d) + 1) - d.mean() ** 2
    return float(d.mean()), float(np.sqrt(spread / len(d)))


@dataclass(frozen=True)
class StrongestRival:
    """Most powerful competitor of the 5x2 BCV McNemar test at one lambda, and the difference in power on the same data sets."""

    point: str
    ours: Rate
    best: Rate
    lead: float  # rate of `ours` minus rate of `best`
    se: float  # standard error of `lead`, from decisions on the same data sets

    @property
    def verdict(self) -> int:
        """1 if the 5x2 BCV McNemar test is clearly more powerful, -1 if it is clearly less powerful, 0 if the difference is not clear."""
        return clear_sign(self.lead, self.se)


class PowerCurves(TableDisplay):
    """Power curves of one source: a row for each test, a column for each lambda; ``power.picture()`` draws Figure 4."""

    def __init__(self, source: str, rejections: Rejections) -> None:
        self.source, self.rejections = source, rejections
        candidates = [point for point in rejections.points(source) if " " not in point]
        self.points = [point for point in candidates if any(rejections.rate(source, point, test) for test in PRINTED)]

    def __getitem__(self, test: str) -> list[Rate]:
        """Return the rates of one test at each lambda."""
        rates = [self.rejections.rate(self.source, point, test) for point in self.points]
        if None in rates:
            raise KeyError(f"`test` must have a power curve on {self.source} (one of {', '.join(self.tests)}); got {test!r}")
        return [rate for rate in rates if rate]

    @property
    def tests(self) -> list[str]:
        """Tests with a rate at every point."""
        return [test for test in PRINTED if all(self.rejections.rate(self.source, point, test) for point in self.points)]

    @property
    def reasonable(self) -> list[str]:
        """Tests whose type I error is not clearly above 0.05: the power of other tests is not worth comparing."""
        table = Table5(self.rejections)
        if self.points[0] != "0":  # type I errors are known only at the point "0"
            return self.tests
        levels = {test: table.level(self.source, test) or self[test][0] for test in self.tests}
        return [test for test, level in levels.items() if level_sign(level) >= 0]

    def rivals(self) -> Iterator[StrongestRival]:
        """Return, for each lambda above 0, the most powerful competitor with a reasonable type I error."""
        for k, point in enumerate(self.points):
            others = [self[test][k] for test in self.reasonable if test != BCV_MCNEMAR]
            if float(point) == 0 or not others:
                continue
            best = max(others, key=lambda rate: rate.rejections)
            a, b = (self.rejections.rejected(self.source, point, test) for test in (BCV_MCNEMAR, best.test))
            yield StrongestRival(point, self[BCV_MCNEMAR][k], best, *paired_difference(a, b))

    @property
    def title(self) -> str:
        """Title of the table, with the numbers of data sets."""
        counts: dict[int, list[str]] = {}
        for rate, point in zip(self[BCV_MCNEMAR], self.points, strict=True):
            counts.setdefault(rate.repetitions, []).append(point)
        sizes = "; ".join(f"{count}" + f" at {', '.join(points)}" * (len(counts) > 1) for count, points in counts.items())
        return f"Power on {self.source}: share of data sets on which H0 is rejected, by lambda.  Data sets: {sizes}."

    @property
    def _table(self) -> Table:
        lines = [[test + ("" if test in self.reasonable else " *"), *map(format_rate, self[test])] for test in self.tests]
        notes = ["* rejects a true H0 clearly more often than 0.05: its power is not an advantage."]
        if self.source in UNEQUAL_AT_N:
            notes.append(
                "Learners that are equally good after training on half of the records are not equally good after training on more records: "
                "for tests that train on more, lambda = 0 is a difference, and each lambda is another difference than for tests on halves."
            )
        return Table(["test", *self.points], lines, self.title, notes=notes)

    def picture(self, tests: Sequence[str] | None = None) -> Picture:
        """Draw power curves with 95 % intervals; by default, the curves of the five tests in PICTURE_TESTS."""
        shown = [test for test in (PICTURE_TESTS if tests is None else tests) if test in self.tests]
        rates = [self[test] for test in shown]
        rate, se = (np.array([[getattr(rate, name) for rate in curve] for curve in rates]) for name in ("rate", "se"))
        fewest = min(rate.repetitions for curve in rates for rate in curve)
        drawn = SimpleNamespace(tests=shown, effects=[*map(float, self.points)], rate=rate, se=se, repetitions=fewest)
        return replace(power_curves(drawn, ALPHA, effect="lambda"), title=f"Power on {self.source}")


def power(source: str) -> PowerCurves:
    """Return power curves of one source from the stored results; ``.picture()`` draws them.

    Parameters
    ----------
    source : {"EXP6", "Simple", "letter"}
        Source of the data; Epsilon has no power curves, because H0 is true on Epsilon by design.
    """
    curves = PowerCurves(source, stored()) if source in SOURCES[1:] else None
    if curves is None or len(curves.points) < 2:
        raise ValueError(f"`source` must be 'EXP6', 'Simple' or 'letter', the sources with power curves; got {source!r}")
    return curves
