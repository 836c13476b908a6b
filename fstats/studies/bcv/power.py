"""Figure 4: how often each test rejects, the more one learner is better; and which test finds out most often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...picture import BLACK, BLUE, GREEN, GREY, ORANGE, VERMILLION, Curve, Label, Line, Links, Picture, Points
from ...simulate.rates import Rate
from ...table import Table, Tabular
from .design import ALPHA, PRINTED, SOURCES
from .stored import Rejections, stored

OURS = "BlockedFiveByTwoMcNemar"
DRAWN = {  # the tests that a picture shows unless others are asked for
    OURS: BLACK,
    "CalibratedFiveByTwoF": BLUE,
    "CorrectedResampledT": VERMILLION,
    "HoldOutMcNemar": ORANGE,
    "NaiveKFoldMcNemar": GREEN,
    "BlockedThreeByTwoT": GREY,
}
CLEARLY = 2.0  # standard errors


def keeps_its_level(rate: Rate) -> int:
    """1 where a test clearly keeps to 0.05, -1 where it clearly does not, 0 where the simulation cannot tell."""
    return int(rate.rate + CLEARLY * rate.se < ALPHA) - int(rate.rate - CLEARLY * rate.se > ALPHA)


@dataclass(frozen=True)
class Rival:
    """The test that comes first among the others at a point, and how far it is from the 5x2 BCV McNemar test, on the same data sets."""

    point: str
    ours: Rate
    best: Rate
    lead: float  # of ours
    se: float  # of the lead, from pairs

    @property
    def verdict(self) -> int:
        """1 where ours clearly leads, -1 where it clearly does not, 0 where it cannot be told."""
        return int(self.lead > CLEARLY * self.se) - int(self.lead < -CLEARLY * self.se)


class PowerCurves(Tabular):
    """Power curves of one source: a line for each test, a column for each lambda; ``power.picture()`` is Figure 4."""

    def __init__(self, source: str, found: Rejections) -> None:
        self.source, self.found = source, found
        self.points = [point for point in found.points(source) if " " not in point]

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
        """The tests whose type I error here is not clearly above 0.05: only their power is worth comparing."""
        return [test for test in self.tests if keeps_its_level(self[test][0]) >= 0]

    def rivals(self) -> Iterator[Rival]:
        """At each lambda above 0, the most powerful of the other tests with a reasonable type I error."""
        for k, point in enumerate(self.points):
            others = [self[test][k] for test in self.reasonable if test != OURS]
            if float(point) == 0 or not others:
                continue
            best = max(others, key=lambda rate: rate.rejections)
            a, b = (self.found.rejected(self.source, point, test) for test in (OURS, best.test))
            apart = np.asarray(a, float) - np.asarray(b, float)
            # half a data set added to either side, as for a rate: never 0
            spread = np.sqrt(((apart**2).sum() + 1) / (len(apart) + 1) - apart.mean() ** 2)
            yield Rival(point, self[OURS][k], best, float(apart.mean()), float(spread / np.sqrt(len(apart))))

    @property
    def title(self) -> str:
        """What is shown."""
        counts: dict[int, list[str]] = {}
        for rate, point in zip(self[OURS], self.points, strict=True):
            counts.setdefault(rate.repetitions, []).append(point)
        sizes = "; ".join(f"{count}" + f" at {', '.join(points)}" * (len(counts) > 1) for count, points in counts.items())
        return f"Power on {self.source}: share of data sets on which H0 is rejected, by lambda.  Data sets: {sizes}."

    @property
    def _table(self) -> Table:
        lines = [
            [test + ("" if test in self.reasonable else " *"), *(f"{rate.rate:.3f} ± {rate.se:.3f}" for rate in self[test])] for test in self.tests
        ]
        return Table(["test", *self.points], lines, self.title, notes=["* rejects a true H0 clearly too often: its power is no merit."])

    def picture(self, tests: Sequence[str] | None = None) -> Picture:
        """Curves with two standard errors to either side; by default of six tests."""
        chosen = [test for test in (DRAWN if tests is None else tests) if test in self.tests]
        x = np.array([float(point) for point in self.points])
        marks: list[Any] = [Line((0.0, 1.0), (ALPHA, ALPHA), GREY, 1.0)]
        ends = {test: self[test][-1].rate for test in chosen}
        heights = _spread(sorted(ends, key=lambda test: ends[test]), ends)
        spare = [color for color in DRAWN.values() if color not in [DRAWN.get(test) for test in chosen]] or [GREY]
        for k, test in enumerate(chosen):
            color = DRAWN.get(test, spare[k % len(spare)])
            rate, se = (np.array([getattr(one, name) for one in self[test]]) for name in ("rate", "se"))
            marks += [
                Links(x, np.maximum(rate - 2 * se, 0), np.minimum(rate + 2 * se, 1), color),
                Curve(x, rate, color),
                Points(x, rate, color, radius=3.0),
                Label(1.03, heights[test], test, color=color, bold=test == OURS),
            ]
        told = "; ".join(f"{test} {', '.join(f'{rate.rate:.2f}' for rate in self[test])}" for test in chosen)
        return Picture(
            title=f"Power on {self.source}",
            xlabel="lambda: 0 is no difference; with two standard errors to either side",
            ylabel="rejected",
            xlim=(0.0, 1.85),
            ylim=(0.0, 1.03),
            marks=tuple(marks),
            text=f"Share of data sets of {self.source} on which H0 is rejected, at lambda = {', '.join(self.points)}: {told}.",
            height=1.3,
        )


def _spread(tests: Sequence[str], ends: dict[str, float], apart: float = 0.06) -> dict[str, float]:
    """Heights of the names beside the curves' ends, so that none covers another."""
    heights: dict[str, float] = {}
    below = -1.0
    for test in tests:
        heights[test] = below = max(ends[test], below + apart)
    over = below - 0.99
    for test in reversed(tests):  # what is pushed out at the top pushes back
        heights[test] = min(heights[test], 0.99 if over > 0 else heights[test])
        over = 1.0
    top = 2.0
    for test in reversed(tests):
        heights[test] = top = min(heights[test], top - apart)
    return heights


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
