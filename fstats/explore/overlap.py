"""The explorer of overlapping training sets: how uncertain a mean over splits really is, and what two tests believe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from .. import check
from ..number import plain
from ..picture import BLUE, GREY, VERMILLION, Curve, Picture, Points
from ..procedure import Procedure
from ..resampling.corrected_resampled_t import CorrectedResampledT
from ..resampling.resampled_t import ResampledT
from ..step import given, step
from ..value import Array
from .explorer import Control, Explorer

RECORDS, DATA_SETS, MOST_SPLITS = 60, 400, 30
SHARES = (0.05, 0.1, 0.2, 1 / 3, 0.5, 2 / 3)  # of the records that are kept for testing
APART = 1.2  # distance of the two classes along each of two features, in standard deviations


@cache
def splits(share: float) -> Array:
    """Differences of accuracy on (splits, data sets) of two learners that are equally good by construction.

    Two classes differ alike in two features.  Both learners put a record to the nearer class mean of their training records;
    A sees the first feature only, B the second.  Exchanging the features exchanges the learners: their true errors are equal.
    """
    rng = np.random.default_rng(2003)
    y = np.tile([0, 1], RECORDS // 2)
    x = rng.normal(size=(2, RECORDS, DATA_SETS)) + APART * (y - 0.5)[:, None]
    tested = round(share * RECORDS)
    found = np.empty((MOST_SPLITS, DATA_SETS))
    for split in found:
        order = rng.permuted(np.tile(np.arange(RECORDS)[:, None], DATA_SETS), axis=0)
        in_test = np.zeros((RECORDS, DATA_SETS), bool)
        np.put_along_axis(in_test, order[:tested], True, 0)
        right = [_accuracy(feature, y, in_test) for feature in x]
        split[:] = right[0] - right[1]
    found.setflags(write=False)
    return found


def _accuracy(x: Array, y: Any, in_test: Any) -> Array:
    """Accuracy of the nearer-mean rule on the tested records of each data set, trained on the others."""
    means = []
    for label in (0, 1):
        trains = ~in_test & (y == label)[:, None]
        means.append((x * trains).sum(0) / np.maximum(trains.sum(0), 1))
    predicted = np.abs(x - means[1]) < np.abs(x - means[0])
    accuracy: Array = ((predicted == y[:, None]) & in_test).sum(0) / in_test.sum(0)
    return accuracy


class OverlappingSplits(Procedure):
    """Overlapping splits: how uncertain is a mean over J random splits, and how uncertain do two tests believe it is?

    Simulated: 400 data sets of 60 records, two learners that are equally good by construction.
    """

    splits: int = given("J", "Number of random splits of each data set.", check=check.count(2))
    share: float = given(r"n_2 / n", "Share of the records that are kept for testing.", check=check.positive)

    @step(r"n_2 / n_1", r"\frac{$share}{1 - $share}")
    def ratio(self) -> float:
        """Records for testing by records for training."""
        return self.share / (1 - self.share)

    @step(r"\sigma", r"\mathrm{sd} \text{ over data sets of the mean over } $splits; \ $share")
    def true_sd(self) -> float:
        """Standard deviation of the mean difference from data set to data set: what a test should know."""
        return float(splits(self.share)[: self.splits].mean(0).std(ddof=1))

    @step(r"\hat\sigma_1", r"\sqrt{\text{mean of } s^2 / $splits}; \ $share")
    def naive_sd(self) -> float:
        """What the plain t-test believes, on average: as if the J differences were independent."""
        return float(np.sqrt((self._tests[0].se ** 2).mean()))

    @step(r"\hat\sigma_2", r"\sqrt{\text{mean of } \left(1 / $splits + $ratio\right) s^2}; \ $share")
    def corrected_sd(self) -> float:
        """What Nadeau and Bengio's correction believes, on average."""
        return float(np.sqrt((self._tests[1].se ** 2).mean()))

    @step("P_1", r"P(\text{plain t-test rejects}); \ $splits, $share")
    def naive_rejections(self) -> float:
        """Share of the data sets in which the plain t-test rejects at 0.05, though the learners are equally good."""
        return float(self._tests[0].reject.mean())

    @step("P_2", r"P(\text{corrected t-test rejects}); \ $splits, $share, $ratio")
    def corrected_rejections(self) -> float:
        """The same for the corrected test."""
        return float(self._tests[1].reject.mean())

    @property
    def _tests(self) -> tuple[Any, Any]:
        d = splits(self.share)[: self.splits]
        return ResampledT(d), CorrectedResampledT(d, test_train_ratio=self.ratio)

    @property
    def conclusion(self) -> str:
        """What the simulation shows, in words."""
        factor = self.true_sd / self.naive_sd
        return (
            f"The mean over {self.splits} splits strays by {plain(self.true_sd, 3)}; the plain t-test believes {plain(self.naive_sd, 3)}, "
            f"{plain(factor, 2)} times too little, and rejects a true H0 in {round(100 * self.naive_rejections)} % of the data sets. "
            f"Corrected: {plain(self.corrected_sd, 3)}, {round(100 * self.corrected_rejections)} %. (Monte Carlo standard error: at most 2.5 points.)"
        )


class OverlapExplorer(Explorer):
    """Sliders for the number of splits and the share of test records."""

    def __init__(self, splits: int) -> None:
        if not 2 <= splits <= MOST_SPLITS:
            raise ValueError(f"splits must lie between 2 and {MOST_SPLITS}, the ends of its slider; got {splits}")
        self._first = {"splits": splits, "share": 1}
        super().__init__("Overlapping splits, simulated")

    def _start(self) -> None:
        self._at = dict(self._first)

    def _take(self, moved: Mapping[str, int]) -> None:
        self._at |= moved

    @property
    def controls(self) -> Sequence[Control]:
        """The sliders as they stand."""
        share = SHARES[self._at["share"]]
        return [
            Control("splits", "Number of splits J", 2, MOST_SPLITS, self._at["splits"], plain(self._at["splits"])),
            Control(
                "share",
                "Share for testing",
                0,
                len(SHARES) - 1,
                self._at["share"],
                f"{plain(share, 2)}: n2 / n1 = {plain(share / (1 - share), 2)}",
            ),
        ]

    @property
    def test(self) -> OverlappingSplits:  # type: ignore[override]
        """The simulation for the sliders as they stand."""
        return OverlappingSplits(self._at["splits"], SHARES[self._at["share"]])

    def pictures(self, test: Any) -> Sequence[Picture]:
        """The uncertainty by the number of splits, true and believed; and how often the two tests reject."""
        return [uncertainty(test), rejections(test)]


def _by_splits(share: float, name: str) -> tuple[Array, Array]:
    """A step for several numbers of splits."""
    numbers = np.array([2, 3, 5, 8, 12, 16, 20, 25, 30])
    return numbers.astype(float), np.array([_known(int(number), share, name) for number in numbers])


@cache
def _known(number: int, share: float, name: str) -> float:
    return float(getattr(OverlappingSplits(number, share), name))


def uncertainty(test: OverlappingSplits) -> Picture:
    """How far the mean strays, and what the two tests believe, by the number of splits.

    >>> uncertainty(OverlappingSplits(15, 0.1))
    [picture: Standard deviation of the mean difference by the number of splits. With 15: true ..., believed by the plain t-test ..., corrected ....]
    """
    x, true = _by_splits(test.share, "true_sd")
    _, naive = _by_splits(test.share, "naive_sd")
    _, corrected = _by_splits(test.share, "corrected_sd")
    at = np.array([float(test.splits)])
    return Picture(
        title="More splits: less spread believed than there is",
        xlabel="number of splits J",
        ylabel="sd of the mean",
        xlim=(0.0, MOST_SPLITS + 1.0),
        ylim=(0.0, float(max(true.max(), naive.max(), corrected.max())) * 1.15),
        marks=(
            Curve(x, true, GREY),
            Curve(x, naive, VERMILLION),
            Curve(x, corrected, BLUE),
            Points(at, np.array([test.true_sd]), GREY, "true"),
            Points(at, np.array([test.naive_sd]), VERMILLION, "plain t-test", open=True),
            Points(at, np.array([test.corrected_sd]), BLUE, "corrected"),
        ),
        text=f"Standard deviation of the mean difference by the number of splits. With {test.splits}: true {plain(test.true_sd, 3)}, "
        f"believed by the plain t-test {plain(test.naive_sd, 3)}, corrected {plain(test.corrected_sd, 3)}.",
        whole_x=True,
    )


def rejections(test: OverlappingSplits) -> Picture:
    """How often each test rejects a true H0, by the number of splits.

    >>> rejections(OverlappingSplits(15, 0.1))
    [picture: Share of data sets in which a true H0 is rejected, by the number of splits. With 15: plain t-test ..., corrected ....]
    """
    x, naive = _by_splits(test.share, "naive_rejections")
    _, corrected = _by_splits(test.share, "corrected_rejections")
    at = np.array([float(test.splits)])
    return Picture(
        title="True H0 rejected at alpha = 0.05",
        xlabel="number of splits J",
        ylabel="share of data sets",
        xlim=(0.0, MOST_SPLITS + 1.0),
        ylim=(0.0, max(0.25, float(naive.max())) * 1.15),
        marks=(
            Curve(np.array([0.0, MOST_SPLITS + 1.0]), np.full(2, 0.05), GREY),
            Curve(x, naive, VERMILLION),
            Curve(x, corrected, BLUE),
            Points(at, np.array([test.naive_rejections]), VERMILLION, "plain t-test", open=True),
            Points(at, np.array([test.corrected_rejections]), BLUE, "corrected"),
        ),
        text=f"Share of data sets in which a true H0 is rejected, by the number of splits. With {test.splits}: plain t-test "
        f"{plain(test.naive_rejections, 3)}, corrected {plain(test.corrected_rejections, 3)}.",
        whole_x=True,
    )


def overlap(*, splits: int = 15) -> OverlapExplorer:
    """A mean over random splits with sliders: how far it strays, and what the plain and the corrected t-test believe.

    Parameters
    ----------
    splits : int
        Number of splits at the start, 2 to 30.
    """
    return OverlapExplorer(splits)
