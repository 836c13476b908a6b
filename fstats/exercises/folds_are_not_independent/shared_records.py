"""Exercise: what the splits of one data set share, and what becomes of a t-test that does not know it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ... import check
from ...resampling.base import MeanOverSplits, of_each_split
from ...resampling.corrected_resampled_t import CorrectedResampledT
from ...step import Procedure, given, step


class SharedRecords(Procedure):
    """Splits of one data set: what do they share, and what are their differences worth?"""

    records: Any = given("N", "Records of the data set.", check=check.count(4))
    folds: Any = given("K", "Folds of a cross-validation.", check=check.count(3))
    test_share: Any = given(r"\tau", "Share of the records that a random hold-out split keeps for testing.", check=check.level)
    d: Any = given("d_i", "Score of A less score of B on each random hold-out split, in percentage points.", over="i", check=of_each_split)
    many: Any = given("J'", "A larger number of such splits.", check=check.count(2))
    rate: Any = given("q", "Share of all shuffles of one data set for which a test rejects.", check=check.level)
    tries: Any = given("r", "Number of shuffles that somebody tries.", check=check.count(1))

    @step(r"N_{\text{train}}", r"$records - \frac{$records}{$folds}")
    def train(self) -> Any:
        """Training records of each split of the cross-validation."""
        return self.records - self.records / self.folds

    @step("C", r"$train - \frac{$records}{$folds}")
    def common(self) -> Any:
        """Records in the training sets of both of two splits of the cross-validation."""
        return self.train - self.records / self.folds

    @step(r"C / N_{\text{train}}", r"\frac{$common}{$train}")
    def share(self) -> Any:
        """Which share of its training set one split of the cross-validation has in common with another."""
        return self.common / self.train

    @step(r"\bar C", r"(1 - $test_share)^2\,$records")
    def common_at_random(self) -> Any:
        """Records in the training sets of both of two random hold-out splits, on average."""
        return (1 - self.test_share) ** 2 * self.records

    n, mean, sd = MeanOverSplits.n, MeanOverSplits.mean, MeanOverSplits.sd

    @step(r"t_{\text{plain}}", r"\frac{$mean}{$sd / \sqrt{$n}}")
    def plain_t(self) -> Any:
        """The plain t over the splits."""
        return self.mean / (self.sd / sqrt(self.n))

    @step(r"\frac{n_2}{n_1}", r"\frac{$test_share}{1 - $test_share}")
    def test_train_ratio(self) -> Any:
        """Records to test by records to train."""
        return self.test_share / (1 - self.test_share)

    se, statistic = CorrectedResampledT.se, MeanOverSplits.statistic

    @step(r"J_{\text{eff}}", r"\frac{1}{1 / $n + $test_train_ratio}")
    def worth(self) -> Any:
        """How many independent splits would give the corrected standard error."""
        return 1 / (1 / self.n + self.test_train_ratio)

    @step(r"t'_{\text{plain}}", r"\frac{$mean}{$sd / \sqrt{$many}}")
    def plain_t_of_many(self) -> Any:
        """The plain t if mean and standard deviation stay as they are over the larger number of splits."""
        return self.mean / (self.sd / sqrt(self.many))

    @step(r"t_\infty", r"\frac{$mean}{\sqrt{$test_train_ratio}\,$sd}")
    def limit(self) -> Any:
        """What the corrected t tends to as the number of splits grows without end, mean and standard deviation as they are."""
        return self.mean / (sqrt(self.test_train_ratio) * self.sd)

    @step("P", "1 - (1 - $rate)^{$tries}")
    def at_least_one(self) -> Any:
        """Probability that the test rejects for at least one of the shuffles."""
        return 1 - (1 - self.rate) ** self.tries


class TestForTraining(SharedRecords):
    """That is the size of one fold, which is tested. The model is trained on all the other folds."""

    train = step(r"N_{\text{train}}", r"\frac{$records}{$folds}")(lambda self: self.records / self.folds)


class OverlapOfTestSets(SharedRecords):
    """You looked at the test sets, and two folds have indeed nothing in common. But a model comes out of its training set: ask which records both models have learned from."""

    common = step("C", r"0 \text{ (no record is tested by both)}")(
        lambda self: 0.0  # noqa: ARG005
    )


class OneFoldLeftOut(SharedRecords):
    """You took out one fold, but each of the two splits tests another one. What both train on is what neither of them tests: take out both folds."""

    common = step("C", "$train")(lambda self: self.train)


class LikeRandomSplits(SharedRecords):
    """That would be the average if the two training sets had been drawn independently of each other. The folds of one cross-validation never overlap, so it is no matter of chance: count the folds that neither split tests."""

    common = step("C", r"\frac{$train^2}{$records}")(lambda self: self.train**2 / self.records)


class ShareOfAllRecords(SharedRecords):
    """You divided by all records. But a model has only seen its training set: what counts is how much of that another model has seen, too."""

    share = step(r"C / N_{\text{train}}", r"\frac{$common}{$records}")(lambda self: self.common / self.records)


class KForKMinusOne(SharedRecords):
    """That is the share of all records that one training set holds, with K in the denominator. Asked is how much of one training set, which has only K - 1 folds, is also in the other."""

    share = step(r"C / N_{\text{train}}", r"\frac{$train}{$records}")(lambda self: self.train / self.records)


class LikeFolds(SharedRecords):
    """You took out both test sets as if they could not overlap. Those of two random splits do, by chance: of the training records of the first split, the second one tests only its share."""

    common_at_random = step(r"\bar C", r"(1 - 2 \cdot $test_share)\,$records")(lambda self: (1 - 2 * self.test_share) * self.records)


class OneTrainingSet(SharedRecords):
    """That is how many records one split trains on. Of these, the other split has kept some for testing: ask how likely it is that a record is in both training sets."""

    common_at_random = step(r"\bar C", r"(1 - $test_share)\,$records")(lambda self: (1 - self.test_share) * self.records)


class InBothTestSets(SharedRecords):
    """That is how many records both splits test, on average. Asked is what both train on, for it is there that the models get alike."""

    common_at_random = step(r"\bar C", r"$test_share^2\,$records")(lambda self: self.test_share**2 * self.records)


class SplitsForRoot(SharedRecords):
    """You divided the standard deviation by the number of splits, not by its square root. That makes the plain t larger still, and it is too large already."""

    plain_t = step(r"t_{\text{plain}}", r"\frac{$mean}{$sd / $n}")(lambda self: self.mean / (self.sd / self.n))


class InDeviations(SharedRecords):
    """You divided by the standard deviation, which says how far one difference strays. The t measures their mean, so divide by the standard error of a mean; for the plain t it is smaller by the root of J."""

    plain_t = step(r"t_{\text{plain}}", r"\frac{$mean}{$sd}")(lambda self: self.mean / self.sd)


class TakenAsIndependent(SharedRecords):
    """That is the standard error of independent differences. Yours come from the same records again and again: beside 1/J there is a part that no number of splits removes, the ratio of test to training records."""

    se = step(r"\mathrm{SE}", r"\frac{$sd}{\sqrt{$n}}")(lambda self: self.sd / sqrt(self.n))


class ShareForRatio(SharedRecords):
    """You put in the share of test records among all records. That is the correlation which Nadeau and Bengio assume; what stands in the standard error is test records by training records."""

    test_train_ratio = step(r"\frac{n_2}{n_1}", "$test_share")(lambda self: self.test_share)


class RatioUpsideDown(SharedRecords):
    """Your ratio stands on its head: training records by test records. Test records by training records is what is wanted, and it is small where the test sets are small."""

    test_train_ratio = step(r"\frac{n_2}{n_1}", r"\frac{1 - $test_share}{$test_share}")(
        lambda self: (1 - self.test_share) / self.test_share
    )


class NoRoot(SharedRecords):
    """The root is missing. The sum of the two parts multiplies the variance; a standard error, like the standard deviation, is the root of a variance."""

    se = step(r"\mathrm{SE}", r"\left(\frac{1}{$n} + $test_train_ratio\right)\,$sd")(
        lambda self: (1 / self.n + self.test_train_ratio) * self.sd
    )


class DividedTwice(SharedRecords):
    """You divided by the root of J once more. The 1/J under the root has done that for its own part already, and the other part no number of splits makes smaller."""

    se = step(r"\mathrm{SE}", r"\sqrt{\frac{1}{$n} + $test_train_ratio}\,\frac{$sd}{\sqrt{$n}}")(
        lambda self: sqrt(1 / self.n + self.test_train_ratio) * self.sd / sqrt(self.n)
    )


class NotTurnedOver(SharedRecords):
    """That is the sum of the two parts itself. With independent splits the one over their number stands in its place, so turn your result over."""

    worth = step(r"J_{\text{eff}}", r"1 / $n + $test_train_ratio")(lambda self: 1 / self.n + self.test_train_ratio)


class GrowsLikeJ(SharedRecords):
    """You let t grow in proportion to the number of splits. The number stands under a square root: four times the splits give twice the t."""

    plain_t_of_many = step(r"t'_{\text{plain}}", r"$plain_t\,\frac{$many}{$n}")(lambda self: self.plain_t * self.many / self.n)


class WithoutBound(SharedRecords):
    """The plain t grows beyond every bound. In the corrected standard error only the part 1/J vanishes; the ratio of test to training records stays, and keeps t finite."""

    limit = step(r"t_\infty", r"$statistic \cdot \infty")(lambda self: self.statistic * np.inf)


class TimesTheTries(SharedRecords):
    """You added up the probability of every try, which counts twice where two tries reject, and may even exceed 1. Ask first how likely it is that none of them rejects."""

    at_least_one = step("P", r"$tries\,$rate")(lambda self: self.tries * self.rate)


class NoneOfThem(SharedRecords):
    """That is the probability that not a single shuffle rejects. At least one does in all other cases."""

    at_least_one = step("P", "(1 - $rate)^{$tries}")(lambda self: (1 - self.rate) ** self.tries)


class ExactlyOne(SharedRecords):
    """That is the probability that one shuffle rejects and all others do not. Two or more serve the purpose just as well: ask how likely it is that none rejects."""

    at_least_one = step("P", "$tries\\,$rate\\,(1 - $rate)^{$tries - 1}")(
        lambda self: self.tries * self.rate * (1 - self.rate) ** (self.tries - 1)
    )
