"""What goes wrong: the right test with one wrong step each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import sqrt

from ...grading.mistake import slip
from .. import shared
from .steps import CORRECTION, LUCK, SHARED, UNCERTAIN, SharedRecords


@slip(SharedRecords, "train", r"\frac{$records}{$folds}", "test set for training set", SHARED, only=("q1",))
def test_for_training(test: SharedRecords) -> Any:
    """That is the size of one fold, which is tested. The model is trained on all the other folds."""
    return test.records / test.folds


@slip(SharedRecords, "common", r"0 \text{ (no record is tested by both)}", "overlap of the test sets", SHARED, only=("q2",))
def overlap_of_test_sets(test: SharedRecords) -> Any:
    """You looked at the test sets, and two folds have indeed nothing in common. But a model comes out of its training set:
    ask which records both models have learned from.
    """
    return 0.0


@slip(SharedRecords, "common", "$train", "only one fold left out", SHARED, only=("q2",))
def one_fold_left_out(test: SharedRecords) -> Any:
    """You took out one fold, but each of the two splits tests another one. What both train on is what neither of them
    tests: take out both folds.
    """
    return test.train


@slip(SharedRecords, "common", r"\frac{$train^2}{$records}", "folds taken for random splits", SHARED, only=("q2",))
def like_random_splits(test: SharedRecords) -> Any:
    """That would be the average if the two training sets had been drawn independently of each other. The folds of one
    cross-validation never overlap, so it is no matter of chance: count the folds that neither split tests.
    """
    return test.train**2 / test.records


@slip(SharedRecords, "share", r"\frac{$common}{$records}", "share of all records", SHARED, only=("q3",))
def share_of_all_records(test: SharedRecords) -> Any:
    """You divided by all records. But a model has only seen its training set: what counts is how much of that another
    model has seen, too.
    """
    return test.common / test.records


@slip(SharedRecords, "share", r"\frac{$train}{$records}", "K for K - 1", SHARED, only=("q3",))
def k_for_k_minus_one(test: SharedRecords) -> Any:
    """That is the share of all records that one training set holds, with K in the denominator. Asked is how much of one
    training set, which has only K - 1 folds, is also in the other.
    """
    return test.train / test.records


@slip(SharedRecords, "common_at_random", r"(1 - 2 \cdot $test_share)\,$records", "random splits taken for folds", SHARED, only=("q4",))
def like_folds(test: SharedRecords) -> Any:
    """You took out both test sets as if they could not overlap. Those of two random splits do, by chance: of the training
    records of the first split, the second one tests only its share.
    """
    return (1 - 2 * test.test_share) * test.records


@slip(SharedRecords, "common_at_random", r"(1 - $test_share)\,$records", "one training set for the overlap of two", SHARED)
def one_training_set(test: SharedRecords) -> Any:
    """That is how many records one split trains on. Of these, the other split has kept some for testing: ask how likely it
    is that a record is in both training sets.
    """
    return (1 - test.test_share) * test.records


@slip(SharedRecords, "common_at_random", r"$test_share^2\,$records", "overlap of the test sets, at random", SHARED)
def in_both_test_sets(test: SharedRecords) -> Any:
    """That is how many records both splits test, on average. Asked is what both train on, for it is there that the models
    get alike.
    """
    return test.test_share**2 * test.records


in_deviations = shared.in_deviations.on(
    SharedRecords,
    "standard deviation for standard error",
    UNCERTAIN,
    """You divided by the standard deviation, which says how far one difference strays. The t measures their mean, so
    divide by the standard error of a mean; for the plain t it is smaller by the root of J.
    """,
    step="plain_t",
)


@slip(SharedRecords, "plain_t", r"\frac{$mean}{$sd / $n}", "J for its square root", UNCERTAIN)
def splits_for_root(test: SharedRecords) -> Any:
    """You divided the standard deviation by the number of splits, not by its square root. That makes the plain t larger
    still, and it is too large already.
    """
    return test.mean / (test.sd / test.n)


taken_as_independent = shared.naive_standard_error.on(
    SharedRecords,
    "splits taken as independent",
    CORRECTION,
    """That is the standard error of independent differences. Yours come from the same records again and again: beside 1/J
    there is a part that no number of splits removes, the ratio of test to training records.
    """,
)


@slip(SharedRecords, "test_train_ratio", "$test_share", "test share for the ratio n2 / n1", CORRECTION, only=("q7", "q8", "q9", "q11"))
def share_for_ratio(test: SharedRecords) -> Any:
    """You put in the share of test records among all records. That is the correlation which Nadeau and Bengio assume; what
    stands in the standard error is test records by training records.
    """
    return test.test_share


@slip(
    SharedRecords,
    "test_train_ratio",
    r"\frac{1 - $test_share}{$test_share}",
    "n1 / n2 for n2 / n1",
    CORRECTION,
    only=("q7", "q8", "q9", "q11"),
)
def ratio_upside_down(test: SharedRecords) -> Any:
    """Your ratio stands on its head: training records by test records. Test records by training records is what is wanted,
    and it is small where the test sets are small.
    """
    return (1 - test.test_share) / test.test_share


@slip(SharedRecords, "se", r"\left(\frac{1}{$n} + $test_train_ratio\right)\,$sd", "the root is missing", CORRECTION, only=("q7",))
def no_root(test: SharedRecords) -> Any:
    """The root is missing. The sum of the two parts multiplies the variance; a standard error, like the standard
    deviation, is the root of a variance.
    """
    return (1 / test.n + test.test_train_ratio) * test.sd


@slip(
    SharedRecords,
    "se",
    r"\sqrt{\frac{1}{$n} + $test_train_ratio}\,\frac{$sd}{\sqrt{$n}}",
    "divided by the root of J twice",
    CORRECTION,
    only=("q7",),
)
def divided_twice(test: SharedRecords) -> Any:
    """You divided by the root of J once more. The 1/J under the root has done that for its own part already, and the other
    part no number of splits makes smaller.
    """
    return sqrt(1 / test.n + test.test_train_ratio) * test.sd / sqrt(test.n)


@slip(SharedRecords, "worth", "1 / $n + $test_train_ratio", "not turned over", CORRECTION)
def not_turned_over(test: SharedRecords) -> Any:
    """That is the sum of the two parts itself. With independent splits the one over their number stands in its place, so
    turn your result over.
    """
    return 1 / test.n + test.test_train_ratio


@slip(SharedRecords, "plain_t_of_many", r"$plain_t\,\frac{$many}{$n}", "growing like J", UNCERTAIN)
def grows_like_j(test: SharedRecords) -> Any:
    """You let t grow in proportion to the number of splits. The number stands under a square root: four times the splits
    give twice the t.
    """
    return test.plain_t * test.many / test.n


@slip(SharedRecords, "limit", r"$statistic \cdot \infty", "corrected t without bound", CORRECTION)
def without_bound(test: SharedRecords) -> Any:
    """The plain t grows beyond every bound. In the corrected standard error only the part 1/J vanishes; the ratio of test
    to training records stays, and keeps t finite.
    """
    return test.statistic * np.inf


@slip(SharedRecords, "at_least_one", r"$tries\,$rate", "r times q", LUCK)
def times_the_tries(test: SharedRecords) -> Any:
    """You added up the probability of every try, which counts twice where two tries reject, and may even exceed 1. Ask
    first how likely it is that none of them rejects.
    """
    return test.tries * test.rate


@slip(SharedRecords, "at_least_one", "(1 - $rate)^{$tries}", "none for at least one", LUCK)
def none_of_them(test: SharedRecords) -> Any:
    """That is the probability that not a single shuffle rejects. At least one does in all other cases."""
    return (1 - test.rate) ** test.tries


@slip(SharedRecords, "at_least_one", r"$tries\,$rate\,(1 - $rate)^{$tries - 1}", "exactly one for at least one", LUCK)
def exactly_one(test: SharedRecords) -> Any:
    """That is the probability that one shuffle rejects and all others do not. Two or more serve the purpose just as well:
    ask how likely it is that none rejects.
    """
    return test.tries * test.rate * (1 - test.rate) ** (test.tries - 1)
