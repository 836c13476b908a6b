"""The explorer of type I errors: simulated live, for every test at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .. import plot
from ..plot.marks import Label
from ..plot.picture import Picture
from ..teaching.demonstrations.false_alarms import NAMES, FalseAlarms
from .explorer import Explorer
from .slider import LEVEL, Slider

TEST = Slider("test", "Test", NAMES)
RECORDS = Slider("n", "Number of records n", (20, 50, 100, 200, 300, 600))
EPSILON = Slider("epsilon", "Error rate of both", (0.02, 0.05, 0.1, 0.2, 0.3, 0.5))
NARROW = 360  # pixels in which the names of the tests have no room for more than themselves
REPETITIONS = Slider("repetitions", "Data sets", (50, 100, 200, 400, 800))


class FalseAlarmsExplorer(Explorer[FalseAlarms]):
    """Sliders for the test, the number of records, the error rate, the number of data sets, and the level."""

    question = "Which tests keep their level?"
    leading = ("n", "epsilon", "repetitions")

    sliders = (TEST, RECORDS, EPSILON, REPETITIONS, LEVEL)

    def __init__(self, test: str, n: int, epsilon: float, repetitions: int, alpha: float) -> None:
        first = self._positions(test=test, n=n, epsilon=epsilon, repetitions=repetitions, alpha=alpha)
        super().__init__("False alarms, simulated", **first)

    @property
    def test(self) -> FalseAlarms:
        """The simulation for the sliders as they stand."""
        return FalseAlarms(**self.values)

    def pictures(self, test: FalseAlarms) -> Sequence[Picture]:
        """All tests on the same data sets, the most liberal first."""
        return [names_beside(plot.levels(test.rates, test.alpha, chosen=test.test), short=self.across < NARROW)]


def names_beside(picture: Picture, short: bool = False) -> Picture:
    """The picture with its names to the right of what they name, and not above it: so its lines can stand close.

    >>> names_beside(Picture("", "", "", (0.0, 1.0), (0.0, 1.0), (Label(0.9, 1.35, "A: 0.05"),), ""), short=True).marks
    (Label(x=3.2, y=1, words='A', align='start', color='#000000', bold=False),)
    """
    end = (3.2 if short else 2.2) * picture.xlim[1]

    def beside(name: Label) -> Label:
        return replace(name, x=end, y=round(name.y), words=name.words.partition(":")[0] if short else name.words)

    marks = (beside(mark) if isinstance(mark, Label) else mark for mark in picture.marks)
    return replace(picture, xlim=(0.0, end), marks=tuple(marks))


def false_alarms(
    *, test: str = "KFoldT", n: int = 300, epsilon: float = 0.1, repetitions: int = 200, alpha: float = 0.05
) -> FalseAlarmsExplorer:
    """How often tests reject a true H0, simulated live, with sliders.

    Parameters
    ----------
    test : str
        The test that is told in words at the start, one of Table 5, such as "BlockedFiveByTwoMcNemar".
    n : int
        Records at the start: 20, 50, 100, 200, 300 or 600.
    epsilon : float
        Error rate of both at the start: 0.02, 0.05, 0.1, 0.2, 0.3 or 0.5.
    repetitions : int
        Data sets at the start: 50, 100, 200, 400 or 800.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    return FalseAlarmsExplorer(test, n, epsilon, repetitions, alpha)
