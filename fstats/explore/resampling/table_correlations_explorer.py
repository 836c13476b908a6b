"""Interactive explorer of correlations in 5x2 cross-validation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...core.number_format import format_plain
from ...core.worked_example_row import Row
from ...plot.drawing.picture import Picture
from ...procedures.resampling.block_regularized.blocked_five_by_two_mcnemar import BlockedFiveByTwoMcNemar
from ...studies.correlations import Correlated, cloud
from ...studies.correlations.correlation_datasets import SETS
from ...studies.correlations.correlation_sums import PAIRS, RECORDS
from ..widgets import Explorer, Slider

DATA = Slider("data", "Data set", SETS)
PAIR = Slider("pair", "Learners", PAIRS, " and ".join)
# steps of the test that can be computed without the ten tables
SHOWN_STEPS = ("n", "e", "rho1", "rho2", "variance", "t")


@dataclass(frozen=True)
class LearnerPairCorrelations:
    """Correlations of the ten tables of two learners on one data set, and the equivalent number of independent tables.

    The displayed correlations are the correlations of the disagreements, as in the paper; the test is based on the differences.
    """

    disagreements: Correlated
    differences: Correlated

    @property
    def test(self) -> BlockedFiveByTwoMcNemar:
        """5x2 BCV McNemar test with only the steps that need no table."""
        pair = self.disagreements
        return BlockedFiveByTwoMcNemar.from_steps(n=RECORDS, e=pair.share, rho1=pair.rho1, rho2=pair.rho2)

    def worked(self) -> Iterable[Row]:
        """Return the steps from both correlations to the equivalent number of independent tables."""
        return [] if self.disagreements.rho1 is None else [row for row in self.test.worked() if row.name in SHOWN_STEPS]

    @property
    def conclusion(self) -> str:
        """Sentence on the number of independent tables with as much information as the ten tables of the pair."""
        pair = self.disagreements
        named = f"{pair.a} and {pair.b} on {pair.data_set}"
        if pair.rho1 is None or pair.rho2 is None:
            opening = f"{named}: in {pair.samples} samples the number of records on which exactly one is wrong never varies"
            return f"{opening}; therefore its correlations are undefined."
        exceeds_half, worth = pair.rho1 > 0.5 or pair.rho2 > 0.5, self.differences.worth or 0.0
        compared = "fewer than the 1.82 that the test assumes" if worth < 20 / 11 else "and the test assumes 1.82"
        return (
            f"{named}: exactly one is wrong on {100 * pair.share:.1f} % of the records. Over {pair.samples} samples rho1 = "
            f"{pair.rho1:.3f} ± {pair.se1:.3f} and rho2 = {pair.rho2:.3f} ± {pair.se2:.3f}, "
            f"{'outside' if exceeds_half or pair.rho2 < 0 else 'inside'} the bounds of Equation 10. The test is based on the differences. "
            f"For them, ten tables are worth {format_plain(worth, 3)} independent ones, {compared}."
        )


class TableCorrelationsExplorer(Explorer[LearnerPairCorrelations]):
    """Sliders for the data set and the pair of learners."""

    question = "How many independent tables are these ten tables worth?"
    main_controls = ("data",)

    sliders = (DATA, PAIR)

    def __init__(self, data: str, pair: tuple[str, str]) -> None:
        super().__init__("The correlations of ten tables", **self._positions_of_values(data=data, pair=tuple(pair)))

    @property
    def test(self) -> LearnerPairCorrelations:
        """Pair of learners that belongs to the values of the sliders."""
        chosen = self.values["data"], *self.values["pair"]
        return LearnerPairCorrelations(cloud()[chosen], cloud("differences")[chosen])

    def pictures(self, test: LearnerPairCorrelations) -> Sequence[Picture]:
        """Return the picture of all pairs, with the pairs of the data set and the chosen pair marked."""
        return [cloud().picture([test.disagreements.data_set], test.disagreements)]


def correlations(*, data: str = "letter", pair: tuple[str, str] = ("tree", "neighbours")) -> TableCorrelationsExplorer:
    """Explore the correlations of the ten tables of a 5x2 cross-validation, with sliders for the data set and the two learners.

    Parameters
    ----------
    data : str
        Data set at the start, such as "letter".
    pair : tuple of str
        Two learners at the start, in the order majority, mean, logistic, SVM, tree, neighbours.
    """
    return TableCorrelationsExplorer(data, pair)
