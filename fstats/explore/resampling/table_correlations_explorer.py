"""The explorer of the ten tables' correlations: choose a data set and two learners, and see where their pair lies in the cloud."""

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
from ..widgets.explorer import Explorer
from ..widgets.slider import Slider

DATA = Slider("data", "Data set", SETS)
PAIR = Slider("pair", "Learners", PAIRS, " and ".join)
SHOWN_STEPS = ("n", "e", "rho1", "rho2", "variance", "t")  # the steps of the test that need no table


@dataclass(frozen=True)
class LearnerPairCorrelations:
    """Two learners on one data set: how their ten tables are correlated, and what they are worth.

    The correlations are those of the disagreements, as the paper has them; the test decides on the differences.
    """

    one: Correlated
    differences: Correlated

    @property
    def test(self) -> BlockedFiveByTwoMcNemar:
        """The 5x2 BCV McNemar test as far as it goes without a table."""
        return BlockedFiveByTwoMcNemar.from_steps(n=RECORDS, e=self.one.share, rho1=self.one.rho1, rho2=self.one.rho2)

    def worked(self) -> Iterable[Row]:
        """The steps from both correlations to the number of tables that ten are worth."""
        return [] if self.one.rho1 is None else [row for row in self.test.worked() if row.name in SHOWN_STEPS]

    @property
    def conclusion(self) -> str:
        """What the ten tables of this pair are worth."""
        one = self.one
        named = f"{one.a} and {one.b} on {one.data_set}"
        if one.rho1 is None or one.rho2 is None:
            return (
                f"{named}: in {one.samples} samples the number of records on which exactly one "
                f"is wrong never varies, so that it has no correlations."
            )
        bold, worth = one.rho1 > 0.5 or one.rho2 > 0.5, self.differences.worth or 0.0
        compared = "less than the 1.82 that it assumes" if worth < 20 / 11 else "and it assumes 1.82"
        return (
            f"{named}: exactly one is wrong on {100 * one.share:.1f} % of the records. Over "
            f"{one.samples} samples rho1 = {one.rho1:.3f} ± {one.se1:.3f} "
            f"and rho2 = {one.rho2:.3f} ± {one.se2:.3f}, {'outside' if bold or one.rho2 < 0 else 'inside'} the bounds of Equation 10. "
            f"The test decides on differences: for these, ten tables are worth {format_plain(worth, 3)} independent ones, {compared}."
        )


class TableCorrelationsExplorer(Explorer[LearnerPairCorrelations]):
    """Sliders for the data set and the pair of learners."""

    question = "What are ten tables of these two learners worth?"
    leading = ("data",)

    sliders = (DATA, PAIR)

    def __init__(self, data: str, pair: tuple[str, str]) -> None:
        super().__init__("The correlations of ten tables", **self._positions(data=data, pair=tuple(pair)))

    @property
    def test(self) -> LearnerPairCorrelations:
        """The pair for the sliders as they stand."""
        chosen = self.values["data"], *self.values["pair"]
        return LearnerPairCorrelations(cloud()[chosen], cloud("differences")[chosen])

    def pictures(self, test: LearnerPairCorrelations) -> Sequence[Picture]:
        """The whole cloud, with the pairs of the data set and the one that is chosen."""
        return [cloud().picture([test.one.data_set], test.one)]


def correlations(*, data: str = "letter", pair: tuple[str, str] = ("tree", "neighbours")) -> TableCorrelationsExplorer:
    """How the ten tables of a 5x2 cross-validation are correlated, with sliders for the data set and the two learners.

    Parameters
    ----------
    data : str
        The data set at the start, such as "letter".
    pair : tuple of str
        The two learners at the start, in the order majority, mean, logistic, SVM, tree, neighbours.
    """
    return TableCorrelationsExplorer(data, pair)
