"""Overlapping training sets: how uncertain a mean over random splits really is, and what two tests believe."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ...core.number_format import format_plain
from ...core.procedure import Procedure
from ...core.step import input_field, step
from ...core.validation import check
from ...core.value_types import Array
from ...procedures.resampling.corrected_resampled_t import CorrectedResampledT
from ...procedures.resampling.resampled_t import ResampledT

RECORDS, DATA_SETS, MOST_SPLITS = 60, 400, 30
CLASS_DISTANCE = 1.2  # distance of the two classes along each of two features, in standard deviations


@cache
def simulate_differences(share: float) -> Array:
    """Differences of accuracy on (splits, data sets) of two learners that are equally good by construction.

    Two classes differ alike in two features.  Both learners put a record to the nearer class mean of their training records;
    A sees the first feature only, B the second.  Exchanging the features exchanges the learners: their true errors are equal.
    """
    rng = np.random.default_rng(2003)
    y = np.tile([0, 1], RECORDS // 2)
    x = rng.normal(size=(2, RECORDS, DATA_SETS)) + CLASS_DISTANCE * (y - 0.5)[:, None]
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
    return ((predicted == y[:, None]) & in_test).sum(0) / in_test.sum(0)


def share_of_records(value: Any, name: str) -> float:
    """A share that is a whole number of records, so that as many are tested as it says."""
    share = check.level(value, name)
    if abs(share * RECORDS - round(share * RECORDS)) > 1e-9:
        such = f"{round(share * RECORDS) or 1}/{RECORDS}"
        raise ValueError(f"{name} must be a whole number of the {RECORDS} records, such as {such}; got {value!r}")
    return share


class OverlappingSplits(Procedure):
    """Overlapping splits: how uncertain is a mean over J random splits, and how uncertain do two tests believe it is?

    Simulated: 400 data sets of 60 records, two learners that are equally good by construction.
    """

    splits: int = input_field(
        "J", "Number of random splits of each data set.", check=check.count(2, MOST_SPLITS, "as many as are drawn of each data set")
    )
    share: float = input_field(r"n_2 / n", "Share of the records that are kept for testing.", check=share_of_records)

    @step(r"n_2 / n_1", r"\frac{$share}{1 - $share}")
    def ratio(self) -> float:
        """Records for testing by records for training."""
        return self.share / (1 - self.share)

    @step(r"\sigma", r"\mathrm{sd}\left(\text{mean over } J \text{ splits}\right) <- $splits, $share")
    def true_sd(self) -> float:
        """Standard deviation of the mean difference from data set to data set: what a test should know."""
        return float(simulate_differences(self.share)[: self.splits].mean(0).std(ddof=1))

    @step(r"\hat\sigma_1", r"\sqrt{\frac{1}{$splits}\,\text{mean of } s^2} <- $share")
    def naive_sd(self) -> float:
        """What the plain t-test believes, on average: as if the J differences were independent."""
        return float(np.sqrt((self._plain.se**2).mean()))

    @step(r"\hat\sigma_2", r"\sqrt{\left(\frac{1}{$splits} + $ratio\right) \text{mean of } s^2} <- $share")
    def corrected_sd(self) -> float:
        """What Nadeau and Bengio's correction believes, on average."""
        return float(np.sqrt((self._corrected.se**2).mean()))

    @step("P_1", r"P(\text{plain t-test rejects}) <- $splits, $share")
    def naive_rejections(self) -> float:
        """Share of the data sets in which the plain t-test rejects at 0.05, though the learners are equally good."""
        return float(self._plain.reject.mean())

    @step("P_2", r"P(\text{corrected t-test rejects}) <- $splits, $share, $ratio")
    def corrected_rejections(self) -> float:
        """The same for the corrected test."""
        return float(self._corrected.reject.mean())

    @property
    def _plain(self) -> Any:
        return ResampledT(simulate_differences(self.share)[: self.splits])

    @property
    def _corrected(self) -> Any:
        return CorrectedResampledT(simulate_differences(self.share)[: self.splits], test_train_ratio=self.ratio)

    @property
    def conclusion(self) -> str:
        """What the simulation shows, in words."""
        factor = self.true_sd / self.naive_sd
        return (
            f"The mean over {self.splits} splits strays by {format_plain(self.true_sd, 3)}; the plain t-test believes {format_plain(self.naive_sd, 3)}, "
            f"{format_plain(factor, 2)} times too little, and rejects a true H0 in {round(100 * self.naive_rejections)} % of the data sets. "
            f"Corrected: {format_plain(self.corrected_sd, 3)}, {round(100 * self.corrected_rejections)} %. "
            "(Monte Carlo standard error: at most 2.5 points.)"
        )
