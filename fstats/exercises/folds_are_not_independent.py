"""Exercise: what the splits of one data set share, and what becomes of a t-test that does not know it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from .. import check
from ..grading.exercise import Exercise
from ..grading.mistake import Mistake
from ..grading.question import Choice, Option, Question, Section
from ..picture import Cells, Label, Picture
from ..resampling.base import MeanOverSplits, of_each_split
from ..resampling.corrected_resampled_t import CorrectedResampledT
from ..step import Procedure, given, step

SHARED = Section("06_cross_validation_is_not_independent", "What do two splits share?")
LUCK = Section("06_cross_validation_is_not_independent", "Choose your luck")
UNCERTAIN = Section("06_cross_validation_is_not_independent", "How uncertain is the mean really?")
CORRECTION = Section("06_cross_validation_is_not_independent", "The correction, and where it comes from")


class SharedRecords(Procedure):
    """Splits of one data set: what do they share, and what are their differences worth?"""

    records: Any = given("N", "Records of the data set.", check=check.count(4))
    folds: Any = given("K", "Folds of a cross-validation.", check=check.count(3))
    test_share: Any = given(r"\tau", "Share of the records that a random hold-out split keeps for testing.", check=check.level)
    d: Any = given("d_i", "Score of A less score of B on each random hold-out split, in points of percent.", over="i", check=of_each_split)
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


class SplitsForRoot(SharedRecords):
    """You divided the standard deviation by the number of splits, not by its square root. That makes the plain t larger still, and it is too large already."""

    plain_t = step(r"t_{\text{plain}}", r"\frac{$mean}{$sd / $n}")(lambda self: self.mean / (self.sd / self.n))


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


def draw(rng: np.random.Generator) -> dict[str, Any]:
    """Whole points of percent over ten to sixteen splits that convince the plain t, and not the corrected one."""
    found: dict[str, Any] = {"records": 120 * int(rng.integers(2, 7)), "folds": int(rng.choice([4, 5, 6, 8, 10])), "many": 1000}
    found["test_share"] = float(rng.choice([0.1, 0.15, 0.2, 0.25, 0.3, 0.4]))
    while True:
        found["d"] = rng.normal(rng.choice([-2, 2]), 2.5, int(rng.integers(10, 17))).round().astype(int).tolist()
        found["rate"], found["tries"] = int(rng.integers(8, 40)) / 1000, 10 * int(rng.integers(2, 11))
        test: Any = SharedRecords(**found)
        if abs(test.plain_t) > 2.6 and 0.4 < abs(test.statistic) < 2 and 0.2 < test.at_least_one < 0.95:
            return found


def picture(test: Any) -> Picture:
    """The plan of the cross-validation: a line for each split, a column for each fold."""
    k = test.folds
    split, fold = (axis.ravel() for axis in np.indices((k, k)))
    return Picture(
        title=f"{k}-fold cross-validation: dark folds train, white ones are tested",
        xlabel="",
        ylabel="",
        xlim=(0.0, 616.0),
        ylim=(-52.0 - 24 * k, 0.0),
        marks=(
            Cells(100.0 + 48 * fold, -48.0 - 24 * split, np.where(split == fold, 0.0, 0.7), 48.0, 24.0),
            *(Label(100.0 + 48 * j, -30.0, str(j + 1), "middle") for j in range(k)),
            Label(68.0, -30.0, "fold", "end"),
            *(Label(68.0, -52.0 - 24 * j, f"split {j + 1}", "end") for j in range(k)),
        ),
        text=f"A table of {k} splits (lines) and {k} folds (columns). In each line another fold is white, which is tested; all others train.",
        frame=False,
        height=(52 + 24 * k) / 330,
    )


EXERCISE = Exercise(
    name="folds_are_not_independent",
    test=SharedRecords,
    given=dict(
        records=300, folds=10, test_share=0.2, d=[3, -1, 4, 2, 0, 5, 3, -2, 1, 4, 2, 6, -1, 3, 2], many=1000, rate=0.0128, tries=100
    ),
    draw=draw,
    picture=picture,
    questions=(
        Question("q1", "train", SHARED),
        Question("q2", "common", SHARED),
        Question("q3", "share", SHARED),
        Question("q4", "common_at_random", SHARED),
        Choice(
            "q5",
            "In 2-fold cross-validation the two training sets have no record in common. Are the two differences independent, then?",
            (
                Option(
                    "No: each half trains one pair of models and tests the other pair.",
                    "What is in the one half is missing in the other, so the luck of one training set is in the other test set.",
                ),
                Option(
                    "Yes: results that rest on different training records are independent.",
                    "Different records are not enough. The two halves come from the same data set, and each is the test set of the other.",
                    "disjoint taken for independent",
                ),
                Option(
                    "No: two random halves of the same records always overlap by chance.",
                    "The two halves of one repetition are complements and never overlap; halves of different repetitions do.",
                ),
            ),
            SHARED,
        ),
        Question("q6", "plain_t", UNCERTAIN),
        Question("q7", "se", CORRECTION),
        Question("q8", "statistic", CORRECTION),
        Question("q9", "worth", CORRECTION),
        Question("q10", "plain_t_of_many", UNCERTAIN),
        Question("q11", "limit", CORRECTION),
        Question("q12", "at_least_one", LUCK),
        Choice(
            "q13",
            "Somebody shuffles the same records with 50 random seeds and reports the shuffle with the smallest p-value. What do you say?",
            (
                Option(
                    "The smallest of many p-values is no p-value: it is often small when the algorithms are alike.",
                    "A p-value says how often one test, fixed beforehand, gives something so extreme; the best of 50 tries is another thing.",
                ),
                Option(
                    "Each shuffle gives a fair test, so the one that was reported is a fair test as well.",
                    "Each is one draw from many; the reported one was not drawn but chosen, and chosen for being extreme.",
                    "the best seed for any seed",
                ),
                Option(
                    "All 50 belong in one plain t-test: ten folds each give 500 differences.",
                    "To show all of them is right, but they are 500 looks at the same records, and the plain t takes them for 500 new ones.",
                    "more splits for more data",
                ),
            ),
            LUCK,
        ),
    ),
    mistakes=(
        Mistake(TestForTraining, "test set for training set", SHARED, ("q1",)),
        Mistake(OverlapOfTestSets, "overlap of the test sets", SHARED, ("q2",)),
        Mistake(OneFoldLeftOut, "only one fold left out", SHARED, ("q2",)),
        Mistake(LikeRandomSplits, "folds taken for random splits", SHARED, ("q2",)),
        Mistake(ShareOfAllRecords, "share of all records", SHARED, ("q3",)),
        Mistake(KForKMinusOne, "K for K - 1", SHARED, ("q3",)),
        Mistake(LikeFolds, "random splits taken for folds", SHARED, ("q4",)),
        Mistake(SplitsForRoot, "J for its square root", UNCERTAIN),
        Mistake(TakenAsIndependent, "splits taken as independent", CORRECTION),
        Mistake(ShareForRatio, "test share for the ratio n2 / n1", CORRECTION, ("q7", "q8", "q9", "q11")),
        Mistake(RatioUpsideDown, "n1 / n2 for n2 / n1", CORRECTION, ("q7", "q8", "q9", "q11")),
        Mistake(GrowsLikeJ, "growing like J", UNCERTAIN),
        Mistake(WithoutBound, "corrected t without bound", CORRECTION),
        Mistake(TimesTheTries, "r times q", LUCK),
        Mistake(NoneOfThem, "none for at least one", LUCK),
    ),
)
