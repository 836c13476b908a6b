"""Interactive explorer of type I error rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ... import plot
from ...plot.drawing.picture import Picture
from ...plot.drawing.picture_marks import Label, Line
from ...procedures.resampling.cross_validation_tests import TABLE_5
from ...teaching.demonstrations.type_one_error_simulation import TESTS, TypeOneErrorSimulation
from ..widgets import LEVEL_SLIDER, SimulationExplorer, Slider

RECORDS = Slider("n", "Number of records n", (20, 50, 100, 200, 300, 600))
EPSILON = Slider("epsilon", "Error rate of both classifiers", (0.02, 0.05, 0.1, 0.2, 0.3, 0.5))
NARROW = 360  # width of a picture in pixels below which a label contains only the name of the test
REPETITIONS = Slider("repetitions", "Number of data sets", (50, 100, 200, 400, 800))


class TypeOneErrorExplorer(SimulationExplorer[TypeOneErrorSimulation]):
    """Sliders for the test, the number of records, the error rate, the number of data sets, and the level."""

    question = "Which tests keep their level alpha?"
    main_controls = ("n", "epsilon", "repetitions")
    title = "Type I errors, simulated"
    simulation = TypeOneErrorSimulation

    def __init__(self, tests: Sequence[type], test: str, n: int, epsilon: float, repetitions: int, alpha: float) -> None:
        self._test = Slider("test", "Test", [test_class.__name__ for test_class in tests])
        super().__init__(test=test, n=n, epsilon=epsilon, repetitions=repetitions, alpha=alpha)

    @property
    def sliders(self) -> Sequence[Slider[Any]]:
        """Sliders for the test that the conclusion describes, and for the simulation."""
        return self._test, RECORDS, EPSILON, REPETITIONS, LEVEL_SLIDER

    def pictures(self, test: TypeOneErrorSimulation) -> Sequence[Picture]:
        """Return the rejection rates of all tests on the same data sets, the most liberal test first."""
        rates = [rate for rate in test.rates if rate.test in self._test.values]
        picture = plot.levels(rates, test.alpha, chosen=test.test)
        return [shorten_labels(picture) if self.picture_width < NARROW else picture]


def shorten_labels(picture: Picture) -> Picture:
    """Shorten the labels of a narrow picture to the names of the tests.

    >>> marks = Line((0.2, 0.5), (1, 1)), Label(2.0, 1, "A: 0.3", "end")
    >>> shorten_labels(Picture("", "", "", (0.0, 2.0), (0.0, 1.0), marks, "")).marks[1]
    Label(x=1.6, y=1, words='A', align='end', color='#000000', bold=False)
    """
    end = 3.2 * max(mark.x[1] for mark in picture.marks if isinstance(mark, Line))
    marks = (replace(mark, x=end, words=mark.words.partition(":")[0]) if isinstance(mark, Label) else mark for mark in picture.marks)
    return replace(picture, xlim=(0.0, end), marks=tuple(marks))


def false_alarms(
    tests: Sequence[type] = TABLE_5,
    *,
    test: str = "KFoldT",
    n: int = 300,
    epsilon: float = 0.1,
    repetitions: int = 200,
    alpha: float = 0.05,
) -> TypeOneErrorExplorer:
    """Explore with sliders how often tests reject a true H0; each move starts a new simulation.

    Parameters
    ----------
    tests : sequence of classes
        Tests that are shown: any tests of Table 5 of the source paper, and ``BlockedFiveByTwoT``; by default all tests of Table 5.
    test : str
        Name of the test that the conclusion describes at the start, such as "BlockedFiveByTwoMcNemar".
    n : int
        Number of records at the start: 20, 50, 100, 200, 300 or 600.
    epsilon : float
        Error rate of both classifiers at the start: 0.02, 0.05, 0.1, 0.2, 0.3 or 0.5.
    repetitions : int
        Number of data sets at the start: 50, 100, 200, 400 or 800.
    alpha : float
        Level at the start: 0.001, 0.005, 0.01, 0.02, 0.05, 0.1 or 0.2.
    """
    if unknown := [test_class.__name__ for test_class in tests if test_class not in TESTS]:
        known = ", ".join(test_class.__name__ for test_class in TESTS)
        raise ValueError(f"`tests` must be names from the list {known}; got {', '.join(unknown)}")
    return TypeOneErrorExplorer(tests, test, n, epsilon, repetitions, alpha)
